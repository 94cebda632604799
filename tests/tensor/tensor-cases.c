/* SPDX-License-Identifier: MIT */
/** @file tensor-cases.c
 * Tests the variants of step 21 where their scaling by powers of two matters: numbers
 * below the normal ones, numbers near overflow, infinities and NaNs. Also tests that a second
 * run gives the same bits, that the error falls as partial sums are promoted more often, and
 * that it is not larger than that of a plain sum in float, for data of several kinds and sums
 * of every length.
 *
 * An element of C is right when it is as in IEEE arithmetic (NaN, an infinity, beyond the
 * floats), or within a bound of the product in double that is relative to the largest element
 * of its own line and of the lines it is added to, not of the matrix.
 *
 * tensor-cases [SHARE]: each case and each kind of data in one of SHARE ways, in turn; 1: in
 * all.
 */
#include <stdint.h>

#include "tests/steps/multiply.h"

extern const struct step step_f32;
const char *leaf_missing(void); /* says why the step's hand-written product cannot run */
/* Of the simulated GPU: runs blocks and threads in another order. */
void simgpu_set_shuffle(uint64_t seed) __attribute__((weak));

enum { M = 32, N = 48, K = 80 }; /* multiples of 16: two levels without padding */

static double times_2_60(ELEMENT) { return ldexp(u, 60); }
static double times_2_100(ELEMENT) { return ldexp(u, 100); }
static double denormal(ELEMENT) { return ldexp(u, -130); }
static double rows_far_apart(ELEMENT) { return ldexp(u, 3 * (i % 8) - 12); }
static double columns_far_apart(ELEMENT) { return ldexp(u, 12 - 5 * (j % 5)); }
static double one_huge_row(ELEMENT) { return ldexp(u, i == 5 ? 126 : -20); }
static double one_huge_column(ELEMENT) { return ldexp(u, j == 7 ? 126 : -20); }
static double nan_in_each_row(ELEMENT) { return j == 7 * i % K ? NAN : u; }
static double nan_in_some_columns(ELEMENT) { return j % 3 == 0 && i == j ? NAN : u; }
static double all_infinite(ELEMENT) { return copysign(INFINITY, u); }
static double infinity_in_row(ELEMENT) { return i == 30 && j == 0 ? INFINITY : u; }
static double infinity_in_column(ELEMENT) { return j == 41 && i == 79 ? -INFINITY : u; }

