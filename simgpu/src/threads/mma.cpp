/* SPDX-License-Identifier: MIT */
/** @file mma.cpp
 * The product of two small matrices that the lanes of a warp hold together (mma.h). The last
 * lane to come computes it for all.
 */
#include "src/threads/threads.h"

#include "include/simgpu/device/half_bits.h"

#include <cmath>

/* Kernels on tensor cores do little else: let the compiler use what the processor has. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define SIMGPU_FOR_PROCESSORS                                                                  \
    __attribute__((target_clones("avx512f", "avx2", "default"),                                \
                   optimize("O3", "fp-contract=off")))
#else
#define SIMGPU_FOR_PROCESSORS
#endif

namespace simgpu
{

namespace
{

constexpr unsigned most_rows = 32, most_k = 16;

struct Shape {
    unsigned m, n, k;
};

/** The floats that have these bits as a half. */
const float *halves()
{
    static const float *const all = [] {
        float *all = new float[65536];
        for (unsigned bits = 0; bits < 65536; bits++)
            all[bits] = float_of_half_bits((uint16_t)bits);
        return all;
    }();
    return all;
}

/** All elements of a matrix, row by row, from all lanes. */
template <class T>
void collect(const simgpu_mma_t *const lanes[32], const void *simgpu_mma_t::*matrix,
             simgpu_element type, unsigned elements, T *to)
{
    auto take = [&](auto element, auto number) {
        for (unsigned lane = 0; lane < 32; lane++) {
            auto part = static_cast<const decltype(element) *>(lanes[lane]->*matrix);
            for (unsigned e = 0; e < elements / 32; e++)
                to[e * 32 + lane] = (T)number(part[e]);
        }
    };
    auto same = [](auto value) { return value; };
    switch (type) {
    case simgpu_half:
        return take(uint16_t(), [half = halves()](uint16_t bits) { return half[bits]; });
    case simgpu_bfloat16:
        return take(uint16_t(), float_of_bfloat16_bits);
    case simgpu_float:
        return take(float(), same);
    case simgpu_double:
        return take(double(), same);
    case simgpu_int8:
        return take(int8_t(), same);
    case simgpu_uint8:
        return take(uint8_t(), same);
    case simgpu_int32:
        return take(int32_t(), same);
    }
}

/** Gives each lane its elements of the result. */
template <class T>
void hand_out(const simgpu_mma_t *const lanes[32], simgpu_element type, unsigned elements,
              const T *from)
{
    auto give = [&](auto element, auto number) {
        for (unsigned lane = 0; lane < 32; lane++) {
            auto part = static_cast<decltype(element) *>(lanes[lane]->d);
            for (unsigned e = 0; e < elements / 32; e++)
                part[e] = (decltype(element))number(from[e * 32 + lane]);
        }
    };
    auto same = [](T value) { return value; };
    if (type == simgpu_half)
        give(uint16_t(), [](T value) { return half_bits_of((double)value); });
    else if (type == simgpu_float)
        give(float(), same);
    else if (type == simgpu_double)
        give(double(), same);
    else
        give(int32_t(), same);
}

/** The power of two of a float's exponent; at least this one, whose bits are given. */
[[gnu::always_inline]] inline float power_of(float value, int32_t least)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0x7f800000;
    bits = bits && bits < least ? least : bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** tensor_core_sum() for all elements of a row at once, whose products are exact floats. False
 * if an element is infinite or not a number, or nearly so, or very small. */
