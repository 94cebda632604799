/* SPDX-License-Identifier: MIT */
/** @file tracer.cpp
 * Checks and logs every load and store of a traced kernel.
 *
 * The traced build is compiled with -fsanitize=thread, so the compiler inserts a call to
 * __tsan_read4(address) or the like before each access. We define these functions ourselves;
 * ThreadSanitizer's own library is not linked. Each call finds the memory that the address
 * belongs to, checks the access, and appends it to the running thread's log. counts.cpp counts
 * from the logs.
 */
#include "include/simgpu/half_bits.h"
#include "order.h"
#include "tracer.h"
#include "vtables.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

namespace simgpu
{

namespace
{

constexpr size_t first_log_capacity = 1024, last_log_capacity = 256 << 10;

const char *verb(Op op)
{
    switch (op) {
    case Op::global_load:
    case Op::shared_load:
    case Op::texture:
        return "reads";
    case Op::global_atomic:
    case Op::shared_atomic:
        return "atomically changes";
    default:
        return "writes";
    }
}

/* ---- logs ---- */

SIMGPU_COLD void grow_log(Worker *w, Thread *thread)
{
    uint32_t used = thread->logged;
    if (used >= last_log_capacity) {
        wait_for_log(w); /* returns with an empty log */
        used = 0;
    }
    if (used == 0 && !w->free_logs.empty()) {
        auto [log, capacity] = w->free_logs.back();
        w->free_logs.pop_back();
        thread->log = log;
        thread->log_capacity = (uint32_t)capacity;
        return;
    }
    uint32_t capacity = used ? used * 2 : first_log_capacity;
    Event *log = static_cast<Event *>(realloc(thread->log, capacity * sizeof(Event)));
    if (!log) {
        fprintf(stderr, "simgpu: no memory for the log of accesses\n");
        exit(3);
    }
    thread->log = log;
    thread->log_capacity = capacity;
}

SIMGPU_HOT void log_access(Worker *w, Op op, unsigned size, uint64_t address, uint32_t pc)
{
    Thread *thread = w->now;
    if (__builtin_expect(thread->logged == thread->log_capacity, 0))
        grow_log(w, thread);
    Event *e = &thread->log[thread->logged++];
    e->address = address;
    e->pc = pc;
    e->op = op;
    e->size = (uint8_t)size;
    e->unused = 0;
}

/* ---- strays ---- */

[[noreturn]] SIMGPU_COLD void misaligned(Worker *w, uint32_t pc, Op op, unsigned size,
                                         uint64_t offset)
{
    note_stray(w, SIMGPU_MISALIGNED, {pc},
               "%s %u bytes at an address that is not a multiple of %u (it is %u modulo %u)",
               verb(op), size, size, (unsigned)(offset % size), size);
    leave_block(w);
}

const char *const overflow_advice =
    "So far away an index is usually computed wrongly: an int that overflows (write size_t or "
    "long long: (size_t)row * n + col), a negative number taken as unsigned, or an index that "
    "was never set.";

SIMGPU_COLD void tell_outside_global(Worker *w, FaultPlace place, Op op, unsigned size,
                                     uint64_t offset)
{
    Untraced quiet;
    constexpr simgpu_fault_kind kind = SIMGPU_OUT_OF_BOUNDS_GLOBAL;
    const Allocation *a = arena_nearest(offset);
    if (!a) {
        note_stray(w, kind, place, "%s %u bytes of device memory, of which none is allocated",
                   verb(op), size);
        return;
    }
    std::string element = element_name(w->launch, offset, size), owner = allocation_name(*a);
    bool inside = offset >= a->offset && offset < a->offset + a->size;
    uint64_t distance = offset < a->offset ? a->offset - offset : offset - a->offset - a->size;
    if (!inside && distance > std::max<uint64_t>(a->size, 1 << 20))
        place.advice = overflow_advice;
    if (const char *advice = inside ? nullptr : bytes_advice(w->launch, *a, offset))
        place.advice = advice;
    if (inside && a->freed) {
        place.advice = "Free memory after the last kernel and the last copy that use it.";
        note_stray(w, kind, place, "%s %u bytes at %s, in %s, which are freed", verb(op), size,
                   element.c_str(), owner.c_str());
    } else if (offset < a->offset)
        note_stray(w, kind, place, "%s %s, %llu bytes before %s", verb(op), element.c_str(),
                   (unsigned long long)(a->offset - offset), owner.c_str());
    else
        note_stray(w, kind, place, "%s %s: %u bytes at byte %llu of %s", verb(op),
                   element.c_str(), size, (unsigned long long)(offset - a->offset),
                   owner.c_str());
    if (!inside) {
        std::lock_guard<std::mutex> lock(w->launch->stray_mutex);
        Stray &stray = w->launch->stray;
        if (stray.order == w->block * w->launch->threads + w->current)
            stray.offset = offset, stray.size = size, stray.op = op;
    }
}

/** Remembers which allocations the block's instructions have accessed, in the first phases. */
SIMGPU_COLD void note_owners(Worker *w)
{
    Launch *launch = w->launch;
    if (w->owners_launch != launch->id)
        w->owners_launch = launch->id, w->owners_noted = 0;
    if (w->owners_noted++ >= 4)
        return;
    Untraced quiet;
    std::lock_guard<std::mutex> lock(launch->stray_mutex);
    for (uint32_t t = 0; t < w->threads_count; t++) {
        const ThreadTrace &trace = w->traces[t];
        for (uint32_t i = 0; i < trace.order_count; i++) {
            uint64_t at = trace.where[i];
            if (at == ~0ull)
                continue;
            Owner &owner = launch->owners[trace.order[i]];
            if (owner.several || at - owner.begin < owner.end - owner.begin)
                continue;
            const Allocation *a = arena_find(at);
            if (owner.end || !a)
                owner.several = true;
            else
                owner.begin = a->offset, owner.end = a->offset + a->size;
        }
    }
}

/** Returns after a stray read of readable memory; ends a thread that has been astray for long,
 * since it may never end. */
SIMGPU_COLD void outside_global(Worker *w, uint32_t pc, Op op, unsigned size, uint64_t offset)
{
    if (!stray_is_told(w))
        tell_outside_global(w, {pc}, op, size, offset);
    if (op != Op::global_load || !arena_readable(offset + size))
        leave_block(w);
    go_astray(w);
}

/** Counts an access of a thread that is astray. */
SIMGPU_COLD void still_astray(Worker *w)
{
    constexpr uint32_t most = 1 << 16;
    if (w->now_trace->astray++ > most)
        leave_block(w);
}

/** Had one of two threads that seem to race already made a stray read? */
SIMGPU_COLD bool led_astray(Worker *w, uint32_t other_serial, uint16_t other)
{
    if (!w->launch->strayed())
        return false;
    if (w->now_trace->astray)
        return true;
    Untraced quiet;
    std::lock_guard<std::mutex> lock(w->launch->stray_mutex);
    return w->launch->astray.count((uint64_t)other_serial << 16 | other);
}

/** `offset` counts from the beginning of the block's shared memory and may be far outside. */
SIMGPU_COLD void outside_shared(Worker *w, uint32_t pc, Op op, unsigned size, int64_t offset)
{
    Untraced quiet;
    constexpr simgpu_fault_kind kind = SIMGPU_OUT_OF_BOUNDS_SHARED;
    FaultPlace place{pc};
    int64_t inside = std::min<int64_t>(std::max<int64_t>(offset, 0), shared_span - 1);
    const SharedArray *array = nearest_shared_array(w->launch, (uint32_t)inside);
    if (array && array->offset == dynamic_shared_offset && w->launch->desc.shared)
        place.advice = "The third value between <<< and >>> counts bytes: usually it lacks a * "
                       "sizeof(float), or counts one array where the kernel has two.";
    if (!array)
        note_stray(w, kind, place,
                   "%s %u bytes of shared memory, but the launch asks for no dynamic shared "
                   "memory: the third value between <<< and >>> is missing",
                   verb(op), size);
    else if (offset < array->offset)
        note_stray(w, kind, place, "%s %u bytes, %lld bytes before %s (%zu bytes)", verb(op),
                   size, (long long)(array->offset - offset), array->name, array->size);
    else
        note_stray(w, kind, place, "%s %u bytes at byte %lld of %s, which has %zu bytes",
                   verb(op), size, (long long)(offset - array->offset), array->name,
                   array->size);
    if (op != Op::shared_load || offset < 0 || offset + size > (int64_t)shared_span)
        leave_block(w);
    go_astray(w);
}

/* ---- races ---- */

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

int position_of(const ThreadTrace &trace, uint32_t pc)
{
    for (uint32_t i = 0; i < trace.order_count; i++)
        if (trace.order[i] == pc)
            return (int)i;
    return -1;
}

/** Which of two instructions a thread reaches first: 1 for `a`, -1 for `b`, 0 if unknown. */
int program_order(Worker *w, uint32_t a, uint32_t b, uint16_t other)
{
    for (uint32_t t : {w->current, (uint32_t)other}) {
        if (t >= w->threads_count)
            continue;
        int i = position_of(w->traces[t], a), j = position_of(w->traces[t], b);
        if (i >= 0 && j >= 0 && i != j)
            return i < j ? 1 : -1;
    }
    return 0;
}

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

FaultPlace race_place(uint32_t pc, bool write, bool strong, const Earlier &earlier)
{
    FaultPlace place;
    place.both_write = write && earlier.write;
    bool this_first = place.both_write ? pc <= earlier.pc : write;
    place.pc = this_first ? pc : earlier.pc;
    place.other_pc = this_first ? earlier.pc : pc;
    if (place.both_write)
        place.evidence |= both_wrote;
    else if (earlier.write && earlier.flags & touch_modified &&
             !(earlier.flags & touch_strong_write))
        place.evidence |= changed_read;
    bool earlier_strong =
        earlier.flags & (earlier.write ? touch_strong_write : touch_strong_read);
    place.one_atomic = strong != earlier_strong;
    if (place.one_atomic && !place.both_write)
        place.plain_read = write ? earlier.pc : pc;
    place.block_scope = strong && earlier_strong;
    return place;
}

/** If this worker has reported the fault before, only counts it again. */
bool counted_again(Worker *w, simgpu_fault_kind kind, const FaultPlace &place)
{
    uint64_t order = w->block * w->launch->threads + w->current;
    for (LocalFault &f : w->faults)
        if (f.kind == kind && f.pc == place.pc && f.other_pc == place.other_pc &&
            f.line == place.line && order >= f.order && !(place.evidence & ~f.evidence)) {
            f.count++;
            f.in_phase = true;
            return true;
        }
    return false;
}

std::string thread_name(Worker *w, uint16_t thread)
{
    if (thread >= several_in_warp)
        return "other threads";
    unsigned t[3];
    unflatten(thread, w->launch->desc.block, t);
    return format("thread (%u,%u,%u)", t[0], t[1], t[2]);
}

SIMGPU_COLD void report_race(Worker *w, simgpu_fault_kind kind, FaultPlace place,
                             uint16_t other, const std::string &where)
{
    Untraced quiet;
    place.order = program_order(w, place.pc, place.other_pc, other);
    kernel_fault(
        w, kind, place,
        place.both_write
            ? "and %s write %s without a barrier between"
            : "and %s, one writing and one reading, touch %s without a barrier between",
        thread_name(w, other).c_str(), where.c_str());
}

SIMGPU_COLD void report_global_race(Worker *w, FaultPlace place, uint32_t other_serial,
                                    uint64_t offset)
{
    const ThreadTrace &trace = *w->now_trace;
    place.fence_missing |=
        trace.section.lock || trace.observed || trace.acquired || trace.pending;
    if (counted_again(w, SIMGPU_RACE_GLOBAL, place))
        return;
    Untraced quiet;
    std::string who = "other blocks";
    if (other_serial > w->launch->first_serial) {
        unsigned b[3];
        unflatten(other_serial - w->launch->first_serial - 1, w->launch->desc.grid, b);
        who = format("block (%u,%u,%u)", b[0], b[1], b[2]);
    }
    kernel_fault(w, SIMGPU_RACE_GLOBAL, place,
                 place.both_write
                     ? "and %s write %s in one launch"
                     : "and %s, one writing and one reading, touch %s in one launch",
                 who.c_str(), element_name(w->launch, offset, 0).c_str());
}

/** "the same bytes of tile (at byte 4)". */
std::string shared_name(Worker *w, uint32_t offset)
{
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    return format("the same bytes of %s (at byte %u)", array ? array->name : "shared memory",
                  array ? offset - array->offset : offset);
}

/** Where the bytes of a block's shared memory are stored. */
const unsigned char *shared_data(Worker *w, uint32_t offset)
{
    for (auto &[begin, site] : w->file_scope_shared)
        if (site->placed >> 32 == w->launch->id && offset - (uint32_t)site->placed < site->size)
            return (const unsigned char *)begin + (offset - (uint32_t)site->placed);
    return w->shared + offset;
}

void report_block_race(Worker *w, FaultPlace place, uint16_t other, uint64_t offset,
                       bool shared)
{
    if (led_astray(w, w->serial, other))
        return;
    Untraced quiet;
    simgpu_fault_kind kind = shared ? SIMGPU_RACE_SHARED : SIMGPU_RACE_GLOBAL;
    unsigned warp = w->current / 32;
    if (other < several_in_warp ? other / 32u != warp : other != (several_in_warp | warp))
        place.evidence |= across_warps;
    if (!counted_again(w, kind, place))
        report_race(w, kind, place, other,
                    shared ? shared_name(w, (uint32_t)offset)
                           : element_name(w->launch, offset, 0));
}

/** Defers the verdict until after the store: storing the value that is already there is
 * harmless.
 */
SIMGPU_COLD void judge_later(Worker *w, const FaultPlace &place, uint16_t other,
                             uint32_t other_serial, uint64_t offset, unsigned size, bool shared)
{
    const unsigned char *address = shared ? shared_data(w, (uint32_t)offset) : data_at(offset);
    SameValue &s = w->same_value[w->same_value_count++];
    s = {address, {}, (uint8_t)size, place, other, offset, other_serial, shared};
    memcpy(s.before, address, size);
}

/** Two threads of a block race. If both write a constant, the stored value decides. */
SIMGPU_COLD void block_race(Worker *w, uint32_t pc, bool write, bool strong,
                            const Earlier &earlier, uint64_t offset, unsigned size, bool shared)
{
    FaultPlace place = race_place(pc, write, strong, earlier);
    /* The lanes of a warp store at the same time: with one value for all, the outcome is clear.
     */
    uint16_t me = (uint16_t)w->current;
    bool one_store =
        earlier.pc == pc && (shared || !w->in_copy) &&
        (earlier.thread < several_in_warp ? earlier.thread / 32 == me / 32
                                          : earlier.thread == (several_in_warp | me / 32));
    if (!place.both_write || w->same_value_count == 16 || !(one_store || stores_constant(pc))) {
        report_block_race(w, place, earlier.thread, offset, shared);
        return;
    }
    judge_later(w, place, earlier.thread, 0, offset, size, shared);
}

/* ---- flags without fences ---- */

/** Remembers a strong access: it may set a flag or see one. */
SIMGPU_COLD void note_flag(Worker *w, uint64_t offset, bool write)
{
    Launch *launch = w->launch;
    uint16_t me = (uint16_t)w->current;
    uint64_t tick = launch->flag_ticks;
    if (write && launch->blocks <= 1 << 20) {
        std::lock_guard<std::mutex> lock(launch->plain_mutex);
        if (launch->flag_writes.empty())
            launch->flag_writes.resize(launch->blocks);
        tick = ++launch->flag_ticks;
        launch->flag_writes[w->block] = {offset, tick, w->clock, w->phase_start, me};
        if (!w->fences)
            w->clock++; /* separates what comes after the write from what came before */
    }
    for (FlagRead &r : w->flag_reads)
        if (r.offset == offset && r.thread == me) {
            r.tick = tick;
            return;
        }
    w->flag_reads[w->next_flag_read++ % 8] = {offset, tick, w->clock, me};
}

/** Would fences order an earlier access of another block and the running thread's? That block
 * wrote strongly after its access, and this thread has read what it wrote. */
SIMGPU_COLD bool flag_without_fence(Worker *w, const Earlier &earlier, uint32_t other_serial)
{
    Launch *launch = w->launch;
    if (other_serial <= launch->first_serial)
        return false;
    std::lock_guard<std::mutex> lock(launch->plain_mutex);
    if (launch->flag_writes.empty())
        return false;
    const FlagWrite &f = launch->flag_writes[other_serial - launch->first_serial - 1];
    if (!f.tick || earlier.time > f.time ||
        (earlier.thread != f.thread && earlier.time >= f.phase_start))
        return false;
    for (const FlagRead &r : w->flag_reads)
        if (r.offset == f.offset && r.tick >= f.tick &&
            (r.thread == w->current || r.time < w->phase_start))
            return true;
    return false;
}

/** Two blocks race. Volatile writes of the same constant do not, such as a flag that stops the
 * other blocks. */
SIMGPU_COLD void global_race(Worker *w, const Access &a, const Earlier &earlier,
                             uint32_t other_serial, uint64_t offset, unsigned size)
{
    if (w->launch->plain || /* blocks that are not traced may order the two */
        led_astray(w, other_serial, earlier.thread))
        return;
    FaultPlace place = race_place(a.pc, a.writes, a.strong, earlier);
    place.between_blocks = true;
    bool same = earlier.thread == w->current;
    place.evidence |= among_blocks | (!same ? other_thread : w->current ? same_thread : 0);
    place.fence_missing = flag_without_fence(w, earlier, other_serial);
    if (place.both_write && a.strong && !a.reads && w->same_value_count < 16 &&
        stores_constant(a.pc))
        judge_later(w, place, 0, other_serial, offset, size, false);
    else
        report_global_race(w, place, other_serial, offset);
}

SIMGPU_COLD void judge_same_values(Worker *w)
{
    for (unsigned i = 0; i < w->same_value_count; i++) {
        const SameValue &s = w->same_value[i];
        if (!memcmp(s.before, s.address, s.size))
            continue;
        if (s.place.between_blocks)
            report_global_race(w, s.place, s.other_serial, s.offset);
        else
            report_block_race(w, s.place, s.other, s.offset, s.shared);
    }
    w->same_value_count = 0;
}

/* ---- order within a block ---- */

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
 * published.
 */
SIMGPU_COLD void join_release(Worker *w, const Touch &t, Release &r)
{
    uint8_t found = t.flags & (touch_released | touch_released_in_block);
    auto joined_lag = [&](uint8_t bit, uint8_t theirs, uint8_t mine) {
        uint32_t until = published(t.write_time, theirs);
        uint32_t lag = w->clock + 1 > until ? w->clock + 1 - until : 0;
        if (!(found & bit))
            return mine;
        lag = std::min(lag, longest_lag);
        return (uint8_t)(r.flags & bit ? std::min<uint32_t>(lag, mine) : lag);
    };
    r.lag = joined_lag(touch_released, t.lag, r.lag);
    r.lag_in_block = joined_lag(touch_released_in_block, t.lag_in_block, r.lag_in_block);
    r.flags |= found;
}

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

/** A strong read or atomic finds a value written after a fence: from here on the thread knows
 * what the writer did before. An atomicCAS takes a lock; it knows only after a fence of its
 * own. */
SIMGPU_COLD void acquire(Worker *w, const Touch &t, uint8_t lag, bool same_block,
                         const Access &a)
{
    ThreadTrace &trace = *w->now_trace;
    uint32_t &outside = a.compares ? trace.pending : trace.acquired;
    uint32_t &inside = a.compares ? trace.pending_in_block : trace.acquired_in_block;
    if (t.flags & touch_released) {
        outside = std::max(outside, published(t.write_time, lag));
        inside = std::max(inside, published(t.write_time, lag));
    }
    if (same_block)
        inside = std::max(inside, published(t.write_time, t.lag_in_block));
    else if (!(t.flags & touch_released))
        trace.observed = true;
    w->clock = std::max(w->clock, t.write_time) + 1;
    w->fences = true;
}

/** Records that a volatile read found a value written after a fence. That write then precedes
 * everything this thread does later, for example when it passes a flag on. */
SIMGPU_COLD void note_seen_write(Worker *w, const GlobalTouch &t, uint64_t offset)
{
    auto [entry, fresh] = w->seen_writes.try_emplace(offset);
    SeenWrite &s = entry->second;
    uint16_t me = (uint16_t)w->current;
    bool again = !fresh && s.writing_block == t.writing_block && s.write_time == t.write_time;
    s = {t.writing_block, t.write_time, again && s.reader != me ? several_in_block : me,
         w->clock};
}

/** Has the running thread, or a thread that it has synchronised with since, read the last
 * value? */
SIMGPU_COLD bool seen_write(Worker *w, const GlobalTouch &t, uint64_t offset)
{
    auto entry = w->seen_writes.find(offset);
    if (entry == w->seen_writes.end())
        return false;
    const SeenWrite &s = entry->second;
    return s.writing_block == t.writing_block && s.write_time == t.write_time &&
           (s.reader == w->current || s.reader == several_in_block ||
            s.read_time < w->phase_start || ordered(w, s.reader, s.read_time));
}

/* ---- global memory ---- */

/** A bit for each byte of the word that an access touches. */
unsigned bytes_of_word(uint64_t offset, unsigned size)
{
    return size >= 4 ? 15 : ((1u << size) - 1) << offset % 4;
}

/** Copying a structure also reads the gaps between its members and members that nobody needs.
 * If a part of the structure was written, reading the rest is no mistake. Calls `written` with
 * the offset of each word. */
template <class F> bool part_of_structure(Worker *w, uint64_t offset, unsigned size, F written)
{
    uint64_t begin = w->part_of ? offset - w->part_at : offset & ~(uint64_t)(size - 1);
    uint64_t end = begin + (w->part_of ? w->part_of : size);
    if (end - begin <= 4 || w->one_value)
        return false;
    for (uint64_t word = begin / 4; word < (end + 3) / 4; word++)
        if (written(word))
            return true;
    return false;
}

/** Examines a read of a word whose state is not "written". Returns false if it is a stray. */
SIMGPU_COLD bool unusual_word(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc)
{
    uint8_t &state = arena.state[offset / 4];
    uint8_t now =
        __atomic_load_n(&state, __ATOMIC_RELAXED); /* other workers may write it now */
    while (now == state_unwritten || now >= state_partial) {
        if (w->now_trace->astray)
            return true;
        if (now >= state_partial && !(~now & bytes_of_word(offset, size)))
            return true;
        if (part_of_structure(w, offset, size, [](uint64_t word) {
                uint8_t state = __atomic_load_n(&arena.state[word], __ATOMIC_RELAXED);
                return state == state_written || state >= state_partial;
            }))
            return true;
        if (__atomic_compare_exchange_n(&state, &now, state_suspect, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            w->global_suspects.push_back({offset, pc, w->current, w->block, (uint8_t)size});
            return true;
        }
    }
    switch ((State)now) {
    case state_suspect:
    case state_written:
        return true;
    case state_tail: {
        const Allocation *a = arena_find(offset);
        if (a && offset + std::min(size, 4u) <= a->offset + a->size)
            return true;
        break;
    }
    default:
        break;
    }
    outside_global(w, pc, op, size, offset);
    return false;
}

/** Marks bytes of a word as written, while other workers may mark its other bytes. */
SIMGPU_COLD void write_bytes(uint8_t &state, unsigned bytes)
{
    uint8_t old = __atomic_load_n(&state, __ATOMIC_RELAXED), now;
    do {
        now = old >= state_partial ? (uint8_t)(old | bytes) : (uint8_t)(state_partial | bytes);
        if (old == state_written || now == (state_partial | 15))
            now = state_written;
    } while (!__atomic_compare_exchange_n(&state, &old, now, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
}

SIMGPU_COLD void write_unusual_word(Worker *w, uint64_t offset, unsigned size, Op op,
                                    uint32_t pc)
{
    uint8_t &state = arena.state[offset / 4];
    uint8_t now = __atomic_load_n(&state, __ATOMIC_RELAXED);
    if (now == state_unwritten || now == state_suspect || now >= state_partial)
        write_bytes(state, bytes_of_word(offset, size));
    else
        unusual_word(w, offset, size, op, pc);
}

/** Do two unordered strong accesses race? Two atomics do not; two volatile writes do. A
 * volatile write and an atomic race unless the write comes after a fence, as when a lock is
 * released. A volatile read may poll what another thread is about to write. But a thread that
 * reads only once, and already knows of others by a lock or a flag, was meant to be ordered by
 * it. */
SIMGPU_COLD bool strong_race(Worker *w, const Access &a, uint8_t flags, uint32_t earlier_pc,
                             bool earlier_write)
{
    const uint8_t released = touch_released | touch_released_in_block;
    if (earlier_write && !(flags & touch_volatile)) /* an atomic */
        return !a.reads && !release_of(w).flags;
    if (a.atomic())
        return earlier_write && !(flags & released);
    if (earlier_write && a.writes)
        return true;
    const ThreadTrace &trace = *w->now_trace;
    bool knows =
        trace.acquired || trace.acquired_in_block || trace.observed || w->block_acquired;
    return knows && !(earlier_write && flags & released) &&
           !polls(a.writes ? earlier_pc : a.pc);
}

/** A strong write follows a plain write of the same block. Returns whether note_writer() has to
 * remember that. */
SIMGPU_COLD bool after_plain_write(Worker *w, const GlobalTouch &t, uint64_t offset)
{
    if (t.flags & touch_strong_write)
        return t.flags & touch_modified;
    std::lock_guard<std::mutex> lock(w->launch->plain_mutex);
    w->launch->plain_writes[offset] = {t.writing_block, t.write_time, t.write_pc};
    return true;
}

/** Reports a race if a strong access of another block races with the plain write that came
 * before the last strong one. */
SIMGPU_COLD void judge_plain_write(Worker *w, const Access &a, const GlobalTouch &t,
                                   uint32_t known, uint64_t offset, unsigned size)
{
    PlainWrite plain;
    {
        std::lock_guard<std::mutex> lock(w->launch->plain_mutex);
        plain = w->launch->plain_writes[offset];
    }
    if (plain.block == t.writing_block && !(plain.time < known))
        global_race(w, a, {plain.pc, true, several_in_block, 0, plain.time}, t.writing_block,
                    offset, size);
}

/** Checks one word or byte of device memory. The caller holds the word's lock. */
SIMGPU_HOT void note_global(Worker *w, GlobalTouch &t, uint64_t offset, unsigned size,
                            const Access &a)
{
    uint32_t me = w->serial, many = w->launch->first_serial;
    uint16_t thread = (uint16_t)w->current;
    bool mine = t.writing_block == me, read_by_me = t.reading_block == me;
    bool written_in_phase = mine && t.write_time >= w->phase_start;
    bool read_in_phase = read_by_me && t.read_time >= w->phase_start;
    bool both_strong = a.strong && (t.flags & touch_strong_write);
    bool acquires = both_strong && a.reads && t.writing_block >= many &&
                    (t.flags & (touch_released | touch_released_in_block));
    if (__builtin_expect(acquires, 0)) {
        acquire(w, t, t.lag, mine, a);
        if (!a.writes)
            note_seen_write(w, t, offset);
    }
    uint32_t known = std::max(w->now_trace->acquired, w->block_acquired);

    if (t.writing_block >= many && !mine) {
        bool apart = both_strong && !a.block_scope && !(t.flags & touch_block_scope);
        if (__builtin_expect(
                !(t.write_time < known) &&
                    (!apart || (strong_race(w, a, t.flags, t.write_pc, true) &&
                                !(t.flags & touch_released && seen_write(w, t, offset)))),
                0))
            global_race(w, a, {t.write_pc, true, t.writer, t.flags, t.write_time},
                        t.writing_block, offset, size);
        else if (__builtin_expect(both_strong && t.flags & touch_modified, 0))
            judge_plain_write(w, a, t, known, offset, size);
    } else if (written_in_phase && t.writer != thread) {
        if (__builtin_expect(
                !ordered(w, t.writer, t.write_time) &&
                    (!both_strong || (strong_race(w, a, t.flags, t.write_pc, true) &&
                                      !seen_write(w, t, offset))),
                0))
            block_race(w, a.pc, a.writes, a.strong, {t.write_pc, true, t.writer, t.flags},
                       offset, size, false);
    }
    if (a.writes) {
        bool strong_reads = a.strong && (t.flags & touch_strong_read);
        if (t.reading_block >= many && !read_by_me) {
            if (__builtin_expect(!(t.read_time < known) &&
                                     (!strong_reads || strong_race(w, a, 0, t.read_pc, false)),
                                 0))
                global_race(w, a, {t.read_pc, false, t.reader, t.flags, t.read_time},
                            t.reading_block, offset, size);
        } else if (read_in_phase && t.reader != thread) {
            if (__builtin_expect(!ordered(w, t.reader, t.read_time) &&
                                     (!strong_reads || strong_race(w, a, 0, t.read_pc, false)),
                                 0))
                block_race(w, a.pc, true, a.strong, {t.read_pc, false, t.reader, t.flags},
                           offset, size, false);
        }
        bool modified = read_by_me && t.reader == thread && read_in_phase;
        bool several = both_strong && t.writing_block >= many && !mine && !acquires &&
                       !(t.write_time < known);
        bool after_plain = a.strong && mine && after_plain_write(w, t, offset);
        note_writer(w, t, written_in_phase, a, true, modified);
        if (after_plain && t.flags & touch_strong_write)
            t.flags |= touch_modified;
        t.writing_block = several ? many : me;
    }
    if (__builtin_expect(a.strong, 0))
        note_flag(w, offset, a.writes);
    if (a.reads && !a.writes) {
        bool other_block = t.reading_block >= many && !read_by_me && !(t.read_time < known);
        note_reader(w, t, !read_in_phase, a.strong, a.pc);
        t.reading_block = other_block ? many : me;
    }
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

/** After the first access smaller than a word, its bytes are tracked one by one. */
template <class T> SIMGPU_COLD void split(T &word, T *bytes)
{
    for (unsigned i = 0; i < 4; i++)
        memcpy((void *)&bytes[i], (const void *)&word, sizeof word);
    word.flags |= touch_split;
}

SIMGPU_HOT void note_global_word(Worker *w, uint64_t offset, unsigned size, const Access &a)
{
    GlobalTouch &t = arena.shadow[offset / 4];
    if (__builtin_expect(w->watched, 0) && arena.touched[offset / touched_piece] != w->watched)
        arena.touched[offset / touched_piece] = w->watched;
    Lock lock(t);
    if (__builtin_expect(size < 4 && !(t.flags & touch_split), 0))
        split(t, &arena.byte_shadow[offset & ~3ull]);
    if (__builtin_expect(t.flags & touch_split, 0))
        for (unsigned i = 0; i < std::min(size, 4u); i++)
            note_global(w, arena.byte_shadow[offset + i], offset + i, 1, a);
    else
        note_global(w, t, offset, 4, a);
}

/** What distinguishes an access from a plain load or store. */
enum Manner : unsigned {
    plainly = 0,
    strongly = 1,     /**< volatile or atomic */
    within_block = 2, /**< an atomic with _block in its name */
    comparing = 4,    /**< atomicCAS */
    replacing = 8     /**< atomicExch: its result does not depend on the old value */
};

/** Examines again a word that the running thread has just read. Another thread may have written
 * it between our check and the read. */
SIMGPU_COLD void look_again(Worker *w, uint64_t offset, bool atomic, bool compares)
{
    GlobalTouch &t = arena.shadow[offset / 4];
    Lock lock(t);
    Access a = {0, true, false, true, false, compares};
    bool by_me = t.writing_block == w->serial && t.writer == w->current;
    note_flag(w, offset, false);
    if (!by_me && t.flags & touch_strong_write && t.writing_block >= w->launch->first_serial &&
        t.flags & (touch_released | touch_released_in_block)) {
        acquire(w, t, t.lag, t.writing_block == w->serial, a);
        if (!atomic)
            note_seen_write(w, t, offset);
    }
}

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

/* ---- locks ---- */

/** Records the first access of a critical section if no fence followed the taking of the lock.
 */
void remember_unfenced(Worker *w, uint64_t offset, const Access &a)
{
    Section &s = w->now_trace->section;
    if (s.pc || s.fence == 2)
        return;
    s.pc = a.pc;
    s.offset = offset / 4;
    s.writes = a.writes;
    s.serial = w->serial;
    s.thread = (uint16_t)w->current;
    s.fence_then = s.fence;
}

/** An access by a thread that holds a lock, or that releases it. It races with an access to the
 * same word under the same lock by a thread that did not fence after taking the lock. */
SIMGPU_COLD void section_access(Worker *w, uint64_t offset, const Access &a, unsigned manner)
{
    Section &mine = w->now_trace->section;
    if (!mine.lock)
        return;
    if (mine.lock == offset + 1) {
        if (!a.writes || (a.atomic() && !(manner & replacing)))
            return;
        if (mine.pc) {
            std::lock_guard<std::mutex> lock(w->launch->sections_mutex);
            w->launch->sections.push_back(mine);
        }
        mine = Section();
        return;
    }
    if (a.atomic())
        return;
    remember_unfenced(w, offset, a);
    std::lock_guard<std::mutex> lock(w->launch->sections_mutex);
    for (const Section &other : w->launch->sections) {
        bool same_block = other.serial == w->serial;
        if (other.lock != mine.lock || other.offset != offset / 4 ||
            !(other.writes || a.writes) ||
            (same_block && (other.thread == w->current || other.fence_then)))
            continue;
        FaultPlace place =
            race_place(a.pc, a.writes, false, {other.pc, other.writes, other.thread, 0});
        place.between_blocks = !same_block;
        place.evidence |= same_block ? 0 : among_blocks;
        place.fence_missing = true;
        if (same_block)
            report_block_race(w, place, other.thread, offset, false);
        else
            report_global_race(w, place, other.serial, offset);
        return;
    }
}

SIMGPU_HOT void global_access(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc,
                              unsigned manner = plainly)
{
    if (__builtin_expect(offset & (size - 1), 0))
        misaligned(w, pc, op, size, offset);
    if (__builtin_expect(regions_said, 0))
        region_access(w, offset, size, op == Op::global_store, op == Op::global_atomic, pc);
    uint64_t word = offset / 4;
    unsigned words = size < 4 ? 1 : size / 4;
    bool atomic = op == Op::global_atomic, store = op == Op::global_store;
    for (unsigned i = 0; i < words; i++) {
        if (__builtin_expect(arena.state[word + i] != state_written, 0)) {
            if (store || manner & replacing)
                write_unusual_word(w, offset + 4 * i, size, op, pc);
            else if (!unusual_word(w, offset + 4 * i, size, op, pc))
                return;
            if (atomic && arena.state[word + i] == state_suspect)
                arena.state[word + i] = state_written;
        }
    }
    if (__builtin_expect(w->now_trace->astray, 0)) {
        still_astray(w);
        if (!store && !atomic)
            return;
    }
    see(w, pc, offset);
    Access a = {pc, !store, store || atomic, atomic || manner & strongly};
    a.block_scope = manner & within_block;
    a.compares = manner & comparing;
    if (__builtin_expect(w->locks, 0))
        section_access(w, offset, a, manner);
    for (unsigned i = 0; i < words; i++)
        note_global_word(w, offset + 4 * i, size, a);
    if (w->counting)
        log_access(w, op, size, offset, pc);
}

/* ---- shared memory ---- */

SIMGPU_HOT void note_shared(Worker *w, Touch &t, uint32_t offset, unsigned size,
                            const Access &a)
{
    uint16_t thread = (uint16_t)w->current;
    bool written_in_phase = t.write_time >= w->phase_start;
    bool read_in_phase = t.read_time >= w->phase_start;
    bool both_strong = a.strong && (t.flags & touch_strong_write);
    if (__builtin_expect(both_strong && written_in_phase && (t.flags & touch_released_in_block),
                         0))
        acquire(w, t, t.lag_in_block, true, a);
    if (written_in_phase && t.writer != thread && !both_strong &&
        !ordered(w, t.writer, t.write_time))
        block_race(w, a.pc, a.writes, a.strong, {t.write_pc, true, t.writer, t.flags}, offset,
                   size, true);
    if (a.writes) {
        bool strong_reads = a.strong && (t.flags & touch_strong_read);
        if (read_in_phase && t.reader != thread && !strong_reads &&
            !ordered(w, t.reader, t.read_time))
            block_race(w, a.pc, true, a.strong, {t.read_pc, false, t.reader, t.flags}, offset,
                       size, true);
        note_writer(w, t, written_in_phase, a, false, read_in_phase && t.reader == thread);
    } else {
        note_reader(w, t, !read_in_phase, a.strong, a.pc);
    }
}

SIMGPU_COLD void suspect_shared(Worker *w, Touch &t, uint32_t offset, unsigned size,
                                uint32_t pc)
{
    if (part_of_structure(w, offset, size, [w](uint64_t word) {
            return w->shared_shadow[word].write_time >= w->block_start;
        }))
        return;
    t.suspect = 1;
    w->shared_suspects.push_back({offset, pc, w->current, w->block, (uint8_t)size});
}

SIMGPU_HOT void shared_access(Worker *w, uint32_t offset, unsigned size, Op op, uint32_t pc)
{
    if (__builtin_expect(offset & (size - 1), 0))
        misaligned(w, pc, op, size, offset);
    unsigned words = size < 4 ? 1 : size / 4;
    Touch *s = w->shared_shadow + offset / 4;
    see(w, pc);
    if (__builtin_expect(w->now_trace->astray, 0))
        still_astray(w);
    bool store = op == Op::shared_store, atomic = op == Op::shared_atomic;
    Access a = {pc, !store, store || atomic, atomic};
    for (unsigned i = 0; i < words; i++) {
        if (__builtin_expect(s[i].valid < 4, 0)) {
            trace_new_shared_arrays(w);
            if (s[i].valid < (size < 4 ? offset % 4 + size : 4)) {
                outside_shared(w, pc, op, size, offset + 4 * i);
                return;
            }
        }
        if (!store && !atomic && __builtin_expect(w->now_trace->astray, 0))
            continue;
        if (!store && __builtin_expect(s[i].write_time < w->block_start && !s[i].suspect, 0))
            suspect_shared(w, s[i], offset + 4 * i, size, pc);
        if (__builtin_expect(size < 4 && !(s[i].flags & touch_split), 0))
            split(s[i], &w->shared_byte_shadow[(offset & ~3u) + 4 * i]);
        if (__builtin_expect(s[i].flags & touch_split, 0)) {
            for (unsigned b = 0; b < std::min(size, 4u); b++)
                note_shared(w, w->shared_byte_shadow[offset + 4 * i + b], offset + 4 * i + b, 1,
                            a);
            if (a.writes) { /* the word says when any of its bytes was last written */
                s[i].writer = (uint16_t)w->current;
                s[i].write_time = w->clock;
            }
        } else {
            note_shared(w, s[i], offset + 4 * i, 4, a);
        }
    }
    if (__builtin_expect(!w->async_copies.empty(), 0) && !store)
        async_read(w, shared_data(w, offset), size, pc);
    if (w->counting)
        log_access(w, op, size, offset, pc);
}

/* ---- everything else ---- */

/** Not inlined, for the rarer callers: each inlined copy costs the compiler half a second. */
[[gnu::noinline]] void rare_shared_access(Worker *w, uint32_t offset, unsigned size, Op op,
                                          uint32_t pc)
{
    shared_access(w, offset, size, op, pc);
}

[[gnu::noinline]] void rare_global_access(Worker *w, uint64_t offset, unsigned size, Op op,
                                          uint32_t pc, unsigned manner = plainly)
{
    global_access(w, offset, size, op, pc, manner);
}

/** Is this address on a thread's stack, or so near that an index into a local array led there?
 */
bool near_stack(const Worker *w, uintptr_t address)
{
    constexpr uintptr_t reach = 16ull << 30;
    for (const Fiber *fiber : w->fibers)
        if (address - fiber_stack_low(fiber) < fiber_stack_bytes ||
            fiber_guards(fiber, address))
            return true;
    return address - (w->stack_low - reach) < 2 * reach && !is_mapped(address);
}

/** Reports an access to memory that a kernel must not touch. */
SIMGPU_COLD void tell_foreign(Worker *w, uintptr_t address, unsigned size, bool write,
                              FaultPlace place)
{
    Untraced quiet;
    const char *does = write ? "writes" : "reads";
    for (auto &[begin, site] : w->file_scope_shared)
        if (address - begin + 4096 < site->size + 8192) {
            note_stray(w, SIMGPU_OUT_OF_BOUNDS_SHARED, place,
                       "%s %u bytes at byte %lld of %s, which has %zu bytes", does, size,
                       (long long)(address - begin), site->name, site->size);
            return;
        }
    /* Just outside managed memory or a variable: an index beyond its end. */
    if (have_aliases)
        for (uintptr_t step = 64; step <= 4096; step *= 2)
            for (uintptr_t near : {address - step, address + step})
                if (const Alias *alias = alias_find(near)) {
                    tell_outside_global(w, place, write ? Op::global_store : Op::global_load,
                                        size, alias->offset + (address - alias->begin));
                    return;
                }
    if (near_stack(w, address)) {
        note_stray(w, SIMGPU_OUT_OF_BOUNDS_ARRAY, place,
                   "%s %u bytes beyond its own variables: outside a local array", does, size);
        return;
    }
    std::string stray = stray_element_name(w->launch, address);
    if (in_host_table(address)) {
        place.advice = host_table_advice;
        note_stray(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                   "calls a virtual function of an object that the host has made");
    } else if (!stray.empty()) {
        place.advice = overflow_advice;
        note_stray(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                   "%s %s: %u bytes at an address where there is no memory", does,
                   stray.c_str(), size);
    } else if (!is_mapped(address) && address >= 65536) {
        note_stray(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                   "%s %u bytes at address %#llx, where there is no memory", does, size,
                   (unsigned long long)address);
    } else if (address < 65536) {
        note_stray(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                   "%s %u bytes at address %#llx: a null pointer", does, size,
                   (unsigned long long)address);
    } else if (is_constant_memory(address)) {
        place.advice = "Kernels only read __constant__ memory: fill it by cudaMemcpyToSymbol "
                       "before the launch, or make the variable __device__.";
        note_stray(w, SIMGPU_DEVICE_TOUCHES_HOST, place, "writes to a __constant__ variable");
    } else if (is_constant_memory(address - size) || is_constant_memory(address + size)) {
        note_stray(w, SIMGPU_OUT_OF_BOUNDS_ARRAY, place,
                   "%s %u bytes next to a __constant__ variable", does, size);
    } else if (is_host_variable(address)) {
        place.advice =
            "A kernel has no variables of the host: pass the value as an argument, or declare "
            "the variable __device__ or __constant__. nvcc does not compile this.";
        note_stray(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                   "%s %u bytes of a global variable of the host", does, size);
    } else {
        note_stray(w, SIMGPU_DEVICE_TOUCHES_HOST, place, "%s %u bytes of the host's memory",
                   does, size);
    }
}

/** An access to a __shared__ array outside all functions; false if the address is in none. */
bool outer_shared_access(Worker *w, uintptr_t address, unsigned size, Op op, uint32_t pc)
{
    for (auto &[begin, site] : w->file_scope_shared)
        if (address - begin < site->size) {
            auto offset = (unsigned char *)simgpu_shared_place(site) - w->shared;
            rare_shared_access(w, (uint32_t)(offset + (address - begin)), size, op, pc);
            return true;
        }
    return false;
}

/** A kernel reads constant memory. */
void constant_read(Worker *w, uintptr_t address, unsigned size, uint32_t pc)
{
    for (const EmptyConstant &c : empty_constants())
        if (address - c.begin < c.size) {
            FaultPlace place{pc};
            place.advice = call_refused()
                               ? "A call of the host was refused, as is said above."
                               : "Fill it by cudaMemcpyToSymbol() before the launch, or give "
                                 "it an initialiser.";
            kernel_fault(w, SIMGPU_UNINITIALISED_GLOBAL, place,
                         "reads %u bytes of the __constant__ variable %s, which was "
                         "never filled: it is 0",
                         size, c.name);
        }
}

SIMGPU_COLD void other_access(Worker *w, uintptr_t address, unsigned size, bool write,
                              uint32_t pc)
{
    for (uintptr_t pointer : w->file_scope_dynamic)
        if (address == pointer)
            return;
    if (outer_shared_access(w, address, size, write ? Op::shared_store : Op::shared_load, pc))
        return;
    if (const Alias *alias = have_aliases ? alias_find(address) : nullptr) {
        rare_global_access(w, alias->offset + (address - alias->begin), size,
                           write ? Op::global_store : Op::global_load, pc);
        return;
    }
    const simgpu_launch_desc &d = w->launch->desc;
    if (address - (uintptr_t)d.closure < d.closure_size)
        return; /* a kernel parameter */
    if (address - (uintptr_t)&simgpu_builtins < sizeof simgpu_builtins)
        return;
    if (!write && is_constant_memory(address))
        constant_read(w, address, size, pc);
    if (!write && (is_read_only(address) || is_constant_memory(address)))
        return;
    uint64_t shared = address - (uintptr_t)w->shared;
    if (shared + w->shared_margin < shared_span + 2 * w->shared_margin)
        outside_shared(w, pc, write ? Op::shared_store : Op::shared_load, size,
                       (int64_t)shared);
    if (!stray_is_told(w))
        tell_foreign(w, address, size, write, {pc});
    leave_block(w);
}

SIMGPU_HOT void access(Worker *w, uintptr_t address, unsigned size, bool write,
                       uintptr_t return_address)
{
    settle_last(w);
    if (address - w->stack_low < fiber_stack_bytes)
        return; /* the thread's own variables */
    uint32_t pc = pc_of(return_address);
    uint64_t shared = address - (uintptr_t)w->shared;
    if (shared < shared_span) {
        shared_access(w, (uint32_t)shared, size, write ? Op::shared_store : Op::shared_load,
                      pc);
        return;
    }
    uint64_t global = address - (uintptr_t)arena.base;
    if (global < arena.size) {
        global_access(w, global, size, write ? Op::global_store : Op::global_load, pc);
        return;
    }
    other_access(w, address, size, write, pc);
}

/** access(), not inlined: a separate copy for each size is no faster. */
[[gnu::noinline]] void rare_access(Worker *w, uintptr_t address, unsigned size, bool write,
                                   uintptr_t return_address)
{
    access(w, address, size, write, return_address);
}

/** memcpy and the like, by words if possible, otherwise by bytes. */
void access_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                  uintptr_t return_address)
{
    unsigned step = (address | size) % 4 == 0 ? 4 : 1;
    w->in_copy = true;
    for (size_t i = 0; i < size; i += step)
        rare_access(w, address + i, step, write, return_address);
    w->in_copy = false;
}

/** An access of unusual length. Hardware would do it word by word. */
void access_range(Worker *w, uintptr_t address, size_t size, bool write,
                  uintptr_t return_address)
{
    /* The compiler passes an int that it knows to be misaligned in this form. */
    uint64_t offset;
    if (size == 4 && address % 4 && device_offset((const void *)address, &offset))
        misaligned(w, pc_of(return_address), write ? Op::global_store : Op::global_load, 4,
                   address);
    unsigned step = (address | size) % 4 == 0 ? 4 : 1;
    w->part_of = write ? 0 : (unsigned)size;
    for (w->part_at = 0; w->part_at < size; w->part_at += step)
        rare_access(w, address + w->part_at, step, write, return_address);
    w->part_of = 0;
}

} // namespace

void trace_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                 uintptr_t return_address)
{
    access_bytes(w, address, size, write, return_address);
}

void trace_texture(uintptr_t address, unsigned size, uintptr_t return_address)
{
    if (Worker *w = tracing_worker)
        rare_global_access(w, address - (uintptr_t)arena.base, size, Op::texture,
                           pc_of(return_address));
}

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
    w->capturing_block =
        settings.capturing && w->counting && w->block == settings.capture_block;
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
        if (w->counting)
            count_warp(w, thread / 32);
    }
}

/** Is there a warp of the block none of whose threads came to a race's lines in this phase? */
static SIMGPU_COLD void judge_left_out(Worker *w, LocalFault &fault)
{
    fault.in_phase = false;
    for (uint32_t first = 0; first < w->threads_count && !(fault.evidence & left_out);
         first += 32) {
        bool came = false;
        for (uint32_t t = first; t < std::min(first + 32, w->threads_count) && !came; t++) {
            const ThreadTrace &trace = w->traces[t];
            came = trace.order_count == sizeof trace.order / sizeof *trace.order ||
                   position_of(trace, fault.pc) >= 0 || position_of(trace, fault.other_pc) >= 0;
        }
        if (!came)
            fault.evidence |= left_out;
    }
}

void trace_judge_stray(Launch *launch)
{
    Stray &stray = launch->stray;
    if (!launch->strayed() || !stray.offset)
        return;
    const Allocation *behind = arena_nearest(stray.offset);
    if (behind && stray.offset >= behind->offset + behind->size &&
        in_kernel_itself(launch, stray.place.pc)) {
        std::string element =
            element_name_in_line(launch, stray.offset, *behind, stray.place.pc);
        if (!element.empty())
            stray.what =
                format("%s %s: %u bytes at byte %llu of %s", verb(stray.op), element.c_str(),
                       stray.size, (unsigned long long)(stray.offset - behind->offset),
                       allocation_name(*behind).c_str());
    }
    auto known = launch->owners.find(stray.place.pc);
    if (known == launch->owners.end() || known->second.several)
        return;
    const Allocation *a = arena_find(known->second.begin),
                     *nearest = arena_nearest(stray.offset);
    if (!a || !nearest || a->offset == nearest->offset ||
        !in_kernel_itself(launch, stray.place.pc))
        return;
    stray.place.advice = bytes_advice(launch, *a, stray.offset);
    stray.what = format("%s %s: %u bytes at byte %lld of %s", verb(stray.op),
                        element_name(launch, stray.offset, stray.size, a).c_str(), stray.size,
                        (long long)(stray.offset - a->offset), allocation_name(*a).c_str());
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
        kernel_fault_at(
            w->launch, SIMGPU_UNINITIALISED_SHARED, {suspect.pc}, suspect.block, suspect.thread,
            "reads %u bytes at byte %u of %s, which no thread of the block has written",
            suspect.size, (unsigned)suspect.address - (array ? array->offset : 0),
            array ? array->name : "shared memory");
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
    }
    memset(w->control, 0, sizeof w->control);
    w->sites.merge_into(total_sites);
    captured.insert(captured.end(), w->captures.begin(), w->captures.end());
    w->captures.clear();
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
std::map<std::string, KernelLaunches> launches_of_kernel;
double seconds_traced;

/** Reports at the end of the program what was not traced. */
void tell_untraced()
{
    fflush(stdout);
    for (auto &[kernel, l] : launches_of_kernel) {
        if (l.untraced || l.partly)
            fprintf(stderr,
                    "simulated GPU: %s: of %llu launches %llu were not checked, and of %llu "
                    "only some blocks\n",
                    kernel.c_str(), l.all, l.untraced, l.partly);
        if (l.left_out)
            fprintf(stderr,
                    "  %llu of them did not run: the same launch had run on the same data, and "
                    "left them unchanged\n",
                    l.left_out);
        if (l.unseen)
            fprintf(stderr,
                    "  %llu of them did not run: nothing has read what they would have "
                    "written\n",
                    l.unseen);
    }
    fprintf(stderr,
            "simulated GPU: checking had taken %g seconds of processor time by then: ladder "
            "sim --all checks "
            "all launches,\n  --budget SECONDS more of them\n",
            settings.budget);
}

void tell_at_the_end()
{
    static int told = atexit(tell_untraced);
    (void)told;
}
} // namespace

