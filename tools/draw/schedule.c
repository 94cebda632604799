/* SPDX-License-Identifier: MIT */
/* draw-NN plan|calls|products: draws one level of the step it is linked with, as SVG: what
 * every place holds after each operation (plan), what each operation reads and writes (calls),
 * or what each product is made of and where it goes (products).
 *
 * Nothing here knows the step's source. The step runs on matrices whose quadrants each hold one
 * number, and after every call (step_run.h) the places are looked at. What a number stands for,
 * "A21 − A11" or "M1+M6", is found by trying the sums that the method can make of these
 * numbers. What a call reads is found by running again with one NaN in every place just before
 * it: in a sum the NaN stays where it is, from a left factor it fills a row, from a right
 * factor a column. So a picture cannot say other than the code does; where something cannot be
 * told, the program ends with 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "step_run.h"
#include "svg.h"

enum { SUMS = 8, PRODUCTS = 7, MOST_PLACES = 24, MOST_STEPS = 64, TEXT = 64 };

/* ---- The step that it is linked with, as the build defines it ---- */

#ifndef SCHEDULE_VARIANT
#error "say which variant: -DSCHEDULE_VARIANT=..., -DSCHEDULE_N=..., -DSCHEDULE_WINOGRAD=0 or 1"
#endif
extern const struct step STEP;
static const int N = SCHEDULE_N, Q = SCHEDULE_N / 2;

/* ---- The methods: coefficients of the quadrants 11, 12, 21, 22 in the factors of M1 to M7
 * ---- */

struct factors {
    int a[4], b[4];
};
static const struct factors strassen[PRODUCTS] = {
    {{1, 0, 0, 1}, {1, 0, 0, 1}},  {{0, 0, 1, 1}, {1, 0, 0, 0}}, {{1, 0, 0, 0}, {0, 1, 0, -1}},
    {{0, 0, 0, 1}, {-1, 0, 1, 0}}, {{1, 1, 0, 0}, {0, 0, 0, 1}}, {{-1, 0, 1, 0}, {1, 1, 0, 0}},
    {{0, 1, 0, -1}, {0, 0, 1, 1}},
};
static const struct factors winograd[PRODUCTS] = {
    {{-1, 0, 1, 1}, {1, -1, 0, 1}}, {{1, 0, 0, 0}, {1, 0, 0, 0}},
    {{0, 1, 0, 0}, {0, 0, 1, 0}},   {{1, 0, -1, 0}, {0, -1, 0, 1}},
    {{0, 0, 1, 1}, {-1, 1, 0, 0}},  {{1, 1, -1, -1}, {0, 0, 0, 1}},
    {{0, 0, 0, 1}, {1, -1, -1, 1}},
};
/* S1 to S4 of A, S5 to S8 of B. */
static const int winograd_sums[SUMS][4] = {{0, 0, 1, 1},   {-1, 0, 1, 1}, {1, 0, -1, 0},
                                           {1, 1, -1, -1}, {-1, 1, 0, 0}, {1, -1, 0, 1},
                                           {0, -1, 0, 1},  {1, -1, -1, 1}};
static const char *const quadrant[4] = {"11", "12", "21", "22"};

/* Chosen so that different sums of them are different numbers: a value tells its sum. */
static const double alpha[4] = {1009, 2741, 7919, 5003}, beta[4] = {4327, 1637, 3571, 9661};

static double sum_of(const int *coefficients, const double *values)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += coefficients[i] * values[i];
    return sum;
}

static double product_value(int i)
{
    const struct factors *f = SCHEDULE_WINOGRAD ? &winograd[i] : &strassen[i];
    return Q * sum_of(f->a, alpha) * sum_of(f->b, beta);
}

static void fail(const char *what, const char *where)
{
    fprintf(stderr, "%s: %s %s\n", STEP.name, what, where);
    exit(1);
}

/* ---- The places ---- */

struct place {
    char name[4];
    int array; /* 0 A, 1 B, 2 C, 3 workspace */
    long origin, ld;
};
static struct place places[MOST_PLACES];
static int place_count, first_temporary;
static const char *variant;
static long stride;     /* elements from one temporary to the next */
static double *host[4]; /* what is on the device, or is to be there */
static void *device[4];
static size_t elements[4];

static double *element(int place, int row, int column)
{
    return host[places[place].array] + places[place].origin + row * places[place].ld + column;
}

static void add_place(const char *name, int array, long origin, long ld)
{
    struct place *p = &places[place_count++];
    snprintf(p->name, sizeof p->name, "%s", name);
    p->array = array, p->origin = origin, p->ld = ld;
}

