/* SPDX-License-Identifier: MIT */
/** @file bulk_copies.h
 * Bulk copies and what belongs to them as functions of libcu++: cuda::device for a
 * cuda::barrier, and cuda::ptx, a function for each instruction.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_BULK_COPIES_H
#define SIMGPU_INCLUDE_SIMGPU_BULK_COPIES_H

#include "simgpu/cuda/pipeline.h"
#include "simgpu/device/ptx.h"

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
    simgpu_copy_bulk(shared(to), (size_t)from, bytes, b.simgpu_counted());
}
SIMGPU_INLINE void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes)
{
    simgpu_store_bulk((size_t)to, shared(from), bytes);
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

namespace ptx
{
inline namespace SIMGPU_BUILD
{

/* The tags that say which form of an instruction is meant. */
#define SIMGPU_TAG(name)                                                                       \
    constexpr struct name##_t {                                                                \
    } name{};
SIMGPU_TAG(sem_release)
SIMGPU_TAG(sem_acquire)
SIMGPU_TAG(sem_relaxed)
SIMGPU_TAG(scope_cta)
SIMGPU_TAG(scope_cluster)
SIMGPU_TAG(space_shared)
SIMGPU_TAG(space_cluster)
SIMGPU_TAG(space_global)
template <int N> struct n32_t {
};

SIMGPU_INLINE unsigned shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

SIMGPU_INLINE void mbarrier_init(uint64_t *b, uint32_t count)
{
    simgpu_mbarrier_init(shared(b), count);
}
SIMGPU_INLINE uint64_t mbarrier_arrive(uint64_t *b, uint32_t count = 1)
{
    return simgpu_mbarrier_arrive(shared(b), count);
}
template <class Order, class Scope>
SIMGPU_INLINE uint64_t mbarrier_arrive(Order, Scope, space_shared_t, uint64_t *b,
                                       uint32_t count = 1)
{
    return simgpu_mbarrier_arrive(shared(b), count);
}
template <class Order, class Scope>
SIMGPU_INLINE uint64_t mbarrier_arrive_expect_tx(Order, Scope, space_shared_t, uint64_t *b,
                                                 uint32_t bytes)
{
    return simgpu_mbarrier_arrive(shared(b), 1, bytes);
}
SIMGPU_INLINE bool mbarrier_try_wait(uint64_t *b, uint64_t state)
{
    simgpu_mbarrier_wait(shared(b), (unsigned)state);
    return true;
}
SIMGPU_INLINE bool mbarrier_try_wait_parity(uint64_t *b, uint32_t parity)
{
    simgpu_mbarrier_wait(shared(b), parity);
    return true;
}
template <class Scope>
SIMGPU_INLINE bool mbarrier_try_wait_parity(sem_acquire_t, Scope, uint64_t *b, uint32_t parity)
{
    simgpu_mbarrier_wait(shared(b), parity);
    return true;
}
SIMGPU_INLINE void fence_mbarrier_init(sem_release_t, scope_cluster_t) {}
SIMGPU_INLINE void fence_proxy_async() { simgpu_proxy_fence(); }
template <class Space> SIMGPU_INLINE void fence_proxy_async(Space) { simgpu_proxy_fence(); }

template <class Space>
SIMGPU_INLINE void cp_async_bulk(Space, space_global_t, void *to, const void *from,
                                 uint32_t bytes, uint64_t *b, unsigned blocks = ~0u)
{
    simgpu_copy_bulk(shared(to), (size_t)from, bytes, shared(b), blocks);
}
SIMGPU_INLINE void cp_async_bulk(space_global_t, space_shared_t, void *to, const void *from,
                                 uint32_t bytes)
{
    simgpu_store_bulk((size_t)to, shared(from), bytes);
}
template <class Space, int N>
SIMGPU_INLINE void cp_async_bulk_tensor(Space, space_global_t, void *to, const void *map,
                                        const int32_t (&at)[N], uint64_t *b,
                                        unsigned blocks = ~0u)
{
    simgpu_copy_tensor(shared(to), map, at, N, shared(b), blocks);
}
template <int N>
SIMGPU_INLINE void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *map,
                                        const int32_t (&at)[N], const void *from)
{
    simgpu_store_tensor(map, at, N, shared(from));
}
SIMGPU_INLINE void cp_async_bulk_commit_group() { simgpu_stores_commit(); }
template <int N> SIMGPU_INLINE void cp_async_bulk_wait_group(n32_t<N>)
{
    simgpu_stores_wait(N, 0);
}
template <int N> SIMGPU_INLINE void cp_async_bulk_wait_group_read(n32_t<N>)
{
    simgpu_stores_wait(N, 1);
}

SIMGPU_INLINE void barrier_cluster_arrive() { simgpu_cluster_arrive(); }
SIMGPU_INLINE void barrier_cluster_wait() { simgpu_cluster_wait(); }
template <class T> SIMGPU_INLINE T *mapa(space_cluster_t, T *pointer, uint32_t rank)
{
    return (T *)simgpu_cluster_pointer((void *)pointer, rank);
}
SIMGPU_INLINE uint32_t get_sreg_cluster_ctarank() { return simgpu_cluster_rank(); }
SIMGPU_INLINE uint32_t get_sreg_cluster_nctarank() { return simgpu_cluster_size(); }
SIMGPU_INLINE uint32_t get_sreg_laneid() { return simgpu::lane_of_thread(); }
SIMGPU_INLINE bool elect_sync(uint32_t mask) { return simgpu::ptx::is_leader(mask); }

} // namespace SIMGPU_BUILD
} // namespace ptx
} // namespace cuda

#endif
