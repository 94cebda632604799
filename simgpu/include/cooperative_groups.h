/* SPDX-License-Identifier: MIT */
/** @file cooperative_groups.h
 * Thread blocks and tiles of a warp as groups. Grids and clusters are not simulated. A
 * coalesced group is the calling thread alone; CUDA does not promise more.
 */
#ifndef SIMGPU_INCLUDE_COOPERATIVE_GROUPS_H
#define SIMGPU_INCLUDE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{
inline namespace SIMGPU_BUILD
{

/** All threads of the block. */
class thread_block
{
  public:
    static SIMGPU_METHOD void sync(const char *file = __builtin_FILE(),
                                   int line = __builtin_LINE())
    {
        simgpu_syncthreads(file, line);
    }
    static SIMGPU_METHOD unsigned thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    static SIMGPU_METHOD unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static SIMGPU_METHOD unsigned size() { return num_threads(); }
    static SIMGPU_METHOD dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static SIMGPU_METHOD dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static SIMGPU_METHOD dim3 group_dim() { return blockDim; }
    static SIMGPU_METHOD dim3 dim_threads() { return blockDim; }
};

SIMGPU_INLINE thread_block this_thread_block() { return thread_block(); }

/** `Size` neighbouring lanes of a warp. */
template <unsigned Size, class Parent = void> class thread_block_tile
{
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0,
                  "simgpu: a tile has 1, 2, 4, 8, 16 or 32 threads");
    static SIMGPU_METHOD unsigned mask()
    {
        unsigned lane = thread_block::thread_rank() % 32;
        return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << lane / Size * Size;
    }

  public:
    SIMGPU_METHOD thread_block_tile() {}
    template <class Other>
    SIMGPU_METHOD thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    static SIMGPU_METHOD void sync() { simgpu_syncwarp(mask()); }
    static SIMGPU_METHOD unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static SIMGPU_METHOD unsigned meta_group_rank()
    {
        return thread_block::thread_rank() / Size;
    }
    static SIMGPU_METHOD unsigned meta_group_size()
    {
        return (thread_block::num_threads() + Size - 1) / Size;
    }
    template <class T> SIMGPU_METHOD T shfl(T v, int source) const
    {
        return __shfl_sync(mask(), v, source, Size);
    }
    template <class T> SIMGPU_METHOD T shfl_up(T v, unsigned delta) const
    {
        return __shfl_up_sync(mask(), v, delta, Size);
    }
    template <class T> SIMGPU_METHOD T shfl_down(T v, unsigned delta) const
    {
        return __shfl_down_sync(mask(), v, delta, Size);
    }
    template <class T> SIMGPU_METHOD T shfl_xor(T v, int bits) const
    {
        return __shfl_xor_sync(mask(), v, bits, Size);
    }
    SIMGPU_METHOD unsigned ballot(int predicate) const
    {
        return __ballot_sync(mask(), predicate) >>
               thread_block::thread_rank() % 32 / Size * Size;
    }
    SIMGPU_METHOD int any(int predicate) const { return __any_sync(mask(), predicate); }
    SIMGPU_METHOD int all(int predicate) const { return __all_sync(mask(), predicate); }
    template <class T> SIMGPU_METHOD unsigned match_any(T v) const
    {
        return __match_any_sync(mask(), v) >> thread_block::thread_rank() % 32 / Size * Size;
    }
};

template <unsigned Size>
SIMGPU_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return {};
}
template <unsigned Size, unsigned Larger, class Parent>
SIMGPU_INLINE thread_block_tile<Size, thread_block_tile<Larger>>
tiled_partition(const thread_block_tile<Larger, Parent> &)
{
    static_assert(Size <= Larger, "simgpu: a part is not larger than the whole");
    return {};
}

/** The threads of a warp that happen to run together: here each runs alone. */
class coalesced_group
{
  public:
    static SIMGPU_METHOD void sync() {}
    static constexpr unsigned thread_rank() { return 0; }
    static constexpr unsigned num_threads() { return 1; }
    static constexpr unsigned size() { return 1; }
    static constexpr unsigned meta_group_rank() { return 0; }
    static constexpr unsigned meta_group_size() { return 1; }
    template <class T> SIMGPU_METHOD T shfl(T v, int) const { return v; }
    template <class T> SIMGPU_METHOD T shfl_up(T v, unsigned) const { return v; }
    template <class T> SIMGPU_METHOD T shfl_down(T v, unsigned) const { return v; }
    SIMGPU_METHOD unsigned ballot(int predicate) const { return predicate != 0; }
    SIMGPU_METHOD int any(int predicate) const { return predicate != 0; }
    SIMGPU_METHOD int all(int predicate) const { return predicate != 0; }
    template <class T> SIMGPU_METHOD unsigned match_any(T) const { return 1; }
};

