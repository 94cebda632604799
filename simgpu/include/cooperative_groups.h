/* SPDX-License-Identifier: MIT */
/** @file cooperative_groups.h
 * Thread blocks, tiles, coalesced lanes of a warp, clusters and grids as groups.
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
    static SIMGPU_METHOD void sync(SIMGPU_HERE) { simgpu_syncthreads(file, line); }
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

/** Shared memory with which tiles of several warps exchange values, 8 bytes for each thread. */
template <unsigned Threads> struct block_tile_memory {
    unsigned long long values[Threads];
};
/** The block, with this memory for its tiles. */
class thread_block_with_memory : public thread_block
{
  public:
    unsigned long long *values;
};
template <unsigned Threads>
SIMGPU_INLINE thread_block_with_memory this_thread_block(block_tile_memory<Threads> &memory)
{
    thread_block_with_memory block;
    block.values = memory.values;
    return block;
}

/** The place of a thread and of a tile where a block is cut into tiles of `Size` threads. */
template <unsigned Size> class tile_numbers
{
  public:
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
};

/** Several neighbouring warps. They wait for each other at a barrier of the whole block, so all
 * tiles of a block must come to it. */
template <unsigned Size> class warps_tile : public thread_block, public tile_numbers<Size>
{
  public:
    unsigned long long *values;
    using tile_numbers<Size>::thread_rank;
    using tile_numbers<Size>::num_threads;
    using tile_numbers<Size>::size;
};

/** The operations of a group G of lanes of a warp. G has the mask, lanes(), the lane of each
 * rank, and turns a bit for each lane into one for each rank. */
template <class G> class lanes_group
{
    SIMGPU_METHOD const G &self() const { return static_cast<const G &>(*this); }
    template <class T> SIMGPU_METHOD T from(simgpu_shuffle_kind kind, T v, unsigned rank) const
    {
        return simgpu::shuffle(kind, self().lanes(), v, self().lane(rank));
    }

  public:
    SIMGPU_METHOD void sync() const { simgpu_syncwarp(self().lanes()); }
    template <class T> SIMGPU_METHOD T shfl(T v, unsigned source) const
    {
        return from(SIMGPU_SHUFFLE_FROM, v, source % self().num_threads());
    }
    template <class T> SIMGPU_METHOD T shfl_up(T v, unsigned delta) const
    {
        const unsigned rank = self().thread_rank();
        return from(SIMGPU_SHUFFLE_UP, v, rank >= delta ? rank - delta : rank);
    }
    template <class T> SIMGPU_METHOD T shfl_down(T v, unsigned delta) const
    {
        const unsigned rank = self().thread_rank(), above = rank + delta;
        return from(SIMGPU_SHUFFLE_DOWN, v, above < self().num_threads() ? above : rank);
    }
    /** A bit for each rank. */
    SIMGPU_METHOD unsigned ballot(int predicate) const
    {
        return self().ranks(__ballot_sync(self().lanes(), predicate));
    }
    SIMGPU_METHOD int any(int predicate) const { return __any_sync(self().lanes(), predicate); }
    SIMGPU_METHOD int all(int predicate) const { return __all_sync(self().lanes(), predicate); }
    template <class T> SIMGPU_METHOD unsigned match_any(T v) const
    {
        return self().ranks(__match_any_sync(self().lanes(), v));
    }
};

/** `Size` neighbouring lanes of a warp. */
template <unsigned Size, class Parent = void>
class thread_block_tile : public tile_numbers<Size>,
                          public lanes_group<thread_block_tile<Size, Parent>>
{
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0,
                  "simgpu: a tile has 1, 2, 4, 8, 16 or 32 threads");

  public:
    SIMGPU_METHOD thread_block_tile() {}
    template <class Other>
    SIMGPU_METHOD thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    static SIMGPU_METHOD unsigned lane(unsigned rank)
    {
        return thread_block::thread_rank() % 32 / Size * Size + rank;
    }
    static SIMGPU_METHOD unsigned lanes()
    {
        return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << lane(0);
    }
    static SIMGPU_METHOD unsigned ranks(unsigned of) { return of >> lane(0); }
    template <class T> SIMGPU_METHOD T shfl_xor(T v, int bits) const
    {
        return __shfl_xor_sync(lanes(), v, bits, Size);
    }
};

template <unsigned Size>
SIMGPU_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &)
{
    return {};
}
template <unsigned Size>
SIMGPU_INLINE auto tiled_partition(const thread_block_with_memory &block)
{
    std::conditional_t<(Size > 32), warps_tile<Size>, thread_block_tile<Size>> tile;
    if constexpr (Size > 32)
        tile.values = block.values;
    return tile;
}
template <unsigned Size, unsigned Larger, class Parent>
SIMGPU_INLINE thread_block_tile<Size, thread_block_tile<Larger>>
tiled_partition(const thread_block_tile<Larger, Parent> &)
{
    static_assert(Size <= Larger, "simgpu: a part is not larger than the whole");
    return {};
}

