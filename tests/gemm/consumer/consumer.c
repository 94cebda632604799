/* SPDX-License-Identifier: MIT */
/* Makes a handle where there is a GPU; status 0 either way, and a line that says which. It
   calls CUDA itself, as a program that has matrices must. */
#include <cuda_runtime.h>
#include <ladder_gemm.h>
#include <stdio.h>

int main(void)
{
    ladder_gemm_t gemm;
    void *matrix = NULL;
    if (ladder_gemm_version() != 100 * LADDER_GEMM_VERSION_MAJOR + LADDER_GEMM_VERSION_MINOR)
        return puts("the library has another version than the header"), 2;
    int status = ladder_gemm_create(&gemm, NULL);
    if (status == 0 && cudaMalloc(&matrix, 64) != cudaSuccess)
        status = 1;
    cudaFree(matrix);
    printf("ladder_gemm %d.%d: %s\n", LADDER_GEMM_VERSION_MAJOR, LADDER_GEMM_VERSION_MINOR,
           status == 0 ? "a handle" : "no GPU");
    ladder_gemm_destroy(gemm);
    return status > 0;
}
