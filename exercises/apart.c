/* SPDX-License-Identifier: MIT */
#include "exercises/apart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check/trial.h"
#include "exercises/questions.h"

extern int simgpu_is_written(const void *device, size_t bytes) __attribute__((weak));

enum { BLOCKS = 4, MOST_PRODUCTS = 64, LONGEST = 1 << 18 };

/* What an answer asks for. */
enum { BEGIN = 100, READ, MADE, COUNT, REDUCE, LEAST, NEXT };
struct question {
    int what, size;
    unsigned hidden;
    double number; /* a sign, or the element */
    struct apart_block x, y, z;
    int given[2];
    bool right; /* the answer: it was done */
};

/* A call, in the process that carries it out. */
static struct {
    struct call_memory memory[BLOCKS]; /* of the worker's call; NULL without one */
    char *kept[BLOCKS];                /* what is there, where it is hidden */
    bool slow, begun, counts_reads, only_asks;
    int size, products, followed;
    long additions, multiplications, reads;
    double counters[APART_COUNTERS], least_reduced;
    long least, longest_side; /* elements of the smallest result; of any factor or result */
    struct factors {
        struct apart_block a, b; /* double precision, to be freed */
    } made[MOST_PRODUCTS];
} now;

/* In some call a right C did not follow from the products that were counted. */
static bool made_elsewhere;

/* ---- operations ---- */

static double get(struct apart_block x, int size, long i, long j)
{
    long at = i * x.ld + j;
    return size == sizeof(float) ? (double)((const float *)x.at)[at]
                                 : ((const double *)x.at)[at];
}

static void set(struct apart_block x, long i, long j, double value)
{
    long at = i * x.ld + j;
    if (now.size == sizeof(float))
        ((float *)(size_t)x.at)[at] = (float)value;
    else
        ((double *)(size_t)x.at)[at] = value;
}

/* Replaces the place by that of its contents; false if it is not in the call's memory. */
static bool find(struct apart_block *x)
{
    if (!now.memory[0].at) /* only where this process is the answer's, too */
        return !worker_is_there();
    if (x->rows <= 0 || x->cols <= 0)
        return true;
    if (x->rows > LONGEST || x->cols > LONGEST || x->ld < 0 || x->ld > LONGEST)
        return false;
    size_t bytes = (size_t)((x->rows - 1) * x->ld + x->cols) * (size_t)now.size;
    for (int i = 0; i < BLOCKS; i++) {
        size_t before = (size_t)((const char *)x->at - (const char *)now.memory[i].at);
        if (before > now.memory[i].bytes || bytes > now.memory[i].bytes - before)
            continue;
        x->at = (now.kept[i] ? now.kept[i] : (char *)now.memory[i].at) + before;
        return (size_t)x->at % (size_t)now.size == 0;
    }
    return false;
}

static void count_product(long rows, long inner, long cols)
{
    long sides[] = {rows, inner, cols};
    if (rows <= 0 || inner <= 0 || cols <= 0 || rows > LONGEST || inner > LONGEST ||
        cols > LONGEST)
        return;
    now.products++;
    now.multiplications += rows * inner * cols;
    for (int i = 0; i < 3; i++)
        if (sides[i] > now.longest_side)
            now.longest_side = sides[i];
}

static void operate(struct question *q)
{
    bool multiplies = q->what == APART_PRODUCT || q->what == APART_PRODUCT_ADDED;
    struct apart_block x = q->x, y = q->y, z = q->z;
    if (!multiplies) /* what is read is as large as z */
        x.rows = y.rows = z.rows, x.cols = y.cols = z.cols;
    else
        x.rows = z.rows, y.rows = x.cols, y.cols = z.cols;
    q->right = find(&z) && (q->what == APART_CLEAR || find(&x)) &&
               (q->what == APART_CLEAR || q->what == APART_COPY || find(&y));
    long elements = z.rows > 0 && z.cols > 0 ? z.rows * z.cols : 0;
    if (!q->right || !elements)
        return;
    if (multiplies)
        count_product(z.rows, x.cols, z.cols);
    now.additions += q->what == APART_SUM || q->what == APART_PRODUCT_ADDED ? elements : 0;
    if (q->what != APART_COPY && q->what != APART_CLEAR && (!now.least || elements < now.least))
        now.least = elements;
    for (long i = 0; i < z.rows && q->what != APART_PRODUCT_ADDED; i++)
        for (long j = 0; j < z.cols; j++)
            set(z, i, j,
                q->what == APART_COPY ? get(x, now.size, i, j)
                : q->what == APART_SUM
                    ? get(x, now.size, i, j) + q->number * get(y, now.size, i, j)
                    : 0);
    for (long i = 0; i < z.rows && multiplies; i++)
        for (long l = 0; l < x.cols; l++)
            for (long j = 0; j < z.cols; j++)
                set(z, i, j,
                    get(z, now.size, i, j) + get(x, now.size, i, l) * get(y, now.size, l, j));
}

