/* SPDX-License-Identifier: MIT */
/** @file math-cases.c
 * The math modes of ladder_gemm.h: never used unless asked for, right within the bound that the
 * header states, for numbers of any size, and each with separate plans. One case per run:
 * math-cases NAME.
 */
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "cases.h"
#include "library.h"

/* The modes, their methods, and the error of one term of k: by splitting, and in all (header).
 */
static const struct mode {
    int mode, most_levels;
    const char *method;
    double split, promised, promised_k;
} modes[] = {{LADDER_GEMM_TENSOR, 2, "fp16", 0x1p-22, 0x1p-18, 0x1p-30},
             {LADDER_GEMM_TENSOR_FAST, 1, "int8", 0x1p-16, 0x1p-15, 0x1p-33}};
enum { MODES = sizeof modes / sizeof *modes };

/* ---- A product: column-major, leading dimensions `extra` larger than they must be ---- */

struct float_product {
    int m, n, k;
    cublasOperation_t ta, tb;
    float alpha, beta;
    int extra;
    float *a, *b, *c;    /* device */
    float *ha, *hb, *hc; /* host */
    int lda, ldb, ldc;
};

/* An element of op(A) or op(B): u is uniform in [-1, 1] with a float's 24 bits. */
typedef float element(int line, int l, float u);

static float as_it_is(int line, int l, float u)
{
    (void)line, (void)l;
    return u;
}

static float *filled(int lines, int length, int ld, int by_lines, unsigned seed, element *make)
{
    size_t count = (size_t)ld * (by_lines ? length : lines);
    float *host = calloc(count, sizeof *host);
    for (int i = 0; i < lines; i++)
        for (int l = 0; l < length; l++)
            host[by_lines ? i + (size_t)l * ld : l + (size_t)i * ld] =
                make(i, l,
                     (float)random_uniform(
                         random_bits(((uint64_t)seed << 32 | (i * 4096 + l)) * RANDOM_STEP)));
    return host;
}

static struct float_product float_product_of(int m, int n, int k, int ops, float alpha,
                                             float beta, int extra, element *left,
                                             element *right)
{
    struct float_product p = {
        .m = m, .n = n, .k = k, .alpha = alpha, .beta = beta, .extra = extra};
    p.ta = (cublasOperation_t)(ops / 2), p.tb = (cublasOperation_t)(ops % 2);
    p.lda = (p.ta ? k : m) + extra, p.ldb = (p.tb ? n : k) + extra, p.ldc = m + extra;
    p.ha = filled(m, k, p.lda, !p.ta, 1, left), p.hb = filled(n, k, p.ldb, p.tb, 2, right);
    p.hc = filled(n, m, p.ldc, 0, 3, as_it_is);
    p.a = copied_to_device(p.ha, (size_t)p.lda * (p.ta ? m : k) * sizeof *p.ha);
    p.b = copied_to_device(p.hb, (size_t)p.ldb * (p.tb ? k : n) * sizeof *p.hb);
    p.c = copied_to_device(p.hc, (size_t)p.ldc * n * sizeof *p.hc);
    return p;
}

static void destroy(struct float_product *p)
{
    cudaFree(p->a), cudaFree(p->b), cudaFree(p->c);
    free(p->ha), free(p->hb), free(p->hc);
}

static int run(ladder_gemm_t gemm, const struct float_product *p)
{
    return ladder_sgemm(gemm, p->ta, p->tb, p->m, p->n, p->k, &p->alpha, p->a, p->lda, p->b,
                        p->ldb, &p->beta, p->c, p->ldc);
}

static float left_at(const struct float_product *p, int i, int l)
{
    return p->ta ? p->ha[l + (size_t)i * p->lda] : p->ha[i + (size_t)l * p->lda];
}

static float right_at(const struct float_product *p, int l, int j)
{
    return p->tb ? p->hb[j + (size_t)l * p->ldb] : p->hb[l + (size_t)j * p->ldb];
}

/* Lines whose largest element is not below this are computed separately, and added to no
 * others. */
static const float APART = 0x1p119f;

/* The largest number in line i of op(A), or of op(B) where `right`, or in those that levels add
 * to it. The library pads to multiples of 4 * 2^levels; levels add lines that are 1/2^levels
 * of the padded number apart. */
