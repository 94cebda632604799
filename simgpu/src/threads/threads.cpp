/* SPDX-License-Identifier: MIT */
/** @file threads.cpp
 * Runs blocks and threads, and switches between threads at barriers.
 *
 * A few host threads ("workers") take the blocks of a launch one after another. Within a block,
 * one thread runs at a time, each until its next barrier. The first thread starts on a new
 * stack. When it ends, the next thread starts on the same stack, so a kernel without barriers
 * costs one call per thread. A thread that reaches a barrier keeps its stack, and the next one
 * starts or continues on another stack. A "phase" is the time between two barriers.
 */
#include "src/threads/threads.h"

#include <unistd.h>

namespace simgpu
{

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

} // namespace

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

std::pair<const char *, int> barrier_of(const Worker *w, uint32_t thread)
{
    int other = w->threads[thread].other_barrier;
    return other ? w->other_barriers[(size_t)other - 1] : w->phase_barrier;
}

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
static SIMGPU_COLD void divergence(Worker *w)
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
    auto place_of = [w](uint32_t thread) {
        auto [file, line] = barrier_of(w, thread);
        return place_in(file, line);
    };
    auto name_of = [w](uint32_t thread) { return thread_name(w->launch, thread); };
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
               " waits at the barrier of " + place_of(waiting);
    else if (have_other)
        what = "waits at this barrier while " + name_of(other) + " waits at another one, " +
               place_of(other);
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
                wake(w, w->threads[i]);
                w->converging--;
            }
    }
    return true;
}

static const volatile simgpu_arrivals *arrivals_of(const Thread &thread)
{
    return static_cast<const volatile simgpu_arrivals *>(thread.spin_address);
}

/** Continues the threads whose cuda::barrier is complete. If there is none, no thread of the
 * block can arrive any more: reports the arrivals. Returns whether threads wait there. */
static bool release_awaiting(Worker *w)
{
    if (w->awaiting == 0)
        return false;
    uint32_t waiting = w->threads_count;
    for (uint32_t t = 0; t < w->threads_count; t++) {
        Thread &thread = w->threads[t];
        if (thread.state != ThreadState::awaiting)
            continue;
        waiting = std::min(waiting, t);
        if (arrivals_of(thread)->phase != thread.spins) {
            wake(w, thread);
            w->awaiting--;
        }
    }
    if (w->ready || w->at_phase) /* the others may wait for a copy that goes on */
        return w->ready;
    const Thread &thread = w->threads[waiting];
    const auto *barrier = arrivals_of(thread);
    FaultPlace place =
        at_pc(thread.spin_pc, "Each thread that init() counts must arrive once in each phase.");
    kernel_fault_at(w->launch, SIMGPU_BARRIER_DIVERGENCE, place, w->block, waiting,
                    "waits at a barrier at which %u of %u have arrived, and no thread of its "
                    "block will arrive any more",
                    barrier->expected - barrier->pending, barrier->expected);
    abort_launch(w, cudaErrorLaunchFailure);
}

/** Whether simgpu_keep_shared() asks for this block. */
static bool is_kept(const Launch *launch, uint64_t block)
{
    const unsigned *grid = launch->desc.grid;
    return keeping_shared && kept_block[0] < grid[0] && kept_block[1] < grid[1] &&
           block == (uint64_t)kept_block[1] * grid[0] + kept_block[0];
}

