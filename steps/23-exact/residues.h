/* SPDX-License-Identifier: MIT */
/** @file residues.h
 * Arithmetic with residues: a system of small moduli, the reduction of an integer by all of
 * them, and the integer rebuilt from its residues. All of it is exact integer arithmetic, the
 * same on the processor and in a kernel. The chapter explains the method.
 */
#ifndef STEPS_23_EXACT_RESIDUES_H
#define STEPS_23_EXACT_RESIDUES_H

#include <stdint.h>

#include "common/matrix/random.h" /* LADDER_ANYWHERE */

/** Moduli for the three accuracies of double, and for float; there are MODULI_MOST. */
enum {
    MODULI_FLOAT = 7,
    MODULI_FEWER = 13,
    MODULI_EXACT = 14,
    MODULI_MORE = 16,
    MODULI_MOST = 16
};

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

/** One modulus p, 128 < p <= 256, with the constants that replace divisions by it. */
struct modulus {
    uint32_t p;
    uint32_t weights[2]; /**< 256^i mod p, a byte each: x is the sum of its bytes times these */
    uint32_t offset;     /**< 128 - 2^63 mod p, see residue_of() */
    uint32_t short_offset;   /**< 128 - 2^31 mod p, see residue_of_short() */
    uint32_t reciprocal;     /**< 2^32 / p, rounded up */
    uint32_t sum_reciprocal; /**< 2^39 / p, rounded up */
    uint32_t sum_offset;     /**< the first multiple of p from 2^30 on */
    uint32_t level_offset;   /**< the first multiple of p from 4096 on: added to a sum of 16
                                residues it makes it positive */
    uint32_t share;          /**< 2^32 times unit / P, rounded */
    uint32_t unit[4];        /**< the number below P that is 1 mod p and 0 mod all others */
};

/** part * 2^exponent, with all 64 bits of `part`. */
struct norm_limit {
    uint64_t part;
    int exponent;
};

/** The first `count` moduli, followed by zeros; P is their product. */
struct residue_system {
    int count;
    struct modulus m[MODULI_MOST];
    uint32_t product[4]; /**< P, in pieces of 32 bits, the lowest first */
    /** The largest squared 2-norm of a line of integers: of a row of A, of a column of B. */
    struct norm_limit limits[2];
};

#ifdef __cplusplus
extern "C"
#endif
    /** The system of `count` moduli, 1 to MODULI_MOST, from a table that the compiler computes.
     */
    struct residue_system
    residue_system_of(int count);

LADDER_ANYWHERE static inline uint32_t high_product(uint32_t x, uint32_t y)
{
    return (uint32_t)((uint64_t)x * y >> 32);
}

/** sum + the four bytes of x times those of y. */
LADDER_ANYWHERE static inline uint32_t add_bytes(uint32_t x, uint32_t y, uint32_t sum)
{
#ifdef __CUDA_ARCH__
    return __dp4a(x, y, sum);
#else
    for (int i = 0; i < 32; i += 8)
        sum += (x >> i & 255) * (y >> i & 255);
    return sum;
#endif
}

/// [residue]
/** Returns (x + 128) mod p, from 0 to p - 1. The caller subtracts 128, which gives a signed
 * byte with the same residue as x. Eight multiplications of bytes make x smaller than 2^19.
 * Then u * reciprocal mod 2^32 is the fraction of u / p, and p times that fraction is the
 * remainder. */
LADDER_ANYWHERE static inline uint32_t residue_of(int64_t x, const struct modulus *m)
{
    uint64_t y = (uint64_t)x ^ 1ull << 63; /* x + 2^63 */
    uint32_t u = add_bytes((uint32_t)y, m->weights[0],
                           add_bytes((uint32_t)(y >> 32), m->weights[1], m->offset));
    return high_product(u * m->reciprocal, m->p);
}

/** The same for the integers of floats. */
LADDER_ANYWHERE static inline uint32_t residue_of_short(int32_t x, const struct modulus *m)
{
    uint32_t u = add_bytes((uint32_t)x ^ 1u << 31, m->weights[0], m->short_offset);
    return high_product(u * m->reciprocal, m->p);
}

/** sum mod p, from 0 to p - 1, for |sum| <= 2^30, as the sums of a leaf are. */
LADDER_ANYWHERE static inline uint32_t residue_of_sum(int32_t sum, const struct modulus *m)
{
    uint32_t u = (uint32_t)sum + m->sum_offset;
    return u - (high_product(u, m->sum_reciprocal) >> 7) * m->p;
}
/// [residue]

/** Terms of k after which a sum of bytes, multiplied, is reduced: 65536 * 128 * 128 =
 * 2^30. */
enum { TERMS_IN_A_SUM = 65536 };

/// [rebuild]
/** An integer while it is being rebuilt from its residues. */
struct rebuilt {
    uint64_t part[4]; /**< the sum of r * unit, in pieces that overlap by 32 bits */
    uint64_t shares;  /**< the sum of r * unit / P, times 2^32 */
};