static double largest(const struct float_product *p, int right, int i, int levels)
{
    int lines = right ? p->n : p->m, multiple = 4 << levels;
    int period = (lines + multiple - 1) / multiple * multiple >> levels;
    double most = 0;
    for (int line = i % period; line < lines; line += period) {
        double own = 0;
        for (int l = 0; l < p->k; l++)
            own = fmax(own, fabsf(right ? right_at(p, l, line) : left_at(p, line, l)));
        if (line == i || own < APART)
            most = fmax(most, isfinite(own) ? own : 0);
    }
    return most;
}

/* Counts elements outside their bound, and changed ones outside of C. */
static int wrong_elements(const struct float_product *p, double of_a_term, int levels)
{
    size_t count = (size_t)p->ldc * p->n;
    float *got = malloc(count * sizeof *got);
    int wrong = 0;
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(got, p->c, count * sizeof *got, cudaMemcpyDeviceToHost));
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->ldc; i++) {
            float old = p->hc[i + (size_t)j * p->ldc], c = got[i + (size_t)j * p->ldc];
            if (i >= p->m) {
                wrong += memcmp(&old, &c, sizeof c) != 0;
                continue;
            }
            double sum = 0, own = p->beta == 0 ? 0 : (double)p->beta * old;
            for (int l = 0; l < p->k; l++)
                sum += (double)left_at(p, i, l) * right_at(p, l, j);
            double exact = p->alpha * sum + own;
            double allowed = ldexp(of_a_term * p->k, 3 * levels) * largest(p, 0, i, levels) *
                                 largest(p, 1, j, levels) * fabs(p->alpha) +
                             0x1p-23 * (fabs(p->alpha * sum) + fabs(own)) +
                             (p->alpha != 1 || p->beta != 0) * 0x1p-149 +
                             fabs(p->alpha) * ((1 << 2 * levels) + levels) * 0x1p-150;
            wrong += isnan(exact)            ? !isnan(c)
                     : isinf(exact)          ? c != exact
                     : fabs(exact) > FLT_MAX ? c != copysign(INFINITY, exact)
                                             : !(fabs(c - exact) <= allowed);
        }
    free(got);
    return wrong;
}

/* ---- The cases ---- */

/* Full-mantissa numbers, so that a split product without one of its three parts is wrong. The
 * bound is the observed one, an eighth of the header's. */
static void within_bound(void)
{
    static const float factors[][2] = {{1, 0}, {-1, 0}, {2.5f, 0}, {1, 1}, {-0.75f, 2.5f}};
    for (int w = 0; w < MODES; w++) {
        ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode);
        double of_a_term = modes[w].split + 0x1p-23;
        EXPECT(of_a_term < modes[w].promised + 100 * modes[w].promised_k,
               "the header promises more");
        for (int levels = 0; levels <= modes[w].most_levels; levels++) {
            force(gemm, modes[w].method, levels);
            for (int i = 0; i < 20; i++) {
                int odd = i % 3 == 2;
                struct float_product p = float_product_of(
                    odd ? 77 : 64, odd ? 50 : 96, odd ? 101 : 128, i % 4, factors[i % 5][0],
                    factors[i % 5][1], i % 3, as_it_is, as_it_is);
                EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
                int wrong = wrong_elements(&p, of_a_term, levels);
                EXPECT(wrong == 0 &&
                           strcmp(ladder_gemm_last(gemm).ran.variant, modes[w].method) == 0,
                       "%s with %d levels, product %d: %d wrong, %s ran", modes[w].method,
                       levels, i, wrong, ladder_gemm_last(gemm).ran.variant);
                destroy(&p);
            }
        }
        ladder_gemm_destroy(gemm);
    }
}

/* Of row or column `line` element l, made of u, a random number. Some look at one of these
 * alone. */
#define ELEMENT                                                                                \
    int line __attribute__((unused)), int l __attribute__((unused)),                           \
        float u __attribute__((unused))
