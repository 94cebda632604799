/* SPDX-License-Identifier: MIT */
/** @file double-cases.c
 * The modes of step 23, which multiply bytes exactly, and in every mode what is guessed where
 * nothing was measured. One case per run: double-cases NAME.
 */
#include <math.h>

#include "library.h"
#include "product.h"

static const struct double_mode {
    int mode;
    const char *method;
} double_modes[] = {{LADDER_GEMM_DOUBLE_EXACT, "exact"},
                    {LADDER_GEMM_DOUBLE_MORE, "more"},
                    {LADDER_GEMM_DOUBLE_FEWER, "fewer"},
                    {LADDER_GEMM_DOUBLE_SAFE, "safe"}};
static const struct double_mode of_floats = {LADDER_GEMM_REPRODUCIBLE, "reproducible"};
enum { WAYS = sizeof double_modes / sizeof *double_modes };

/* A handle in this mode, with its method forced. */
static ladder_gemm_t handle_of(const struct double_mode *mode, int levels)
{
    ladder_gemm_t gemm = handle(NULL);
    EXPECT((mode == &of_floats ? ladder_gemm_set_math_mode
                               : ladder_gemm_set_double_mode)(gemm, mode->mode) == 0,
           "%s", ladder_gemm_message(gemm));
    force(gemm, mode->method, levels);
    return gemm;
}

/* alpha op(A) op(B) + beta C with A and B in every form; the same bits with any levels; and
   each mode within its bound, which `fewer` meets and `more` is far below. */
static void in_double(void)
{
    enum { M = 37, N = 22, K = 45 };
    for (int w = 0; w <= WAYS; w++) {
        const struct double_mode *mode = w < WAYS ? &double_modes[w] : &of_floats;
        void *first = NULL;
        for (int i = 0; i < 12; i++) {
            int levels = i / 4;
            struct call_data x = {.wide = w < WAYS, .m = M, .n = N, .k = K};
            x.ta = (cublasOperation_t)(i % 4 / 2), x.tb = (cublasOperation_t)(i % 2);
            x.alpha = i % 4 == 0 ? 1 : -1.5, x.beta = i % 4 == 3 ? 0.5 : 0;
            x.a = filled(&x, x.ta, M, K, 5, 0, false, 1, as_it_is);
            x.b = filled(&x, x.tb, K, N, 5, 0, true, 2, as_it_is);
            x.c = filled(&x, CUBLAS_OP_N, M, N, 5, 0, true, 3, as_it_is);
            size_t bytes = x.c.elements * size_of(&x);
            void *got = malloc(bytes);
            ladder_gemm_t gemm = handle_of(mode, levels);
            EXPECT(multiply(gemm, &x) == 0, "%s", ladder_gemm_message(gemm));
            struct ladder_plan ran = ladder_gemm_last(gemm).ran;
            EXPECT(judge(&x, ran) <= 1 && strcmp(ran.variant, mode->method) == 0 &&
                       ran.levels == levels,
                   "%s, %d: wrong, or by %s", mode->method, i, ran.variant);
            must(cudaMemcpy(got, x.c.device, bytes, cudaMemcpyDeviceToHost));
            EXPECT(i % 4 != 0 || !first || memcmp(first, got, bytes) == 0, "%s: other bits, %d",
                   mode->method, levels);
            if (first)
                free(got);
            else
                first = got;
            destroy_matrices(&x);
            ladder_gemm_destroy(gemm);
        }
        free(first);
    }
}

/* Four blocks of C, on as many devices as there are and with other levels, have the bits of the
   whole: a row's scale comes from all of k and from no other row, and so does a column's. */