/* Takes the contents of a call's memory away, or puts them back. */
static void hide(unsigned hidden)
{
    for (int i = 0; i < BLOCKS; i++) {
        struct call_memory at = now.memory[i];
        if (at.at && (hidden >> i & 1) && (now.kept[i] = malloc(at.bytes))) {
            memcpy(now.kept[i], at.at, at.bytes);
            memset(at.at, -1, at.bytes); /* NaN */
        }
    }
}

static void show_again(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (now.kept[i])
            memcpy(now.memory[i].at, now.kept[i], now.memory[i].bytes);
        free(now.kept[i]);
        now.kept[i] = NULL;
    }
}

/* Who reads more than all of B has failed, and may go on by itself, faster. */
static void read_one(struct question *q)
{
    q->x.rows = q->x.cols = 1, q->x.ld = 0;
    q->right = now.kept[1] && find(&q->x); /* no other block is hidden */
    if (!q->right)
        return;
    q->number = get(q->x, now.size, 0, 0);
    if ((size_t)++now.reads * (size_t)now.size > now.memory[1].bytes)
        show_again();
}

/* ---- products on a GPU ---- */

/* A block's elements from a text of them, or zeros where none are; NULL without memory. */
static struct apart_block doubles(const struct apart_block *x, const void *from)
{
    double *to = malloc((size_t)(x->rows * x->cols) * sizeof *to);
    struct apart_block of = {from, x->rows, x->cols, x->cols};
    for (long i = 0; i < x->rows && to; i++)
        for (long j = 0; j < x->cols; j++)
            to[i * x->cols + j] = get(of, now.size, i, j);
    of.at = to;
    return of;
}

static size_t bytes_of(struct apart_block x, int size)
{
    return x.rows > 0 && x.cols > 0 && x.rows <= LONGEST && x.cols <= LONGEST
               ? (size_t)(x.rows * x.cols) * (size_t)size
               : 0;
}

/* Its factors are in the room, if they are known. */
static void note_made(struct question *q)
{
    size_t a = bytes_of(q->x, now.size), b = bytes_of(q->y, now.size);
    const char *room = worker_room();
    count_product(q->x.rows, q->x.cols, q->y.cols);
    q->right = true;
    if (!room || q->size != now.size || !q->x.at || !a || !b || a + b > WORKER_ROOM ||
        q->y.rows != q->x.cols || now.followed == MOST_PRODUCTS)
        return;
    now.made[now.followed++] = (struct factors){doubles(&q->x, room), doubles(&q->y, room + a)};
}

/* Vectors that are perpendicular to each other, of length 1. */
struct space {
    double *vectors[2 * MOST_PRODUCTS];
    int count;
    long size;
};

