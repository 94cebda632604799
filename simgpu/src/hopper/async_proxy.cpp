/* SPDX-License-Identifier: MIT */
/** @file async_proxy.cpp
 * Barriers that count arrivals and bytes (mbarrier), and bulk copies into shared memory. A copy
 * may arrive at any time until somebody has to wait for it, and here it arrives as late as it
 * may; with a seed, at times before.
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>

namespace simgpu
{

extern FILE *calls_output; /* stream_api.cpp */

Proxy &proxy_of(Worker *w)
{
    if (!w->proxy) {
        w->proxy = new Proxy;
        proxy_begin_block(w);
    }
    return *w->proxy;
}

void proxy_begin_block(Worker *w)
{
    Proxy &proxy = proxy_of(w);
    proxy.barriers.clear();
    proxy.copies.clear();
    proxy.waits.assign(w->threads_count, {});
    proxy.last_waits.assign(w->threads_count, {});
    proxy.cluster_arrivals.assign(w->threads_count, 0);
    proxy.fenced.assign(w->threads_count, 0);
    proxy.warpgroups.clear();
    proxy.stores.clear();
    proxy.store_groups.assign(w->threads_count, 0);
    proxy.boxes.clear();
    roles_begin_block(w);
    if (proxy.cluster == &proxy.alone) {
        proxy.alone.blocks[0] = w;
        proxy.alone.arrived = proxy.alone.done = 0;
        proxy.alone.phases = 0;
    }
    w->at_phase = 0;
    w->copies_run = w->products_run = false;
}

/** Logs what happens at an mbarrier of the captured block (simgpu_log_calls()). `by`: a thread,
 * or -1 for the copy engine; `number`: a parity, or bytes. */
static void log_phase(const Worker *there, const char *what, uint32_t barrier, int64_t by,
                      uint64_t number)
{
    if (!calls_output || !there->capturing_block)
        return;
    const PhaseBarrier &b = there->proxy->barriers[barrier];
    fprintf(calls_output,
            "{\"barrier\":%u,\"what\":\"%s\",\"by\":%d,\"number\":%llu,\"phases\":%u,"
            "\"arrivals\":%u,\"bytes\":%lld}\n",
            barrier, what, (int)by, (Count)number, b.phases, b.count - b.pending,
            (long long)((int64_t)b.expected - b.bytes));
}

static std::string thread_name(uint32_t thread)
{
    return format("thread %u of warp %u", thread % 32, thread / 32);
}

/** The block whose memory an address names, and the offset there; null if it has ended. */
static Worker *block_at(Worker *w, uint32_t address, uint32_t *offset, uint32_t pc)
{
    proxy_of(w);
    *offset = address & (shared_span - 1);
    return address >> 22 ? block_of_rank(w, (address >> 22) - 1, pc) : w;
}

static PhaseBarrier &barrier_at(Worker *w, uint32_t offset, uint32_t pc)
{
    auto found = w->proxy->barriers.find(offset);
    if (found != w->proxy->barriers.end())
        return found->second;
    Worker *here = this_worker;
    kernel_fault(
        here, SIMGPU_UNINITIALISED_SHARED,
        at_pc(pc, "One thread initialises each barrier (mbarrier.init), and the block, or the "
                  "cluster, waits for that thread before others use it."),
        "uses an mbarrier at byte %u of shared memory, which no thread has initialised",
        offset);
    abort_launch(here, cudaErrorIllegalAddress);
}

/** Completes the phase if nothing is missing. */
static void settle_barrier(Worker *w, PhaseBarrier &b)
{
    if (b.pending > 0 || b.bytes != 0)
        return;
    b.phases++;
    b.pending = b.count;
    b.expected = 0;
    b.completed = ++w->clock;
}

static bool overlap(const BulkCopy &copy, uint32_t offset, uint32_t bytes)
{
    return offset < copy.offset + copy.bytes && copy.offset < offset + bytes;
}