static void blocks(void)
{
    enum { M = 60, N = 44, K = 50 };
    static double a[M * K], b[K * N], whole[M * N], got[M * N];
    const double one = 1, zero = 0;
    int devices = 0;
    must(cudaGetDeviceCount(&devices));
    for (int i = 0; i < M * K; i++)
        a[i] = ldexp(random_uniform(random_bits((uint64_t)(i + 1) * RANDOM_STEP)), i % M);
    for (int i = 0; i < K * N; i++)
        b[i] = random_uniform(random_bits((uint64_t)(i + 1 + M * K) * RANDOM_STEP));
    for (int part = -1; part < 4; part++) { /* -1: all of C */
        int rows = part < 0 ? M : M / 2, columns = part < 0 ? N : N / 2;
        int row = part % 2 > 0 ? M / 2 : 0, column = part / 2 > 0 ? N / 2 : 0;
        must(cudaSetDevice(part < 0 ? 0 : part % devices));
        double *da = copied_to_device(a, M * K * sizeof *a),
               *db = copied_to_device(b, K * N * sizeof *b),
               *dc = copied_to_device(got, M * N * sizeof *got);
        ladder_gemm_t gemm = handle_of(&double_modes[0], part < 0 ? 0 : part % 3);
        EXPECT(ladder_dgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, K, &one, da + row, M,
                            db + column * K, K, &zero, dc + row + column * M, M) == 0,
               "%s", ladder_gemm_message(gemm));
        must(cudaDeviceSynchronize());
        must(cudaMemcpy(got, dc, sizeof got, cudaMemcpyDeviceToHost));
        if (part < 0)
            memcpy(whole, got, sizeof whole), memset(got, 0xff, sizeof got);
        ladder_gemm_destroy(gemm);
        cudaFree(da), cudaFree(db), cudaFree(dc);
    }
    must(cudaSetDevice(0));
    EXPECT(memcmp(got, whole, sizeof got) == 0, "other bits in blocks, on %d devices", devices);
}

/* The elements of C, row by row. */
static float *elements_of(const struct call_data *x)
{
    size_t bytes = x->c.elements * sizeof(float);
    float *all = malloc(bytes), *c = malloc((size_t)x->m * (size_t)x->n * sizeof *c);
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(all, x->c.device, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++)
            c[i * x->n + j] = all[place_in_c(x, i, j)];
    free(all);
    return c;
}

/* REPRODUCIBLE: the same bits with all levels, both products of bytes, in every form, in
   pieces, on every device and in a batch; within the bound; never by cuBLAS, however small. */
static void reproducible(void)
{
    static const int sizes[][3] = {{61, 45, 77}, {500, 300, 40}, {1, 1, 1}, {5, 1, 100}};
    int devices = 0;
    must(cudaGetDeviceCount(&devices));
    for (int s = 0; s < 4; s++) {
        float *first = NULL;
        size_t bytes = 0;
        for (int i = 0; i < (s ? 5 : 14); i++) {
            struct call_data x = {.m = sizes[s][0], .n = sizes[s][1], .k = sizes[s][2]};
            must(cudaSetDevice(i % devices));
            ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_REPRODUCIBLE);
            x.ta = (cublasOperation_t)(i / 2 % 2), x.tb = (cublasOperation_t)(i % 2);
            x.rows = i / 3 % 2, x.alpha = 1, x.beta = 0;
            x.a = filled(&x, x.ta, x.m, x.k, i % 3, i % 3, false, 1, as_it_is);
            x.b = filled(&x, x.tb, x.k, x.n, i / 2 % 3, i / 2 % 3, true, 2, as_it_is);
            x.c = filled(&x, CUBLAS_OP_N, x.m, x.n, i / 4, i / 4, true, 3, as_it_is);
            if (i > 0 && i < 7)
                force(gemm, "reproducible", i % 3);
            if (i % 5 > 2)
                gemm->gpu.capability = 80; /* as on a GPU without wgmma */
            if (i > 7)
                ladder_gemm_smallest_leaf(gemm, SMALLEST_LEAF);
            if (s == 1 && i == 4)
                ladder_gemm_limit_workspace(gemm, bytes * 3 / 4);
            EXPECT(multiply(gemm, &x) == 0, "%s", ladder_gemm_message(gemm));
            struct ladder_done done = ladder_gemm_last(gemm);
            EXPECT(strcmp(done.ran.variant, "reproducible") == 0 && !done.measured &&
                       (ladder_gemm_pieces(gemm) > 1) == (s == 1 && i == 4),
                   "%s, %d pieces", done.ran.variant, ladder_gemm_pieces(gemm));
            EXPECT(judge(&x, done.ran) <= 1, "outside the bound: %d, %d", s, i);
            float *c = elements_of(&x);
            size_t size = (size_t)x.m * (size_t)x.n * sizeof *c;
            EXPECT(!first || memcmp(c, first, size) == 0, "other bits: %d, %d", s, i);
            bytes = i ? bytes : done.workspace_bytes;
            if (first)
                free(c);
            else
                first = c;
            destroy_matrices(&x);
            ladder_gemm_destroy(gemm);
        }
        free(first);
    }
    must(cudaSetDevice(0));
}

