/* SPDX-License-Identifier: MIT */
#include "diagnose.h"
#include "device.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/matrix/random.h"
#include "tools/lab/mistakes/findings.h"

/* How a run differs from those of a check. */
struct circumstances {
    bool tagged; /* each cell outside the matrices' elements holds a NaN that names its place */
    bool zero_c; /* C arrives as zeros */
    bool no_gaps;  /* no gaps between rows */
    bool coded;    /* each element of A and B names its place */
    bool numbered; /* all cells of A's and B's memory hold small integers */
};

/* A function that examines a run before its memory is freed. */
typedef void look_function(const struct trial *t, struct diagnosis *d);

void diagnosis_say(char text[DIAGNOSIS], const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, DIAGNOSIS - length, format, arguments);
    va_end(arguments);
}

/* ---- NaNs that name where they come from ----
 *
 * A NaN has 22 bits of payload, which arithmetic passes on. The upper two say which memory the
 * cell is in, the rest which cell it is. The bit above them is 0 until arithmetic reads the
 * NaN and sets it, so a cell that still has 0 there was never written. */

enum memory { IN_C, IN_A, IN_B, IN_WORKSPACE };
enum { CELL_BITS = 20 };

struct tag {
    enum memory memory;
    long cell;  /* in the block, guard cells included */
    bool fresh; /* no arithmetic has read it */
};

static void write_tags(enum precision precision, void *cells, size_t bytes, enum memory memory)
{
    size_t size = precision_bytes(precision);
    for (size_t i = 0; i < bytes / size; i++) {
        uint32_t payload = (uint32_t)memory << CELL_BITS | (uint32_t)(i + 1);
        uint32_t f32 = 0x7f800000u | payload;
        uint64_t f64 = 0x7ffull << 52 | (uint64_t)payload << 29;
        memcpy((char *)cells + i * size, precision == PRECISION_F32 ? (void *)&f32 : &f64,
               size);
    }
}

static struct tag read_tag(enum precision precision, const void *cell)
{
    uint32_t bits;
    uint64_t f64;
    /* On the simulated GPU, C and the workspace begin with all bits set. */
    if (precision == PRECISION_F32) {
        memcpy(&bits, cell, sizeof bits);
    } else {
        memcpy(&f64, cell, sizeof f64);
        bits = (uint32_t)(f64 >> 29);
    }
    return (struct tag){.memory = (enum memory)(bits >> CELL_BITS & 3),
                        .cell = (long)(bits & ((1u << CELL_BITS) - 1)) - 1,
                        .fresh = !(bits >> 22 & 1)};
}

static struct tag tag_of(const struct matrix *x, long i, long j)
{
    size_t size = precision_bytes(x->precision);
    return read_tag(x->precision, (const char *)x->host + (size_t)(i * x->ld + j) * size);
}

static size_t guard_bytes(const struct workspace *w)
{
    return (size_t)((char *)w->start - (char *)w->block);
}

static bool has_room_for_tags(const struct trial *t)
{
    size_t most = precision_bytes(t->a.precision) << CELL_BITS;
    return t->a.precision != PRECISION_I32 && t->a.bytes < most && t->b.bytes < most &&
           t->c.bytes < most && t->workspace.bytes + 2 * 4096 < most;
}

static void tag_all(struct trial *t)
{
    struct workspace *w = &t->workspace;
    write_tags(t->a.precision, t->a.host_block, t->a.bytes, IN_A);
    write_tags(t->b.precision, t->b.host_block, t->b.bytes, IN_B);
    write_tags(t->c.precision, t->c.host_block, t->c.bytes, IN_C);
    if (w->start && backend.shares_host_memory)
        write_tags(w->precision, w->block, w->bytes + 2 * guard_bytes(w), IN_WORKSPACE);
}

/* The first element's cell in the block. */
static long first_cell(const struct matrix *x)
{
    return (long)(((char *)x->host - (char *)x->host_block) /
                  (long)precision_bytes(x->precision));
}

/* Says where a cell outside a matrix's elements is: "row 29 of B, which has 29 rows". */
static void say_place(struct diagnosis *d, const struct matrix *x, char name, long cell)
{
    long first = first_cell(x);
    long row = cell < first ? -1 : (cell - first) / x->ld;
    long column = cell < first ? 0 : (cell - first) % x->ld;
    if (cell < first)
        diagnosis_say(d->text, "memory %ld elements before the first one of %c", first - cell,
                      name);
    else if (row >= x->rows)
        diagnosis_say(d->text, "row %ld of %c, which has %ld rows", row, name, x->rows);
    else if (column >= x->cols)
        diagnosis_say(d->text, "column %ld of %c, which has %ld columns (and ld%c = %ld)",
                      column, name, x->cols, name + ('a' - 'A'), x->ld);
    else
        diagnosis_say(d->text, "%c[%ld][%ld]", name, row, column);
}