bool worth_tracing(Launch *launch)
{
    const simgpu_launch_desc &d = launch->desc;
    if (!settings.standalone || settings.budget <= 0 || settings.counting || settings.capturing)
        return true;
    static std::map<std::string, Count> seen;
    std::string shape = format("%s %u %u %u %u %u %u %zu", d.kernel_text, d.grid[0], d.grid[1],
                               d.grid[2], d.block[0], d.block[1], d.block[2], d.shared);
    KernelLaunches &launches = launches_of_kernel[d.kernel_text];
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
    launches_of_kernel[launch->desc.kernel_text].waits |= launch->waits;
    if (launch->plain) {
        launches_of_kernel[launch->desc.kernel_text].partly++;
        tell_at_the_end();
    }
}

void note_left_out(const simgpu_launch_desc &desc, bool unseen)
{
    KernelLaunches &launches = launches_of_kernel[desc.kernel_text];
    unseen ? launches.unseen++ : launches.left_out++;
}

void trace_judge_suspects(Launch *launch)
{
    if (!launch->guards.empty())
        faults_forget_guards(launch->guards);
    bool refused = !launch->suspects.empty() && call_refused();
    for (const Suspect &suspect : launch->suspects) {
        uint8_t &state = arena.state[suspect.address / 4];
        uint32_t writer = arena.shadow[suspect.address / 4].writing_block;
        if (state == state_suspect)
            state = state_unwritten;
        if (launch->plain) /* a block that was not traced may have written it */
            continue;
        /* A write by another block in this launch was reported as a race. */
        if (writer > launch->first_serial && writer != launch->first_serial + 1 + suspect.block)
            continue;
        const Allocation *a = arena_find(suspect.address);
        FaultPlace place{suspect.pc};
        place.advice = a ? bytes_advice(launch, *a, suspect.address) : nullptr;
        if (!place.advice && refused)
            place.advice =
                "A call of the host was refused, as is said above: it may be the one "
                "that should have filled this memory.";
        else if (!place.advice && (!a || a->heap_pc))
            place.advice = "What malloc or new gives a kernel is not cleared.";
        kernel_fault_at(launch, SIMGPU_UNINITIALISED_GLOBAL, place, suspect.block,
                        suspect.thread,
                        "reads %u bytes, %s in %s, which have not been written%s", suspect.size,
                        element_name(launch, suspect.address, suspect.size).c_str(),
                        a ? allocation_name(*a).c_str() : "device memory",
                        !a           ? ""
                        : a->heap_pc ? " since then"
                                     : " since cudaMalloc");
    }
    launch->suspects.clear();
}

