/* SPDX-License-Identifier: MIT */
/** @file math-cases.c
 * The math modes of ladder_gemm.h: never used unless asked for, right within the bound that the
 * header states, for numbers of any size, and each with separate plans. One case per run:
 * math-cases NAME.
 */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "library.h"
#include "product.h"

static const struct mode {
    int mode, most_levels;
    const char *method;
} modes[] = {{LADDER_GEMM_TENSOR, 2, "fp16"}, {LADDER_GEMM_TENSOR_FAST, 1, "int8"}};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- A product: column-major, leading dimensions `extra` larger than they must be ---- */

static struct call_data product_of(int m, int n, int k, int ops, double alpha, double beta,
                                   int extra, element *left, element *right)
{
    struct call_data x = call_of(m, n, k, ops, alpha, beta);
    x.extra = extra;
    return with_matrices(x, 1, left, right, as_it_is);
}

/* The same of ordinary numbers, C = A B. */
static struct call_data plain_product(int m, int n, int k)
{
    return product_of(m, n, k, 0, 1, 0, 0, as_it_is, as_it_is);
}

static float *first_of(const struct guarded_matrix *y) { return (float *)y->device + y->first; }

static void restore(const struct call_data *p)
{
    void *bytes = bytes_of(p, &p->c);
    bring(p->c.device, bytes, p->c.elements * sizeof(float));
    free(bytes);
}

/* Whether C is right, by the bound of what the last call ran. */
static bool is_right(ladder_gemm_t gemm, const struct call_data *x)
{
    return judge(x, ladder_gemm_last(gemm).ran) <= 1;
}

/* ---- The cases ---- */

/* Multiplies by this method, and judges the product by the bound that the header states. */
static void expect_right(ladder_gemm_t gemm, const char *method, int levels, struct call_data p,
                         int number)
{
    force(gemm, method, levels);
    SUCCEEDS(gemm, multiply(gemm, &p));
    bool right = is_right(gemm, &p);
    EXPECT(right && ran_by(gemm, method), "%s with %d levels, product %d: right %d, %s ran",
           method, levels, number, right, ladder_gemm_last(gemm).ran.variant);
    destroy_matrices(&p);
}

/* Full-mantissa numbers, so that a split product without one of its three parts is wrong: with
   every operation and all factors, and with levels each of them once. */
static void within_bound(void)
{
    static const float factors[][2] = {{1, 0}, {-1, 0}, {2.5f, 0}, {1, 1}, {-0.75f, 2.5f}};
    for (int w = 0; w < MODES; w++) {
        ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode);
        for (int i = 0; i < 20 + 7 * modes[w].most_levels; i++) {
            int odd = i % 3 == 2;
            expect_right(gemm, modes[w].method, i < 20 ? 0 : (i - 13) / 7,
                         product_of(odd ? 77 : 64, odd ? 50 : 96, odd ? 101 : 128, i % 4,
                                    factors[i % 5][0], factors[i % 5][1], i % 3, as_it_is,
                                    as_it_is),
                         i);
        }
        ladder_gemm_destroy(gemm);
    }
}

/* Of row or column `line` element l, made of u, a random number. Some look at one of these
 * alone. */
#define ELEMENT                                                                                \
    int line __attribute__((unused)), int l __attribute__((unused)),                           \
        double u __attribute__((unused))
static double huge(ELEMENT) { return ldexp(u, 100); }
static double below_normal(ELEMENT) { return ldexp(u, -130); }
static double lines_apart(ELEMENT) { return ldexp(u, 5 * (line % 7) - 15); }
static double one_near_overflow(ELEMENT) { return line == 6 ? ldexp(u, 127) : u; }
static double infinity(ELEMENT) { return line == 5 && l == 9 ? INFINITY : u; }
static double not_a_number(ELEMENT) { return line % 9 == 2 && l == 1 ? NAN : u; }
static double all_not_numbers(ELEMENT) { return NAN; }
static double near_2_75(ELEMENT) { return ldexp(1 + u / 4, -75); }
static double near_2_73(ELEMENT) { return ldexp(u < 0 ? -1 - u / 4 : 1 - u / 4, -73); }
static double lines_of_all_sizes(ELEMENT) { return ldexp(u, 9 * (line % 13) - 54); }
static double positive(ELEMENT) { return fabs(u); }
static double negative_and_large(ELEMENT) { return -ldexp(1 + u / 4, 90); }

