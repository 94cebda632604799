/* SPDX-License-Identifier: MIT */
/** @file exact-cases.c
 * Tests step 23's theorem: an error bound that does not depend on the levels, in
 * which every row and every column has its own scale, and the same bits whatever the method,
 * the levels, the groups of moduli and the number of GPUs. And the arithmetic with residues by
 * itself, at its limits. Compiled for double and for float.
 *
 * An element of C is right when it is as in IEEE arithmetic (NaN, an infinity, beyond the
 * type's numbers), or within the chapter's bound of the product in long double.
 *
 * exact-cases [SHARE]: each case in one of SHARE ways to multiply, in turn; 1: in all.
 */
#include <cuda_runtime.h>

#include "steps/23-exact/residues/residues.h"
#include "tests/steps/multiply.h"

extern const struct step STEP;

enum { M = 19, N = 37, K = 45, ROOM = 512 };
enum {
    IS_FLOAT = sizeof(real) == sizeof(float),
    MOST_MODULI = IS_FLOAT ? MODULI_FLOAT : MODULI_MOST
};
enum { SET_GPUS = 3, SET_SAFE }; /* places in the step's settings, after moduli, groups, data */

static int failed, tried, share = 1;

static void expect(int right, const char *what)
{
    tried++;
    if (!right)
        failed++, printf("WRONG: %s\n", what);
}

/* ---- Residues ---- */

static uint64_t next_bits(void)
{
    static uint64_t counter;
    return random_bits(counter += RANDOM_STEP);
}

static void try_modulus(const struct modulus *m, int count)
{
    const struct reducer reducers[] = {reducer_of(m, 1), reducer_of(m, count)};
    const int64_t p = m->p, most = (int64_t)1 << 62;
    int wrong = 0, wrong_sums = 0;
    for (int i = 0; i < 20000; i++) {
        int64_t x = (int64_t)next_bits() >> i % 60;
        x = i == 0 ? INT64_MAX : i == 1 ? INT64_MIN : i == 2 ? 0 : i == 3 ? -1 : x;
        x = i < 16 && i > 3 ? (i % 2 ? most : -most) + i / 2 : x;
        for (int j = 0; j < 2; j++)
            for (int h = 0; h < (j ? count : 1); h++) {
                uint32_t rest = remainder_of((double)x, (uint32_t)x, &reducers[j]);
                wrong +=
                    ((int128)x - (signed char)residue_of(rest, &reducers[j], h)) % m[h].p != 0;
            }
        int32_t sum = (int32_t)(x % ((1 << 30) + 1));
        sum = i == 0 ? 1 << 30 : i == 1 ? -(1 << 30) : i < 300 ? (1 << 30) - i : sum;
        wrong_sums += residue_of_sum(sum, m) != (uint32_t)((sum % p + p) % p);
    }
    expect(!wrong, "residue_of()");
    expect(!wrong_sums, "residue_of_sum()");
}

static void try_system(int count)
{
    struct residue_system r = residue_system_of(count);
    uint128 product = 1, limit = 0;
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        try_modulus(&r.m[i], count - i > 1 ? 2 : 1);
        product *= r.m[i].p;
        for (int j = 0; j < i; j++) {
            uint32_t x = r.m[i].p, y = r.m[j].p;
            while (y) {
                uint32_t rest = x % y;
                x = y, y = rest;
            }
            expect(x == 1, "two moduli have a common divisor");
        }
    }
    limit = (product >> 1) - (product >> 7);
    for (int t = 0; t < 2000; t++) {
        int128 x = (int128)((uint128)next_bits() << 64 | next_bits()) % (int128)limit;
        x = t == 0 ? (int128)limit : t == 1 ? -(int128)limit : t == 2 ? 0 : t == 3 ? -1 : x;
        struct rebuilt y = {{0}};
        for (int i = 0; i < count; i += 2) {
            uint32_t v = 0;
            for (int h = 0; h < 2 && i + h < count; h++) {
                int p = (int)r.m[i + h].p, residue = (int)((x % p + p) % p);
                /* as much as a sum of 16 bytes may be */
                residue += t % 3 == 0 ? 0 : t % 3 == 1 ? p : (4080 - p) / p * p;
                v += (r.pairs[i / 2].factors >> 16 * h & 0xffff) * (uint32_t)residue;
            }
            rebuild_add(&y, v, &r.pairs[i / 2], unit_pieces(count));
        }
        wrong += rebuild_end(&y, &r, unit_pieces(count)) != x << r.scale;
    }
    expect(!wrong, "rebuild_end()");
    long double both = 1;
    for (int side = 0; side < 2; side++) {
        expect(r.limits[side].part >> 63 != 0, "all bits of a norm's limit");
        both *= ldexpl((long double)r.limits[side].part, r.limits[side].exponent);
    }
    expect(both <= (long double)limit * (long double)limit * (1 + 0x1p-60L),
           "the limits of the norms");
}

