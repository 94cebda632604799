/* SPDX-License-Identifier: MIT */
/** @file barriers.cpp
 * Barriers of blocks, grids and warps; shuffles, votes and products, which wait for the lanes
 * of a warp.
 */
#include "src/threads/threads.h"

#include <unistd.h>

using namespace simgpu;

namespace simgpu
{

/** A thread waits at another barrier than the first thread of this phase. The block is lost;
 * the message needs the place. */
static SIMGPU_COLD void note_other_barrier(Worker *w, const char *file, int line)
{
    Untraced quiet;
    size_t i = 0;
    while (i < w->other_barriers.size() &&
           (w->other_barriers[i].second != line || strcmp(w->other_barriers[i].first, file)))
        i++;
    if (i == w->other_barriers.size())
        w->other_barriers.push_back({file, line});
    w->now->other_barrier = (uint16_t)(i + 1);
}

} // namespace simgpu

extern "C" {

void simgpu_syncthreads(const char *file, int line)
{
    Worker *w = kernel_only("__syncthreads");
    w->control[(int)Control::barrier]++;
    Thread &thread = *w->now;
    if (w->at_barrier++ == 0) {
        w->phase_barrier = {file, line};
#ifndef __wasm__
        w->phase_pc = pc_of(SIMGPU_CALLER);
#endif
    } else if (__builtin_expect(
                   line != w->phase_barrier.second ||
                       (file != w->phase_barrier.first && strcmp(file, w->phase_barrier.first)),
                   0))
        note_other_barrier(w, file, line);
    thread.state = ThreadState::at_barrier;
    if (w->tracing && w->capturing_block)
        note_step(w, step_barrier, 0, 0, CALLER_PC);
    if (w->tracing)
        trace_thread_stopped(w, w->current);
    switch_away(w);
}

/** Waits until all blocks have reached the barrier of the grid. Their accesses before it
 * happened before those after it, so blocks get new numbers, as if another launch began. */
static void wait_for_grid(Worker *w, const char *file, int line)
{
    Launch *launch = w->launch;
    FaultPlace place = at_line(file, line);
    std::unique_lock<std::mutex> lock(launch->grid_mutex);
    uint64_t barrier = launch->grid_barriers;
    if (++launch->grid_arrived == launch->blocks) {
        launch->grid_arrived = 0;
        launch->grid_barriers++;
        launch->first_serial = take_serials(launch->blocks);
        launch->blocks_done++; /* shows the watch that the launch makes progress */
    }
    while (launch->grid_barriers == barrier) {
        if (launch->aborted || launch->grid_arrived + launch->grid_ended == launch->blocks ||
            launch->stop)
            break;
        lock.unlock();
        usleep(200);
        lock.lock();
    }
    bool together = launch->grid_barriers != barrier, ended = launch->grid_ended > 0;
    lock.unlock();
    if (together) {
        w->serial = launch->first_serial + 1 + (uint32_t)w->block;
        return;
    }
    if (launch->aborted)
        leave(w);
    if (!ended)
        time_is_over(w, place);
    place.advice = "Every block of the grid must come to its barrier: no block may leave the "
                   "kernel before.";
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "waits at this barrier of the grid, but %llu of %llu blocks have ended "
                 "without coming here",
                 (Count)launch->grid_ended, (Count)launch->blocks);
    abort_launch(w, cudaErrorLaunchFailure);
}

void simgpu_syncgrid(const char *file, int line)
{
    Worker *w = kernel_only("grid_group::sync()");
    if (!w->launch->desc.cooperative) {
        FaultPlace place = at_line(file, line,
                                   "Launch the kernel by cudaLaunchCooperativeKernel(): only "
                                   "then do all blocks run at the same time.");
        kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                     "comes to a barrier of the grid in a launch that is not cooperative");
        abort_launch(w, cudaErrorLaunchFailure);
    }
    unsigned before = w->grid_barriers;
    simgpu_syncthreads(file, line);
    if (w->grid_barriers == before) { /* the first thread to go on waits for all of its block */
        w->grid_barriers++;
        wait_for_grid(w, file, line);
    }
}

int simgpu_cooperative() { return kernel_only("a grid group")->launch->desc.cooperative; }

void simgpu_threadfence(int scope)
{
    Worker *w = kernel_only("a fence");
    w->control[(int)Control::fence]++;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (w->tracing)
        trace_fence(w, scope);
}

/** Two lanes wait for each other with different masks. */
[[noreturn]] static SIMGPU_COLD void other_mask(Worker *w, unsigned mask, uint32_t other)
{
    FaultPlace place = at_pc(
        w->warps[w->current / 32].pc[w->current % 32],
        "All lanes that meet in __syncwarp, a shuffle or a vote must name the same mask.");
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "names the mask %#x here, and lane %u of it waits with the mask %#x", mask,
                 other % 32, w->threads[other].warp_mask);
    abort_launch(w, cudaErrorLaunchFailure);
}