static float huge(ELEMENT) { return ldexpf(u, 100); }
static float below_normal(ELEMENT) { return ldexpf(u, -130); }
static float lines_apart(ELEMENT) { return ldexpf(u, 5 * (line % 7) - 15); }
static float one_near_overflow(ELEMENT) { return line == 6 ? ldexpf(u, 127) : u; }
static float infinity(ELEMENT) { return line == 5 && l == 9 ? INFINITY : u; }
static float not_a_number(ELEMENT) { return line % 9 == 2 && l == 1 ? NAN : u; }
static float all_not_numbers(ELEMENT) { return NAN; }
static float near_2_75(ELEMENT) { return ldexpf(1 + u / 4, -75); }
static float near_2_73(ELEMENT) { return ldexpf(u < 0 ? -1 - u / 4 : 1 - u / 4, -73); }
static float lines_of_all_sizes(ELEMENT) { return ldexpf(u, 9 * (line % 13) - 54); }
static float positive(ELEMENT) { return fabsf(u); }
static float negative_and_large(ELEMENT) { return -ldexpf(1 + u / 4, 90); }

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
            for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
                struct float_product p =
                    float_product_of(products[i].m, products[i].n, products[i].k, (int)i % 4, 1,
                                     0, 0, products[i].left, products[i].right);
                force(gemm, modes[w].method, levels);
                EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
                int wrong = wrong_elements(&p, modes[w].split + 0x1p-23, levels);
                EXPECT(wrong == 0, "%s with %d levels, product %zu: %d wrong", modes[w].method,
                       levels, i, wrong);
                destroy(&p);
            }
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
    EXPECT(ladder_gemm_set_math_mode(gemm, 3) == 2 && ladder_gemm_set_math_mode(gemm, -1) == 2,
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
    char file[64], line[256], name[16], how[8];
    int seen[3] = {0};
    snprintf(file, sizeof file, "math-plans-%d.txt", (int)getpid());
    struct float_product p = float_product_of(64, 64, 64, 0, 1, 0, 0, as_it_is, as_it_is);
    for (int time = 0; time < 2; time++) {
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        for (int mode = 0; mode < 3; mode++) {
            ladder_gemm_set_math_mode(gemm, mode);
            EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
            EXPECT(ladder_gemm_last(gemm).measured == !time, "mode %d, time %d", mode, time);
            EXPECT(mode || !is_tensor(ladder_gemm_last(gemm).ran.variant), "not asked for");
        }
        ladder_gemm_destroy(gemm);
    }
    FILE *in = fopen(file, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "64 64 64 %7s %15s", how, name) == 2)
            seen[strcmp(how, "nnp") == 0 ? 0 : strcmp(how, "nnpt") == 0 ? 1 : 2]++;
    if (in)
        fclose(in);
    EXPECT(seen[0] == 1 && seen[1] == 1 && seen[2] == 1, "%d %d %d lines", seen[0], seen[1],
           seen[2]);

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
                 {"64 64 64 nnpd exact 0 0", 0},  {"64 64 64 nnpf int8 2 0", 0}};
    in = fopen(file, "r");
    EXPECT(in && fgets(line, sizeof line, in), "a first line");
    if (in)
        fclose(in);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FILE *out = fopen(file, "w");
        fprintf(out, "%s%s\n", line, lines[i].line);
        fclose(out);
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        EXPECT((strstr(ladder_gemm_message(gemm), "not a plan") == NULL) == lines[i].right,
               "%s: '%s'", lines[i].line, ladder_gemm_message(gemm));
        ladder_gemm_destroy(gemm);
    }
    remove(file);
    strcat(file, ".lock");
    remove(file);
    destroy(&p);
}

/* With too little workspace the library takes fewer levels, then cuBLAS, and never a method
 * with a larger error. */
static void memory(void)
{
    ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR);
    struct float_product p = float_product_of(128, 128, 128, 0, 1, 0, 0, as_it_is, as_it_is);
    force(gemm, "fp16", 2);
    EXPECT(run(gemm, &p) == 0 && !ladder_gemm_last(gemm).fell_back, "%s",
           ladder_gemm_message(gemm));
    EXPECT(ladder_gemm_pieces(gemm) == 1, "%d pieces", ladder_gemm_pieces(gemm));
    size_t bytes = ladder_gemm_last(gemm).workspace_bytes;
    int last = 2;
    for (; bytes > 0; bytes /= 2) {
        ladder_gemm_limit_workspace(gemm, bytes - 1);
        EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
        struct ladder_done done = ladder_gemm_last(gemm);
        EXPECT(done.fell_back && done.workspace_bytes < bytes &&
                   wrong_elements(&p, 0x1p-21, 2) == 0,
               "%zu bytes", bytes);
        EXPECT(strcmp(done.ran.variant, done.workspace_bytes ? "fp16" : "cublas") == 0, "%s",
               done.ran.variant);
        EXPECT(done.ran.levels <= last, "%d levels after %d", done.ran.levels, last);
        last = done.ran.levels;
    }
    EXPECT(strcmp(ladder_gemm_last(gemm).ran.variant, "cublas") == 0, "cuBLAS at last");
    destroy(&p);
    ladder_gemm_destroy(gemm);
}