/* Numbers that a half cannot hold, and the header's bounds for products below the normal
   numbers, of which levels round several, and for lines whose partners move by padding. Also
   rows of one sign, which are centred. */
static void range(void)
{
    static const struct {
        int m, n, k;
        element *left, *right;
    } products[] = {{40, 36, 48, huge, below_normal},
                    {40, 36, 48, below_normal, huge},
                    {40, 36, 48, huge, huge},
                    {40, 36, 48, below_normal, below_normal},
                    {40, 36, 48, lines_apart, lines_apart},
                    {40, 36, 48, one_near_overflow, as_it_is},
                    {40, 36, 48, as_it_is, one_near_overflow},
                    {40, 36, 48, infinity, as_it_is},
                    {40, 36, 48, as_it_is, infinity},
                    {40, 36, 48, not_a_number, infinity},
                    {40, 36, 48, all_not_numbers, as_it_is},
                    {40, 36, 48, as_it_is, all_not_numbers},
                    {16, 16, 16, near_2_75, near_2_73},
                    {64, 48, 16, near_2_75, near_2_73},
                    {107, 103, 123, lines_of_all_sizes, lines_of_all_sizes},
                    {41, 39, 52, positive, lines_of_all_sizes},
                    {41, 39, 52, lines_of_all_sizes, positive},
                    {24, 33, 80, negative_and_large, below_normal},
                    {24, 33, 80, below_normal, negative_and_large}};
    for (int w = 0; w < MODES; w++) {
        ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode);
        for (int levels = 0; levels <= modes[w].most_levels; levels++)
            for (int i = 0; i < (int)(sizeof products / sizeof *products); i++)
                expect_right(gemm, modes[w].method, levels,
                             product_of(products[i].m, products[i].n, products[i].k, i % 4, 1,
                                        0, 0, products[i].left, products[i].right),
                             i);
        ladder_gemm_destroy(gemm);
    }
}

static int is_tensor(const char *variant)
{
    return strcmp(variant, "fp16") == 0 || strcmp(variant, "int8") == 0;
}

/* Without the mode no candidate is on tensor cores; with it, all but cuBLAS are of this mode.
 */
static void asked(void)
{
    struct ladder_plan all[64];
    ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_FLOAT);
    int count = ladder_gemm_candidates(gemm, 256, 256, 256, all, 64);
    for (int i = 0; i < count; i++)
        EXPECT(!is_tensor(all[i].variant), "%s was not asked for", all[i].variant);
    for (int w = 0; w < MODES; w++) {
        ladder_gemm_set_math_mode(gemm, modes[w].mode);
        ladder_gemm_most_levels(gemm, 6);
        count = ladder_gemm_candidates(gemm, 256, 256, 2048, all, 64);
        int levels = modes[w].mode == LADDER_GEMM_TENSOR ? 0 : modes[w].most_levels;
        EXPECT(count == levels + 2, "%d candidates with short sums", count);
        count = ladder_gemm_candidates(gemm, 512, 512, 8192, all, 64);
        EXPECT(count == modes[w].most_levels + 2, "%d candidates", count);
        for (int i = 1; i < count; i++)
            EXPECT(strcmp(all[i].variant, modes[w].method) == 0, "%s", all[i].variant);
        ladder_gemm_most_levels(gemm, 0);
        EXPECT(ladder_gemm_candidates(gemm, 256, 256, 256, all, 64) == 2, "without levels");
        /* The longest edge whose factors, padded to whole tiles, fit in a grid of 65535 x 32
         * lines. */
        EXPECT(ladder_gemm_candidates(gemm, 2096640, 256, 256, all, 64) == 2,
               "the longest edge");
        EXPECT(ladder_gemm_candidates(gemm, 256, 2096656, 256, all, 64) == 1, "a longer edge");
    }
    EXPECT(ladder_gemm_set_math_mode(gemm, MATH_MODES) == 2 &&
               ladder_gemm_set_math_mode(gemm, -1) == 2,
           "no mode");
    ladder_gemm_most_levels(gemm, 6);

    /* double has no such modes */
    double one = 1, zero = 0, *x = NULL;
    must(cudaMalloc((void **)&x, 3 * 64 * 64 * sizeof *x));
    set_bytes(x, 0, 3 * 64 * 64 * sizeof *x);
    EXPECT(ladder_dgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, x, 64, x + 4096, 64,
                        &zero, x + 8192, 64) == 0 &&
               !is_tensor(ladder_gemm_last(gemm).plan.variant),
           "double: %s", ladder_gemm_last(gemm).plan.variant);
    cudaFree(x);

    /* On a GPU without the methods a call works as without the mode, and says so. */
    gemm->added = 0;
    EXPECT(ladder_gemm_set_math_mode(gemm, LADDER_GEMM_FLOAT) == 0, "float is always there");
    for (int w = 0; w < MODES; w++)
        EXPECT(ladder_gemm_set_math_mode(gemm, modes[w].mode) == LADDER_GEMM_UNSUPPORTED &&
                   strncmp(ladder_gemm_message(gemm), "no tensor cores", 15) == 0,
               "'%s'", ladder_gemm_message(gemm));
    count = ladder_gemm_candidates(gemm, 256, 256, 256, all, 64);
    EXPECT(count > 3, "%d candidates", count);
    for (int i = 0; i < count; i++)
        EXPECT(!is_tensor(all[i].variant), "%s is not there", all[i].variant);
    struct ladder_plan plan = {"fp16", 0, 0};
    EXPECT(ladder_gemm_force(gemm, &plan) == 2, "a plan that is not there");
    ladder_gemm_destroy(gemm);
}

