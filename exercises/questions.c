/* SPDX-License-Identifier: MIT */
#include "exercises/questions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/device/worker.h"
#include "common/matrix/random.h"
#include "common/scheme.h"

static struct {
    enum question_kind kind; /* 0: none was asked */
    int asked;
    bool over;
    uint64_t counter; /* of random numbers */
    int counts[3];
    int worst; /* how bad the example is */
    char example[128];
} now;

void questions_reset(void) { memset(&now, 0, sizeof now); }

void *questions_place(void)
{
    static struct question_sample alone; /* the larger one of the two */
    return worker_room() ? worker_room() : &alone;
}

/* Nobody can foretell it, so that an answer cannot make the questions itself. */
static uint64_t chance(void)
{
    if (!now.counter && getentropy(&now.counter, sizeof now.counter) != 0)
        now.counter = 1;
    return random_bits(now.counter += RANDOM_STEP);
}

static int below(int n) { return (int)(chance() % (unsigned)n); }

/* From 0 to 1. */
static double part(void) { return (random_uniform(chance()) + 1) / 2; }

/* ---- samples for a check ---- */

/* A sample is made from a correct product by spoil(); `shown` says of which products. */
enum shown { ALWAYS, IN_LONG_SUMS, IF_NOTHING_CANCELS };
struct spoiling {
    bool right;
    const char *name;
    enum shown shown;
    void (*spoil)(float *c, long m, long n, long k);
};

static void leave(float *c, long m, long n, long k) { (void)c, (void)m, (void)n, (void)k; }

static void never_write(float *c, long m, long n, long k)
{
    (void)k;
    memset(c, 0xff, (size_t)(m * n) * sizeof *c);
}

static void leave_out_the_last(float *c, long m, long n, long k)
{
    (void)k;
    memset(c + m * n - 1, 0xff, sizeof *c);
}

static void write_zeros(float *c, long m, long n, long k)
{
    (void)k;
    memset(c, 0, (size_t)(m * n) * sizeof *c);
}

/* The element that is largest by its absolute value, or, with -1, smallest. */
static float *extreme(float *c, long count, float sign)
{
    float *most = c;
    for (long i = 0; i < count; i++)
        most = sign * fabsf(c[i]) > sign * fabsf(*most) ? &c[i] : most;
    return most;
}

static void turn_a_sign(float *c, long m, long n, long k)
{
    (void)k;
    *extreme(c, m * n, 1) *= -1;
}

static void overflow(float *c, long m, long n, long k)
{
    (void)k;
    *extreme(c, m * n, 1) = INFINITY;
}

static void take_a_row_twice(float *c, long m, long n, long k)
{
    (void)m, (void)k;
    memcpy(c, c + n, (size_t)n * sizeof *c);
}

/* Makes one element as wrong as in a product of factors rounded to 10 bits. */
static void be_a_little_wrong(float *c, long m, long n, long k)
{
    (void)k;
    *extreme(c, m * n, 1) *= 1 + 0x1p-11f;
}

/* Changes all elements by a few bits, as if sums were rounded in another order: the bound still
 * allows it. */
static void round_otherwise(float *c, long m, long n, long k)
{
    (void)k;
    for (long i = 0; i < m * n; i++)
        c[i] *= below(2) ? 1 + 0x1p-23f : 1 - 0x1p-24f;
}

/* If nothing cancels, an element is as large as the sum of its terms' magnitudes; its bound is
 * (k + 1) u times that. */
static void use_half_the_bound(float *c, long m, long n, long k)
{
    for (long i = 0; i < m * n; i++)
        c[i] *= 1 + (float)((1 - part() / 8) * (double)(k + 1) * 0x1p-25);
}

static void exceed_the_bound(float *c, long m, long n, long k)
{
    *extreme(c, m * n, -1) *= 1 + 4 * (float)(k + 1) * 0x1p-24f;
}