/* A's, B's and C's quadrants; then what the workspace is divided into, by the names in
 * `temporaries`. */
static void find_places(const char *temporaries)
{
    for (int array = 0; array < 3; array++)
        for (int i = 0; i < 4; i++) {
            char name[4] = {(char)('A' + array), quadrant[i][0], quadrant[i][1], 0};
            add_place(name, array, (long)(i / 2) * Q * N + i % 2 * Q, N);
        }
    first_temporary = place_count;
    char list[200], *name;
    snprintf(list, sizeof list, "%s", temporaries);
    for (name = strtok(list, " "); name; name = strtok(NULL, " "))
        add_place(name, 3, (place_count - first_temporary) * stride, Q);
}

static void fetch(void)
{
    for (int i = 0; i < 4; i++)
        if (backend.shares_host_memory)
            memcpy(host[i], device[i], elements[i] * sizeof(double));
        else
            backend.download(host[i], device[i], elements[i] * sizeof(double));
}

static void put(void)
{
    for (int i = 0; i < 4; i++)
        if (backend.shares_host_memory)
            memcpy(device[i], host[i], elements[i] * sizeof(double));
        else
            backend.upload(device[i], host[i], elements[i] * sizeof(double));
}

/* ---- The operations ---- */

struct operation {
    int event; /* how many calls there had been when it was complete */
    char kernel[TEXT];
    double after[MOST_PLACES]; /* what each place holds then */
    int written[MOST_PLACES],
        read[MOST_PLACES]; /* read: 1 in place of its element, 2 as left factor, 3 as right */
    int product;           /* 1 to 7, or 0 */
};
static struct operation operations[MOST_STEPS];
static int operation_count;
static double before_all[MOST_PLACES];

static const double *contents_before(int operation)
{
    return operation ? operations[operation - 1].after : before_all;
}

/* The one number that a place holds. Returns 0 when it holds several: an operation is not
 * complete. */
static int content(int place, double *value)
{
    *value = *element(place, 0, 0);
    for (int i = 0; i < Q; i++)
        for (int j = 0; j < Q; j++) {
            double x = *element(place, i, j);
            if (x != *value && !(isnan(x) && isnan(*value)))
                return 0;
        }
    return 1;
}

/* ---- What a number stands for ---- */

static int term(char *text, int coefficient, const char *name, const char *plus,
                const char *minus)
{
    if (!coefficient)
        return 0;
    if (*text || coefficient < 0)
        strcat(text, coefficient < 0 ? (*text ? minus : "−") : plus);
    strcat(text, name);
    return 1;
}

/* A sum of one factor's quadrants, by its name where it has one. */
static int name_of_sum(double value, char letter, char *text)
{
    const double *values = letter == 'A' ? alpha : beta;
    if (SCHEDULE_WINOGRAD)
        for (int i = letter == 'A' ? 0 : 4, n = 0; n < 4; i++, n++)
            if (sum_of(winograd_sums[i], values) == value ||
                -sum_of(winograd_sums[i], values) == value) {
                sprintf(text, sum_of(winograd_sums[i], values) == value ? "S%d" : "−S%d",
                        i + 1);
                return 1;
            }
    for (int code = 0; code < 81; code++) {
        int c[4] = {code / 27 - 1, code / 9 % 3 - 1, code / 3 % 3 - 1, code % 3 - 1};
        if (sum_of(c, values) != value || value == 0) /* nothing makes a sum of nothing */
            continue;
        *text = 0;
        for (int sign = 1; sign >= -1; sign -= 2) /* A21 − A11: what is added comes first */
            for (int i = 0; i < 4; i++) {
                char name[4] = {letter, quadrant[i][0], quadrant[i][1], 0};
                term(text, c[i] == sign ? sign : 0, name, " + ", " − ");
            }
        return 1;
    }
    return 0;
}

/* A sum of products; of Winograd's also V1 = M1 + M2 and V2 = V1 + M4. The one with the fewest
 * terms. */