/** The bytes of a box arrive, and zeros where it leaves the tensor. */
static void fill_box(Worker *w, const BulkCopy &copy)
{
    for (const BoxPart &p : *copy.box) {
        memset(w->shared + p.offset, 0, 16);
        memcpy(w->shared + p.offset + p.from, p.global + p.from, p.to - p.from);
    }
    std::vector<BulkCopy> &boxes = w->proxy->boxes;
    boxes.erase(
        std::remove_if(boxes.begin(), boxes.end(),
                       [&](const BulkCopy &b) { return overlap(b, copy.offset, copy.bytes); }),
        boxes.end());
    boxes.push_back(copy);
    boxes.back().box = nullptr;
}

/** The copy's bytes arrive. */
static void land(Worker *w, size_t index)
{
    Proxy &proxy = *w->proxy;
    const BulkCopy copy = proxy.copies[index];
    proxy.copies.erase(proxy.copies.begin() + (ptrdiff_t)index);
    w->copies_run = !proxy.copies.empty() || !proxy.stores.empty();
    if (copy.box)
        fill_box(w, copy);
    else
        memcpy(w->shared + copy.offset, copy.from ? (const void *)copy.from : &copy.value,
               copy.bytes);
    for (uint32_t i = 0; i < copy.bytes && w->tracing; i += 4) {
        Touch &t = w->shared_shadow[(copy.offset + i) / 4];
        t.writer = copy_engine;
        t.write_time = w->clock;
        t.write_pc = copy.pc;
        t.flags = 0;
    }
    auto b = proxy.barriers.find(copy.barrier);
    if (b == proxy.barriers.end())
        return;
    b->second.bytes -= copy.bytes;
    log_phase(w, "bytes", copy.barrier, -1, copy.bytes);
    settle_barrier(w, b->second);
}

/** Does what a thread waits for hold? */
static bool is_over(Worker *w, uint32_t thread)
{
    Proxy &proxy = *w->proxy;
    const PhaseWait &wait = proxy.waits[thread];
    if (wait.what == PhaseWait::phase) {
        auto b = proxy.barriers.find(wait.barrier);
        return b == proxy.barriers.end() || (b->second.phases & 1) != wait.parity;
    }
    if (wait.what == PhaseWait::cluster)
        return proxy.cluster->phases >= wait.until;
    if (wait.what == PhaseWait::named || wait.what == PhaseWait::registers)
        return role_wait_is_over(w, thread);
    return products_done(w, thread, wait.until);
}

/** Continues the threads whose wait is over. */
static bool release_waiting(Worker *w)
{
    bool any = false;
    for (uint32_t t = 0; t < w->threads_count; t++)
        if (w->threads[t].state == ThreadState::at_phase && is_over(w, t)) {
            w->threads[t].state = ThreadState::ready;
            w->ready++;
            w->at_phase--;
            any = true;
        }
    return any;
}

/** A thread has waited, but not for a copy's phase. */
static std::string earlier_phase(const char *which, const PhaseWait &last)
{
    return format(
        ". %s, at %s, was for a phase of parity %u, which was complete before this copy", which,
        place_name(source_of(last.pc)).c_str(), last.parity);
}

/** The first copy whose barrier a thread waits for, or the first one: the others come later. */
static size_t next_copy(const Worker *w)
{
    const std::vector<BulkCopy> &copies = w->proxy->copies;
    for (size_t i = 0; i < copies.size(); i++)
        for (uint32_t t = 0; t < w->threads_count; t++) {
            const PhaseWait &wait = w->proxy->waits[t];
            if (wait.what == PhaseWait::phase && wait.barrier == copies[i].barrier)
                return i;
        }
    return 0;
}

/** The wait of a thread that nothing will end, in words. */
static std::string missing(Worker *w, uint32_t thread)
{
    const PhaseWait &wait = w->proxy->waits[thread];
    if (wait.what == PhaseWait::cluster) {
        const Cluster &c = *w->proxy->cluster;
        return format("%s waits for the cluster: %u of its %u threads have come to the barrier",
                      thread_name(thread).c_str(), c.arrived,
                      c.size * w->threads_count - c.done);
    }
    if (wait.what == PhaseWait::products)
        return format("%s waits for products that not all threads of its warpgroup have begun",
                      thread_name(thread).c_str());
    if (wait.what != PhaseWait::phase)
        return role_missing(w, thread);
    const PhaseBarrier &b = w->proxy->barriers[wait.barrier];
    std::string why;
    if (b.pending > 0)
        why = format("expects %u arrivals, %u have come", b.count, b.count - b.pending);
    if (b.expected > 0 || b.bytes != 0)
        why += format("%sexpects %llu bytes, %llu have come", why.empty() ? "" : ", and ",
                      (Count)b.expected, (Count)((int64_t)b.expected - b.bytes));
    return format("%s waits for a phase of parity %u. The barrier has completed %u phases, and "
                  "the next one %s",
                  thread_name(thread).c_str(), wait.parity, b.phases, why.c_str());
}