static void try_doubles(void)
{
    int wrong = 0, wrong_floats = 0;
    for (int i = 0; i < 20000; i++) {
        int128 x = (int128)((uint128)next_bits() << 64 | next_bits()) >> (3 + i % 124);
        int s = (int)(next_bits() % 400) - 200;
        wrong += double_of(x, s) != ldexp((double)x, -s); /* the compiler's conversion */
    }
    expect(!wrong, "double_of()");
    expect(double_of((int128)1 << 100, 1174) == 0x1p-1074, "the smallest number");
    expect(isinf(double_of((int128)1 << 100, -924)), "beyond the doubles");
    expect(integer_of(0x1.8p-1074, -1074) == 0 && integer_of(0x1p-1074, 1074) == 1,
           "integers from the smallest numbers");
    for (int i = 0; i < 20000; i++) {
        int64_t x = (int64_t)next_bits() >> (9 + i % 50);
        /* every third is near the middle between two floats */
        x = i % 3 ? x : (x >> 40 | 1 << 23) * (1LL << 31) + (1 << 30) + i % 5 - 2;
        int s = (int)(next_bits() % 240) - 60;
        wrong_floats += float_of(x, s) != (float)ldexpl((long double)x, -s);
    }
    expect(!wrong_floats, "float_of()");
    expect(integer_of(2.5, 0) == 2 && integer_of(3.5, 0) == 4, "ties go to even");
}

/* ---- Products ---- */

struct method {
    const char *variant;
    int levels, groups, gpus;
    bool once; /* in the first case only on the simulated GPU, where it is slow */
};
static const struct method methods[] = {{"residues-plain", 0, 1},
                                        {"residues-plain", 1, 1},
                                        {"residues-plain", 2, 1},
                                        {"residues-cublas", 0, 1},
                                        {"residues-cublas", 1, 3},
                                        {"residues", 0, 1},
                                        {"residues", 0, 16, 0, true},
                                        {"residues", 1, 1},
                                        {"residues", 1, 5},
                                        {"residues", 2, 1},
                                        {"residues", 2, 2, 0, true},
                                        {"residues-mma", 0, 1, 0, true},
                                        {"residues-mma", 1, 5, 0, true},
                                        {"residues-mma", 2, 1, 0, true},
                                        {"shared-moduli", 0, 1, 2, true},
                                        {"shared-moduli", 1, 3, 2, true},
                                        {"shared-moduli", 2, 2, 3, true}};
enum { METHODS = sizeof methods / sizeof *methods };

static int gpus;  /* the number of GPUs */
static bool safe; /* all methods multiply in the safe mode */

static void multiply(const struct method *way, int moduli, int m, int n, int k, const real *a,
                     const real *b, real *c)
{
    struct context ctx = {.threads = 1, .settings = {moduli, way->groups}};
    ctx.settings[SET_GPUS] = way->gpus, ctx.settings[SET_SAFE] = safe;
    multiply_by(find_variant(STEP.variants, way->variant), &ctx, way->levels, m, n, k, a, b, c);
}