static void say_workspace(struct diagnosis *d, const struct workspace *w, long cell)
{
    size_t size = precision_bytes(w->precision);
    long element = cell - (long)(guard_bytes(w) / size), elements = (long)(w->bytes / size);
    if (element < 0 || element >= elements)
        diagnosis_say(d->text,
                      "element %ld of your workspace of %zu bytes, which has %ld elements",
                      element, w->bytes, elements);
    else
        diagnosis_say(d->text, "element %ld of your workspace, where nothing had been written",
                      element);
}

static bool is_unwritten(const void *c, long i, long j)
{
    return isnan(matrix_get(c, i, j)) && tag_of(c, i, j).fresh;
}

/* If the first NaN is in an element of C that was never written: describes all of these. */
static void say_unwritten(const struct trial *t, struct diagnosis *d)
{
    const struct matrix *c = &t->c;
    long count = 0, all = c->rows * c->cols;
    char place[128];
    for (long at = 0; at < all; at++)
        count += is_unwritten(c, at / c->cols, at % c->cols);
    place_of_marked(place, sizeof place, is_unwritten, c, c->rows, c->cols);
    if (count == all)
        diagnosis_say(d->text, "No element of C was ever written.");
    else
        diagnosis_say(d->text, "%ld %s of C %s never written: %s.", count,
                      count == 1 ? "element" : "elements", count == 1 ? "was" : "were", place);
}

/* Says with which leading dimension C was written, if C is right with it. */
static void say_ldc(const struct trial *t, struct diagnosis *d)
{
    static const char *const names[] = {"lda", "ldb", "m", "n", "k"};
    const struct matrix *c = &t->c;
    long values[] = {t->a.ld, t->b.ld, c->rows, c->cols, t->a.cols};
    for (int v = 0; v < 5 && !*d->probe; v++) {
        struct matrix as_written = *c;
        bool right = values[v] < c->ld; /* else it leaves the block */
        as_written.ld = values[v];
        for (long i = 0; i < c->rows && right; i++)
            for (long j = 0; j < c->cols && right; j++)
                right = i * values[v] + j < (i + 1) * values[v] &&
                        matrix_get(&as_written, i, j) == t->reference.product[i * c->cols + j];
        if (right)
            diagnosis_say(
                d->probe,
                "The rows of C are written as if they were %s = %ld elements apart; they are "
                "ldc = %ld apart.",
                names[v], values[v], c->ld);
    }
}

/* Whether cells around the workspace were written; says which one. */
static bool ran_over_workspace(const struct trial *t, struct diagnosis *d)
{
    const struct workspace *w = &t->workspace;
    size_t size = precision_bytes(w->precision), guards = guard_bytes(w) / size;
    size_t elements = w->bytes / size;
    for (size_t cell = 0; w->start && cell < elements + 2 * guards; cell++) {
        struct tag tag = read_tag(w->precision, (char *)w->block + cell * size);
        bool inside = cell >= guards && cell < guards + elements;
        if (inside || (tag.memory == IN_WORKSPACE && tag.fresh && tag.cell == (long)cell))
            continue;
        diagnosis_say(d->text, "It writes ");
        say_workspace(d, w, (long)cell);
        diagnosis_say(d->text, ".");
        return true;
    }
    return false;
}

