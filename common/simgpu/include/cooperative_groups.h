/**
 * @file cooperative_groups.h
 * Thread blocks and tiles of a warp as groups. Grids, clusters and coalesced groups are not
 * simulated.
 */
#ifndef SIMGPU_COOPERATIVE_GROUPS_H
#define SIMGPU_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{
#ifdef SIMGPU_TRACED
inline namespace simgpu_traced
#else
inline namespace simgpu_plain
#endif
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

SIMGPU_INLINE thread_block this_thread_block()
{
    return thread_block();
}

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
    template <class Other> SIMGPU_METHOD thread_block_tile(const thread_block_tile<Size, Other> &) {}
    static SIMGPU_METHOD void sync() { simgpu_syncwarp(mask()); }
    static SIMGPU_METHOD unsigned thread_rank() { return thread_block::thread_rank() % Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    static SIMGPU_METHOD unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
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
        return __ballot_sync(mask(), predicate) >> thread_block::thread_rank() % 32 / Size * Size;
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

template <class Group>
SIMGPU_INLINE void sync(const Group &group)
{
    group.sync();
}
SIMGPU_INLINE void sync(const thread_block &, const char *file = __builtin_FILE(),
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
/** Joins the tile's values; every thread gets the result. */
template <unsigned Size, class Parent, class T, class F>
SIMGPU_INLINE T reduce(const thread_block_tile<Size, Parent> &tile, T v, F join)
{
    for (unsigned bits = Size / 2; bits > 0; bits /= 2)
        v = join(v, tile.shfl_xor(v, (int)bits));
    return v;
}

} // namespace

SIMGPU_UNSUPPORTED(this_grid, ": end the kernel and launch another one")
SIMGPU_UNSUPPORTED(this_cluster, "")
SIMGPU_UNSUPPORTED(coalesced_threads, ": make a tile, tiled_partition<32>(this_thread_block())")
SIMGPU_UNSUPPORTED(memcpy_async, "")
} // namespace cooperative_groups

#endif
