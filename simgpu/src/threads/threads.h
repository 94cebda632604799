/* SPDX-License-Identifier: MIT */
/** @file threads.h
 * The switch between the threads of a block; what barriers and the calls of kernels need of it.
 */
#ifndef SIMGPU_SRC_THREADS_H
#define SIMGPU_SRC_THREADS_H

#include "src/tracer/tracer.h"

namespace simgpu
{

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t next_random(uint64_t &state);
void shuffle_order(std::vector<uint32_t> &order, uint64_t &random);
std::pair<const char *, int> barrier_of(const Worker *w, uint32_t thread);
/** After a fault that a GPU passes, the block goes on, but its accesses are not checked. */
SIMGPU_COLD void go_on_untraced(Worker *w);
/** Continues the lanes that have met in simgpu_active_lanes(): in each warp those of one call.
 * Returns whether there are any. */
bool release_converged(Worker *w);
/** Called when no thread is ready. Returns false when the block is complete. */
bool end_phase(Worker *w);
/** When all lanes have reached a barrier, gives each its result. Later barriers of some lanes
 * cannot change it. */
void hand_out(Warp &warp, uint32_t lanes);
/** The same, and lets them continue. */
void release_lanes(Worker *w, uint32_t warp, uint32_t lanes);
Fiber *take_fiber(Worker *w);
/* At any switch between threads a bulk copy may arrive; when no thread is ready, one has to, or
 * another block of the cluster runs (async_proxy.h). */
SIMGPU_COLD void proxy_may_progress(Worker *w);
void proxy_progress(Worker *w);
void proxy_begin_block(Worker *w);
void proxy_end_block(Worker *w);
void cluster_thread_done(Worker *w);
bool cluster_yield(Worker *w, bool idle);
bool cluster_next(Worker *w, struct Cluster *cluster, unsigned rank, uint64_t *block);
void cluster_block_done(Worker *w);
std::vector<std::pair<simgpu_shared_site *, void *(*)()>> &file_scope_sites();
std::vector<void **(*)()> &file_scope_pointers();
Worker *kernel_only(const char *what);
/** Leaves the running block for good. */
[[noreturn]] void leave(Worker *w);
uint64_t order_in_grid(const Worker *w);
/** Numbers the blocks of a launch; the number before the first represents several blocks. */
uint32_t take_serials(uint64_t blocks);
/** Where the traced program called the current function. */
#define CALLER_PC pc_of(SIMGPU_CALLER)

SIMGPU_HOT void set_current(Worker *w, uint32_t t)
{
    w->current = t;
    w->now = &w->threads[t];
    w->now_trace = &w->traces[t];
    memcpy(simgpu_builtins.thread_idx, w->now->index, sizeof w->now->index);
}

inline void wake(Worker *w, Thread &thread)
{
    thread.state = ThreadState::ready;
    w->ready++;
}

/** Chooses the thread that runs next. Returns threads_count when the block is complete. */
SIMGPU_HOT uint32_t pick_next(Worker *w)
{
    if (__builtin_expect(w->copies_run, 0))
        proxy_may_progress(w);
    if (w->ready == 0 && !end_phase(w))
        return w->threads_count;
    uint32_t t;
    do {
        w->position = w->position + 1 == w->threads_count ? 0 : w->position + 1;
        t = w->order[w->position];
    } while (w->threads[t].state != ThreadState::ready);
    w->ready--;
    w->threads[t].state = ThreadState::running;
    return t;
}

/** Stops the running thread and runs the next one. Returns when this thread's turn comes. */
SIMGPU_HOT void switch_away(Worker *w)
{
    uint32_t me = w->current, t = pick_next(w);
    if (t == me)
        return;
    Fiber *self = w->running;
    set_current(w, t);
    w->running = w->threads[t].fiber ? w->threads[t].fiber : take_fiber(w);
    if (w->tracing)
        w->stack_low = fiber_stack_low(w->running);
    fiber_switch(self, w->running);
}

} // namespace simgpu

#endif