/* ---- Guesses ---- */

/* The plan that a product of this shape would run. */
static struct ladder_plan outlook_of(ladder_gemm_t gemm, int is_double, int m, int n, int k)
{
    struct ladder_shape shape = {is_double, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, m, k, m, 0};
    struct ladder_plan plan;
    EXPECT(ladder_gemm_outlook(gemm, &shape, &plan, NULL) == 0, "%s",
           ladder_gemm_message(gemm));
    return plan;
}

static struct ladder_plan outlook(ladder_gemm_t gemm, int m, int n, int k)
{
    return outlook_of(gemm, 1, m, n, k);
}

/* Makes guesses as on this GPU: with the plans that are shipped for its name, and its rates. */
static void as_on(ladder_gemm_t gemm, const char *name, double flops_per_ms,
                  double bytes_per_ms)
{
    snprintf(gemm->gpu_name, sizeof gemm->gpu_name, "%s, cuBLAS 130100, ladder_gemm 1.1", name);
    gemm->shipped.count = 0;
    read_shipped_plans(gemm);
    gemm->flops_per_ms = flops_per_ms, gemm->bytes_per_ms = bytes_per_ms;
}

static void as_on_h100(ladder_gemm_t gemm)
{
    as_on(gemm, "NVIDIA H100 80GB HBM3", 5.35e10, 2.85e9);
}

/* On a GPU without measured plans the guess is cuBLAS, in every mode: this one multiplies
   halves hardly faster than floats. A plan that was found on it is followed all the same. */
static void unmeasured(void)
{
    ladder_gemm_t gemm = handle(NULL);
    as_on(gemm, "NVIDIA GeForce RTX 4090", 6.6e10, 0.86e9);
    for (int is_double = 0; is_double < 2; is_double++)
        for (int mode = 0; mode < (is_double ? DOUBLE_MODES : MATH_MODES); mode++) {
            EXPECT((is_double ? ladder_gemm_set_double_mode(gemm, mode)
                              : ladder_gemm_set_math_mode(gemm, mode)) == 0,
                   "%s", ladder_gemm_message(gemm));
            for (int n = 1024; n <= 32768; n *= 2) {
                struct ladder_plan plan = outlook_of(gemm, is_double, n, n, n);
                bool always = !is_double && mode == LADDER_GEMM_REPRODUCIBLE;
                EXPECT(strcmp(plan.variant, always ? "reproducible" : "cublas") == 0,
                       "%d, mode %d, double %d: %s", n, mode, is_double, plan.variant);
            }
        }
    keep_entry(&gemm->found, (struct plan_entry){{4096, 4096, 4096, 1, "nnp"},
                                                 plan_of("one-pass", 1, 0),
                                                 MOST_LEVELS,
                                                 false});
    ladder_gemm_set_math_mode(gemm, LADDER_GEMM_FLOAT);
    EXPECT(strcmp(outlook_of(gemm, 0, 4000, 4000, 4000).variant, "one-pass") == 0, "near");
    EXPECT(strcmp(outlook_of(gemm, 0, 8192, 8192, 8192).variant, "cublas") == 0, "not near");
    ladder_gemm_destroy(gemm);
}

