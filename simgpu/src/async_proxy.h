/* SPDX-License-Identifier: MIT */
/** @file async_proxy.h
 * What happens in a block without its threads: bulk copies and products of warpgroups run until
 * a barrier or a wait says that they are done. Clusters, whose blocks reach each other's shared
 * memory. One block of a cluster runs at a time.
 */
#ifndef SIMGPU_SRC_ASYNC_PROXY_H
#define SIMGPU_SRC_ASYNC_PROXY_H

#include "threads.h"
#include "touches.h"

#include "include/simgpu/ptx_hooks.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <map>

namespace simgpu
{

constexpr unsigned warpgroup = 128;

/** An mbarrier. */
struct PhaseBarrier {
    unsigned count = 0, pending = 0; /**< arrivals of each phase, and those that are missing */
    int64_t bytes = 0;               /**< expected, and not yet come */
    uint64_t expected = 0;           /**< bytes of this phase */
    uint32_t phases = 0;             /**< complete ones */
    uint32_t completed = 0;          /**< the clock when the last one was complete */
    uint32_t pc = 0;                 /**< where it was initialised */
};

/** A bulk copy into a block's shared memory that has not arrived. */
struct BulkCopy {
    uint32_t offset, bytes;
    const unsigned char *from;
    uint32_t barrier; /**< of the same block */
    uint32_t pc;
    uint16_t thread;
};

/** A place in shared memory: `count` pieces of `bytes`, `pitch` apart. */
struct Piece {
    uint32_t offset, bytes;
};

/** A product of a warpgroup that not all of its threads have begun, or that runs. */
struct Product {
    simgpu_product_t what;
    uint32_t pc = 0;
    unsigned begun = 0; /**< threads */
    uint32_t time = 0;  /**< the clock when the last thread began it */
    std::vector<void *> sums = std::vector<void *>(warpgroup); /**< the first of each thread */
    std::vector<std::array<uint32_t, 4>> left;                 /**< each thread's registers */
    std::vector<Piece> a, b;                                   /**< the operands' pieces */
};

struct Warpgroup {
    std::deque<Product> products;            /**< not done */
    uint64_t first = 0;                      /**< the number of the first of them */
    uint64_t begun[warpgroup] = {};          /**< products of each thread */
    std::vector<uint64_t> groups[warpgroup]; /**< the products before the end of each group */
};

/** What a thread waits for, and its last wait for a phase. */
struct PhaseWait {
    enum { nothing, phase, cluster, products } what = nothing;
    uint32_t barrier = 0, parity = 0, pc = 0;
    uint64_t until = 0; /**< a number of products, or a phase of the cluster's barrier */
};

struct Cluster {
    explicit Cluster(unsigned size) : size(size), blocks(size), ended(size) {}
    const unsigned size;
    std::vector<Worker *> blocks; /**< null: has not begun */
    std::vector<bool> ended;
    uint32_t clock = 1; /**< one for all its blocks */
    /* The barrier of the cluster. */
    unsigned arrived = 0, done = 0;
    uint64_t phases = 0;
    uint32_t completed = 0;
    /* Turns (clusters.cpp). */
    std::mutex mutex;
    std::condition_variable changed;
    unsigned turn = 0, idle = 0, finished = 0;
    uint64_t first = 0, round = 0; /**< the cluster that runs now, and how many did */
    bool stop = false;
};

struct Proxy {
    Cluster alone{1};
    Cluster *cluster = &alone;
    unsigned rank = 0;
    std::map<uint32_t, PhaseBarrier> barriers;
    std::vector<BulkCopy> copies;
    std::vector<PhaseWait> waits, last_waits; /**< of each thread */
    std::vector<uint64_t> cluster_arrivals;   /**< of each thread: 1 + the phase */
    std::vector<uint32_t> fenced;             /**< when each thread last called a proxy fence */
    std::vector<Warpgroup> warpgroups;
};

/** The running block's, of the running thread. */
Proxy &proxy_of(Worker *w);
/** Waits until the running thread's PhaseWait is over. */
void wait_for_phase(Worker *w, const PhaseWait &wait);
/** Are these products done? Runs them if all threads have begun them. */
bool products_done(Worker *w, uint32_t thread, uint64_t until);
/** Which products read these bytes now? The line of one, or 0. */
uint32_t reading_product(Worker *w, uint32_t offset, uint32_t bytes);

/** Calls look(touch, offset) for the words of a block's shared memory, or for their bytes where
 * threads have accessed these, until it returns false. */
template <class F> bool each_touch(Worker *w, uint32_t offset, uint32_t bytes, F look)
{
    for (uint32_t at = offset / 4 * 4; at < offset + bytes; at += 4) {
        Touch &word = w->shared_shadow[at / 4];
        const bool split = word.flags & touch_split;
        for (uint32_t i = 0; i < (split ? 4 : 1); i++)
            if (!look(split ? w->shared_byte_shadow[at + i] : word, at + i))
                return false;
    }
    return true;
}

} // namespace simgpu

#endif
