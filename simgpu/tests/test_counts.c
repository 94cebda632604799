/* SPDX-License-Identifier: MIT */
/** @file test_counts.c
 * Checks the transactions and bytes of kernels whose counts are known in closed form, by both
 * models, and their results, plain and traced, in any order of threads.
 *
 *     test_counts [quick]     quick: one size
 *
 * It is plain C, because the step runner, which uses the simulator, is plain C.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>
#include "matmul.h"
#include "simgpu.h"

static int failures;

#define CHECK(condition, ...)                                                                  \
    do {                                                                                       \
        if (!(condition)) {                                                                    \
            printf("%s:%d: failed: %s: ", __FILE__, __LINE__, #condition);                     \
            printf(__VA_ARGS__);                                                               \
            printf("\n");                                                                      \
            failures++;                                                                        \
        }                                                                                      \
    } while (0)

enum { LARGEST = 256 };
static float a[LARGEST * LARGEST], b[LARGEST * LARGEST], c[LARGEST * LARGEST];

/** Small integers: every product and sum is exact. */
static float *filled(float *matrix, int n, unsigned seed)
{
    for (int i = 0; i < n * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        matrix[i] = (float)((int)(seed >> 24) % 9 - 4);
    }
    return matrix;
}

/** A * B or A + B of the filled matrices, computed once for each size. */
static const float *reference(int n, int sum)
{
    static float *products[LARGEST + 1], *sums[LARGEST + 1];
    float **known = sum ? &sums[n] : &products[n];
    if (*known)
        return *known;
    *known = calloc((size_t)n * n, sizeof **known);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n && !sum; j++)
                (*known)[i * n + j] += a[i * n + k] * b[k * n + j];
    for (int i = 0; i < n * n && sum; i++)
        (*known)[i] = a[i] + b[i];
    return *known;
}

static float *device_copy(const float *host, size_t bytes)
{
    float *device = NULL;
    CHECK(cudaMalloc(&device, bytes) == cudaSuccess, "%zu bytes", bytes);
    CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess, "%zu bytes",
          bytes);
    return device;
}

/** Runs one kernel, checks the result, and returns its counts. */
static struct simgpu_totals run(const struct matmul *build, const char *name, multiply *f,
                                int n, int sum)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    float *da = device_copy(filled(a, n, 1), bytes), *db = device_copy(filled(b, n, 2), bytes);
    float *dc = NULL;
    CHECK(cudaMalloc(&dc, bytes) == cudaSuccess, "%s", name);
    simgpu_count_reset();
    simgpu_count_start();
    f(da, db, dc, n);
    simgpu_count_stop();
    CHECK(cudaGetLastError() == cudaSuccess, "%s", name);
    CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "%s", name);
    const float *expected = reference(n, sum);
    int wrong = 0;
    for (int i = 0; i < n * n; i++)
        wrong += !(c[i] == expected[i]);
    CHECK(wrong == 0, "%s %s, n=%d: %d elements are wrong", build->name, name, n, wrong);
    CHECK(simgpu_fault_count() == 0, "%s %s, n=%d: %s", build->name, name, n,
          simgpu_first_fault());
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    struct simgpu_totals totals;
    simgpu_get_totals(&totals);
    return totals;
}

static void expect(const struct matmul *build, const char *name, multiply *f, int n,
                   double transactions, double bytes)
{
    struct simgpu_totals t = run(build, name, f, n, f == build->add);
    CHECK((double)t.transactions == transactions && (double)t.bytes == bytes,
          "%s %s, %s, n=%d: %llu transactions and %llu bytes, expected %.0f and %.0f",
          build->name, name, simgpu_model_name(simgpu_get_model()), n,
          (unsigned long long)t.transactions, (unsigned long long)t.bytes, transactions, bytes);
}

/** The closed forms of the documents. */
static void count_c1060(const struct matmul *m, double n)
{
    simgpu_set_model(SIMGPU_C1060);
    double n2 = n * n, n3 = n * n * n;
    int size = (int)n;
    expect(m, "naive", m->naive, size, n3 / 8 + n2 / 16, 6 * n3 + 4 * n2);
    expect(m, "tiled", m->tiled, size, n3 / 128 + n2 / 16, n3 / 2 + 4 * n2);
    expect(m, "gpu8", m->gpu8, size, 17 * n3 / 4096 + n2 / 16, 9 * n3 / 32 + 4 * n2);
    expect(m, "gpu8_padded", m->gpu8_padded, size, 17 * n3 / 4096 + n2 / 16,
           9 * n3 / 32 + 4 * n2);
    expect(m, "add", m->add, size, 3 * n2 / 32, 12 * n2);
    /* A: 16 lanes in 16 rows, 32 bytes each; B: one broadcast; C: 16 rows. */
    expect(m, "uncoalesced", m->uncoalesced, size, n2 / 16 * (17 * n + 16),
           n2 / 16 * (17 * n + 16) * 32);
}