static int name_of_products(double value, char *text)
{
    const int symbols = SCHEDULE_WINOGRAD ? 9 : 7;
    double values[9];
    char names[9][4];
    int best = 99, codes = 1;
    for (int i = 0; i < PRODUCTS; i++) {
        values[symbols - PRODUCTS + i] = product_value(i);
        sprintf(names[symbols - PRODUCTS + i], "M%d", i + 1);
    }
    if (SCHEDULE_WINOGRAD) {
        values[1] = product_value(0) + product_value(1);
        values[0] = values[1] + product_value(3);
        strcpy(names[0], "V2"), strcpy(names[1], "V1");
    }
    for (int i = 0; i < symbols; i++)
        codes *= 3;
    for (int code = 0; code < codes; code++) {
        double sum = 0;
        int rest = code, terms = 0, c[9];
        for (int i = 0; i < symbols; i++, rest /= 3) {
            c[i] = (rest % 3 + 1) % 3 - 1; /* 0, 1, -1 */
            sum += c[i] * values[i];
            terms += c[i] != 0;
        }
        if (value == 0 || sum != value || terms >= best) /* V1 − M1 − M2 is nothing */
            continue;
        best = terms;
        *text = 0;
        for (int i = 0; i < symbols; i++)
            term(text, c[i], names[i], "+", "−");
    }
    return best < 99;
}

/* 'A' or 'B': a sum of its quadrants; 'M': of products; ' ': nothing was written yet; 0: not
 * known. */
static char meaning(double value, char *text)
{
    *text = 0;
    if (isnan(value))
        return ' ';
    if (name_of_sum(value, 'A', text))
        return 'A';
    if (name_of_sum(value, 'B', text))
        return 'B';
    return name_of_products(value, text) ? 'M' : 0;
}

/* ---- Watching ---- */

enum mode { ASLEEP, RECORDING, PROBING };
static enum mode mode;
static int events, probed; /* probed: the operation that is looked at */

static void record(const char *kernel)
{
    struct operation next = {.event = events};
    int changed = 0;
    fetch();
    snprintf(next.kernel, sizeof next.kernel, "%s", kernel);
    for (int p = 0; p < place_count; p++) {
        char text[200];
        if (!content(p, &next.after[p]) || !meaning(next.after[p], text))
            return; /* between two operations, or within a product */
        double old = contents_before(operation_count)[p];
        next.written[p] = next.after[p] != old && !(isnan(next.after[p]) && isnan(old));
        changed += next.written[p];
    }
    if (!changed)
        return;
    if (operation_count == MOST_STEPS)
        fail("more operations than", "expected");
    operations[operation_count++] = next;
}

static void poison(void)
{
    fetch();
    for (int p = 0; p < place_count; p++)
        *element(p, p, p) = NAN;
    put();
}

/* Row and column place_count hold no NaN of their own. */
static void look(void)
{
    struct operation *o = &operations[probed];
    fetch();
    for (int p = 0; p < place_count; p++)
        for (int y = 0; y < place_count; y++) {
            if (!o->written[y])
                continue;
            if (isnan(*element(y, p, place_count)))
                o->read[p] = 2;
            else if (isnan(*element(y, place_count, p)))
                o->read[p] = 3;
        }
    for (int p = 0; p < place_count; p++)
        for (int y = 0; y < place_count && !o->read[p]; y++)
            if (o->written[y] && isnan(*element(y, p, p))) {
                /* where a left factor's row and a right one's column cross */
                int by_factor = 0;
                for (int f = 0; f < place_count; f++)
                    by_factor |= o->read[f] > 1 && f == p;
                if (!by_factor)
                    o->read[p] = 1;
            }
}

void watch(const char *name)
{
    enum mode now = mode;
    if (now == ASLEEP)
        return;
    mode = ASLEEP; /* copies are calls, too */
    events++;
    if (now == RECORDING)
        record(name);
    else {
        if (events == operations[probed].event)
            look();
        if (probed > 0 && events == operations[probed - 1].event)
            poison();
    }
    mode = now;
}

static void run_level(enum mode what)
{
    struct step_run p = whole_run(N, N, N, device[0], device[1], device[2]);
    p.levels = 1, p.context.leaf = STEP.leaves;
    if (*SCHEDULE_LEAF)
        p.context.leaf = find_leaf(STEP.leaves, SCHEDULE_LEAF);
    if (!p.context.leaf)
        fail("there is no leaf", SCHEDULE_LEAF);
    for (int place = 0; place < place_count; place++)
        for (int i = 0; i < Q; i++)
            for (int j = 0; j < Q; j++)
                *element(place, i, j) = place < 4           ? alpha[place]
                                        : place < 8         ? beta[place - 4]
                                        : what == RECORDING ? NAN
                                                            : 0;
    put();
    if (what == PROBING && probed == 0)
        poison();
    for (int place = 0; place < place_count; place++)
        before_all[place] = place < 4 ? alpha[place] : place < 8 ? beta[place - 4] : NAN;
    events = 0;
    const struct variant *v = find_variant(STEP.variants, variant);
    if (!v)
        fail("there is no variant", variant);
    mode = what;
    run_variant(v, &p, device[3]);
    mode = ASLEEP;
}

