/* SPDX-License-Identifier: MIT */
/** @file touches.h
 * How accesses to one word are ordered and recorded: what the tracer does at each access. What
 * it does rarely is in races.cpp, when accesses race, and in strays.cpp, when memory is missing
 * or unwritten.
 */
#ifndef SIMGPU_SRC_TOUCHES_H
#define SIMGPU_SRC_TOUCHES_H

#include "src/tracer/tracer.h"

namespace simgpu
{

/** What distinguishes an access from a plain load or store. */
enum Manner : unsigned {
    plainly = 0,
    strongly = 1,     /**< volatile or atomic */
    within_block = 2, /**< an atomic with _block in its name */
    comparing = 4,    /**< atomicCAS */
    replacing = 8     /**< atomicExch: its result does not depend on the old value */
};

/** How an access takes part in races. */
struct Access {
    uint32_t pc;
    bool reads, writes; /**< an atomic does both */
    bool strong, block_scope = false;
    bool compares = false; /**< it is an atomicCAS, which may take a lock */
    bool atomic() const { return reads && writes; }
};

/** The earlier of two accesses that race. */
struct Earlier {
    uint32_t pc;
    bool write;
    uint16_t thread; /**< or several_in_warp, several_in_block */
    uint8_t flags;
    uint32_t time = 0;
};

/* ---- races (races.cpp) ---- */

/** Two threads of a block race. If both write a constant, the stored value decides. */
SIMGPU_COLD void block_race(Worker *w, uint32_t pc, bool write, bool strong,
                            const Earlier &earlier, uint64_t offset, unsigned size,
                            bool shared);
/** Two blocks race. Volatile writes of the same constant do not, such as a flag that stops the
 * other blocks. */
SIMGPU_COLD void global_race(Worker *w, const Access &a, const Earlier &earlier,
                             uint32_t other_serial, uint64_t offset, unsigned size);
SIMGPU_COLD void judge_same_values(Worker *w);
/** Is there a warp of the block none of whose threads came to a race's lines in this phase? */
SIMGPU_COLD void judge_left_out(Worker *w, LocalFault &fault);
/** Remembers a strong access: it may set a flag or see one. */
SIMGPU_COLD void note_flag(Worker *w, uint64_t offset, bool write);
/** Do two unordered strong accesses race? */
SIMGPU_COLD bool strong_race(Worker *w, const Access &a, uint8_t flags, uint32_t earlier_pc,
                             bool earlier_write);
/** A strong write follows a plain write of the same block. Returns whether note_writer() has to
 * remember that. */
SIMGPU_COLD bool after_plain_write(Worker *w, const GlobalTouch &t, uint64_t offset);
/** Reports a race if a strong access of another block races with the plain write that came
 * before the last strong one. */
SIMGPU_COLD void judge_plain_write(Worker *w, const Access &a, const GlobalTouch &t,
                                   uint32_t known, uint64_t offset, unsigned size);
/** A strong read or atomic finds a value written after a fence. */
SIMGPU_COLD void acquire(Worker *w, const Touch &t, uint8_t lag, bool same_block,
                         const Access &a);
/** Records that a volatile read found a value written after a fence. */
SIMGPU_COLD void note_seen_write(Worker *w, const GlobalTouch &t, uint64_t offset);
/** Has the running thread, or a thread that it has synchronised with since, read the last
 * value? */
SIMGPU_COLD bool seen_write(Worker *w, const GlobalTouch &t, uint64_t offset);
/** Examines again a word that the running thread has just read. */
SIMGPU_COLD void look_again(Worker *w, uint64_t offset, bool atomic, bool compares);
/** An access by a thread that holds a lock, or that releases it. */
SIMGPU_COLD void section_access(Worker *w, uint64_t offset, const Access &a, unsigned manner);
/** Where the bytes of a block's shared memory are stored. */
const unsigned char *shared_data(Worker *w, uint32_t offset);

/* ---- strays (strays.cpp) ---- */

[[noreturn]] SIMGPU_COLD void misaligned(Worker *w, uint32_t pc, Op op, unsigned size,
                                         uint64_t offset);
/** Examines a read of a word whose state is not "written". Returns false if it is a stray. */
SIMGPU_COLD bool unusual_word(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc);
SIMGPU_COLD void write_unusual_word(Worker *w, uint64_t offset, unsigned size, Op op,
                                    uint32_t pc);
/** Counts an access of a thread that is astray. */
SIMGPU_COLD void still_astray(Worker *w);
/** Had one of two threads that seem to race already made a stray read? */
SIMGPU_COLD bool led_astray(Worker *w, uint32_t other_serial, uint16_t other);
/** `offset` counts from the beginning of the block's shared memory and may be far outside. */
SIMGPU_COLD void outside_shared(Worker *w, uint32_t pc, Op op, unsigned size, int64_t offset);
SIMGPU_COLD void suspect_shared(Worker *w, Touch &t, uint32_t offset, unsigned size,
                                uint32_t pc);
/** Reports an access to memory that a kernel must not touch. */
SIMGPU_COLD void tell_foreign(Worker *w, uintptr_t address, unsigned size, bool write,
                              FaultPlace place);
/** A kernel reads constant memory. */
SIMGPU_COLD void constant_read(Worker *w, uintptr_t address, unsigned size, uint32_t pc);
/** Remembers which allocations the block's instructions have accessed, in the first phases. */
SIMGPU_COLD void note_owners(Worker *w);

/* ---- for the rarer callers (tracer.cpp) ---- */

/** Not inlined: each inlined copy costs the compiler half a second. */
void rare_shared_access(Worker *w, uint32_t offset, unsigned size, Op op, uint32_t pc);
void rare_global_access(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc,
                        unsigned manner = plainly);
void rare_access(Worker *w, uintptr_t address, unsigned size, bool write,
                 uintptr_t return_address);
/** An access to a __shared__ array outside all functions; false if the address is in none. */
bool outer_shared_access(Worker *w, uintptr_t address, unsigned size, Op op, uint32_t pc);

/* ---- bulk copies and products (async_proxy.cpp, wgmma.cpp) ---- */

/** Touch::writer of bytes that a bulk copy has written: no thread has this number. */
constexpr uint16_t copy_engine = 0x4000;
/** Touch::reader or writer: a thread of another block of the cluster. */
constexpr uint16_t other_block = 0x4001;
/** A thread uses bytes that one of another block has used, and no barrier came between. */
SIMGPU_COLD void cluster_race(Worker *w, uint32_t pc, bool write, uint32_t other_pc,
                              bool other_write, uint32_t offset);
/** Looks at an access to the shared memory of another block of the cluster; false if it is
 * none. */
SIMGPU_COLD bool peer_access(Worker *w, uintptr_t address, unsigned size, const Access &a);
/** Looks at a read or write of a thread while copies run. */
SIMGPU_COLD void copy_meets(Worker *w, uint32_t offset, unsigned size, bool write, uint32_t pc);
/** A thread reads or overwrites bytes of a bulk copy, and has not waited for it. */
SIMGPU_COLD void copy_race(Worker *w, uint32_t pc, bool write, uint32_t copy_pc,
                           uint32_t offset);
/** A thread touches a variable on its stack while products run. */
SIMGPU_COLD void product_meets(Worker *w, uintptr_t address, unsigned size, uint32_t pc);

/* ---- order within a block ---- */

/** Records that the running thread reached an instruction in this phase. Race reports need to
 * know which of two accesses comes first in the program. */
SIMGPU_HOT void see(Worker *w, uint32_t pc, uint64_t offset = ~0ull)
{
    ThreadTrace &trace = *w->now_trace;
    uint64_t bit = 1ull << (pc >> 2 & 63), &seen = trace.seen[pc >> 8 & 7];
    if (__builtin_expect(!(seen & bit), 0)) {
        seen |= bit;
        if (trace.order_count < sizeof trace.order / sizeof *trace.order) {
            trace.where[trace.order_count] = offset;
            trace.order[trace.order_count++] = pc;
        }
    }
}

/** Did an access of thread `other` (or of several threads) in this phase happen before the
 * running thread came here? A barrier of the warp orders them, and so does an atomic after a
 * fence. */
SIMGPU_HOT bool ordered(Worker *w, uint16_t other, uint32_t time)
{
    if (w->fences && time < w->now_trace->acquired_in_block)
        return true;
    unsigned mine = w->current / 32;
    unsigned warp = other < several_in_warp     ? other / 32u
                    : other == several_in_block ? ~0u
                                                : other & 0x7fffu;
    if (warp != mine)
        return false;
    const Warp &my_warp = w->warps[mine];
    if (time < my_warp.sync_time)
        return true;
    if (!my_warp.synced)
        return false;
    const uint32_t *synced = &my_warp.synced[w->current % 32 * 32];
    if (other < several_in_warp)
        return time < synced[other % 32];
    uint32_t latest = 0; /* which of several lanes it was is unknown: report no fault */
    for (unsigned lane = 0; lane < 32; lane++)
        latest = std::max(latest, synced[lane]);
    return time < latest;
}

/** The value of Touch::reader or writer after `me` has also touched the word. */
SIMGPU_HOT uint16_t joined(uint16_t other, uint16_t me)
{
    uint16_t warp = (uint16_t)(several_in_warp | me / 32);
    return other == warp || (other < several_in_warp && other / 32 == me / 32)
               ? warp
               : several_in_block;
}

/** Records a reader. `fresh`: no thread of this block has read the word in this phase. */
SIMGPU_HOT void note_reader(Worker *w, Touch &t, bool fresh, bool strong, uint32_t pc)
{
    uint16_t me = (uint16_t)w->current;
    if (fresh || t.reader == me || ordered(w, t.reader, t.read_time)) {
        if (fresh || t.reader != me)
            t.flags &= (uint8_t)~touch_strong_read, t.flags |= strong ? touch_strong_read : 0;
        t.reader = me;
        t.read_pc = pc;
    } else {
        t.reader = joined(t.reader, me);
    }
    if (!strong)
        t.flags &= (uint8_t)~touch_strong_read;
    t.read_time = w->clock;
}

/** The time until which the running thread publishes with a strong write. */
struct Release {
    uint8_t flags = 0, lag = 0, lag_in_block = 0;
};
/* A lag this long or longer counts as "everything is published". */
constexpr uint32_t longest_lag = 255;

SIMGPU_HOT Release release_of(Worker *w)
{
    Release r;
    if (__builtin_expect(!w->fences, 1))
        return r;
    uint32_t fenced = std::max(w->now_trace->fenced, w->block_fenced);
    uint32_t in_block = std::max(w->now_trace->fenced_in_block, w->block_fenced_in_block);
    r.flags = fenced     ? touch_released | touch_released_in_block
              : in_block ? touch_released_in_block
                         : 0;
    r.lag = (uint8_t)std::min(w->clock - fenced, longest_lag);
    r.lag_in_block = (uint8_t)std::min(w->clock - in_block, longest_lag);
    return r;
}

/** The time until which a strong write publishes, if a fence came `lag` before it. */
SIMGPU_HOT uint32_t published(uint32_t time, uint8_t lag)
{
    return time + 1 - (lag < longest_lag ? lag : 0);
}

/** A strong write follows another one: reading the later one also shows what the first
 * published. */
SIMGPU_COLD void join_release(Worker *w, const Touch &t, Release &r);

/** Records a writer. `in_phase`: the writer recorded so far is of this block and phase. */
SIMGPU_HOT void note_writer(Worker *w, Touch &t, bool in_phase, const Access &a, bool global,
                            bool modified)
{
    uint16_t me = (uint16_t)w->current;
    uint8_t kept = t.flags & (touch_strong_read | touch_split);
    Release r;
    if (a.strong) {
        r = release_of(w);
        /* Keep an earlier plain write by the same thread: another thread's atomic races with
         * that one. */
        if (in_phase && t.writer == me && !(t.flags & touch_strong_write) && !r.flags)
            return;
        bool chain = t.flags & touch_strong_write;
        if (chain && t.flags & (touch_released | touch_released_in_block))
            join_release(w, t, r);
        t.writer = chain && in_phase && t.writer != me && !ordered(w, t.writer, t.write_time)
                       ? joined(t.writer, me)
                       : me;
        kept |=
            (uint8_t)(touch_strong_write | r.flags | (a.block_scope ? touch_block_scope : 0) |
                      (a.reads ? 0 : touch_volatile));
        t.lag_in_block = r.lag_in_block;
        if (global)
            t.lag = r.lag;
    } else {
        t.writer = me;
        kept |= modified ? touch_modified : 0;
    }
    t.flags = kept;
    t.write_pc = a.pc;
    t.write_time = w->clock;
    if (r.flags)
        w->clock++; /* what this thread does from here on is not published */
}

/** Holds the lock of a word. */
struct Lock {
    Touch &t;
    explicit Lock(Touch &t) : t(t)
    {
        while (__builtin_expect(__atomic_exchange_n(&t.locked, 1, __ATOMIC_ACQUIRE), 0))
            ;
    }
    ~Lock() { __atomic_store_n(&t.locked, 0, __ATOMIC_RELEASE); }
};

/** Completes the checks that had to wait until this worker's last access was done. */
SIMGPU_HOT void settle_last(Worker *w)
{
    if (__builtin_expect(w->same_value_count, 0))
        judge_same_values(w);
    if (__builtin_expect(w->asked && w->now_trace->asked, 0)) {
        uint64_t offset = w->now_trace->asked - 1;
        w->now_trace->asked = 0;
        look_again(w, offset, false, false);
    }
}

} // namespace simgpu

#endif