static void look_at_tags(const struct trial *t, struct diagnosis *d)
{
    const struct matrix *c = &t->c;
    if (backend.shares_host_memory && ran_over_workspace(t, d))
        return;
    for (long i = 0; i < c->rows; i++)
        for (long j = 0; j < c->cols; j++) {
            if (!isnan(matrix_get(c, i, j)))
                continue;
            struct tag tag = tag_of(c, i, j);
            if (tag.cell < 0 ||
                (!backend.shares_host_memory && tag.memory != IN_A && tag.memory != IN_B))
                return; /* made by arithmetic, such as 0 / 0, or without a tag */
            if (tag.memory == IN_C && tag.fresh) {
                say_unwritten(t, d);
                say_ldc(t, d);
                return;
            }
            const struct matrix *all[] = {c, &t->a, &t->b}, *x = all[tag.memory % 3];
            bool before = tag.memory == IN_B || tag.memory == IN_C; /* what follows A or B */
            diagnosis_say(d->text, "C[%ld][%ld] takes in ", i, j);
            if (before && tag.cell < first_cell(x)) {
                const struct matrix *owner = tag.memory == IN_B ? &t->a : &t->b;
                const char *at = (const char *)x->host_block +
                                 (size_t)tag.cell * precision_bytes(x->precision);
                diagnosis_say(d->text,
                              "memory after %c, which has %ld rows: it would be row %ld.",
                              tag.memory == IN_B ? 'A' : 'B', owner->rows,
                              (long)((at - (const char *)owner->host) /
                                     (long)precision_bytes(owner->precision) / owner->ld));
                return;
            }
            if (tag.memory == IN_WORKSPACE)
                say_workspace(d, &t->workspace, tag.cell);
            else
                say_place(d, x, "CAB"[tag.memory], tag.cell);
            long at = tag.cell - first_cell(x); /* outside the elements nothing is added to C */
            d->adds_to_c =
                tag.memory == IN_C && at >= 0 && at / c->ld < c->rows && at % c->ld < c->cols;
            diagnosis_say(d->text,
                          d->adds_to_c ? " as it was before your code ran: NaN." : ".");
            return;
        }
}

/* ---- which elements were written ---- */

/* If each block wrote only its first row, column or element of C: says so. All its threads have
   the same index then. */
static void look_at_written(const struct trial *t, struct diagnosis *d)
{
    static const char *const sentences[] = {
        ("Only every %ldth element of C, counted along the rows, was written: one for all "
         "values of threadIdx.x."),
        "Only every %ldth row of C was written: one for all values of threadIdx.y.",
        "Only every %ldth column of C was written: one for all values of threadIdx.x."};
    const char *launch = backend.last_launch ? backend.last_launch() : NULL,
               *block = launch ? strstr(launch, "blocks of ") : NULL;
    long n = t->c.cols, all = t->c.rows * n, x = 0, y = 1;
    if (!block || sscanf(block, "blocks of %ld x %ld", &x, &y) < 1)
        return;
    long apart[] = {y == 1 ? x : all, y, x}, counts[] = {all, t->c.rows, n};
    for (int which = 0; which < 3; which++) {
        bool only = apart[which] > 1 && apart[which] < counts[which];
        for (long at = 0; at < all && only; at++) {
            long line = which == 0 ? at : which == 1 ? at / n : at % n;
            only = isnan(matrix_get(&t->c, at / n, at % n)) == (line % apart[which] != 0);
        }
        if (only)
            diagnosis_say(d->written, sentences[which], apart[which]);
    }
}

/* ---- which elements are wrong ---- */

static bool is_wrong(const struct trial *t, long i, long j)
{
    return matrix_get(&t->c, i, j) != t->reference.product[i * t->c.cols + j];
}

static void look_whether_right(const struct trial *t, struct diagnosis *d)
{
    d->right = true;
    for (long i = 0; i < t->c.rows; i++)
        for (long j = 0; j < t->c.cols; j++)
            d->right = d->right && !is_wrong(t, i, j);
}

/* Draws a map of at most 24 x 48 cells, each of which shows a square of elements. */
static void draw_map(const struct trial *t, struct diagnosis *d)
{
    long m = t->c.rows, n = t->c.cols, side = 1;
    look_whether_right(t, d);
    for (long i = 0; i < m * n && !d->right; i++)
        if (is_wrong(t, i / n, i % n)) {
            d->row = i / n, d->column = i % n;
            break;
        }
    while ((m + side - 1) / side > 24 || (n + side - 1) / side > 48)
        side++;
    if (d->right || m * n < 2)
        return;
    if (side > 1)
        diagnosis_say(d->text,
                      "Where C is wrong (# for %ld x %ld elements with a wrong one):", side,
                      side);
    else
        diagnosis_say(d->text, "Where C is wrong (#):");
    for (long i = 0; i < m; i += side) {
        diagnosis_say(d->text, "\n  ");
        for (long j = 0; j < n; j += side) {
            bool wrong = false;
            for (long y = i; y < i + side && y < m; y++)
                for (long x = j; x < j + side && x < n; x++)
                    wrong = wrong || is_wrong(t, y, x);
            diagnosis_say(d->text, "%c", wrong ? '#' : '.');
        }
    }
}

