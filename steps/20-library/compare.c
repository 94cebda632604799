/* SPDX-License-Identifier: MIT */
/** @file compare.c
 * The library's modes and cuBLAS's functions on one product, in turn: 20-compare [--json] [N
 * ...]. Prints both versions, medians of times, and mean errors of sampled elements. It
 * includes cuBLAS's emulated products if it was compiled against cuBLAS 13.1 or newer. If this
 * GPU has no such emulation, cuBLAS returns the bits of the plain product, and the last column
 * says so.
 */
#include <ctype.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/timer.h"
#include "common/matrix/random.h"
#include "methods.h"

enum { REPEATS = 9, SAMPLED = 16, MOST_WAYS = 8 };

/* A macro, for the text and the line of the call. */
#define MUST(call) must((int)(call), #call, __LINE__)

static void must(int status, const char *call, int line)
{
    if (status) {
        fprintf(stderr, "compare.c:%d: %s: status %d\n", line, call, status);
        exit(3);
    }
}

/* A way to multiply: with cuBLAS in a math mode, or with the library in one of its modes. */
struct way {
    char name[32];
    int by_library, mode, winograd; /* Winograd's sums: ladder_gemm_set_accurate(gemm, 0) */
};

#if CUBLAS_VERSION >= 130100
enum {
    FP32_EMULATED = CUBLAS_FP32_EMULATED_BF16X9_MATH,
    FP64_EMULATED = CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH
};
#else
enum { FP32_EMULATED = -1, FP64_EMULATED = -1 };
#endif

/* All ways in float, or in double; the library's modes follow from its methods. Returns how
   many there are. */
static int all_ways(int wide, struct way ways[MOST_WAYS])
{
    static const struct way plain[2][4] = {{{"cublasSgemm", 0, 0, 0},
                                            {"cublasSgemm, BF16x9", 0, FP32_EMULATED, 0},
                                            {"FLOAT", 1, LADDER_GEMM_FLOAT, 0},
                                            {"FLOAT, Winograd", 1, LADDER_GEMM_FLOAT, 1}},
                                           {{"cublasDgemm", 0, 0, 0},
                                            {"cublasDgemm, fixed point", 0, FP64_EMULATED, 0},
                                            {"DOUBLE", 1, LADDER_GEMM_DOUBLE, 0},
                                            {"DOUBLE, Winograd", 1, LADDER_GEMM_DOUBLE, 1}}};
    int count = 4;
    memcpy(ways, plain[wide], sizeof plain[wide]);
    for (int i = 0; ladder_added[i] && count < MOST_WAYS; i++) {
        const struct method *m = ladder_added[i];
        if (!m->mode || m->wide != wide)
            continue;
        struct way *way = &ways[count++];
        *way = (struct way){.by_library = 1, .mode = m->math};
        snprintf(way->name, sizeof way->name, "%s%s", wide ? "DOUBLE_" : "", m->mode);
        for (char *at = way->name; *at; at++)
            *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
    }
    return count;
}

struct matrices {
    int wide, n;
    void *host[2], *a, *b, *c; /* A and B on the host; all on the device */
};

/* C = A B. Returns 0, or a nonzero status if this library or GPU lacks the mode. */
static int multiply(cublasHandle_t blas, ladder_gemm_t gemm, const struct way *w,
                    const struct matrices *x)
{
    static const float one = 1, zero = 0;
    static const double one_d = 1, zero_d = 0;
    const cublasOperation_t no = CUBLAS_OP_N;
    int n = x->n;
    if (w->by_library) {
        int none = x->wide ? ladder_gemm_set_double_mode(gemm, w->mode)
                           : ladder_gemm_set_math_mode(gemm, w->mode);
        if (none)
            return none;
        ladder_gemm_set_accurate(gemm, !w->winograd);
        return x->wide ? ladder_dgemm(gemm, no, no, n, n, n, &one_d, x->a, n, x->b, n, &zero_d,
                                      x->c, n)
                       : ladder_sgemm(gemm, no, no, n, n, n, &one, x->a, n, x->b, n, &zero,
                                      x->c, n);
    }
    if (w->mode < 0)
        return 1;
#if CUBLAS_VERSION >= 130100
    MUST(cublasSetEmulationStrategy(blas, CUBLAS_EMULATION_STRATEGY_EAGER));
#endif
    int status = (int)cublasSetMathMode(blas, (cublasMath_t)w->mode);
    if (status)
        return status;
    return (int)(x->wide ? cublasDgemm(blas, no, no, n, n, n, &one_d, x->a, n, x->b, n, &zero_d,
                                       x->c, n)
                         : cublasSgemm(blas, no, no, n, n, n, &one, x->a, n, x->b, n, &zero,
                                       x->c, n));
}