static const struct range_case {
    const char *name;
    element *a, *b;
} cases[] = {
    {"uniform", as_it_is, as_it_is},
    {"a below the normal numbers, b large", denormal, times_2_100},
    {"b below the normal numbers, a large", times_2_100, denormal},
    {"both below the normal numbers: zero", denormal, denormal},
    {"zeros and numbers below the normal ones", all_zero, denormal},
    {"products up to 2^120", times_2_60, times_2_60},
    {"products beyond the floats", times_2_100, times_2_100},
    {"rows and columns over 20 binades", rows_far_apart, columns_far_apart},
    {"a row near overflow among small ones", one_huge_row, as_it_is},
    {"a column near overflow among small ones", as_it_is, one_huge_column},
    {"a row and a column near overflow", one_huge_row, one_huge_column},
    {"a NaN in A", nan_in_row, as_it_is},
    {"nothing but NaNs in A", all_nan, as_it_is},
    {"nothing but NaNs in B", as_it_is, all_nan},
    {"a NaN in each row of A, some columns of B", nan_in_each_row, nan_in_some_columns},
    {"nothing but infinities in A, NaNs in B", all_infinite, nan_in_some_columns},
    {"an infinity in A", infinity_in_row, as_it_is},
    {"an infinity in B, and a row of zeros", zero_row, infinity_in_column},
    {"a NaN in A, an infinity in B", nan_in_row, infinity_in_column},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The variants that scale line by line. The other rungs do not scale: see the chapter. */
static const struct tensor_method {
    const char *variant;
    int levels;
    double split; /* of one term, relative to the largest elements of its lines */
    int strip;    /* rows of A that are multiplied by themselves; 0: all together */
} ways[] = {
    {"fp16x3", 0, 0x1p-22},   {"fp16", 0, 0x1p-22},           {"fp16", 1, 0x1p-22},
    {"fp16", 2, 0x1p-22},     {"int8", 0, 0x1p-16},           {"int8", 1, 0x1p-16},
    {"int8", 2, 0x1p-16},     {"fp16-beside", 1, 0x1p-22, 8}, {"fp16-beside", 2, 0x1p-22, 16},
    {"fp16-mma", 0, 0x1p-22}, {"int8-mma", 0, 0x1p-16},       {"fp16-mma", 2, 0x1p-22},
    {"int8-mma", 2, 0x1p-16}};
enum {
    WAYS = sizeof ways / sizeof *ways,
    SLOW_WAYS = 2, /* the last ones; they take a simulated GPU a minute */
    SHAPES = 3     /* in try_tiles() */
};

static void multiply(const struct tensor_method *way, long promote, int m, int n, int k,
                     const float *a, const float *b, float *c)
{
    const struct context ctx = {.threads = 1, .settings = {promote}};
    multiply_by(find_variant(step_f32.variants, way->variant), &ctx, way->levels, m, n, k, a, b,
                c);
}

/* Lines whose largest element is not below this are computed separately. */
static const float APART = 0x1p119f;

/* The largest finite element of line i, or of any line that it is added to by the levels, of
 * the `lines` of its strip. */
static double largest(const float *x, int lines, int length, int line_step, int step, int i,
                      int levels)
{
    double most = 0;
    int period = lines >> levels, strip = i / lines * lines;
    for (int line = strip + i % period; line < strip + lines; line += period) {
        double own = 0;
        for (int l = 0; l < length; l++)
            own = fmax(own, fabsf(x[line * line_step + l * step]));
        if (line == i || own < APART)
            most = fmax(most, isinf(own) ? 0 : own);
    }
    return most;
}

static int try_case(const struct range_case *x, const struct tensor_method *way)
{
    static float a[M * K], b[K * N], c[M * N], again[M * N];
    int wrong = 0;
    fill_operands(x->a, x->b, M, N, K, a, b);
    multiply(way, 0, M, N, K, a, b, c);
    bool twice = way->levels < 2 || x == cases; /* 49 products take a simulated GPU long */
    if (twice) {
        if (simgpu_set_shuffle)
            simgpu_set_shuffle(1);
        multiply(way, 0, M, N, K, a, b, again);
        if (simgpu_set_shuffle)
            simgpu_set_shuffle(0);
    }
    for (int i = 0; i < M; i++) {
        double row = largest(a, way->strip ? way->strip : M, K, K, 1, i, way->levels);
        for (int j = 0; j < N; j++) {
            double exact = 0, column = largest(b, N, K, 1, N, j, way->levels);
            for (int l = 0; l < K; l++)
                exact += (double)a[i * K + l] * b[l * N + j];
            /* 2^-23 for each term: the accumulator cuts off. A level doubles both factors, and
             * four products of half the length are added. */
            double allowed =
                ldexp(K * (way->split + 0x1p-23), 3 * way->levels) * row * column + 0x1p-149;
            if (!is_right(exact, c[i * N + j], allowed) && wrong++ == 0)
                printf("  C[%d][%d]: expected %.9g, got %.9g, allowed error %.3g\n", i, j,
                       exact, c[i * N + j], allowed);
        }
    }
    if (twice && memcmp(c, again, sizeof c) != 0)
        wrong++, printf("  not the same bits again\n");
    const char *fault = backend.fault ? backend.fault() : NULL;
    if (fault)
        wrong++, printf("  %s\n", fault);
    printf("%-8s %d levels, %s: %s\n", way->variant, way->levels, x->name,
           wrong ? "WRONG" : "right");
    return wrong > 0;
}

/* Products that are all positive, where each truncation goes the same way, of rows that are not
   centred, since their elements alternate in sign: with partial sums promoted four times as
   often the mean error must fall to a half or less. */
static int try_promotion(const struct tensor_method *way)
{
    enum { SMALL = 16, LONG = 4096, MOST = 4096, LEAST = 64 };
    static float a[SMALL * LONG], b[LONG * SMALL], c[SMALL * SMALL];
    double before = INFINITY;
    int wrong = 0;
    for (int i = 0; i < SMALL * LONG; i++) {
        a[i] = fabsf(uniform(i)) * (i % 2 ? 1 : -1);
        b[i] = fabsf(uniform(SMALL * LONG + i)) * (i / SMALL % 2 ? 1 : -1);
    }
    for (long promote = MOST; promote >= LEAST; promote /= 4) {
        double error = 0;
        multiply(way, promote, SMALL, SMALL, LONG, a, b, c);
        for (int i = 0; i < SMALL; i++)
            for (int j = 0; j < SMALL; j++) {
                double exact = 0;
                for (int l = 0; l < LONG; l++)
                    exact += (double)a[i * LONG + l] * b[l * SMALL + j];
                error += fabs(c[i * SMALL + j] - exact) / (SMALL * SMALL);
            }
        printf("%s, promoted every %4ld terms: mean error %.3g\n", way->variant, promote,
               error);
        wrong |= !(error < before / 2);
        before = error;
    }
    printf("promotion: %s\n", wrong ? "WRONG, it does not halve the error each time" : "right");
    return wrong;
}

/* Shapes with an odd number of rows of tiles, where two thread blocks are abreast on an H100,
 * the second of them with columns, with some, or with none; cut along k into parts, too. */
static int try_tiles(const struct tensor_method *way)
{
    static const struct {
        int m, n, k;
    } shapes[SHAPES] = {{40, 400, 136}, {300, 196, 136}, {64, 204, 1280}};
    int wrong = 0;
    for (int s = 0; s < SHAPES; s++) {
        int m = shapes[s].m, n = shapes[s].n, k = shapes[s].k, bad = 0;
        float *a = checked(malloc(sizeof *a * m * k)), *b = checked(malloc(sizeof *b * k * n)),
              *c = checked(malloc(sizeof *c * m * n));
        fill_operands(as_it_is, as_it_is, m, n, k, a, b);
        multiply(way, 0, m, n, k, a, b, c);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double exact = 0;
                for (int l = 0; l < k; l++)
                    exact += (double)a[i * k + l] * b[l * n + j];
                bad += !(fabs(c[i * n + j] - exact) <= k * (way->split + 0x1p-23));
            }
        printf("%-8s %d x %d x %d: %s\n", way->variant, m, n, k, bad ? "WRONG" : "right");
        wrong += bad > 0;
        free(a), free(b), free(c);
    }
    return wrong;
}