/* ---- a single 1 in each row of A, or column of B ---- */

/* Where the 1 is, in row or column `at`. */
static long place_of_unit(const struct trial *t, long at, bool backwards)
{
    long k = t->a.cols;
    return backwards ? k - 1 - at % k : at % k;
}

/* Numbers so far apart, and so irregularly, that a sum or a difference of several elements is
   hardly ever the number of another one. Sums of four are exact in float. */
static double number_at(long at, long all)
{
    uint32_t step = (1u << 22) / ((uint32_t)all + 1), mixed = (uint32_t)at * 2654435761u;
    mixed = (mixed ^ mixed >> 15) * 2246822519u;
    return (double)((uint32_t)at * step + 1 + (mixed ^ mixed >> 13) % (step - 1));
}

/* The place of the element with this number; -1: none has it. */
static long place_of_number(double number, long all)
{
    long at = (long)number / ((1 << 22) / (all + 1));
    return number > 0 && number < 1 << 22 && at < all && number_at(at, all) == number ? at : -1;
}

/* Each element of the other matrix gets its own number, so that each element of C, which must
   be one of them, says which one it is. */
static void write_unit(struct trial *t, const struct diagnosis *d)
{
    const char unit = d->unit;
    struct matrix *one = unit == 'A' ? &t->a : &t->b, *other = unit == 'A' ? &t->b : &t->a;
    for (long i = 0; i < one->rows; i++)
        for (long j = 0; j < one->cols; j++)
            matrix_set(one, i, j,
                       unit == 'A' ? place_of_unit(t, i, d->backwards) == j
                                   : place_of_unit(t, j, d->backwards) == i);
    for (long i = 0; i < other->rows; i++)
        for (long j = 0; j < other->cols; j++)
            matrix_set(other, i, j, number_at(i * other->cols + j, other->rows * other->cols));
    matrix_upload(one);
    matrix_upload(other);
}

/* Says of the first wrong element of C what it is in place of what it must be. */
static void look_at_unit(const struct trial *t, struct diagnosis *d)
{
    const char unit = d->unit;
    const struct matrix *other = unit == 'A' ? &t->b : &t->a;
    char name = unit == 'A' ? 'B' : 'A';
    for (long i = 0; i < t->c.rows && !*d->probe; i++)
        for (long j = 0; j < t->c.cols && !*d->probe; j++) {
            long at = place_of_unit(t, unit == 'A' ? i : j, d->backwards),
                 row = unit == 'A' ? at : i, column = unit == 'A' ? j : at,
                 all = other->rows * other->cols;
            double is = matrix_get(&t->c, i, j),
                   must = number_at(row * other->cols + column, all);
            long found = place_of_number(is, all), more = place_of_number(is - must, all);
            if (is == must)
                continue;
            diagnosis_say(d->probe,
                          "If %c[%ld][%ld] = 1 is the only element of its %s that is not 0, "
                          "C[%ld][%ld] must be %c[%ld][%ld]. It is ",
                          unit, unit == 'A' ? i : at, unit == 'A' ? at : j,
                          unit == 'A' ? "row" : "column", i, j, name, row, column);
            if (found >= 0)
                diagnosis_say(d->probe, "%c[%ld][%ld].", name, found / other->cols,
                              found % other->cols);
            else if (more >= 0)
                diagnosis_say(d->probe, "%c[%ld][%ld] + %c[%ld][%ld].", name, row, column, name,
                              more / other->cols, more % other->cols);
            else if (is == 0)
                diagnosis_say(d->probe, "0.");
            else
                diagnosis_say(d->probe, "no element of %c, but %s.", name,
                              isnan(is) ? "NaN"
                              : is < 0  ? "below 0"
                                        : "another number");
        }
}

/* ---- leading dimensions, of reads outside the elements ---- */

/* A cell of a matrix's memory by its distance from the first element: a small number. */
static double number_of(const struct matrix *x, long at)
{
    return (double)(random_bits((uint64_t)(at + first_cell(x))) % 19) - 9;
}

static void write_numbers(struct trial *t)
{
    struct matrix *operands[] = {&t->a, &t->b};
    for (int o = 0; o < 2; o++) {
        struct matrix cells = *operands[o];
        long first = first_cell(&cells);
        cells.host = cells.host_block;
        cells.cols = cells.ld = (long)(cells.bytes / precision_bytes(cells.precision));
        cells.rows = 1;
        for (long cell = 0; cell < cells.cols; cell++)
            matrix_set(&cells, 0, cell, number_of(operands[o], cell - first));
    }
}