[[gnu::always_inline]] inline bool cut_row_of(const float *a, const float *b, float *c,
                                              const Shape s, int least)
{
    const int32_t least_bits = (127 + least) << 23;
    float products[most_k][most_rows], most[most_rows], units[most_rows], unit[most_rows];
    int32_t sums[2][most_rows], unusual = 0; /* two, so that none overflows */
    for (unsigned j = 0; j < s.n; j++)
        most[j] = power_of(c[j], 0);
    for (unsigned t = 0; t < s.k; t++) {
        const float power_a = power_of(a[t], least_bits);
        for (unsigned j = 0; j < s.n; j++) {
            float power = power_a * power_of(b[t * s.n + j], least_bits);
            products[t][j] = a[t] * b[t * s.n + j];
            most[j] = power > most[j] ? power : most[j];
            unusual |= products[t][j] != products[t][j];
        }
    }
    for (unsigned j = 0; j < s.n; j++) {
        int32_t bits;
        memcpy(&bits, &most[j], sizeof bits);
        int32_t exponent = bits ? bits >> 23 : 127, up = (279 - exponent) << 23,
                down = (exponent - 25) << 23;
        unusual |= (exponent < 37) | (exponent > 217);
        memcpy(&units[j], &up, sizeof up);
        memcpy(&unit[j], &down, sizeof down);
    }
    if (unusual)
        return false;
    for (unsigned j = 0; j < s.n; j++)
        sums[0][j] = (int32_t)(c[j] * units[j]), sums[1][j] = 0;
    for (unsigned t = 0; t < s.k; t++)
        for (unsigned j = 0; j < s.n; j++)
            sums[t % 2][j] += (int32_t)(products[t][j] * units[j]);
    for (unsigned j = 0; j < s.n; j++) {
        double sum = (double)sums[0][j] + sums[1][j];
        int64_t bits; /* to a float towards 0 */
        memcpy(&bits, &sum, sizeof bits);
        bits &= ~0x1fffffffll;
        memcpy(&sum, &bits, sizeof sum);
        c[j] = (float)sum * unit[j];
    }
    return true;
}

SIMGPU_FOR_PROCESSORS bool cut_row(const float *a, const float *b, float *c, Shape s, int least)
{
    if (s.n == 16 && s.k == 16) /* the most frequent shapes */
        return cut_row_of(a, b, c, {16, 16, 16}, least);
    if (s.n == 32 && s.k == 16)
        return cut_row_of(a, b, c, {8, 32, 16}, least);
    return cut_row_of(a, b, c, s, least);
}

void cut_product(const float *a, const float *b, float *c, Shape s, int least, bool exact)
{
    float column[most_k];
    for (unsigned i = 0; i < s.m; i++) {
        if (exact && cut_row(a + i * s.k, b, c + i * s.n, s, least))
            continue;
        for (unsigned j = 0; j < s.n; j++) {
            for (unsigned t = 0; t < s.k; t++)
                column[t] = b[t * s.n + j];
            float &element = c[i * s.n + j];
            element = tensor_core_sum(element, a + i * s.k, column, (int)s.k, least);
        }
    }
}

/** The floats with these bits as halves. */
SIMGPU_FOR_PROCESSORS void widen_halves(const unsigned char *from, unsigned count, float *to)
{
    for (unsigned i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, from + 2 * i, sizeof half);
        uint32_t bits = (half & 0x7fffu) << 13, infinite = (half & 0x7c00) == 0x7c00;
        float value; /* its exponent is 112 too small, also below the normal numbers */
        memcpy(&value, &bits, sizeof value);
        value *= 0x1p112f;
        memcpy(&bits, &value, sizeof bits);
        bits |= (half & 0x8000u) << 16 | (infinite ? 0x7f800000 : 0);
        memcpy(&to[i], &bits, sizeof bits);
    }
}

SIMGPU_FOR_PROCESSORS bool are_finite(const float *values, unsigned count)
{
    uint32_t wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        wrong |= (bits & 0x7f800000) == 0x7f800000;
    }
    return !wrong;
}

template <class T>
[[gnu::always_inline]] inline void add_product_of(const T *a, const T *b, T *c, const Shape s)
{
    T row[most_rows];
    for (unsigned i = 0; i < s.m; i++) {
        for (unsigned j = 0; j < s.n; j++)
            row[j] = c[i * s.n + j];
        for (unsigned t = 0; t < s.k; t++)
            for (unsigned j = 0; j < s.n; j++)
                row[j] += a[i * s.k + t] * b[t * s.n + j];
        for (unsigned j = 0; j < s.n; j++)
            c[i * s.n + j] = row[j];
    }
}
template <class T>
[[gnu::always_inline]] inline void add_product(const T *a, const T *b, T *c, Shape s)
{
    if (s.m == 16 && s.n == 16 && s.k == 16) /* the most frequent shapes */
        add_product_of(a, b, c, {16, 16, 16});
    else if (s.m == 8 && s.n == 32 && s.k == 32)
        add_product_of(a, b, c, {8, 32, 32});
    else
        add_product_of(a, b, c, s);
}
SIMGPU_FOR_PROCESSORS void add_product_of_ints(const int32_t *a, const int32_t *b, int32_t *c,
                                               Shape s)
{
    add_product(a, b, c, s);
}
SIMGPU_FOR_PROCESSORS void add_product_of_doubles(const double *a, const double *b, double *c,
                                                  Shape s)
{
    add_product(a, b, c, s);
}

