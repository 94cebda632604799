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
    SUCCEEDS(gemm, (mode == &of_floats ? ladder_gemm_set_math_mode
                                       : ladder_gemm_set_double_mode)(gemm, mode->mode));
    force(gemm, mode->method, levels);
    return gemm;
}

/* alpha op(A) op(B) + beta C with A and B in every form; the same bits with any levels; and
   each mode within its bound, which `fewer` meets and `more` is far below. Two levels take most
   of the time: only in the first form, if not in all. */
static void in_double_of(bool all)
{
    enum { M = 37, N = 22, K = 45 };
    for (int w = 0; w <= WAYS; w++) {
        const struct double_mode *mode = w < WAYS ? &double_modes[w] : &of_floats;
        void *first = NULL;
        for (int i = 0; i < (all ? 12 : 9); i++) {
            int levels = i / 4;
            struct call_data x =
                call_of(M, N, K, i % 4, i % 4 == 0 ? 1 : -1.5, i % 4 == 3 ? 0.5 : 0);
            x.wide = w < WAYS, x.extra = 5;
            x = with_matrices(x, 1, as_it_is, as_it_is, as_it_is);
            ladder_gemm_t gemm = handle_of(mode, levels);
            SUCCEEDS(gemm, multiply(gemm, &x));
            struct ladder_plan ran = ladder_gemm_last(gemm).ran;
            EXPECT(judge(&x, ran) <= 1 && strcmp(ran.variant, mode->method) == 0 &&
                       ran.levels == levels,
                   "%s, %d: wrong, or by %s", mode->method, i, ran.variant);
            void *got = fetched(&x, &x.c);
            EXPECT(i % 4 != 0 || !first || memcmp(first, got, x.c.elements * size_of(&x)) == 0,
                   "%s: other bits, %d", mode->method, levels);
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

static void in_double(void) { in_double_of(false); }
static void all_in_double(void) { in_double_of(true); }

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
        SUCCEEDS(gemm,
                 ladder_dgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, K, &one, da + row,
                              M, db + column * K, K, &zero, dc + row + column * M, M));
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
    float *all = fetched(x, &x->c), *c = malloc((size_t)x->m * (size_t)x->n * sizeof *c);
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
            struct call_data x = call_of(sizes[s][0], sizes[s][1], sizes[s][2], i % 4, 1, 0);
            must(cudaSetDevice(i % devices));
            ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_REPRODUCIBLE);
            x.rows = i / 3 % 2, x.extra = i % 5, x.shift = i / 2 % 4;
            x = with_matrices(x, 1, as_it_is, as_it_is, as_it_is);
            if (i > 0 && i < 7)
                force(gemm, "reproducible", i % 3);
            if (i % 5 > 2)
                gemm->gpu.capability = 80; /* as on a GPU without wgmma */
            if (i > 7)
                ladder_gemm_smallest_leaf(gemm, SMALLEST_LEAF);
            if (s == 1 && i == 4)
                ladder_gemm_limit_workspace(gemm, bytes * 3 / 4);
            SUCCEEDS(gemm, multiply(gemm, &x));
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

/* The plan that is guessed for a product, or a batch, in this mode. */
static struct ladder_plan guess(ladder_gemm_t gemm, bool wide, int mode, int m, int n, int k,
                                int count)
{
    static const double one = 1, zero = 0; /* its bytes are a float's zero, too */
    static const float one_f = 1;
    struct gemm_call x = one_product(wide ? &ladder_f64 : &ladder_f32, m, n, k,
                                     wide ? (const void *)&one : (const void *)&one_f, NULL, m,
                                     NULL, k, &zero, NULL, m);
    x.math = mode, x.count = count;
    return public_plan(guess_plan(gemm, &x));
}

/* A handle that guesses as on this GPU: with the plans that are shipped for its name, and its
   rates. */
static ladder_gemm_t handle_as_on(const char *name, double flops_per_ms, double bytes_per_ms)
{
    ladder_gemm_t gemm = handle(NULL);
    snprintf(gemm->gpu_name, sizeof gemm->gpu_name, "%s, cuBLAS 130100", name);
    gemm->shipped.count = 0;
    read_shipped_plans(gemm);
    gemm->flops_per_ms = flops_per_ms, gemm->bytes_per_ms = bytes_per_ms;
    ladder_gemm_smallest_leaf(gemm, SMALLEST_LEAF);
    return gemm;
}

/* On a GPU without measured plans the guess is cuBLAS, in every mode: this one multiplies
   halves hardly faster than floats. A plan that was found on it is followed all the same. */
static void unmeasured(void)
{
    ladder_gemm_t gemm = handle_as_on("NVIDIA GeForce RTX 4090", 6.6e10, 0.86e9);
    for (int wide = 0; wide < 2; wide++)
        for (int mode = 0; mode < (wide ? DOUBLE_MODES : MATH_MODES); mode++)
            for (int n = 1024; n <= 32768; n *= 2) {
                struct ladder_plan plan = guess(gemm, wide, mode, n, n, n, 1);
                bool always = !wide && mode == LADDER_GEMM_REPRODUCIBLE;
                EXPECT(strcmp(plan.variant, always ? "reproducible" : "cublas") == 0,
                       "%d, mode %d, double %d: %s", n, mode, wide, plan.variant);
            }
    keep_entry(&gemm->found, (struct plan_entry){{4096, 4096, 4096, 1, "nnp"},
                                                 plan_of("one-pass", 1, 0),
                                                 MOST_LEVELS,
                                                 false});
    EXPECT(strcmp(guess(gemm, false, 0, 4000, 4000, 4000, 1).variant, "one-pass") == 0, "near");
    EXPECT(strcmp(guess(gemm, false, 0, 8192, 8192, 8192, 1).variant, "cublas") == 0,
           "not near");
    ladder_gemm_destroy(gemm);
}

/* On an H100: a mode's method for large products, and cuBLAS where that was slower: double at
   4096 without a mode, a short k, few rows of X, where splitting W takes longer than cuBLAS's
   product, and batches of products that cuBLAS computes at the same time. */
static void guesses(void)
{
    enum { F = LADDER_GEMM_FLOAT, T = LADDER_GEMM_TENSOR, FAST = LADDER_GEMM_TENSOR_FAST };
    static const struct {
        bool wide;
        int mode, m, n, k, count;
        const char *expected;
    } rows[] = {{false, T, 1024, 1024, 1024, 16, "cublas"},
                {false, FAST, 1024, 1024, 1024, 16, "cublas"},
                {false, T, 1024, 1024, 1024, 1, "cublas"},
                {false, T, 1536, 1536, 1536, 1, "fp16"},
                {false, T, 2048, 2048, 2048, 4, "fp16"},
                {false, FAST, 4096, 4096, 4096, 4, "int8"},
                {false, FAST, 4096, 4096, 128, 1, "cublas"},
                {false, F, 1024, 1024, 1024, 16, "cublas"},
                {false, F, 4096, 4096, 4096, 4, "beside"},
                {false, T, 8192, 8192, 8192, 1, "fp16"},
                {false, T, 8192, 128, 8192, 1, "cublas"},
                {false, FAST, 8192, 8192, 8192, 1, "int8"},
                {false, FAST, 8192, 128, 8192, 1, "cublas"},
                {true, 0, 4096, 4096, 4096, 1, "cublas"},
                {true, 0, 4096, 11008, 4096, 1, "cublas"},
                {true, 0, 11008, 4096, 4096, 1, "cublas"},
                {true, 0, 4096, 32000, 4096, 1, "cublas"}};
    static const int edges[] = {512, 2048, 3584, 8192, 16384, 32768};
    ladder_gemm_t gemm = handle_as_on("NVIDIA H100 80GB HBM3", 5.35e10, 2.85e9);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ladder_plan plan = guess(gemm, rows[i].wide, rows[i].mode, rows[i].m, rows[i].n,
                                        rows[i].k, rows[i].count);
        EXPECT(strcmp(plan.variant, rows[i].expected) == 0, "row %zu: %s", i, plan.variant);
    }
    for (int w = 0; w < WAYS; w++) {
        const struct double_mode *way = &double_modes[w];
        for (int i = 0; i < 6; i++) {
            int n = edges[i];
            struct ladder_plan plan = guess(gemm, true, way->mode, n, n, n, 1);
            EXPECT(strcmp(plan.variant, i < 3 ? "cublas" : way->method) == 0, "%d: %s", n,
                   plan.variant);
        }
        EXPECT(strcmp(guess(gemm, true, way->mode, 16384, 16384, 512, 1).variant, "cublas") ==
                   0,
               "a short k");
        EXPECT(guess(gemm, true, way->mode, 70000, 8192, 8192, 1).levels == 0, "too long");
    }
    ladder_gemm_destroy(gemm);
}