static long double element(const struct matrices *x, int which, size_t i)
{
    return x->wide ? ((const double *)x->host[which])[i] : ((const float *)x->host[which])[i];
}

/* Returns the mean error of C at sampled elements, against sums in long double, and stores
   these elements in `bits`. */
static double mean_error(const struct matrices *x, double *bits)
{
    double sum = 0;
    size_t n = (size_t)x->n, size = x->wide ? sizeof(double) : sizeof(float);
    for (size_t s = 0; s < SAMPLED * SAMPLED; s++) {
        size_t i = s % SAMPLED * n / SAMPLED, j = s / SAMPLED * n / SAMPLED;
        union {
            float f;
            double d;
        } got;
        MUST(cudaMemcpy(&got, (char *)x->c + (i + j * n) * size, size, cudaMemcpyDeviceToHost));
        long double exact = 0;
        for (size_t l = 0; l < n; l++)
            exact += element(x, 0, i + l * n) * element(x, 1, l + j * n);
        bits[s] = x->wide ? got.d : (double)got.f;
        sum += (double)fabsl(bits[s] - exact);
    }
    return sum / (SAMPLED * SAMPLED);
}

static struct matrices make(int wide, int n)
{
    struct matrices x = {.wide = wide, .n = n};
    size_t count = (size_t)n * (size_t)n,
           bytes = count * (wide ? sizeof(double) : sizeof(float));
    void **device[] = {&x.a, &x.b, &x.c};
    for (int which = 0; which < 3; which++)
        MUST(cudaMalloc(device[which], bytes));
    for (int which = 0; which < 2; which++) {
        x.host[which] = malloc(bytes);
        MUST(!x.host[which]);
        for (size_t i = 0; i < count; i++) {
            double u = random_uniform(random_bits(((uint64_t)which << 40 | i) * RANDOM_STEP));
            if (wide)
                ((double *)x.host[which])[i] = u;
            else
                ((float *)x.host[which])[i] = (float)u;
        }
        MUST(cudaMemcpy(*device[which], x.host[which], bytes, cudaMemcpyHostToDevice));
    }
    return x;
}

struct versions {
    char device[256], cublas[32], library[16];
};