SIMGPU_INLINE coalesced_group coalesced_threads() { return coalesced_group(); }

/** Any of these groups, for functions that take all of them. */
class thread_group
{
    unsigned tile; /* 0: the block */

  public:
    SIMGPU_METHOD thread_group(const thread_block &) : tile(0) {}
    template <unsigned Size, class Parent>
    SIMGPU_METHOD thread_group(const thread_block_tile<Size, Parent> &) : tile(Size)
    {
    }
    SIMGPU_METHOD thread_group(const coalesced_group &) : tile(1) {}
    explicit SIMGPU_METHOD thread_group(unsigned tile) : tile(tile) {}
    SIMGPU_METHOD unsigned num_threads() const
    {
        return tile ? tile : thread_block::num_threads();
    }
    SIMGPU_METHOD unsigned size() const { return num_threads(); }
    SIMGPU_METHOD unsigned thread_rank() const
    {
        return tile ? thread_block::thread_rank() % tile : thread_block::thread_rank();
    }
    SIMGPU_METHOD void sync(const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) const
    {
        unsigned first = thread_block::thread_rank() % 32 / (tile ? tile : 32) * tile;
        if (!tile)
            simgpu_syncthreads(file, line);
        else if (tile > 1)
            simgpu_syncwarp(tile == 32 ? 0xffffffffu : ((1u << tile) - 1) << first);
    }
};

/** A tile whose size is known only at run time. */
SIMGPU_INLINE thread_group tiled_partition(const thread_group &, unsigned size)
{
    return thread_group(size);
}

template <class Group> SIMGPU_INLINE void sync(const Group &group) { group.sync(); }
SIMGPU_INLINE void sync(const thread_block &, const char *file = __builtin_FILE(),
                        int line = __builtin_LINE())
{
    simgpu_syncthreads(file, line);
}
/** Its older name. */
template <class Group> SIMGPU_INLINE void synchronize(const Group &group) { group.sync(); }
SIMGPU_INLINE void synchronize(const thread_block &, const char *file = __builtin_FILE(),
                               int line = __builtin_LINE())
{
    simgpu_syncthreads(file, line);
}

template <class T> struct plus {
    SIMGPU_METHOD T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    SIMGPU_METHOD T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    SIMGPU_METHOD T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T, class F> SIMGPU_INLINE T reduce(const coalesced_group &, T v, F)
{
    return v;
}
/** Combines the values of the tile; every thread gets the result. */
template <unsigned Size, class Parent, class T, class F>
SIMGPU_INLINE T reduce(const thread_block_tile<Size, Parent> &tile, T v, F join)
{
    for (unsigned bits = Size / 2; bits > 0; bits /= 2)
        v = join(v, tile.shfl_xor(v, (int)bits));
    return v;
}
/** Combines the values of the tile's threads up to this one. */
template <unsigned Size, class Parent, class T, class F = plus<T>>
SIMGPU_INLINE T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T v, F join = F())
{
    for (unsigned by = 1; by < Size; by *= 2) {
        T below = tile.shfl_up(v, by);
        v = tile.thread_rank() >= by ? join(below, v) : v;
    }
    return v;
}
/** The same without this thread's value; the first thread gets T(). */
template <unsigned Size, class Parent, class T, class F = plus<T>>
SIMGPU_INLINE T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T v, F join = F())
{
    T below = tile.shfl_up(inclusive_scan(tile, v, join), 1);
    return tile.thread_rank() ? below : T();
}

} // namespace SIMGPU_BUILD

SIMGPU_UNSUPPORTED(this_grid, ": end the kernel and launch another one")
SIMGPU_UNSUPPORTED(this_cluster, "")
SIMGPU_UNSUPPORTED_TYPE(grid_group, ": end the kernel and launch another one");
SIMGPU_UNSUPPORTED_TYPE(cluster_group, "");
SIMGPU_UNSUPPORTED(memcpy_async, "")
} // namespace cooperative_groups

#endif
