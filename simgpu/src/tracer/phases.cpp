/* SPDX-License-Identifier: MIT */
/** @file phases.cpp
 * What the tracer does at barriers, at the ends of blocks and launches, and in a program that
 * takes long.
 */
#include "src/tracer/touches.h"

namespace simgpu
{

void trace_new_shared_arrays(Worker *w)
{
    std::lock_guard<std::mutex> lock(w->launch->shared_mutex);
    for (; w->shared_known < w->launch->shared_arrays.size(); w->shared_known++) {
        const SharedArray &array = w->launch->shared_arrays[w->shared_known];
        uint32_t end = array.offset + (uint32_t)array.size;
        for (uint32_t i = array.offset / 4; i < (end + 3) / 4; i++)
            w->shared_shadow[i].valid = (uint8_t)std::min(end - 4 * i, 4u);
    }
}

void trace_block_begin(Worker *w)
{
    if (w->clock > 0xf0000000u) { /* the clock is about to wrap: forget all times */
        memset((void *)w->shared_shadow, 0, shared_span / 4 * sizeof(Touch));
        w->clock = 1;
        w->shared_known = 0;
        trace_new_shared_arrays(w);
    }
    w->block_start = ++w->clock;
    w->phase_start = ++w->clock;
    for (uint32_t t = 0; t < w->threads_count; t++)
        w->traces[t] = ThreadTrace();
    w->block_acquired = 0;
    w->block_fenced = w->block_fenced_in_block = 0;
    w->fences = w->locks = false;
    w->same_value_count = 0;
    w->asked = false;
    w->part_of = 0; /* the last block may have been stopped in between */
    w->one_value = w->in_copy = false;
    w->seen_writes.clear();
    for (FlagRead &r : w->flag_reads)
        r = FlagRead();
    const simgpu_launch_desc &d = w->launch->desc;
    const unsigned *b = settings.capture_blocks, *t = settings.capture_thread;
    auto linear = [](const unsigned *at, const unsigned *size) {
        return at[0] + size[0] * (at[1] + (unsigned long)size[1] * at[2]);
    };
    for (auto &[array, map] : w->heat)
        map.made.clear();
    w->capturing_block =
        settings.capturing && w->counting && w->launch->captured &&
        w->block == (settings.capture_most ? linear(b, d.grid) : settings.capture_block);
    w->capture_unit = settings.capture_most ? (unsigned)linear(t, d.block) /
                                                  (settings.model == SIMGPU_C1060 ? 16 : 32)
                                            : settings.capture_group;
}

void trace_warp_sync(Worker *w, uint32_t warp, uint32_t lanes)
{
    uint32_t first = warp * 32, count = std::min(32u, w->threads_count - first), alive = 0;
    for (uint32_t i = 0; i < count; i++)
        if (w->threads[first + i].state != ThreadState::done)
            alive |= 1u << i;
    Warp &sync = w->warps[warp];
    uint32_t now = ++w->clock;
    if ((lanes & alive) == alive) {
        sync.sync_time = now;
    } else {
        if (!sync.synced)
            sync.synced = std::make_unique<uint32_t[]>(32 * 32);
        uint32_t latest[32] = {};
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t other = 0; (lanes >> lane & 1) && other < 32; other++)
                latest[other] = std::max(latest[other], sync.synced[lane * 32 + other]);
        for (uint32_t lane = 0; lane < 32; lane++)
            for (uint32_t other = 0; (lanes >> lane & 1) && other < 32; other++)
                sync.synced[lane * 32 + other] = lanes >> other & 1 ? now : latest[other];
    }
    if (!w->fences)
        return;
    for (auto member : {&ThreadTrace::fenced, &ThreadTrace::fenced_in_block,
                        &ThreadTrace::acquired, &ThreadTrace::acquired_in_block}) {
        uint32_t latest = 0;
        for (uint32_t i = 0; i < count; i++)
            if (lanes >> i & 1)
                latest = std::max(latest, w->traces[first + i].*member);
        for (uint32_t i = 0; i < count; i++)
            if (lanes >> i & 1)
                w->traces[first + i].*member = latest;
    }
}

