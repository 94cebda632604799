/* SPDX-License-Identifier: MIT */
/** @file place_host.c
 * Blocks in the host's memory.
 */
#include <stdlib.h>
#include <string.h>

#include "common/device/host.h"
#include "place.h"

/* From this many elements on all cores work. */
enum { MANY = 1 << 22 };

static void *allocate(size_t bytes) { return aligned_alloc(64, (bytes + 63) / 64 * 64); }

static double memory_free(void) { return (double)host_memory_available(); }

static void poison(void *block, size_t bytes) { memset(block, 0xff, bytes); }

static real element_of(const struct source *x, long i, long j)
{
    if (i >= x->rows || j >= x->cols)
        return 0;
    return (real)input_element(x->input, x->which, x->seed, x->magnitude, x->rows, x->cols, i,
                               j);
}

static void fill(struct block block, const struct source *operand, long row, long col)
{
#pragma omp parallel for if (block.rows * block.cols > MANY)
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++)
            block.at[i * block.ld + j] = element_of(operand, row + i, col + j);
}

static long changed(struct block block, const struct source *operand, long row, long col)
{
    long count = 0;
#pragma omp parallel for reduction(+ : count) if (block.rows * block.cols > MANY)
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++) {
            real expected = element_of(operand, row + i, col + j);
            count += memcmp(&block.at[i * block.ld + j], &expected, sizeof expected) != 0;
        }
    return count;
}

static void sum(real *z, const real *x, real s, const real *y, real t, long count)
{
#pragma omp parallel for if (count > MANY)
    for (long i = 0; i < count; i++)
        z[i] = y ? s * x[i] + t * y[i] : s * x[i];
}

static void apply(struct block block, const double *v, double *y, int vectors)
{
#pragma omp parallel for if (block.rows * block.cols > MANY)
    for (long i = 0; i < block.rows; i++)
        for (long j = 0; j < block.cols; j++) {
            double x = (double)block.at[i * block.ld + j];
            for (int l = 0; l < vectors; l++)
                y[i * vectors + l] += x * v[j * vectors + l];
        }
}

static void copy(struct block to, struct block from)
{
    for (long i = 0; i < to.rows; i++)
        memcpy(to.at + i * to.ld, from.at + i * from.ld, (size_t)to.cols * sizeof(real));
}

static void finish(void) {}

const struct place place_host = {.is_host = true,
                                 .allocate = allocate,
                                 .release = free,
                                 .memory_free = memory_free,
                                 .poison = poison,
                                 .fill = fill,
                                 .changed = changed,
                                 .sum = sum,
                                 .apply = apply,
                                 .bring = copy,
                                 .fetch = copy,
                                 .finish = finish};