/** Modern: sectors of 32 bytes, for whole warps. */
static void count_modern(const struct matmul *m, double n)
{
    simgpu_set_model(SIMGPU_MODERN);
    double n2 = n * n, n3 = n * n * n;
    int size = (int)n;
    /* Blocks of 16 x 16: a warp is two rows of 16. A: two broadcasts; B: the same 16 columns
     * for both; C: two rows. */
    double sectors = n2 / 32 * (n * 4 + 4);
    expect(m, "naive", m->naive, size, sectors, sectors * 32);
    /* A and B: each element of the tile once. */
    sectors = n3 / 64 + n2 / 8;
    expect(m, "tiled", m->tiled, size, sectors, sectors * 32);
    sectors = 3 * n2 / 8;
    expect(m, "add", m->add, size, sectors, sectors * 32);
    double volume = 9 * n3 / 32 + 4 * n2; /* every byte that GPU8 moves is used */
    expect(m, "gpu8", m->gpu8, size, volume / 32, volume);
}

/** The passes of shared accesses beyond those without bank conflicts. */
static void conflicts(const struct matmul *m, const char *name, multiply *f, double expected)
{
    struct simgpu_totals t = run(m, name, f, 128, 0);
    CHECK((double)(t.shared_passes - t.shared_ideal) == expected, "%s, %s: %llu of %llu passes",
          name, simgpu_model_name(simgpu_get_model()), (unsigned long long)t.shared_passes,
          (unsigned long long)t.shared_ideal);
}

static void count_banks(const struct matmul *m)
{
    const double n = 128;
    simgpu_set_model(SIMGPU_C1060);
    conflicts(m, "gpu8", m->gpu8, 0); /* rows of 65 words */
    conflicts(m, "tiled", m->tiled, 0);
    /* Rows of 68 words: the 16 lanes of a store are 4 banks apart, 4 on each bank: 4 passes for
     * each of the 4 words. 2 stores of 8 half-warps, n/64 times in n*n/2048 blocks. */
    conflicts(m, "gpu8_padded", m->gpu8_padded, 2 * 8 * (n / 64) * (n * n / 2048) * (16 - 4));
    simgpu_set_model(SIMGPU_MODERN);
    conflicts(m, "tiled_32", m->tiled_32, 0);
    /* A quarter warp of float4 stores, 8 lanes 68 words apart: banks 4 apart, all different. */
    conflicts(m, "gpu8_padded", m->gpu8_padded, 0);
}

int main(int argc, char **argv)
{
    int quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    const struct matmul *builds[] = {&matmul_plain, &matmul_traced};
    for (int i = 0; i < 2; i++) {
        const struct matmul *m = builds[i];
        for (int seed = 0; seed < 3; seed++) {
            simgpu_set_shuffle((uint64_t)seed * 12345);
            run(m, "naive", m->naive, 64, 0);
            run(m, "naive", m->naive, 50, 0); /* the guard is needed */
            run(m, "tiled", m->tiled, 64, 0);
            run(m, "tiled_32", m->tiled_32, 64, 0);
            run(m, "gpu8", m->gpu8, 128, 0);
            run(m, "gpu8_padded", m->gpu8_padded, 128, 0);
            run(m, "add", m->add, 64, 1);
        }
        simgpu_set_shuffle(0);
        struct simgpu_totals t = run(m, "tiled", m->tiled, 64, 0);
        CHECK(m->traced == (t.transactions > 0), "%s: %llu transactions", m->name,
              (unsigned long long)t.transactions);
    }
    /* Two sizes. Any order of threads and blocks, and any number of workers, gives the same. */
    if (!quick) {
        count_c1060(&matmul_traced, 256);
        count_modern(&matmul_traced, 256);
    }
    for (int other = 0; other < 2 - quick; other++) {
        simgpu_set_workers(other ? 3 : 1);
        simgpu_set_shuffle(other ? 99 : 0);
        count_c1060(&matmul_traced, 128);
        count_modern(&matmul_traced, 128);
    }
    simgpu_set_shuffle(0);
    count_banks(&matmul_traced);
    printf("threads switched by %s: %s\n", simgpu_switch_name(),
           failures ? "FAILED" : "all counts are right");
    return failures != 0;
}