/** Have these floats more bits than a tensor core multiplies? */
bool are_long(const float *values, unsigned count)
{
    uint32_t all = 0, bits;
    for (unsigned i = 0; i < count; i++) {
        memcpy(&bits, &values[i], sizeof bits);
        all |= bits;
    }
    return all & 0x1fff;
}

template <class T> struct Matrices {
    alignas(64) T a[most_rows * most_k], b[most_k * most_rows], c[most_rows * most_rows];

    Matrices(const simgpu_mma_t *const lanes[32], Shape s)
    {
        const simgpu_mma_t &any = *lanes[0];
        collect(lanes, &simgpu_mma_t::a, any.type, s.m * s.k, a);
        collect(lanes, &simgpu_mma_t::b, any.type, s.k * s.n, b);
        collect(lanes, &simgpu_mma_t::c, any.sum_type, s.m * s.n, c);
    }
};

/** What elements hold that nobody has filled: no conversion or product of halves or floats
 * makes these bits. Elements of one byte cannot be recognised. */
constexpr uint16_t unfilled = 0x7fa5;

bool is_unfilled(const void *elements, size_t bytes, unsigned size)
{
    if (size < sizeof unfilled)
        return false;
    for (size_t at = 0; at < bytes; at += size) {
        unsigned same = 0;
        for (unsigned part = 0; part < size; part += sizeof unfilled)
            same += !memcmp(static_cast<const char *>(elements) + at + part, &unfilled,
                            sizeof unfilled);
        if (same * sizeof unfilled == size)
            return true;
    }
    return false;
}

SIMGPU_COLD void report_unfilled(Worker *w, uint32_t pc, const char *call, const char *which)
{
    kernel_fault(w, SIMGPU_BAD_CALL,
                 at_pc(pc, "A fragment begins without values: fill_fragment(), "
                           "load_matrix_sync() or a loop over its elements x[i] sets them."),
                 "calls %s, whose %s was never filled", call, which);
}

} // namespace

void check_filled(Worker *w, const simgpu_mma_t &lane, uint32_t pc)
{
    const struct {
        const char *name;
        const void *elements;
        unsigned size, count;
    } matrices[] = {
        {"matrix A", lane.a, size_of(lane.type), lane.m * lane.k / 32},
        {"matrix B", lane.b, size_of(lane.type), lane.k * lane.n / 32},
        {"accumulator", lane.c, size_of(lane.sum_type), lane.m * lane.n / 32},
    };
    auto look_at = [&](const void *at, size_t bytes, bool write) {
        uint64_t offset;
        if ((uintptr_t)at - (uintptr_t)w->shared < shared_span || device_offset(at, &offset))
            trace_range(w, (uintptr_t)at, bytes, write, pc + image_bias);
    };
    /* A fragment is in registers, but a program can name memory as one. */
    for (const auto &m : matrices)
        look_at(m.elements, (size_t)m.size * m.count, false);
    look_at(lane.d, (size_t)size_of(lane.result_type) * (lane.m * lane.n / 32), true);
    for (const auto &m : matrices)
        if (is_unfilled(m.elements, (size_t)m.size * m.count, m.size))
            report_unfilled(w, pc, "mma_sync", m.name);
}

int least_exponent(simgpu_element type) { return type == simgpu_half ? -14 : -126; }

