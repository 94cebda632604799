/* SPDX-License-Identifier: MIT */
/** @file warp.h
 * Shuffles, votes and reductions of a warp. device.h includes it.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_WARP_H
#define SIMGPU_INCLUDE_SIMGPU_WARP_H

namespace simgpu
{
inline namespace SIMGPU_BUILD
{

SIMGPU_INLINE unsigned rank_of_thread()
{
    return simgpu_builtins.thread_idx[0] +
           simgpu_builtins.block_dim[0] *
               (simgpu_builtins.thread_idx[1] +
                simgpu_builtins.block_dim[1] * simgpu_builtins.thread_idx[2]);
}
SIMGPU_INLINE unsigned lane_of_thread() { return rank_of_thread() % 32; }

template <class T>
SIMGPU_INLINE T shuffle(simgpu_shuffle_kind kind, unsigned mask, T value, unsigned source)
{
    static_assert(sizeof(T) <= 32, "simgpu: shuffles move at most 32 bytes");
    uint64_t words[(sizeof(T) + 7) / 8] = {}; /* by several instructions, as on a GPU */
    memcpy(words, (const void *)&value, sizeof value);
    for (uint64_t &word : words)
        word = simgpu_shuffle(kind, mask, word, source);
    memcpy((void *)&value, words, sizeof value);
    return value;
}

} // namespace SIMGPU_BUILD
} // namespace simgpu

/** The value of lane `source` in this lane's group of `width`. */
template <class T>
SIMGPU_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32)
{
    unsigned first = simgpu::lane_of_thread() / width * width;
    return simgpu::shuffle(SIMGPU_SHUFFLE_FROM, mask, value, first + (unsigned)source % width);
}

/** The value of the lane `delta` below; a lane without such a neighbour keeps its own. */
template <class T>
SIMGPU_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread();
    return simgpu::shuffle(SIMGPU_SHUFFLE_UP, mask, value,
                           lane % width >= delta ? lane - delta : lane);
}

/** The value of the lane `delta` above; a lane without such a neighbour keeps its own. */
template <class T>
SIMGPU_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread();
    return simgpu::shuffle(SIMGPU_SHUFFLE_DOWN, mask, value,
                           lane % width + delta < (unsigned)width ? lane + delta : lane);
}

/** The value of the lane whose number differs in `bits`. */
template <class T>
SIMGPU_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32)
{
    unsigned lane = simgpu::lane_of_thread(), source = lane ^ (unsigned)bits;
    return simgpu::shuffle(SIMGPU_SHUFFLE_XOR, mask, value,
                           source / width == lane / width ? source : lane);
}

/** The lanes of the warp that reach this call before any of them continues. */
SIMGPU_INLINE unsigned __activemask() { return simgpu_active_lanes(); }

SIMGPU_INLINE unsigned __ballot_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, predicate);
}
SIMGPU_INLINE int __any_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, predicate) != 0;
}
SIMGPU_INLINE int __all_sync(unsigned mask, int predicate)
{
    return simgpu_ballot(mask, !predicate) == 0;
}

/** Barriers that also count or combine the predicates of the threads. */
#define SIMGPU_SYNCTHREADS(name, result)                                                       \
    SIMGPU_INLINE int name(int predicate, SIMGPU_HERE)                                         \
    {                                                                                          \
        unsigned threads;                                                                      \
        unsigned count = simgpu_syncthreads_count(predicate, &threads, file, line);            \
        return result;                                                                         \
    }
SIMGPU_SYNCTHREADS(__syncthreads_count, (int)count)
SIMGPU_SYNCTHREADS(__syncthreads_or, count != 0)
SIMGPU_SYNCTHREADS(__syncthreads_and, count == threads)

namespace simgpu
{
inline namespace SIMGPU_BUILD
{
/** The lanes of `mask` with this lane's value. `present`: the lanes that came. */
template <class T> SIMGPU_INLINE unsigned equal_lanes(unsigned mask, T value, unsigned *present)
{
    static_assert(sizeof(T) <= 8, "simgpu: __match_any_sync compares at most 8 bytes");
    uint64_t bits = 0, all[32];
    unsigned same = 0;
    memcpy(&bits, (const void *)&value, sizeof value);
    *present = simgpu_gather(mask, bits, all);
    for (int lane = 0; lane < 32; lane++)
        if ((*present >> lane & 1) && all[lane] == bits)
            same |= 1u << lane;
    return same;
}
} // namespace SIMGPU_BUILD
} // namespace simgpu

/** The lanes of `mask` with this lane's value. */
template <class T> SIMGPU_INLINE unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned present;
    return simgpu::equal_lanes(mask, value, &present);
}
/** `mask` if all its lanes have the same value, else 0. */
template <class T>
SIMGPU_INLINE unsigned __match_all_sync(unsigned mask, T value, int *predicate)
{
    unsigned present, same = simgpu::equal_lanes(mask, value, &present);
    *predicate = same == present;
    return *predicate ? mask : 0;
}
#define SIMGPU_REDUCE(name, type, expression)                                                  \
    SIMGPU_INLINE type name(unsigned mask, type value)                                         \
    {                                                                                          \
        uint64_t all[32];                                                                      \
        unsigned present = simgpu_gather(mask, (uint64_t)(uint32_t)value, all);                \
        bool first = true;                                                                     \
        type a = 0;                                                                            \
        for (int lane = 0; lane < 32; lane++)                                                  \
            if (present >> lane & 1) {                                                         \
                type b = (type)(uint32_t)all[lane];                                            \
                a = first ? b : (expression);                                                  \
                first = false;                                                                 \
            }                                                                                  \
        return a;                                                                              \
    }
#define SIMGPU_REDUCE_BOTH(name, expression)                                                   \
    SIMGPU_REDUCE(name, int, expression) SIMGPU_REDUCE(name, unsigned, expression)
SIMGPU_REDUCE_BOTH(__reduce_add_sync, a + b)
SIMGPU_REDUCE_BOTH(__reduce_min_sync, a < b ? a : b)
SIMGPU_REDUCE_BOTH(__reduce_max_sync, a > b ? a : b)
SIMGPU_REDUCE(__reduce_and_sync, unsigned, (a & b))
SIMGPU_REDUCE(__reduce_or_sync, unsigned, (a | b))
SIMGPU_REDUCE(__reduce_xor_sync, unsigned, (a ^ b))

#endif