/* Finds the product that an operation computes, from the values of its factors. */
static int product_of_factors(const struct operation *o, const double *before)
{
    double left = 0, right = 0;
    for (int p = 0; p < place_count; p++) {
        if (o->read[p] == 2)
            left = before[p];
        if (o->read[p] == 3)
            right = before[p];
    }
    for (int i = 0; i < PRODUCTS; i++)
        if (left * right * Q == product_value(i) || -left * right * Q == product_value(i))
            return i + 1;
    return 0;
}

static void observe(const char *of_variant, const char *temporaries, long distance)
{
    variant = of_variant, stride = distance ? distance : (long)Q * Q;
    place_count = operation_count = 0;
    memset(operations, 0, sizeof operations);
    find_places(temporaries);
    elements[0] = elements[1] = elements[2] = (size_t)N * N;
    elements[3] = (size_t)(place_count - first_temporary) * (size_t)stride;
    for (int i = 0; i < 4; i++) {
        host[i] = calloc(elements[i], sizeof(double));
        device[i] = backend.allocate(elements[i] * sizeof(double));
        if (!host[i] || !device[i])
            fail("no memory", "");
    }
    run_level(RECORDING);
    for (probed = 0; probed < operation_count; probed++)
        run_level(PROBING);
    for (int i = 0; i < operation_count; i++) {
        int factors = 0;
        for (int p = 0; p < place_count; p++)
            factors += operations[i].read[p] > 1;
        if (!factors)
            continue;
        operations[i].product = product_of_factors(&operations[i], contents_before(i));
        if (!operations[i].product)
            fail("an operation multiplies what is no product of the method:",
                 operations[i].kernel);
    }
    for (int c = 8; c < 12; c++) { /* the end is C */
        char text[200];
        if (meaning(operations[operation_count - 1].after[c], text) != 'M')
            fail("the run left no result in", places[c].name);
    }
    for (int i = 0; i < 4; i++) {
        free(host[i]);
        backend.release(device[i]);
    }
}

/* ---- The words for an operation ---- */

/* The kernel's name as the chapter says it: add_kernel is add. */
static void short_name(const struct operation *o, char *text)
{
    snprintf(text, TEXT, "%s",
             o->product && SCHEDULE_PRODUCT[0] != 0 ? SCHEDULE_PRODUCT : o->kernel);
    char *tail = strstr(text, "_kernel");
    if (tail)
        *tail = 0;
}

static void join(char *text, int index, int role, int wanted)
{
    const struct operation *o = &operations[index];
    for (int p = 0; p < place_count; p++) {
        int take = wanted == 'w' ? o->written[p]
                                 : o->read[p] == role && !(wanted == 'r' && o->written[p]);
        if (take)
            strcat(strcat(text, *text ? ", " : ""), places[p].name);
    }
}

/* Z = X − Y, the signs found by trying; or (Y, Z) ← X where several places are written. */
static void equation(int index, char *text)
{
    const struct operation *o = &operations[index];
    const double *before = contents_before(index);
    char to[TEXT] = "", left[TEXT] = "", right[TEXT] = "", from[TEXT] = "";
    int reads[MOST_PLACES], count = 0, target = 0, writes = 0;
    join(to, index, 0, 'w');
    join(left, index, 2, 0), join(right, index, 3, 0), join(from, index, 1, 'r');
    for (int p = 0; p < place_count; p++) {
        if (o->read[p] == 1)
            reads[count++] = p;
        if (o->written[p])
            target = p, writes++;
    }
    if (o->product) {
        sprintf(text,
                writes > 1             ? "%s ← %s × %s"
                : o->read[target] == 1 ? "%s += %s × %s"
                                       : "%s = %s × %s",
                to, left, right);
        if (*from && writes == 1)
            sprintf(text, "%s = %s × %s + %s", to, left, right, from);
        return;
    }
    if (writes > 1) {
        sprintf(text, "(%s) ← %s", to, from);
        return;
    }
    for (int signs = 0; signs < 1 << count; signs++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += (signs >> i & 1 ? -1 : 1) * before[reads[i]];
        if (sum != o->after[target])
            continue;
        char terms[TEXT] = "";
        for (int sign = 0; sign < 2; sign++)
            for (int i = 0; i < count; i++)
                if ((signs >> i & 1) == sign)
                    term(terms, sign ? -1 : 1, places[reads[i]].name, " + ", " − ");
        sprintf(text, "%s = %s", to, terms);
        return;
    }
    fail("an operation is no sum of what it reads:", o->kernel);
}

