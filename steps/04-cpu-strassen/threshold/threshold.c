/* SPDX-License-Identifier: MIT */
#include "threshold.h"

#include <stdio.h>

#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/measure/timed_variant.h"
#include "common/measure/json.h"
#include "common/matrix/input.h"
#include "common/device/timer.h"

enum { SIZES = 17, REPS = 5, LIMIT_MS = 20000 };

static const long sizes[SIZES] = {64,   96,   128,  192,  256,  384,  512,   768,  1024,
                                  1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384};

/* A method and its leaf on one size of square matrices, in milliseconds (medians). */
struct race {
    long n;
    double leaf_ms, method_ms;
};

/* Times the leaf alone and one level of `method` over it, in turn, so that both see the same
   clock frequencies. Returns false without enough memory. */
static bool race_with_leaf(const struct options *o, const struct variant *method,
                           const struct leaf *leaf, long n, struct race *race)
{
    struct matrix a = {0}, b = {0}, c = {0};
    struct context ctx = {.threads = (int)o->threads, .leaf = leaf, .fused = 1};
    struct product p = product_of_size(n, n, n);
    size_t elements = method->workspace(&ctx, p, 1);
    void *workspace =
        backend.allocate((elements ? elements : 1) * precision_bytes(o->precision));
    bool enough = workspace && matrix_create(&a, o->precision, n, n, n) &&
                  matrix_create(&b, o->precision, n, n, n) &&
                  matrix_create(&c, o->precision, n, n, n);
    if (enough) {
        input_fill(&a, INPUT_UNIFORM, OPERAND_A, o->seed, 1);
        input_fill(&b, INPUT_UNIFORM, OPERAND_B, o->seed, 1);
        matrix_upload(&a);
        matrix_upload(&b);
        p.a.at = a.device;
        p.b.at = b.device;
        p.c.at = c.device;
        struct timed_variant alone = {leaf->multiply, &ctx, p, 0, workspace, leaf->simple};
        struct timed_variant over_leaf = {method->multiply, &ctx,          p, 1,
                                          workspace,        method->simple};
        struct contestant contestants[] = {{time_variant, &alone}, {time_variant, &over_leaf}};
        warm_up_in_turn(contestants, 2, 1);
        time_in_turn(contestants, 2, REPS);
        *race = (struct race){n, contestants[0].timing.median, contestants[1].timing.median};
    }
    matrix_destroy(&a);
    matrix_destroy(&b);
    matrix_destroy(&c);
    if (workspace)
        backend.release(workspace);
    return enough;
}

/* Prints the ratio as a bar; at the mark, 1, both are equally fast. */
static void print_bar(double ratio)
{
    enum { ONE = 24, WIDTH = 36 };
    int length = (int)(ratio * ONE + 0.5);
    for (int i = 1; i <= WIDTH; i++)
        putchar(i == ONE ? '|' : i <= length ? '#' : ' ');
    putchar('\n');
}

/* Draws an SVG with gnuplot, if it is installed. */
static void plot(const struct race *rows, int count, const char *leaf, const char *precision)
{
    char name[128];
    snprintf(name, sizeof name, "threshold-%s-%s.svg", leaf, precision);
    FILE *gnuplot = popen("gnuplot 2>/dev/null", "w");
    if (!gnuplot)
        return;
    fprintf(gnuplot,
            "set terminal svg size 640,400 background '#ffffff'\nset output '%s'\n"
            "set logscale x 2\nset xlabel 'n'\nset ylabel 'time of the leaf / time with one "
            "level'\n"
            "set grid\nunset key\nset yrange [0:1.3<*]\nplot 1 with lines lc 'gray', '-' with "
            "linespoints lw 2 pt 7\n",
            name);
    for (int i = 0; i < count; i++)
        fprintf(gnuplot, "%ld %g\n", rows[i].n, rows[i].leaf_ms / rows[i].method_ms);
    fprintf(gnuplot, "e\n");
    if (pclose(gnuplot) == 0)
        printf("drawn in %s\n", name);
    else
        printf("not drawn: gnuplot is not installed, or this folder cannot be written\n");
}

/* The smallest measured n from which on one level is always faster; 0 if there is none. */
static long threshold_of(const struct race *rows, int count)
{
    long threshold = 0;
    for (int i = count - 1; i >= 0 && rows[i].method_ms < rows[i].leaf_ms; i--)
        threshold = rows[i].n;
    return threshold;
}

static void print_json(const struct options *o, const char *method, const char *leaf,
                       const struct race *race)
{
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", o->step->name);
    json_text(j, "method", method);
    json_text(j, "leaf", leaf);
    json_text(j, "device", backend.device());
    json_text(j, "precision", precision_names[o->precision]);
    json_whole(j, "n", (double)race->n);
    json_number(j, "leaf_ms", race->leaf_ms);
    json_number(j, "level_ms", race->method_ms);
    json_number(j, "ratio", race->leaf_ms / race->method_ms);
    json_end(j);
    fflush(stdout);
}

static void print_race(const struct race *race)
{
    double ratio = race->leaf_ms / race->method_ms;
    printf("%6ld %10.3f %10.3f %7.3f ", race->n, race->leaf_ms, race->method_ms, ratio);
    print_bar(ratio);
}

/* Races sizes for about twenty seconds, or until the reader of the output is gone. Returns the
 * number of sizes. */
static int race_all(const struct options *o, const struct variant *method, const char *name,
                    const struct leaf *leaf, struct race rows[SIZES])
{
    int count = 0;
    double start = timer_now(), last = 0;
    for (; count < SIZES && timer_now() - start + 8 * last < LIMIT_MS && !ferror(stdout);
         count++) {
        double before = timer_now();
        if (!race_with_leaf(o, method, leaf, sizes[count], &rows[count])) {
            say(stderr, "not enough memory for n = %ld\n", sizes[count]);
            break;
        }
        if (o->json)
            print_json(o, name, leaf->name, &rows[count]);
        else
            print_race(&rows[count]);
        last = timer_now() - before;
    }
    return count;
}

int find_threshold_of(const struct options *o, const struct variant *method, const char *name)
{
    struct race rows[SIZES];
    const struct leaf *leaf = find_leaf(o->step->leaves, o->leaf);
    if (no_times("find-threshold", leaf))
        return EXIT_RESOURCE;
    if (!o->json)
        printf("one level of %s over the leaf '%s', %s, on %s\n\n%6s %10s %10s %7s\n", name,
               leaf->name, precision_names[o->precision], backend.device(), "n", "leaf ms",
               "level ms", "ratio");
    int count = race_all(o, method, name, leaf, rows);
    if (count == 0)
        return EXIT_RESOURCE;
    if (o->json)
        return EXIT_RIGHT;
    long threshold = threshold_of(rows, count);
    if (threshold)
        printf("\none level wins from n = %ld on: --tau1 %ld\n", threshold, threshold - 1);
    else
        printf("\none level does not win at any of these sizes\n");
    plot(rows, count, leaf->name, precision_names[o->precision]);
    return EXIT_RIGHT;
}