/** Some lanes of a warp. */
class coalesced_group : public lanes_group<coalesced_group>
{
    unsigned mask;
    friend class thread_group;

  public:
    explicit SIMGPU_METHOD coalesced_group(unsigned lanes) : mask(lanes) {}
    SIMGPU_METHOD unsigned lanes() const { return mask; }
    SIMGPU_METHOD unsigned thread_rank() const
    {
        return (unsigned)__builtin_popcount(mask & ((1u << simgpu::lane_of_thread()) - 1));
    }
    SIMGPU_METHOD unsigned num_threads() const { return (unsigned)__builtin_popcount(mask); }
    SIMGPU_METHOD unsigned size() const { return num_threads(); }
    static constexpr unsigned meta_group_rank() { return 0; }
    static constexpr unsigned meta_group_size() { return 1; }
    SIMGPU_METHOD unsigned lane(unsigned rank) const
    {
        unsigned rest = mask;
        for (unsigned i = 0; i < rank; i++)
            rest &= rest - 1;
        return rest ? (unsigned)__builtin_ctz(rest) : simgpu::lane_of_thread();
    }
    SIMGPU_METHOD unsigned ranks(unsigned of) const
    {
        unsigned bits = 0;
        for (unsigned rank = 0; rank < num_threads(); rank++)
            bits |= (of >> lane(rank) & 1) << rank;
        return bits;
    }
};

/** The lanes of the warp that come to this call before any of them goes on. */
SIMGPU_INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(simgpu_active_lanes());
}
/** The part of the group that has this thread's predicate, or label. */
template <class Group> SIMGPU_INLINE coalesced_group binary_partition(const Group &g, bool side)
{
    unsigned yes = __ballot_sync(g.lanes(), side);
    return coalesced_group(side ? yes : g.lanes() & ~yes);
}
template <class Group, class T>
SIMGPU_INLINE coalesced_group labeled_partition(const Group &group, T label)
{
    return coalesced_group(__match_any_sync(group.lanes(), label));
}

/** Any of these groups, for functions that take all of them. */
class thread_group
{
    unsigned mask; /* 0: the block */

  public:
    SIMGPU_METHOD thread_group(const thread_block &) : mask(0) {}
    template <unsigned Size, class Parent>
    SIMGPU_METHOD thread_group(const thread_block_tile<Size, Parent> &tile) : mask(tile.lanes())
    {
    }
    SIMGPU_METHOD thread_group(const coalesced_group &group) : mask(group.mask) {}
    explicit SIMGPU_METHOD thread_group(unsigned tile)
        : mask(tile == 32
                   ? 0xffffffffu
                   : ((1u << tile) - 1) << thread_block::thread_rank() % 32 / tile * tile)
    {
    }
    SIMGPU_METHOD unsigned num_threads() const
    {
        return mask ? (unsigned)__builtin_popcount(mask) : thread_block::num_threads();
    }
    SIMGPU_METHOD unsigned size() const { return num_threads(); }
    SIMGPU_METHOD unsigned thread_rank() const
    {
        return mask ? coalesced_group(mask).thread_rank() : thread_block::thread_rank();
    }
    SIMGPU_METHOD void sync(SIMGPU_HERE) const
    {
        if (mask)
            simgpu_syncwarp(mask);
        else
            simgpu_syncthreads(file, line);
    }
};