/* Each mode finds separate plans, keeps them separately in the file, and reads no other's.
 */
static void plans(void)
{
    char file[64], line[256];
    snprintf(file, sizeof file, "math-plans-%d.txt", (int)getpid());
    struct call_data p = plain_product(64, 64, 64);
    for (int time = 0; time < 2; time++) {
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        for (int mode = 0; mode < 3; mode++) {
            ladder_gemm_set_math_mode(gemm, mode);
            SUCCEEDS(gemm, multiply(gemm, &p));
            EXPECT(ladder_gemm_last(gemm).measured == !time, "mode %d, time %d", mode, time);
            EXPECT(mode || !is_tensor(ladder_gemm_last(gemm).ran.variant), "not asked for");
        }
        ladder_gemm_destroy(gemm);
    }
    const char *text = text_of(file);
    EXPECT(lines_in(text) == 4 && strstr(text, "\n64 64 64 nnp ") &&
               strstr(text, "\n64 64 64 nnpt ") && strstr(text, "\n64 64 64 nnpf "),
           "%s", text);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n") + 1, text);

    /* A line may ask for tensor cores in its own mode only. */
    static const struct {
        const char *line;
        int right;
    } lines[] = {{"64 64 64 nnp fp16 0 0", 0},    {"64 64 64 nnpt fp16 1 0", 1},
                 {"64 64 64 nnpt int8 0 0", 0},   {"64 64 64 nnpf int8 1 0", 1},
                 {"64 64 64 nnpf fp16 0 0", 0},   {"64 64 64 nnpt plain 1 0", 0},
                 {"64 64 64 nnpt cublas 0 0", 1}, {"64 64 64 nnpd fp16 0 0", 0},
                 {"64 64 64 nnpz cublas 0 0", 0}, {"64 64 64 nnpx exact 1 0", 1},
                 {"64 64 64 nnpm exact 1 0", 0},  {"64 64 64 nnpw cublas 0 0", 1},
                 {"64 64 64 nnpd exact 0 0", 0},  {"64 64 64 nnpf int8 2 0", 0},
                 {"64 64 64 nnpr exact 0 0", 0},  {"64 64 64 nnpr reproducible 2 0", 1}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FILE *out = fopen(file, "w");
        fprintf(out, "%s%s\n", line, lines[i].line);
        fclose(out);
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        EXPECT((strstr(ladder_gemm_message(gemm), "not a plan") == NULL) == lines[i].right,
               "%s: '%s'", lines[i].line, ladder_gemm_message(gemm));
        ladder_gemm_destroy(gemm);
    }
    remove_plans(file);
    destroy_matrices(&p);
}

/* With too little workspace the library takes fewer levels, then cuBLAS, and never a method
 * with a larger error. */