/** An atomic on memory outside the arena, such as a __device__ variable. */
static void atomic_elsewhere(Worker *w, uintptr_t address, unsigned size,
                             uintptr_t return_address, unsigned manner)
{
    if (outer_shared_access(w, address, size, Op::shared_atomic, pc_of(return_address)))
        return;
    if (const Alias *alias = have_aliases ? alias_find(address) : nullptr)
        rare_global_access(w, alias->offset + (address - alias->begin), size, Op::global_atomic,
                           pc_of(return_address), manner);
    else
        rare_access(w, address, size, true, return_address);
}

/** Checks and logs an atomic operation. */
static void atomic_access(void *address, unsigned size, uintptr_t return_address,
                          unsigned manner)
{
    Worker *w = tracing_worker;
    if (!w)
        return;
    settle_last(w);
    uint64_t shared = (uintptr_t)address - (uintptr_t)w->shared;
    uint64_t global = (uintptr_t)address - (uintptr_t)arena.base;
    if (shared < shared_span)
        rare_shared_access(w, (uint32_t)shared, size, Op::shared_atomic, pc_of(return_address));
    else if (global < arena.size)
        rare_global_access(w, global, size, Op::global_atomic, pc_of(return_address), manner);
    else
        atomic_elsewhere(w, (uintptr_t)address, size, return_address, manner);
}

