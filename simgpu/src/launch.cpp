/* SPDX-License-Identifier: MIT */
/** @file launch.cpp
 * Runs grids, blocks and threads, and switches between threads at barriers.
 *
 * A few host threads ("workers") take the blocks of a launch one after another. Within a block,
 * one thread runs at a time, each until its next barrier. The first thread starts on a new
 * stack. When it ends, the next thread starts on the same stack, so a kernel without barriers
 * costs one call per thread. A thread that reaches a barrier keeps its stack, and the next one
 * starts or continues on another stack. A "phase" is the time between two barriers.
 */
#include "graphs.h"
#include "tracer.h"
#include "occupancy.h"
#include "vtables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <thread>
#include <unistd.h>

extern "C" {
/* The kernels' header (include/simgpu/device.h) declares it const: it does not change while one
 * thread runs. */
__thread struct simgpu_builtins_t simgpu_builtins __attribute__((tls_model("initial-exec")));
}

namespace simgpu
{

Settings settings;
__thread Worker *this_worker;
__thread Worker *tracing_worker;
uint64_t launches_seen, launches_counted, library_calls;

const Limits &limits()
{
    static const Limits c1060 = {
        "C1060", 1, 3, 30, 512, {512, 512, 64}, {65535, 65535, 1}, 16 << 10, 16 << 10, 16384};
    static const Limits modern = {
        "modern", 9,         0,    132, 1024, {1024, 1024, 64}, {2147483647, 65535, 65535},
        48 << 10, 227 << 10, 65536};
    return settings.limits == SIMGPU_C1060 ? c1060 : modern;
}

void unflatten(uint64_t index, const unsigned shape[3], unsigned out[3])
{
    out[0] = (unsigned)(index % shape[0]);
    out[1] = (unsigned)(index / shape[0] % shape[1]);
    out[2] = (unsigned)(index / shape[0] / shape[1]);
}

/** Processor time of all processors; it does not depend on the load of the machine. */
static double cpu_seconds()
{
    timespec t;
#ifdef __wasm__
    clock_gettime(CLOCK_MONOTONIC, &t);
#else
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
#endif
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

namespace
{

/* The arguments of simgpu_keep_shared(): the end of a file's name (until its arrays are kept),
 * and the block. */
const char *keeping_shared;
unsigned kept_block[2];
struct KeptArray {
    SharedArray array;
    std::pair<const char *, int> barrier;
    std::vector<unsigned char> bytes;
};
std::vector<KeptArray> kept_shared;

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t next_random(uint64_t &state)
{
    uint64_t x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

void shuffle_order(std::vector<uint32_t> &order, uint64_t &random)
{
    for (size_t i = order.size(); i > 1; i--)
        std::swap(order[i - 1], order[next_random(random) % i]);
}

/* ---- the threads of a block ---- */

SIMGPU_HOT void set_current(Worker *w, uint32_t t)
{
    w->current = t;
    w->now = &w->threads[t];
    w->now_trace = &w->traces[t];
    memcpy(simgpu_builtins.thread_idx, w->now->index, sizeof w->now->index);
}

std::pair<const char *, int> barrier_of(const Worker *w, uint32_t thread)
{
    int other = w->threads[thread].other_barrier;
    return other ? w->other_barriers[(size_t)other - 1] : w->phase_barrier;
}

/** After a fault that a GPU passes, the block goes on. What it does from then on is no evidence
 * of another fault. */
SIMGPU_COLD void go_on_untraced(Worker *w)
{
    w->passed = true;
    if (!w->tracing)
        return;
    trace_forget_block(w);
    w->tracing = false;
    tracing_worker = nullptr;
    w->launch->unseen = true;
}

/** Reports where threads wait when none can continue and not all wait at one barrier. */
SIMGPU_COLD void divergence(Worker *w)
{
    uint32_t waiting = 0, other = 0, left = 0;
    bool have_waiting = false, have_other = false, have_left = false;
    for (uint32_t t = 0; t < w->threads_count; t++) {
        const Thread &thread = w->threads[t];
        if (thread.state == ThreadState::at_barrier) {
            if (!have_waiting)
                waiting = t, have_waiting = true;
            else if (!have_other && thread.other_barrier != w->threads[waiting].other_barrier)
                other = t, have_other = true;
        } else if (thread.state == ThreadState::at_warp && !have_other) {
            other = t, have_other = true;
        } else if (thread.state == ThreadState::done && !have_left) {
            left = t, have_left = true;
        }
    }
    auto place_of = [](std::pair<const char *, int> barrier) {
        return format("%s:%d", display_path(barrier.first).c_str(), barrier.second);
    };
    auto name_of = [w](uint32_t thread) {
        unsigned t[3];
        unflatten(thread, w->launch->desc.block, t);
        return format("thread (%u,%u,%u)", t[0], t[1], t[2]);
    };
    FaultPlace place;
    bool at_warp = have_other && w->threads[other].state == ThreadState::at_warp;
    uint32_t named = at_warp || !have_waiting ? other : waiting;
    std::string what;
    if (at_warp) {
        place.pc = w->warps[other / 32].pc[other % 32];
        place.advice = "Every lane that the mask of __syncwarp, a shuffle or a vote names must "
                       "come to it: take it out of the `if`, or compute the mask before by "
                       "__ballot_sync(0xffffffff, condition).";
    } else if (have_waiting) {
        place = at_line(barrier_of(w, waiting).first, barrier_of(w, waiting).second);
        place.pc = w->threads[waiting].other_barrier ? 0 : w->phase_pc;
    }
    if (!have_waiting)
        what = "waits here for lanes of its warp that never come";
    else if (at_warp)
        what = "waits here for lanes of its warp, while " + name_of(waiting) +
               " waits at the barrier of " + place_of(barrier_of(w, waiting));
    else if (have_other)
        what = "waits at this barrier while " + name_of(other) + " waits at another one, " +
               place_of(barrier_of(w, other));
    else
        what = "waits at this barrier, but " + name_of(left) +
               " has left the kernel and will not come here";
    const bool passes =
        w->at_barrier + w->done == w->threads_count && w->other_barriers.empty();
    if (!w->passed || !passes)
        kernel_fault_at(w->launch, SIMGPU_BARRIER_DIVERGENCE, place, w->block, named, "%s",
                        what.c_str());
    if (!passes)
        abort_launch(w, cudaErrorLaunchFailure);
    go_on_untraced(w);
}

/** Continues the lanes that have met in simgpu_active_lanes(): in each warp those of one call.
 * Returns whether there are any. */
bool release_converged(Worker *w)
{
    if (w->converging == 0)
        return false;
    for (uint32_t first = 0; first < w->threads_count; first += 32) {
        Warp &warp = w->warps[first / 32];
        uint32_t lanes = 0, pc = 0;
        for (uint32_t i = first; i < std::min(first + 32, w->threads_count); i++)
            if (w->threads[i].state == ThreadState::converging &&
                (!lanes || warp.pc[i % 32] == pc)) {
                pc = warp.pc[i % 32];
                lanes |= 1u << i % 32;
            }
        for (uint32_t i = first; i < std::min(first + 32, w->threads_count); i++)
            if (lanes >> i % 32 & 1) {
                warp.result[i % 32] = lanes;
                w->threads[i].state = ThreadState::ready;
                w->ready++;
                w->converging--;
            }
    }
    return true;
}

/** Whether simgpu_keep_shared() asks for this block. */
bool is_kept(const Launch *launch, uint64_t block)
{
    const unsigned *grid = launch->desc.grid;
    return keeping_shared && kept_block[0] < grid[0] && kept_block[1] < grid[1] &&
           block == (uint64_t)kept_block[1] * grid[0] + kept_block[0];
}

/** Keeps the arrays for simgpu_keep_shared(). */
SIMGPU_COLD void keep_shared(Worker *w)
{
    Untraced quiet;
    std::lock_guard<std::mutex> lock(w->launch->shared_mutex);
    for (const SharedArray &array : w->launch->shared_arrays) {
        const char *end = array.file + strlen(array.file);
        size_t length = strlen(keeping_shared);
        if ((size_t)(end - array.file) < length || strcmp(end - length, keeping_shared))
            continue;
        const unsigned char *at = w->shared + array.offset;
        kept_shared.push_back({array, w->phase_barrier, {at, at + array.size}});
    }
    if (!kept_shared.empty())
        keeping_shared = nullptr;
}

/** Called when no thread is ready. Returns false when the block is complete. */
bool end_phase(Worker *w)
{
    bool waiting_logs = false;
    if (w->at_barrier + w->done < w->threads_count)
        for (uint32_t t = 0; t < w->threads_count; t++)
            waiting_logs |= w->threads[t].state == ThreadState::log_full;
    if (waiting_logs) {
        /* Logs are full in the middle of a phase: count and empty them. */
        for (unsigned warp = 0; warp < w->warps.size(); warp++)
            count_warp(w, warp);
        for (uint32_t t = 0; t < w->threads_count; t++)
            if (w->threads[t].state == ThreadState::log_full) {
                w->threads[t].state = ThreadState::ready;
                w->ready++;
            }
        return true;
    }
    if (release_converged(w))
        return true;
    if (w->done == w->threads_count) {
        if (w->tracing)
            trace_phase_end(w);
        return false;
    }
    if (w->at_barrier != w->threads_count || !w->other_barriers.empty())
        divergence(w);
    if (__builtin_expect(keeping_shared != nullptr, 0) && is_kept(w->launch, w->block))
        keep_shared(w);
    if (__builtin_expect(w->launch->stop, 0))
        time_is_over(w, at_line(w->phase_barrier.first, w->phase_barrier.second));

    if (w->tracing)
        trace_phase_end(w);
    w->launch->barriers.fetch_add(1, std::memory_order_relaxed);
    for (Thread &thread : w->threads)
        if (thread.state != ThreadState::done)
            thread.state = ThreadState::ready;
    w->ready = w->threads_count - w->done;
    w->at_barrier = 0;
    w->position = w->threads_count - 1;
    if (settings.shuffle)
        shuffle_order(w->order, w->random);
    return true;
}

/** Chooses the thread that runs next. Returns threads_count when the block is complete. */
SIMGPU_HOT uint32_t pick_next(Worker *w)
{
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

/** When all lanes have reached a barrier, gives each its result. Later barriers of some lanes
 * cannot change it. */
void hand_out(Warp &warp, uint32_t lanes)
{
    uint64_t ballot = 0;
    for (uint32_t i = 0; i < 32; i++)
        ballot |=
            (uint64_t)(lanes >> i & 1 && warp.kind[i] == Collective::ballot && warp.value[i])
            << i;
    for (uint32_t i = 0; i < 32; i++)
        if (lanes >> i & 1) {
            if (warp.kind[i] == Collective::gather)
                memcpy(&warp.gathered[i * 32], warp.value, sizeof warp.value);
            warp.result[i] =
                warp.kind[i] == Collective::shuffle ? warp.value[warp.source[i]] : ballot;
        }
}

void thread_done(Worker *w, uint32_t t)
{
    Thread &thread = w->threads[t];
    thread.state = ThreadState::done;
    w->done++;
    if (w->tracing)
        trace_thread_stopped(w, t);
    /* Other lanes no longer wait for this one. */
    Warp &warp = w->warps[t / 32];
    warp.alive &= ~(1u << t % 32);
    if (!warp.arrived)
        return;
    const uint32_t first = t / 32 * 32, alive = warp.alive;
    for (uint32_t i = first; i < std::min(first + 32, w->threads_count); i++) {
        Thread &other = w->threads[i];
        if (other.state == ThreadState::at_warp &&
            (warp.arrived & other.warp_mask & alive) == (other.warp_mask & alive)) {
            uint32_t group = other.warp_mask & alive;
            warp.arrived &= ~group;
            hand_out(warp, group);
            if (w->tracing)
                trace_warp_sync(w, t / 32, group);
            for (uint32_t j = first; j < std::min(first + 32, w->threads_count); j++)
                if (group >> j % 32 & 1) {
                    w->threads[j].warp_group = group;
                    w->threads[j].state = ThreadState::ready;
                    w->ready++;
                }
        }
    }
}

/** A fiber runs threads from beginning to end until another fiber has to continue. */
void fiber_main()
{
    Worker *w = this_worker;
    uint32_t t = w->current;
    for (;;) {
        w->threads[t].fiber = w->running;
        w->launch->desc.thunk(w->launch->desc.closure);
        t = w->current;
        thread_done(w, t);
        w->threads[t].fiber = nullptr;
        Fiber *self = w->running;
        t = pick_next(w);
        if (t == w->threads_count) {
            w->running = w->base;
            fiber_leave(self, w->base);
        }
        set_current(w, t);
        if (w->threads[t].fiber) {
            w->free_fibers.push_back(self);
            w->running = w->threads[t].fiber;
            if (w->tracing)
                w->stack_low = fiber_stack_low(w->running);
            fiber_switch(self, w->running); /* does not return */
        }
    }
}

Fiber *take_fiber(Worker *w)
{
    if (w->free_fibers.empty()) {
        w->fibers.push_back(fiber_create((unsigned)w->fibers.size()));
        w->free_fibers.push_back(w->fibers.back());
    }
    Fiber *fiber = w->free_fibers.back();
    w->free_fibers.pop_back();
    fiber_prepare(fiber, fiber_main);
    return fiber;
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

/* ---- blocks ---- */

std::vector<std::pair<simgpu_shared_site *, void *(*)()>> &file_scope_sites()
{
    static auto *sites = new std::vector<std::pair<simgpu_shared_site *, void *(*)()>>;
    return *sites;
}

std::vector<void **(*)()> &file_scope_pointers()
{
    static auto *pointers = new std::vector<void **(*)()>;
    return *pointers;
}

void run_block(Worker *w, uint64_t block)
{
    Launch *launch = w->launch;
    w->block = block;
    w->serial = launch->first_serial + 1 + (uint32_t)block;
    unflatten(block, launch->desc.grid, simgpu_builtins.block_idx);
    w->ready = w->threads_count;
    w->done = w->at_barrier = w->converging = 0;
    w->grid_barriers = 0;
    w->passed = false;
    w->other_barriers.clear();
    w->position = w->threads_count - 1;
    for (Thread &thread : w->threads) {
        thread.fiber = nullptr;
        thread.state = ThreadState::ready;
        thread.spins = 0;
        thread.clock_calls = 0;
        thread.spin_address = nullptr;
        thread.other_barrier = 0;
    }
    uint32_t lanes_left = w->threads_count;
    for (Warp &warp : w->warps) {
        warp.arrived = warp.stopped = 0;
        warp.alive = lanes_left < 32 ? (1u << lanes_left) - 1 : ~0u;
        lanes_left -= 32;
    }
    w->votes[0] = w->votes[1] = w->vote_set = 0;
    async_begin_block(w);
    if (settings.shuffle) {
        w->random = settings.shuffle * 0x2545f4914f6cdd1dull + block;
        for (uint32_t t = 0; t < w->threads_count; t++)
            w->order[t] = t;
        shuffle_order(w->order, w->random);
    }
    if (w->fiber_bytes !=
        fiber_stack_bytes) { /* cudaDeviceSetLimit() has asked for larger stacks */
        for (Fiber *fiber : w->fibers)
            fiber_destroy(fiber);
        w->fibers.clear();
        w->fiber_bytes = fiber_stack_bytes;
    }
    w->free_fibers = w->fibers;
    if (__builtin_expect(keeping_shared != nullptr, 0) && is_kept(launch, block))
        memset(w->shared, 0xff, shared_span / 8); /* so that unwritten bytes are recognised */
    if (w->tracing)
        trace_block_begin(w);
    set_current(w, pick_next(w));
    w->running = take_fiber(w);
    w->stack_low = fiber_stack_low(w->running);
    this_worker = w;
    tracing_worker = w->tracing ? w : nullptr;
    fiber_enter(w->base, w->running);
    this_worker = tracing_worker = nullptr;
}

/** Reserves addresses for a block's shared memory, with unused addresses around them, so that a
 * wrong index of a shared array is recognised. If the system limits the address space, there is
 * no margin. */
void *reserve_shared(size_t *margin)
{
    const uint64_t far = 16ull << 30; /* as far as an unsigned int that counts floats leads */
    auto all = static_cast<unsigned char *>(reserve_memory(shared_span + 2 * far, false));
    *margin = all ? far : 0;
    if (!all)
        return reserve_memory(shared_span, true);
    open_memory(all + far, shared_span, true);
    return all + far;
}

} // namespace

/* Tracing stops here: record_kernel_fault() suppresses faults that may follow from that. */
void stop_tracing_late(Launch *launch, double seconds)
{
    bool much = launch->memory_budget && resident_memory() > launch->memory_budget;
    if (launch->budget > 0 && (much || seconds > launch->budget) && !launch->waits &&
        !launch->plain.exchange(true))
        call_tracer(false);
}

/** The i-th block to run. If checking may end before the grid does, the last block, where
 * guards are missing, and two of the middle come soon after the first. */
static uint64_t block_at(const Launch *launch, uint64_t i)
{
    const uint64_t n = launch->blocks;
    if (launch->budget <= 0 || n < 1024 || launch->desc.cooperative || i == 0)
        return i;
    if (i <= 3)
        return i == 1 ? n - 1 : i == 2 ? n / 3 : 2 * (n / 3);
    i -= 3;
    i += i >= n / 3;
    return i + (i >= 2 * (n / 3));
}

void run_blocks(Worker *w, Launch *launch)
{
    const simgpu_launch_desc &d = launch->desc;
    if (!w->base) {
        w->base = fiber_adopt();
        signals_init_thread();
    }
    if (!w->shared) {
        void *shared = reserve_shared(&w->shared_margin);
        void *shadow = reserve_memory(shared_span / 4 * sizeof(Touch), true);
        void *bytes = reserve_memory(shared_span * sizeof(Touch), true);
        if (!shared || !shadow || !bytes) {
            fprintf(stderr, "simgpu: no memory for shared memory\n");
            exit(3);
        }
        w->shared = static_cast<unsigned char *>(shared);
        w->shared_shadow = static_cast<Touch *>(shadow);
        w->shared_byte_shadow = static_cast<Touch *>(bytes);
    }
    if (w->file_scope_shared.size() != file_scope_sites().size() ||
        w->file_scope_dynamic.size() != file_scope_pointers().size() ||
        !pthread_equal(w->host_thread, pthread_self())) {
        /* Each host thread has its own copy of these variables, like each block. */
        w->file_scope_shared.clear();
        for (auto &[site, at] : file_scope_sites())
            w->file_scope_shared.push_back({(uintptr_t)at(), site});
        w->file_scope_dynamic.clear();
        for (auto at : file_scope_pointers()) {
            *at() = w->shared + dynamic_shared_offset;
            w->file_scope_dynamic.push_back((uintptr_t)at());
        }
    }
    w->launch = launch;
    const bool traced = launch->traced && !launch->plain;
    w->tracing = traced;
    w->watched = launch->watched ? launch->id : 0;
    w->counting = launch->counted;
    w->threads_count = launch->threads;
    if (w->threads.size() != launch->threads) {
        for (Thread &thread : w->threads)
            if (thread.log)
                w->free_logs.push_back({thread.log, thread.log_capacity});
        w->threads.assign(launch->threads, Thread());
        w->warps.clear();
        w->warps.resize((launch->threads + 31) / 32);
        w->order.resize(launch->threads);
    }
    for (uint32_t t = 0; t < launch->threads; t++) {
        w->order[t] = t;
        unflatten(t, d.block, w->threads[t].index);
    }
    if (w->traces.size() < launch->threads)
        w->traces.resize(launch->threads);
    for (Warp &warp : w->warps) {
        warp.sync_time = 0;
        warp.synced.reset();
    }
    w->shared_known = 0;
    memcpy(simgpu_builtins.block_dim, d.block, sizeof d.block);
    memcpy(simgpu_builtins.grid_dim, d.grid, sizeof d.grid);
    simgpu_builtins.shared = w->shared;
    simgpu_builtins.launch = launch->id;
    uint64_t i;
    w->host_thread = pthread_self();
    signals_allow_look();
    w->active = true;
    const double begin = cpu_seconds();
    while (!launch->aborted && (i = launch->next_block++) < launch->blocks) {
        w->stalls = 0;
        w->tracing = traced && !launch->plain;
        run_block(w,
                  launch->block_order.empty() ? block_at(launch, i) : launch->block_order[i]);
        launch->blocks_done++;
        if (d.cooperative) {
            std::lock_guard<std::mutex> lock(launch->grid_mutex);
            launch->grid_ended++;
        }
        if (traced && launch->next_block < launch->blocks && launch->budget > 0 &&
            cpu_seconds() - begin > launch->budget)
            stop_tracing_late(launch, cpu_seconds() - begin);
    }
    w->active = false;
    if (traced)
        trace_launch_end(w);
    faults_flush(w);
    memset(&simgpu_builtins, 0, sizeof simgpu_builtins);
}

namespace
{

/* ---- launches ---- */

std::map<const void *, size_t> dynamic_shared_limit; /* set by cudaFuncSetAttribute */

/* The error of an H100 with CUDA 13.0 for a block that is larger than __launch_bounds__ allows.
 */
const cudaError_t beyond_bound = cudaErrorInvalidValue;

/** Numbers the blocks of a launch; the number before the first one represents several blocks.
 */
uint32_t take_serials(uint64_t blocks)
{
    static uint32_t serials = 16;
    if (serials > 0xffffffffu - blocks - 2 || blocks > 0x40000000u)
        /* after 2^32 blocks, an old owner may be mistaken for a new one */
        serials = 16;
    uint32_t first = serials;
    serials += (uint32_t)blocks + 2;
    return first;
}

/** Checks a launch against the device's limits and reports the first that it exceeds. */
bool within_limits(const simgpu_launch_desc &d)
{
    const Limits &limit = limits();
    FaultPlace place = at_line(d.file, d.line);
    auto refuse = [&](cudaError_t error, const std::string &what) {
        host_fault(SIMGPU_LAUNCH_LIMITS, place, d.kernel_text, "%s", what.c_str());
        set_error(error);
        faults_print();
        return false;
    };
    if (stream_destroyed(d.stream)) {
        place.advice = "Destroy a stream after the last call that uses it.";
        host_fault(SIMGPU_BAD_CALL, place, d.kernel_text,
                   "the launch goes to a stream that is destroyed already");
        set_error(cudaErrorInvalidResourceHandle);
        faults_print();
        return false;
    }
    if (capture_refuses((cudaStream_t) const_cast<void *>(d.stream))) {
        place.advice = capture_advice;
        host_fault(SIMGPU_BAD_CALL, place, d.kernel_text,
                   "the launch goes to the default stream, while a stream is captured that "
                   "waits for it");
        set_error(cudaErrorStreamCaptureImplicit);
        faults_print();
        return false;
    }
    if (stream_device(d.stream) != current_device()) {
        place.advice =
            "Call cudaSetDevice() before the launch, or launch into a stream of the current "
            "device. Check cudaGetLastError() after each launch: the kernel did not run.";
        return refuse(
            cudaErrorInvalidResourceHandle,
            format("the launch goes to a stream of device %d while device %d is current",
                   stream_device(d.stream), current_device()));
    }
    static const char axis[] = "xyz";
    for (int i = 0; i < 3; i++) {
        if (d.grid[i] == 0 || d.block[i] == 0) {
            place.advice = "A quotient of integers is rounded down: n elements need (n + "
                           "threads - 1) / threads blocks. Check cudaGetLastError() after each "
                           "launch: the kernel did not run.";
            return refuse(cudaErrorInvalidConfiguration,
                          format("the launch asks for 0 %s in direction %c",
                                 d.grid[i] ? "threads a block" : "blocks", axis[i]));
        }
        if (d.grid[i] > limit.grid_max[i])
            return refuse(
                cudaErrorInvalidConfiguration,
                format("the launch asks for %u blocks in direction %c; the device takes %llu",
                       d.grid[i], axis[i], (unsigned long long)limit.grid_max[i]));
        if (d.block[i] > limit.block_max[i])
            return refuse(cudaErrorInvalidConfiguration,
                          format("the launch asks for blocks of %u threads in direction %c; "
                                 "the device takes %u",
                                 d.block[i], axis[i], limit.block_max[i]));
    }
    uint64_t threads = (uint64_t)d.block[0] * d.block[1] * d.block[2];
    if (threads > (uint64_t)limit.threads_per_block)
        return refuse(
            cudaErrorInvalidConfiguration,
            format("the launch asks for %ux%ux%u = %llu threads a block; the device takes %d",
                   d.block[0], d.block[1], d.block[2], (unsigned long long)threads,
                   limit.threads_per_block));
    /* A warp gets registers in units of 256. */
    uint64_t registers =
        ((uint64_t)settings.registers * 32 + 255) / 256 * 256 * ((threads + 31) / 32);
    if (registers > (uint64_t)limit.registers) {
        place.advice = "Use smaller blocks, or __launch_bounds__(threads) before the kernel's "
                       "name: the compiler then takes no more registers than fit. Check "
                       "cudaGetLastError() after each launch: the kernel did not run.";
        return refuse(cudaErrorLaunchOutOfResources,
                      format("the launch asks for %llu threads of %d registers, %llu for all "
                             "warps of a block; the device gives a block %d",
                             (unsigned long long)threads, settings.registers,
                             (unsigned long long)registers, limit.registers));
    }
    auto raised = dynamic_shared_limit.find(d.kernel);
    size_t shared =
        std::max(limit.shared, raised == dynamic_shared_limit.end() ? 0 : raised->second);
    if (!d.kernel) /* a template, of which only the text is known */
        for (auto &entry : dynamic_shared_limit)
            shared = std::max(shared, entry.second);
    std::string too_many;
    if (d.cooperative)
        too_many = too_many_blocks(d, &place.advice);
    if (!too_many.empty())
        return refuse(cudaErrorCooperativeLaunchTooLarge, too_many);
    place.advice = "Use smaller tiles, or fewer of them, or let a block have fewer threads. "
                   "Check cudaGetLastError() after each launch: the kernel did not run.";
    if (d.shared > shared)
        return refuse(cudaErrorInvalidValue,
                      format("the launch asks for %zu bytes of dynamic shared memory; the "
                             "device gives %zu%s",
                             d.shared, shared,
                             d.shared <= limit.shared_optin
                                 ? ", and more only after cudaFuncSetAttribute(kernel, "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"
                                 : ""));
    return true;
}

/** A thread waits at another barrier than the first thread of this phase. The block is lost;
 * the message needs the place. */
SIMGPU_COLD void note_other_barrier(Worker *w, const char *file, int line)
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

Worker *kernel_only(const char *what)
{
    Worker *w = this_worker;
    if (!w) {
        fprintf(stderr, "simgpu: %s was called by host code; it belongs in a kernel\n", what);
        exit(1);
    }
    return w;
}

} // namespace

/** Leaves the running block for good. */
[[noreturn]] static void leave(Worker *w)
{
    Fiber *self = w->running;
    w->running = w->base;
    fiber_leave(self, w->base);
}

[[noreturn]] void abort_launch(Worker *w, cudaError_t error)
{
    int none = 0;
    w->launch->error.compare_exchange_strong(none, (int)error);
    w->launch->aborted = true;
    leave(w);
}

static uint64_t order_in_grid(const Worker *w)
{
    return w->block * w->launch->threads + w->current;
}

bool stray_is_told(const Worker *w) { return w->launch->stray.order <= order_in_grid(w); }

void note_stray(Worker *w, simgpu_fault_kind kind, const FaultPlace &place, const char *what,
                ...)
{
    Untraced quiet;
    std::lock_guard<std::mutex> lock(w->launch->stray_mutex);
    Stray &stray = w->launch->stray;
    if (stray_is_told(w))
        return;
    stray.order = order_in_grid(w);
    stray.kind = kind;
    stray.place = place;
    va_list arguments;
    va_start(arguments, what);
    stray.what = vformat(what, arguments);
    va_end(arguments);
}

void go_astray(Worker *w)
{
    ThreadTrace &trace = *w->now_trace;
    Untraced quiet;
    if (trace.astray++ == 0) {
        std::lock_guard<std::mutex> lock(w->launch->stray_mutex);
        w->launch->astray.insert((uint64_t)w->serial << 16 | w->current);
    }
}

void leave_block(Worker *w)
{
    trace_forget_block(w);
    leave(w);
}

/** After a launch, reports its first stray access, if there was one. */
static void settle_stray(Launch *launch)
{
    const Stray &stray = launch->stray;
    if (!launch->strayed())
        return;
    kernel_fault_at(launch, stray.kind, stray.place, stray.order / launch->threads,
                    (uint32_t)(stray.order % launch->threads), "%s", stray.what.c_str());
    if (!launch->error || launch->error == (int)cudaErrorLaunchTimeout)
        launch->error = stray.kind == SIMGPU_MISALIGNED ? (int)cudaErrorMisalignedAddress
                                                        : (int)cudaErrorIllegalAddress;
}

void wait_for_log(Worker *w)
{
    w->threads[w->current].state = ThreadState::log_full;
    switch_away(w);
}

SIMGPU_COLD void spin(Worker *w, const volatile void *address, uint32_t pc, bool by_tracer)
{
    Thread &thread = *w->now;
    if (thread.spin_address != address) {
        thread.spin_address = address;
        thread.spin_pc = pc;
        thread.spins = 0;
    }
    if (++thread.spins < 64)
        return;
    if (by_tracer)
        w->launch->waits = true;
    thread.spins = 0;
    if (w->ready == 0) { /* it waits for another block: let that block run */
        std::this_thread::yield();
        if (++w->stalls % 64 == 0)
            pool_add_extra(w->launch);
    }
    if (w->launch->stop)
        time_is_over(w, {pc});
    thread.state = ThreadState::ready;
    w->ready++;
    switch_away(w);
}

void time_is_over(Worker *w, const FaultPlace &place)
{
    Launch *launch = w->launch;
    Untraced quiet;
    /* After a stray access, it may wait for work of the block that was ended. */
    if (!launch->strayed() && !launch->stop_named.exchange(true)) {
        unsigned barrier = 0, ended = 0, spinning = 0;
        for (uint32_t t = 0; t < w->threads_count; t++) {
            const Thread &thread = w->threads[t];
            barrier += thread.state == ThreadState::at_barrier;
            ended += thread.state == ThreadState::done;
            spinning += thread.state == ThreadState::ready && thread.spin_pc && thread.fiber;
        }
        std::string where;
        if (barrier)
            where +=
                format("; %u threads of its block wait at the barrier at %s:%d", barrier,
                       display_path(w->phase_barrier.first).c_str(), w->phase_barrier.second);
        if (ended)
            where += format("; %u have ended", ended);
        if (spinning) {
            where += format("; %u are busy-waiting at", spinning);
            std::vector<std::string> lines;
            for (uint32_t t = 0; t < w->threads_count; t++)
                if (w->threads[t].state == ThreadState::ready && w->threads[t].spin_pc) {
                    SourceLine s = source_of(w->threads[t].spin_pc);
                    std::string line = format(" %s:%d", display_path(s.file).c_str(), s.line);
                    if (std::find(lines.begin(), lines.end(), line) == lines.end())
                        lines.push_back(line);
                }
            for (const std::string &line : lines)
                where += line;
        }
        uint64_t started = std::min<uint64_t>(launch->next_block, launch->blocks);
        if (started < launch->blocks)
            where += format("; %llu of %llu blocks have not started; none of them can start "
                            "before a running block ends",
                            (unsigned long long)(launch->blocks - started),
                            (unsigned long long)launch->blocks);
        FaultPlace there = place;
        const Alias *latch = have_aliases && w->now->spin_pc == place.pc
                                 ? alias_find((uintptr_t)w->now->spin_address)
                                 : nullptr;
        if (latch && latch->host_may())
            there.advice =
                "It reads memory that host code may write, too. Here a launch has ended before "
                "the host's next statement, so a kernel cannot wait for the host; on a GPU it "
                "can.";
        kernel_fault(w, latch && latch->host_may() ? SIMGPU_NOT_SIMULATED : SIMGPU_ENDLESS,
                     there, "is still here after %g seconds in which no block has ended%s",
                     settings.time_limit, where.c_str());
    }
    abort_launch(w, cudaErrorLaunchTimeout);
}

const SharedArray *nearest_shared_array(Launch *launch, uint32_t offset)
{
    std::lock_guard<std::mutex> lock(launch->shared_mutex);
    const SharedArray *best = nullptr;
    uint32_t best_distance = ~0u;
    for (const SharedArray &array : launch->shared_arrays) {
        uint32_t end = array.offset + (uint32_t)array.size;
        uint32_t distance = offset < array.offset ? array.offset - offset
                            : offset < end        ? 0
                                                  : offset - end + 1;
        if (distance < best_distance)
            best = &array, best_distance = distance;
    }
    return best;
}

namespace
{

/** A launch that has not begun. */
std::unique_ptr<Launch> new_launch(const simgpu_launch_desc &desc)
{
    static uint32_t launch_ids;
    auto launch = std::make_unique<Launch>();
    launch->desc = desc;
    launch->id = ++launch_ids;
    launch->blocks = (uint64_t)desc.grid[0] * desc.grid[1] * desc.grid[2];
    launch->threads = desc.block[0] * desc.block[1] * desc.block[2];
    launch->traced = false;
    return launch;
}

/** Runs a launch; with `repeat`, compares its results with those of an earlier run. */
void run_launch(Launch *launch, Repeat *repeat)
{
    const simgpu_launch_desc &desc = launch->desc;
    launch->counted = launch->traced && settings.counting;
    launches_counted += launch->counted;
    launch->first_serial = take_serials(launch->blocks);
    launch->watched = launch->traced && order_watched;
    const uint32_t first = launch->first_serial; /* a barrier of the grid takes new ones */
    launch->shared_top = dynamic_shared_offset;
    launch->shared_used = 0;
    launch->shared_limit = dynamic_shared_limit.count(desc.kernel) ||
                                   (!desc.kernel && !dynamic_shared_limit.empty())
                               ? limits().shared_optin
                               : limits().shared;
    launch->shared_arrays.reserve(64);
    if (desc.shared) {
        launch->shared_arrays.push_back({"dynamic shared memory", dynamic_shared_offset,
                                         desc.shared, desc.file, desc.line, 0, 0});
        launch->shared_top += (uint32_t)(desc.shared + 15) / 16 * 16 + shared_red_zone;
        launch->shared_used = desc.shared;
        launch->shared_array_count = 1;
    }
    if (settings.shuffle) {
        uint64_t random = settings.shuffle ^ (uint64_t)launch->id << 32;
        launch->block_order.resize(launch->blocks);
        for (uint32_t i = 0; i < launch->blocks; i++)
            launch->block_order[i] = i;
        shuffle_order(launch->block_order, random);
    }
    simgpu_totals before;
    if (calls_output)
        simgpu_get_totals(&before);
    arena_open();
    if (launch->traced)
        arena_settle_unseen();
    else
        arena_written_unseen();
    if (repeat)
        repeat->begins();
    const double begin = cpu_seconds();
    call_tracer(launch->traced);
    hide_host_tables();
    pool_run(launch);
    show_host_tables();
    note_traced(launch, cpu_seconds() - begin);
    if (launch->plain || launch->unseen)
        arena_written_unseen();
    call_tracer(host_aliases || short_copies || order_host_watched); /* in host code */
    if (repeat)
        repeat->ran();
    if (launch->traced)
        trace_judge_stray(launch);
    settle_stray(launch);
    if (launch->traced)
        trace_judge_suspects(launch);
    arena_close();
    if (calls_output)
        log_launch(launch, before);
    if (launch->error == beyond_bound)
        set_error(beyond_bound); /* no thread did anything */
    else if (launch->error)
        set_device_error((cudaError_t)launch->error.load());
    else if (launch->watched)
        order_launch(launch, order_index(desc.stream), first);
    if (launch->memory_budget)
        arena_forget_touches();
    faults_print();
}

} // namespace

void run_untraced(const simgpu_launch_desc &desc)
{
    if (device_error() == cudaSuccess)
        run_launch(new_launch(desc).get(), nullptr);
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

void simgpu_launch(const simgpu_launch_desc *desc)
{
    if (this_worker) {
        fprintf(stderr, "simgpu: a kernel launched a kernel; that is not simulated\n");
        exit(1);
    }
    if (capture_launch(*desc, desc->stream
                                  ? &capture_of((cudaStream_t) const_cast<void *>(desc->stream))
                                  : nullptr))
        return;
    HostTurn turn;
    launches_seen++;
    note_launch(*desc);
    if (device_error() != cudaSuccess || !within_limits(*desc))
        return;
    auto launch = new_launch(*desc);
    launch->traced = desc->traced && worth_tracing(launch.get());
    std::unique_ptr<Repeat> repeat;
    if (launch->traced || !settings.standalone) {
        settle_launches();
        memory_changed();
    } else {
        repeat = std::make_unique<Repeat>(*desc);
        if (repeat->skip)
            note_left_out(*desc, false);
        if (repeat->skip || repeat->waits(*desc))
            return;
        settle_launches();
    }
    run_launch(launch.get(), repeat.get());
}

void simgpu_keep_shared(const char *file, unsigned x, unsigned y)
{
    kept_shared.clear();
    kept_block[0] = x, kept_block[1] = y;
    keeping_shared = file;
}

int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept)
{
    if (index < 0 || (size_t)index >= kept_shared.size())
        return 0;
    const KeptArray &k = kept_shared[(size_t)index];
    *kept = {k.array.name, k.bytes.data(),  k.array.size,
             k.array.row,  k.array.element, k.barrier.second};
    return 1;
}

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
    if (w->tracing)
        trace_thread_stopped(w, w->current);
    switch_away(w);
}

/** Waits until all blocks have reached the barrier of the grid. Their accesses before it
 * happened before those after it, so blocks get new numbers there, as if another launch began.
 */
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
        launch->blocks_done++; /* the watch sees that something happens */
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
    place.advice =
        "Every block of the grid must come to its barrier: no block may leave the kernel "
        "before.";
    kernel_fault(
        w, SIMGPU_BARRIER_DIVERGENCE, place,
        "waits at this barrier of the grid, but %llu of %llu blocks have ended without coming "
        "here",
        (unsigned long long)launch->grid_ended, (unsigned long long)launch->blocks);
    abort_launch(w, cudaErrorLaunchFailure);
}

void simgpu_syncgrid(const char *file, int line)
{
    Worker *w = kernel_only("grid_group::sync()");
    if (!w->launch->desc.cooperative) {
        FaultPlace place = at_line(file, line);
        place.advice =
            "Launch the kernel by cudaLaunchCooperativeKernel(): only then do all blocks run "
            "at the same time.";
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
    FaultPlace place{w->warps[w->current / 32].pc[w->current % 32]};
    place.advice =
        "All lanes that meet in __syncwarp, a shuffle or a vote must name the same mask.";
    kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                 "names the mask %#x here, and lane %u of it waits with the mask %#x", mask,
                 other % 32, w->threads[other].warp_mask);
    abort_launch(w, cudaErrorLaunchFailure);
}

/** A lane waits with a mask in which it is not. */
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

static void sync_warp(Worker *w, unsigned mask)
{
    const uint32_t lane = w->current % 32;
    if (!(mask >> lane & 1)) { /* it waits for nobody */
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
        if (i != w->current && (lanes >> i % 32 & 1) && theirs != lanes)
            other_mask(w, mask, i);
    }
    /* The last lane to come releases the others and continues. */
    warp.arrived &= ~lanes;
    hand_out(warp, lanes);
    if (w->tracing)
        trace_warp_sync(w, w->current / 32, lanes);
    w->now->warp_group = lanes;
    for (uint32_t i = first; i < last; i++)
        if (i != w->current && (lanes >> i % 32 & 1)) {
            w->threads[i].warp_group = lanes;
            w->threads[i].state = ThreadState::ready;
            w->ready++;
        }
}

#define CALLER_PC pc_of(SIMGPU_CALLER)

void simgpu_syncwarp(unsigned mask)
{
    Worker *w = kernel_only("__syncwarp");
    w->control[(int)Control::warp_barrier]++;
    Warp &warp = w->warps[w->current / 32];
    warp.kind[w->current % 32] = Collective::barrier;
    warp.pc[w->current % 32] = CALLER_PC;
    sync_warp(w, mask);
}

/** Takes part in a shuffle or a vote: brings a value and returns the result. */
static uint64_t collective(Worker *w, Collective kind, unsigned mask, uint64_t value,
                           unsigned source, uint32_t pc)
{
    Warp &warp = w->warps[w->current / 32];
    uint32_t lane = w->current % 32;
    w->control[(int)(kind == Collective::shuffle ? Control::shuffle : Control::vote)]++;
    warp.kind[lane] = kind;
    warp.pc[lane] = pc;
    warp.value[lane] = value;
    warp.source[lane] = (uint8_t)source;
    sync_warp(w, mask);
    return warp.result[lane];
}

/** A lane that the mask of a shuffle names is not there, and its value is read. */
static SIMGPU_COLD void missing_lane(Worker *w, unsigned source)
{
    const uint32_t other = w->current / 32 * 32 + source;
    FaultPlace place{w->warps[w->current / 32].pc[w->current % 32]};
    place.advice =
        "Its value is undefined on a GPU. Read, and name in the mask, only lanes that "
        "take part.";
    if (other < w->threads_count)
        kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                     "reads the value of lane %u in a shuffle, which has left the kernel",
                     source);
    else
        kernel_fault(w, SIMGPU_BARRIER_DIVERGENCE, place,
                     "reads the value of lane %u in a shuffle, which does not exist: its block "
                     "has %u threads",
                     source, w->threads_count);
}

uint64_t simgpu_shuffle(unsigned mask, uint64_t value, unsigned source)
{
    Worker *w = kernel_only("a shuffle");
    source &= 31;
    uint64_t result = collective(w, Collective::shuffle, mask, value, source, CALLER_PC);
    if (__builtin_expect((mask & ~w->now->warp_group) >> source & 1, 0) && w->tracing)
        missing_lane(w, source);
    return result;
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

int simgpu_file_scope_shared(simgpu_shared_site *site, void *(*at)())
{
    file_scope_sites().push_back({site, at});
    return 0;
}

int simgpu_file_scope_dynamic(void **(*at)())
{
    file_scope_pointers().push_back(at);
    return 0;
}

/* assert() in a kernel stops the launch, as on a GPU; in host code it ends the program. */
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    Worker *w = this_worker;
    if (!w) {
        fflush(stdout);
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
        abort();
    }
    kernel_fault(w, SIMGPU_ASSERT, at_line(file, (int)line),
                 "comes to assert(%s), which is false", condition);
    abort_launch(w, cudaErrorAssert);
}

void simgpu_trap(const char *file, int line)
{
    Worker *w = kernel_only("__trap");
    kernel_fault(w, SIMGPU_ASSERT, at_line(file, line), "comes to __trap()");
    abort_launch(w, cudaErrorLaunchFailure);
}

void *simgpu_shared_place(simgpu_shared_site *site)
{
    Worker *w = kernel_only("a __shared__ variable");
    Launch *launch = w->launch;
    uint64_t placed = __atomic_load_n(&site->placed, __ATOMIC_ACQUIRE);
    if (placed >> 32 == launch->id)
        return w->shared + (uint32_t)placed;
    bool too_much = false;
    {
        std::lock_guard<std::mutex> lock(launch->shared_mutex);
        placed = __atomic_load_n(&site->placed, __ATOMIC_ACQUIRE);
        if (placed >> 32 != launch->id) {
            uint32_t align = (uint32_t)std::max<size_t>(site->alignment, 256);
            uint32_t offset = (launch->shared_top + align - 1) / align * align;
            launch->shared_used += site->size;
            too_much = launch->shared_used > launch->shared_limit ||
                       offset + site->size + shared_red_zone > shared_span;
            if (!too_much) {
                launch->shared_top = offset + (uint32_t)site->size + shared_red_zone;
                launch->shared_arrays.push_back({site->name, offset, site->size, site->file,
                                                 site->line, site->row, site->element});
                launch->shared_array_count = (unsigned)launch->shared_arrays.size();
                placed = (uint64_t)launch->id << 32 | offset;
                __atomic_store_n(&site->placed, placed, __ATOMIC_RELEASE);
            }
        }
    }
    if (too_much) {
        FaultPlace place = at_line(site->file, site->line);
        place.advice =
            "Use smaller tiles, or memory for one of them less. More than the device gives by "
            "itself goes only as dynamic shared memory (extern __shared__), after "
            "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).";
        kernel_fault(
            w, SIMGPU_LAUNCH_LIMITS, place,
            "needs %zu bytes of shared memory with array %s; the device gives a block %zu",
            launch->shared_used, site->name, launch->shared_limit);
        abort_launch(w, cudaErrorInvalidValue);
    }
    return w->shared + (uint32_t)placed;
}

void *simgpu_heap_allocate(size_t bytes)
{
    Worker *w = this_worker;
    uint32_t pc = CALLER_PC;
    return w ? heap_allocate(bytes, pc, w->tracing) : malloc(bytes);
}

void simgpu_heap_free(void *memory)
{
    Worker *w = this_worker;
    if (!w)
        free(memory);
    if (!w || !memory || heap_free(memory))
        return;
    FaultPlace place;
    place.pc = CALLER_PC;
    place.advice =
        "In a kernel, free() and delete take what malloc() or new gave in a kernel, once; "
        "what cudaMalloc gave is freed by cudaFree in host code.";
    kernel_fault(w, SIMGPU_BAD_CALL, place,
                 "frees memory that no kernel has allocated, or that is freed already");
    abort_launch(w, cudaErrorIllegalAddress);
}

/* Returns simulated cycles. A thread that calls repeatedly waits for some number of cycles,
 * perhaps those of a second, so the calls advance by more and more, up to a million cycles
 * each. */
uint64_t simgpu_clock()
{
    Worker *w = kernel_only("clock64");
    kernel_is_impure();
    uint8_t &calls = w->now->clock_calls;
    w->cycles += 1ull << calls;
    calls += calls < 20;
    return w->cycles;
}

void simgpu_beyond_bound(unsigned most, const char *file, int line)
{
    Worker *w = kernel_only("__launch_bounds__");
    FaultPlace place = at_line(file, line);
    place.advice =
        "Launch it with smaller blocks, or raise its __launch_bounds__: the compiler "
        "gave each thread as many registers as that many threads leave it. Check "
        "cudaGetLastError() after each launch: the kernel did not run.";
    kernel_fault(w, SIMGPU_LAUNCH_LIMITS, place,
                 "is one of %u of its block; the kernel's __launch_bounds__ allows %u",
                 w->launch->threads, most);
    abort_launch(w, beyond_bound);
}

void *simgpu_shared_dynamic()
{
    return kernel_only("dynamic shared memory")->shared + dynamic_shared_offset;
}

cudaError_t simgpu_func_set_attribute(const void *kernel, cudaFuncAttribute attribute,
                                      int value)
{
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value > limits().shared_optin) {
            set_error(cudaErrorInvalidValue);
            return cudaErrorInvalidValue;
        }
        dynamic_shared_limit[kernel] = (size_t)value;
    }
    return cudaSuccess;
}

} // extern "C"
