/**
 * @file microkernel.h
 * The one place where the flops happen: a tile of C, mr x nr, kept in registers.
 *
 * Vectors are GCC's and clang's own (vector_size): a type of 64 bytes is one AVX-512 register, of
 * 32 bytes an AVX register, of 16 bytes an SSE or NEON register; + and * work lane by lane. On a
 * processor without them the compiler does the same with scalars.
 */
#ifndef LADDER_MICROKERNEL_H
#define LADDER_MICROKERNEL_H

#include <stdbool.h>
#include <string.h>

#include "common/step.h"

#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

/* A tile holds 2 mr vectors of C; two vectors of B and one broadcast element of A join them: 2 mr +
   3 registers. Every element loaded is used nr or mr times, and the 2 mr independent sums hide the
   latency of a fused multiply-add (4 cycles on 2 units ask for 8). */
#if defined __AVX512F__ || defined __aarch64__
enum { MR = 12, REGISTERS = 32 };
#else
enum { MR = 6, REGISTERS = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), NR = 2 * LANES };
_Static_assert(2 * MR + 3 <= REGISTERS, "a tile of C, two vectors of B and one of A fill the registers");
_Static_assert(MR <= 16, "FOR_EACH_ROW unrolls 16 rows at most");

typedef real vec __attribute__((vector_size(VECTOR_BYTES)));

/* A vector at any address: memcpy of a constant size becomes one instruction. */
static inline vec load(const real *from)
{
    vec v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(real *to, vec v) { memcpy(to, &v, sizeof v); }

/* The rows of a tile, unrolled: `sum` can only live in registers when every index is a constant. */
#define FOR_EACH_ROW(i) _Pragma("GCC unroll 16") for (int i = 0; i < MR; i++)

/// [micro-kernel]
/** C (mr x nr, rows ldc apart) = A * B, or += when `accumulate`. `a` is a packed panel of A, kc
 *  columns of mr; `b` one of B, kc rows of nr. A step of the loop is an outer product, a column
 *  times a row: 2 mr fused multiply-adds of vectors for mr + 2 loads. */
static inline void micro_kernel(long kc, const real *a, const real *b, real *c, long ldc,
                                bool accumulate)
{
    vec sum[MR][2];
    FOR_EACH_ROW(i)
    {
        sum[i][0] = sum[i][1] = (vec){0};
        __builtin_prefetch(c + i * ldc); /* wanted after the loop: let it travel meanwhile */
    }
#pragma GCC unroll 4
    for (long l = 0; l < kc; l++, a += MR, b += NR) {
        vec b0 = load(b), b1 = load(b + LANES);
        FOR_EACH_ROW(i)
        {
            sum[i][0] += a[i] * b0;
            sum[i][1] += a[i] * b1;
        }
    }
    FOR_EACH_ROW(i)
    {
        real *row = c + i * ldc;
        store(row, accumulate ? load(row) + sum[i][0] : sum[i][0]);
        store(row + LANES, accumulate ? load(row + LANES) + sum[i][1] : sum[i][1]);
    }
}
/// [micro-kernel]

#endif
