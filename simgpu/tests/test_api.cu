/* SPDX-License-Identifier: MIT */
/** @file test_api.cu
 * The runtime API and cuBLAS of the simulated GPU: what calls return and compute.
 * Compiled plain and traced, each with its own main().
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#include <cublas_v2.h>
#include "check.h"
#include "simgpu.h"

/* ---- memory ---- */

static void memory()
{
    size_t free_before, total, free_after;
    OK(cudaMemGetInfo(&free_before, &total));
    float *a;
    OK(cudaMalloc(&a, 1 << 20));
    CHECK((uintptr_t)a % 256 == 0);
    OK(cudaMemGetInfo(&free_after, &total));
    CHECK(free_before - free_after == 1 << 20);
    OK(cudaFree(a));
    OK(cudaFree(NULL));
    OK(cudaMemGetInfo(&free_after, &total));
    CHECK(free_before == free_after);

    simgpu_set_memory_limit(1 << 20);
    CHECK(cudaMalloc(&a, (1 << 20) + 1) == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaSuccess);
    OK(cudaMalloc(&a, 1 << 20));
    OK(cudaFree(a));
    simgpu_set_memory_limit(0);
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice); /* the last error is kept */
    CHECK(cudaMalloc(&a, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    CHECK(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);

    /* Many allocations, freed in another order: addresses stay apart, contents stay. */
    int *blocks[200], value;
    for (int i = 0; i < 200; i++) {
        OK(cudaMalloc(&blocks[i], 4 * (size_t)(i % 37 + 1)));
        OK(cudaMemcpy(blocks[i], &i, 4, cudaMemcpyHostToDevice));
    }
    for (int i = 0; i < 200; i += 2)
        OK(cudaFree(blocks[i]));
    for (int i = 1; i < 200; i += 2) {
        OK(cudaMemcpy(&value, blocks[i], 4, cudaMemcpyDeviceToHost));
        CHECK(value == i);
        OK(cudaFree(blocks[i]));
    }
    void *host;
    OK(cudaMallocHost(&host, 100));
    OK(cudaFreeHost(host));
}

static void copies()
{
    int host[12 * 10], back[12 * 10];
    for (int i = 0; i < 120; i++)
        host[i] = i;
    char *device;
    size_t pitch;
    OK(cudaMallocPitch(&device, &pitch, 40, 12));
    CHECK(pitch >= 40 && pitch % 512 == 0);
    /* Ten columns of twelve rows are copied from a host matrix to pitched memory and back,
     * transposed into place by rows. */
    OK(cudaMemcpy2D(device, pitch, host, 40, 40, 12, cudaMemcpyHostToDevice));
    memset(back, 0xff, sizeof back);
    OK(cudaMemcpy2D(back, 40, device, pitch, 40, 12, cudaMemcpyDeviceToHost));
    CHECK(memcmp(host, back, sizeof host) == 0);
    /* A part: 3 columns from column 2, 5 rows from row 4, to the corner of a matrix of ones. */
    OK(cudaMemcpy2D(back, 40, device + 4 * pitch + 2 * 4, pitch, 3 * 4, 5, cudaMemcpyDefault));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 3; j++)
            CHECK(back[i * 10 + j] == host[(i + 4) * 10 + j + 2]);
    CHECK(back[3] == 3 && back[5 * 10] == 50);
    CHECK(cudaMemcpy2D(back, 8, device, pitch, 12, 2, cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidPitchValue);
    CHECK(simgpu_fault_count() == 1);
    simgpu_clear_faults();
    OK(cudaMemset2D(device, pitch, 0x11, 8, 12));
    OK(cudaMemcpy2D(back, 40, device, pitch, 40, 12, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 0x11111111 && back[1] == 0x11111111 && back[2] == 2 &&
          back[10] == 0x11111111);
    device_array<int> other(120);
    OK(cudaMemset(other, 0, 480));
    OK(cudaMemcpyAsync((int *)other, device, 40, cudaMemcpyDeviceToDevice));
    other.download(back);
    CHECK(back[1] == 0x11111111 && back[2] == 2 && back[10] == 0);
    OK(cudaFree(device));
}

static void device()
{
    int count = 0, value = 0;
    cudaDeviceProp p;
    OK(cudaGetDeviceCount(&count));
    CHECK(count == 1);
    OK(cudaSetDevice(0));
    CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
    cudaGetLastError();
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(strstr(p.name, "simulated") && p.major == 9 && p.maxThreadsPerBlock == 1024 &&
          p.warpSize == 32);
    CHECK(p.sharedMemPerBlock == 48 << 10 && p.sharedMemPerBlockOptin == 227 << 10);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == p.multiProcessorCount);
    simgpu_set_limits(SIMGPU_C1060);
    OK(cudaGetDeviceProperties(&p, 0));
    CHECK(p.major == 1 && p.minor == 3 && p.maxThreadsPerBlock == 512 &&
          p.sharedMemPerBlock == 16 << 10);
    simgpu_set_limits(SIMGPU_MODERN);
    CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    OK(cudaDriverGetVersion(&value));
    OK(cudaRuntimeGetVersion(&value));
}

/* ---- atomics ---- */

static __global__ void add_one(float *x) { atomicAdd(&x[threadIdx.x], 1.0f); }

/** An atomic operation reads and writes, so it costs as much as += does. */
static void atomics()
{
    device_array<float> x(16);
    simgpu_totals totals;
    OK(cudaMemset(x, 0, 64));
    simgpu_count_reset();
    simgpu_count_start();
    add_one<<<1, 16>>>(x);
    simgpu_count_stop();
    simgpu_get_totals(&totals);
#ifdef SIMGPU_TRACED
    CHECK(totals.load_transactions == 1 && totals.store_transactions == 1);
    CHECK(totals.load_bytes == 64 && totals.store_bytes == 64);
#endif
    simgpu_count_reset();
}

/* ---- cuBLAS ---- */

template <class T> struct matrix {
    int ld;
    std::vector<T> host;
    device_array<T> device;
    matrix(int columns, int ld, int seed)
        : ld(ld), host(filled(ld * columns, seed)), device(host.data(), host.size())
    {
    }
    static std::vector<T> filled(int count, int seed)
    {
        std::vector<T> all(count);
        for (int i = 0; i < count; i++)
            all[i] = (T)((i * 7 + seed * 13) % 11 - 5);
        return all;
    }
    T at(int i, int j) const { return host[i + j * ld]; }
    T op(bool transposed, int i, int j) const { return transposed ? at(j, i) : at(i, j); }
    void download() { device.download(host.data()); }
};

template <class T, class Gemm, class Geam>
static void blas(cublasHandle_t handle, Gemm gemm, Geam geam)
{
    const int m = 13, n = 9, k = 17;
    for (int ta = 0; ta < 2; ta++)
        for (int tb = 0; tb < 2; tb++)
            for (int with_beta = 0; with_beta < 2; with_beta++) {
                cublasOperation_t oa = ta ? CUBLAS_OP_T : CUBLAS_OP_N,
                                  ob = tb ? CUBLAS_OP_T : CUBLAS_OP_N;
                matrix<T> a(ta ? m : k, 20, 1), b(tb ? k : n, 21, 2), c(n, 15, 3),
                    before(n, 15, 3);
                T alpha = 2, beta = with_beta ? -3 : 0;
                CHECK(gemm(handle, oa, ob, m, n, k, &alpha, a.device.p, a.ld, b.device.p, b.ld,
                           &beta, c.device.p, c.ld) == CUBLAS_STATUS_SUCCESS);
                c.download();
                int wrong = 0;
                for (int i = 0; i < 15; i++)
                    for (int j = 0; j < n; j++) {
                        T sum = 0;
                        for (int l = 0; l < k && i < m; l++)
                            sum += a.op(ta, i, l) * b.op(tb, l, j);
                        T expected =
                            i < m ? alpha * sum + beta * before.at(i, j) : before.at(i, j);
                        wrong += c.at(i, j) != expected;
                    }
                CHECK(wrong == 0);

                matrix<T> x(ta ? m : n, 20, 4), y(tb ? m : n, 20, 5), z(n, 16, 6);
                CHECK(geam(handle, oa, ob, m, n, &alpha, x.device.p, x.ld, &beta, y.device.p,
                           y.ld, z.device.p, z.ld) == CUBLAS_STATUS_SUCCESS);
                z.download();
                wrong = 0;
                for (int i = 0; i < m; i++)
                    for (int j = 0; j < n; j++)
                        wrong += z.at(i, j) != alpha * x.op(ta, i, j) + beta * y.op(tb, i, j);
                CHECK(wrong == 0);
            }
    /* In place: C = A - C. */
    matrix<T> a(n, m, 7), c(n, m, 8), before(n, m, 8);
    T one = 1, minus = -1;
    CHECK(geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, a.device.p, m, &minus, c.device.p,
               m, c.device.p, m) == CUBLAS_STATUS_SUCCESS);
    c.download();
    for (int i = 0; i < m * n; i++)
        CHECK(c.host[i] == a.host[i] - before.host[i]);
    CHECK(geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, m, &one, a.device.p, m, &minus, c.device.p,
               m, a.device.p, m) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a.device.p, m - 1, a.device.p,
               k, &one, c.device.p, m) == CUBLAS_STATUS_INVALID_VALUE);
    /* The message about a refused argument has the parameter's name. */
    struct simgpu_fault refused;
    CHECK(simgpu_get_fault(0, &refused) && strstr(refused.text, "C is A"));
    CHECK(simgpu_get_fault(1, &refused) && strstr(refused.text, "lda is") &&
          strstr(refused.text, "must be at least m ="));
    simgpu_clear_faults();
    /* beta = 0 overwrites NaN. */
    T zero = 0;
    matrix<T> square(4, 4, 9), result(4, 4, 10);
    OK(cudaMemset(result.device.p, 0xff, sizeof(T) * 16));
    CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, square.device.p, 4,
               square.device.p, 4, &zero, result.device.p, 4) == CUBLAS_STATUS_SUCCESS);
    result.download();
    for (int i = 0; i < 16; i++)
        CHECK(result.host[i] == result.host[i]);
    /* With alpha = 0 no NaN of A or B reaches C, not even in a product with a column. */
    OK(cudaMemset(square.device.p, 0xff, sizeof(T) * 16));
    for (int columns = 1; columns < 5; columns += 3)
        CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, columns, 4, &zero, square.device.p, 4,
                   square.device.p, 4, &one, result.device.p, 4) == CUBLAS_STATUS_SUCCESS);
    result.download();
    for (int i = 0; i < 16; i++)
        CHECK(result.host[i] == result.host[i]);
}