/** Keeps the arrays for simgpu_keep_shared(). */
static SIMGPU_COLD void keep_shared(Worker *w)
{
    Untraced quiet;
    std::lock_guard<std::mutex> lock(w->launch->shared_mutex);
    for (const SharedArray &array : w->launch->shared_arrays) {
        if (!ends_with(array.file, keeping_shared))
            continue;
        const unsigned char *at = w->shared + array.offset;
        kept_shared.push_back({array, w->phase_barrier, {at, at + array.size}});
    }
    if (!kept_shared.empty())
        keeping_shared = nullptr;
}

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
            if (w->threads[t].state == ThreadState::log_full)
                wake(w, w->threads[t]);
        return true;
    }
    if (release_converged(w) || release_awaiting(w))
        return true;
    if (w->done == w->threads_count) {
        if (w->tracing)
            trace_phase_end(w);
        return false;
    }
    if (w->at_phase) {
        proxy_progress(w);
        return true;
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

/** The lanes whose shuffle, which meets now, reads what Warp::doubtful means. */
static uint32_t doubtful_lanes(Warp &warp, uint32_t lanes)
{
    if (lanes == ~0u && !(warp.doubtful | warp.used))
        return 0;
    uint32_t doubtful = 0;
    uint8_t distance = 0;
    for (uint32_t i = 0; i < 32; i++)
        if (lanes >> i & 1 && warp.kind[i] == Collective::down && warp.source[i] > i)
            distance = std::max<uint8_t>(distance, (uint8_t)(warp.source[i] - i));
    for (uint32_t i = 0; i < 32; i++)
        if (lanes >> i & 1) {
            const uint32_t bit = 1u << i;
            if (!distance || distance >= warp.distance[i])
                warp.used &= ~bit;
            else if (warp.doubtful & bit && warp.value[i] != warp.brought[i])
                warp.used |= bit;
            warp.distance[i] = distance;
            warp.brought[i] = warp.value[i];
        }
    for (uint32_t i = 0; i < 32; i++)
        if (lanes >> i & 1 && warp.kind[i] >= Collective::shuffle &&
            (warp.used >> warp.source[i] & 1 || !(lanes >> warp.source[i] & 1)))
            doubtful |= 1u << i;
    return doubtful;
}

void hand_out(Warp &warp, uint32_t lanes)
{
    uint64_t ballot = 0;
    for (uint32_t i = 0; i < 32; i++)
        ballot |=
            (uint64_t)(lanes >> i & 1 && warp.kind[i] == Collective::ballot && warp.value[i])
            << i;
    warp.doubtful = (warp.doubtful & ~lanes) | doubtful_lanes(warp, lanes);
    for (uint32_t i = 0; i < 32; i++)
        if (lanes >> i & 1) {
            if (warp.kind[i] == Collective::gather)
                memcpy(&warp.gathered[i * 32], warp.value, sizeof warp.value);
            warp.result[i] =
                warp.kind[i] >= Collective::shuffle ? warp.value[warp.source[i]] : ballot;
        }
}

void release_lanes(Worker *w, uint32_t number, uint32_t lanes)
{
    Warp &warp = w->warps[number];
    warp.arrived &= ~lanes;
    hand_out(warp, lanes);
    if (w->tracing)
        trace_warp_sync(w, number, lanes);
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) {
            Thread &thread = w->threads[number * 32 + lane];
            thread.warp_group = lanes;
            if (thread.state == ThreadState::at_warp)
                wake(w, thread);
        }
}

static void thread_done(Worker *w, uint32_t t)
{
    Thread &thread = w->threads[t];
    thread.state = ThreadState::done;
    w->done++;
    if (w->proxy)
        cluster_thread_done(w);
    if (w->tracing)
        trace_thread_stopped(w, t);
    /* Other lanes no longer wait for this one. */
    Warp &warp = w->warps[t / 32];
    warp.alive &= ~(1u << t % 32);
    if (!warp.arrived)
        return;
    const uint32_t first = t / 32 * 32, alive = warp.alive;
    for (uint32_t i = first; i < std::min(first + 32, w->threads_count); i++) {
        const Thread &other = w->threads[i];
        if (other.state == ThreadState::at_warp &&
            (warp.arrived & other.warp_mask & alive) == (other.warp_mask & alive))
            release_lanes(w, t / 32, other.warp_mask & alive);
    }
}

/** A fiber runs threads from beginning to end until another fiber has to continue. */
static void fiber_main()
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

static void run_block(Worker *w, uint64_t block)
{
    Launch *launch = w->launch;
    w->block = block;
    w->serial = launch->first_serial + 1 + (uint32_t)block;
    unflatten(block, launch->desc.grid, simgpu_builtins.block_idx);
    w->ready = w->threads_count;
    w->done = w->at_barrier = w->converging = w->awaiting = 0;
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
        warp.arrived = warp.stopped = warp.doubtful = warp.used = 0;
        warp.alive = lanes_left < 32 ? (1u << lanes_left) - 1 : ~0u;
        lanes_left -= 32;
    }
    w->votes[0] = w->votes[1] = w->vote_set = 0;
    async_begin_block(w);
    if (w->proxy)
        proxy_begin_block(w);
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
    if (w->copies_run)
        proxy_end_block(w);
}