/* ---- Kinds of operands ---- */

enum { APART = IS_FLOAT ? 8 : 1 }; /* divides exponents */

static double far_apart(ELEMENT)
{
    return ldexp(u, ((i * 7919 + j / 20 * 101) % 600 - 300) / APART);
}
static double columns_far_apart(ELEMENT) { return ldexp(u, (310 - j * 7907 % 600) / APART); }
static double below_normal(ELEMENT) { return ldexp(u, IS_FLOAT ? -140 : -1040); }
static double times_2_1000(ELEMENT) { return ldexp(u, 1000 / APART); }
static double cancels_left(ELEMENT)
{
    return (j % 2 ? -1 : 1) * uniform((unsigned)(i * K + j / 2));
}
static double cancels_right(ELEMENT) { return uniform((unsigned)(i / 2 * N + j)); }
static double one_large(ELEMENT) { return j == 8 ? ldexp(1, 500 / APART) : u; }
static double infinity_in_row(ELEMENT) { return i == 18 && j == 0 ? INFINITY : u; }
static double infinity_in_column(ELEMENT) { return j == 36 && i == 44 ? -INFINITY : u; }
static double largest(ELEMENT) { return i % 2 ? (IS_FLOAT ? FLT_MAX : DBL_MAX) : u; }
static double all_infinite(ELEMENT) { return i % 2 ? -INFINITY : INFINITY; }
static double positive(ELEMENT) { return j == 5 && i == 7 ? 0 : fabs(u) + 0x1p-30; }
static double half_infinite(ELEMENT) { return (i + j) % 2 ? u : i % 3 ? INFINITY : -INFINITY; }
static double permutation(ELEMENT) { return j == i * 7 % K; }
static double powers_on_diagonal(ELEMENT)
{
    return i == j ? ldexp(i % 3 ? 1 : -1, (40 * i - 400) / APART) : 0;
}
static double band(ELEMENT) { return abs(i - j) < 5 ? u : 0; }
static double integers(ELEMENT) { return floor(1000 * u); }
static double up_to_2_40(ELEMENT) { return floor(ldexp(u, IS_FLOAT ? 20 : 40)); }
static double long_and_short(ELEMENT) { return j == 0 ? 0x1p52 : 1; }
static double longer_and_short(ELEMENT) { return j == 0 ? 0x1p60 : 1; }
static double ones(ELEMENT) { return 1; }
static double ones_below(ELEMENT) { return i > 0; }
static double falling(ELEMENT) { return ldexp(u, -j * (i % 4) * (i % 4)); }
static double rising(ELEMENT) { return ldexp(u, i * (j % 4) * (j % 4)); }
static double few_below(ELEMENT) { return i < j ? u : i % 3 ? 0 : ldexp(u, -200); }