/** No thread of the cluster can go on. */
[[noreturn]] static SIMGPU_COLD void stuck(Worker *w)
{
    /* The barrier of which most is there: the others may wait for its threads. */
    uint32_t first = 0;
    int best = -1;
    const PhaseBarrier *b = nullptr;
    const char *role = nullptr;
    for (uint32_t t = 0; t < w->threads_count; t++) {
        if (w->threads[t].state != ThreadState::at_phase)
            continue;
        const PhaseWait &wait = w->proxy->waits[t];
        const PhaseBarrier *its =
            wait.what == PhaseWait::phase ? &w->proxy->barriers[wait.barrier] : nullptr;
        int known = !its ? 0 : its->bytes != 0 ? 3 : its->pending < its->count ? 2 : 1;
        if (role_advice(wait))
            known = role_weight(w, wait);
        if (known > best)
            best = known, first = t, b = its, role = role_advice(wait);
    }
    const char *advice =
        role ? role
        : !b ? "Every thread of the cluster, or of the warpgroup, must come there."
        : b->pending == 0 && b->bytes > 0
            ? "Expect as many bytes (expect_tx) as the copies of the phase bring."
        : b->pending == 0 ? "Expect the bytes (expect_tx) of all copies of the phase."
        : b->pending < b->count || b->bytes != 0
            ? "Initialise the barrier for the arrivals that come, or let the missing ones come."
            : "Nobody arrives any more. If the phase was complete before, the parity is off by "
              "one: it changes with each phase, and the first phase has parity 0.";
    if (!w->launch->strayed() && !w->launch->misled)
        kernel_fault_at(w->launch, SIMGPU_BARRIER_DIVERGENCE,
                        at_pc(w->proxy->waits[first].pc, advice), w->block, first,
                        "waits here, and nothing will end its wait: %s",
                        missing(w, first).c_str());
    abort_launch(w, cudaErrorLaunchFailure);
}

void proxy_progress(Worker *w)
{
    Untraced quiet;
    for (;;) {
        if (release_waiting(w)) {
            w->proxy->cluster->idle = 0;
            return;
        }
        size_t copies = w->proxy->copies.size();
        if (copies > 0) {
            w->proxy->cluster->idle = 0;
            land(w, settings.shuffle ? next_random(w->random) % copies : next_copy(w));
            continue;
        }
        bool other = cluster_yield(w, true);
        if (w->launch->aborted || w->launch->again)
            leave(w);
        if (!other)
            stuck(w);
    }
}

void proxy_may_progress(Worker *w)
{
    if (settings.shuffle == 0 || next_random(w->random) % 8)
        return;
    Untraced quiet;
    const size_t copies = w->proxy->copies.size(), stores = w->proxy->stores.size();
    const size_t chosen = next_random(w->random) % (copies + stores);
    if (chosen < copies)
        land(w, chosen);
    else
        store_may_progress(w);
}

/** What messages call a copy that began at `pc`. */
static const char *copy_name(const Worker *w, uint32_t pc)
{
    return w->proxy->async_stores.count(pc) ? "store (st.async)" : "bulk copy";
}