/** A lane waits with a mask that leaves it out. */
static SIMGPU_COLD void foreign_mask(Worker *w, unsigned mask)
{
    Untraced quiet;
    uint32_t pc = calling_pc();
    FaultPlace place =
        pc ? FaultPlace{pc} : at_line(w->launch->desc.file, w->launch->desc.line);
    place.advice = "A lane may name only masks that it belongs to: compute the mask by "
                   "__ballot_sync(0xffffffff, condition) with the very condition of the `if`.";
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "calls __syncwarp, a shuffle or a vote with the mask %#x, in which its own "
                 "lane %u is not",
                 mask, w->current % 32);
}

/** Two lanes of one mask meet in different operations. */
static SIMGPU_COLD void other_operation(Worker *w, unsigned mask, uint32_t other)
{
    static const char *const names[] = {
        "__syncwarp",     "a vote",           "a match or a reduction", "__shfl_sync",
        "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"};
    Untraced quiet;
    const Warp &warp = w->warps[w->current / 32];
    const uint32_t lane = w->current % 32;
    FaultPlace place =
        at_pc(warp.pc[lane], "All lanes of the mask must call the same operation: what a lane "
                             "reads from one that calls another is undefined.");
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "calls %s with the mask %#x here, and lane %u of it calls %s in %s",
                 names[(int)warp.kind[lane]], mask, other % 32,
                 names[(int)warp.kind[other % 32]],
                 line_name(source_of(warp.pc[other % 32]), source_of(warp.pc[lane])).c_str());
}

static void sync_warp(Worker *w, unsigned mask)
{
    const uint32_t lane = w->current % 32;
    if (!(mask >> lane & 1)) { /* outside its mask: it continues alone */
        if (!w->passed)
            foreign_mask(w, mask);
        go_on_untraced(w);
        w->warps[w->current / 32].source[lane] = (uint8_t)lane;
        hand_out(w->warps[w->current / 32], 1u << lane);
        w->now->warp_group = 1u << lane;
        return;
    }
    Warp &warp = w->warps[w->current / 32];
    const uint32_t first = w->current / 32 * 32, last = std::min(first + 32, w->threads_count),
                   alive = warp.alive, lanes = (mask & alive) | 1u << w->current % 32;
    warp.arrived |= 1u << w->current % 32;
    if ((warp.arrived & lanes) != lanes) {
        w->threads[w->current].state = ThreadState::at_warp;
        w->threads[w->current].warp_mask = mask | 1u << w->current % 32;
        switch_away(w);
        return;
    }
    for (uint32_t i = first; i < last; i++) {
        uint32_t theirs = w->threads[i].warp_mask & alive;
        if (i == w->current || !(lanes >> i % 32 & 1))
            continue;
        if (theirs != lanes)
            other_mask(w, mask, i);
        if (warp.kind[i % 32] != warp.kind[w->current % 32]) {
            other_operation(w, mask, i);
            break;
        }
    }
    /* The last lane to come releases the others and continues. */
    release_lanes(w, w->current / 32, lanes);
}

void simgpu_syncwarp(unsigned mask)
{
    Worker *w = kernel_only("__syncwarp");
    w->control[(int)Control::warp_barrier]++;
    Warp &warp = w->warps[w->current / 32];
    warp.kind[w->current % 32] = Collective::barrier;
    warp.pc[w->current % 32] = CALLER_PC;
    sync_warp(w, mask);
    if (w->tracing && w->capturing_block)
        note_step(w, step_warp_barrier, 0, 0, warp.pc[w->current % 32]);
}

/** Takes part in a shuffle or a vote: brings a value and returns the result. */
static uint64_t collective(Worker *w, Collective kind, unsigned mask, uint64_t value,
                           unsigned source, uint32_t pc)
{
    Warp &warp = w->warps[w->current / 32];
    uint32_t lane = w->current % 32;
    w->control[(int)(kind >= Collective::shuffle ? Control::shuffle : Control::vote)]++;
    warp.kind[lane] = kind;
    warp.pc[lane] = pc;
    warp.value[lane] = value;
    warp.source[lane] = (uint8_t)source;
    sync_warp(w, mask);
    if (w->tracing && w->capturing_block)
        note_step(w, kind >= Collective::shuffle ? step_shuffle : step_vote, 8, 0, pc, value,
                  warp.result[lane]);
    return warp.result[lane];
}

/** A shuffle reads the value of a lane that its mask names and that is not there. */
static SIMGPU_COLD void missing_lane(Worker *w, unsigned source)
{
    const uint32_t other = w->current / 32 * 32 + source;
    const uint32_t pc = w->warps[w->current / 32].pc[w->current % 32];
    if (other < w->threads_count)
        kernel_fault(
            w, SIMGPU_BARRIER_DIVERGENCE,
            at_pc(pc,
                  "Its value is undefined on a GPU. Every lane that the mask names must call "
                  "the shuffle: take it out of the `if`, and do not `return` before it."),
            "reads the value of lane %u in a shuffle, and lane %u has left the kernel without "
            "calling it",
            source, source);
    else
        kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE,
                     at_pc(pc, "Its value is undefined on a GPU. Read, and name in the mask, "
                               "only lanes that take part."),
                     "reads the value of lane %u in a shuffle, which does not exist: its block "
                     "has %u threads",
                     source, w->threads_count);
}

