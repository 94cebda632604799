/* Launches that fail, one for each error that docs/launch-errors.md explains. Its argument says
 * which; without one the names are printed. A line says what the runtime answers: right after
 * the launch, when the kernel should be done, and to a later call that is right. */
#include <stdio.h>
#include <string.h>

__global__ void set(float *p) { p[0] = 1; }

__global__ void far_away(float *p) { p[(size_t)1 << 38] = 1; } /* a tebibyte after the array */

__global__ void by_vectors(float *p) { *(float4 *)(p + 1) = make_float4(0, 0, 0, 0); }

__global__ void with_tile(float *p)
{
    extern __shared__ float tile[];
    tile[0] = p[0];
    p[0] = tile[0];
}

__global__ void __launch_bounds__(128) for_128_threads(float *p) { p[threadIdx.x] = 1; }

/* 120 sums that are all needed until the end lie in 120 registers and more. */
__global__ void many_registers(float *p, int n)
{
    float sum[120];
#pragma unroll
    for (int i = 0; i < 120; i++)
        sum[i] = p[i];
    for (int k = 0; k < n; k++) {
        float x = p[k];
#pragma unroll
        for (int i = 0; i < 120; i++)
            sum[i] = sum[i] * x + sum[(i + 7) % 120];
    }
    float all = 0;
#pragma unroll
    for (int i = 0; i < 120; i++)
        all += sum[i];
    p[1024 + threadIdx.x] = all;
}

static void no_kernel(float *p) { p[0] = 1; }

static void answer(const char *name, cudaError_t launch, cudaError_t done, cudaError_t later)
{
    printf("%-12s launch: %d %s", name, launch, cudaGetErrorString(launch));
    printf("; done: %d %s", done, cudaGetErrorString(done));
    printf("; later: %d %s\n", later, cudaGetErrorString(later));
}

static int elements = 100; /* fewer than threads in a block */

int main(int count, char **arguments)
{
    static const char *const names[] = {"threads", "nothing",   "grid",   "shared",
                                        "raised",  "registers", "bounds", "function",
                                        "address", "alignment"};
    if (count < 2) {
        for (const char *name : names)
            printf("%s\n", name);
        return 0;
    }
    const char *name = arguments[1];
    float *p;
    if (cudaMalloc(&p, 8192) || cudaMemset(p, 0, 8192)) {
        printf("%-12s no device: %s\n", name, cudaGetErrorString(cudaGetLastError()));
        return 3;
    }
    cudaError_t launch = cudaSuccess;
    if (!strcmp(name, "threads"))
        set<<<1, dim3(48, 48)>>>(p);
    else if (!strcmp(name, "nothing"))
        set<<<elements / 256, 256>>>(p);
    else if (!strcmp(name, "grid"))
        set<<<dim3(1, 70000), 32>>>(p);
    else if (!strcmp(name, "shared"))
        with_tile<<<1, 32, 64 * 1024>>>(p);
    else if (!strcmp(name, "raised"))
        launch = cudaFuncSetAttribute(with_tile, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      300 * 1024);
    else if (!strcmp(name, "registers"))
        many_registers<<<1, 1024>>>(p, 8);
    else if (!strcmp(name, "bounds"))
        for_128_threads<<<1, 256>>>(p);
    else if (!strcmp(name, "function")) {
        void *values[] = {&p};
        launch = cudaLaunchKernel((const void *)no_kernel, dim3(1), dim3(32), values, 0, 0);
    } else if (!strcmp(name, "address"))
        far_away<<<1, 1>>>(p);
    else if (!strcmp(name, "alignment"))
        by_vectors<<<1, 1>>>(p);
    else
        return 2;
    cudaError_t last = cudaGetLastError();
    cudaError_t done = cudaDeviceSynchronize();
    answer(name, launch ? launch : last, done, cudaMemset(p, 0, 8192));
    return 0;
}
