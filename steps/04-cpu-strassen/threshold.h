/**
 * @file threshold.h
 * --find-threshold: from which n on does one level of Strassen beat the leaf? (004 section 2.1.1)
 */
#ifndef LADDER_THRESHOLD_H
#define LADDER_THRESHOLD_H

#include <stdio.h>
#include <stdlib.h>

#include "common/host.h"
#include "common/input.h"
#include "common/options.h"
#include "common/timer.h"

enum { THRESHOLD_SIZES = 12, THRESHOLD_REPS = 5 };

/** One size: the leaf alone, and one level of `method` over it, in milliseconds. */
struct threshold_row {
    long n;
    double leaf_ms, level_ms;
};

static double threshold_time(const struct variant *v, const struct problem *p, real *workspace)
{
    double start = timer_now();
    v->multiply(p, workspace);
    return timer_now() - start;
}

/* Medians of runs in turn, so that both see the same clocks. */
static struct threshold_row threshold_measure(const struct problem *shape, long n,
                                              const struct variant *method, struct matrix *a,
                                              struct matrix *b, struct matrix *c, real *workspace)
{
    struct problem p = *shape;
    p.m = p.n = p.k = p.lda = p.ldb = p.ldc = n;
    p.a = a->host;
    p.b = b->host;
    p.c = c->host;
    double leaf_ms[THRESHOLD_REPS], level_ms[THRESHOLD_REPS];
    for (int i = -1; i < THRESHOLD_REPS; i++) { /* -1 warms up */
        double leaf = threshold_time(p.leaf, &p, workspace);
        double level = threshold_time(method, &p, workspace);
        if (i >= 0) {
            leaf_ms[i] = leaf;
            level_ms[i] = level;
        }
    }
    return (struct threshold_row){n, timing_of(leaf_ms, THRESHOLD_REPS).median,
                                  timing_of(level_ms, THRESHOLD_REPS).median};
}

/* The ratio as a bar; the mark at 1 is where the two are equally fast. */
static void threshold_bar(double ratio)
{
    enum { ONE = 24, WIDTH = 36 };
    int length = (int)(ratio * ONE + 0.5);
    for (int i = 1; i <= WIDTH; i++)
        putchar(i == ONE ? '|' : i <= length ? '#' : ' ');
    putchar('\n');
}

/* An SVG through gnuplot, where there is one. */
static void threshold_plot(const struct threshold_row *rows, int count, const char *leaf)
{
    char name[128];
    snprintf(name, sizeof name, "threshold-%s-%s.svg", leaf, sizeof(real) == 8 ? "f64" : "f32");
    FILE *gnuplot = popen("gnuplot 2>/dev/null", "w");
    if (!gnuplot)
        return;
    fprintf(gnuplot,
            "set terminal svg size 640,400 background '#ffffff'\nset output '%s'\n"
            "set logscale x 2\nset xlabel 'n'\nset ylabel 'time of the leaf / time with one level'\n"
            "set grid\nunset key\nset yrange [0:1.3<*]\nplot 1 with lines lc 'gray', '-' with linespoints lw 2 pt 7\n",
            name);
    for (int i = 0; i < count; i++)
        fprintf(gnuplot, "%ld %g\n", rows[i].n, rows[i].leaf_ms / rows[i].level_ms);
    fprintf(gnuplot, "e\n");
    if (pclose(gnuplot) == 0)
        printf("drawn in %s\n", name);
    else
        printf("not drawn: gnuplot is not there, or this folder cannot be written\n");
}

/* The smallest measured n from which on one level is always faster; 0: none. */
static long threshold_of(const struct threshold_row *rows, int count)
{
    long threshold = 0;
    for (int i = count - 1; i >= 0 && rows[i].level_ms < rows[i].leaf_ms; i--)
        threshold = rows[i].n;
    return threshold;
}

/** Measures n = 64 ... up to 2048, or about twenty seconds; prints, draws, names the threshold. */
static int print_threshold(const struct options *o, const struct variant *method)
{
    static const long sizes[THRESHOLD_SIZES] = {64,  96,  128, 192,  256,  384,
                                                512, 768, 1024, 1536, 2048, 3072};
    struct threshold_row rows[THRESHOLD_SIZES];
    struct problem p = {.levels = 1, .threads = o->threads};
    p.leaf = o->leaf ? find_variant(o->step->leaves, o->leaf) : o->step->leaves;
    if (p.leaf->missing && p.leaf->missing()) {
        fprintf(stderr, "--leaf %s: %s\n", p.leaf->name, p.leaf->missing());
        return EXIT_RESOURCE;
    }
    printf("one level of Strassen over the leaf '%s', %s\n\n%6s %10s %10s %7s\n", p.leaf->name,
           precision_names[o->precision], "n", "leaf ms", "level ms", "ratio");
    int count = 0;
    double start = timer_now(), last = 0;
    for (; count < THRESHOLD_SIZES && timer_now() - start + 8 * last < 20000; count++) {
        double before = timer_now();
        long n = sizes[count];
        struct matrix a, b, c;
        p.m = p.n = p.k = n;
        size_t need = method->workspace(&p);
        real *workspace = aligned_alloc(64, (need * sizeof(real) + 63) / 64 * 64);
        if (!workspace || !matrix_create(&a, o->precision, n, n, n) ||
            !matrix_create(&b, o->precision, n, n, n) || !matrix_create(&c, o->precision, n, n, n))
            return EXIT_RESOURCE;
        input_fill(&a, INPUT_UNIFORM, OPERAND_A, o->seed, 1);
        input_fill(&b, INPUT_UNIFORM, OPERAND_B, o->seed, 1);
        rows[count] = threshold_measure(&p, n, method, &a, &b, &c, workspace);
        double ratio = rows[count].leaf_ms / rows[count].level_ms;
        printf("%6ld %10.3f %10.3f %7.3f ", n, rows[count].leaf_ms, rows[count].level_ms, ratio);
        threshold_bar(ratio);
        matrix_destroy(&a);
        matrix_destroy(&b);
        matrix_destroy(&c);
        free(workspace);
        last = timer_now() - before;
    }
    long threshold = threshold_of(rows, count);
    if (threshold)
        printf("\none level wins from n = %ld on: --tau1 %ld\n", threshold, threshold - 1);
    else
        printf("\none level does not win at any of these sizes\n");
    threshold_plot(rows, count, p.leaf->name);
    return EXIT_RIGHT;
}

#endif