struct data {
    const char *name;
    element *a, *b;
    bool exact; /* every element is the nearest number */
};
static const struct data cases[] = {
    {"uniform", as_it_is, as_it_is},
    {"rows and columns over 600 binades", far_apart, columns_far_apart},
    {"a below the normal numbers", below_normal, as_it_is},
    {"a below the normal numbers, b large", below_normal, times_2_1000},
    {"both below the normal numbers: zero", below_normal, below_normal},
    {"products beyond the doubles", times_2_1000, times_2_1000},
    {"terms that cancel", cancels_left, cancels_right},
    {"a large element in each row", one_large, as_it_is},
    {"rows of the largest number", largest, as_it_is},
    {"a NaN in A", nan_in_row, as_it_is},
    {"an infinity in A", infinity_in_row, as_it_is},
    {"an infinity in B, and a row of zeros", zero_row, infinity_in_column},
    {"a NaN in A, an infinity in B", nan_in_row, infinity_in_column},
    {"zeros", all_zero, as_it_is},
    {"NaNs alone", all_nan, as_it_is},
    {"infinities alone, positive numbers and a zero", all_infinite, positive},
    {"infinities on both sides", half_infinite, half_infinite},
    {"infinities, and a matrix with few numbers", band, infinity_in_column},
    {"a permutation", permutation, as_it_is, true},
    {"a permutation of columns over 600 binades", permutation, far_apart, true},
    {"a permutation on the right", columns_far_apart, permutation, true},
    {"powers of two on the diagonal", powers_on_diagonal, as_it_is, true},
    {"nine diagonals", band, far_apart, true},
    {"nine diagonals on both sides", band, band, true},
    {"integers", integers, up_to_2_40, true},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Only the safe mode has the triple loop's bound for these, or is exact. */
static const struct data safe_cases[] = {
    {"a long integer in each row", long_and_short, ones, true},
    {"a longer one that meets a zero", longer_and_short, ones_below, true},
    {"terms of one size from rows and columns of many", falling, rising},
    {"columns of which only a part is large", as_it_is, few_below},
};
enum { SAFE_CASES = sizeof safe_cases / sizeof *safe_cases };

/* The chapter's statements: bounds for any product, and exact cases. */
static const struct promise {
    int moduli;
    long double of_norms; /* base 2 logarithm */
} promises[] = {{IS_FLOAT ? MODULI_FLOAT : MODULI_EXACT, IS_FLOAT ? -26.3L : -53.5L},
                {MODULI_FEWER, -49.7L},
                {MODULI_MORE, -59.4L}};
enum { PROMISES = IS_FLOAT ? 1 : 3 };

/* The elements outside the chapter's bound: sqrt(k) 2^of_norms times the norms of the row and
   the column, then the element is rounded. `exact`: it is rounded alone, from the whole sum.
   The safe mode's bound is (k + 1) 2^-53 times the sum of the terms' sizes, unless that is
   beyond the doubles; products below the normal numbers are rounded. */
static int judge(const real *a, const real *b, const real *c, long double of_norms,
                 bool exact_sums)
{
    int wrong = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            long double exact = 0, row = 0, column = 0, sizes = 0;
            for (int l = 0; l < K; l++) {
                long double x = a[i * K + l], y = b[l * N + j];
                exact += x * y, row += x * x, column += y * y, sizes += fabsl(x * y);
            }
            long double allowed =
                (exact_sums                 ? (IS_FLOAT ? 0x1p-52L : 0x1p-60L) * fabsl(exact)
                 : safe && sizes <= DBL_MAX ? (K + 1) * (0x1p-53L * sizes + 0x1p-1074L)
                                            : sqrtl(K * row * column) * exp2l(of_norms) +
                                                  (IS_FLOAT ? 0x1p-149L : 0x1p-1074L)) +
                fabsl(exact) * (IS_FLOAT ? 0x1p-24L : 0x1p-53L);
            wrong += !is_right(exact, c[i * N + j], allowed);
        }
    return wrong;
}

/* A case in every number of moduli that the library has. */
static void try_promises(const struct data *x)
{
    static real a[M * K], b[K * N], c[M * N];
    char what[256];
    fill_operands(x->a, x->b, M, N, K, a, b);
    for (int i = 0; i < PROMISES; i++)
        for (int levels = 0; levels <= 1; levels++) {
            const struct method way = {"residues", levels, 1, 0};
            if (!its_turn(share))
                continue;
            multiply(&way, promises[i].moduli, M, N, K, a, b, c);
            int wrong = judge(a, b, c, promises[i].of_norms, x->exact);
            snprintf(what, sizeof what, "%s, %d moduli with %d levels: %d elements wrong",
                     x->name, promises[i].moduli, levels, wrong);
            expect(wrong == 0, what);
        }
}