static const struct spoiling spoilings[] = {
    {true, "the trusted product", ALWAYS, leave},
    {false, "never written", ALWAYS, never_write},
    {false, "the last element never written", ALWAYS, leave_out_the_last},
    {false, "all zeros", ALWAYS, write_zeros},
    {false, "one sign turned", ALWAYS, turn_a_sign},
    {false, "one element infinite", ALWAYS, overflow},
    {false, "one row twice", ALWAYS, take_a_row_twice},
    {false, "one element off by a 2048th", ALWAYS, be_a_little_wrong},
    {true, "rounded otherwise", IN_LONG_SUMS, round_otherwise},
    {true, "errors of nearly half the bound", IF_NOTHING_CANCELS, use_half_the_bound},
    {false, "one error of four times the bound", IF_NOTHING_CANCELS, exceed_the_bound}};
enum { SPOILINGS = sizeof spoilings / sizeof *spoilings };

/* The products that the samples are made of. A's numbers are multiplied by `scale`. */
static const struct product_kind {
    const char *name;
    float scale;
    bool positive, one_term; /* both matrices without signs; k = 1 */
} kinds[] = {{.name = "ordinary numbers", .scale = 1},
             {.name = "very small numbers", .scale = 0x1p-40f},
             {.name = "very large numbers", .scale = 0x1p40f},
             {.name = "positive numbers", .scale = 1, .positive = true},
             {.name = "sums of one term", .scale = 1, .one_term = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The samples of a call: kind by kind, each kind's in any order. */
static struct {
    const struct spoiling *spoiling;
    const struct product_kind *kind;
} order[SPOILINGS * KINDS];
static int samples;
static struct question_sample sample; /* the last one */

static void draw_order(void)
{
    samples = 0;
    for (const struct product_kind *kind = kinds; kind < kinds + KINDS; kind++)
        for (int i = 0, first = samples; i < SPOILINGS; i++) {
            enum shown shown = spoilings[i].shown;
            if ((shown == IN_LONG_SUMS && kind->one_term) ||
                (shown == IF_NOTHING_CANCELS && !kind->one_term && !kind->positive))
                continue;
            int place = first + below(samples - first + 1);
            order[samples++] = order[place];
            order[place].spoiling = &spoilings[i], order[place].kind = kind;
        }
}

/* Makes the terms of the first row's sums cancel: its elements are the trusted product's
 * errors. A bound relative to the result is too narrow there, whatever numbers were drawn. */
static void cancel_in_the_first_row(float *a, float *b, long n, long k)
{
    long half = k / 2;
    for (long l = 0; l < half; l++)
        a[half + l] = -a[l];
    memcpy(b + half * n, b, (size_t)(half * n) * sizeof *b);
    if (k % 2)
        a[k - 1] = 0;
}

static void draw_sample(void)
{
    const struct product_kind *kind = order[now.asked].kind;
    long m = 8 + below(23), n = 8 + below(23), k = kind->one_term ? 1 : 40 + below(31);
    float *a = sample.numbers, *b = a + m * k, *c = b + k * n;
    memset(&sample, 0, sizeof sample);
    sample.m = m, sample.n = n, sample.k = k;
    for (float *x = a; x < c; x++) {
        float number = (float)random_uniform(chance());
        *x = (kind->positive ? fabsf(number) : number) * (x < b ? kind->scale : 1);
    }
    if (!kind->positive && !kind->one_term)
        cancel_in_the_first_row(a, b, n, k);
    for (long i = 0; i < m * n; i++)
        for (long l = 0; l < k; l++)
            c[i] += a[i / n * k + l] * b[l * n + i % n];
    order[now.asked].spoiling->spoil(c, m, n, k);
}

/* How the last sample was judged. The example is of the worst kind: the goals ask about changed
 * matrices first, then about wrong products that were accepted. */
static void judge_sample(bool accepted)
{
    enum { AS_IT_IS, REFUSED, ACCEPTED, CHANGED };
    static const char *const words[] = {"", "refused", "accepted", "changed"};
    const struct spoiling *spoiling = order[now.asked - 1].spoiling;
    bool changed = memcmp(questions_place(), &sample, sizeof sample) != 0;
    int judgement = changed                       ? CHANGED
                    : accepted == spoiling->right ? AS_IT_IS
                    : accepted                    ? ACCEPTED
                                                  : REFUSED;
    now.counts[0] += !spoiling->right && !accepted;
    now.counts[1] += spoiling->right && accepted;
    now.counts[2] += changed;
    if (judgement <= now.worst)
        return;
    now.worst = judgement;
    snprintf(now.example, sizeof now.example, " example=%s was %s (%s)", spoiling->name,
             words[judgement], order[now.asked - 1].kind->name);
}

/* ---- tables of coefficients ---- */

enum { PRODUCTS = 7, BLOCKS = 4, NONE = -1, CHANGES = 4 };
enum side { A, B, C };
static const int shifts[] = {0, 6, 12};
enum { SHIFTS = 3, TABLES = 3 * PRODUCTS * BLOCKS * SHIFTS * CHANGES };

static struct {
    struct question_table table;
    const char *what;
    int right[2]; /* answers */
} asked;

/* Adds a multiple of one row of quadrants to the other one; of one column, if `step` is 1. */
static void add_line(int64_t x[BLOCKS], int step, int from, int quarters)
{
    int across = 3 - step;
    x[(1 - from) * step] += x[from * step] * quarters / 4;
    x[(1 - from) * step + across] += x[from * step + across] * quarters / 4;
}

/* What is added on one side of the products is taken back on the other: in A's and C's rows,
   in A's columns and B's rows, or in B's and C's columns. */
static void change_basis(struct question_table *t, enum side one, int step, enum side other,
                         int other_step)
{
    int from = below(2), quarters = (below(2) ? 4 : -4) >> (t->shift ? below(3) : 0);
    for (int p = 0; p < PRODUCTS; p++) {
        add_line(t->of[one][p], step, from, quarters);
        add_line(t->of[other][p], other_step, 1 - from, -quarters);
    }
}

/* Strassen's table, with other bases and the products in any order. */
static void draw_right_table(struct question_table *t, int shift)
{
    int first = below(PRODUCTS), step = 1 + below(PRODUCTS - 1);
    t->shift = shift;
    for (int p = 0; p < PRODUCTS; p++) {
        const struct scheme_product *from = &strassen_scheme.product[p];
        int to = (first + p * step) % PRODUCTS;
        for (int i = 0; i < BLOCKS; i++) {
            t->of[A][to][i] = (int64_t)from->a[i] * (1 << shift);
            t->of[B][to][i] = (int64_t)from->b[i] * (1 << shift);
            t->of[C][to][i] = (int64_t)from->c[i] * (1 << shift);
        }
    }
    change_basis(t, A, 2, C, 2);
    change_basis(t, A, 1, B, 2);
    change_basis(t, B, 1, C, 1);
}

static int first_wrong(const struct question_table *t)
{
    for (int at = 0; at < BLOCKS * BLOCKS * BLOCKS; at++) {
        int i = at / 16, j = at / 4 % 4, q = at % 4;
        int64_t fits = i % 2 == j / 2 && i / 2 == q / 2 && j % 2 == q % 2, sum = 0;
        for (int p = 0; p < PRODUCTS; p++)
            sum += t->of[A][p][i] * t->of[B][p][j] * t->of[C][p][q];
        if (sum != fits << 3 * t->shift)
            return at;
    }
    return NONE;
}

/* A right table, or one with a wrong coefficient, with one of another product, too, or without
   a product's sum. */
static void draw_table(void)
{
    static const char *const names[] = {"a right table", "one wrong coefficient",
                                        "two wrong coefficients", "a row of zeros"};
    struct question_table *t = &asked.table;
    int change = now.asked % CHANGES, at = now.asked / CHANGES / SHIFTS;
    int side = at % 3, p = at / 3 % PRODUCTS, i = at / 3 / PRODUCTS, left_out = 0;
    draw_right_table(t, shifts[now.asked / CHANGES % SHIFTS]);
    int64_t *x = &t->of[side][p][i];
    if (change == 1 || change == 2) /* its sign, left out, or a little more */
        *x = *x && below(2) ? -*x : *x && below(2) ? 0 : *x + (below(2) ? 1 : 1 << t->shift);
    if (change == 2)
        t->of[side][(p + 1 + below(PRODUCTS - 1)) % PRODUCTS][i] += 1 << t->shift;
    for (int j = 0; j < BLOCKS && change == 3; j++)
        left_out += t->of[side][p][j] != 0, t->of[side][p][j] = 0;
    asked.what = names[change];
    asked.right[0] = first_wrong(t);
    asked.right[1] = change == 1 || left_out == 1 ? p : NONE;
}

static void judge_table(const int given[2])
{
    static const char *const names[] = {"equation", "product"};
    for (int i = 0; i < 2; i++) {
        now.counts[i] += given[i] == asked.right[i];
        if (given[i] == asked.right[i] || now.worst >= 2 - i) /* the goals ask in this order */
            continue;
        now.worst = 2 - i;
        snprintf(now.example, sizeof now.example, " example=%s with shift %d: %s %d and not %d",
                 asked.what, asked.table.shift, names[i], asked.right[i], given[i]);
    }
}

/* ---- numbers at which a reduction may go wrong ---- */

enum { MODULI = 7, SUMS = 12, NUMBERS = 24, RESIDUES = MODULI * NUMBERS };
static struct question_residue number;

/* What is asked of a number, its modulus included. */
static uint32_t draw_number(int which)
{
    static const uint32_t moduli[MODULI] = {256, 255, 253, 251, 247, 241, 239};
    const int64_t p = moduli[which / NUMBERS], limit = 1 << 30, last = limit / p * p;
    const int64_t numbers[NUMBERS] = {
        0,         1,         -1,        p - 1,      p,         1 - p,
        -p,        last - 1,  last,      -last,      limit,     -limit,
        256,       -256,      limit * p, -limit * p, 1ll << 38, -(1ll << 38),
        INT64_MAX, INT64_MIN, 255,       65535,      1ll << 32, -(1ll << 32)};
    number.x = numbers[which % NUMBERS];
    number.modulus = which / NUMBERS;
    number.is_sum = which % NUMBERS < SUMS;
    return (uint32_t)p;
}

static void judge_residue(int given)
{
    int64_t p = draw_number(now.asked - 1);
    int right = (int)((number.x % p + p) % p);
    now.counts[0] += given == right;
    if (given == right || now.worst++)
        return;
    snprintf(now.example, sizeof now.example, " example=%s of %lld modulo %d is %d and not %d",
             number.is_sum ? "a sum" : "an integer", (long long)number.x, (int)p, right, given);
}

/* ---- questions ---- */

bool questions_next(enum question_kind kind, const int given[2])
{
    if (!now.kind)
        now.kind = kind, draw_order();
    if (kind != now.kind || now.over)
        return false;
    bool samples_asked = kind == QUESTION_SAMPLE, tables_asked = kind == QUESTION_TABLE;
    if (now.asked && samples_asked)
        judge_sample(given[0] != 0);
    else if (now.asked && tables_asked)
        judge_table(given);
    else if (now.asked)
        judge_residue(given[0]);
    now.over = now.asked == (samples_asked ? samples : tables_asked ? TABLES : RESIDUES);
    if (now.over)
        return false;
    if (samples_asked)
        draw_sample(), memcpy(questions_place(), &sample, sizeof sample);
    else if (tables_asked)
        draw_table(), memcpy(questions_place(), &asked.table, sizeof asked.table);
    else
        draw_number(now.asked), memcpy(questions_place(), &number, sizeof number);
    now.asked++;
    return true;
}

bool questions_note(char *text, size_t size)
{
    static char example[sizeof now.example];
    strcpy(example, now.example);
    for (char *at = example + (*example == ' '); (at = strchr(at, ' '));)
        *at = '_';
    if (now.kind == QUESTION_SAMPLE)
        snprintf(text, size,
                 "wrong_products_caught=%d right_products_accepted=%d changed_products=%d%s",
                 now.counts[0], now.counts[1], now.counts[2], example);
    else if (now.kind == QUESTION_TABLE)
        snprintf(text, size, "wrong_equations=%d wrong_products=%d%s", TABLES - now.counts[0],
                 TABLES - now.counts[1], example);
    else
        snprintf(text, size, "wrong_residues=%d%s", RESIDUES - now.counts[0], example);
    return now.kind != 0;
}
