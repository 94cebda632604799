/* SPDX-License-Identifier: MIT */
/** @file stages.cuh
 * The common part of the hand-written products of this step and of step 23 on compute
 * capability 9.0: thread blocks that compute one tile after another, two of them in a cluster.
 * One warp of each fetches stages (a stage is a slice of a tile of A and one of a tile of B);
 * two warpgroups multiply them, 64 rows of the tile each.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_STAGES_CUH
#define STEPS_21_TENSOR_CORES_LEAF_STAGES_CUH

#include "hopper.cuh"

enum {
    MULTIPLIERS = 2,
    WARPGROUP = 128, /* threads */
    LEAF_THREADS = (1 + MULTIPLIERS) * WARPGROUP,
    PACE = 8,      /* slices after which thread blocks wait for each other */
    PATIENCE = 40, /* polls, of about half a microsecond each, after which they continue */
    CLAIMS = 8     /* places for the numbers of claimed items; more than STAGES + 1 */
};

/** The stages in shared memory: the bytes of a slice of A and of one of B, and how many. */
template <int LEFT, int RIGHT, int COUNT> struct stage_shape {
    enum {
        LEFT_BYTES = LEFT,
        RIGHT_BYTES = RIGHT,
        STAGE_BYTES = LEFT + RIGHT,
        STAGES = COUNT,
        SUMS_OF_THREAD = RIGHT / SLICE / 2, /* of 64 lines of A with those of B */
        SHARED_BYTES = STAGES * STAGE_BYTES + 1024 + STAGES * 16 + CLAIMS * 12
    };
    static_assert(SHARED_BYTES <= 227 * 1024, "the stages do not fit in shared memory");
    static_assert(CLAIMS > STAGES + 1, "a number would be overwritten before it is read");
};

/* These kernels are compiled for sm_90a only, and older GPUs have no clusters. */
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define IN_CLUSTERS __cluster_dims__(CLUSTER, 1, 1)
#else
#define IN_CLUSTERS
#endif

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/** The stages, a ring buffer. full[i] completes when stage i has arrived, empty[i] when both
 * warpgroups of both thread blocks have multiplied it: some copies go to both. claimed[i]
 * completes when place i of `numbers` has the number of an item of work. */
template <class S> struct ring {
    unsigned stages, full, empty, claimed;
    int *numbers;
    int stage, parity, items;
};

template <class S>
static __device__ __forceinline__ struct ring<S> ring_create(unsigned char *memory) {
    struct ring<S> r;
    r.stages = (shared_address(memory) + 1023) / 1024 * 1024;
    r.full = r.stages + S::STAGES * S::STAGE_BYTES, r.empty = r.full + S::STAGES * 8;
    r.claimed = r.empty + S::STAGES * 8;
    r.numbers = (int *)(memory + (r.claimed + CLAIMS * 8 - shared_address(memory)));
    r.stage = r.parity = r.items = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < S::STAGES; i++) {
            barrier_create(r.full + i * 8, 1);
            barrier_create(r.empty + i * 8, MULTIPLIERS * CLUSTER);
        }
        for (int i = 0; i < CLAIMS; i++)
            barrier_create(r.claimed + i * 8, 1);
        barriers_created();
    }
    __syncthreads();
    cluster_wait();
    return r;
}

template <class S>
static __device__ __forceinline__ void ring_next(struct ring<S> *r)
{
    if (++r->stage == S::STAGES)
        r->stage = 0, r->parity ^= 1;
}

/// [claim]
/** Claims this cluster's next item of work: the thread that fetches calls it in each thread
 * block. The first thread block takes the number from a counter and stores it in both. If each
 * cluster computed every n-th item instead, those of a cluster whose multiprocessors another
 * kernel holds would wait for that kernel's end. */
template <class S>
static __device__ __forceinline__ void claim_item(const struct ring<S> &r, int *claimed)
{
    int place = r.items % CLAIMS;
    barrier_expect(r.claimed + place * 8, sizeof(int));
    if (rank_in_cluster() == 0) {
        int item = atomicAdd(claimed, 1);
        for (int rank = 0; rank < CLUSTER; rank++)
            store_in_thread_block(shared_address(r.numbers + place), item,
                                  r.claimed + place * 8, rank);
    }
}

/** Waits for the number of the next item, which it returns. An item has at least one stage, so
 * no thread is so far behind that its number is overwritten. */
template <class S> static __device__ __forceinline__ int claimed_item(struct ring<S> &r)
{
    int place = r.items % CLAIMS;
    barrier_wait(r.claimed + place * 8, r.items / CLAIMS % 2);
    r.items++;
    return r.numbers[place];
}
/// [claim]

