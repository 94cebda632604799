/* SPDX-License-Identifier: MIT */
/** @file test_counts.c
 * Checks the transactions and bytes of kernels whose counts are known in closed form, by both
 * models, in float and double, and their results, plain and traced, in any order of threads.
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

typedef void (*multiply)(const void *, const void *, void *, int);

static void *device_copy(const void *host, size_t bytes)
{
    void *device = NULL;
    CHECK(cudaMalloc(&device, bytes) == cudaSuccess, "%zu bytes", bytes);
    CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice) == cudaSuccess, "%zu bytes",
          bytes);
    return device;
}

/** Small integers: every product and sum is exact. */
static void fill(void *matrix, int n, size_t element, unsigned seed)
{
    for (int i = 0; i < n * n; i++) {
        seed = seed * 1664525u + 1013904223u;
        int value = (int)(seed >> 24) % 9 - 4;
        if (element == 4)
            ((float *)matrix)[i] = (float)value;
        else
            ((double *)matrix)[i] = value;
    }
}

static double at(const void *matrix, size_t element, int i)
{
    return element == 4 ? ((const float *)matrix)[i] : ((const double *)matrix)[i];
}

/** A * B or A + B of the matrices that fill() makes, computed once for each size. */
static const double *reference(int n, int sum)
{
    static double *products[1024], *sums[1024];
    double **known = sum ? &sums[n] : &products[n];
    if (*known)
        return *known;
    size_t elements = (size_t)n * n;
    double *a = malloc(elements * sizeof *a), *b = malloc(elements * sizeof *b);
    double *c = calloc(elements, sizeof *c);
    fill(a, n, sizeof *a, 1);
    fill(b, n, sizeof *b, 2);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n && !sum; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
    for (int i = 0; i < n * n && sum; i++)
        c[i] = a[i] + b[i];
    free(a);
    free(b);
    return *known = c;
}

/** Runs one kernel, checks the result, and returns its counts. */
static struct simgpu_totals run(const struct matmul *build, const char *name, multiply f, int n,
                                int sum)
{
    size_t bytes = (size_t)n * n * build->element;
    void *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    fill(a, n, build->element, 1);
    fill(b, n, build->element, 2);
    void *da = device_copy(a, bytes), *db = device_copy(b, bytes), *dc = NULL;
    CHECK(cudaMalloc(&dc, bytes) == cudaSuccess, "%s", name);
    simgpu_count_reset();
    simgpu_count_start();
    f(da, db, dc, n);
    simgpu_count_stop();
    CHECK(cudaGetLastError() == cudaSuccess, "%s", name);
    CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "%s", name);
    const double *expected = reference(n, sum);
    int wrong = 0;
    for (int i = 0; i < n * n; i++)
        wrong += !(at(c, build->element, i) == expected[i]);
    CHECK(wrong == 0, "%s %s, n=%d: %d elements are wrong", build->name, name, n, wrong);
    CHECK(simgpu_fault_count() == 0, "%s %s, n=%d: %s", build->name, name, n,
          simgpu_first_fault());
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    free(a);
    free(b);
    free(c);
    struct simgpu_totals totals;
    simgpu_get_totals(&totals);
    return totals;
}

static void expect(const struct matmul *build, const char *name, multiply f, int n,
                   double transactions, double bytes)
{
    struct simgpu_totals t = run(build, name, f, n, f == build->add);
    CHECK((double)t.transactions == transactions && (double)t.bytes == bytes,
          "%s %s, %s, n=%d: %llu transactions and %llu bytes, expected %.0f and %.0f",
          build->name, name, simgpu_model_name(simgpu_get_model()), n,
          (unsigned long long)t.transactions, (unsigned long long)t.bytes, transactions, bytes);
}

/** The closed forms of the documents (float), and the same for doubles. */
static void count_c1060(const struct matmul *m, double n)
{
    simgpu_set_model(SIMGPU_C1060);
    double n2 = n * n, n3 = n * n * n;
    int size = (int)n;
    if (m->element == 4) {
        expect(m, "naive", m->naive, size, n3 / 8 + n2 / 16, 6 * n3 + 4 * n2);
        expect(m, "tiled", m->tiled, size, n3 / 128 + n2 / 16, n3 / 2 + 4 * n2);
        expect(m, "gpu8", m->gpu8, size, 17 * n3 / 4096 + n2 / 16, 9 * n3 / 32 + 4 * n2);
        expect(m, "gpu8_padded", m->gpu8_padded, size, 17 * n3 / 4096 + n2 / 16,
               9 * n3 / 32 + 4 * n2);
        expect(m, "add", m->add, size, 3 * n2 / 32, 12 * n2);
        /* A: 16 lanes in 16 rows, 32 bytes each; B: one broadcast; C: 16 rows. */
        expect(m, "uncoalesced", m->uncoalesced, size, n2 / 16 * (17 * n + 16),
               n2 / 16 * (17 * n + 16) * 32);
    } else {
        /* 16 doubles are one segment of 128 bytes; a double4 of half a warp is four. */
        expect(m, "naive", m->naive, size, n3 / 8 + n2 / 16, n2 / 16 * (n * 160 + 128));
        expect(m, "tiled", m->tiled, size, n3 / 128 + n2 / 16, n3 + 8 * n2);
        /* A double2 of half a warp: 256 bytes, two segments. */
        expect(m, "add", m->add, size, 3 * n2 / 16, 24 * n2);
    }
}

