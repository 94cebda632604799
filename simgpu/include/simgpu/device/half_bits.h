/* SPDX-License-Identifier: MIT */
/** @file half_bits.h
 * Converts between numbers and the 16 bits of IEEE binary16, rounds floats, and adds as a
 * tensor core does. The kernels' headers and the simulated cuBLAS share it, so that all round
 * alike.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_HALF_BITS_H
#define SIMGPU_INCLUDE_SIMGPU_HALF_BITS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

namespace simgpu
{

enum class Rounding { nearest_even, to_zero, up, down };

/** The float next to `exact` in the direction of zero. */
static inline __attribute__((always_inline, unused)) float float_to_zero(double exact)
{
    float near = (float)exact;
    return fabs((double)near) > fabs(exact) ? nextafterf(near, 0) : near;
}

/** The power of two of a number's exponent, which is at least `least`; 0 of 0. */
static inline __attribute__((always_inline, unused)) double power_of_two_of(float value,
                                                                            int least)
{
    return value == 0 ? 0 : ldexp(1, ilogb(value) < least ? least : ilogb(value));
}

/**
 * The sum of a tensor core's accumulator and a few products a[t] * b[t]: every addend is
 * truncated 2 bits below the last of the 24 bits of the addend with the largest exponent, and
 * the sum is truncated to a float. A product's exponent is the sum of its factors' exponents.
 * An H200 has the same bits (docs/results/h200/21-sums.txt). `least`: the smallest exponent of
 * a factor, -14 for halves. Not instrumented: it is one instruction.
 */
static __attribute__((noinline, unused, no_sanitize("thread"))) float
tensor_core_sum(float sum, const float *a, const float *b, int count, int least = -126)
{
    double most = power_of_two_of(sum, -126), total = sum;
    for (int t = 0; t < count; t++) {
        double power = power_of_two_of(a[t], least) * power_of_two_of(b[t], least);
        most = power > most ? power : most;
        total += (double)a[t] * b[t];
    }
    if (most == 0 || !isfinite(total)) /* only zeros; or an infinity or a NaN */
        return (float)total;
    const double units = 0x1p25 / most;
    int64_t all = (int64_t)(sum * units);
    for (int t = 0; t < count; t++)
        all += (int64_t)((double)a[t] * b[t] * units);
    return float_to_zero((double)all / units);
}

/**
 * Rounds to binary16 as the hardware's conversion does: subnormals are kept, values beyond
 * 65504 become infinite (rounding to nearest), every NaN becomes 0x7fff. A float converts to
 * double unchanged, so one function serves both types and rounds once.
 */
static inline __attribute__((always_inline, unused)) uint16_t
half_bits_of(double value, Rounding rounding = Rounding::nearest_even)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t fraction = bits & ((1ull << 52) - 1);
    if (exponent == 1024)
        return fraction ? 0x7fff : (uint16_t)(sign | 0x7c00);
    bool away = (rounding == Rounding::up && !sign) || (rounding == Rounding::down && sign);
    if (exponent > 15) {
        bool infinite = rounding == Rounding::nearest_even || away;
        return (uint16_t)(sign | (infinite ? 0x7c00 : 0x7bff));
    }
    if (exponent < -26) /* far below half of the smallest subnormal, 2^-24 */
        return (uint16_t)(sign | ((bits << 1) && away ? 1 : 0));
    uint64_t significand = fraction | 1ull << 52;
    int dropped = exponent < -14 ? 42 + (-14 - exponent) : 42;
    uint32_t kept = (uint32_t)(significand >> dropped);
    uint64_t rest = significand & ((1ull << dropped) - 1), middle = 1ull << (dropped - 1);
    if (exponent >= -14) /* the implicit bit adds 1 to the exponent field */
        kept += (uint32_t)(exponent + 14) << 10;
    bool up = rounding == Rounding::nearest_even
                  ? rest > middle || (rest == middle && (kept & 1))
                  : rest && away;
    return (uint16_t)(sign | (kept + up)); /* a carry moves into the exponent, as it must */
}

/** The same for bfloat16, the upper half of a float. */
static inline __attribute__((always_inline, unused)) uint16_t
bfloat16_bits_of(double value, Rounding rounding = Rounding::nearest_even)
{
    float truncated = float_to_zero(value);
    uint32_t bits;
    memcpy(&bits, &truncated, sizeof bits);
    if (value != value)
        return 0x7fff;
    uint32_t rest = (bits & 0xffff) * 2 + ((double)truncated != value);
    bool away = bits >> 31 ? rounding == Rounding::down : rounding == Rounding::up;
    bool up =
        rounding == Rounding::nearest_even ? rest + (bits >> 16 & 1) > 0x10000 : rest && away;
    return (uint16_t)((bits >> 16) + up);
}

/** The exact value of 16 bits. */
static inline __attribute__((always_inline, unused)) float float_of_half_bits(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
             fraction = half & 0x3ff, bits;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    bits = exponent == 31 ? sign | 0x7f800000 | fraction << 13
                          : sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** The same of a bfloat16. */
static inline __attribute__((always_inline, unused)) float float_of_bfloat16_bits(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Rounds a float to `bits` bits of fraction, to nearest even: 10 for TF32, 7 for bfloat16. */
static inline __attribute__((always_inline, unused)) float rounded_fraction(float value,
                                                                            int kept)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000) == 0x7f800000)
        return value;
    int dropped = 23 - kept;
    bits += (1u << (dropped - 1)) - 1 + (bits >> dropped & 1);
    bits &= ~0u << dropped;
    memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace simgpu

#endif