/* A mode of double is used only if it is asked for, and on a GPU without its methods the call
   says what runs. */
static void asked_in_double(void)
{
    const struct ladder_shape shape = {1,    CUBLAS_OP_N, CUBLAS_OP_N, 8192, 8192,
                                       8192, 8192,        8192,        8192, 0};
    struct ladder_plan plan;
    ladder_gemm_t gemm = handle(NULL);
    EXPECT(ladder_gemm_set_double_mode(gemm, -1) == 2 &&
               ladder_gemm_set_double_mode(gemm, 5) == 2,
           "no mode");
    EXPECT(ladder_gemm_outlook(gemm, &shape, &plan, NULL) == 0 &&
               strcmp(plan.variant, "exact") != 0,
           "not asked for");
    for (int w = 0; w < WAYS; w++)
        EXPECT(ladder_gemm_set_double_mode(gemm, double_modes[w].mode) == 0 && gemm->math == 0,
               "%s", ladder_gemm_message(gemm));
    gemm->added = 0;
    EXPECT(ladder_gemm_set_double_mode(gemm, LADDER_GEMM_DOUBLE) == 0 &&
               ladder_gemm_set_double_mode(gemm, 1) == LADDER_GEMM_UNSUPPORTED &&
               strncmp(ladder_gemm_message(gemm), "double products run in cublasDgemm", 34) ==
                   0,
           "'%s'", ladder_gemm_message(gemm));
    ladder_gemm_destroy(gemm);
}

static const struct named_case cases[] = {
    {"double", in_double},
    {"all-double", all_in_double},
    {"blocks", blocks},
    {"reproducible", reproducible},
    {"guesses", guesses},
    {"unmeasured", unmeasured},
    {"asked-in-double", asked_in_double},
};

int main(int argc, char **argv)
{
    return run_mode_cases(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