/** Modern: sectors of 32 bytes, for whole warps. */
static void count_modern(const struct matmul *m, double n)
{
    simgpu_set_model(SIMGPU_MODERN);
    double n2 = n * n, n3 = n * n * n, s = (double)m->element;
    int size = (int)n;
    /* Blocks of 16 x 16: a warp is two rows of 16. A: two broadcasts; B: the same 16 columns
     * for both; C: two rows. */
    double sectors = n2 / 32 * (n * (2 + 16 * s / 32) + 32 * s / 32);
    expect(m, "naive", m->naive, size, sectors, sectors * 32);
    /* A and B: each element of the tile once. */
    sectors = n3 / 16 * 2 * s / 32 + n2 * s / 32;
    expect(m, "tiled", m->tiled, size, sectors, sectors * 32);
    sectors = 3 * n2 * s / 32;
    expect(m, "add", m->add, size, sectors, sectors * 32);
    if (m->element == 4) {
        double volume = 9 * n3 / 32 + 4 * n2; /* every byte that GPU8 moves is used */
        expect(m, "gpu8", m->gpu8, size, volume / 32, volume);
    }
}

/** Bank conflicts: passes and passes without conflicts of all shared accesses. */
static void count_banks(const struct matmul *m)
{
    int n = 128;
    simgpu_set_model(SIMGPU_C1060);
    struct simgpu_totals t = run(m, "gpu8", m->gpu8, n, 0);
    CHECK(t.shared_passes == t.shared_ideal, "gpu8 with rows of 65: %llu of %llu",
          (unsigned long long)t.shared_passes, (unsigned long long)t.shared_ideal);
    t = run(m, "tiled", m->tiled, n, 0);
    CHECK(t.shared_passes == t.shared_ideal, "tiled: %llu of %llu",
          (unsigned long long)t.shared_passes, (unsigned long long)t.shared_ideal);
    t = run(m, "gpu8_padded", m->gpu8_padded, n, 0);
    /* Rows of 68 words: the 16 lanes of a store are 4 banks apart, 4 on each bank: 4 passes for
     * each of the 4 words. 2 stores of 8 half-warps, n/64 times in n*n/2048 blocks. */
    double requests = 2 * 8 * (n / 64.0) * (n * n / 2048.0);
    CHECK((double)(t.shared_passes - t.shared_ideal) == requests * (16 - 4),
          "gpu8_padded: %llu of %llu", (unsigned long long)t.shared_passes,
          (unsigned long long)t.shared_ideal);
    simgpu_set_model(SIMGPU_MODERN);
    t = run(m, "tiled_32", m->tiled_32, n, 0);
    CHECK(t.shared_passes == t.shared_ideal, "tiled_32: %llu of %llu",
          (unsigned long long)t.shared_passes, (unsigned long long)t.shared_ideal);
    /* A quarter warp of float4 stores, 8 lanes 68 words apart: banks 4 apart, all different. */
    t = run(m, "gpu8_padded", m->gpu8_padded, n, 0);
    CHECK(t.shared_passes == t.shared_ideal, "gpu8_padded: %llu of %llu",
          (unsigned long long)t.shared_passes, (unsigned long long)t.shared_ideal);
}

int main(int argc, char **argv)
{
    int quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    const struct matmul *builds[] = {&matmul_f32_plain, &matmul_f32_traced, &matmul_f64_plain,
                                     &matmul_f64_traced};
    for (int i = 0; i < 4; i++) {
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
        count_c1060(&matmul_f32_traced, 256);
        count_modern(&matmul_f32_traced, 256);
    }
    for (int other = 0; other < 2 - quick; other++) {
        simgpu_set_workers(other ? 3 : 1);
        simgpu_set_shuffle(other ? 99 : 0);
        count_c1060(&matmul_f32_traced, 128);
        count_c1060(&matmul_f64_traced, 128);
        count_modern(&matmul_f32_traced, 128);
        count_modern(&matmul_f64_traced, 128);
    }
    simgpu_set_shuffle(0);
    count_banks(&matmul_f32_traced);
    printf("threads switched by %s: %s\n", simgpu_switch_name(),
           failures ? "FAILED" : "all counts are right");
    return failures != 0;
}
