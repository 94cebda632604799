/* SPDX-License-Identifier: MIT */
/** @file unfused.c
 * The classical product as a processor of 2010 computed it: it had no fused multiply-add, so
 * each term was rounded, and then the sum. Li et al. (2011) call this row "O(n^3) on CPU"
 * (Figures 30, 31 and 43). CMakeLists.txt compiles this file with -ffp-contract=off, which
 * forbids the compiler to fuse.
 */
#include "ikj.h"

#include <string.h>

#include "common/sizes.h"

/* A block of B of DEPTH x WIDTH elements, half a MiB, stays in the second-level cache. */
enum { DEPTH = 256, WIDTH = 2048 / sizeof(real), ROWS = 4, TERMS = 4 };

/* GCC compiles the function for each of these instruction sets; the program takes the best one
   that its processor has. */
#if defined __x86_64__ && defined __linux__ && defined __GNUC__ && !defined __clang__
#define CLONED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONED
#endif
#define INLINE   static inline __attribute__((always_inline))
#define UNROLLED _Pragma("GCC unroll 4")

/// [unfused]
/* Adds the next `terms` terms, in the order of l, to each element of some rows of C. The sums
 * are in registers, and each loaded element of B is used for all rows. */
INLINE void add_terms(const int rows, const int terms, long width, const real *restrict a,
                      long lda, const real *restrict b, real *restrict c, long ldc)
{
#pragma omp simd
    for (long j = 0; j < width; j++)
        UNROLLED for (int i = 0; i < rows; i++)
        {
            real sum = c[i * ldc + j];
            UNROLLED for (int l = 0; l < terms; l++) sum += a[i * lda + l] * b[l * WIDTH + j];
            c[i * ldc + j] = sum;
        }
}
/// [unfused]

/* Some rows of C += rows of A * a block of B. */
CLONED static void add_block(long rows, long depth, long width, const real *a, long lda,
                             const real *b, real *c, long ldc)
{
    long l = 0;
    for (; rows == ROWS && l + TERMS <= depth; l += TERMS)
        add_terms(ROWS, TERMS, width, a + l, lda, b + l * WIDTH, c, ldc);
    for (; l < depth; l++)
        for (long i = 0; i < rows; i++)
            add_terms(1, 1, width, a + i * lda + l, lda, b + l * WIDTH, c + i * ldc, ldc);
}

size_t workspace_unfused(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return (size_t)smaller(p.a.cols, DEPTH) * WIDTH;
}

/// [blocks]
/* Blocks come in the order of l: every element adds its terms one after another from the first
   to the last, as in the triple loop. A block of B is copied first: rows that are a power of
   two apart would drive each other out of the cache. */
void multiply_unfused(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)ctx, (void)levels; /* without OpenMP there is one thread; other variants use levels */
    real *block = workspace;
    clear(p.c);
    for (long first_l = 0; first_l < p.a.cols; first_l += DEPTH)
        for (long first_j = 0; first_j < p.c.cols; first_j += WIDTH) {
            long depth = smaller(DEPTH, p.a.cols - first_l),
                 width = smaller(WIDTH, p.c.cols - first_j);
#pragma omp parallel num_threads(ctx->threads > 0 ? ctx->threads : 1)
            {
#pragma omp for
                for (long l = 0; l < depth; l++)
                    memcpy(block + l * WIDTH, p.b.at + (first_l + l) * p.b.ld + first_j,
                           (size_t)width * sizeof(real));
#pragma omp for
                for (long i = 0; i < p.c.rows; i += ROWS)
                    add_block(smaller(ROWS, p.c.rows - i), depth, width,
                              p.a.at + i * p.a.ld + first_l, p.a.ld, block,
                              p.c.at + i * p.c.ld + first_j, p.c.ld);
            }
        }
}
/// [blocks]