static void memory(void)
{
    ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR);
    struct call_data p = plain_product(128, 128, 128);
    force(gemm, "fp16", 2);
    EXPECT(multiply(gemm, &p) == 0 && !ladder_gemm_last(gemm).fell_back, "%s",
           ladder_gemm_message(gemm));
    EXPECT(ladder_gemm_pieces(gemm) == 1, "%d pieces", ladder_gemm_pieces(gemm));
    size_t bytes = ladder_gemm_last(gemm).workspace_bytes;
    int last = 2;
    for (; bytes > 0; bytes /= 2) {
        ladder_gemm_limit_workspace(gemm, bytes - 1);
        SUCCEEDS(gemm, multiply(gemm, &p));
        struct ladder_done done = ladder_gemm_last(gemm);
        EXPECT(done.fell_back && done.workspace_bytes < bytes && is_right(gemm, &p),
               "%zu bytes", bytes);
        EXPECT(strcmp(done.ran.variant, done.workspace_bytes ? "fp16" : "cublas") == 0, "%s",
               done.ran.variant);
        EXPECT(done.ran.levels <= last, "%d levels after %d", done.ran.levels, last);
        last = done.ran.levels;
    }
    EXPECT(ran_by(gemm, "cublas"), "cuBLAS at last");
    destroy_matrices(&p);
    ladder_gemm_destroy(gemm);
}

/* With room for a part of C only, the library computes blocks of C, with the factors in every
   form. It calls cuBLAS only if even the smallest block has no room. */
static void pieces(void)
{
    for (int w = 0; w < MODES; w++)
        for (int ops = 0; ops < 4; ops++) {
            ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode);
            struct call_data p = product_of(500, 390, 40, ops, 1.5f, ops < 2 ? 0 : -0.5f,
                                            ops % 2, as_it_is, as_it_is);
            struct ladder_shape shape = {0,   p.ta,   p.tb,   p.m,    p.n,
                                         p.k, p.a.ld, p.b.ld, p.c.ld, 1};
            struct ladder_plan plan;
            size_t whole = 0;
            force(gemm, modes[w].method, 0);
            EXPECT(ladder_gemm_outlook(gemm, &shape, &plan, &whole) == 0 && whole > 0 &&
                       strcmp(plan.variant, modes[w].method) == 0,
                   "%s in %zu bytes", plan.variant, whole);
            ladder_gemm_limit_workspace(gemm, whole * 2 / 5);
            SUCCEEDS(gemm, multiply(gemm, &p));
            struct ladder_done done = ladder_gemm_last(gemm);
            EXPECT(strcmp(done.ran.variant, modes[w].method) == 0 && done.fell_back &&
                       done.workspace_bytes <= whole * 2 / 5 && ladder_gemm_pieces(gemm) == 4,
                   "%s, %zu bytes, %d pieces", done.ran.variant, done.workspace_bytes,
                   ladder_gemm_pieces(gemm));
            EXPECT(is_right(gemm, &p), "pieces, %d", ops);
            ladder_gemm_limit_workspace(gemm, 4096);
            restore(&p);
            EXPECT(multiply(gemm, &p) == 0 && ladder_gemm_pieces(gemm) == 1 &&
                       ran_by(gemm, "cublas"),
                   "%s", ladder_gemm_last(gemm).ran.variant);
            EXPECT(ladder_gemm_outlook(gemm, NULL, NULL, NULL) == 2 &&
                       ladder_gemm_outlook(NULL, &shape, NULL, NULL) == 1,
                   "no shape, no handle");
            destroy_matrices(&p);
            ladder_gemm_destroy(gemm);
        }
}

#ifdef LADDER_SIM /* on a GPU other tests need the memory */
/* While there is no room C is computed in pieces, or by cuBLAS where nothing could be measured;
 * when there is room again, as a whole and by a plan that was measured. */