/** Finds the offset of an address in device memory; false if it is elsewhere. */
static bool global_offset(const volatile void *address, uint64_t *offset)
{
    *offset = (uintptr_t)address - (uintptr_t)arena.base;
    if (*offset < arena.size)
        return true;
    const Alias *alias = have_aliases ? alias_find((uintptr_t)address) : nullptr;
    if (alias)
        *offset = alias->offset + ((uintptr_t)address - alias->begin);
    return alias != nullptr;
}

/** Records that an atomicCAS has taken what may be a lock. */
static void take_lock(Worker *w, void *address)
{
    uint64_t offset;
    if (w != tracing_worker || !global_offset(address, &offset))
        return;
    w->now_trace->section = Section();
    w->now_trace->section.lock = offset + 1;
    w->locks = true;
}

/** A plain read before an atomicCAS of the same word only guesses the current value. Loops that
 * build an atomic operation do this. Such a read does not race with atomics. */
static void note_guard(Worker *w, void *address)
{
    uint64_t offset;
    if (w != tracing_worker || !global_offset(address, &offset))
        return;
    Untraced quiet;
    const GlobalTouch &t = arena.shadow[offset / 4];
    bool ours = t.reading_block == w->serial || t.reading_block == w->launch->first_serial;
    bool mine = t.read_time >= w->phase_start &&
                (t.reader == w->current || t.reader >= several_in_warp);
    if (!ours || t.flags & touch_strong_read || !mine ||
        std::find(w->guards.begin(), w->guards.end(), t.read_pc) != w->guards.end())
        return;
    w->guards.push_back(t.read_pc);
}

