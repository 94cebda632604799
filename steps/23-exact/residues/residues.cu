/* SPDX-License-Identifier: MIT */
/** @file residues.cu
 * The table of moduli, and the constants that the compiler computes from it.
 */
#include "residues.h"

/* ---- The system ---- */

/* The largest numbers up to 256 without a common divisor in any pair: 255 = 3 * 5 * 17, 253 =
 * 11 * 23, 247 = 13 * 19, 217 = 7 * 31, 256 is a power of two, the others are primes. */
static constexpr int moduli[MODULI_MOST] = {256, 255, 253, 251, 247, 241, 239, 233,
                                            229, 227, 223, 217, 211, 199, 197, 193};

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

static constexpr struct modulus modulus_of(uint32_t p)
{
    return {p, (uint32_t)(((1ull << 39) + p - 1) / p), ((1u << 30) + p - 1) / p * p};
}

/* The pair of p and q, or of p alone if q is 1. */
static constexpr struct modulus_pair pair_of(uint32_t p, uint32_t q, uint128 product, int scale)
{
    struct modulus_pair pair = {};
    uint32_t low = q * inverse_of((uint32_t)(product / p % p), p),
             high = q > 1 ? p * inverse_of((uint32_t)(product / q % q), q) : 0;
    pair.factors = low | high << 16;
    pair.complement = p * q - 255 * (low + high) % (p * q);
    set_pieces(pair.unit, product / (p * q) << scale);
    return pair;
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
    /* P has 103, 111 or 126 bits, so that units have at most 96 bits if there are at most 14
       moduli. P is from 2^14 to 2^15 units of the number `first` in rebuild_end(). */
    const int bits = count > MODULI_EXACT ? 125 : count % 2 ? 102 : 110;
    while (product << r.scale >> bits == 0)
        r.scale++;
    for (int i = 0; i < count; i++)
        r.m[i] = modulus_of((uint32_t)moduli[i]);
    for (int i = 0; i < count; i += 2)
        r.pairs[i / 2] = pair_of((uint32_t)moduli[i],
                                 i + 1 < count ? (uint32_t)moduli[i + 1] : 1, product, r.scale);
    set_pieces(r.product, product << r.scale);
    r.top_shift = bits - 14 - (count > MODULI_EXACT ? 96 : 64);
    r.top_reciprocal = (uint32_t)(((uint128)1 << 77) / (product << r.scale >> (bits - 46)));
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