/* Whether C is what comes of rows that are so far apart. */
static bool is_read_with(const struct trial *t, long lda, long ldb)
{
    for (long i = 0; i < t->c.rows; i++)
        for (long j = 0; j < t->c.cols; j++) {
            double sum = 0;
            for (long l = 0; l < t->a.cols; l++)
                sum += number_of(&t->a, i * lda + l) * number_of(&t->b, l * ldb + j);
            if (sum != matrix_get(&t->c, i, j))
                return false;
        }
    return true;
}

/* Says with which leading dimensions A and B were read, if that explains all of C. */
static void look_at_lds(const struct trial *t, struct diagnosis *d)
{
    static const char *const names[] = {"lda", "ldb", "ldc", "m", "n", "k"};
    long values[] = {t->a.ld, t->b.ld, t->c.ld, t->c.rows, t->c.cols, t->a.cols};
    const struct options *o = d->shown;
    long extra = o->ld_extra, apart = o->ld_apart; /* of the sizes that the student sees */
    long shown[] = {o->k + extra, o->n + extra + apart, o->n + extra + 2 * apart, o->m, o->n,
                    o->k};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            bool wrong_a = values[a] != t->a.ld, wrong_b = values[b] != t->b.ld;
            if ((!wrong_a && !wrong_b) || *d->probe || !is_read_with(t, values[a], values[b]))
                continue;
            if (wrong_a)
                diagnosis_say(d->probe,
                              "The rows of A are read as if they were %s = %ld elements apart; "
                              "they are lda = %ld apart.",
                              names[a], shown[a], shown[0]);
            if (wrong_b)
                diagnosis_say(
                    d->probe,
                    "%sThe rows of B are read as if they were %s = %ld elements apart; "
                    "they are ldb = %ld apart.",
                    wrong_a ? " " : "", names[b], shown[b], shown[1]);
        }
}

/* ---- a run ---- */

/* Runs `yours` once more and lets `look` examine the result. */
static void try_it(const struct options *asked, struct circumstances how, look_function *look,
                   struct diagnosis *d)
{
    struct options o = *asked;
    struct trial t = {.options = &o};
    struct result r;
    o.ld_extra = how.no_gaps ? 0 : o.ld_extra;
    trial_describe(&t, &r, find_variant(o.step->variants, "yours"));
    if (trial_create(&t) && workspace_create(&t.workspace, o.precision, r.workspace_bytes) &&
        (!how.tagged || has_room_for_tags(&t))) {
        if (how.tagged)
            tag_all(&t);
        trial_fill(&t, INPUT_INTEGERS, 2);
        if (reference_create(&t.reference, &t.a, &t.b)) {
            if (how.coded)
                write_codes(&t);
            if (d->unit)
                write_unit(&t, d);
            if (how.numbered)
                write_numbers(&t);
            if (!how.tagged)
                matrix_poison(&t.c);
            for (long i = 0; i < t.c.rows && how.zero_c; i++)
                for (long j = 0; j < t.c.cols; j++)
                    matrix_set(&t.c, i, j, 0);
            if (backend.shares_host_memory)
                trial_multiply(&t, &r);
            else if (trial_run(&t, &r) < INFINITY)
                matrix_download(&t.c);
            look(&t, d);
        }
    }
    trial_destroy(&t);
}

/* Whether a hypothesis was found. Where the wrong elements are, or that they are 0, is none. */
static bool says_why(const char *value)
{
    static const char zero[] = ". The wrong elements are 0.", place[] = ". Wrong in C: ";
    const char *sentence = strstr(value, ". ");
    return sentence && strncmp(sentence, zero, strlen(zero)) != 0 &&
           strncmp(sentence, place, strlen(place)) != 0 && !strstr(sentence, " of C are 0.");
}

/* The arrays of block (0, 0); where these are as they should be, those of the block that has
 * the first wrong element of C. */
static void look_at_blocks(const struct options *o, struct diagnosis *d)
{
    const struct circumstances coded = {.coded = true};
    char first[sizeof d->tile];
    device_keep_shared("exercise.cu", 0, 0);
    try_it(o, coded, look_at_arrays, d);
    memcpy(first, d->tile, sizeof first);
    d->block_x = d->side[1] ? d->column / d->side[1] : 0;
    d->block_y = d->side[0] ? d->row / d->side[0] : 0;
    if (*first && !d->differs && (d->block_x || d->block_y)) {
        device_keep_shared("exercise.cu", (unsigned)d->block_x, (unsigned)d->block_y);
        try_it(o, coded, look_at_arrays, d);
        if (!d->differs)
            memcpy(d->tile, first, sizeof first);
    }
}