/** A volatile access. To global memory it is as strong as an atomic. */
static void volatile_access(Worker *w, void *address, unsigned size, bool write,
                            uintptr_t return_address)
{
    uint64_t global;
    if (global_offset(address, &global)) {
        settle_last(w);
        rare_global_access(w, global, size, write ? Op::global_store : Op::global_load,
                           pc_of(return_address), strongly);
        if (!write) {
            w->now_trace->asked = global + 1;
            w->asked = true;
        }
    } else {
        rare_access(w, (uintptr_t)address, size, write, return_address);
    }
    if (!write)
        spin(w, address, pc_of(return_address), true);
}

template <class T> static T as(uint64_t bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <class T> static uint64_t bits_of(T value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

/** The value that an atomic stores over `old`. U is the unsigned type, S the signed one. */
template <class U, class S>
static U changed(simgpu_atomic_op op, U old, uint64_t operand, uint64_t compare)
{
    U v = (U)operand;
    switch (op) {
    case SIMGPU_ADD:
        return (U)(old + v);
    case SIMGPU_ADD_FLOAT:
        return (U)bits_of(as<float>(old) + as<float>(operand));
    case SIMGPU_ADD_DOUBLE:
        return (U)bits_of(as<double>(old) + as<double>(operand));
    case SIMGPU_ADD_HALF:
        return (U)half_bits_of(float_of_half_bits((uint16_t)old) +
                               float_of_half_bits((uint16_t)v));
    case SIMGPU_EXCHANGE:
        return v;
    case SIMGPU_MIN_SIGNED:
        return (S)old < (S)v ? old : v;
    case SIMGPU_MAX_SIGNED:
        return (S)old > (S)v ? old : v;
    case SIMGPU_MIN_UNSIGNED:
        return std::min(old, v);
    case SIMGPU_MAX_UNSIGNED:
        return std::max(old, v);
    case SIMGPU_INCREMENT:
        return old >= v ? 0 : (U)(old + 1);
    case SIMGPU_DECREMENT:
        return old == 0 || old > v ? v : (U)(old - 1);
    case SIMGPU_AND:
        return old & v;
    case SIMGPU_OR:
        return old | v;
    case SIMGPU_XOR:
        return old ^ v;
    case SIMGPU_COMPARE_AND_SWAP:
        return old == (U)compare ? v : old;
    }
    return old;
}

/** Retries until the compare-and-swap succeeds. */
template <class U, class S>
static uint64_t update(void *address, simgpu_atomic_op op, uint64_t operand, uint64_t compare)
{
    U *p = static_cast<U *>(address), old = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, changed<U, S>(op, old, operand, compare),
                                        false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
    return old;
}

} // namespace simgpu

using namespace simgpu;

#define CALLER SIMGPU_CALLER

/** Host code of a traced source must not touch a __device__ variable, nor what a stream may be
 * using. */
static SIMGPU_COLD void host_access(uintptr_t address, size_t size, bool write,
                                    uintptr_t return_address)
{
    if (this_worker)
        return;
    if (short_copies)
        short_copy_access(address, size, write, pc_of(return_address));
    const Alias *alias = alias_find(address);
    if (!alias)
        return;
    if (alias->host_may()) {
        if (order_host_watched && alias->kind != AliasKind::vector)
            order_host_access(alias->offset + (address - alias->begin),
                              std::min<size_t>(size, alias->begin + alias->size - address),
                              write, pc_of(return_address));
        return;
    }
    const Allocation *a = arena_find(alias->offset);
    FaultPlace place{pc_of(return_address)};
    place.advice = "On the host a __device__ variable is only a name: use cudaMemcpyToSymbol "
                   "and cudaMemcpyFromSymbol.";
    host_fault(SIMGPU_HOST_TOUCHES_DEVICE, place, nullptr,
               "host code %s the __device__ variable %s", write ? "writes" : "reads",
               a && a->name ? a->name : "");
}

HostStray simgpu::host_stray;

extern "C" {

/* ---- what -fsanitize=thread calls ---- */

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
/* An object's pointer to its class's functions, set by the constructor. */
void __tsan_vptr_update(void **pointer, void *)
{
    if (Worker *w = tracing_worker)
        rare_access(w, (uintptr_t)pointer, sizeof *pointer, true, CALLER);
}
void __tsan_vptr_read(void **pointer)
{
    if (Worker *w = tracing_worker)
        rare_access(w, (uintptr_t)pointer, sizeof *pointer, false, CALLER);
}

#define SIMGPU_CALLBACK(name, size, write)                                                     \
    void name(void *address)                                                                   \
    {                                                                                          \
        Worker *w = tracing_worker;                                                            \
        if (w && size != 4)                                                                    \
            rare_access(w, (uintptr_t)address, size, write, CALLER);                           \
        else if (w)                                                                            \
            access(w, (uintptr_t)address, size, write, CALLER);                                \
        else if (__builtin_expect(arena_contains(address), 0))                                 \
            host_stray = {(uintptr_t)address, CALLER};                                         \
        else if (__builtin_expect(have_aliases | short_copies, 0))                             \
            host_access((uintptr_t)address, size, write, CALLER);                              \
    }
/* A GPU's compiler also splits such an access, of a packed struct for example. */
#define SIMGPU_UNALIGNED(name, size, write)                                                    \
    void name(void *address)                                                                   \
    {                                                                                          \
        Worker *w = tracing_worker;                                                            \
        if (w && (uintptr_t)address % size == 0)                                               \
            rare_access(w, (uintptr_t)address, size, write, CALLER);                           \
        else if (w)                                                                            \
            access_bytes(w, (uintptr_t)address, size, write, CALLER);                          \
        else if (__builtin_expect(have_aliases | short_copies, 0))                             \
            host_access((uintptr_t)address, size, write, CALLER);                              \
    }
#define SIMGPU_VOLATILE(name, size, write)                                                     \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker)                                                        \
            volatile_access(w, address, size, write, CALLER);                                  \
    }
#define SIMGPU_BOTH(name, size)                                                                \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            rare_access(w, (uintptr_t)address, size, false, CALLER);                           \
            rare_access(w, (uintptr_t)address, size, true, CALLER);                            \
        } else if (__builtin_expect(have_aliases | short_copies, 0)) {                         \
            host_access((uintptr_t)address, size, true, CALLER);                               \
        }                                                                                      \
    }