/* The figures of Li et al. (2011) count a fused kernel as its product and each sum in it. */
static int figure_steps(const struct operation *o)
{
    int steps = 1;
    for (int p = 0; p < place_count && o->product; p++)
        steps += o->read[p] == 1;
    return steps;
}

static void number(int index, char *text)
{
    int first = 1;
    for (int i = 0; i < index; i++)
        first += figure_steps(&operations[i]);
    int last = first + figure_steps(&operations[index]) - 1;
    sprintf(text, first == last ? "%d" : "%d–%d", first, last);
}

/* Whether what a place holds after operation `index` is read before it is lost, or is the
 * result. */
static int is_needed(int place, int index)
{
    for (int i = index + 1; i < operation_count; i++) {
        if (operations[i].read[place])
            return 1;
        if (operations[i].written[place])
            return 0;
    }
    return place >= 8 && place < 12;
}

static int is_final(int place, int index)
{
    for (int i = index + 1; i < operation_count; i++)
        if (operations[i].written[place])
            return 0;
    return place >= 8 && place < 12;
}

/* ---- The pictures ---- */

static void legend(double x, double y, const char *fill, const char *stroke, const char *text)
{
    svg_box(x, y, 14, 14, fill, stroke, 0.8);
    svg_text(x + 20, y + 12, 12, "start", BLACK, "%s", text);
}

/* The letters of a text; in UTF-8 all bytes of a letter but its first are 10xxxxxx. A long text
 * is told how wide it may be: how wide it is depends on the reader's font. */
static int glyphs(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += (*text & 0xc0) != 0x80;
    return count;
}

static void draw_plan(void)
{
    const int label = 190, cell = 102, high = 21, top = 52;
    int columns = place_count - 8, bottom = top + operation_count * high;
    char title[TEXT * 2];
    sprintf(title,
            "What C's quadrants and the temporaries hold after each of the %d operations of "
            "one level",
            operation_count);
    svg_begin(label + columns * cell + 12, bottom + 48, title);
    svg_text(label + 2 * cell, 16, 12, "middle", GREY, "quadrants of the result");
    svg_text(label + (4 + (columns - 4) / 2.0) * cell, 16, 12, "middle", GREY, "temporaries");
    svg_line(label, 22, label + 4 * cell - 4, 22, GREY, 0.8);
    svg_line(label + 4 * cell + 4, 22, label + columns * cell, 22, GREY, 0.8);
    for (int c = 0; c < columns; c++)
        svg_bold(label + (c + 0.5) * cell, 43, 13, "middle", BLACK, "%s", places[8 + c].name);
    for (int i = 0; i < operation_count; i++) {
        const struct operation *o = &operations[i];
        double y = top + i * high;
        char text[3 * TEXT], name[TEXT];
        number(i, text);
        svg_text(32, y + 15, 11, "end", GREY, "%s", text);
        short_name(o, name);
        if (o->product && *name)
            sprintf(text, "%s → M%d", name, o->product);
        else
            equation(i, text);
        svg_styled(40, y + 15, 12, "start", BLACK, o->product ? SVG_BOLD : "", "%s", text);
        for (int c = 0; c < columns; c++) {
            int p = 8 + c, final = is_final(p, i), shown = final || is_needed(p, i);
            char kind = meaning(o->after[p], text);
            const char *fill = !shown || kind == ' ' ? "#ffffff"
                               : final               ? GREEN
                               : kind == 'A'         ? PALE_BLUE
                               : kind == 'B'         ? PALE_ORANGE
                                                     : PALE_GREEN;
            svg_box(label + c * cell, y, cell, high, fill, "#d5d5d5", 0.8);
            if (shown && kind != ' ') {
                char looks[80];
                snprintf(looks, sizeof looks, "%s%s", o->written[p] ? SVG_BOLD : "",
                         glyphs(text) > 10
                             ? " textLength=\"94\" lengthAdjust=\"spacingAndGlyphs\""
                             : "");
                svg_styled(label + (c + 0.5) * cell, y + 15, 12, "middle",
                           final ? "#ffffff" : BLACK, looks, "%s", text);
            }
        }
    }
    for (int i = 0; i < operation_count; i++) /* on top of the neighbours' edges */
        for (int c = 0; c < columns; c++)
            if (operations[i].written[8 + c])
                svg_box(label + c * cell, top + i * high, cell, high, "none", BLACK, 1.6);
    svg_line(label + 4 * cell, 26, label + 4 * cell, bottom, BLACK, 1.4);
    legend(20, bottom + 10, PALE_BLUE, "#888888", "sum of A");
    legend(112, bottom + 10, PALE_ORANGE, "#888888", "sum of B");
    legend(204, bottom + 10, PALE_GREEN, "#888888", "product, or part of a result");
    legend(400, bottom + 10, GREEN, "#888888", "final");
    legend(474, bottom + 10, "#ffffff", BLACK, "written by this operation");
    legend(654, bottom + 10, "#ffffff", "#d5d5d5", "nothing still needed");
    svg_text(
        20, bottom + 42, 12, "start", GREY, "%s",
        SCHEDULE_WINOGRAD
            ? "Bold: the seven products. S1 to S8 are the sums, V1 = M1 + M2, V2 = V1 + M4."
            : "Bold: the seven products. A white cell may be overwritten.");
    svg_end();
}