/* With room for a part of C only, the library computes blocks of C, with the factors in every
   form. It calls cuBLAS only if even the smallest block has no room. */
static void pieces(void)
{
    for (int w = 0; w < MODES; w++)
        for (int ops = 0; ops < 4; ops++) {
            ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode);
            struct float_product p = float_product_of(
                500, 390, 40, ops, 1.5f, ops < 2 ? 0 : -0.5f, ops % 2, as_it_is, as_it_is);
            struct ladder_shape shape = {0, p.ta, p.tb, p.m, p.n, p.k, p.lda, p.ldb, p.ldc, 1};
            struct ladder_plan plan;
            size_t whole = 0;
            force(gemm, modes[w].method, 0);
            EXPECT(ladder_gemm_outlook(gemm, &shape, &plan, &whole) == 0 && whole > 0 &&
                       strcmp(plan.variant, modes[w].method) == 0,
                   "%s in %zu bytes", plan.variant, whole);
            ladder_gemm_limit_workspace(gemm, whole * 2 / 5);
            EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
            struct ladder_done done = ladder_gemm_last(gemm);
            EXPECT(strcmp(done.ran.variant, modes[w].method) == 0 && done.fell_back &&
                       done.workspace_bytes <= whole * 2 / 5 && ladder_gemm_pieces(gemm) == 4,
                   "%s, %zu bytes, %d pieces", done.ran.variant, done.workspace_bytes,
                   ladder_gemm_pieces(gemm));
            EXPECT(wrong_elements(&p, modes[w].split + 0x1p-23, 0) == 0, "pieces, %d", ops);
            ladder_gemm_limit_workspace(gemm, 4096);
            bring(p.c, p.hc, sizeof(float) * p.ldc * p.n);
            EXPECT(run(gemm, &p) == 0 && ladder_gemm_pieces(gemm) == 1 &&
                       strcmp(ladder_gemm_last(gemm).ran.variant, "cublas") == 0,
                   "%s", ladder_gemm_last(gemm).ran.variant);
            EXPECT(ladder_gemm_outlook(gemm, NULL, NULL, NULL) == 2 &&
                       ladder_gemm_outlook(NULL, &shape, NULL, NULL) == 1,
                   "no shape, no handle");
            destroy(&p);
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
        struct float_product p = float_product_of(500, 390, 40, 0, 1, 0, 0, as_it_is, as_it_is);
        size_t all, room, whole = 0;
        void *filler;
        force(gemm, "fp16", 0);
        ladder_gemm_outlook(
            gemm, &(struct ladder_shape){0, p.ta, p.tb, p.m, p.n, p.k, p.lda, p.ldb, p.ldc, 0},
            NULL, &whole);
        if (measured)
            ladder_gemm_force(gemm, NULL);
        must(cudaMemGetInfo(&room, &all));
        must(cudaMalloc(&filler, room - whole * 2 / 5));
        for (int i = 0; i < 2; i++) {
            EXPECT(run(gemm, &p) == 0 && ladder_gemm_last(gemm).fell_back,
                   "%d pieces while there is no room", ladder_gemm_pieces(gemm));
            EXPECT(measured || ladder_gemm_pieces(gemm) == 4, "%d pieces",
                   ladder_gemm_pieces(gemm));
        }
        must(cudaFree(filler));
        EXPECT(run(gemm, &p) == 0 && !ladder_gemm_last(gemm).fell_back &&
                   ladder_gemm_pieces(gemm) == 1 && ladder_gemm_last(gemm).measured == measured,
               "%d pieces with room: %s", ladder_gemm_pieces(gemm), ladder_gemm_message(gemm));
        destroy(&p);
        ladder_gemm_destroy(gemm);
    }
}
#endif