/** A shuffle reads the value of a lane that its mask does not name. In a shuffle down, and from
 * chosen lanes, the higher lanes often do so and nobody uses what they get: the lowest lane
 * counts, which has the result of a reduction. */
static SIMGPU_COLD void lane_outside(Worker *w, Collective kind, unsigned mask, unsigned source)
{
    const uint32_t group = w->now->warp_group, lane = w->current % 32;
    if ((kind == Collective::shuffle || kind == Collective::down) && group & ((1u << lane) - 1))
        return;
    FaultPlace place = at_pc(w->warps[w->current / 32].pc[lane],
                             "What a lane reads from outside its mask is undefined: read only "
                             "lanes that the mask names.");
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "reads the value of lane %u in a shuffle, %s its mask %#x", source,
                 group >> source & 1 ? "which has read a lane outside" : "which is not in",
                 mask);
}

uint64_t simgpu_shuffle(enum simgpu_shuffle_kind which, unsigned mask, uint64_t value,
                        unsigned source)
{
    Worker *w = kernel_only("a shuffle");
    source &= 31;
    const Collective kind = (Collective)((int)Collective::shuffle + (int)which);
    uint64_t result = collective(w, kind, mask, value, source, CALLER_PC);
    if (__builtin_expect(w->warps[w->current / 32].doubtful >> w->current % 32 & 1, 0) &&
        w->tracing) {
        if ((mask & ~w->now->warp_group) >> source & 1) {
            w->warps[w->current / 32].doubtful &= ~(1u << w->current % 32);
            missing_lane(w, source);
        } else
            lane_outside(w, kind, mask, source);
    }
    return result;
}

void simgpu_await(const simgpu_arrivals *barrier, unsigned phase)
{
    Worker *w = kernel_only("a barrier");
    if ((uintptr_t)barrier - (uintptr_t)w->shared >= shared_span)
        return;
    Thread &thread = *w->now;
    thread.state = ThreadState::awaiting;
    thread.spin_address = barrier;
    thread.spin_pc = CALLER_PC;
    thread.spins = phase;
    w->awaiting++;
    switch_away(w);
    thread.spins = 0;
}

unsigned simgpu_ballot(unsigned mask, int predicate)
{
    return (unsigned)collective(kernel_only("a vote"), Collective::ballot, mask, predicate != 0,
                                0, CALLER_PC);
}

unsigned simgpu_gather(unsigned mask, uint64_t value, uint64_t all[32])
{
    Worker *w = kernel_only("a vote");
    Warp &warp = w->warps[w->current / 32];
    if (!warp.gathered)
        warp.gathered = std::make_unique<uint64_t[]>(32 * 32);
    collective(w, Collective::gather, mask, value, 0, CALLER_PC);
    memcpy(all, &warp.gathered[w->current % 32 * 32], 32 * sizeof *all);
    return mask & w->now->warp_group;
}

void simgpu_mma(simgpu_mma_t *mine)
{
    Worker *w = kernel_only("mma_sync");
    Warp &warp = w->warps[w->current / 32];
    const uint32_t lane = w->current % 32;
    warp.kind[lane] = Collective::barrier;
    warp.pc[lane] = CALLER_PC;
    warp.value[lane] = (uint64_t)(uintptr_t)mine;
    if (w->tracing)
        check_filled(w, *mine, warp.pc[lane]);
    sync_warp(w, 0xffffffffu);
    if (mine->done)
        return;
    simgpu_mma_t *lanes[32]; /* this lane's values replace those of missing lanes */
    for (uint32_t i = 0; i < 32; i++)
        lanes[i] = w->now->warp_group >> i & 1
                       ? reinterpret_cast<simgpu_mma_t *>((uintptr_t)warp.value[i])
                       : mine;
    warp_product(lanes);
    for (simgpu_mma_t *other : lanes)
        other->done = 1;
}

unsigned simgpu_active_lanes()
{
    Worker *w = kernel_only("coalesced_threads()");
    Warp &warp = w->warps[w->current / 32];
    uint32_t lane = w->current % 32;
    warp.pc[lane] = CALLER_PC;
    w->now->state = ThreadState::converging;
    w->converging++;
    switch_away(w);
    return (unsigned)warp.result[lane];
}

unsigned simgpu_syncthreads_count(int predicate, unsigned *threads, const char *file, int line)
{
    Worker *w = kernel_only("__syncthreads_count");
    unsigned set = w->vote_set;
    w->votes[set] += predicate != 0;
    simgpu_syncthreads(file, line);
    /* The first thread to continue prepares the other counter for the next such barrier. */
    if (w->vote_set == set) {
        w->vote_set = !set;
        w->votes[!set] = 0;
    }
    *threads = w->threads_count;
    return w->votes[set];
}

} // extern "C"