/* One place: blue where it is read, red where it is written, both where it is both. */
static void draw_place(const struct operation *o, int p, double x, double y, const char *inside)
{
    const double side = 20;
    svg_box(x, y, side, side, o->written[p] ? RED : o->read[p] ? BLUE : PALE, "#888888", 0.8);
    if (o->written[p] && o->read[p])
        printf("<path d=\"M%g %gh%gl%g %gz\" fill=\"" BLUE "\"/>\n", x, y, side, -side, side);
    if (*inside)
        svg_text(x + side / 2, y + 14, 11, "middle",
                 o->written[p] || o->read[p] ? "#ffffff" : "#888888", "%s", inside);
}

static void draw_calls(void)
{
    int temporaries = place_count - first_temporary;
    int columns = temporaries > 2 ? 3 : 4, box_w = temporaries > 2 ? 262 : 196, box_h = 122;
    int rows = (operation_count + columns - 1) / columns;
    char title[TEXT * 2];
    sprintf(title,
            "Which quadrants and temporaries each of the %d operations of one level reads and "
            "writes",
            operation_count);
    svg_begin(20 + columns * (box_w + 8), 12 + rows * (box_h + 8) + 40, title);
    for (int i = 0; i < operation_count; i++) {
        const struct operation *o = &operations[i];
        double x = 10 + i % columns * (box_w + 8), y = 12 + i / columns * (box_h + 8);
        char text[3 * TEXT], name[TEXT];
        svg_box(x, y, box_w, box_h, "none", "#dddddd", 1);
        number(i, text);
        svg_text(x + 10, y + 20, 11, "start", GREY, "%s", text);
        short_name(o, name);
        svg_bold(x + 50, y + 20, 13, "start", BLACK, "%s", name);
        if (o->product) {
            svg_bold(x + box_w - 10, y + 20, 13, "end", BLACK, "M%d", o->product);
        }
        equation(i, text);
        svg_text(x + 10, y + 39, 12, "start", BLACK, "%s", text);
        for (int array = 0; array < 3; array++) {
            char letter[2] = {(char)('A' + array), 0};
            svg_text(x + 30 + 48 * array, y + 60, 12, "middle", GREY, "%s", letter);
            for (int q = 0; q < 4; q++)
                draw_place(o, 4 * array + q, x + 10 + 48 * array + q % 2 * 20,
                           y + 66 + q / 2 * 20, "");
        }
        for (int t = 0; t < temporaries;
             t++) { /* two rows: T1 over T2, or a over b and then M1 to M7 */
            int row = t < 2 ? t : (t - 2) / 4, column = t < 2 ? 0 : 1 + (t - 2) % 4;
            const char *label = places[first_temporary + t].name;
            draw_place(o, first_temporary + t, x + 156 + 20 * column, y + 66 + 20 * row,
                       label[1] ? label + 1 : label);
        }
        svg_text(x + 166, y + 60, 12, "middle", GREY, "%s", temporaries > 2 ? "" : "T");
        if (temporaries > 2)
            svg_text(x + 216, y + 60, 12, "middle", GREY, "M");
    }
    double y = 12 + rows * (box_h + 8) + 8;
    legend(12, y, BLUE, "#888888", "read");
    legend(90, y, RED, "#888888", "written");
    svg_box(178, y, 14, 14, RED, "#888888", 0.8);
    printf("<path d=\"M178 %gh14l-14 14z\" fill=\"" BLUE "\"/>\n", y);
    svg_text(198, y + 12, 12, "start", BLACK, "read, then written");
    svg_text(340, y + 12, 12, "start", GREY, "%s",
             temporaries > 2 ? "a, b and M1 to M7 are quadrants of their own"
                             : "T: the temporaries T1 and T2");
    svg_end();
}