/* C = i A^H B - C for A = (1 + 2i, 3), a column, and B = (i, 1 - i)^T; then both triangles of
   A A^T for the column A = (1, 2). */
static void complex_and_triangles(cublasHandle_t handle)
{
    const cuDoubleComplex i = {0, 1}, minus = {-1, 0};
    matrix<double> a(2, 2, 1), b(2, 2, 2), c(2, 2, 3);
    const double of_a[] = {1, 2, 3, 0}, of_b[] = {0, 1, 1, -1}, one = 1, zero = 0;
    OK(cudaMemcpy(a.device.p, of_a, sizeof of_a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b.device.p, of_b, sizeof of_b, cudaMemcpyHostToDevice));
    double before[] = {c.host[0], c.host[1]};
    auto z = [](matrix<double> &m) { return reinterpret_cast<cuDoubleComplex *>(m.device.p); };
    CHECK(cublasZgemm(handle, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 2, &i, z(a), 2, z(b), 2, &minus,
                      z(c), 1) == CUBLAS_STATUS_SUCCESS);
    c.download(); /* (1 - 2i) i + 3 (1 - i) = 5 - 2i */
    CHECK(c.host[0] == 2 - before[0] && c.host[1] == 5 - before[1]);
    const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
    for (cublasFillMode_t uplo : triangles) {
        OK(cudaMemset(c.device.p, 0, 4 * sizeof(double)));
        CHECK(cublasDsyrk(handle, uplo, CUBLAS_OP_N, 2, 1, &one, a.device.p, 2, &zero,
                          c.device.p, 2) == CUBLAS_STATUS_SUCCESS);
        c.download();
        CHECK(c.host[0] == 1 && c.host[3] == 4 && c.host[1] == 2 * (uplo == triangles[0]) &&
              c.host[2] == 2 * (uplo == triangles[1]));
    }
}

int main()
{
    memory();
    copies();
    device();
    atomics();
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS);
    cublasMath_t mode;
    CHECK(cublasGetMathMode(handle, &mode) == CUBLAS_STATUS_SUCCESS &&
          mode == CUBLAS_PEDANTIC_MATH);
    blas<float>(handle, cublasSgemm, cublasSgeam);
    blas<double>(handle, cublasDgemm, cublasDgeam);
    complex_and_triangles(handle);
    CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    CHECK(simgpu_fault_count() == 0);
    printf("cublas by %s: %s\n", simgpu_blas_name(),
           failures ? "FAILED" : "the API does what it should");
    return failures != 0;
}
