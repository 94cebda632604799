/**
 * @file place_cpu.c
 * A rank on the processor.
 */
#include <string.h>

#include "common/vendor.h"
#include "place.h"
#include "steps/02-cpu-blocked/packed.h"

static real element_of(const struct source *x, long i, long j)
{
    if (i >= x->rows || j >= x->cols)
        return 0;
    return (real)input_element(x->input, x->which, x->seed, x->magnitude, x->rows, x->cols, i, j);
}

void place_fill(struct block block, const struct source *operand, long row, long col)
{
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++)
            block.at[i * block.ld + j] = element_of(operand, row + i, col + j);
}

long place_changed(struct block block, const struct source *operand, long row, long col)
{
    long changed = 0;
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++) {
            real expected = element_of(operand, row + i, col + j);
            changed += memcmp(&block.at[i * block.ld + j], &expected, sizeof expected) != 0;
        }
    return changed;
}

void place_sum(real *z, const real *x, real s, const real *y, real t, long count)
{
    for (long i = 0; i < count; i++)
        z[i] = y ? s * x[i] + t * y[i] : s * x[i];
}

void place_apply(struct block block, const double *v, double *y, int vectors)
{
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++) {
            double x = (double)block.at[i * block.ld + j];
            for (int l = 0; l < vectors; l++)
                y[i * vectors + l] += x * v[j * vectors + l];
        }
}

void place_bring(struct block here, struct block host)
{
    for (long i = 0; i < here.rows; i++)
        memcpy(here.at + i * here.ld, host.at + i * host.ld, (size_t)here.cols * sizeof(real));
}

void place_fetch(struct block host, struct block here)
{
    place_bring(host, here);
}

void place_finish(void) {}

const struct variant place_leaves[] = {
    {.name = "packed", .sentence = "step 02's packed kernel", .multiply = multiply_packed,
     .workspace = workspace_packed},
    {.name = "openblas", .sentence = "OpenBLAS", .multiply = multiply_openblas,
     .missing = openblas_missing},
    {0},
};

const char *place_open(int number)
{
    (void)number;
    return NULL;
}
