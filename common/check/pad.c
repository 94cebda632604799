/* SPDX-License-Identifier: MIT */
#include "common/check/pad.h"

#include "common/device/backend.h"
#include "common/sizes.h"

/* Kernels that read four elements at a time need rows that start at a multiple of four.
   Variants that need only even sizes (1, doubled for each level) read single elements. */
enum { LD_MULTIPLE = 4 };

/* A multiple of 0 allows any size. */
static long padded(long size, long multiple, long quadrants)
{
    return multiple ? round_up(size, multiple * quadrants) : size;
}

struct product pad_shape(const struct variant *v, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols, quadrants = 1L << levels;
    p.a.at = p.b.at = p.c.at = NULL;
    if (!v->shapes.pad_m && !v->shapes.pad_n && !v->shapes.pad_k)
        return p;
    return product_of_size(padded(m, v->shapes.pad_m, quadrants),
                           padded(n, v->shapes.pad_n, quadrants),
                           padded(k, v->shapes.pad_k, quadrants));
}

bool pad_needed(const struct variant *v, struct product p, int levels)
{
    struct product shape = pad_shape(v, p, levels);
    return shape.c.rows != p.c.rows || shape.c.cols != p.c.cols || shape.a.cols != p.a.cols ||
           (v->shapes.pad_n > 1 &&
            (p.a.ld % LD_MULTIPLE || p.b.ld % LD_MULTIPLE || p.c.ld % LD_MULTIPLE));
}

/* A padded copy starts on a 256-byte boundary, as cudaMalloc's blocks do. */
static size_t elements_of(struct block x) { return (size_t)round_up(x.rows * x.cols, 64); }

size_t pad_workspace(const struct variant *v, const struct context *ctx, struct product p,
                     int levels)
{
    struct product shape = pad_shape(v, p, levels);
    size_t copies = elements_of(shape.a) + elements_of(shape.b) + elements_of(shape.c);
    return (pad_needed(v, p, levels) ? copies : 0) +
           (v->workspace ? v->workspace(ctx, shape, levels) : 0);
}

/* Places a block of this shape at *next, and moves *next to its end. */
static struct block place_of(struct block shape, char **next, size_t size)
{
    shape.at = *next;
    *next += elements_of(shape) * size;
    return shape;
}

/* Copies rows x cols elements between the upper left corners of two blocks. */
static void copy_corner(struct block to, struct block from, long rows, long cols, size_t size)
{
    backend.copy_2d(to.at, (size_t)to.ld * size, from.at, (size_t)from.ld * size,
                    (size_t)cols * size, (size_t)rows);
}

/* Copies a block into a larger one, and fills the rest with zeros. */
static struct block copy_padded(struct block from, struct block shape, char **next, size_t size)
{
    struct block copy = place_of(shape, next, size);
    backend.fill(copy.at, 0, (size_t)copy.rows * (size_t)copy.cols * size);
    copy_corner(copy, from, from.rows, from.cols, size);
    return copy;
}

struct product pad_begin(const struct variant *v, struct product p, int levels,
                         enum precision precision, real **workspace)
{
    if (!pad_needed(v, p, levels))
        return p;
    size_t size = precision_bytes(precision);
    struct product shape = pad_shape(v, p, levels), padded = shape;
    char *next = *workspace;
    padded.a = copy_padded(p.a, shape.a, &next, size);
    padded.b = copy_padded(p.b, shape.b, &next, size);
    padded.c = place_of(shape.c, &next, size);
    padded.accumulate = p.accumulate;
    *workspace = (real *)next;
    return padded;
}

void pad_end(struct product padded, struct product p, enum precision precision)
{
    if (padded.c.at != p.c.at)
        copy_corner(p.c, padded.c, p.c.rows, p.c.cols, precision_bytes(precision));
}