/* Returns the elements of C, and restores C. */
static float *taken(const struct float_product *p)
{
    size_t bytes = sizeof(float) * p->ldc * p->n;
    float *c = malloc(bytes);
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(c, p->c, bytes, cudaMemcpyDeviceToHost));
    bring(p->c, p->hc, bytes);
    return c;
}

static int run_prepared(ladder_gemm_t gemm, ladder_prepared_t left,
                        const struct float_product *p)
{
    return ladder_sgemm_prepared(gemm, left, p->tb, p->n, &p->alpha, p->b, p->ldb, &p->beta,
                                 p->c, p->ldc);
}

/* A prepared factor gives the same bits as a product without one: in every form, with numbers
   that a half cannot hold, from another handle, and after its own has ended. */
static void prepared(void)
{
    static element *const lefts[] = {as_it_is, infinity, one_near_overflow, positive};
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int w = 0; w < MODES; w++)
        for (int i = 0; i < 8; i++) {
            int levels = i % (modes[w].most_levels + 1), odd = i % 3 == 1;
            ladder_gemm_t gemm = handle_in_mode(NULL, modes[w].mode),
                          other = handle_in_mode(NULL, LADDER_GEMM_FLOAT);
            struct float_product p = float_product_of(
                odd ? 77 : 96, odd ? 50 : 64, odd ? 101 : 128, i % 4, i % 2 ? 1 : -0.5f,
                i % 3 ? 0 : 2, i / 4, lefts[i % 4], i == 5 ? not_a_number : as_it_is);
            ladder_prepared_t left = NULL;
            force(gemm, modes[w].method, levels);
            EXPECT(run(gemm, &p) == 0, "%s", ladder_gemm_message(gemm));
            float *expected = taken(&p);
            EXPECT(ladder_gemm_prepare(gemm, &left, p.ta, p.m, p.k, p.a, p.lda,
                                       i % 2 ? p.n : 3 * p.n) == 0,
                   "%s", ladder_gemm_message(gemm));
            ladder_gemm_set_stream(other, stream);
            for (int by = 0; by < 3; by++) {
                if (by == 2)
                    ladder_gemm_destroy(gemm);
                EXPECT(run_prepared(by ? other : gemm, left, &p) == 0, "%s",
                       ladder_gemm_message(by ? other : gemm));
                struct ladder_done done = ladder_gemm_last(by ? other : gemm);
                float *got = taken(&p);
                EXPECT(memcmp(got, expected, sizeof(float) * p.ldc * p.n) == 0 &&
                           strcmp(done.ran.variant, modes[w].method) == 0 &&
                           done.ran.levels == levels && !done.fell_back,
                       "%s with %d levels, %d: other bits by %s, %d", modes[w].method, levels,
                       i, done.ran.variant, done.ran.levels);
                free(got);
            }
            ladder_gemm_limit_workspace(other, 0); /* a float's product */
            EXPECT(run_prepared(other, left, &p) == 0 &&
                       strcmp(ladder_gemm_last(other).ran.variant, "cublas") == 0,
                   "without workspace: %s", ladder_gemm_last(other).ran.variant);
            free(expected);
            ladder_gemm_end_prepared(left);
            ladder_gemm_destroy(other);
            destroy(&p);
        }
    cudaStreamDestroy(stream);
}

static void wrong_use(void)
{
    ladder_gemm_t gemm = handle_in_mode(NULL, LADDER_GEMM_TENSOR);
    struct float_product p = float_product_of(64, 48, 32, 0, 1, 0, 0, as_it_is, as_it_is);
    ladder_prepared_t left = NULL;
    cublasOperation_t none = (cublasOperation_t)7;
    const float one = 1;
#define PREPARE ladder_gemm_prepare
    EXPECT(PREPARE(NULL, &left, p.ta, 64, 32, p.a, 64, 48) == 1, "handle");
    EXPECT(PREPARE(gemm, NULL, p.ta, 64, 32, p.a, 64, 48) == 2, "prepared");
    EXPECT(PREPARE(gemm, &left, none, 64, 32, p.a, 64, 48) == 3, "transa");
    EXPECT(PREPARE(gemm, &left, p.ta, 0, 32, p.a, 64, 48) == 4, "m");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, -1, p.a, 64, 48) == 5, "k");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, NULL, 64, 48) == 6, "A");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, p.a, 63, 48) == 7, "lda");
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, p.a, 64, 0) == 8, "n");
    EXPECT(strcmp(ladder_gemm_message(gemm), "ladder_gemm_prepare: argument 8 is wrong") == 0,
           "'%s'", ladder_gemm_message(gemm));
    ladder_gemm_set_math_mode(gemm, LADDER_GEMM_FLOAT);
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, p.a, 64, 48) == LADDER_GEMM_UNSUPPORTED && !left,
           "without a mode: '%s'", ladder_gemm_message(gemm));
    ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
    EXPECT(PREPARE(gemm, &left, p.ta, 64, 32, p.a, 64, 48) == 0 && left, "%s",
           ladder_gemm_message(gemm));
