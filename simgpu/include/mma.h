/* SPDX-License-Identifier: MIT */
/** @file mma.h
 * Products of small matrices by a warp, as on tensor cores: nvcuda::wmma. Each lane holds every
 * 32nd element of a fragment. Sums of float are cut off as a tensor core's are (half_bits.h).
 */
#ifndef SIMGPU_INCLUDE_MMA_H
#define SIMGPU_INCLUDE_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
inline namespace SIMGPU_BUILD
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32; /* floats, of which 10 bits of the fraction count */
}

template <class T> struct stored {
    typedef T type;
};
template <> struct stored<precision::tf32> {
    typedef float type;
};

/** A matrix that the lanes of a warp hold together. Element i of it, row by row, is x[i / 32]
 * of lane i % 32. */
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
    typedef typename stored<T>::type element_type;
    static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
    static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
    static constexpr int num_elements = rows * columns / 32;
    element_type x[num_elements];
    SIMGPU_METHOD fragment() { simgpu_fragment_begins(x, sizeof x); }
};

SIMGPU_INLINE float __float_to_tf32(float v) { return simgpu::rounded_fraction(v, 10); }

template <class Fragment, class P>
SIMGPU_INLINE void load(Fragment &to, const P *from, unsigned leading, bool by_rows)
{
    simgpu_matrix_aligned(from, leading, sizeof *from);
    for (int e = 0; e < Fragment::num_elements; e++) {
        unsigned i = e * 32 + simgpu::lane_of_thread();
        unsigned row = i / Fragment::columns, column = i % Fragment::columns;
        to.x[e] = from[by_rows ? row * leading + column : column * leading + row];
    }
    simgpu_syncwarp(0xffffffffu);
}
template <class Use, int M, int N, int K, class T, class Layout, class P>
SIMGPU_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to, const P *from,
                                    unsigned leading)
{
    load(to, from, leading, std::is_same<Layout, row_major>::value);
}
template <int M, int N, int K, class T, class P>
SIMGPU_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const P *from,
                                    unsigned leading, layout_t layout)
{
    load(to, from, leading, layout == mem_row_major);
}
template <int M, int N, int K, class T, class P>
SIMGPU_INLINE void store_matrix_sync(P *to, const fragment<accumulator, M, N, K, T> &from,
                                     unsigned leading, layout_t layout)
{
    simgpu_matrix_aligned(to, leading, sizeof *to);
    simgpu_fragment_stored(from.x, sizeof from.x, sizeof *from.x);
    for (int e = 0; e < from.num_elements; e++) {
        unsigned i = e * 32 + simgpu::lane_of_thread(), row = i / N, column = i % N;
        to[layout == mem_row_major ? row * leading + column : column * leading + row] =
            from.x[e];
    }
    simgpu_syncwarp(0xffffffffu);
}
template <class Fragment, class V> SIMGPU_INLINE void fill_fragment(Fragment &to, const V &v)
{
    for (int e = 0; e < Fragment::num_elements; e++)
        to.x[e] = (typename Fragment::element_type)v;
}

/** The runtime's names for the types of elements. */
template <class T> constexpr simgpu_element element = simgpu_half;
template <> constexpr simgpu_element element<__nv_bfloat16> = simgpu_bfloat16;
template <> constexpr simgpu_element element<precision::tf32> = simgpu_float;
template <> constexpr simgpu_element element<float> = simgpu_float;
template <> constexpr simgpu_element element<double> = simgpu_double;
template <> constexpr simgpu_element element<signed char> = simgpu_int8;
template <> constexpr simgpu_element element<unsigned char> = simgpu_uint8;
template <> constexpr simgpu_element element<int> = simgpu_int32;

/** D = A B + C */
template <int M, int N, int K, class T, class LA, class LB, class TC, class TD>
SIMGPU_INLINE void mma_sync(fragment<accumulator, M, N, K, TD> &d,
                            const fragment<matrix_a, M, N, K, T, LA> &a,
                            const fragment<matrix_b, M, N, K, T, LB> &b,
                            const fragment<accumulator, M, N, K, TC> &c)
{
    static_assert(M <= 32 && N <= 32 && K <= 16, "simgpu: a fragment of this shape");
    simgpu_mma_t lane = {};
    lane.m = M, lane.n = N, lane.k = K;
    lane.type = element<T>;
    lane.sum_type = element<TC>;
    lane.result_type = element<TD>;
    lane.a = a.x, lane.b = b.x, lane.c = c.x, lane.d = d.x;
    simgpu_mma(&lane);
}

} // namespace SIMGPU_BUILD
} // namespace wmma
} // namespace nvcuda

#endif
