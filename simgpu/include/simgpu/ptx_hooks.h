/* SPDX-License-Identifier: MIT */
/** @file ptx_hooks.h
 * What ptx.h calls in the runtime: barriers that count bytes, bulk copies, products of
 * warpgroups, clusters. A 32-bit address of shared memory is an offset in the block's own; with
 * `rank + 1` above its 22 bits it is one in the memory of another block of the cluster.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_PTX_HOOKS_H
#define SIMGPU_INCLUDE_SIMGPU_PTX_HOOKS_H

#include "simgpu/hooks.h"

extern "C" {

/** One product of a warpgroup: 64 x n sums of k terms. */
typedef struct {
    unsigned n, k;
    simgpu_element type;
    unsigned long long a, b;        /**< descriptors of the operands */
    int a_in_registers;             /**< A is in `left`, not in shared memory */
    unsigned left[4];               /**< this thread's registers of A */
    int add;                        /**< to the sums that are there */
    int negate_a, negate_b;         /**< the operand is negated */
    int transposed_a, transposed_b; /**< the operand is stored along m or n */
} simgpu_product_t;

/** A lane's part of a product of a warp (mma.sync): d = a * b + c. */
typedef struct {
    unsigned k;
    simgpu_element type;
    unsigned a[4], b[2], c[4], d[4];
    int done; /**< 0 at first */
} simgpu_fragments_t;

/** At the beginning of a kernel with __cluster_dims__. */
void simgpu_cluster_dims(unsigned x, unsigned y, unsigned z);
unsigned simgpu_cluster_rank(void);
unsigned simgpu_cluster_size(void);
/** The blocks of a cluster in each direction, and the place of this one. */
void simgpu_cluster_place(unsigned size[3], unsigned at[3]);
/** The same place in the shared memory of another block of the cluster. */
void *simgpu_cluster_pointer(void *shared, unsigned rank);
void simgpu_cluster_arrive(void);
void simgpu_cluster_wait(void);

void simgpu_mbarrier_init(unsigned barrier, unsigned count);
void simgpu_mbarrier_inval(unsigned barrier);
/** Expects `bytes` more, then arrives `count` times. @return the number of the phase */
uint64_t simgpu_mbarrier_arrive(unsigned barrier, unsigned count = 1, unsigned bytes = 0);
/** Counts for a cuda::barrier from now on, whose `phase` becomes ~0. */
void simgpu_mbarrier_adopt(simgpu_arrivals *barrier);
/** Later phases expect one arrival less. */
void simgpu_mbarrier_drop(unsigned barrier);
/** Waits for the phase of this parity. */
void simgpu_mbarrier_wait(unsigned barrier, unsigned parity);
/** @return whether the phase of this parity is complete */
int simgpu_mbarrier_test(unsigned barrier, unsigned parity);
/** Copies to the same place in each block of `blocks`, a bit each; ~0: where `to` says. */
void simgpu_copy_bulk(unsigned to, unsigned long long from, unsigned bytes, unsigned barrier,
                      unsigned blocks = ~0u);
/** Stores a value in shared memory of the cluster; the barrier there counts its bytes. */
void simgpu_store_async(unsigned to, uint64_t value, unsigned bytes, unsigned barrier);
/** Copies the box at these coordinates of a tensor. */
void simgpu_copy_tensor(unsigned to, const void *map, const int *at, unsigned dimensions,
                        unsigned barrier, unsigned blocks);
/** Copies from shared memory to the tensor, and to other device memory. */
void simgpu_store_tensor(const void *map, const int *at, unsigned dimensions, unsigned from);
void simgpu_store_bulk(unsigned long long to, unsigned from, unsigned bytes);
void simgpu_stores_commit(void);
/** Waits for all but the last `groups`, or only until these have read their bytes. */
void simgpu_stores_wait(unsigned groups, int only_read);
void simgpu_proxy_fence(void);

/** A barrier of `count` threads; 0: of all. */
void simgpu_barrier_sync(unsigned number, unsigned count = 0);
void simgpu_barrier_arrive(unsigned number, unsigned count);
/** The warp has `count` registers for each thread from now on. */
void simgpu_warp_registers(unsigned count, int more);

/** Begins a product. `sums`: this thread's n / 2 sums, or NULL if they are not one array. */
void simgpu_wgmma(const simgpu_product_t *product, void *sums);
void simgpu_wgmma_fence(void);
void simgpu_wgmma_commit(void);
void simgpu_wgmma_wait(unsigned groups);
void simgpu_fragments(simgpu_fragments_t *lane);

} /* extern "C" */
#endif