static void shortage(void)
{
    for (int measured = 0; measured < 2; measured++) {
        ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR);
        struct call_data p = plain_product(500, 390, 40);
        size_t all, room, whole = 0;
        void *filler;
        force(gemm, "fp16", 0);
        ladder_gemm_outlook(
            gemm,
            &(struct ladder_shape){0, p.ta, p.tb, p.m, p.n, p.k, p.a.ld, p.b.ld, p.c.ld, 0},
            NULL, &whole);
        if (measured)
            ladder_gemm_force(gemm, NULL);
        must(cudaMemGetInfo(&room, &all));
        must(cudaMalloc(&filler, room - whole * 2 / 5));
        for (int i = 0; i < 2; i++) {
            EXPECT(multiply(gemm, &p) == 0 && ladder_gemm_last(gemm).fell_back,
                   "%d pieces while there is no room", ladder_gemm_pieces(gemm));
            EXPECT(measured || ladder_gemm_pieces(gemm) == 4, "%d pieces",
                   ladder_gemm_pieces(gemm));
        }
        must(cudaFree(filler));
        EXPECT(multiply(gemm, &p) == 0 && !ladder_gemm_last(gemm).fell_back &&
                   ladder_gemm_pieces(gemm) == 1 && ladder_gemm_last(gemm).measured == measured,
               "%d pieces with room: %s", ladder_gemm_pieces(gemm), ladder_gemm_message(gemm));
        destroy_matrices(&p);
        ladder_gemm_destroy(gemm);
    }
}
#endif

/* Returns C's block, and restores C. */
static float *taken(const struct call_data *p)
{
    float *block = fetched(p, &p->c);
    restore(p);
    return block;
}

static int run_prepared(ladder_gemm_t gemm, ladder_prepared_t left, const struct call_data *p)
{
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    return ladder_sgemm_prepared(gemm, left, p->tb, p->n, &alpha, first_of(&p->b), p->b.ld,
                                 &beta, first_of(&p->c), p->c.ld);
}

/* A prepared factor gives the same bits as a product without one: in every form, with numbers
   that a half cannot hold, from another handle, and after its own has ended. */
static void prepared(void)
{
    static element *const lefts[] = {as_it_is, infinity, one_near_overflow, positive};
    cudaStream_t stream = new_stream();
    for (int w = 0; w < MODES; w++)
        for (int i = 0; i < 8; i++) {
            int levels = i % (modes[w].most_levels + 1), odd = i % 3 == 1;
            ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode),
                          other = handle_in_mode(NULL, LADDER_GEMM_FLOAT);
            struct call_data p = product_of(odd ? 77 : 96, odd ? 50 : 64, odd ? 101 : 128,
                                            i % 4, i % 2 ? 1 : -0.5f, i % 3 ? 0 : 2, i / 4,
                                            lefts[i % 4], i == 5 ? not_a_number : as_it_is);
            ladder_prepared_t left = NULL;
            force(gemm, modes[w].method, levels);
            SUCCEEDS(gemm, multiply(gemm, &p));
            float *expected = taken(&p);
            SUCCEEDS(gemm, ladder_gemm_prepare(gemm, &left, p.ta, p.m, p.k, first_of(&p.a),
                                               p.a.ld, i % 2 ? p.n : 3 * p.n));
            ladder_gemm_set_stream(other, stream);
            for (int by = 0; by < 3; by++) {
                if (by == 2)
                    ladder_gemm_destroy(gemm);
                SUCCEEDS(by ? other : gemm, run_prepared(by ? other : gemm, left, &p));
                struct ladder_done done = ladder_gemm_last(by ? other : gemm);
                float *got = taken(&p);
                EXPECT(memcmp(got, expected, sizeof(float) * p.c.elements) == 0 &&
                           strcmp(done.ran.variant, modes[w].method) == 0 &&
                           done.ran.levels == levels && !done.fell_back,
                       "%s with %d levels, %d: other bits by %s, %d", modes[w].method, levels,
                       i, done.ran.variant, done.ran.levels);
                free(got);
            }
            ladder_gemm_limit_workspace(other, 0); /* a float's product */
            EXPECT(run_prepared(other, left, &p) == 0 && ran_by(other, "cublas"),
                   "without workspace: %s", ladder_gemm_last(other).ran.variant);
            free(expected);
            ladder_gemm_end_prepared(left);
            ladder_gemm_destroy(other);
            destroy_matrices(&p);
        }
    cudaStreamDestroy(stream);
}

static void wrong_use(void)
{
    ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR);
    struct call_data p = plain_product(64, 48, 32);
    ladder_prepared_t left = NULL;
    cublasOperation_t none = (cublasOperation_t)7;
    const float one = 1, *A = first_of(&p.a), *B = first_of(&p.b);
    float *C = first_of(&p.c);
