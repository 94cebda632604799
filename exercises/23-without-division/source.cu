/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 23-without-division: residues by multiplications, as a GPU wants them.
 */
#include <math.h>
#include <stdint.h>

#include "common/device/gpu.h"
#include "common/matrix/block.h"
#include "exercises/apart.h"
#include "exercises/questions.h"

enum { BLOCK = 16, MODULI = 7 };

/* No two have a common divisor. Their product P has 55.7 bits. */
static const uint32_t moduli[MODULI] = {256, 255, 253, 251, 247, 241, 239};

/* A modulus p with constants that are computed once, on the processor, which may divide. */
struct modulus {
    uint32_t p;
    uint32_t reciprocal; /* 2^39 / p, rounded up */
    uint32_t many;       /* the first multiple of p from 2^30 on */
    uint32_t offset;     /* from 0 to p - 1: -2^63 modulo p */
    uint32_t weights[2]; /* 256^i modulo p, a byte each: those of i = 0 to 3, and 4 to 7 */
    uint64_t unit;       /* below P: 1 modulo p, and 0 modulo all others */
};

struct system {
    struct modulus m[MODULI];
    uint64_t product; /* P */
};

/* ---- What a GPU has instead of a division: each is one or two instructions ---- */

/* x * y / 2^32, rounded down. */
static __host__ __device__ uint32_t high_product(uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)x * y >> 32);
}

/* sum + the four bytes of x times those of y. */
static __host__ __device__ uint32_t add_bytes(uint32_t x, uint32_t y, uint32_t sum)
{
#ifdef __CUDA_ARCH__
    return __dp4a(x, y, sum);
#else
    for (int i = 0; i < 32; i += 8)
        sum += (x >> i & 255) * (y >> i & 255);
    return sum;
#endif
}

/* YOUR CODE: sum modulo p, from 0 to p - 1, for a sum from -2^30 to 2^30 */
/* STUB: static __host__ __device__ uint32_t residue_of_sum(int32_t sum, struct modulus m) */
/* STUB: { */
/* STUB:     return 0; */
/* STUB: } */
static __host__ __device__ uint32_t residue_of_sum(int32_t sum, struct modulus m)
{
    uint32_t u = (uint32_t)sum + m.many; /* the same residue, from 0 to 2^31 */
    uint32_t quotient = high_product(u, m.reciprocal) >> 7;
    return u - quotient * m.p;
}
/* END */

/* YOUR CODE: x modulo p, for any x: add up its bytes times 256^i modulo p, then reduce */
/* STUB: static __host__ __device__ uint32_t residue_of(int64_t x, struct modulus m) */
/* STUB: { */
/* STUB:     return 0; */
/* STUB: } */
static __host__ __device__ uint32_t residue_of(int64_t x, struct modulus m)
{
    uint64_t y = (uint64_t)x ^ 1ull << 63; /* x + 2^63: no sign, and m.offset takes it back */
    uint32_t low = add_bytes((uint32_t)y, m.weights[0], m.offset);
    return residue_of_sum((int32_t)add_bytes((uint32_t)(y >> 32), m.weights[1], low), m);
}
/* END */

/* ---- The product: integers, their residues, sums of products of residues, integers ---- */

/* The power of two that gives a line of k elements a norm from limit / 2 to limit. */
static __device__ int exponent_of(const float *x, long step, long k, double limit)
{
    double sum = 0;
    for (long l = 0; l < k; l++)
        sum += (double)x[l * step] * x[l * step];
    return sum > 0 ? (int)floor(log2(limit / sqrt(sum))) : 0;
}

/* One line of A or B: its exponent, and to[i * k + l], its residues modulo number i. A's lines
   get a norm of up to 2^38, B's of up to 2^15.4: then an element is below P / 2. */
static __global__ void make_residues(struct block x, int right, struct system s, int *exponents,
                                     unsigned char *to)
{
    long line = blockIdx.x * (long)BLOCK + threadIdx.x, lines = right ? x.cols : x.rows,
         k = right ? x.rows : x.cols, step = right ? x.ld : 1;
    if (line >= lines)
        return;
    const float *from = (const float *)x.at + line * (right ? 1 : x.ld);
    int e = exponent_of(from, step, k, right ? 43000 : 0x1p38);
    exponents[line] = e;
    to += line * MODULI * k;
    for (long l = 0; l < k; l++) {
        int64_t integer = (int64_t)rint(ldexp((double)from[l * step], e));
        for (int i = 0; i < MODULI; i++)
            to[i * k + l] = (unsigned char)residue_of(integer, s.m[i]);
    }
}