/** Adds a residue r. It need not be reduced, so that a sum of several products can be passed as
 * it is: r is the integer mod p plus any multiple of p, 0 <= r < 2^14. Two pieces suffice if P
 * is below 2^64, and four always. */
LADDER_ANYWHERE static inline void rebuild_add(struct rebuilt *x, uint32_t r,
                                               const struct modulus *m, int pieces)
{
    for (int i = 0; i < pieces; i++)
        x->part[i] += (uint64_t)r * m->unit[i];
    x->shares += (uint64_t)r * m->share;
}

/** Returns the integer, whose magnitude is at most P / 2 (1 - 2^-6). The sum of r * unit equals
 * it mod P, and `shares` gives the multiple of P to subtract. All arithmetic is mod 2^128. */
LADDER_ANYWHERE static inline int128 rebuild_end(const struct rebuilt *x,
                                                 const struct residue_system *r, int pieces)
{
    uint128 sum = 0, product = 0;
    for (int i = pieces - 1; i >= 0; i--) {
        sum = (sum << 32) + x->part[i];
        product = product << 32 | r->product[i];
    }
    uint64_t times = (x->shares + (1ull << 31)) >> 32;
    return (int128)(sum - times * product);
}
/// [rebuild]

/* ---- Between doubles and integers: powers of two only ---- */

/** x * 2^e for |e| <= 2044, in two steps since 2^e itself may not fit in a double. Exact if the
 * result is a normal number. */
LADDER_ANYWHERE static inline double times_power_of_two(double x, int e)
{
    union {
        uint64_t bits;
        double value;
    } first = {(uint64_t)(e / 2 + 1023) << 52}, second = {(uint64_t)(e - e / 2 + 1023) << 52};
    return x * first.value * second.value;
}

LADDER_ANYWHERE static inline int leading_zeros(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __clzll((long long)x);
#else
    return __builtin_clzll(x);
#endif
}

/** The bits of |x|: they are ordered like the numbers, with infinity and NaN last. */
LADDER_ANYWHERE static inline uint64_t magnitude_bits(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {x};
    return u.bits & ~(1ull << 63);
}
#define NOT_FINITE (0x7ffull << 52)

/** The smallest e with |x| < 2^e, from its bits. */
LADDER_ANYWHERE static inline int exponent_over(uint64_t bits)
{
    return bits >> 52 ? (int)(bits >> 52) - 1022 : 64 - leading_zeros(bits) - 1074;
}

/** An element's part of the squared norm of its line, whose elements are below 2^e: an integer,
 * rounded up, so that the sum is the same in any order. */
LADDER_ANYWHERE static inline uint64_t norm_part(double x, int e)
{
    double scaled = times_power_of_two(x < 0 ? -x : x, 20 - e);
    uint64_t part = (uint64_t)scaled;
    part += (double)part < scaled;
    return part * part;
}

/** The largest s such that the line times 2^s is within the limit; `norm` is the sum of
 * norm_part(), at least 1. */
LADDER_ANYWHERE static inline int line_exponent(struct norm_limit limit, uint64_t norm, int e)
{
    int zeros = leading_zeros(norm);
    int room =
        limit.exponent + zeros - (norm << zeros > limit.part); /* binades of the square */
    return (room - (room & 1)) / 2 + 20 - e;
}

/** The exponent of a line that is computed separately, see apart.h; it is read as zeros. */
enum { LINE_DROPPED = -100000 };

/** x * 2^s, rounded to the nearest integer. */
LADDER_ANYWHERE static inline int64_t integer_of(double x, int s)
{
    if (s == LINE_DROPPED)
        return 0;
    double scaled = times_power_of_two(x, s);
#ifdef __CUDA_ARCH__
    return __double2ll_rn(scaled);
#else
    return (int64_t)__builtin_rint(scaled);
#endif
}

/** x * 2^-s, rounded once; twice if the result is below the normal numbers. */
LADDER_ANYWHERE static inline double double_of(int128 x, int s)
{
    uint128 size = x < 0 ? -(uint128)x : (uint128)x;
    uint64_t high = (uint64_t)(size >> 64), low = (uint64_t)size;
    double value;
    if (high == 0)
        value = (double)low;
    else {
        int zeros = leading_zeros(high);
        size <<= zeros; /* a sticky bit: the last of the 64 is set if any lower bit was 1 */
        value = (double)((uint64_t)(size >> 64) | ((uint64_t)size != 0));
        s -= 64 - zeros;
    }
    value = times_power_of_two(value, s > 2044 ? -2044 : -s);
    return x < 0 ? -value : value;
}

/** The same as a float, rounded once, for |x| < 2^56: of a long x the last three bits become a
 * sticky bit, so that a double has room for the rest. */
LADDER_ANYWHERE static inline float float_of(int64_t x, int s)
{
    if (x != (int32_t)x)
        x = (x | ((x & 7) != 0) << 3) & ~(int64_t)7;
    return (float)times_power_of_two((double)x, -s);
}

#endif