#define PREPARE ladder_gemm_prepare
    EXPECT(PREPARE(NULL, &left, p.ta, 64, 32, A, 64, 48) == 1, "handle");
    EXPECT(PREPARE(gemm, NULL, p.ta, 64, 32, A, 64, 48) == 2, "prepared");
    EXPECT(PREPARE(gemm, &left, none, 64, 32, A, 64, 48) == 3, "transa");
    EXPECT(PREPARE(gemm, &left, p.ta, 0, 32, A, 64, 48) == 4, "m");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, -1, A, 64, 48) == 5, "k");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, NULL, 64, 48) == 6, "A");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, A, 63, 48) == 7, "lda");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, A, 64, 0) == 8, "n");
    EXPECT(strcmp(ladder_gemm_message(gemm), "ladder_gemm_prepare: argument 8 is wrong") == 0,
           "'%s'", ladder_gemm_message(gemm));
    ladder_gemm_set_math_mode(gemm, LADDER_GEMM_FLOAT);
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, A, 64, 48) == LADDER_GEMM_UNSUPPORTED && !left,
           "without a mode: '%s'", ladder_gemm_message(gemm));
    ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
    EXPECT(PREPARE(gemm, &left, p.ta, 4, INT_MAX, A, 4, 1) == LADDER_GEMM_UNSUPPORTED &&
               PREPARE(gemm, &left, p.ta, INT_MAX, 4, A, INT_MAX, 1) == LADDER_GEMM_UNSUPPORTED,
           "too long: '%s'", ladder_gemm_message(gemm));
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, A, 64, 48) == 0 && left, "%s",
           ladder_gemm_message(gemm));
#define MULTIPLY ladder_sgemm_prepared
    EXPECT(MULTIPLY(NULL, left, p.tb, 48, &one, B, 32, &one, C, 64) == 1, "handle");
    EXPECT(MULTIPLY(gemm, NULL, p.tb, 48, &one, B, 32, &one, C, 64) == 2, "prepared");
    EXPECT(MULTIPLY(gemm, left, none, 48, &one, B, 32, &one, C, 64) == 3, "transb");
    EXPECT(MULTIPLY(gemm, left, p.tb, -1, &one, B, 32, &one, C, 64) == 4, "n");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, NULL, B, 32, &one, C, 64) == 5, "alpha");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, NULL, 32, &one, C, 64) == 6, "B");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, B, 31, &one, C, 64) == 7, "ldb");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, B, 32, NULL, C, 64) == 8, "beta");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, B, 32, &one, NULL, 64) == 9, "C");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, B, 32, &one, C, 63) == 10, "ldc");
    EXPECT(MULTIPLY(gemm, left, p.tb, 0, &one, NULL, 32, &one, NULL, 64) == 0, "no columns");
#define BATCH(m, lda, ldb, ldc, count)                                                         \
    ladder_sgemm_strided_batched(gemm, p.ta, p.tb, m, 48, 32, &one, A, lda, 0, B, ldb, 0,      \
                                 &one, C, ldc, 0, count)
    EXPECT(BATCH(-1, 64, 32, 64, 1) == 4 && BATCH(64, 63, 32, 64, 1) == 9 &&
               BATCH(64, 64, 31, 64, 1) == 12 && BATCH(64, 64, 32, 63, 1) == 16 &&
               BATCH(64, 64, 32, 64, -1) == 18 && BATCH(64, 64, 32, 64, 0) == 0,
           "batches: '%s'", ladder_gemm_message(gemm));
    ladder_gemm_end_prepared(left);
    ladder_gemm_end_prepared(NULL);
    ladder_gemm_destroy(gemm);
    destroy_matrices(&p);
}

/* Whether a batch's C is that of its products one by one: with the same `bits`, or within a
   float's rounding. cuBLAS may have another kernel for a batch. */
static int batch_is(const float *got, const float *expected, size_t count, int bits)
{
    int right = !bits || memcmp(got, expected, count * sizeof *got) == 0;
    for (size_t i = 0; i < count; i++)
        right = right && fabsf(got[i] - expected[i]) <= 40 * 0x1p-23f;
    return right;
}

/* A batch is its products, one by one: by every method, with strides that suit them or do not,
   and one A for all. */