/** A thread block's part in keep_pace(). */
struct pace {
    struct progress *all;
    bool is_kept;
    int arrived; /* how often */
};

/** A thread block that begins late counts as having arrived as often as the others. */
static __device__ __forceinline__ struct pace pace_begin(struct progress *all)
{
    int arrived = *(volatile int *)&all->arrived, others = atomicAdd(&all->present, 1);
    struct pace p = {all, true, others ? arrived / others : 0};
    if (p.arrived)
        atomicAdd(&all->arrived, p.arrived);
    return p;
}

static __device__ __forceinline__ void pace_end(struct pace &p)
{
    if (p.is_kept) {
        atomicAdd(&p.all->present, -1);
        atomicAdd(&p.all->arrived, -p.arrived);
    }
    p.is_kept = false;
}

/// [pace]
/** Thread blocks share a slice in the L2 cache only if they read it at about the same time.
 * Left alone, they drift apart: after some hundred tiles most slices are read from memory six
 * times. So each thread block waits for the others now and then, while its next stages are
 * being copied. It gives up after a few looks, since no result depends on the wait. Unrolling
 * this loop made the whole kernel 5 % slower. */
static __device__ __forceinline__ void keep_pace(struct pace &p)
{
    volatile struct progress *all = p.all;
    atomicAdd(&p.all->arrived, 1);
    p.arrived++;
#pragma unroll 1
    for (int look = 0; look < PATIENCE && all->arrived < p.arrived * all->present; look++)
        ;
}
/// [pace]

/** Fetches a slice of one factor: the whole for this thread block, or one half for both. */
template <int bytes, bool for_both>
static __device__ __forceinline__ void fetch_slice(unsigned to, const unsigned char *from,
                                                   unsigned full)
{
    const int half = bytes / CLUSTER;
    if (for_both)
        copy_bulk_to_all(to + rank_in_cluster() * half, from + rank_in_cluster() * half, half,
                         full);
    else
        copy_bulk(to, from, bytes, full);
}

/// [fetch]
/** Fetches `slices` slices of a tile, from `a` and `b` on. Each thread block of the cluster
 * fetches its own rows of A, and one half of the columns of B for both; or, if `abreast`, its
 * own columns of B, and one half of the rows of A. */
template <bool abreast, class S>
static __device__ __forceinline__ void fetch_slices(struct ring<S> &r, const unsigned char *a,
                                                    const unsigned char *b, int slices,
                                                    struct pace &pace)
{
    for (int i = 0; i < slices; i++, a += S::LEFT_BYTES, b += S::RIGHT_BYTES) {
        if (i % PACE == 0 && pace.is_kept)
            keep_pace(pace);
        unsigned to = r.stages + r.stage * S::STAGE_BYTES, full = r.full + r.stage * 8;
        barrier_wait(r.empty + r.stage * 8, r.parity ^ 1);
        barrier_expect(full, S::STAGE_BYTES);
        fetch_slice<S::LEFT_BYTES, abreast>(to, a, full);
        fetch_slice<S::RIGHT_BYTES, !abreast>(to + S::LEFT_BYTES, b, full);
        ring_next(&r);
    }
}
/// [fetch]

/** Signals both thread blocks that this warpgroup no longer needs the stage. */
template <class S>
static __device__ __forceinline__ void release(const struct ring<S> &r, int stage)
{
    if (threadIdx.x % WARPGROUP < CLUSTER)
        barrier_arrive(r.empty + stage * 8, threadIdx.x % WARPGROUP);
}

/** Adds up `slices` slices in `sums`, from zero; `products` multiplies the lines of a stage at
 * a and b. One group of products runs while the next is being started; a stage is released once
 * the group after its own has been started. `before` is the stage still being multiplied. */
template <void products(unsigned *sums, unsigned long long a, unsigned long long b, int add),
          class S>
static __device__ __forceinline__ void multiply_slices(struct ring<S> &r, int slices,
                                                       int &before, unsigned *sums)
{
    int warpgroup = threadIdx.x / WARPGROUP - 1;
    for (int i = 0; i < slices; i++) {
        barrier_wait(r.full + r.stage * 8, r.parity);
        unsigned stage = r.stages + r.stage * S::STAGE_BYTES;
        products_begin();
        products(sums, lines_at(stage + warpgroup * (S::LEFT_BYTES / MULTIPLIERS)),
                 lines_at(stage + S::LEFT_BYTES), i);
        products_end();
        products_wait<1>();
        if (before >= 0)
            release(r, before);
        before = r.stage;
        ring_next(&r);
    }
    products_wait_for<S::SUMS_OF_THREAD>(sums);
}

#endif

#endif