void proxy_end_block(Worker *w)
{
    while (!w->proxy->copies.empty()) {
        if (w->tracing && !w->launch->aborted && !w->launch->strayed()) {
            const BulkCopy &copy = w->proxy->copies[0];
            auto b = w->proxy->barriers.find(copy.barrier);
            const bool waited = b != w->proxy->barriers.end() && b->second.last_wait.pc;
            kernel_fault_at(
                w->launch, SIMGPU_MISSING_WAIT,
                at_pc(copy.pc, "Wait for its barrier before the kernel ends."), w->block,
                copy.thread,
                "begins a %s that may still run when its block ends: no thread has waited for "
                "its %u bytes%s",
                copy_name(w, copy.pc), copy.bytes,
                waited
                    ? earlier_phase("The last wait at its barrier", b->second.last_wait).c_str()
                    : "");
        }
        land(w, 0);
    }
    finish_stores(w);
}

void wait_for_phase(Worker *w, const PhaseWait &wait)
{
    Proxy &proxy = *w->proxy;
    proxy.waits[w->current] = wait;
    if (wait.what == PhaseWait::phase)
        proxy.last_waits[w->current] = wait;
    const bool at_phase = wait.what == PhaseWait::phase;
    if (at_phase)
        log_phase(w, "wait", wait.barrier, w->current, wait.parity);
    while (!is_over(w, w->current)) {
        w->now->state = ThreadState::at_phase;
        w->at_phase++;
        switch_away(w);
    }
    if (at_phase)
        log_phase(w, "go", wait.barrier, w->current, wait.parity);
    proxy.waits[w->current].what = PhaseWait::nothing;
    if (!w->tracing || wait.what == PhaseWait::products)
        return;
    uint32_t known = wait.what == PhaseWait::cluster ? proxy.cluster->completed
                     : wait.what == PhaseWait::named ? proxy.named[wait.barrier].completed
                                                     : 0;
    if (wait.what == PhaseWait::phase) {
        auto b = proxy.barriers.find(wait.barrier);
        if (b != proxy.barriers.end())
            b->second.last_wait = wait;
        known = b == proxy.barriers.end() ? 0 : b->second.completed;
    }
    w->now_trace->acquired_in_block = std::max(w->now_trace->acquired_in_block, known);
    w->fences = true;
}

/* ---- who has not waited ---- */

void copy_race(Worker *w, uint32_t pc, bool write, uint32_t copy_pc, uint32_t offset)
{
    Untraced quiet;
    const PhaseWait &last = w->proxy->last_waits[w->current];
    std::string waited;
    const char *advice = "Wait for the phase of its barrier first (mbarrier.try_wait.parity).";
    if (last.what == PhaseWait::phase) {
        waited = earlier_phase("Its last wait", last);
        advice = "Wait for the phase that its bytes belong to: the parity of the first "
                 "phase is 0, and it changes with each phase.";
    }
    for (const BulkCopy &copy : w->proxy->copies)
        if (overlap(copy, offset, 1) && w->proxy->barriers[copy.barrier].phases > copy.phase) {
            waited = ". The barrier has completed the copy's phase, which expected fewer bytes "
                     "than its copies bring";
            advice = "Expect the bytes (expect_tx) of all copies of the phase.";
        }
    kernel_fault(w, SIMGPU_MISSING_WAIT, at_pcs(pc, copy_pc, advice),
                 "%s %s, which a %s writes, and has not waited for it%s",
                 write ? "writes" : "reads", shared_byte(w->launch, offset).c_str(),
                 copy_name(w, copy_pc), waited.c_str());
    w->launch->misled = true;
}

void copy_meets(Worker *w, uint32_t offset, unsigned size, bool write, uint32_t pc)
{
    for (const BulkCopy &copy : w->proxy->copies)
        if (overlap(copy, offset, size)) {
            copy_race(w, pc, write, copy.pc, std::max(offset, copy.offset));
            return;
        }
    uint32_t store = write ? reading_store(w, offset, size) : 0;
    if (!store)
        return;
    Untraced quiet;
    kernel_fault(w, SIMGPU_MISSING_WAIT,
                 at_pcs(pc, store,
                        "Let the thread that began the store wait until it has read its bytes "
                        "(cp.async.bulk.wait_group.read 0), and the others for that thread."),
                 "overwrites %s, which a bulk store may still read",
                 shared_byte(w->launch, offset).c_str());
}