void trace_fence(Worker *w, int scope)
{
    settle_last(w);
    ThreadTrace &trace = *w->now_trace;
    trace.fenced_in_block = w->clock;
    trace.acquired_in_block = std::max(trace.acquired_in_block, trace.pending_in_block);
    if (scope >= 2) {
        trace.fenced = w->clock;
        trace.acquired = std::max(trace.acquired, trace.pending);
    }
    trace.section.fence = std::max(trace.section.fence, std::min(scope, 2));
    w->clock++; /* later accesses of this thread are not published by it */
    w->fences = true;
}

void trace_thread_stopped(Worker *w, uint32_t thread)
{
    settle_last(w);
    Warp &warp = w->warps[thread / 32];
    uint32_t lanes = std::min(32u, w->threads_count - thread / 32 * 32);
    if (++warp.stopped == lanes) {
        warp.stopped = 0;
        settle_steps();
        if (w->counting)
            count_warp(w, thread / 32);
    }
}

void trace_phase_end(Worker *w)
{
    note_owners(w);
    for (const Suspect &suspect : w->shared_suspects) {
        Touch &s = w->shared_shadow[suspect.address / 4];
        s.suspect = 0;
        /* A write by another thread in the same phase was reported as a race. */
        if (s.write_time >= w->phase_start && s.writer != suspect.thread &&
            !(s.flags & touch_strong_write))
            continue;
        const SharedArray *array = nearest_shared_array(w->launch, (uint32_t)suspect.address);
        FaultPlace place{suspect.pc};
        if (!array || array->row <= array->element || array->row >= array->size)
            place.advice = "Usually fewer threads fill it than read it, or a guard skips the "
                           "store and not the load: store 0 where there is no element.";
        std::string element = shared_element(w->launch, (uint32_t)suspect.address);
        if (element.empty())
            element = format("%u bytes at ", suspect.size) +
                      shared_byte(w->launch, (uint32_t)suspect.address);
        kernel_fault_at(w->launch, SIMGPU_UNINITIALISED_SHARED, place, suspect.block,
                        suspect.thread, "reads %s, which no thread of the block has written",
                        element.c_str());
    }
    w->shared_suspects.clear();
    for (LocalFault &fault : w->faults)
        if (fault.in_phase)
            judge_left_out(w, fault);
    for (uint32_t t = 0; t < w->threads_count; t++) {
        ThreadTrace &trace = w->traces[t];
        memset(trace.seen, 0, sizeof trace.seen);
        trace.order_count = 0;
        if (w->fences) {
            w->block_acquired = std::max({w->block_acquired, trace.acquired, trace.pending});
            w->block_fenced = std::max(w->block_fenced, trace.fenced);
            w->block_fenced_in_block =
                std::max(w->block_fenced_in_block, trace.fenced_in_block);
        }
    }
    w->phase_start = ++w->clock;
}

void trace_forget_block(Worker *w)
{
    if (w->launch->strayed())
        note_owners(w);
    for (Thread &thread : w->threads)
        thread.logged = 0;
    for (const Suspect &suspect : w->shared_suspects)
        w->shared_shadow[suspect.address / 4].suspect = 0;
    w->shared_suspects.clear();
}

void trace_launch_end(Worker *w)
{
    trace_forget_block(w); /* if the launch was aborted */
    for (unsigned i = 0; i < w->shared_known; i++) {
        const SharedArray &array = w->launch->shared_arrays[i];
        for (uint32_t j = array.offset / 4; j < (array.offset + array.size + 3) / 4; j++)
            w->shared_shadow[j].valid = 0;
    }
    w->shared_known = 0;
    std::lock_guard<std::mutex> lock(w->launch->suspects_mutex);
    if (w->counting) {
        profile_add(w->launch, w->sites, w->control, !w->launch->profiled);
        w->launch->profiled = true;
        barriers_counted += w->control[(int)Control::barrier];
    }
    memset(w->control, 0, sizeof w->control);
    w->sites.merge_into(total_sites);
    captured.insert(captured.end(), w->captures.begin(), w->captures.end());
    w->captures.clear();
    for (auto &[array, map] : w->heat) {
        HeatMap &all = heat_maps[{w->launch->kernel_name(), array}];
        if (all.threads)
            all.add(std::move(map));
        else
            all = std::move(map);
    }
    w->heat.clear();
    std::vector<Suspect> &all = w->launch->suspects;
    all.insert(all.end(), w->global_suspects.begin(), w->global_suspects.end());
    w->global_suspects.clear();
    std::vector<uint32_t> &guards = w->launch->guards;
    guards.insert(guards.end(), w->guards.begin(), w->guards.end());
    w->guards.clear();
}