static void batches(void)
{
    enum { COUNT = 3, M = 40, N = 24, K = 32 };
    static const char *const methods[] = {"cublas", "fp16", "one-pass"};
    for (int i = 0; i < 9; i++) {
        int mode = i % 3 == 1 ? LADDER_GEMM_TENSOR : LADDER_GEMM_FLOAT;
        ladder_gemm_t gemm = handle_in_mode(NULL, mode);
        struct call_data all = product_of(M, COUNT * N + 8, COUNT * K, 0, 1.5, i % 2 ? 0 : 1, 0,
                                          as_it_is, as_it_is);
        long long stride_a = i / 3 == 1 ? 0 : M * K, stride_c = M * N + (i / 3 == 2);
        float alpha = 1.5f, beta = i % 2 ? 0 : 1, *C = first_of(&all.c);
        const float *A = first_of(&all.a), *B = first_of(&all.b);
        force(gemm, methods[i % 3], i % 3 == 2);
        for (int t = 0; t < COUNT; t++)
            SUCCEEDS(gemm, ladder_sgemm(gemm, all.ta, all.tb, M, N, K, &alpha, A + t * stride_a,
                                        M, B + t * N * K, K, &beta, C + t * stride_c, M));
        float *expected = taken(&all);
        for (int scaled = 0; scaled < 2; scaled++) {
            SUCCEEDS(gemm, ladder_sgemm_strided_batched(gemm, all.ta, all.tb, M, N, K, &alpha,
                                                        A, M, stride_a, B, K, N * K, &beta, C,
                                                        M, stride_c, COUNT));
            float *got = taken(&all);
            EXPECT(scaled || (batch_is(got + all.c.first, expected + all.c.first,
                                       all.c.ld * all.n, i % 3 > 0) &&
                              ran_by(gemm, methods[i % 3])),
                   "batch %d by %s", i, ladder_gemm_last(gemm).ran.variant);
            EXPECT(!scaled || got[all.c.first + 2 * stride_c] ==
                                  beta * all.c.host[all.c.first + 2 * stride_c],
                   "last C");
            free(got);
            alpha = 0; /* beta C alone */
        }
        free(expected);
        destroy_matrices(&all);
        ladder_gemm_destroy(gemm);
    }
}

/* A batch is measured as a batch, keeps a separate plan, and finds it in the file again. */
static void batch_plans(void)
{
    char file[64];
    const float one = 1, zero = 0;
    int n = 32;
    snprintf(file, sizeof file, "math-batches-%d.txt", (int)getpid());
    struct call_data p = plain_product(n, 5 * n, n);
    for (int time = 0; time < 3; time++) {
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        for (int count = 1; count <= 5; count += 4) {
            SUCCEEDS(gemm, ladder_sgemm_strided_batched(gemm, p.ta, p.tb, n, n, n, &one,
                                                        first_of(&p.a), n, 0, first_of(&p.b), n,
                                                        n * n, &zero, first_of(&p.c), n, n * n,
                                                        count));
            EXPECT(ladder_gemm_last(gemm).measured == !time, "%d products, time %d", count,
                   time);
        }
        ladder_gemm_destroy(gemm);
    }
    const char *text = text_of(file);
    EXPECT(lines_in(text) == 3 && strstr(text, "\n32 32 32 nnp ") &&
               strstr(text, "\n32 32 32 nnp5 "),
           "%s", text);
    destroy_matrices(&p);
    remove_plans(file);
}

/* A call whose plan was cuBLAS once is not looked up again, until that could change. */
static void plain_calls(void)
{
    enum { N = 40 };
    ladder_gemm_t gemm = handle(NULL);
    ladder_gemm_measure(gemm, 0);
    struct call_data p = plain_product(N, N, N);
    for (int i = 0; i < 12; i++) {
        const char *expected = i < 3 || i >= 6 ? "cublas" : i < 5 ? "one-pass" : "plain";
        if (i == 3)
            ladder_gemm_smallest_leaf(gemm, 4), force(gemm, "one-pass", 1);
        if (i == 5)
            force(gemm, "plain", 2);
        if (i == 6)
            ladder_gemm_force(gemm, NULL);
        if (i == 8)
            ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
        must(cudaMemset(first_of(&p.c), 0xff, N * N * sizeof *first_of(&p.c)));
        must(cudaDeviceSynchronize());
        EXPECT(multiply(gemm, &p) == 0 && is_right(gemm, &p), "%d: %s", i,
               ladder_gemm_message(gemm));
        EXPECT(ran_by(gemm, expected) && ladder_gemm_pieces(gemm) == 1, "%d: %s", i,
               ladder_gemm_last(gemm).ran.variant);
    }
    EXPECT(gemm->plain_count == 2, "%u keys", gemm->plain_count);
    ladder_gemm_measure(gemm, 1);
    EXPECT(multiply(gemm, &p) == 0 && ladder_gemm_last(gemm).measured, "measured now");
    destroy_matrices(&p);
    ladder_gemm_destroy(gemm);
}

