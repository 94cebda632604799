/* SPDX-License-Identifier: MIT */
/** @file residues.h
 * Arithmetic with residues: a system of small moduli, the reduction of an integer by all of
 * them, and the integer rebuilt from its residues. All of it is exact integer arithmetic, the
 * same on the processor and in a kernel. The chapter explains the method.
 */
#ifndef STEPS_23_EXACT_RESIDUES_RESIDUES_H
#define STEPS_23_EXACT_RESIDUES_RESIDUES_H

#include <math.h>
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

/** One modulus p, 128 < p <= 256, with the constants that replace a division of sums by it. */
struct modulus {
    uint32_t p;
    uint32_t sum_reciprocal; /**< 2^39 / p, rounded up */
    uint32_t sum_offset;     /**< the first multiple of p from 2^30 on */
};

/** Two moduli, or the last one alone, to rebuild an integer x; q is their product. */
struct modulus_pair {
    /** Two factors of 16 bits. The lower one times x mod the first modulus, plus the upper one
     * times x mod the second, is x / (P / q) mod q. */
    uint32_t factors;
    uint32_t complement; /**< -255 times both factors mod q, see rebuild_kernel() */
    uint32_t unit[4];    /**< P / q, in pieces of 32 bits, the lowest first */
};

/** part * 2^exponent, with all 64 bits of `part`. */
struct norm_limit {
    uint64_t part;
    int exponent;
};

/** The first `count` moduli, followed by zeros. P is their product, times 2^scale. */
struct residue_system {
    int count;
    struct modulus m[MODULI_MOST];
    struct modulus_pair pairs[MODULI_MOST / 2];
    uint32_t product[4]; /**< P, in pieces of 32 bits, the lowest first */
    int scale;           /**< P has always the same number of bits, see rebuild_end() */
    int top_shift;
    uint32_t top_reciprocal; /**< see rebuild_end() */
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

LADDER_ANYWHERE static inline double double_of_bits(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } u = {bits};
    return u.value;
}

LADDER_ANYWHERE static inline uint64_t bits_of_double(double x)
{
    union {
        double value;
        uint64_t bits;
    } u = {x};
    return u.bits;
}

/** What reduces integers modulo two moduli p; q is their product. */
struct reducer {
    double inverse; /**< 1 / q */
    uint32_t q, p[2];
    float inverses[2]; /**< 1 / p */
};

/** The reducer for m[0] and m[1], or for m[0] alone, with 256 as the second. */
static inline struct reducer reducer_of(const struct modulus *m, int count)
{
    struct reducer r = {.p = {m[0].p, count > 1 ? m[1].p : 256}};
    r.q = r.p[0] * r.p[1], r.inverse = 1.0 / r.q;
    for (int i = 0; i < 2; i++)
        r.inverses[i] = 1.0f / (float)r.p[i];
    return r;
}

/// [residue]
/** 1.5 * 2^23 as a float: the last bits of a float near it are an integer. */
#define FLOAT_BIAS 0x4b400000u

/** x mod q, with a magnitude below 0.6 q, plus FLOAT_BIAS: the bits of the float 1.5 * 2^23 +
 * (x mod q). `last` are the last 32 bits of the integer x. The sum with 1.5 * 2^52 has no bits
 * for a fraction, so the last bits of `quotient` are x / q, rounded. They may be wrong by one
 * if x / q is near the middle between two integers. */
LADDER_ANYWHERE static inline uint32_t remainder_of(double x, uint32_t last,
                                                    const struct reducer *r)
{
    double quotient = fma(x, r->inverse, 0x1.8p52);
    return last + FLOAT_BIAS - (uint32_t)bits_of_double(quotient) * r->q;
}

/** A number whose last byte, with a sign, is x modulo p[i]; `remainder` is remainder_of(x). A
 * float has enough bits for this quotient, which is less than 256. FLOAT_BIAS stays in both
 * numbers of the last line, since its own last byte is 0. */