/* ---- what is traced of a long program ---- */

namespace
{
struct KernelLaunches {
    Count all = 0, untraced = 0, partly = 0, left_out = 0, unseen = 0;
    bool waits = false; /**< its threads wait for others, which only the tracer sees */
};
auto &kernel_launches = *new std::map<std::string, KernelLaunches>; /* needed at the end */
double seconds_traced;

/** Reports at the end of the program what was not traced. */
void tell_untraced()
{
    fflush(stdout);
    for (auto &[kernel, l] : kernel_launches) {
        if (l.untraced || l.partly)
            say(stderr, format("simulated GPU: %s: of %llu launches %llu were not checked, and "
                               "of %llu only some blocks\n",
                               kernel.c_str(), l.all, l.untraced, l.partly));
        if (l.left_out)
            say(stderr, format("  %llu of them did not run: the same launch had run on the "
                               "same data, and left them unchanged\n",
                               l.left_out));
        if (l.unseen)
            say(stderr, format("  %llu of them did not run: nothing has read what they would "
                               "have written\n",
                               l.unseen));
    }
    say(stderr,
        format("simulated GPU: checking had taken %g seconds of processor time by then: ladder "
               "sim --all checks all launches, --budget SECONDS more of them\n",
               settings.budget));
}

void tell_at_the_end()
{
    static int told = atexit(tell_untraced);
    (void)told;
}
} // namespace

bool launches_untraced()
{
    return std::any_of(kernel_launches.begin(), kernel_launches.end(), [](auto &entry) {
        const KernelLaunches &l = entry.second;
        return l.untraced || l.partly || l.left_out || l.unseen;
    });
}

bool worth_tracing(Launch *launch)
{
    const simgpu_launch_desc &d = launch->desc;
    if (!settings.standalone || settings.budget <= 0 || settings.counting || settings.capturing)
        return true;
    static std::map<std::string, Count> seen;
    std::string shape = format("%s %u %u %u %u %u %u %zu", d.kernel_text, d.grid[0], d.grid[1],
                               d.grid[2], d.block[0], d.block[1], d.block[2], d.shared);
    KernelLaunches &launches = kernel_launches[d.kernel_text];
    launches.all++;
    double left = settings.budget - seconds_traced;
    constexpr uint64_t most_memory = 1536 << 20, least_memory = 256 << 20;
    if (seen[shape]++ && left <= 0 && !launches.waits) {
        launches.untraced++;
        tell_at_the_end();
        return false;
    }
    bool waits = launches.waits;
    launch->budget = d.cooperative || waits ? 0 : std::max(left, settings.budget / 10);
    launch->memory_budget = std::max(most_memory, resident_memory() + least_memory);
    return true;
}

void note_traced(const Launch *launch, double seconds)
{
    if (!launch->traced)
        return;
    seconds_traced += launch->plain ? std::min(seconds, launch->budget) : seconds;
    kernel_launches[launch->desc.kernel_text].waits |= launch->waits;
    if (launch->plain) {
        kernel_launches[launch->desc.kernel_text].partly++;
        tell_at_the_end();
    }
}

void note_left_out(const simgpu_launch_desc &desc, bool unseen)
{
    KernelLaunches &launches = kernel_launches[desc.kernel_text];
    unseen ? launches.unseen++ : launches.left_out++;
}

} // namespace simgpu