/* Shapes where a plan was slower on an H100 are left to cuBLAS: double at 4096 without a mode,
   a short k, and batches of products that cuBLAS computes at the same time. */
static void slower_than_cublas(void)
{
    static const struct {
        int mode, n, k, count;
        const char *expected;
    } batches[] = {{LADDER_GEMM_TENSOR, 1024, 1024, 16, "cublas"},
                   {LADDER_GEMM_TENSOR_FAST, 1024, 1024, 16, "cublas"},
                   {LADDER_GEMM_TENSOR, 1024, 1024, 1, "cublas"},
                   {LADDER_GEMM_TENSOR, 1536, 1536, 1, "fp16"},
                   {LADDER_GEMM_TENSOR, 2048, 2048, 4, "fp16"},
                   {LADDER_GEMM_TENSOR_FAST, 4096, 4096, 4, "int8"},
                   {LADDER_GEMM_TENSOR_FAST, 4096, 128, 1, "cublas"},
                   {LADDER_GEMM_FLOAT, 1024, 1024, 16, "cublas"},
                   {LADDER_GEMM_FLOAT, 4096, 4096, 4, "beside"}};
    static const int wide[][3] = {
        {4096, 4096, 4096}, {4096, 11008, 4096}, {11008, 4096, 4096}, {4096, 32000, 4096}};
    const float one = 1, zero = 0;
    ladder_gemm_t gemm = handle(NULL);
    as_on_h100(gemm);
    ladder_gemm_smallest_leaf(gemm, SMALLEST_LEAF);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        int n = batches[i].n, k = batches[i].k;
        struct gemm_call x = {.of = &ladder_f32,
                              .m = n,
                              .n = n,
                              .k = k,
                              .lda = n,
                              .ldb = k,
                              .ldc = n,
                              .alpha = &one,
                              .beta = &zero,
                              .math = batches[i].mode,
                              .count = batches[i].count};
        struct ladder_plan plan = public_plan(guess_plan(gemm, &x));
        EXPECT(strcmp(plan.variant, batches[i].expected) == 0,
               "%d products, n = %d, k = %d: %s", batches[i].count, n, k, plan.variant);
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        struct ladder_plan plan = outlook(gemm, wide[i][0], wide[i][1], wide[i][2]);
        EXPECT(strcmp(plan.variant, "cublas") == 0, "double, %d: %s", wide[i][1], plan.variant);
    }
    ladder_gemm_destroy(gemm);
}

/* An H100: the plan of a large square, and not for few rows of X, where splitting W
   takes longer than cublasSgemm's product. */
static void float_guesses(void)
{
    static const char *const methods[] = {"fp16", "int8"};
    for (int w = 0; w < 2; w++) {
        ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR + w);
        as_on_h100(gemm);
        struct ladder_plan square = outlook_of(gemm, 0, 8192, 8192, 8192),
                           few_rows = outlook_of(gemm, 0, 8192, 128, 8192);
        EXPECT(strcmp(square.variant, methods[w]) == 0, "%s", square.variant);
        EXPECT(strcmp(few_rows.variant, "cublas") == 0, "%s", few_rows.variant);
        ladder_gemm_destroy(gemm);
    }
}