/* The integer from -P/2 to P/2 with these residues. */
static __device__ int64_t join(const uint32_t r[MODULI], const struct system &s)
{
    uint64_t x = 0;
    for (int i = 0; i < MODULI; i++)
        x = (x + r[i] * s.m[i].unit % s.product) % s.product;
    return (int64_t)(x > s.product / 2 ? x - s.product : x);
}

static __global__ void multiply_residues(const unsigned char *left, const unsigned char *right,
                                         const int *of_rows, const int *of_columns,
                                         struct system s, struct block c, long k)
{
    long row = blockIdx.y * BLOCK + threadIdx.y, col = blockIdx.x * BLOCK + threadIdx.x;
    if (row >= c.rows || col >= c.cols)
        return;
    uint32_t r[MODULI];
    for (int i = 0; i < MODULI; i++) {
        const unsigned char *a = left + (row * MODULI + i) * k,
                            *b = right + (col * MODULI + i) * k;
        int sum = 0; /* up to 16512 products below 2^16 */
        for (long l = 0; l < k; l++)
            sum += a[l] * b[l];
        r[i] = residue_of_sum(sum, s.m[i]);
    }
    ((float *)c.at)[row * c.ld + col] =
        (float)ldexp((double)join(r, s), -of_rows[row] - of_columns[col]);
}

static struct system system_of_moduli(void)
{
    struct system s;
    s.product = 1;
    for (int i = 0; i < MODULI; i++)
        s.product *= moduli[i];
    for (int i = 0; i < MODULI; i++) {
        struct modulus m = {};
        uint32_t p = m.p = moduli[i], power = 1;
        m.reciprocal = (uint32_t)(((1ull << 39) + p - 1) / p);
        m.many = ((1u << 30) + p - 1) / p * p;
        m.offset = (uint32_t)(p - (1ull << 63) % p) % p;
        for (int byte = 0; byte < 8; byte++, power = power * 256 % p)
            m.weights[byte / 4] |= power << byte % 4 * 8;
        uint64_t others = s.product / p;
        for (m.unit = others; m.unit % p != 1;)
            m.unit += others;
        s.m[i] = m;
    }
    return s;
}

/* The checker asks for residues of numbers at which a reduction may go wrong (questions.c). */
static void answer_all(const struct system *s)
{
    const struct question_residue *q;
    int residue = 0;
    apart_begin(sizeof(real), ONLY_ASK);
    while ((q = (const struct question_residue *)apart_next(QUESTION_RESIDUE, residue, 0))) {
        const struct modulus m = s->m[q->modulus];
        residue = (int)(q->is_sum ? residue_of_sum((int32_t)q->x, m) : residue_of(q->x, m));
    }
}

/* ---- The table ---- */

/* The residues and the exponents, both in bytes. */
static size_t residue_bytes(long lines, long k)
{
    return (size_t)round_up(lines * MODULI * k, 4);
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    struct system s = system_of_moduli();
    unsigned char *left = (unsigned char *)workspace, *right = left + residue_bytes(m, k);
    int *of_rows = (int *)(right + residue_bytes(n, k)), *of_columns = of_rows + m;
    answer_all(&s);
    make_residues<<<blocks_for(m, BLOCK), BLOCK>>>(p.a, 0, s, of_rows, left);
    CHECK_LAUNCH();
    make_residues<<<blocks_for(n, BLOCK), BLOCK>>>(p.b, 1, s, of_columns, right);
    CHECK_LAUNCH();
    multiply_residues<<<dim3(blocks_for(n, BLOCK), blocks_for(m, BLOCK)), dim3(BLOCK, BLOCK)>>>(
        left, right, of_rows, of_columns, s, p.c, k);
    CHECK_LAUNCH();
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    return (residue_bytes(m, k) + residue_bytes(n, k)) / sizeof(float) + m + n;
}

/* Integers of 15 bits: their round-off is within this, relative to the largest elements. */
static const struct variant variants[] = {{.name = "yours",
                                           .sentence = "modulo seven numbers",
                                           .multiply = multiply_yours,
                                           .workspace = workspace_yours,
                                           .bound = {.split = 0x1p-11}},
                                          {0}};

const struct step STEP = {
    .name = "23-without-division",
    .idea = "residues by multiplications",
    .variants = variants,
    .default_n = 32,
    .note = apart_note,
};
