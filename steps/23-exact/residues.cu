/* SPDX-License-Identifier: MIT */
/** @file residues.cu
 * The table of moduli, and the constants that the compiler computes from it.
 */
#include "residues.h"

/* ---- The system ---- */

/// [moduli]
/* The largest numbers up to 256 without a common divisor in any pair: 255 = 3 * 5 * 17, 253 =
 * 11 * 23, 247 = 13 * 19, 217 = 7 * 31, 256 is a power of two, the others are primes. */
static constexpr int moduli[MODULI_MOST] = {256, 255, 253, 251, 247, 241, 239, 233,
                                            229, 227, 223, 217, 211, 199, 197, 193};
/// [moduli]

static constexpr void set_pieces(uint32_t to[4], uint128 x)
{
    for (int i = 0; i < 4; i++, x >>= 32)
        to[i] = (uint32_t)x;
}

/* The number from 1 to p - 1 whose product with x is 1 mod p. */
static constexpr uint32_t inverse_of(uint32_t x, uint32_t p)
{
    uint32_t y = 1;
    while (x * y % p != 1)
        y++;
    return y;
}

static constexpr struct modulus modulus_of(uint32_t p, uint128 product)
{
    struct modulus m = {.p = p};
    uint32_t power = 1;
    for (int i = 0; i < 8; i++, power = power * 256 % p)
        m.weights[i / 4] |= power << i % 4 * 8;
    m.offset = 128 + p - (1ull << 63) % p;
    m.short_offset = 128 + p - (1u << 31) % p;
    m.reciprocal = (uint32_t)(((1ull << 32) + p - 1) / p);
    m.sum_reciprocal = (uint32_t)(((1ull << 39) + p - 1) / p);
    m.sum_offset = ((1u << 30) + p - 1) / p * p;
    m.level_offset = (4096 + p - 1) / p * p;
    uint32_t inverse = inverse_of((uint32_t)(product / p % p), p);
    m.share = (uint32_t)((((uint64_t)inverse << 32) + p / 2) / p);
    set_pieces(m.unit, product / p * inverse);
    return m;
}

/* Returns limit * up / down as a norm's limit. */
static constexpr struct norm_limit norm_limit_of(uint128 limit, int up, int down)
{
    const uint128 most = (uint128)1 << 121; /* the sum of four integers must have 63 bits */
    struct norm_limit l = {};
    limit = limit * up / down;
    limit = limit > most ? most : limit;
    for (; limit >> 64; limit >>= 1)
        l.exponent++;
    for (; !(limit >> 63); limit <<= 1)
        l.exponent--;
    l.part = (uint64_t)limit;
    return l;
}

/* An element of C is at most the product of the norms of its row and its column. So each
   squared norm may be at most P / 2 (1 - 2^-6), or 4/5 of it for rows and 5/4 for columns. With
   the moduli for float both are the same, so that the transposed product has the same bits. */
static constexpr struct residue_system system_of(int count)
{
    struct residue_system r = {.count = count};
    uint128 product = 1;
    for (int i = 0; i < count; i++)
        product *= (uint128)moduli[i];
    for (int i = 0; i < count; i++)
        r.m[i] = modulus_of((uint32_t)moduli[i], product);
    set_pieces(r.product, product);
    uint128 limit = (product >> 1) - (product >> 7);
    int row = count > MODULI_FLOAT ? 4 : 1, col = count > MODULI_FLOAT ? 5 : 1;
    r.limits[0] = norm_limit_of(limit, row, col), r.limits[1] = norm_limit_of(limit, col, row);
    return r;
}

struct system_table {
    struct residue_system with[MODULI_MOST + 1];
};

static constexpr struct system_table all_systems()
{
    struct system_table t = {};
    for (int count = 1; count <= MODULI_MOST; count++)
        t.with[count] = system_of(count);
    return t;
}

struct residue_system residue_system_of(int count)
{
    static constexpr struct system_table systems = all_systems();
    return systems.with[count];
}