LADDER_ANYWHERE static inline uint32_t residue_of(uint32_t remainder, const struct reducer *r,
                                                  int i)
{
    union {
        uint32_t bits;
        float value;
    } u = {remainder};
    u.value = fmaf(u.value - 0x1.8p23f, r->inverses[i], 0x1.8p23f);
    return remainder - u.bits * r->p[i];
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

/** sum + the bytes 0 and 1 of `bytes`, or its bytes 2 and 3, times the halves of `factors`. */
LADDER_ANYWHERE static inline uint32_t add_low_bytes(uint32_t factors, uint32_t bytes,
                                                     uint32_t sum)
{
#ifdef __CUDA_ARCH__
    return __dp2a_lo(factors, bytes, sum);
#else
    return sum + (factors & 0xffff) * (bytes & 255) + (factors >> 16) * (bytes >> 8 & 255);
#endif
}
LADDER_ANYWHERE static inline uint32_t add_high_bytes(uint32_t factors, uint32_t bytes,
                                                      uint32_t sum)
{
#ifdef __CUDA_ARCH__
    return __dp2a_hi(factors, bytes, sum);
#else
    return add_low_bytes(factors, bytes >> 16, sum);
#endif
}

/// [rebuild]
/** An integer while it is being rebuilt: the sum of v * unit over all pairs of moduli, in
 * pieces that overlap by 32 bits. */
struct rebuilt {
    uint64_t part[4];
};

/** The pieces of a unit that may be nonzero. */
LADDER_ANYWHERE static inline int unit_pieces(int moduli)
{
    return moduli > MODULI_EXACT ? 4 : 3;
}

/** Adds v * unit of a pair. v is its factors times both residues, added over up to 16 products:
 * less than 2^29. */
LADDER_ANYWHERE static inline void rebuild_add(struct rebuilt *x, uint32_t v,
                                               const struct modulus_pair *pair, int pieces)
{
    for (int i = 0; i < pieces; i++)
        x->part[i] += (uint64_t)v * pair->unit[i];
}

/** Returns the integer times 2^scale: P and the units are stored times 2^scale, so that the
 * first bit of P has a fixed place. The sum is the integer, at most P / 2 (1 - 2^-6), plus a
 * multiple of P. `first` is the sum in a large unit, and top_reciprocal is 2^45 / P with P in
 * the same unit. So `times` is sum / P, rounded. */
LADDER_ANYWHERE static inline int128 rebuild_end(const struct rebuilt *x,
                                                 const struct residue_system *r, int pieces)
{
    uint128 sum = 0, product = 0;
    uint64_t top[3] = {x->part[1] + (x->part[0] >> 32)};
    for (int i = 1; i < 3; i++)
        top[i] = x->part[i + 1] + (top[i - 1] >> 32);
    for (int i = 3; i >= 0; i--) {
        sum = (sum << 32) + x->part[i];
        product = product << 32 | r->product[i];
    }
    uint32_t first = (uint32_t)(top[pieces - 2] >> r->top_shift);
    uint64_t times = ((uint64_t)first * r->top_reciprocal + (1ull << 44)) >> 45;
    return (int128)(sum - times * product);
}
/// [rebuild]

/* ---- Between doubles and integers: powers of two only ---- */

/** x * 2^e for |e| <= 2044, in two steps since 2^e itself may not fit in a double. Exact if the
 * result is a normal number. */
LADDER_ANYWHERE static inline double times_power_of_two(double x, int e)
{
    double first = double_of_bits((uint64_t)(e / 2 + 1023) << 52),
           second = double_of_bits((uint64_t)(e - e / 2 + 1023) << 52);
    return x * first * second;
}

LADDER_ANYWHERE static inline int leading_zeros(uint64_t x)
{
#ifdef __CUDA_ARCH__
    return __clzll((long long)x);
#else
    return x ? __builtin_clzll(x) : 64; /* as on a GPU */
#endif
}

/** The bits of |x|: they are ordered like the numbers, with infinity and NaN last. */
LADDER_ANYWHERE static inline uint64_t magnitude_bits(double x)
{
    return bits_of_double(x) & ~(1ull << 63);
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
    double scaled = times_power_of_two(fabs(x), 20 - e), sum = scaled + 0x1p52;
    uint64_t part = (uint32_t)bits_of_double(sum) + (sum - 0x1p52 < scaled);
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

/** x * 2^-s for x from 2^77 to 2^125 and for the same negative numbers, rounded as below. The
 * upper and the lower part of x are doubles; the last bit of the lower one is set if any bit
 * after it was 1. Their sum is rounded once. */
LADDER_ANYWHERE static inline double double_of_large(int128 x, int s)
{
    uint64_t lower = (uint64_t)(x >> 22) & ((1ull << 52) - 1);
    lower |= ((uint32_t)x & 0x3fffff) != 0;
    double high = double_of_bits((0x4338ull << 48) + (uint64_t)(x >> 74)) - 0x1.8p52,
           low = double_of_bits(0x4330ull << 48 | lower) - 0x1p52;
    s = s > 2044 ? 2044 : s;
    return times_power_of_two(fma(high, 0x1p52, low), 22 - s);
}

/** x * 2^-s, rounded once; twice if the result is below the normal numbers. */
LADDER_ANYWHERE static inline double double_of(int128 x, int s)
{
    if ((uint64_t)(x >> 74) + 8 > 15)
        return double_of_large(x, s);
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
