/* SPDX-License-Identifier: MIT */
/** @file ptx.h
 * The functions that tools/rewrite/ptx.cpp calls for the instructions of inline PTX.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_PTX_H
#define SIMGPU_INCLUDE_SIMGPU_PTX_H

#include "simgpu/ptx_hooks.h"
#include "simgpu/device/warp.h"

#include <utility>

SIMGPU_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector);

namespace simgpu
{
inline namespace SIMGPU_BUILD
{

SIMGPU_INLINE void cluster_dims(unsigned x, unsigned y = 1, unsigned z = 1)
{
    simgpu_cluster_dims(x, y, z);
}

/** An operand of an asm statement: a value, or a variable. A variable is read when its value is
 * asked for, because a product may be writing it. */
struct operand {
    void *to;
    unsigned size;
    unsigned long long value;

    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    SIMGPU_METHOD operator T() const
    {
        unsigned long long bits = value;
        if (to)
            __builtin_memcpy(&bits, to, size);
        T result;
        __builtin_memcpy(&result, &bits, sizeof result);
        return result;
    }
    /** An address and an offset. */
    SIMGPU_METHOD unsigned long long operator+(int bytes) const
    {
        return (unsigned long long)*this + bytes;
    }
    template <class T> SIMGPU_METHOD void operator=(T v) const
    {
        __builtin_memcpy(to, &v, size < sizeof v ? size : sizeof v);
    }
};
template <class T> SIMGPU_INLINE operand ptx_value(const T &v)
{
    operand o = {nullptr, 0, 0};
    __builtin_memcpy(&o.value, &v, sizeof v);
    return o;
}
template <class T> SIMGPU_INLINE operand ptx_result(T &v) { return {&v, sizeof v, 0}; }
template <class T> SIMGPU_INLINE operand ptx_both(T &v) { return {&v, sizeof v, 0}; }

/* ---- special registers ---- */

SIMGPU_INLINE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
/** The blocks of the cluster in each direction, and the place of this block. */
SIMGPU_INLINE uint3 cluster_dim()
{
    unsigned size[3], at[3];
    simgpu_cluster_place(size, at);
    return {size[0], size[1], size[2]};
}
SIMGPU_INLINE uint3 block_in_cluster()
{
    unsigned size[3], at[3];
    simgpu_cluster_place(size, at);
    return {at[0], at[1], at[2]};
}
SIMGPU_INLINE uint3 cluster_index()
{
    const uint3 size = cluster_dim();
    return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
SIMGPU_INLINE uint3 clusters_of_grid()
{
    const uint3 size = cluster_dim();
    return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}

/** Is this text "%0, %1, ..." with `count` operands? */
constexpr bool are_operands(const char *text, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        while (*text == ' ' || *text == '\n' || (i > 0 && *text == ','))
            text++;
        if (*text++ != '%')
            return false;
        unsigned number = 0;
        while (*text >= '0' && *text <= '9')
            number = number * 10 + (unsigned)(*text++ - '0');
        if (number != i)
            return false;
    }
    while (*text == ' ' || *text == '\n')
        text++;
    return !*text;
}