#define MULTIPLY ladder_sgemm_prepared
    EXPECT(MULTIPLY(NULL, left, p.tb, 48, &one, p.b, 32, &one, p.c, 64) == 1, "handle");
    EXPECT(MULTIPLY(gemm, NULL, p.tb, 48, &one, p.b, 32, &one, p.c, 64) == 2, "prepared");
    EXPECT(MULTIPLY(gemm, left, none, 48, &one, p.b, 32, &one, p.c, 64) == 3, "transb");
    EXPECT(MULTIPLY(gemm, left, p.tb, -1, &one, p.b, 32, &one, p.c, 64) == 4, "n");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, NULL, p.b, 32, &one, p.c, 64) == 5, "alpha");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, NULL, 32, &one, p.c, 64) == 6, "B");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, p.b, 31, &one, p.c, 64) == 7, "ldb");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, p.b, 32, NULL, p.c, 64) == 8, "beta");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, p.b, 32, &one, NULL, 64) == 9, "C");
    EXPECT(MULTIPLY(gemm, left, p.tb, 48, &one, p.b, 32, &one, p.c, 63) == 10, "ldc");
    EXPECT(MULTIPLY(gemm, left, p.tb, 0, &one, NULL, 32, &one, NULL, 64) == 0, "no columns");
#define BATCH(m, lda, ldb, ldc, count)                                                         \
    ladder_sgemm_strided_batched(gemm, p.ta, p.tb, m, 48, 32, &one, p.a, lda, 0, p.b, ldb, 0,  \
                                 &one, p.c, ldc, 0, count)
    EXPECT(BATCH(-1, 64, 32, 64, 1) == 4 && BATCH(64, 63, 32, 64, 1) == 9 &&
               BATCH(64, 64, 31, 64, 1) == 12 && BATCH(64, 64, 32, 63, 1) == 16 &&
               BATCH(64, 64, 32, 64, -1) == 18 && BATCH(64, 64, 32, 64, 0) == 0,
           "batches: '%s'", ladder_gemm_message(gemm));
    ladder_gemm_end_prepared(left);
    ladder_gemm_end_prepared(NULL);
    ladder_gemm_destroy(gemm);
    destroy(&p);
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
        struct float_product all = float_product_of(M, COUNT * N + 8, COUNT * K, 0, 1.5f,
                                                    i % 2 ? 0 : 1, 0, as_it_is, as_it_is);
        long long stride_a = i / 3 == 1 ? 0 : M * K, stride_c = M * N + (i / 3 == 2);
        force(gemm, methods[i % 3], i % 3 == 2);
        for (int t = 0; t < COUNT; t++)
            EXPECT(ladder_sgemm(gemm, all.ta, all.tb, M, N, K, &all.alpha, all.a + t * stride_a,
                                M, all.b + t * N * K, K, &all.beta, all.c + t * stride_c,
                                M) == 0,
                   "%s", ladder_gemm_message(gemm));
        float *expected = taken(&all);
        for (int scaled = 0; scaled < 2; scaled++) {
            EXPECT(ladder_sgemm_strided_batched(gemm, all.ta, all.tb, M, N, K, &all.alpha,
                                                all.a, M, stride_a, all.b, K, N * K, &all.beta,
                                                all.c, M, stride_c, COUNT) == 0,
                   "%s", ladder_gemm_message(gemm));
            const char *ran = ladder_gemm_last(gemm).ran.variant;
            float *got = taken(&all);
            EXPECT(scaled || (batch_is(got, expected, all.ldc * all.n, i % 3 > 0) &&
                              strcmp(ran, methods[i % 3]) == 0),
                   "batch %d by %s", i, ran);
            EXPECT(!scaled || got[2 * stride_c] == all.beta * all.hc[2 * stride_c], "last C");
            free(got);
            all.alpha = 0; /* beta C alone */
        }
        free(expected);
        destroy(&all);
        ladder_gemm_destroy(gemm);
    }
}