unsigned size_of(simgpu_element type)
{
    switch (type) {
    case simgpu_int8:
    case simgpu_uint8:
        return 1;
    case simgpu_half:
    case simgpu_bfloat16:
        return 2;
    case simgpu_double:
        return 8;
    default:
        return 4;
    }
}

bool take_elements(const unsigned char *from, simgpu_element type, unsigned count, float *to)
{
    if (type == simgpu_half)
        widen_halves(from, count, to);
    else
        for (unsigned i = 0; i < count; i++) {
            uint32_t bits;
            uint16_t half;
            if (type == simgpu_float) { /* 10 bits of the fraction */
                memcpy(&bits, from + i * sizeof bits, sizeof bits);
                bits &= ~0x1fffu;
            } else {
                memcpy(&half, from + i * sizeof half, sizeof half);
                bits = (uint32_t)half << 16;
            }
            memcpy(&to[i], &bits, sizeof bits);
        }
    return are_finite(to, count);
}

bool take_elements(const unsigned char *from, simgpu_element type, unsigned count, int32_t *to)
{
    for (unsigned i = 0; i < count; i++)
        to[i] = type == simgpu_int8 ? (int8_t)from[i] : from[i];
    return true;
}

void tensor_product(const float *a, const float *b, float *c, unsigned m, unsigned n,
                    unsigned k, int least)
{
    cut_product(a, b, c, {m, n, k}, least, true);
}

void tensor_product(const int32_t *a, const int32_t *b, int32_t *c, unsigned m, unsigned n,
                    unsigned k, int)
{
    add_product_of_ints(a, b, c, {m, n, k});
}

void warp_product(const simgpu_mma_t *const lanes[32])
{
    const simgpu_mma_t &any = *lanes[0];
    const Shape s = {any.m, any.n, any.k};
    if (any.sum_type == simgpu_double) {
        Matrices<double> m(lanes, s);
        add_product_of_doubles(m.a, m.b, m.c, s);
        hand_out(lanes, any.result_type, s.m * s.n, m.c);
    } else if (any.sum_type == simgpu_int32) {
        Matrices<int32_t> m(lanes, s);
        add_product_of_ints(m.a, m.b, m.c, s);
        hand_out(lanes, any.result_type, s.m * s.n, m.c);
    } else {
        Matrices<float> m(lanes, s);
        bool exact =
            any.type != simgpu_float || !(are_long(m.a, s.m * s.k) || are_long(m.b, s.k * s.n));
        cut_product(m.a, m.b, m.c, s, least_exponent(any.type), exact);
        hand_out(lanes, any.result_type, s.m * s.n, m.c);
    }
}

extern "C" {

void simgpu_fragment_begins(void *elements, size_t bytes)
{
    for (size_t at = 0; at + sizeof unfilled <= bytes; at += sizeof unfilled)
        memcpy(static_cast<char *>(elements) + at, &unfilled, sizeof unfilled);
}

void simgpu_fragment_stored(const void *elements, size_t bytes, unsigned size)
{
    Worker *w = this_worker;
    if (w && w->tracing && is_unfilled(elements, bytes, size))
        report_unfilled(w, CALLER_PC, "store_matrix_sync", "fragment");
}

void simgpu_matrix_aligned(const void *matrix, unsigned leading, unsigned size)
{
    Worker *w = this_worker;
    if (!w || !w->tracing || size < 2 || size > 4)
        return;
    const unsigned rows = leading * size % 16, begin = (uintptr_t)matrix % 16;
    if (!rows && !begin)
        return;
    FaultPlace place = at_pc(
        CALLER_PC,
        "load_matrix_sync and store_matrix_sync want a leading dimension that is a multiple of "
        "16 bytes (8 halves, 4 floats), and a first element at a multiple of 32 bytes.");
    if (rows)
        note_stray(w, SIMGPU_MISALIGNED, place,
                   "names a matrix whose leading dimension is %u elements of %u bytes", leading,
                   size);
    else
        note_stray(w, SIMGPU_MISALIGNED, place,
                   "names a matrix whose first element is not at a multiple of 16 bytes (it is "
                   "%u modulo 16)",
                   begin);
    leave_block(w);
}

} // extern "C"

} // namespace simgpu