/** Reserves addresses for a block's shared memory, with unused addresses around them, so that a
 * wrong index of a shared array is recognised. If the system limits the address space, there is
 * no margin. */
static void *reserve_shared(size_t *margin)
{
    const uint64_t far = 16ull << 30; /* as far as an unsigned int that counts floats leads */
    auto all = static_cast<unsigned char *>(reserve_memory(shared_span + 2 * far, false));
    *margin = all ? far : 0;
    if (!all)
        return reserve_memory(shared_span, true);
    open_memory(all + far, shared_span, true);
    return all + far;
}

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

/** The number of the next block; false when there is none. */
static bool next_block(Worker *w, Launch *launch, Cluster *cluster, unsigned rank,
                       uint64_t *block)
{
    if (cluster)
        return cluster_next(w, cluster, rank, block);
    uint64_t i;
    if (launch->aborted || launch->again || (i = launch->next_block++) >= launch->blocks)
        return false;
    *block = launch->block_order.empty() ? block_at(launch, i) : launch->block_order[i];
    return true;
}

void run_blocks(Worker *w, Launch *launch, Cluster *cluster, unsigned rank)
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
    w->constant_read = 0;
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
    uint64_t block;
    w->host_thread = pthread_self();
    signals_allow_look();
    w->active = true;
    const double begin = cpu_seconds();
    while (next_block(w, launch, cluster, rank, &block)) {
        w->stalls = 0;
        w->tracing = traced && !launch->plain;
        run_block(w, block);
        if (cluster)
            cluster_block_done(w);
        launch->blocks_done++;
        if (d.cooperative) {
            std::lock_guard<std::mutex> lock(launch->grid_mutex);
            launch->grid_ended++;
        }
        if (w->tracing && launch->next_block < launch->blocks && launch->budget > 0 &&
            cpu_seconds() - begin > launch->budget)
            stop_tracing_late(launch, cpu_seconds() - begin);
    }
    w->active = false;
    if (traced)
        trace_launch_end(w);
    faults_flush(w);
    memset(&simgpu_builtins, 0, sizeof simgpu_builtins);
}

/* ---- threads that leave their block ---- */

Worker *kernel_only(const char *what)
{
    Worker *w = this_worker;
    if (!w) {
        fprintf(stderr, "simgpu: %s was called by host code; it belongs in a kernel\n", what);
        exit(1);
    }
    return w;
}

[[noreturn]] void leave(Worker *w)
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

uint64_t order_in_grid(const Worker *w) { return w->block * w->launch->threads + w->current; }

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
    if (w->proxy)
        cluster_yield(w, false);
    if (w->ready == 0) { /* it waits for another block: let that block run */
        std::this_thread::yield();
        if (++w->stalls % 64 == 0)
            pool_add_extra(w->launch);
    }
    if (w->launch->stop)
        time_is_over(w, {pc});
    wake(w, thread);
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
            where += format("; %u threads of its block wait at the barrier at %s", barrier,
                            place_in(w->phase_barrier.first, w->phase_barrier.second).c_str());
        if (ended)
            where += format("; %u have ended", ended);
        if (spinning) {
            where += format("; %u are busy-waiting at", spinning);
            std::vector<std::string> lines;
            for (uint32_t t = 0; t < w->threads_count; t++)
                if (w->threads[t].state == ThreadState::ready && w->threads[t].spin_pc) {
                    SourceLine s = source_of(w->threads[t].spin_pc);
                    std::string line = " " + place_in(s.file, s.line);
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
                            (Count)(launch->blocks - started), (Count)launch->blocks);
        FaultPlace there = place;
        const Alias *latch = have_aliases && w->now->spin_pc == place.pc
                                 ? alias_find((uintptr_t)w->now->spin_address)
                                 : nullptr;
        if (latch && latch->host_may())
            there.advice = "It reads memory that host code may write, too. Here a launch has "
                           "ended before the host's next statement, so a kernel cannot wait "
                           "for the host; on a GPU it can.";
        kernel_fault(w, latch && latch->host_may() ? SIMGPU_NOT_SIMULATED : SIMGPU_ENDLESS,
                     there, "is still here after %g seconds in which no block has ended%s",
                     settings.time_limit, where.c_str());
    }
    abort_launch(w, cudaErrorLaunchTimeout);
}

extern "C" {

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

} // extern "C"

} // namespace simgpu
