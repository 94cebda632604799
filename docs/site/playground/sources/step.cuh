/* SPDX-License-Identifier: MIT */
/** @file step.cuh
 * main() around a chapter's kernels in the playground: multiplies two n x n matrices of small
 * integers by one variant of the step's table, once, and compares every element with the triple
 * loop. The chapter's own program measures and checks far more. Options: --n N, --variant NAME
 * (or an action's name), --levels L, --fused 0 or 1. In a shell:
 * `./ladder sim -I. -DLADDER_F32 FILE.cu -- --n 64`, where FILE.cu includes the step's source
 * and then this file.
 */
#ifndef DOCS_SITE_PLAYGROUND_SOURCES_STEP_CUH
#define DOCS_SITE_PLAYGROUND_SOURCES_STEP_CUH

#include "common/device/gpu.h"
#include "common/sizes.h"
#include "common/step.c"
#include "common/model.c"

/* What a bound of errors names; nothing here looks at it. */
struct scheme {
};
extern "C" const struct scheme strassen_scheme = {}, winograd_scheme = {};

extern "C" void gpu_failed(const char *what, const char *file, int line, int code,
                           const char *message)
{
    fprintf(stderr, "%s:%d: %s: error %d: %s\n", file, line, what, code, message);
    exit(1);
}

/** Device memory for `elements` numbers, copied from `from`, or filled with NaN. */
static real *playground_array(const real *from, size_t elements)
{
    real *there;
    CUDA_CHECK(cudaMalloc((void **)&there, (elements + !elements) * sizeof(real)));
    if (from)
        CUDA_CHECK(cudaMemcpy(there, from, elements * sizeof(real), cudaMemcpyHostToDevice));
    return there;
}

/** The default values of the step's settings. */
static void playground_settings(long *settings)
{
    for (int i = 0; STEP.settings && STEP.settings[i].name; i++)
        settings[i] = STEP.settings[i].standard;
}

#ifdef PLAYGROUND_ACTIONS
/** Runs what a step has besides its variants, such as step 07's `bandwidth`; -1: no such. */
static int playground_action(const char *name, long n)
{
    static struct options o;
    o.step = &STEP;
    o.m = o.n = o.k = n;
    playground_settings(o.settings);
    for (const struct action *a = STEP.actions; a && a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a->run(&o);
    return -1;
}
#endif

/** Compares C with the triple loop. The simulator watches the kernels, not these sums. */
__attribute__((no_sanitize_thread)) static int playground_judge(const real *a, const real *b,
                                                                const real *c, long n)
{
    long wrong = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0; /* of integers below 2^24: no product and no sum is rounded */
            for (long l = 0; l < n; l++)
                sum += (double)a[i * n + l] * (double)b[l * n + j];
            if (!(c[i * n + j] == (real)sum) && wrong++ == 0)
                printf("C[%ld][%ld] is %g, and should be %g\n", i, j, (double)c[i * n + j],
                       sum);
        }
    if (wrong)
        printf("%ld of %ld elements are wrong\n", wrong, n * n);
    else
        printf("all %ld elements of C are right\n", n * n);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    long n = 64;
    int levels = 1, fused = 1;
    const char *chosen = "";
    const struct variant *v = STEP.variants;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--n") == 0)
            n = atol(argv[i + 1]);
        else if (strcmp(argv[i], "--levels") == 0)
            levels = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--fused") == 0)
            fused = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--variant") == 0)
            v = find_variant(STEP.variants, chosen = argv[i + 1]);
    }
#ifdef PLAYGROUND_ACTIONS
    int done = v ? -1 : playground_action(chosen, n);
    if (done >= 0)
        return done;
#endif
    if (!v || n < 1) {
        printf("--n takes a size from 1; --variant one of:");
        for (v = STEP.variants; v->name; v++)
            printf(" %s", v->name);
        printf("\n");
        return 2;
    }
    levels = STEP.leaves ? levels : 0;
    long tile = larger(larger(v->shapes.pad_m, v->shapes.pad_n), larger(v->shapes.pad_k, 1));
    if (n % (tile << levels)) {
        printf("%s takes an n here that %ld divides; the chapter's program pads others\n",
               v->name, tile << levels);
        return 2;
    }
    size_t elements = (size_t)(n * n);
    real *a = (real *)malloc(elements * sizeof(real)),
         *b = (real *)malloc(elements * sizeof(real));
    real *c = (real *)malloc(elements * sizeof(real));
    for (size_t i = 0; i < elements; i++)
        a[i] = (real)(rand() % 15 - 7), b[i] = (real)(rand() % 15 - 7);
    struct block A = {playground_array(a, elements), n, n, n};
    struct block B = {playground_array(b, elements), n, n, n};
    struct block C = {playground_array(NULL, elements), n, n, n};
    struct product p = {A, B, C, 0};
    struct context ctx = {0};
    ctx.threads = 1;
    ctx.leaf = STEP.leaves;
    ctx.fused = fused;
    playground_settings(ctx.settings);
    if (v->levels)
        levels = v->levels(&ctx, p, levels);
    real *workspace =
        v->workspace ? playground_array(NULL, v->workspace(&ctx, p, levels)) : NULL;
    printf("%s, variant %s: %ld x %ld x %ld\n", STEP.name, v->name, n, n, n);
    variant_multiply(v, &ctx, p, levels, workspace);
    CUDA_CHECK(cudaMemcpy(c, C.at, elements * sizeof(real), cudaMemcpyDeviceToHost));
    int status = playground_judge(a, b, c, n);
    real *memory[] = {A.at, B.at, C.at, workspace};
    for (real *block : memory)
        if (block)
            CUDA_CHECK(cudaFree(block));
    free(a), free(b), free(c);
    return status;
}

#endif