/* A mode is used only if it is asked for and should be faster, and has separate plans. */
static void double_plans(void)
{
    ladder_gemm_t gemm = handle(NULL);
    EXPECT(ladder_gemm_set_double_mode(gemm, -1) == 2 &&
               ladder_gemm_set_double_mode(gemm, 5) == 2,
           "no mode");
    struct ladder_plan plan = outlook(gemm, 8192, 8192, 8192);
    EXPECT(strcmp(plan.variant, "exact") != 0, "not asked for");
    /* An H100's: an edge of 16384 takes cublasDgemm 164 ms. */
    as_on_h100(gemm);
    for (int w = 0; w < WAYS; w++) {
        EXPECT(ladder_gemm_set_double_mode(gemm, double_modes[w].mode) == 0, "%s",
               ladder_gemm_message(gemm));
        static const int small[] = {512, 2048, 3584}, large[] = {8192, 16384, 32768};
        for (int i = 0; i < 3; i++) {
            plan = outlook(gemm, small[i], small[i], small[i]);
            EXPECT(strcmp(plan.variant, "cublas") == 0, "%d: %s", small[i], plan.variant);
            plan = outlook(gemm, large[i], large[i], large[i]);
            EXPECT(strcmp(plan.variant, double_modes[w].method) == 0, "%d: %s", large[i],
                   plan.variant);
        }
        plan = outlook(gemm, 16384, 16384, 512);
        EXPECT(strcmp(plan.variant, "cublas") == 0, "a short k: %s", plan.variant);
        EXPECT(gemm->math == 0 && outlook(gemm, 70000, 8192, 8192).levels == 0, "too long");
    }
    gemm->added = 0;
    EXPECT(ladder_gemm_set_double_mode(gemm, LADDER_GEMM_DOUBLE) == 0 &&
               ladder_gemm_set_double_mode(gemm, 1) == LADDER_GEMM_UNSUPPORTED &&
               strncmp(ladder_gemm_message(gemm), "double products run in cublasDgemm", 34) ==
                   0,
           "'%s'", ladder_gemm_message(gemm));
    ladder_gemm_destroy(gemm);
}

#ifndef LADDER_SIM /* the simulated GPU has one host thread */
/* X X^T in every mode of double, with levels that differ between threads: the same bits as when
 * one thread alone multiplied. */
enum { EDGE = 160 };
static double *on_gpu, alone[3][EDGE * EDGE]; /* X; the results of one thread */

static void square_in_double(int w, int levels, double *result)
{
    static const double one = 1, zero = 0;
    double *c = NULL;
    ladder_gemm_t gemm = handle_of(&double_modes[w], levels);
    must(cudaMalloc((void **)&c, sizeof alone[w]));
    for (int time = 0; time < 10; time++)
        EXPECT(ladder_dgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_T, EDGE, EDGE, EDGE, &one, on_gpu,
                            EDGE, on_gpu, EDGE, &zero, c, EDGE) == 0,
               "%s", ladder_gemm_message(gemm));
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(result, c, sizeof alone[w], cudaMemcpyDeviceToHost));
    cudaFree(c);
    ladder_gemm_destroy(gemm);
}

static void *thread_in_double(void *which)
{
    double *got = malloc(sizeof alone[0]);
    for (int i = 0; i < 9; i++) {
        square_in_double(i % 3, (int)((size_t)which + (size_t)i / 3) % 3, got);
        EXPECT(memcmp(got, alone[i % 3], sizeof alone[0]) == 0, "%s: other bits",
               double_modes[i % 3].method);
    }
    free(got);
    return NULL;
}

static void threads(void)
{
    static double x[EDGE * EDGE];
    for (int i = 0; i < EDGE * EDGE; i++)
        x[i] = random_uniform(random_bits((uint64_t)(i + 1) * RANDOM_STEP));
    on_gpu = copied_to_device(x, EDGE * EDGE * sizeof *x);
    for (int w = 0; w < 3; w++)
        square_in_double(w, 0, alone[w]);
    run_in_threads(6, thread_in_double);
    cudaFree(on_gpu);
}
#endif

static const struct named_case cases[] = {
    {"double", in_double},
    {"blocks", blocks},
    {"reproducible", reproducible},
    {"float-guesses", float_guesses},
    {"double-plans", double_plans},
    {"unmeasured", unmeasured},
    {"slower-than-cublas", slower_than_cublas},
#ifndef LADDER_SIM
    {"threads", threads},
#endif
};

int main(int argc, char **argv)
{
    return run_mode_cases(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
