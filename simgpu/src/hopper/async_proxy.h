/* SPDX-License-Identifier: MIT */
/** @file async_proxy.h
 * What happens in a block without its threads: bulk copies and products of warpgroups run until
 * a barrier or a wait says that they are done. Clusters, whose blocks reach each other's shared
 * memory. One block of a cluster runs at a time.
 */
#ifndef SIMGPU_SRC_ASYNC_PROXY_H
#define SIMGPU_SRC_ASYNC_PROXY_H

#include "src/threads/threads.h"
#include "src/tracer/touches.h"

#include "include/simgpu/ptx_hooks.h"

#include <array>
#include <condition_variable>
#include <deque>

namespace simgpu
{

constexpr unsigned warpgroup = 128;

/** What a thread waits for, and its last wait for a phase. */
struct PhaseWait {
    enum { nothing, phase, cluster, products, named, registers } what = nothing;
    uint32_t pc = 0, barrier = 0, parity = 0;
    /** a number of products, of phases of the cluster's or a named barrier, or of registers */
    uint64_t until = 0;
};

/** An mbarrier. */
struct PhaseBarrier {
    unsigned count = 0, pending = 0; /**< arrivals of each phase, and those that are missing */
    int64_t bytes = 0;               /**< expected, and not yet come */
    uint64_t expected = 0;           /**< bytes of this phase */
    uint32_t phases = 0;             /**< complete ones */
    uint32_t completed = 0;          /**< the clock when the last one was complete */
    uint32_t pc = 0;                 /**< where it was initialised */
    PhaseWait last_wait;             /**< of any thread that has waited for it */
};

/** 16 bytes of a box in shared memory, of which those from `from` to `to` are in the tensor. */
struct BoxPart {
    unsigned char *global; /**< where the tensor would have the first of the 16 */
    uint32_t offset;
    uint8_t from, to;
};
typedef std::vector<BoxPart> Box;

/** A bulk copy into a block's shared memory that has not arrived. */
struct BulkCopy {
    uint32_t offset, bytes;
    const unsigned char *from; /**< NULL: `value` is stored (st.async) */
    uint64_t value;
    uint32_t barrier; /**< of the same block */
    uint32_t phase;   /**< of the barrier, when the copy begins */
    uint32_t pc;
    uint16_t thread;
    std::shared_ptr<const Box> box = nullptr; /**< of a tensor, in place of `from` */
    unsigned swizzle = 0;                     /**< of the box, in bytes; 0: it is none */
};

/** A bulk copy from shared memory to device memory. */
struct BulkStore {
    uint32_t offset, bytes;
    Box box;
    uint16_t thread;
    uint32_t pc;
    uint32_t group;                  /**< of its thread */
    bool read_waited = false;        /**< its thread knows that it has read its bytes */
    std::vector<unsigned char> data; /**< what it has read */
};

/** A barrier of some warps of a block (bar.sync). */
struct NamedBarrier {
    unsigned count = 0, arrived = 0; /**< threads */
    uint32_t pc = 0;                 /**< where the first of them came */
    uint64_t phases = 0;
    uint32_t completed = 0;
};

/** A product of a warpgroup that not all of its threads have begun, or that runs. */
struct Product {
    simgpu_product_t what;
    uint32_t pc = 0;
    unsigned begun = 0;                        /**< threads */
    uint32_t time = 0;                         /**< the clock when the last thread began it */
    std::array<void *, warpgroup> sums = {};   /**< the first of each thread */
    std::vector<std::array<uint32_t, 4>> left; /**< each thread's registers */
    std::vector<uint32_t> a, b; /**< where the operands' pieces of 16 bytes are */
};

struct Warpgroup {
    std::deque<Product> products;            /**< not done */
    uint64_t first = 0;                      /**< the number of the first of them */
    uint64_t begun[warpgroup] = {};          /**< products of each thread */
    bool fenced[warpgroup] = {};             /**< the thread's registers, by wgmma.fence */
    std::vector<uint64_t> groups[warpgroup]; /**< the products before the end of each group */
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
    std::set<uint32_t> async_stores; /**< where those of them begin that are st.async */
    std::vector<PhaseWait> waits, last_waits; /**< of each thread */
    std::vector<uint64_t> cluster_arrivals;   /**< of each thread: 1 + the phase */
    std::vector<uint32_t> fenced;             /**< when each thread last called a proxy fence */
    std::vector<Warpgroup> warpgroups;
    std::vector<BulkStore> stores;      /**< not done */
    std::vector<uint32_t> store_groups; /**< that each thread has committed */
    std::vector<BulkCopy> boxes;        /**< of tensors, which have arrived */
    NamedBarrier named[16];
    std::vector<uint32_t> registers; /**< of a thread of each warp */
    uintptr_t last_sector = 0;       /**< of device memory, that a bulk copy moved last */
};

/** The running block's, of the running thread. */
Proxy &proxy_of(Worker *w);
/** Waits until the running thread's PhaseWait is over. */
void wait_for_phase(Worker *w, const PhaseWait &wait);
/** Are these products done? Runs them if all threads have begun them. */
bool products_done(Worker *w, uint32_t thread, uint64_t until);
/** Which products read these bytes now? The line of one, or 0. */
uint32_t reading_product(Worker *w, uint32_t offset, uint32_t bytes);
/** The running thread begins something, a product for example, that reads a word of shared
 * memory without its threads. Reports what is missing before it may, and returns false. */
bool may_read_async(Worker *w, const Touch &t, uint32_t at, const char *reader, uint32_t pc);
/** The block with this rank in the running block's cluster. Ends the launch if it is not there.
 */
Worker *block_of_rank(Worker *w, unsigned rank, uint32_t pc);
/** Begins a copy to `to`, or to the same place in each block of `blocks`. */
void begin_copy(Worker *w, uint32_t to, unsigned barrier, unsigned blocks, BulkCopy copy);
/** Examines and counts the bytes of a kernel's source or destination in device memory, or of a
 * part of it; `begins` is its first part. */
void check_global(Worker *w, const unsigned char *at, uint32_t bytes, bool write, uint32_t pc,
                  bool begins);
/** The same of all parts of a box. */
void check_global(Worker *w, const Box &box, bool write, uint32_t pc);

/** Ends the launch if the two sides of a copy, or of a store from shared memory, have a wrong
 * size or place. */
void check_copy(Worker *w, uint32_t shared, const void *global, uint32_t bytes, bool store,
                uint32_t pc);
/** Ends the launch if a product reads a box of a tensor with another swizzle. */
void check_swizzle(Worker *w, uint32_t offset, unsigned swizzle, char operand, uint32_t pc);

/* ---- bulk_stores.cpp ---- */

/** The running thread begins to store a box. */
void begin_store(Worker *w, uint32_t from, uint32_t bytes, Box box, uint32_t pc);

/** The line of a store that may still read these bytes, or 0. */
uint32_t reading_store(Worker *w, uint32_t offset, uint32_t bytes);
/** A store does some of its work at any time. */
void store_may_progress(Worker *w);
/** The block ends, and its stores are done. */
void finish_stores(Worker *w);

/* ---- roles.cpp ---- */

void roles_begin_block(Worker *w);
/** Is the wait for a named barrier, or for registers, over? */
bool role_wait_is_over(Worker *w, uint32_t thread);
/** What is missing, for a message; and what to do. */
std::string role_missing(const Worker *w, uint32_t thread);
const char *role_advice(const PhaseWait &wait);
/** Among waits that nothing will end, the one with the largest weight comes before the others:
 * a wait for registers, or at the barrier to which most threads have come. */
int role_weight(const Worker *w, const PhaseWait &wait);

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