/* Four quadrants with + and − where a coefficient is 1 or −1. */
static void draw_signs(const int *coefficients, double x, double y, const char *letter)
{
    svg_text(x + 18, y - 6, 12, "middle", GREY, "%s", letter);
    for (int q = 0; q < 4; q++) {
        int c = coefficients[q];
        svg_box(x + q % 2 * 18, y + q / 2 * 18, 18, 18,
                c > 0   ? BLUE
                : c < 0 ? "#E69F00"
                        : PALE,
                "#888888", 0.8);
        if (c)
            svg_bold(x + q % 2 * 18 + 9, y + q / 2 * 18 + 14, 14, "middle",
                     c > 0 ? "#ffffff" : BLACK, "%s", c > 0 ? "+" : "−");
    }
}

/* The coefficient of each product in a number that is a sum of products. */
static void coefficients_of(double value, int *c)
{
    for (int code = 0; code < 2187; code++) {
        double sum = 0;
        for (int i = 0, rest = code; i < PRODUCTS; i++, rest /= 3)
            sum += (c[i] = (rest % 3 + 1) % 3 - 1) * product_value(i);
        if (sum == value)
            return;
    }
    fail("the result is no sum of", "products");
}

static void draw_products(void)
{
    const int wide = 252, high = 96;
    int of_c[4][PRODUCTS];
    for (int q = 0; q < 4; q++)
        coefficients_of(operations[operation_count - 1].after[8 + q], of_c[q]);
    svg_begin(20 + 3 * (wide + 8), 12 + 3 * (high + 8) + 30,
              "The seven products: which quadrants enter with which sign, and where each "
              "product goes");
    for (int i = 0; i < PRODUCTS; i++) {
        const struct factors *f = SCHEDULE_WINOGRAD ? &winograd[i] : &strassen[i];
        double x = 10 + i % 3 * (wide + 8), y = 12 + i / 3 * (high + 8);
        char left[TEXT] = "", right[TEXT] = "", text[3 * TEXT];
        int to[4] = {of_c[0][i], of_c[1][i], of_c[2][i], of_c[3][i]};
        name_of_sum(sum_of(f->a, alpha), 'A', left),
            name_of_sum(sum_of(f->b, beta), 'B', right);
        sprintf(text, strchr(left, ' ') ? "= (%s)" : "= %s", left);
        sprintf(text + strlen(text), strchr(right, ' ') ? " (%s)" : " %s", right);
        svg_box(x, y, wide, high, "none", "#dddddd", 1);
        svg_bold(x + 10, y + 20, 13, "start", BLACK, "M%d", i + 1);
        svg_text(x + 40, y + 20, 13, "start", GREY, "%s", text);
        draw_signs(f->a, x + 12, y + 52, "A");
        svg_text(x + 64, y + 75, 14, "middle", BLACK, "×");
        draw_signs(f->b, x + 80, y + 52, "B");
        svg_text(x + 146, y + 75, 16, "middle", BLACK, "→");
        draw_signs(to, x + 176, y + 52, "C");
    }
    double x = 10 + wide + 8, y = 12 + 2 * (high + 8);
    svg_bold(x + 10, y + 20, 13, "start", BLACK, "C collects:");
    for (int q = 0; q < 4; q++) {
        char sum[TEXT] = "";
        name_of_products(operations[operation_count - 1].after[8 + q], sum);
        svg_text(x + 10 + q % 2 * 200, y + 46 + q / 2 * 22, 13, "start", BLACK, "%s = %s",
                 places[8 + q].name, sum);
    }
    y = 12 + 3 * (high + 8) + 6;
    legend(12, y, BLUE, "#888888", "the quadrant enters, or the product is added");
    legend(310, y, "#E69F00", "#888888", "subtracted");
    legend(420, y, PALE, "#888888", "not used");
    svg_end();
}

#ifdef SCHEDULE_FUSED /* step 05: Figure 3 beside the fused level */
enum { CELL = 24, ROW = 18, NAMES = 160 };

/* A row for each operation, a column for each place. Counted are the quadrants that a pass over
   memory reads and writes; of a product only the quadrants that it is added to count. */