#define SIMGPU_CALLBACKS(size)                                                                 \
    SIMGPU_CALLBACK(__tsan_read##size, size, false)                                            \
    SIMGPU_CALLBACK(__tsan_write##size, size, true)                                            \
    SIMGPU_UNALIGNED(__tsan_unaligned_read##size, size, false)                                 \
    SIMGPU_UNALIGNED(__tsan_unaligned_write##size, size, true)                                 \
    SIMGPU_VOLATILE(__tsan_volatile_read##size, size, false)                                   \
    SIMGPU_VOLATILE(__tsan_volatile_write##size, size, true)                                   \
    SIMGPU_VOLATILE(__tsan_unaligned_volatile_read##size, size, false)                         \
    SIMGPU_VOLATILE(__tsan_unaligned_volatile_write##size, size, true)                         \
    SIMGPU_BOTH(__tsan_read_write##size, size)                                                 \
    SIMGPU_BOTH(__tsan_unaligned_read_write##size, size)

SIMGPU_CALLBACKS(1)
SIMGPU_CALLBACKS(2)
SIMGPU_CALLBACKS(4)
SIMGPU_CALLBACKS(8)
SIMGPU_CALLBACKS(16)

void __tsan_read_range(void *address, size_t size)
{
    if (Worker *w = tracing_worker)
        access_range(w, (uintptr_t)address, size, false, CALLER);
    else if (order_host_watched | short_copies)
        host_access((uintptr_t)address, size, false, CALLER);
}

void __tsan_write_range(void *address, size_t size)
{
    if (Worker *w = tracing_worker)
        access_range(w, (uintptr_t)address, size, true, CALLER);
    else if (order_host_watched | short_copies)
        host_access((uintptr_t)address, size, true, CALLER);
}

/* Clang copies and clears structures by these calls; GCC uses the two above. */
#define SIMGPU_COPY(name, look, copy)                                                          \
    void *name(void *to, const void *from, size_t size)                                        \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            look(w, (uintptr_t)from, size, false, CALLER);                                     \
            look(w, (uintptr_t)to, size, true, CALLER);                                        \
        } else if ((order_host_watched | short_copies) && size) {                              \
            host_access((uintptr_t)from, size, false, CALLER);                                 \
            host_access((uintptr_t)to, size, true, CALLER);                                    \
        }                                                                                      \
        return copy(to, from, size);                                                           \
    }
#define SIMGPU_CLEAR(name, look)                                                               \
    void *name(void *to, int value, size_t size)                                               \
    {                                                                                          \
        if (Worker *w = tracing_worker)                                                        \
            look(w, (uintptr_t)to, size, true, CALLER);                                        \
        else if ((order_host_watched | short_copies) && size)                                  \
            host_access((uintptr_t)to, size, true, CALLER);                                    \
        return memset(to, value, size);                                                        \
    }
SIMGPU_COPY(__tsan_memcpy, access_range, memcpy)
SIMGPU_COPY(__tsan_memmove, access_range, memmove)
SIMGPU_CLEAR(__tsan_memset, access_range)
/* The source's own calls of memcpy and the like: every byte counts, there are no gaps. */
SIMGPU_COPY(simgpu_traced_memcpy, access_bytes, memcpy)
SIMGPU_COPY(simgpu_traced_memmove, access_bytes, memmove)
SIMGPU_CLEAR(simgpu_traced_memset, access_bytes)

/* C++ atomics in host code of a traced source are not checked, except that a read before them
 * only guesses. */
static inline void host_atomic(const volatile void *address)
{
    if (__builtin_expect(!order_host_watched || this_worker, 1))
        return;
    if (const Alias *alias = alias_find((uintptr_t)address))
        order_host_atomic(alias->offset + ((uintptr_t)address - alias->begin));
}
#define SIMGPU_ATOMIC(bits, type, name, work)                                                  \
    type __tsan_atomic##bits##_##name(volatile type *a, type v, int)                           \
    {                                                                                          \
        host_atomic(a);                                                                        \
        return work(a, v, __ATOMIC_SEQ_CST);                                                   \
    }
#define SIMGPU_COMPARE(name, type)                                                             \
    int name(volatile type *a, type *c, type v, int, int)                                      \
    {                                                                                          \
        host_atomic(a);                                                                        \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                                  \
    }
#define SIMGPU_ATOMICS(bits, type)                                                             \
    type __tsan_atomic##bits##_load(const volatile type *a, int)                               \
    {                                                                                          \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                           \
    }                                                                                          \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int)                            \
    {                                                                                          \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                              \
    }                                                                                          \
    SIMGPU_ATOMIC(bits, type, exchange, __atomic_exchange_n)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_add, __atomic_fetch_add)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_sub, __atomic_fetch_sub)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_and, __atomic_fetch_and)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_or, __atomic_fetch_or)                                     \
    SIMGPU_ATOMIC(bits, type, fetch_xor, __atomic_fetch_xor)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_nand, __atomic_fetch_nand)                                 \
    SIMGPU_COMPARE(__tsan_atomic##bits##_compare_exchange_strong, type)                        \
    SIMGPU_COMPARE(__tsan_atomic##bits##_compare_exchange_weak, type)                          \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int,     \
                                                    int)                                       \
    {                                                                                          \
        host_atomic(a);                                                                        \
        __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
        return c;                                                                              \
    }

SIMGPU_ATOMICS(8, uint8_t)
SIMGPU_ATOMICS(16, uint16_t)
SIMGPU_ATOMICS(32, uint32_t)
SIMGPU_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

} // extern "C"

std::vector<uintptr_t> simgpu::tracer_calls()
{
#define SIMGPU_PLACES(size)                                                                    \
    (uintptr_t) __tsan_read##size, (uintptr_t)__tsan_write##size,                              \
        (uintptr_t)__tsan_unaligned_read##size, (uintptr_t)__tsan_unaligned_write##size,       \
        (uintptr_t)__tsan_volatile_read##size, (uintptr_t)__tsan_volatile_write##size,         \
        (uintptr_t)__tsan_unaligned_volatile_read##size,                                       \
        (uintptr_t)__tsan_unaligned_volatile_write##size, (uintptr_t)__tsan_read_write##size,  \
        (uintptr_t)__tsan_unaligned_read_write##size
    return {SIMGPU_PLACES(1),
            SIMGPU_PLACES(2),
            SIMGPU_PLACES(4),
            SIMGPU_PLACES(8),
            SIMGPU_PLACES(16),
            (uintptr_t)__tsan_read_range,
            (uintptr_t)__tsan_write_range};
}

extern "C" {

/* ---- what the headers call ---- */

#define SIMGPU_COPY_VECTOR(name, size)                                                         \
    void name(void *to, const void *from)                                                      \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            w->one_value = true;                                                               \
            rare_access(w, (uintptr_t)from, size, false, CALLER);                              \
            w->one_value = false;                                                              \
            rare_access(w, (uintptr_t)to, size, true, CALLER);                                 \
        } else if (order_host_watched | short_copies) {                                        \
            host_access((uintptr_t)from, size, false, CALLER);                                 \
            host_access((uintptr_t)to, size, true, CALLER);                                    \
        }                                                                                      \
        memcpy(to, from, size);                                                                \
    }
SIMGPU_COPY_VECTOR(simgpu_copy8, 8)
SIMGPU_COPY_VECTOR(simgpu_copy16, 16)

uint64_t simgpu_atomic(void *address, unsigned size, simgpu_atomic_op op, uint64_t operand,
                       uint64_t compare, int scope)
{
    Worker *w = this_worker;
    if (w && op == SIMGPU_COMPARE_AND_SWAP)
        note_guard(w, address);
    unsigned manner = strongly;
    manner |= scope == 1 ? within_block : plainly;
    manner |= op == SIMGPU_COMPARE_AND_SWAP ? comparing : plainly;
    manner |= op == SIMGPU_EXCHANGE ? replacing : plainly;
    atomic_access(address, size, CALLER, manner);
    uint64_t old = size == 2   ? update<uint16_t, int16_t>(address, op, operand, compare)
                   : size == 4 ? update<uint32_t, int32_t>(address, op, operand, compare)
                               : update<uint64_t, int64_t>(address, op, operand, compare);
    uint64_t offset;
    if (tracing_worker && global_offset(address, &offset))
        look_again(w, offset, true, op == SIMGPU_COMPARE_AND_SWAP);
    if (w && op == SIMGPU_COMPARE_AND_SWAP && old == compare)
        take_lock(w, address);
    /* The lock is taken, or the counter is only read: the thread may be waiting. */
    if (w && (op == SIMGPU_COMPARE_AND_SWAP ? old != compare
              : op == SIMGPU_EXCHANGE       ? old == operand
                                            : operand == 0))
        spin(w, address, pc_of(CALLER));
    return old;
}

} // extern "C"