bool may_read_async(Worker *w, const Touch &t, uint32_t at, const char *reader, uint32_t pc)
{
    if (t.write_time < w->block_start) {
        kernel_fault(
            w, SIMGPU_UNINITIALISED_SHARED, {pc},
            "begins a %s that reads byte %u of shared memory, which nobody has written", reader,
            at);
        return false;
    }
    const bool known = t.write_time < w->phase_start || ordered(w, t.writer, t.write_time);
    if (t.writer == copy_engine) {
        if (!known)
            copy_race(w, pc, false, t.write_pc, at);
        return known;
    }
    if (!known && t.writer != w->current) {
        block_race(w, pc, false, false, {t.write_pc, true, t.writer, t.flags}, at, 4, true);
        return false;
    }
    uint32_t fenced = w->proxy->fenced[w->current];
    for (uint32_t i = 0; i < w->threads_count; i++)
        if (t.writer >= several_in_warp || t.writer == i)
            fenced = std::max(fenced, w->proxy->fenced[i]);
    if (fenced > t.write_time)
        return true;
    const std::string advice = format(
        "The %s reads memory past the threads' stores. Call fence.proxy.async.shared::cta in "
        "the threads that have written, before a barrier that separates them from the %s.",
        reader, reader);
    kernel_fault(w, SIMGPU_MISSING_WAIT, at_pcs(pc, t.write_pc, kept(advice)),
                 "begins a %s that reads %s, which a thread has written, and no "
                 "fence.proxy.async came between",
                 reader, shared_byte(w->launch, at).c_str());
    return false;
}

/** A copy begins, and bytes at its destination are still being used. */
static SIMGPU_COLD void overwritten(Worker *w, uint32_t pc, uint32_t other_pc, const char *use,
                                    const Worker *to, uint32_t offset)
{
    kernel_fault(
        w, SIMGPU_MISSING_WAIT,
        at_pcs(pc, other_pc,
               "Let those who use the bytes arrive at a barrier when they are done, and "
               "wait for its phase before the next copy."),
        "begins a %s that overwrites %s%s, and nothing makes it wait for %s", copy_name(to, pc),
        shared_byte(w->launch, offset).c_str(),
        to == w ? "" : " in another block of the cluster", use);
}

/** Is somebody still using the bytes that a copy will overwrite? */
static void check_destination(Worker *w, Worker *to, uint32_t offset, uint32_t bytes,
                              uint32_t pc)
{
    for (const BulkCopy &copy : to->proxy->copies)
        if (overlap(copy, offset, bytes))
            return overwritten(w, pc, copy.pc, "the copy that writes them", to, copy.offset);
    if (uint32_t product = reading_product(to, offset, bytes))
        return overwritten(w, pc, product, "the product that reads them", to, offset);
    if (uint32_t store = reading_store(to, offset, bytes))
        return overwritten(w, pc, store, "the bulk store that reads them", to, offset);
    uint32_t known = 0; /* of other blocks: what any thread of the block knows */
    for (uint32_t t = 0; t < w->threads_count; t++)
        known = std::max(known, w->traces[t].acquired_in_block);
    auto after = [&](uint16_t thread, uint32_t time) {
        return time < to->phase_start ||
               (to == w ? thread == w->current || ordered(w, thread, time) : time < known);
    };
    each_touch(to, offset, bytes, [&](Touch &t, uint32_t at) {
        bool written = t.write_time >= to->block_start && !after(t.writer, t.write_time);
        if (t.read_time >= to->block_start && !after(t.reader, t.read_time))
            overwritten(w, pc, t.read_pc, "those who read it", to, at);
        else if (written)
            overwritten(w, pc, t.write_pc, "those who wrote it", to, at);
        else
            return true;
        return false;
    });
}

/** A thread arrives, and the phase has all its arrivals. */
[[noreturn]] static SIMGPU_COLD void too_many_arrivals(Worker *w, const PhaseBarrier &b,
                                                       uint32_t pc)
{
    const char *what = "arrives at an mbarrier whose phase has all its arrivals";
    if (!w->launch->misled && b.bytes > 0)
        kernel_fault(w, SIMGPU_MISSING_WAIT,
                     at_pcs(pc, b.pc,
                            "Before a stage is filled again, wait until those who read it have "
                            "arrived at a barrier; they wait for its bytes before."),
                     "%s (%u), and %llu bytes have not come", what, b.count, (Count)b.bytes);
    else if (!w->launch->misled)
        kernel_fault(
            w, SIMGPU_BARRIER_DIVERGENCE,
            at_pcs(pc, b.pc,
                   "Initialise the barrier (mbarrier.init) for as many arrivals as come."),
            "%s (%u)", what, b.count);
    abort_launch(w, cudaErrorLaunchFailure);
}

