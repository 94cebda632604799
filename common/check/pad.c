#include "common/check/pad.h"

#include "common/device/backend.h"
#include "common/sizes.h"

/* A kernel that reads four elements at a time needs rows that start at a multiple of four. A
   variant that asks for even sizes only (1, doubled for each level) does not read like that. */
enum { LD_MULTIPLE = 4 };

struct problem pad_shape(const struct variant *v, const struct problem *p)
{
    struct problem shape = *p;
    long quadrants = 1L << p->levels;
    if (v->multiple_m) {
        shape.m = round_up(p->m, v->multiple_m * quadrants);
        shape.n = round_up(p->n, v->multiple_n * quadrants);
        shape.k = round_up(p->k, v->multiple_k * quadrants);
    }
    return shape;
}

bool pad_needed(const struct variant *v, const struct problem *p)
{
    struct problem shape = pad_shape(v, p);
    return shape.m != p->m || shape.n != p->n || shape.k != p->k ||
           (v->multiple_n > 1 &&
            (p->lda % LD_MULTIPLE || p->ldb % LD_MULTIPLE || p->ldc % LD_MULTIPLE));
}

/* A padded copy starts on a 256-byte boundary, as cudaMalloc's blocks do. */
static size_t aligned_elements(long rows, long cols)
{
    return (size_t)round_up(rows * cols, 64);
}

static size_t copies(const struct problem *shape)
{
    return aligned_elements(shape->m, shape->k) + aligned_elements(shape->k, shape->n) +
           aligned_elements(shape->m, shape->n);
}

size_t pad_workspace(const struct variant *v, const struct problem *p)
{
    struct problem shape = pad_shape(v, p);
    return (pad_needed(v, p) ? copies(&shape) : 0) + (v->workspace ? v->workspace(&shape) : 0);
}

/* Copies a rows x cols matrix into the corner of zeros; moves *next behind them. */
static void *padded_copy(char **next, const void *from, long rows, long cols, long ld,
                         long to_rows, long to_cols, size_t size)
{
    char *copy = *next;
    *next += aligned_elements(to_rows, to_cols) * size;
    backend.fill(copy, 0, (size_t)to_rows * (size_t)to_cols * size);
    backend.copy_2d(copy, (size_t)to_cols * size, from, (size_t)ld * size, (size_t)cols * size,
                    (size_t)rows);
    return copy;
}

void pad_multiply(const struct variant *v, const struct problem *p, enum precision precision,
                  void *workspace)
{
    if (!pad_needed(v, p)) {
        v->multiply(p, workspace);
        return;
    }
    size_t size = precision_bytes(precision);
    struct problem q = pad_shape(v, p);
    char *next = workspace;
    q.a = padded_copy(&next, p->a, p->m, p->k, p->lda, q.m, q.k, size);
    q.b = padded_copy(&next, p->b, p->k, p->n, p->ldb, q.k, q.n, size);
    q.c = next;
    next += aligned_elements(q.m, q.n) * size;
    q.lda = q.k;
    q.ldb = q.ldc = q.n;
    v->multiply(&q, (void *)next);
    backend.copy_2d(p->c, (size_t)p->ldc * size, q.c, (size_t)q.ldc * size, (size_t)p->n * size,
                    (size_t)p->m);
}
