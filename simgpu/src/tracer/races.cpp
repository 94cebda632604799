/* SPDX-License-Identifier: MIT */
/** @file races.cpp
 * Races: the verdict about two accesses to a word that nothing orders, their message, and what
 * else may order them: flags, fences and locks.
 */
#include "src/tracer/touches.h"

namespace simgpu
{

namespace
{

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

FaultPlace race_place(uint32_t pc, bool write, bool strong, const Earlier &earlier)
{
    FaultPlace place;
    place.both_write = write && earlier.write;
    bool this_first = place.both_write ? pc <= earlier.pc : write;
    place.pc = this_first ? pc : earlier.pc;
    place.other_pc = this_first ? earlier.pc : pc;
    place.earlier_first = !this_first;
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

std::string thread_name(Worker *w, uint16_t thread)
{
    return thread >= several_in_warp ? "other threads" : thread_name(w->launch, thread);
}

/** While it exists, faults are attributed to another thread, which made the access in the
 * fault's line. */
struct As {
    Worker *w;
    const uint64_t block;
    const uint32_t thread;
    As(Worker *w, uint64_t by_block, uint32_t by_thread)
        : w(w), block(w->block), thread(w->current)
    {
        w->block = by_block;
        w->current = by_thread;
    }
    ~As()
    {
        w->block = block;
        w->current = thread;
    }
};

SIMGPU_COLD void report_race(Worker *w, simgpu_fault_kind kind, FaultPlace place,
                             uint16_t other, const std::string &where)
{
    Untraced quiet;
    place.order = program_order(w, place.pc, place.other_pc, other);
    As as(w, w->block, place.earlier_first && other < several_in_warp ? other : w->current);
    kernel_fault(
        w, kind, place,
        place.both_write
            ? place.pc == place.other_pc && kind == SIMGPU_RACE_GLOBAL
                  ? "and %s both write %s"
                  : "and %s write %s without a barrier between"
            : "and %s, one writing and one reading, touch %s without a barrier between",
        thread_name(w, w->current == as.thread ? other : (uint16_t)as.thread).c_str(),
        where.c_str());
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
    const Allocation *a = arena_find(offset);
    place.other_names = other_names(w->launch, offset);
    if (a && a->pitch)
        place.advice = kept(format("The rows of this memory begin %zu bytes apart. A longer "
                                   "row reaches into the next one.",
                                   a->pitch));
    bool known = other_serial > w->launch->first_serial;
    uint64_t block = known ? other_serial - w->launch->first_serial - 1 : 0;
    As as(w, place.earlier_first && known ? block : w->block, w->current);
    unsigned b[3];
    unflatten(w->block == as.block ? block : as.block, w->launch->desc.grid, b);
    std::string who =
        known ? format("block (%u,%u,%u)", b[0], b[1], b[2]) : std::string("other blocks");
    kernel_fault(w, SIMGPU_RACE_GLOBAL, place,
                 place.both_write
                     ? "and %s write %s in one launch"
                     : "and %s, one writing and one reading, touch %s in one launch",
                 who.c_str(), element_name(w->launch, offset, 0).c_str());
}

/** "tile[0][1]", or "the same bytes of dynamic shared memory (at byte 4)". */
std::string shared_name(Worker *w, uint32_t offset)
{
    std::string element = shared_element(w->launch, offset);
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    return !element.empty() ? element
                            : format("the same bytes of %s (at byte %u)",
                                     array ? array->name : "shared memory",
                                     array ? offset - array->offset : offset);
}

} // namespace

const unsigned char *shared_data(Worker *w, uint32_t offset)
{
    for (auto &[begin, site] : w->file_scope_shared)
        if (site->placed >> 32 == w->launch->id && offset - (uint32_t)site->placed < site->size)
            return (const unsigned char *)begin + (offset - (uint32_t)site->placed);
    return w->shared + offset;
}

static void report_block_race(Worker *w, FaultPlace place, uint16_t other, uint64_t offset,
                              bool shared)
{
    if (led_astray(w, w->serial, other))
        return;
    Untraced quiet;
    simgpu_fault_kind kind = shared ? SIMGPU_RACE_SHARED : SIMGPU_RACE_GLOBAL;
    unsigned warp = w->current / 32;
    if (other < several_in_warp ? other / 32u != warp : other != (several_in_warp | warp))
        place.evidence |= across_warps;
    if (counted_again(w, kind, place))
        return;
    if (!shared)
        place.other_names = other_names(w->launch, offset);
    report_race(w, kind, place, other,
                shared ? shared_name(w, (uint32_t)offset) : element_name(w->launch, offset, 0));
}

/** Defers the verdict until after the store: storing the value that is already there is
 * harmless. */
static SIMGPU_COLD void judge_later(Worker *w, const FaultPlace &place, uint16_t other,
                                    uint32_t other_serial, uint64_t offset, unsigned size,
                                    bool shared)
{
    const unsigned char *address = shared ? shared_data(w, (uint32_t)offset) : data_at(offset);
    SameValue &s = w->same_value[w->same_value_count++];
    s = {address, {}, (uint8_t)size, place, other, offset, other_serial, shared};
    memcpy(s.before, address, size);
}

SIMGPU_COLD void block_race(Worker *w, uint32_t pc, bool write, bool strong,
                            const Earlier &earlier, uint64_t offset, unsigned size, bool shared)
{
    if (earlier.thread == copy_engine)
        return copy_race(w, pc, write, earlier.pc, (uint32_t)offset);
    if (earlier.thread == other_block)
        return cluster_race(w, pc, write, earlier.pc, earlier.write, (uint32_t)offset);
    FaultPlace place = race_place(pc, write, strong, earlier);
    /* The lanes of a warp store at the same time: one value for all is a clear outcome. */
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
static SIMGPU_COLD bool flag_without_fence(Worker *w, const Earlier &earlier,
                                           uint32_t other_serial)
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

SIMGPU_COLD bool after_plain_write(Worker *w, const GlobalTouch &t, uint64_t offset)
{
    if (t.flags & touch_strong_write)
        return t.flags & touch_modified;
    std::lock_guard<std::mutex> lock(w->launch->plain_mutex);
    w->launch->plain_writes[offset] = {t.writing_block, t.write_time, t.write_pc};
    return true;
}

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

/* ---- locks ---- */

/** Records the first access of a critical section if no fence followed taking the lock. */
static void remember_unfenced(Worker *w, uint64_t offset, const Access &a)
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

SIMGPU_COLD void judge_left_out(Worker *w, LocalFault &fault)
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

} // namespace simgpu
