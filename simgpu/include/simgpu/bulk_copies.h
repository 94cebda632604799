/* SPDX-License-Identifier: MIT */
/** @file bulk_copies.h
 * Bulk copies and what belongs to them as functions of libcu++: cuda::device for a
 * cuda::barrier.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_BULK_COPIES_H
#define SIMGPU_INCLUDE_SIMGPU_BULK_COPIES_H

#include "pipeline.h"
#include "ptx.h"

struct CUtensorMap_st;

namespace cuda
{

namespace device
{
inline namespace SIMGPU_BUILD
{

using block_barrier = barrier<thread_scope_block>;

SIMGPU_INLINE uint64_t *barrier_native_handle(block_barrier &b)
{
    b.simgpu_counted();
    return (uint64_t *)&b;
}
SIMGPU_INLINE block_barrier::arrival_token barrier_arrive_tx(block_barrier &b, ptrdiff_t count,
                                                             ptrdiff_t bytes)
{
    const unsigned at = b.simgpu_counted();
    simgpu_mbarrier_arrive(at, 0, (unsigned)bytes);
    return (block_barrier::arrival_token)simgpu_mbarrier_arrive(at, (unsigned)count, 0);
}
SIMGPU_INLINE void barrier_expect_tx(block_barrier &b, ptrdiff_t bytes)
{
    simgpu_mbarrier_arrive(b.simgpu_counted(), 0, (unsigned)bytes);
}

} // namespace SIMGPU_BUILD

namespace experimental
{
inline namespace SIMGPU_BUILD
{

SIMGPU_INLINE unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

SIMGPU_INLINE void fence_proxy_async_shared_cta() { simgpu_proxy_fence(); }
SIMGPU_INLINE void cp_async_bulk_commit_group() { simgpu_stores_commit(); }
template <int N> SIMGPU_INLINE void cp_async_bulk_wait_group_read()
{
    simgpu_stores_wait(N, 1);
}
SIMGPU_INLINE void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes,
                                                  block_barrier &b)
{
    simgpu_copy_bulk(shared(to), from, bytes, b.simgpu_counted(), ~0u);
}
SIMGPU_INLINE void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes)
{
    simgpu_store_bulk(to, shared(from), bytes);
}
template <class... C>
SIMGPU_INLINE void copy_box(void *to, const CUtensorMap_st *map, block_barrier &b, C... c)
{
    const int at[] = {c...};
    simgpu_copy_tensor(shared(to), map, at, sizeof...(C), b.simgpu_counted(), ~0u);
}
template <class... C>
SIMGPU_INLINE void store_box(const CUtensorMap_st *map, const void *from, C... c)
{
    const int at[] = {c...};
    simgpu_store_tensor(map, at, sizeof...(C), shared(from));
}
#define SIMGPU_TAKE(...) __VA_ARGS__
#define SIMGPU_BOX(dimensions, parameters, ...)                                                \
    SIMGPU_INLINE void cp_async_bulk_tensor_##dimensions##_global_to_shared(                   \
        void *to, const CUtensorMap_st *map, SIMGPU_TAKE parameters, block_barrier &b)         \
    {                                                                                          \
        copy_box(to, map, b, __VA_ARGS__);                                                     \
    }                                                                                          \
    SIMGPU_INLINE void cp_async_bulk_tensor_##dimensions##_shared_to_global(                   \
        const CUtensorMap_st *map, SIMGPU_TAKE parameters, const void *from)                   \
    {                                                                                          \
        store_box(map, from, __VA_ARGS__);                                                     \
    }
SIMGPU_BOX(1d, (int x), x)
SIMGPU_BOX(2d, (int x, int y), x, y)
SIMGPU_BOX(3d, (int x, int y, int z), x, y, z)
SIMGPU_BOX(4d, (int x, int y, int z, int u), x, y, z, u)
SIMGPU_BOX(5d, (int x, int y, int z, int u, int v), x, y, z, u, v)

} // namespace SIMGPU_BUILD
} // namespace experimental
} // namespace device

} // namespace cuda

#endif