/* Each setting that a remembered call would not notice. */
static void change(ladder_gemm_t gemm, int which)
{
    const struct ladder_plan plan = {"plain", 1, 0};
    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    if (which == 0)
        ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
    else if (which == 1)
        ladder_gemm_set_double_mode(gemm, LADDER_GEMM_DOUBLE_EXACT);
    else if (which == 2)
        ladder_gemm_device_scalars(gemm, 1);
    else if (which == 3)
        ladder_gemm_set_stream(gemm, stream);
    else if (which == 4)
        ladder_gemm_limit_workspace(gemm, 1 << 20);
    else if (which == 5)
        ladder_gemm_most_levels(gemm, 1);
    else if (which == 6)
        ladder_gemm_measure(gemm, 1);
    else if (which == 7)
        ladder_gemm_smallest_leaf(gemm, 8);
    else if (which == 8)
        ladder_gemm_set_accurate(gemm, 1);
    else if (which == 9)
        ladder_gemm_set_workspace(gemm, NULL, 0);
    else
        ladder_gemm_force(gemm, &plan);
}

/* The same call again goes to cuBLAS at once, until a setting or another call comes between. */
static void same_calls(void)
{
    enum { N = 40, CHANGES = 11 };
    struct call_data p = plain_product(N, N, N), q = p;
    for (int i = 0; i < CHANGES; i++) {
        ladder_gemm_t gemm = handle(NULL);
        for (int again = 0; again < 4; again++) {
            must(cudaMemset(first_of(&p.c), 0xff, N * N * sizeof *first_of(&p.c)));
            must(cudaDeviceSynchronize());
            EXPECT(multiply(gemm, &p) == 0 && is_right(gemm, &p), "%d", i);
        }
        EXPECT(gemm->same.of == &ladder_f32, "%d: not remembered", i);
        gemm->done.workspace_bytes = 1, gemm->pieces = 2; /* as other functions leave them */
        EXPECT(multiply(gemm, &p) == 0 && !ladder_gemm_last(gemm).workspace_bytes &&
                   ladder_gemm_pieces(gemm) == 1,
               "%d: what ran is not noted", i);
        change(gemm, i);
        EXPECT(!gemm->same.of, "%d: still remembered", i);
        ladder_gemm_destroy(gemm);
    }
    ladder_gemm_t gemm = handle(NULL);
    for (int again = 0; again < 3; again++)
        SUCCEEDS(gemm, multiply(gemm, &p));
    q.a.ld = N - 1; /* each differs in one argument from the call that is remembered */
    EXPECT(multiply(gemm, &q) == 9, "a wrong leading dimension");
    for (int again = 0; again < 3; again++)
        SUCCEEDS(gemm, multiply(gemm, &p));
    q = p, q.alpha = 0;
    EXPECT(multiply(gemm, &q) == 0 && ran_by(gemm, "none"), "no product if alpha is 0");
    destroy_matrices(&p);
    ladder_gemm_destroy(gemm);
}

static const struct named_case cases[] = {
    {"bound", within_bound},
    {"range", range},
    {"asked", asked},
    {"plans", plans},
    {"memory", memory},
    {"pieces", pieces},
#ifdef LADDER_SIM
    {"shortage", shortage},
#endif
    {"prepared", prepared},
    {"wrong-use", wrong_use},
    {"batches", batches},
    {"batch-plans", batch_plans},
    {"plain-calls", plain_calls},
    {"same-calls", same_calls},
};

int main(int argc, char **argv)
{
    return run_mode_cases(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