namespace ptx
{

/** Registers in braces that an instruction reads, or writes. */
template <unsigned N> struct words {
    unsigned value[N];
};
template <unsigned N> struct results {
    const operand to[N];
    SIMGPU_METHOD void operator=(const words<N> &from) const
    {
        for (unsigned i = 0; i < N; i++)
            to[i] = from.value[i];
    }
    /** Two words of 64 bits. */
    SIMGPU_METHOD void operator=(unsigned long long v) const
    {
        to[0] = (unsigned)v, to[1] = (unsigned)(v >> 32);
    }
};
template <class... T> results(T...) -> results<sizeof...(T)>;

/** The coordinates of a box in a tensor. */
struct coordinates {
    int value[5];
    unsigned count;
    template <class... T>
    SIMGPU_METHOD coordinates(const T &...v) : value{(int)v...}, count(sizeof...(T))
    {
    }
};

SIMGPU_INLINE unsigned char *shared_pointer(unsigned address)
{
    return simgpu_builtins.shared + address;
}
/** The place of an address that may be of another block of the cluster. */
SIMGPU_INLINE unsigned char *cluster_pointer(unsigned address)
{
    return (unsigned char *)simgpu_cluster_pointer(shared_pointer(address & 0x3fffff),
                                                   (address >> 22) - 1);
}
SIMGPU_INLINE unsigned long long to_shared(unsigned long long pointer)
{
    return pointer - (unsigned long long)simgpu_builtins.shared;
}
SIMGPU_INLINE unsigned long long from_shared(unsigned long long address)
{
    return (unsigned long long)shared_pointer((unsigned)address);
}
template <class... T> SIMGPU_INLINE void nothing(T...) {}
template <class T> SIMGPU_INLINE T move(T v) { return v; }
template <class T> SIMGPU_INLINE T move(const words<2> &v)
{
    return v.value[0] | (T)v.value[1] << 32;
}
template <class T> SIMGPU_INLINE T plus(T a, T b) { return a + b; }
template <class T> SIMGPU_INLINE T minus(T a, T b) { return a - b; }
template <class T> SIMGPU_INLINE T multiplies(T a, T b) { return a * b; }
template <class T> SIMGPU_INLINE T bit_and(T a, T b) { return a & b; }
template <class T> SIMGPU_INLINE T bit_or(T a, T b) { return a | b; }
template <class T> SIMGPU_INLINE T bit_xor(T a, T b) { return a ^ b; }
template <class T> SIMGPU_INLINE T bit_not(T a) { return ~a; }
/** `bits` bits of v from bit `at` on, and b with these replaced by v's lowest ones. */
SIMGPU_INLINE unsigned field(unsigned v, unsigned at, unsigned bits)
{
    return (unsigned)((unsigned long long)v >> (at & 255) & ((1ull << (bits & 63)) - 1));
}
SIMGPU_INLINE unsigned with_field(unsigned v, unsigned b, unsigned at, unsigned bits)
{
    const unsigned mask = (unsigned)(((1ull << (bits & 63)) - 1) << (at & 63));
    return (b & ~mask) | ((unsigned)((unsigned long long)v << (at & 63)) & mask);
}
SIMGPU_INLINE unsigned permute(unsigned a, unsigned b, unsigned how)
{
    return __byte_perm(a, b, how);
}
SIMGPU_INLINE bool differs(unsigned a, unsigned b) { return a != b; }
SIMGPU_INLINE bool equals(unsigned a, unsigned b) { return a == b; }
SIMGPU_INLINE unsigned select(unsigned a, unsigned b, bool first) { return first ? a : b; }
/** The leader of the warp's lanes in `mask`. */
SIMGPU_INLINE unsigned leader(unsigned mask) { return (unsigned)__builtin_ctz(mask); }
SIMGPU_INLINE bool is_leader(unsigned mask) { return lane_of_thread() == leader(mask); }

/** The lane that a shuffle reads, or -1 if it is beyond what c allows: c has the number of the
 * last lane, and from bit 8 on the bits of a lane's number that are its segment's. */
template <char how> SIMGPU_INLINE int lane_beyond(unsigned b, unsigned c)
{
    const unsigned segment = c >> 8 & 31;
    const int lane = (int)lane_of_thread(), first = lane & segment, by = b & 31,
              last = first | (c & 31 & ~segment),
              from = how == 'u'   ? lane - by
                     : how == 'd' ? lane + by
                     : how == 'b' ? lane ^ by
                                  : first | (by & ~segment);
    return (how == 'u' ? from >= last : from <= last) ? from : -1;
}
template <char how> SIMGPU_INLINE bool in_segment(unsigned, unsigned b, unsigned c, unsigned)
{
    return lane_beyond<how>(b, c) >= 0;
}
template <char how>
SIMGPU_INLINE unsigned shuffle(unsigned v, unsigned b, unsigned c, unsigned mask)
{
    const int from = lane_beyond<how>(b, c);
    return __shfl_sync(mask, v, from < 0 ? (int)lane_of_thread() : from);
}

/* ---- loads and stores ---- */

enum order { plain, relaxed, acquire_or_release };
/** Bits of one size: an instruction does not convert. */
template <class T, order how> SIMGPU_INLINE T load(const void *at)
{
    if (how == plain)
        return *(const T *)at;
    T v = *(const volatile T *)at;
    if (how == acquire_or_release)
        simgpu_threadfence(2);
    return v;
}
template <class T, order how> SIMGPU_INLINE void store(void *at, T v)
{
    if (how == plain) {
        *(T *)at = v;
        return;
    }
    if (how == acquire_or_release)
        simgpu_threadfence(2);
    *(volatile T *)at = v;
}
template <unsigned N> SIMGPU_INLINE words<N> load_words(const void *at)
{
    words<N> v;
    for (unsigned i = 0; i < N; i++)
        v.value[i] = ((const unsigned *)at)[i];
    return v;
}
template <unsigned N> SIMGPU_INLINE void store_words(void *at, const words<N> &v)
{
    for (unsigned i = 0; i < N; i++)
        ((unsigned *)at)[i] = v.value[i];
}

template <int scope> SIMGPU_INLINE void fence() { simgpu_threadfence(scope); }

/* ---- barriers that count arrivals and bytes; clusters ---- */

/* An arrival returns the number of its phase, whose last bit is the parity. */
SIMGPU_INLINE unsigned long long mbarrier_arrive_expect(unsigned barrier, unsigned bytes)
{
    return simgpu_mbarrier_arrive(barrier, 1, bytes);
}
SIMGPU_INLINE void mbarrier_expect(unsigned barrier, unsigned bytes)
{
    simgpu_mbarrier_arrive(barrier, 0, bytes);
}
SIMGPU_INLINE bool mbarrier_try_wait(unsigned barrier, unsigned parity)
{
    simgpu_mbarrier_wait(barrier, parity);
    return true;
}
SIMGPU_INLINE unsigned mapa(unsigned address, unsigned rank)
{
    return (address & 0x3fffff) | (rank + 1) << 22;
}
SIMGPU_INLINE unsigned long long mapa_generic(unsigned long long pointer, unsigned rank)
{
    return (unsigned long long)simgpu_cluster_pointer((void *)pointer, rank);
}

/* ---- roles of warps ---- */

template <bool more> SIMGPU_INLINE void set_registers(unsigned count)
{
    simgpu_warp_registers(count, more);
}

/* ---- copies ---- */

template <unsigned bytes>
SIMGPU_INLINE void store_async(unsigned to, unsigned long long value, unsigned barrier)
{
    simgpu_store_async(to, value, bytes, barrier);
}
SIMGPU_INLINE void copy_tensor(unsigned to, unsigned long long map, const coordinates &at,
                               unsigned barrier, unsigned blocks = ~0u)
{
    simgpu_copy_tensor(to, (const void *)map, at.value, at.count, barrier, blocks);
}
SIMGPU_INLINE void copy_tensor_to_many(unsigned to, unsigned long long map,
                                       const coordinates &at, unsigned barrier,
                                       unsigned short blocks)
{
    copy_tensor(to, map, at, barrier, blocks);
}
SIMGPU_INLINE void store_tensor(unsigned long long map, const coordinates &at, unsigned from)
{
    simgpu_store_tensor((const void *)map, at.value, at.count, from);
}
template <bool only_read> SIMGPU_INLINE void stores_wait(unsigned groups)
{
    simgpu_stores_wait(groups, only_read);
}
SIMGPU_INLINE void copy_async(unsigned to, unsigned long long from, unsigned bytes,
                              unsigned given = ~0u)
{
    simgpu_async_copy(shared_pointer(to), (const void *)from, bytes,
                      given < bytes ? bytes - given : 0);
}
SIMGPU_INLINE void copies_wait_all()
{
    simgpu_async_commit();
    simgpu_async_wait(0);
}

/* ---- matrices ---- */

/** This lane's word of a matrix of halves that is transposed: the lanes exchange halves. */
SIMGPU_INLINE unsigned transposed_word(unsigned word)
{
    uint64_t all[32];
    simgpu_gather(0xffffffffu, word, all);
    const unsigned lane = lane_of_thread(), first = lane % 4 * 8 + lane / 8,
                   shift = lane / 4 % 2 * 16;
    return (unsigned)(all[first] >> shift & 0xffff) |
           (unsigned)(all[first + 4] >> shift & 0xffff) << 16;
}

/** Lane l gives the address of row l % 8 of matrix l / 8, and gets its part of each. */
template <unsigned count, bool transposed>
SIMGPU_INLINE words<count> load_matrices(unsigned address)
{
    uint64_t rows[32];
    simgpu_gather(0xffffffffu, address, rows);
    words<count> to;
    unsigned lane = lane_of_thread();
    for (unsigned i = 0; i < count; i++) {
        const unsigned char *row = shared_pointer((unsigned)rows[8 * i + lane / 4]);
        to.value[i] = ((const unsigned *)row)[lane % 4];
        if (transposed) /* the rows are read as they are */
            to.value[i] = transposed_word(to.value[i]);
    }
    return to;
}

/** Lane l gives the address of row l % 8 of matrix l / 8, and its part of each. */
template <unsigned count, bool transposed>
SIMGPU_INLINE void store_matrices(unsigned address, const words<count> &from)
{
    uint64_t rows[32];
    simgpu_gather(0xffffffffu, address, rows);
    unsigned lane = lane_of_thread();
    for (unsigned i = 0; i < count; i++) {
        unsigned value = transposed ? transposed_word(from.value[i]) : from.value[i];
        unsigned char *row = shared_pointer((unsigned)rows[8 * i + lane / 4]);
        ((unsigned *)row)[lane % 4] = value;
    }
}

constexpr unsigned bytes_of(simgpu_element type)
{
    return type == simgpu_int8 || type == simgpu_uint8 ? 1 : type == simgpu_float ? 4 : 2;
}

/** 16 x 8 sums of a warp: d = a * b + c. */
template <unsigned k, simgpu_element type, unsigned A = k *bytes_of(type) / 8>
SIMGPU_INLINE words<4> mma(const words<A> &a, const words<A / 2> &b, const words<4> &c)
{
    simgpu_fragments_t lane = {};
    lane.k = k, lane.type = type;
    for (unsigned i = 0; i < 4; i++)
        lane.c[i] = c.value[i];
    for (unsigned i = 0; i < A; i++)
        lane.a[i] = a.value[i];
    for (unsigned i = 0; i < A / 2; i++)
        lane.b[i] = b.value[i];
    simgpu_fragments(&lane);
    return {lane.d[0], lane.d[1], lane.d[2], lane.d[3]};
}

/** The array that holds the sums, or null. */
template <unsigned... i>
SIMGPU_INLINE void *array_of(const operand *sums, std::integer_sequence<unsigned, i...>)
{
    unsigned *first = static_cast<unsigned *>(sums[0].to);
    return ((sums[i].to == first + i) && ...) ? first : nullptr;
}
template <unsigned n>
SIMGPU_INLINE void begin_product(const operand *sums, const simgpu_product_t &p)
{
    simgpu_wgmma(&p, array_of(sums, std::make_integer_sequence<unsigned, n / 2>()));
}
template <unsigned n, unsigned k, simgpu_element type>
SIMGPU_INLINE void product(const operand *sums, unsigned long long a, unsigned long long b,
                           int add, int sign_a = 1, int sign_b = 1, int transposed_a = 0,
                           int transposed_b = 0)
{
    begin_product<n>(
        sums,
        {n, k, type, a, b, 0, {}, add, sign_a < 0, sign_b < 0, transposed_a, transposed_b});
}
template <unsigned n, unsigned k, simgpu_element type>
SIMGPU_INLINE void product(const operand *sums, const words<4> &a, unsigned long long b,
                           int add, int sign_a = 1, int sign_b = 1, int transposed_b = 0)
{
    simgpu_product_t p = {n,  k,   type,       0,          b, 1,
                          {}, add, sign_a < 0, sign_b < 0, 0, transposed_b};
    for (unsigned i = 0; i < 4; i++)
        p.left[i] = a.value[i];
    begin_product<n>(sums, p);
}

} // namespace ptx
} // namespace SIMGPU_BUILD
} // namespace simgpu

/** The offset of an address in the block's shared memory, and back. */
SIMGPU_INLINE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)((const unsigned char *)p - simgpu_builtins.shared);
}
SIMGPU_INLINE void *__cvta_shared_to_generic(size_t address)
{
    return simgpu_builtins.shared + address;
}
SIMGPU_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
SIMGPU_INLINE void *__cvta_global_to_generic(size_t address) { return (void *)address; }

#endif