/* `step`: 1 for all methods. */
static void try_case(const struct data *x, int step)
{
    static real a[M * K], b[K * N], c[M * N], first[M * N];
    char what[256];
    fill_operands(x->a, x->b, M, N, K, a, b);
    for (int w = 0; w < METHODS; w += step) {
        if (methods[w].gpus > gpus || (backend.simulated && methods[w].once && x != cases) ||
            (w > 0 && x != cases && !its_turn(share)))
            continue;
        multiply(&methods[w], 0, M, N, K, a, b, c);
        if (w == 0)
            memcpy(first, c, sizeof c);
        int wrong = judge(a, b, c, promises[0].of_norms, x->exact);
        snprintf(what, sizeof what, "%s, %s%s with %d levels: %d elements out of bounds",
                 x->name, methods[w].variant, safe ? ", safe," : "", methods[w].levels, wrong);
        expect(wrong == 0, what);
        int differ = 0;
        for (int i = 0; i < M * N; i++)
            differ +=
                !(isnan(c[i]) && isnan(first[i])) && memcmp(&c[i], &first[i], sizeof *c) != 0;
        snprintf(what, sizeof what,
                 "%s, %s with %d levels, %d groups, %d GPUs: %d elements of other bits",
                 x->name, methods[w].variant, methods[w].levels, methods[w].groups,
                 methods[w].gpus ? methods[w].gpus : 1, differ);
        expect(differ == 0, what);
    }
}

/* Each further modulus divides the error by about fifteen, until only the rounding of C is
   left. */
static void try_moduli(void)
{
    enum { SMALL = 16, LONG = 600 };
    static real a[SMALL * LONG], b[LONG * SMALL], c[SMALL * SMALL];
    const struct method way = {"residues", 0, 1};
    long double before = 0;
    fill_operands(as_it_is, as_it_is, SMALL, SMALL, LONG, a, b);
    const int least = IS_FLOAT ? 3 : 10;
    for (int moduli = least; moduli <= MOST_MODULI; moduli++) {
        long double error = 0;
        int nearest = 0;
        multiply(&way, moduli, SMALL, SMALL, LONG, a, b, c);
        for (int i = 0; i < SMALL * SMALL; i++) {
            long double exact = 0;
            for (int l = 0; l < LONG; l++)
                exact += (long double)a[i / SMALL * LONG + l] * b[l * SMALL + i % SMALL];
            error += fabsl(c[i] - exact) / (SMALL * SMALL);
            nearest += c[i] == (real)exact;
        }
        printf("%d moduli: mean error %.3Lg, %d of %d correctly rounded\n", moduli, error,
               nearest, SMALL * SMALL);
        if (moduli > least && moduli < least + (IS_FLOAT ? 4 : 5))
            expect(error < before / 6, "a modulus more has too little effect");
        if (moduli == MODULI_MORE)
            expect(nearest >= SMALL * SMALL * 9 / 10, "16 moduli round correctly");
        before = error;
    }
}

/* Any number of moduli can be shared: with few of them some GPUs have none. */
static void try_shares(void)
{
    enum { SMALL = 16, TERMS = 40 };
    static real a[SMALL * TERMS], b[TERMS * SMALL], one[SMALL * SMALL], c[SMALL * SMALL];
    const struct method alone = {"residues", 0, 1};
    fill_operands(as_it_is, as_it_is, SMALL, SMALL, TERMS, a, b);
    for (int moduli = 1; moduli <= MOST_MODULI; moduli += moduli < 5 ? 1 : MOST_MODULI - 5) {
        multiply(&alone, moduli, SMALL, SMALL, TERMS, a, b, one);
        for (int count = 1; count <= gpus; count++) {
            const struct method way = {"shared-moduli", 0, 1, count};
            multiply(&way, moduli, SMALL, SMALL, TERMS, a, b, c);
            expect(memcmp(c, one, sizeof c) == 0, "shared moduli have other bits");
        }
    }
}

/* A large product has the fewest groups of moduli whose workspace fits in a third of the GPU's
   memory, at most five. (Three moduli, because the simulated GPU has at most 16 GiB.) */