/* The options of the run that was wrong: the asked ones, or those of the other shape. */
static struct options options_of(const struct options *asked, const struct verdict *verdict)
{
    struct options o = *asked;
    long b, c;
    const char *shape = strstr(verdict->reason, "with m, n, k = ");
    if (shape && sscanf(shape,
                        "with m, n, k = %ld, %ld, %ld and leading dimensions longer by %ld, "
                        "%ld and %ld",
                        &o.m, &o.n, &o.k, &o.ld_extra, &b, &c) == 6)
        o.ld_apart = b - o.ld_extra;
    return o;
}

void diagnose(const struct options *asked, const struct verdict *verdict, struct diagnosis *d)
{
    struct diagnosis other = {0};
    struct options wrong = options_of(asked, verdict);
    const struct options *o = &wrong;
    *d = (struct diagnosis){0};
    const char *value = strstr(verdict->reason, ", allowed error "), *sentence;
    if (value && (sentence = strstr(value, ". Wrong quadrants:")))
        value = sentence + 2;
    if (verdict->unwritten && !backend.shares_host_memory)
        try_it(o, (struct circumstances){0}, look_at_written, d);
    if (verdict->unwritten && !strstr(verdict->reason, "fault: ")) {
        try_it(o, (struct circumstances){.tagged = true}, look_at_tags, d);
        d->nan = *d->text;
        if (!backend.shares_host_memory)
            return; /* the simulated GPU names the line that reads unwritten memory */
        if (d->adds_to_c) {
            try_it(o, (struct circumstances){.zero_c = true}, look_whether_right, &other);
            diagnosis_say(d->text,
                          other.right ? " Set C to zero first: then it is right." : "");
        } else if (!strstr(verdict->reason, " elements apart")) {
            /* Here m, n, k and the leading dimensions all differ, and rows that are too far
               apart stay in the memory of the matrices. */
            struct options small = *o;
            small.m = 4, small.n = 9, small.k = 7, small.ld_extra = 3, small.ld_apart = 1;
            d->shown = o;
            try_it(&small, (struct circumstances){.numbered = true}, look_at_lds, d);
            if (!*d->probe)
                try_it(o, (struct circumstances){.numbered = true}, look_at_lds, d);
            d->shown = NULL;
            if (*d->probe) { /* says more than the cell that such a row ends in */
                memcpy(d->text, d->probe, sizeof d->text);
                *d->probe = 0;
                d->nan = true;
                return;
            }
        }
        if (!d->adds_to_c && *d->text && !*d->probe && o->ld_extra > 0) {
            try_it(o, (struct circumstances){.no_gaps = true}, look_whether_right, &other);
            diagnosis_say(d->text,
                          other.right
                              ? " Where rows have no gaps (lda = k, ldb = ldc = n) it is right."
                              : "");
        }
    } else if (value && !verdict->unwritten && !says_why(value) &&
               !strstr(verdict->reason, "fault: ")) {
        struct simgpu_kept_shared some;
        bool keeps = simgpu_keep_shared && !backend.shares_host_memory;
        if (keeps)
            device_keep_shared("exercise.cu", 0, 0);
        try_it(o, (struct circumstances){0}, draw_map, d);
        if (!d->right && *d->text && (double)(o->m + o->n) * (double)o->k < most_codes / 16) {
            for (int turn = 0; turn < 3 && !*d->probe; turn++) {
                d->unit = "ABA"[turn], d -> backwards = turn == 2;
                try_it(o, (struct circumstances){0}, look_at_unit, d);
            }
            d->unit = '\0';
        }
        if (keeps && !d->right && (double)(o->m + o->n) * (double)o->k < most_codes &&
            device_get_kept_shared(0, &some)) /* the learner's kernel has shared arrays */
            look_at_blocks(o, d);
        if (keeps)
            device_keep_shared(NULL, 0, 0);
    } else if (strstr(verdict->reason, "stored in one order") && simgpu_keep_shared &&
               !backend.shares_host_memory &&
               (double)(o->m + o->n) * (double)o->k < most_codes) {
        look_at_blocks(o, d); /* which array it is, and which of the two orders is stored */
        device_keep_shared(NULL, 0, 0);
    }
}