/* ---- Data of several kinds: errors compared with those of a plain sum in float ---- */

static float normal(unsigned number)
{
    double u = (uniform(2 * number) + 1) / 2, v = uniform(2 * number + 1);
    return (float)(sqrt(-2 * log(u + 1e-9)) * cos(3.14159265358979 * v));
}

static float positive(unsigned number) { return fabsf(uniform(number)); }
static float negative(unsigned number) { return -positive(number); }
/* Sums of these are beyond the floats, though no element is dropped. */
static float large(unsigned number) { return ldexpf(uniform(number), 119); }
static float large_positive(unsigned number) { return fabsf(large(number)); }
static float tiny(unsigned number) { return ldexpf(positive(number), -110); }
static float subnormal(unsigned number) { return ldexpf(positive(number), -132); }
static float relu(unsigned number) { return fmaxf(0, normal(number)); }
static float softmax(unsigned number) { return expf(normal(number)) / 3400; }
/* 86 % are positive, or 60 %, which is too few for centring a row. */
static float mostly_positive(unsigned number)
{
    return uniform(number + 1000000) < 0.72f ? positive(number) : negative(number);
}
static float more_positive(unsigned number)
{
    return uniform(number + 1000000) < 0.2f ? positive(number) : negative(number);
}

/* `levels`: up to how many; `times`: how much larger the errors may be. With bytes the error
   follows the largest element, which is far above the others in normal data. */