static void try_groups(void)
{
    const struct variant *v = find_variant(STEP.variants, "residues");
    const struct product p = product_of_size(24576, 24576, 24576);
    for (int groups = 1; backend.simulated && groups <= 5; groups++) {
        const struct context asked = {.threads = 1, .settings = {3, groups}},
                             usual = {.threads = 1, .settings = {3}};
        size_t elements = v->workspace(&asked, p, 0);
        char memory[32];
        snprintf(memory, sizeof memory, "%zu", 3 * (elements + 1) * sizeof(real));
        setenv("SIMGPU_MEMORY", groups < 5 ? memory : "1", 1);
        expect(v->workspace(&usual, p, 0) == elements, "another number of groups");
    }
    unsetenv("SIMGPU_MEMORY");
}

/* More terms than a sum of multiplications of bytes may have, all of them alike: sums at their
 * limit. Few moduli are enough for this product; the slow methods get one on the simulated GPU,
 * and are compared with plain C.
 */
static void try_many_terms(void)
{
    enum { MANY = TERMS_IN_A_SUM + 300 };
    static real a[MANY], b[MANY];
    for (int w = 0; w < METHODS; w++) {
        real c = 0, x = 0x1.8p-7f, right = -x * x * MANY;
        bool one = backend.simulated && methods[w].once;
        if (methods[w].levels || methods[w].groups > 1 || methods[w].gpus > gpus)
            continue;
        for (int l = 0; l < MANY; l++)
            a[l] = x, b[l] = -x;
        if (one)
            multiply(&methods[0], 1, 1, 1, MANY, a, b, &right);
        multiply(&methods[w], one ? 1 : backend.simulated ? 4 : 0, 1, 1, MANY, a, b, &c);
        expect(c == right, "more than 65536 terms");
    }
}

/* Safe: each column takes 18 of a row's odd integers of 49 bits, one of them three times. The
   sum has 53 bits, and none may be lost, although the norm of the row has 55 bits. */
static void try_long_integers(void)
{
    enum { SMALL = 16, LONG = 8192, APART = 450 };
    static real a[SMALL * LONG], b[LONG * SMALL], c[SMALL * SMALL];
    const struct method ways[] = {{"residues-plain", 0, 1}, {"residues", 1, 1}};
    for (int i = 0; i < SMALL * LONG; i++) {
        int l = i / SMALL, taken = l % APART == i % SMALL && l < 18 * APART;
        a[i] = i % LONG == LONG - 1
                   ? 0x1p50 - 1
                   : 0x1p48 + 2 * floor(ldexp(fabs(uniform((unsigned)i)), 40)) + 1;
        b[i] = taken ? l < APART ? 3 : 1 : 0;
    }
    for (int w = 0; w < 2; w++) {
        int wrong = 0;
        multiply(&ways[w], 0, SMALL, SMALL, LONG, a, b, c);
        for (int i = 0; i < SMALL * SMALL; i++) {
            int64_t exact = 0;
            for (int l = 0; l < LONG; l++)
                exact += (int64_t)a[i / SMALL * LONG + l] * (int64_t)b[l * SMALL + i % SMALL];
            wrong += (int64_t)c[i] != exact;
        }
        expect(wrong == 0, "integers of 49 bits");
    }
}

/* Safe: zeros that pad k to a multiple of 16 change no bits. Some of these elements are sums of
   doubles, the others are not. */
static void try_padding(void)
{
    enum { SMALL = 16, LONG = 82, PADDED = 96 };
    static real a[SMALL * PADDED], b[PADDED * SMALL], c[SMALL * SMALL], first[SMALL * SMALL];
    const struct method way = {"residues", 1, 1};
    for (int k = LONG; k <= PADDED; k += 7) {
        for (int i = 0; i < SMALL * k; i++) {
            a[i] = i % k < LONG ? uniform((unsigned)(i / k * LONG + i % k)) : 0;
            b[i] = i / SMALL < LONG ? uniform((unsigned)(i + SMALL * LONG)) : 0;
        }
        multiply(&way, 0, SMALL, SMALL, k, a, b, c);
        if (k == LONG)
            memcpy(first, c, sizeof c);
        expect(memcmp(c, first, sizeof c) == 0, "padding changes bits");
    }
}