/* A batch is measured as a batch, keeps a separate plan, and finds it in the file again. */
static void batch_plans(void)
{
    char file[64], line[256], name[16];
    int n = 32, products = 0, lines[2] = {0};
    snprintf(file, sizeof file, "math-batches-%d.txt", (int)getpid());
    struct float_product p = float_product_of(n, 5 * n, n, 0, 1, 0, 0, as_it_is, as_it_is);
    for (int time = 0; time < 3; time++) {
        ladder_gemm_t gemm = handle_in_mode(file, LADDER_GEMM_FLOAT);
        for (int count = 1; count <= 5; count += 4) {
            EXPECT(ladder_sgemm_strided_batched(gemm, p.ta, p.tb, n, n, n, &p.alpha, p.a, n, 0,
                                                p.b, n, n * n, &p.beta, p.c, n, n * n,
                                                count) == 0,
                   "%s", ladder_gemm_message(gemm));
            EXPECT(ladder_gemm_last(gemm).measured == !time, "%d products, time %d", count,
                   time);
        }
        ladder_gemm_destroy(gemm);
    }
    FILE *in = fopen(file, "r");
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "32 32 32 nnp%d %15s", &products, name) == 2 && products == 5)
            lines[1]++;
        else if (sscanf(line, "32 32 32 nnp %15s", name) == 1)
            lines[0]++;
    if (in)
        fclose(in);
    EXPECT(lines[0] == 1 && lines[1] == 1, "%d and %d lines", lines[0], lines[1]);
    destroy(&p);
    remove(file);
    strcat(file, ".lock");
    remove(file);
}

/* A call whose plan was cuBLAS once is not looked up again, until that could change. */
static void plain_calls(void)
{
    enum { N = 40 };
    ladder_gemm_t gemm = handle(NULL);
    ladder_gemm_measure(gemm, 0);
    struct float_product p = float_product_of(N, N, N, 0, 1, 0, 0, as_it_is, as_it_is);
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
        must(cudaMemset(p.c, 0xff, N * N * sizeof *p.c));
        must(cudaDeviceSynchronize());
        EXPECT(run(gemm, &p) == 0 && wrong_elements(&p, 0x1p-22, 2) == 0, "%d: %s", i,
               ladder_gemm_message(gemm));
        EXPECT(strcmp(ladder_gemm_last(gemm).ran.variant, expected) == 0 &&
                   ladder_gemm_pieces(gemm) == 1,
               "%d: %s", i, ladder_gemm_last(gemm).ran.variant);
    }
    EXPECT(gemm->plain_count == 2, "%u keys", gemm->plain_count);
    ladder_gemm_measure(gemm, 1);
    EXPECT(run(gemm, &p) == 0 && ladder_gemm_last(gemm).measured, "measured now");
    destroy(&p);
    ladder_gemm_destroy(gemm);
}

#ifndef LADDER_SIM /* the simulated GPU has one host thread */
static void *thread(void *which)
{
    const struct mode *w = &modes[(size_t)which % MODES];
    ladder_gemm_t gemm = handle_in_mode(NULL, w->mode);
    for (int i = 0; i < 10; i++) {
        struct float_product p =
            float_product_of(256, 200 + 8 * i, 300, i % 4, 1, 0, 0, as_it_is, as_it_is);
        force(gemm, w->method, i % 2);
        EXPECT(run(gemm, &p) == 0 && wrong_elements(&p, w->split + 0x1p-23, i % 2) == 0,
               "threads");
        destroy(&p);
    }
    ladder_gemm_destroy(gemm);
    return NULL;
}

static void threads(void) { run_in_threads(6, thread); }
#endif

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
#ifndef LADDER_SIM
    {"threads", threads},
#endif
};

int main(int argc, char **argv)
{
    return run_mode_cases(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