/** All blocks of the launch. They can wait for one another in a cooperative launch. */
class grid_group
{
  public:
    static SIMGPU_METHOD unsigned long long block_rank()
    {
        return blockIdx.x +
               (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static SIMGPU_METHOD unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static SIMGPU_METHOD unsigned long long thread_rank()
    {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    static SIMGPU_METHOD unsigned long long num_threads()
    {
        return num_blocks() * thread_block::num_threads();
    }
    static SIMGPU_METHOD unsigned long long size() { return num_threads(); }
    static SIMGPU_METHOD dim3 group_dim() { return gridDim; }
    static SIMGPU_METHOD dim3 dim_blocks() { return gridDim; }
    static SIMGPU_METHOD bool is_valid() { return simgpu_cooperative(); }
    static SIMGPU_METHOD void sync(SIMGPU_HERE) { simgpu_syncgrid(file, line); }
};
SIMGPU_INLINE grid_group this_grid() { return {}; }

/** The blocks of a cluster. */
class cluster_group
{
  public:
    struct arrival_token {
    };
    static SIMGPU_METHOD unsigned block_rank() { return simgpu_cluster_rank(); }
    static SIMGPU_METHOD unsigned num_blocks() { return simgpu_cluster_size(); }
    static SIMGPU_METHOD unsigned num_threads()
    {
        return num_blocks() * thread_block::num_threads();
    }
    static SIMGPU_METHOD unsigned size() { return num_threads(); }
    static SIMGPU_METHOD unsigned thread_rank()
    {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    static SIMGPU_METHOD dim3 block_index()
    {
        const uint3 at = simgpu::block_in_cluster();
        return dim3(at.x, at.y, at.z);
    }
    static SIMGPU_METHOD dim3 dim_blocks()
    {
        const uint3 size = simgpu::cluster_dim();
        return dim3(size.x, size.y, size.z);
    }
    static SIMGPU_METHOD arrival_token barrier_arrive()
    {
        simgpu_cluster_arrive();
        return {};
    }
    static SIMGPU_METHOD void barrier_wait() { simgpu_cluster_wait(); }
    static SIMGPU_METHOD void barrier_wait(arrival_token &&) { simgpu_cluster_wait(); }
    static SIMGPU_METHOD void sync()
    {
        simgpu_cluster_arrive();
        simgpu_cluster_wait();
    }
    /** The same variable in the shared memory of another block. */
    template <class T> static SIMGPU_METHOD T *map_shared_rank(T *shared, int rank)
    {
        return (T *)simgpu_cluster_pointer((void *)shared, (unsigned)rank);
    }
};
SIMGPU_INLINE cluster_group this_cluster() { return {}; }

/** A tile whose size is known only at run time. */
SIMGPU_INLINE thread_group tiled_partition(const thread_group &, unsigned size)
{
    return thread_group(size);
}

template <class Group> SIMGPU_INLINE void sync(const Group &group) { group.sync(); }
SIMGPU_INLINE void sync(const thread_block &, SIMGPU_HERE) { simgpu_syncthreads(file, line); }
SIMGPU_INLINE void sync(const grid_group &, SIMGPU_HERE) { simgpu_syncgrid(file, line); }
/** The older name of sync(). */
template <class Group> SIMGPU_INLINE void synchronize(const Group &group) { group.sync(); }
SIMGPU_INLINE void synchronize(const thread_block &, SIMGPU_HERE)
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
/** Combines the values of the group; every thread gets the result. */
template <class T, class F> SIMGPU_INLINE T reduce(const coalesced_group &group, T v, F join)
{
    T sum = group.shfl(v, 0);
    for (unsigned rank = 1; rank < group.num_threads(); rank++)
        sum = join(sum, group.shfl(v, rank));
    return sum;
}
/** Combines the values of the tile; every thread gets the result. */
template <unsigned Size, class Parent, class T, class F>
SIMGPU_INLINE T reduce(const thread_block_tile<Size, Parent> &tile, T v, F join)
{
    for (unsigned bits = Size / 2; bits > 0; bits /= 2)
        v = join(v, tile.shfl_xor(v, (int)bits));
    return v;
}
template <unsigned Size, class T, class F>
SIMGPU_INLINE T reduce(const warps_tile<Size> &tile, T v, F join, SIMGPU_HERE)
{
    static_assert(sizeof(T) <= 8, "simgpu: a tile of several warps reduces up to 8 bytes");
    const unsigned first = tile.meta_group_rank() * Size;
    auto place = [&](unsigned rank) { return (T *)&tile.values[first + rank]; };
    *place(tile.thread_rank()) = v;
    tile.sync(file, line);
    T all = *place(0);
    for (unsigned rank = 1; rank < Size; rank++)
        all = join(all, *place(rank));
    tile.sync(file, line);
    return all;
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

/** The group's threads copy bytes together. The bytes arrive when the group waits for them. */
template <class Group>
SIMGPU_INLINE void memcpy_async(const Group &group, void *to, const void *from, size_t bytes)
{
    size_t chunk = ((size_t)to | (size_t)from | bytes) % 16 == 0  ? 16
                   : ((size_t)to | (size_t)from | bytes) % 4 == 0 ? 4
                                                                  : 1;
    for (size_t at = group.thread_rank() * chunk; at < bytes; at += group.size() * chunk)
        if (chunk == 1) /* no instruction copies single bytes asynchronously */
            ((char *)to)[at] = ((const char *)from)[at];
        else
            simgpu_async_copy((char *)to + at, (const char *)from + at, chunk, 0);
    simgpu_async_commit();
}
template <unsigned Stages, class Group> SIMGPU_INLINE void wait_prior(const Group &group)
{
    simgpu_async_wait(Stages);
    group.sync();
}
template <class Group> SIMGPU_INLINE void wait(const Group &group) { wait_prior<0>(group); }

} // namespace SIMGPU_BUILD

} // namespace cooperative_groups

#endif