/* Columns whose parts differ in size: the kernels read B in strips of rows, and A's long rows
   in parts. */
static void try_strips(void)
{
    enum { SMALL = 16, LONG = 1100 };
    static real a[SMALL * LONG], b[LONG * SMALL], c[SMALL * SMALL], plain[SMALL * SMALL];
    const struct method ways[] = {
        {"residues-plain", 0, 1}, {"residues", 0, 1}, {"residues", 1, 1}};
    for (int i = 0; i < SMALL * LONG; i++) {
        int row = i / SMALL, col = i % SMALL;
        a[i] = (real)ldexp(uniform((unsigned)i), i % LONG / 300 * (i / LONG % 3 - 1));
        b[i] = col % 4 == 0 && row < 300 ? 0
                                         : (real)ldexp(uniform((unsigned)(i + SMALL * LONG)),
                                                       row / 100 * (col % 5 - 2));
    }
    for (int w = 0; w < 3; w++) {
        multiply(&ways[w], 0, SMALL, SMALL, LONG, a, b, w ? c : plain);
        expect(w == 0 || memcmp(c, plain, sizeof c) == 0, "strips of different sizes");
    }
}

/* Uniform and normally distributed numbers need no sums of doubles in long sums: the safe mode
   has the bits of the other one. */
static void try_ordinary(void)
{
    enum { SMALL = 16, LONG = 2048 };
    static real a[SMALL * LONG], b[LONG * SMALL], c[2][SMALL * SMALL];
    const struct method way = {"residues", 1, 1};
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < SMALL * LONG; i++) {
            double u = uniform((unsigned)i), v = uniform((unsigned)(i + SMALL * LONG));
            double size = sqrt(-2 * log((u + 1) / 2 + 0x1p-60)); /* Box and Muller */
            a[i] = kind ? size * cos(v * acos(-1)) : u;
            b[i] = kind ? size * sin(v * acos(-1)) : v;
        }
        for (int i = 0; i < 2; i++) {
            safe = i;
            multiply(&way, 0, SMALL, SMALL, LONG, a, b, c[i]);
        }
        expect(memcmp(c[0], c[1], sizeof *c) == 0, "sums of doubles for ordinary numbers");
    }
}

static void try_safe(void)
{
    try_ordinary();
    safe = true;
    for (int i = 0; i < CASES; i++)
        try_case(&cases[i], 4); /* each variant once */
    for (int i = 0; i < SAFE_CASES; i++)
        try_case(&safe_cases[i], 1), try_promises(&safe_cases[i]);
    try_long_integers();
    try_padding();
    try_strips();
    safe = false;
}

int main(int argc, char **argv)
{
    share = share_of(argc, argv);
    if (backend.missing()) {
        printf("skipped: %s\n", backend.missing());
        return EXIT_SKIPPED;
    }
    if (cudaGetDeviceCount(&gpus) != cudaSuccess)
        return EXIT_RESOURCE;
    for (int count = 1; count <= MODULI_MOST; count++)
        try_system(count);
    try_doubles();
    for (int i = 0; i < CASES; i++)
        try_case(&cases[i], 1), try_promises(&cases[i]);
    try_moduli();
    try_shares();
    try_groups();
    if (!IS_FLOAT || share == 1) /* the sums of bytes are the same source in both types */
        try_many_terms();
    try_strips();
    if (!IS_FLOAT)
        try_safe();
    const char *fault = backend.fault ? backend.fault() : NULL;
    expect(!fault, fault ? fault : "");
    printf("%d of %d wrong, on up to %d GPU%s\n", failed, tried, gpus, gpus == 1 ? "" : "s");
    return failed ? EXIT_WRONG : EXIT_RIGHT;
}
