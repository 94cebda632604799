/* SPDX-License-Identifier: MIT */
#include "diagnose.h"

#include <math.h>
#include <string.h>

#include "common/check/trial.h"

enum { WIDTH = 6, GAP = 3 };

/* A matrix of doubles to be printed. */
struct grid {
    const char *title;
    long rows, cols;
    double at[SHOW_MOST][SHOW_MOST];
};

static struct grid grid_of(const char *title, const struct matrix *x)
{
    struct grid grid = {.title = title, .rows = x->rows, .cols = x->cols};
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            grid.at[i][j] = matrix_get(x, i, j);
    return grid;
}

static void print_number(FILE *out, double x, bool marked)
{
    char number[32];
    if (isnan(x))
        snprintf(number, sizeof number, "%snan", marked ? ">" : "");
    else
        snprintf(number, sizeof number, "%s%.4g", marked ? ">" : "", x);
    fprintf(out, "%*s", WIDTH, number);
}

/* Columns of the screen that a grid takes: its title may be wider than its numbers. */
static int width_of(const struct grid *grid)
{
    int title = (int)strlen(grid->title), numbers = (int)grid->cols * WIDTH;
    return title > numbers ? title : numbers;
}

/* Prints all grids side by side; marks element (i, j) in those from `marked` on. */
static void print_grids(FILE *out, const struct grid *grids, int count, int marked, long i,
                        long j)
{
    long rows = 0;
    fprintf(out, "| ");
    for (int g = 0; g < count; g++) {
        fprintf(out, "%*s%*s", GAP, "", width_of(&grids[g]), grids[g].title);
        rows = grids[g].rows > rows ? grids[g].rows : rows;
    }
    for (long row = 0; row < rows; row++) {
        fprintf(out, "\n| ");
        for (int g = 0; g < count; g++) {
            fprintf(out, "%*s", GAP + width_of(&grids[g]) - (int)grids[g].cols * WIDTH, "");
            for (long col = 0; col < grids[g].cols; col++)
                if (row < grids[g].rows)
                    print_number(out, grids[g].at[row][col],
                                 g >= marked && row == i && col == j);
                else
                    fprintf(out, "%*s", WIDTH, "");
        }
    }
    fputc('\n', out);
}

/* Runs once and prints everything. */
static int run_and_print(FILE *out, struct trial *t, const struct result *r)
{
    bool lost = isinf(trial_run(t, r));
    matrix_download(&t->c);
    struct grid grids[4] = {grid_of("A", &t->a), grid_of("B", &t->b), grid_of("your C", &t->c),
                            grid_of("right", &t->c)};
    long wrong = 0, first_i = -1, first_j = -1;
    for (long i = 0; i < t->c.rows; i++)
        for (long j = 0; j < t->c.cols; j++) {
            double right = grids[3].at[i][j] = t->reference.product[i * t->c.cols + j];
            if (fabs(grids[2].at[i][j] - right) <= 1e-3 * fabs(right) + 1e-3)
                continue;
            if (!wrong++)
                first_i = i, first_j = j;
        }
    print_grids(out, grids, 4, 2, first_i, first_j);
    if (lost)
        fprintf(out, "| A fault ended the run; C is what was left.\n");
    if (wrong)
        fprintf(
            out,
            "| %ld of %ld elements are wrong, the first one is C[%ld][%ld]: %.9g for %.9g.\n",
            wrong, t->c.rows * t->c.cols, first_i, first_j, grids[2].at[first_i][first_j],
            grids[3].at[first_i][first_j]);
    else
        fprintf(out, "| All %ld elements are right.\n", t->c.rows * t->c.cols);
    return wrong || lost ? EXIT_WRONG : EXIT_RIGHT;
}

int show_matrices(FILE *out, const struct options *o)
{
    struct trial t = {.options = o};
    struct result r;
    trial_describe(&t, &r, find_variant(o->step->variants, "yours"));
    int status = EXIT_RESOURCE;
    if (trial_create(&t) && workspace_create(&t.workspace, o->precision, r.workspace_bytes)) {
        trial_fill(&t, INPUT_INTEGERS, 4);
        if (reference_create(&t.reference, &t.a, &t.b))
            status = run_and_print(out, &t, &r);
    }
    trial_destroy(&t);
    return status;
}