static double draw_passes_of(const char *headline, double top)
{
    int moved_in_all = 0;
    double y = top + 40, right = NAMES + place_count * CELL + 4 * 8;
    svg_bold(10, top + 14, 14, "start", BLACK, "%s", headline);
    for (int p = 0; p < place_count; p++)
        svg_bold(NAMES + (p + 0.5) * CELL + p / 4 * 8, y - 6, 10, "middle", BLACK, "%s",
                 places[p].name);
    svg_text(right + 34, y - 6, 11, "end", GREY, "moved");
    for (int i = 0; i < operation_count; i++, y += ROW) {
        const struct operation *o = &operations[i];
        int moved = 0, writes = 0;
        char text[3 * TEXT];
        for (int p = 0; p < place_count; p++) {
            writes += o->written[p];
            moved += (o->read[p] == 1) + (o->written[p] && !o->product);
        }
        if (writes > 2)
            sprintf(text, o->written[8] || o->written[9] ? "combine"
                          : o->read[0]                   ? "sums of A"
                                                         : "sums of B");
        else
            equation(i, text);
        svg_styled(10, y + 13, 12, "start", BLACK, o->product ? SVG_BOLD : "", "%s", text);
        for (int p = 0; p < place_count; p++) {
            double x = NAMES + p * CELL + p / 4 * 8;
            const char *pale = p < 4    ? PALE_BLUE
                               : p < 8  ? PALE_ORANGE
                               : p < 12 ? PALE_GREEN
                                        : "#dddddd";
            svg_box(x, y, CELL, ROW, "none", "#e4e4e4", 0.6);
            if (o->read[p] > 1)
                svg_text(x + CELL / 2.0, y + 13, 12, "middle", GREY, "×");
            else if (o->product && o->written[p] && !o->read[p])
                svg_box(x + 7, y + 4, 10, 10, "none", "#444444", 1.2);
            else if (o->read[p] || o->written[p]) {
                svg_box(x + 3, y + 3, CELL - 6, ROW - 6, o->read[p] ? pale : "#444444", "none",
                        0);
                if (o->read[p] && o->written[p])
                    printf("<path d=\"M%g %gv%d h%dz\" fill=\"#444444\"/>\n", x + CELL - 3,
                           y + 3, ROW - 6, -(CELL - 6));
            }
        }
        if (moved) {
            svg_text(right + 34, y + 13, 12, "end", BLACK, "%d", moved);
        }
        moved_in_all += moved;
    }
    svg_bold(right + 34, y + 16, 12, "end", BLACK, "quadrants moved by passes: %d",
             moved_in_all);
    return y + 34;
}

static void draw_passes(void)
{
    const char *const sums = "S1 S2 S3 S4 S5 S6 S7 S8";
    int rows = operation_count;
    observe(SCHEDULE_FUSED, sums, SCHEDULE_FUSED_STRIDE);
    rows += operation_count;
    int width = NAMES + place_count * CELL + 4 * 8 + 48;
    svg_begin(width, rows * ROW + 2 * 76 + 66, "The quadrants that each pass reads and writes");
    observe(SCHEDULE_VARIANT, SCHEDULE_TEMPORARIES, 0);
    double y = draw_passes_of("figure3: one sum at a time", 4);
    observe(SCHEDULE_FUSED, sums, SCHEDULE_FUSED_STRIDE);
    y = draw_passes_of("fused: every quadrant is read once", y) + 6;
    legend(10, y, PALE_BLUE, "none", "read (A blue, B yellow, C green, sums grey)");
    legend(290, y, "#444444", "none", "written");
    svg_box(380, y, 14, 14, "#dddddd", "none", 0);
    printf("<path d=\"M394 %gv14h-14z\" fill=\"#444444\"/>\n", y);
    svg_text(400, y + 12, 12, "start", BLACK, "read and written");
    svg_text(14, y + 34, 12, "start", GREY, "×");
    svg_text(30, y + 34, 12, "start", BLACK, "a factor of a product");
    svg_box(182, y + 24, 10, 10, "none", "#444444", 1.2);
    svg_text(200, y + 34, 12, "start", BLACK, "where a product is stored");
    svg_end();
}
#endif

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*draw)(void);
    } pictures[] = {{"plan", draw_plan},
                    {"calls", draw_calls},
                    {"products", draw_products},
#ifdef SCHEDULE_FUSED
                    {"passes", draw_passes}
#endif
    };
    for (size_t i = 0; argc == 2 && i < sizeof pictures / sizeof *pictures; i++)
        if (!strcmp(argv[1], pictures[i].name)) {
            observe(SCHEDULE_VARIANT, SCHEDULE_TEMPORARIES, 0);
            pictures[i].draw();
            return 0;
        }
    fprintf(stderr, "usage: draw-%.2s plan|calls|products >picture.svg\n", STEP.name);
    return 2;
}