void check_copy(Worker *w, uint32_t shared, const void *global, uint32_t bytes, bool store,
                uint32_t pc)
{
    const char *wrong = bytes % 16               ? "whose size"
                        : shared % 16            ? store ? "whose source" : "whose destination"
                        : (uintptr_t)global % 16 ? store ? "whose destination" : "whose source"
                                                 : nullptr;
    const SharedArray *array = nearest_shared_array(w->launch, shared);
    if (wrong)
        kernel_fault(w, SIMGPU_MISALIGNED,
                     at_pc(pc, "The copy engine moves 16 bytes at a time: align both sides, "
                               "and pad the rows."),
                     "begins a bulk copy of %u bytes, %s is not a multiple of 16", bytes,
                     wrong);
    else if (array && (shared < array->offset || shared + bytes > array->offset + array->size))
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED, {pc},
                     "begins a bulk copy of %u bytes %s byte %d of %s, which has %zu bytes",
                     bytes, store ? "from" : "to", (int)(shared - array->offset), array->name,
                     array->size);
    else
        return;
    abort_launch(w, cudaErrorIllegalAddress);
}

void check_global(Worker *w, const unsigned char *at, uint32_t bytes, bool write, uint32_t pc,
                  bool begins)
{
    const bool counting = w->counting;
    const Op op = write ? Op::global_store : Op::global_load;
    const unsigned step = ((uintptr_t)at | bytes) % 16 == 0  ? 16
                          : ((uintptr_t)at | bytes) % 4 == 0 ? 4
                                                             : 1;
    uint64_t offset;
    w->counting = false; /* not the thread touches them */
    for (uint32_t i = 0; i < bytes && device_offset(at + i, &offset); i += step)
        rare_global_access(w, offset, step, op, pc);
    w->counting = counting;
    if (!counting)
        return;
    const uintptr_t first = (uintptr_t)at / 32, last = ((uintptr_t)at + bytes - 1) / 32;
    uint64_t sectors = last - first + 1;
    if (!begins && first == w->proxy->last_sector)
        sectors--; /* the part before has moved it */
    w->proxy->last_sector = last;
    SiteCounts &site = w->sites.at(pc, op);
    site.requests += begins;
    site.accesses += begins;
    site.transactions += sectors;
    site.bytes += 32 * sectors;
    site.useful += bytes;
}

void check_global(Worker *w, const Box &box, bool write, uint32_t pc)
{
    bool begins = true;
    for (const BoxPart &p : box)
        if (p.to > p.from) { /* what is not in the tensor is not touched */
            check_global(w, p.global + p.from, p.to - p.from, write, pc, begins);
            begins = false;
        }
}

void begin_copy(Worker *w, uint32_t to, unsigned barrier, unsigned blocks, BulkCopy copy)
{
    const bool many = blocks != ~0u;
    const uint32_t below = shared_span - 1;
    copy.barrier = barrier & below;
    copy.thread = (uint16_t)w->current;
    for (unsigned rank = 0; rank < (many ? 16 : 1); rank++) {
        if (many && !(blocks >> rank & 1))
            continue;
        Worker *there =
            block_at(w, many ? (to & below) | (rank + 1) << 22 : to, &copy.offset, copy.pc);
        if (!there)
            continue;
        copy.phase = barrier_at(there, copy.barrier, copy.pc).phases;
        if (!copy.from && !copy.box)
            there->proxy->async_stores.insert(copy.pc);
        if (w->tracing)
            check_destination(w, there, copy.offset, copy.bytes, copy.pc);
        there->proxy->copies.push_back(copy);
        log_phase(there, "copy", copy.barrier, there == w ? (int64_t)w->current : -1,
                  copy.bytes);
        there->copies_run = true;
    }
}