static void compare(cublasHandle_t blas, ladder_gemm_t gemm, const struct versions *v, int wide,
                    int n, int json)
{
    struct matrices x = make(wide, n);
    struct way ways[MOST_WAYS];
    int count = all_ways(wide, ways);
    static double ms[MOST_WAYS][REPEATS];
    static double bits[MOST_WAYS][SAMPLED * SAMPLED];
    double error[MOST_WAYS], cublas_ms = 0;
    struct ladder_plan plan[MOST_WAYS] = {{"", 0, 0}};
    int missing[MOST_WAYS];
    cudaEvent_t begin, end;
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    for (int w = 0; w < count; w++) { /* gets workspace, and loads kernels */
        missing[w] = multiply(blas, gemm, &ways[w], &x);
        if (missing[w])
            continue;
        MUST(cudaDeviceSynchronize());
        error[w] = mean_error(&x, bits[w]);
        if (ways[w].by_library)
            plan[w] = ladder_gemm_last(gemm).ran;
    }
    for (int time = 0; time < REPEATS; time++)
        for (int i = 0; i < count; i++) {
            int w = (i + time) % count; /* each way follows the pause and each other way */
            if (!missing[w]) {
                /* the same product before each timed one: the clock follows the load before */
                MUST(multiply(blas, gemm, &ways[0], &x));
                MUST(cudaEventRecord(begin, NULL));
                MUST(multiply(blas, gemm, &ways[w], &x));
                MUST(cudaEventRecord(end, NULL));
                MUST(cudaEventSynchronize(end));
                float elapsed;
                MUST(cudaEventElapsedTime(&elapsed, begin, end));
                ms[w][time] = (double)elapsed;
            }
        }
    for (int w = 0; w < count; w++) {
        const char *name = ways[w].name;
        if (missing[w]) {
            fprintf(stderr, "%-24s  not in this library or on this GPU\n", name);
            continue;
        }
        struct timing t = timing_of(ms[w], REPEATS);
        cublas_ms = w == 0 ? t.median : cublas_ms;
        double faster = cublas_ms / t.median, larger = error[w] / error[0];
        int same = w > 0 && memcmp(bits[w], bits[0], sizeof bits[0]) == 0;
        if (json)
            printf(
                "{\"step\":\"20-library\",\"backend\":\"cuda\",\"device\":\"%s\","
                "\"cublas\":\"%s\",\"ladder_gemm\":\"%s\",\"precision\":\"%s\",\"way\":\"%s\","
                "\"plan\":\"%s\",\"levels\":%d,\"n\":%d,\"ms\":%.5g,\"ms_min\":%.5g,"
                "\"ms_max\":%.5g,\"ratio\":%.4g,\"mean_error\":%.4g,\"error_ratio\":%.4g,"
                "\"same_bits\":%s}\n",
                v->device, v->cublas, v->library, wide ? "f64" : "f32", name, plan[w].variant,
                plan[w].levels, n, t.median, t.min, t.max, faster, error[w], larger,
                same ? "true" : "false");
        else
            printf("%-24s %6d %9.3f ms %6.2f times as fast, error %8.2g, %6.2f times  %s%s\n",
                   name, n, t.median, faster, error[w], larger, plan[w].variant,
                   same ? " (the plain product's bits)" : "");
    }
    cudaEventDestroy(begin), cudaEventDestroy(end);
    cudaFree(x.a), cudaFree(x.b), cudaFree(x.c);
    free(x.host[0]), free(x.host[1]);
}

int main(int argc, char **argv)
{
    static const int edges[] = {2048, 4096, 8192};
    int json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0, version;
    int given = argc - 1 - json, count = given ? given : (int)(sizeof edges / sizeof *edges);
    struct versions v;
    struct cudaDeviceProp device;
    cublasHandle_t blas;
    ladder_gemm_t gemm;
    MUST(cudaGetDeviceProperties(&device, 0));
    MUST(cublasCreate(&blas));
    MUST(cublasGetVersion(blas, &version));
    MUST(ladder_gemm_create(&gemm, NULL));
    snprintf(v.device, sizeof v.device, "%s", device.name);
    snprintf(v.cublas, sizeof v.cublas, "%d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    snprintf(v.library, sizeof v.library, "%d.%d", ladder_gemm_version() / 100,
             ladder_gemm_version() % 100);
    if (!json)
        printf("%s, cuBLAS %s, ladder_gemm %s\n", v.device, v.cublas, v.library);
    for (int i = 0; i < count; i++) {
        int n = given ? atoi(argv[1 + i]) : edges[i];
        if (n < 1) {
            fprintf(stderr, "usage: 20-compare [N ...] [--json]\n");
            return 2;
        }
        for (int wide = 0; wide < 2; wide++)
            compare(blas, gemm, &v, wide, n, json);
    }
    ladder_gemm_destroy(gemm);
    cublasDestroy(blas);
    return 0;
}