static double length_of(const double *x, long size)
{
    double sum = 0;
    for (long i = 0; i < size; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* Subtracts from x what lies in the space; twice, against round-off. */
static double rest_of(const struct space *s, double *x)
{
    for (int turn = 0; turn < 2 * s->count; turn++) {
        const double *v = s->vectors[turn % s->count];
        double part = 0;
        for (long i = 0; i < s->size; i++)
            part += v[i] * x[i];
        for (long i = 0; i < s->size; i++)
            x[i] -= part * v[i];
    }
    return length_of(x, s->size);
}

enum { FEW = 1000 }; /* round-off is far less than this part of a vector */

/* Takes x over; one that has nothing new is freed. */
static void add_vector(struct space *s, double *x)
{
    double length = length_of(x, s->size), rest = rest_of(s, x);
    if (!(rest * FEW > length) || s->count == 2 * MOST_PRODUCTS) {
        free(x);
        return;
    }
    for (long i = 0; i < s->size; i++)
        x[i] /= rest;
    s->vectors[s->count++] = x;
}

static void free_space(struct space *s)
{
    while (s->count)
        free(s->vectors[--s->count]);
}

/* Blocks of a matrix that are as large as this one, side by side; zeros outside it. */
static double *cell(const struct matrix *of, long number, long rows, long cols)
{
    long across = (of->cols + cols - 1) / cols, first = number / across * rows,
         left = number % across * cols;
    double *x = first < of->rows ? malloc((size_t)(rows * cols) * sizeof *x) : NULL;
    for (long i = 0; i < rows && x; i++)
        for (long j = 0; j < cols; j++)
            x[i * cols + j] = first + i < of->rows && left + j < of->cols
                                  ? matrix_get(of, first + i, left + j)
                                  : 0;
    return x;
}

static bool is_sum_of_cells(struct apart_block x, const struct matrix *of)
{
    struct space s = {.size = x.rows * x.cols};
    double *next, *copy = malloc((size_t)s.size * sizeof *copy);
    if (!copy)
        return false;
    for (long i = 0; i < MOST_PRODUCTS && (next = cell(of, i, x.rows, x.cols)); i++)
        add_vector(&s, next);
    memcpy(copy, x.at, (size_t)s.size * sizeof *copy);
    double length = length_of(copy, s.size);
    bool is = rest_of(&s, copy) * FEW <= length;
    free(copy), free_space(&s);
    return is;
}

static double *product_of(const struct factors *f)
{
    const double *a = f->a.at, *b = f->b.at;
    double *p = calloc((size_t)(f->a.rows * f->b.cols), sizeof *p);
    for (long i = 0; i < f->a.rows && p; i++)
        for (long l = 0; l < f->a.cols; l++)
            for (long j = 0; j < f->b.cols; j++)
                p[i * f->b.cols + j] += a[i * f->a.cols + l] * b[l * f->b.cols + j];
    return p;
}

/* Whether C consists of sums of the products that were counted, each of a sum of A's blocks and
   one of B's. Nothing else has multiplied then. */
static void judge(const struct matrix *c, const struct matrix *a, const struct matrix *b)
{
    struct factors *f = now.made;
    struct space s = {.size = f->a.rows * f->b.cols};
    double *next, largest = 0;
    bool right = now.followed > 0 && now.followed == now.products;
    if (!now.begun || now.only_asks || now.memory[0].at || !worker_is_there())
        return;
    for (int i = 0; i < now.followed && right; i++) {
        right = f[i].a.at && f[i].b.at && f[i].a.rows == f->a.rows &&
                f[i].b.cols == f->b.cols && is_sum_of_cells(f[i].a, a) &&
                is_sum_of_cells(f[i].b, b) && (next = product_of(&f[i]));
        if (right)
            add_vector(&s, next);
    }
    for (int turn = 0; turn < 2 && right; turn++)
        for (long i = 0; (next = cell(c, i, f->a.rows, f->b.cols)); i++) {
            double length = length_of(next, s.size);
            largest = length > largest ? length : largest;
            right = right && (!turn || rest_of(&s, next) * FEW <= largest);
            free(next);
        }
    free_space(&s);
    made_elsewhere = made_elsewhere || !right;
}

bool apart_made_elsewhere(void) { return made_elsewhere; }

/* ---- questions and answers ---- */

static void begin(struct question *q)
{
    q->right = !now.begun && (q->size == sizeof(float) || q->size == sizeof(double));
    if (!q->right)
        return;
    now.begun = true;
    now.size = q->size;
    now.counts_reads = q->hidden == HIDE_B;
    now.only_asks = q->hidden == ONLY_ASK;
    q->right =
        q->hidden && !now.only_asks && !(now.counts_reads && !now.slow) && now.memory[0].at;
    if (q->right)
        hide(q->hidden);
}

static void count(struct question *q)
{
    q->right = q->size >= 0 && q->size < APART_COUNTERS && q->number > 0;
    if (q->right)
        now.counters[q->size] += q->number;
}

static void carry_out(void *question)
{
    struct question *q = question;
    if (q->what == BEGIN)
        begin(q);
    else if (!now.begun || (q->what == READ) != now.counts_reads ||
             (q->what == NEXT) != now.only_asks)
        q->right = false;
    else if (q->what == READ)
        read_one(q);
    else if (q->what == MADE)
        note_made(q);
    else if (q->what == COUNT)
        count(q);
    else if (q->what == REDUCE)
        now.counters[APART_REDUCTIONS] += q->number >= now.least_reduced;
    else if (q->what == LEAST)
        now.least_reduced = q->number;
    else if (q->what == NEXT)
        q->right = questions_next((enum question_kind)q->size, q->given);
    else
        operate(q);
}

static void reset(void)
{
    for (; now.followed > 0; now.followed--) {
        free((void *)(size_t)now.made[now.followed - 1].a.at);
        free((void *)(size_t)now.made[now.followed - 1].b.at);
    }
    memset(&now, 0, sizeof now);
    questions_reset();
}

static void call_begins(const struct call_memory *memory, bool slow)
{
    reset();
    for (int i = 0; i < BLOCKS && memory; i++)
        now.memory[i] = memory[i];
    now.slow = slow;
    worker_answer(carry_out);
}

/* Of two values of a name the first one counts. Reads that were not counted here are known to
   the answer alone. */
static const char *call_ends(const char *said)
{
    static char note[256];
    long reads = 0;
    worker_answer(NULL);
    show_again();
    bool known = now.begun && !(now.counts_reads && !now.slow);
    if (now.reads && sscanf(said, "reads_of_B=%ld", &reads) == 1 && reads > now.reads)
        known = false;
    snprintf(note, sizeof note, "%s%s%s", known ? apart_note() : "", known ? " " : "", said);
    return note;
}

const struct witness witness_of_exercises = {call_begins, call_ends, judge};

/* The same, from where an answer runs. */
static bool ask(struct question q, double *number)
{
    if (!worker_ask(&q, sizeof q)) {
        if (q.what == BEGIN)
            reset();
        carry_out(&q);
    }
    if (number)
        *number = q.number;
    return q.right;
}

bool apart_begin(int size, unsigned hidden)
{
    bool is = ask((struct question){.what = BEGIN, .size = size, .hidden = hidden}, NULL);
    if (is && hidden == HIDE_ALL)
        worker_close();
    return is;
}

void apart_do(enum apart_way way, struct apart_block x, double sign, struct apart_block y,
              struct apart_block z)
{
    if (ask((struct question){.what = (int)way, .number = sign, .x = x, .y = y, .z = z}, NULL))
        return;
    puts("A block has memory outside the workspace, and not in A, B or C.");
    fflush(stdout);
    abort();
}

bool apart_read(const void *at, double *value)
{
    return ask((struct question){.what = READ, .x = {.at = at}}, value);
}

/* Rows that a kernel has never written are not copied: to read them would be a fault here. */
static void take_to_room(struct apart_block x, int size, char *to)
{
    size_t row = (size_t)x.cols * (size_t)size;
    for (long i = 0; i < x.rows; i++, to += row) {
        const char *at = (const char *)x.at + (size_t)(i * x.ld) * (size_t)size;
        if (simgpu_is_written && simgpu_is_written(at, row))
            backend.download(to, at, row);
        else
            memset(to, -1, row);
    }
}

void apart_made(int size, struct apart_block a, struct apart_block b)
{
    size_t bytes = bytes_of(a, size), more = bytes_of(b, size);
    if (a.at && worker_room() && bytes && more && bytes + more <= WORKER_ROOM) {
        take_to_room(a, size, worker_room());
        take_to_room(b, size, (char *)worker_room() + bytes);
    }
    ask((struct question){.what = MADE, .size = size, .x = a, .y = b}, NULL);
}

void apart_count(enum apart_counter counter, double amount)
{
    ask((struct question){.what = COUNT, .size = (int)counter, .number = amount}, NULL);
}

void apart_reduce(double x) { ask((struct question){.what = REDUCE, .number = x}, NULL); }

void apart_reduce_at_least(double least)
{
    ask((struct question){.what = LEAST, .number = least}, NULL);
}

void *apart_next(int kind, int first, int second)
{
    struct question q = {.what = NEXT, .size = kind, .given = {first, second}};
    return ask(q, NULL) ? questions_place() : NULL;
}

const char *apart_note(void)
{
    static char text[240];
    long least = now.least ? now.least : 1;
    if (questions_note(text, sizeof text))
        return text;
    if (now.counts_reads)
        snprintf(text, sizeof text, "reads_of_B=%ld", now.reads);
    else
        snprintf(text, sizeof text,
                 "products=%d sums=%ld multiplications=%ld longest_side_of_a_product=%ld "
                 "reductions=%.0f words=%.0f broadcasts=%.0f",
                 now.products, (now.additions + least - 1) / least, now.multiplications,
                 now.longest_side, now.counters[APART_REDUCTIONS], now.counters[APART_WORDS],
                 ceil(now.counters[APART_BROADCASTS]));
    return text;
}