extern "C" {

void simgpu_mbarrier_init(unsigned address, unsigned count)
{
    Worker *w = kernel_only("mbarrier.init");
    PhaseBarrier &b = proxy_of(w).barriers[address];
    b = PhaseBarrier();
    b.count = b.pending = count;
    b.pc = CALLER_PC;
    log_phase(w, "init", address, w->current, count);
}

void simgpu_mbarrier_adopt(simgpu_arrivals *barrier)
{
    Worker *w = kernel_only("cuda::barrier");
    if (barrier->phase == ~0u)
        return;
    const uint32_t pc = CALLER_PC;
    const uint64_t offset = (uint64_t)barrier - (uint64_t)w->shared;
    if (offset >= shared_span) {
        kernel_fault(w, SIMGPU_NOT_SIMULATED, {pc},
                     "lets a bulk copy use a cuda::barrier that is not in shared memory");
        abort_launch(w, cudaErrorNotSupported);
    }
    PhaseBarrier &b = proxy_of(w).barriers[(uint32_t)offset];
    b = PhaseBarrier();
    b.count = barrier->expected;
    b.pending = barrier->pending;
    b.phases = barrier->phase;
    b.pc = pc;
    barrier->phase = ~0u;
}

void simgpu_mbarrier_drop(unsigned address)
{
    Worker *w = kernel_only("a cuda::barrier");
    barrier_at(w, address, CALLER_PC).count--;
}

void simgpu_mbarrier_inval(unsigned address)
{
    Worker *w = kernel_only("mbarrier.inval");
    proxy_of(w).barriers.erase(address);
}

uint64_t simgpu_mbarrier_arrive(unsigned address, unsigned count, unsigned bytes)
{
    Worker *w = kernel_only("mbarrier.arrive");
    const uint32_t pc = CALLER_PC;
    uint32_t offset;
    Worker *there = block_at(w, address, &offset, pc);
    if (!there)
        return 0;
    PhaseBarrier &b = barrier_at(there, offset, pc);
    Untraced quiet;
    if (count > b.pending)
        too_many_arrivals(w, b, pc);
    b.bytes += bytes;
    b.expected += bytes;
    b.pending -= count;
    log_phase(there, "arrive", offset, there == w ? (int64_t)w->current : -1, bytes);
    const uint64_t phase = b.phases;
    if (count > 0)
        settle_barrier(w, b);
    return phase;
}

void simgpu_mbarrier_wait(unsigned address, unsigned parity)
{
    Worker *w = kernel_only("mbarrier.try_wait");
    const uint32_t pc = CALLER_PC;
    proxy_of(w);
    barrier_at(w, address, pc);
    wait_for_phase(w, {PhaseWait::phase, pc, address, parity & 1});
}

int simgpu_mbarrier_test(unsigned address, unsigned parity)
{
    simgpu_mbarrier_wait(address, parity); /* it may take as long as it likes */
    return 1;
}

void simgpu_copy_bulk(unsigned to, unsigned long long from, unsigned bytes, unsigned barrier,
                      unsigned blocks)
{
    Worker *w = kernel_only("cp.async.bulk");
    const uint32_t pc = CALLER_PC;
    Untraced quiet;
    BulkCopy copy = {};
    copy.bytes = bytes;
    copy.from = reinterpret_cast<const unsigned char *>((uintptr_t)from);
    copy.pc = pc;
    check_copy(w, to & (shared_span - 1), copy.from, bytes, false, pc);
    if (w->tracing)
        check_global(w, copy.from, bytes, false, pc, true);
    begin_copy(w, to, barrier, blocks, copy);
}

void simgpu_store_async(unsigned to, uint64_t value, unsigned bytes, unsigned barrier)
{
    Worker *w = kernel_only("st.async");
    BulkCopy copy = {};
    copy.pc = CALLER_PC;
    Untraced quiet;
    copy.bytes = bytes;
    copy.value = value;
    begin_copy(w, to, barrier, ~0u, copy);
}

void simgpu_proxy_fence()
{
    Worker *w = kernel_only("fence.proxy.async");
    proxy_of(w).fenced[w->current] = ++w->clock;
}

} // extern "C"

} // namespace simgpu