static const struct data_kind {
    const char *name;
    float (*a)(unsigned number), (*b)(unsigned number);
    int levels;
    double times_halves, times_bytes;
} kinds[] = {{"uniform", uniform, uniform, 0, 1, 4},
             {"normal", normal, normal, 0, 1, 8},
             {"positive", positive, positive, 2, 1, 4},
             {"negative", negative, negative, 2, 1, 4},
             {"ReLU", relu, relu, 2, 1, 4},
             {"softmax", softmax, softmax, 2, 1, 4},
             {"86 % positive", mostly_positive, positive, 2, 0.35, 8},
             {"60 % positive", more_positive, positive, 0, 1, 8},
             {"large positive", large_positive, tiny, 1, 8, 8},
             {"large", large, tiny, 1, 8, 8},
             {"subnormal", subnormal, large_positive, 1, 8, 8}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Sums of `length` terms, at most LONG. */
enum { LONG = 2048 };
static int try_kind(const struct data_kind *kind, const struct tensor_method *way, int length)
{
    enum { SMALL = 16 };
    static float a[SMALL * LONG], b[LONG * SMALL], c[SMALL * SMALL];
    double mean[2] = {0}, most[2] = {0},
           times = way->split < 0x1p-20 ? kind->times_halves : kind->times_bytes;
    for (int i = 0; i < SMALL * length; i++)
        a[i] = kind->a(i), b[i] = kind->b(SMALL * length + i);
    multiply(way, 0, SMALL, SMALL, length, a, b, c);
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < SMALL; j++) {
            double exact = 0, error[2];
            float plain = 0;
            for (int l = 0; l < length; l++) {
                exact += (double)a[i * length + l] * b[l * SMALL + j];
                plain = fmaf(a[i * length + l], b[l * SMALL + j], plain);
            }
            error[0] = fabs(c[i * SMALL + j] - exact), error[1] = fabs(plain - exact);
            for (int e = 0; e < 2; e++)
                mean[e] += error[e], most[e] = fmax(most[e], error[e]);
        }
    int wrong = !(mean[0] <= times * mean[1] && most[0] <= times * most[1]);
    printf("%-8s %d levels, %s data, %d terms: errors %.3g and %.3g of those in float: %s\n",
           way->variant, way->levels, kind->name, length, mean[0] / mean[1], most[0] / most[1],
           wrong ? "WRONG" : "right");
    return wrong;
}

int main(int argc, char **argv)
{
    int failed = 0, tried = 0, share = share_of(argc, argv);
    int count = backend.simulated ? WAYS - SLOW_WAYS : WAYS;
    if (backend.missing()) {
        printf("skipped: %s\n", backend.missing());
        return EXIT_SKIPPED;
    }
    if (leaf_missing()) {
        printf("skipped: %s\n", leaf_missing());
        return EXIT_SKIPPED;
    }
    for (int w = 0; w < count; w++)
        for (int i = 0; i < CASES; i++)
            if (i == 0 || its_turn(share))
                tried++, failed += try_case(&cases[i], &ways[w]);
    failed += try_promotion(&ways[1]);
    failed += try_tiles(&ways[1]) + try_tiles(&ways[4]);
    for (int w = 1; w < count; w++)
        for (int i = 0; i < KINDS; i++)
            if (ways[w].levels <= (ways[w].split < 0x1p-20 ? kinds[i].levels : 0) &&
                its_turn(share))
                tried++, failed += try_kind(&kinds[i], &ways[w], LONG);
    for (int i = 0; i < KINDS; i++)
        for (int length = 64; length < LONG; length *= 2)
            tried++, failed += try_kind(&kinds[i], &ways[1], length);
    printf("%d of %d wrong\n", failed, tried + 1 + 2 * SHAPES);
    return failed ? EXIT_WRONG : EXIT_RIGHT;
}
