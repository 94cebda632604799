/**
 * @file tracer.cpp
 * What the traced build of a kernel calls at each of its loads and stores.
 *
 * That build is compiled with -fsanitize=thread, which makes the compiler insert a call to
 * __tsan_read4(address) and the like before each access. The functions of these names below are
 * ours; ThreadSanitizer's own library is not linked. Each call finds out whose memory the address
 * is, checks the access, and writes it to the running thread's log, from which counts.cpp counts.
 */
#include "internal.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

/* ---- logs ---------------------------------------------------------------------------------- */

SIMGPU_COLD void grow_log(Worker *w, Thread *thread)
{
    size_t used = (size_t)(thread->log_end - thread->log);
    if (used >= last_log_capacity) {
        wait_for_log(w); /* comes back with an empty log */
        used = 0;
    }
    if (used == 0 && !w->free_logs.empty()) {
        auto [log, capacity] = w->free_logs.back();
        w->free_logs.pop_back();
        thread->log = thread->log_at = log;
        thread->log_end = log + capacity;
        return;
    }
    size_t capacity = used ? used * 2 : first_log_capacity;
    Event *log = static_cast<Event *>(realloc(thread->log, capacity * sizeof(Event)));
    if (!log) {
        fprintf(stderr, "simgpu: no memory for the log of accesses\n");
        exit(3);
    }
    thread->log = log;
    thread->log_at = log + used;
    thread->log_end = log + capacity;
}

SIMGPU_HOT void log_access(Worker *w, Op op, unsigned size, uint64_t address, uint32_t pc)
{
    Thread *thread = w->now;
    if (__builtin_expect(thread->log_at == thread->log_end, 0))
        grow_log(w, thread);
    Event *e = thread->log_at++;
    e->address = address;
    e->pc = pc;
    e->op = op;
    e->size = (uint8_t)size;
    e->unused = 0;
}

/* ---- faults ---------------------------------------------------------------------------------- */

SIMGPU_COLD void misaligned(Worker *w, uint32_t pc, Op op, unsigned size, uint64_t offset)
{
    FaultPlace place;
    place.pc = pc;
    kernel_fault(w, SIMGPU_MISALIGNED, place,
                 "%s %u bytes at an address that is not a multiple of %u (it is %u modulo %u)",
                 verb(op), size, size, (unsigned)(offset % size), size);
    abort_launch(w, cudaErrorMisalignedAddress);
}

SIMGPU_COLD void outside_global(Worker *w, uint32_t pc, Op op, unsigned size, uint64_t offset)
{
    FaultPlace place;
    place.pc = pc;
    const Allocation *a = arena_nearest(offset);
    if (!a) {
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                     "%s %u bytes of device memory, of which none is allocated", verb(op), size);
    } else {
        std::string owner = format("the %llu bytes", (unsigned long long)a->size);
        if (a->file)
            owner += format(" allocated at %s:%d", display_path(a->file).c_str(), a->line);
        if (offset >= a->offset && offset < a->offset + a->size && a->freed)
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                         "%s %u bytes at byte %llu of %s, which are freed", verb(op), size,
                         (unsigned long long)(offset - a->offset), owner.c_str());
        else if (offset < a->offset)
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place, "%s %u bytes, %llu bytes before %s",
                         verb(op), size, (unsigned long long)(a->offset - offset), owner.c_str());
        else
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place, "%s %u bytes at byte %llu of %s",
                         verb(op), size, (unsigned long long)(offset - a->offset), owner.c_str());
    }
    abort_launch(w, cudaErrorIllegalAddress);
}

SIMGPU_COLD void outside_shared(Worker *w, uint32_t pc, Op op, unsigned size, uint32_t offset)
{
    FaultPlace place;
    place.pc = pc;
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    if (!array)
        kernel_fault(
            w, SIMGPU_OUT_OF_BOUNDS_SHARED, place,
            "%s %u bytes of shared memory, but the launch asks for no dynamic shared memory: "
            "the third value between <<< and >>> is missing",
            verb(op), size);
    else if (offset < array->offset)
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED, place,
                     "%s %u bytes, %u bytes before %s (%zu bytes)", verb(op), size,
                     array->offset - offset, array->name, array->size);
    else
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED, place,
                     "%s %u bytes at byte %u of %s, which has %zu bytes", verb(op), size,
                     offset - array->offset, array->name, array->size);
    abort_launch(w, cudaErrorIllegalAddress);
}

SIMGPU_COLD void global_race(Worker *w, uint32_t write_pc, uint32_t other_pc, bool both_write,
                             uint32_t other_serial, uint64_t offset)
{
    FaultPlace place;
    place.pc = both_write ? std::min(write_pc, other_pc) : write_pc;
    place.other_pc = both_write ? std::max(write_pc, other_pc) : other_pc;
    const Allocation *a = arena_find(offset);
    std::string who = "other blocks";
    if (other_serial > w->launch->first_serial) {
        unsigned b[3];
        unflatten(other_serial - w->launch->first_serial - 1, w->launch->desc.grid, b);
        who = format("block (%u,%u,%u)", b[0], b[1], b[2]);
    }
    kernel_fault(w, SIMGPU_RACE_GLOBAL, place,
                 both_write ? "and %s write the same bytes (at byte %llu of %llu) in one launch"
                            : "and %s, one writing and one reading, touch the same bytes (at byte "
                              "%llu of %llu) in one launch",
                 who.c_str(), (unsigned long long)(a ? offset - a->offset : offset),
                 (unsigned long long)(a ? a->size : 0));
}

SIMGPU_COLD void shared_race(Worker *w, uint32_t write_pc, uint32_t other_pc, bool both_write,
                             uint16_t other, uint32_t offset)
{
    FaultPlace place;
    place.pc = both_write ? std::min(write_pc, other_pc) : write_pc;
    place.other_pc = both_write ? std::max(write_pc, other_pc) : other_pc;
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    std::string who = "other threads";
    if (other < readers_of_warp) {
        unsigned t[3];
        unflatten(other, w->launch->desc.block, t);
        who = format("thread (%u,%u,%u)", t[0], t[1], t[2]);
    }
    kernel_fault(w, SIMGPU_RACE_SHARED, place,
                 both_write
                     ? "and %s write the same bytes of %s (at byte %u) without a barrier between"
                     : "and %s, one writing and one reading, touch the same bytes of %s (at byte "
                       "%u) without a barrier between",
                 who.c_str(), array ? array->name : "shared memory",
                 array ? offset - array->offset : offset);
}

/* ---- global memory --------------------------------------------------------------------------- */

/** A read of a word that is not simply written: says what it is, or returns if it is in order. */
SIMGPU_COLD void unusual_word(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc)
{
    uint8_t &state = arena.state[offset / 4];
    switch (state) {
    case state_unwritten:
        state = state_suspect;
        w->global_suspects.push_back({offset, pc, w->current, w->block, (uint8_t)size});
        return;
    case state_suspect:
        return;
    case state_tail: {
        const Allocation *a = arena_find(offset);
        if (a && offset + std::min(size, 4u) <= a->offset + a->size)
            return;
        break;
    }
    default:
        break;
    }
    outside_global(w, pc, op, size, offset);
}

SIMGPU_COLD void write_unusual_word(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc)
{
    uint8_t &state = arena.state[offset / 4];
    if (state == state_unwritten || state == state_suspect)
        state = state_written;
    else
        unusual_word(w, offset, size, op, pc);
}

SIMGPU_HOT void note_global_read(Worker *w, GlobalShadow &s, uint64_t offset, uint32_t pc)
{
    uint32_t me = w->serial, many = w->launch->first_serial;
    uint32_t reader = s.reader.load(std::memory_order_relaxed);
    while (reader != me && reader != many) {
        uint32_t next = reader < many ? me : many;
        if (s.reader.compare_exchange_weak(reader, next)) {
            __atomic_store_n(&s.reader_pc, pc, __ATOMIC_RELAXED);
            break;
        }
    }
    uint32_t writer = s.writer.load();
    if (__builtin_expect(writer > many && writer != me, 0))
        global_race(w, __atomic_load_n(&s.writer_pc, __ATOMIC_RELAXED), pc, false, writer, offset);
}

SIMGPU_HOT void note_global_write(Worker *w, GlobalShadow &s, uint64_t offset, uint32_t pc)
{
    uint32_t me = w->serial, many = w->launch->first_serial;
    uint32_t writer = s.writer.load(std::memory_order_relaxed);
    uint32_t other_pc = __atomic_load_n(&s.writer_pc, __ATOMIC_RELAXED);
    __atomic_store_n(&s.writer_pc, pc, __ATOMIC_RELAXED);
    if (writer != me) {
        /* An exchange, so that of two blocks that meet here one sees the other for certain. */
        writer = s.writer.exchange(me);
        if (__builtin_expect(writer > many && writer != me, 0))
            global_race(w, pc, other_pc, true, writer, offset);
    }
    uint32_t reader = s.reader.load();
    if (__builtin_expect(reader >= many && reader != me, 0))
        global_race(w, pc, __atomic_load_n(&s.reader_pc, __ATOMIC_RELAXED), false, reader, offset);
}

SIMGPU_HOT void global_access(Worker *w, uint64_t offset, unsigned size, Op op, uint32_t pc)
{
    if (__builtin_expect(offset & (size - 1), 0))
        misaligned(w, pc, op, size, offset);
    uint64_t word = offset / 4;
    unsigned words = size < 4 ? 1 : size / 4;
    bool load = op == Op::global_load || op == Op::texture;
    for (unsigned i = 0; i < words; i++) {
        if (__builtin_expect(arena.state[word + i] != state_written, 0)) {
            if (op == Op::global_store)
                write_unusual_word(w, offset + 4 * i, size, op, pc);
            else
                unusual_word(w, offset + 4 * i, size, op, pc);
            if (op == Op::global_atomic && arena.state[word + i] == state_suspect)
                arena.state[word + i] = state_written;
        }
    }
    if (size >= 4 && op != Op::global_atomic) {
        for (unsigned i = 0; i < words; i++) {
            if (load)
                note_global_read(w, arena.shadow[word + i], offset + 4 * i, pc);
            else
                note_global_write(w, arena.shadow[word + i], offset + 4 * i, pc);
        }
    }
    if (w->counting)
        log_access(w, op, size, offset, pc);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/** Was an access of thread `other` at `time` before the last barrier of the running thread's warp,
 *  which it shares? */
SIMGPU_HOT bool ordered_by_warp(Worker *w, unsigned other_warp, uint32_t time)
{
    return other_warp == w->current / 32 && time < w->warps[other_warp].sync_time;
}

SIMGPU_HOT void note_shared_read(Worker *w, SharedShadow &s, uint32_t offset, uint8_t bytes,
                                 unsigned size, uint32_t pc)
{
    uint16_t me = (uint16_t)w->current;
    if (s.write_time >= w->phase_start) {
        if (s.writer != me && (s.write_bytes & bytes) &&
            !ordered_by_warp(w, s.writer / 32, s.write_time))
            shared_race(w, s.write_pc, pc, false, s.writer, offset);
    } else if (__builtin_expect(s.write_time < w->block_start && !s.suspect, 0)) {
        s.suspect = 1;
        w->shared_suspects.push_back({offset, pc, w->current, w->block, (uint8_t)size});
    }
    if (s.read_time < w->phase_start) {
        s.reader = me;
        s.read_bytes = bytes;
        s.read_pc = pc;
    } else if (s.reader != me) {
        uint16_t warp = (uint16_t)(readers_of_warp | me / 32);
        bool same_warp =
            s.reader == warp || (s.reader < readers_of_warp && s.reader / 32 == me / 32);
        s.reader = same_warp ? warp : readers_of_block;
        s.read_bytes |= bytes;
    }
    s.read_time = w->clock;
}

SIMGPU_HOT void note_shared_write(Worker *w, SharedShadow &s, uint32_t offset, uint8_t bytes,
                                  uint32_t pc)
{
    uint16_t me = (uint16_t)w->current;
    bool written = s.write_time >= w->phase_start;
    if (written && s.writer != me && (s.write_bytes & bytes) &&
        !ordered_by_warp(w, s.writer / 32, s.write_time))
        shared_race(w, pc, s.write_pc, true, s.writer, offset);
    if (s.read_time >= w->phase_start && s.reader != me && (s.read_bytes & bytes)) {
        unsigned warp = s.reader < readers_of_warp ? s.reader / 32u : s.reader & 0x7fffu;
        if (!ordered_by_warp(w, warp, s.read_time))
            shared_race(w, pc, s.read_pc, false, s.reader, offset);
    }
    s.write_bytes = written && s.writer == me ? s.write_bytes | bytes : bytes;
    s.writer = me;
    s.write_pc = pc;
    s.write_time = w->clock;
}

SIMGPU_HOT void shared_access(Worker *w, uint32_t offset, unsigned size, Op op, uint32_t pc)
{
    if (__builtin_expect(offset & (size - 1), 0))
        misaligned(w, pc, op, size, offset);
    unsigned words = size < 4 ? 1 : size / 4;
    uint8_t bytes = size < 4 ? (uint8_t)(((1u << size) - 1) << (offset & 3)) : 15;
    SharedShadow *s = w->shared_shadow + offset / 4;
    for (unsigned i = 0; i < words; i++) {
        if (__builtin_expect(!s[i].valid, 0)) {
            trace_new_shared_arrays(w);
            if (!s[i].valid)
                outside_shared(w, pc, op, size, offset + 4 * i);
        }
        if (op == Op::shared_load) {
            note_shared_read(w, s[i], offset + 4 * i, bytes, size, pc);
        } else if (op == Op::shared_store) {
            note_shared_write(w, s[i], offset + 4 * i, bytes, pc);
        } else if (s[i].write_time < w->block_start) {
            /* An atomic reads first; then the word is written, by nobody it could race with. */
            if (!s[i].suspect) {
                s[i].suspect = 1;
                w->shared_suspects.push_back(
                    {offset + 4 * i, pc, w->current, w->block, (uint8_t)size});
            }
            s[i].write_time = w->block_start;
            s[i].writer = (uint16_t)w->current;
        }
    }
    if (w->counting)
        log_access(w, op, size, offset, pc);
}

/* ---- everything else ------------------------------------------------------------------------- */

SIMGPU_COLD void other_access(Worker *w, uintptr_t address, unsigned size, bool write, uint32_t pc)
{
    const simgpu_launch_desc &d = w->launch->desc;
    if (address - (uintptr_t)d.closure < d.closure_size)
        return; /* a kernel parameter */
    if (address - (uintptr_t)&simgpu_builtins < sizeof simgpu_builtins)
        return;
    if (!write && (is_read_only(address) || is_constant_memory(address)))
        return;
    FaultPlace place;
    place.pc = pc;
    if (fiber_guards(w->running, address)) {
        kernel_fault(w, SIMGPU_STACK_OVERFLOW, place,
                     "needs more memory for its own variables than it has");
        abort_launch(w, cudaErrorLaunchFailure);
    }
    const char *does = write ? "writes" : "reads";
    if (address < 65536)
        kernel_fault(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                     "%s %u bytes at address %#llx: a null pointer", does, size,
                     (unsigned long long)address);
    else if (is_constant_memory(address))
        kernel_fault(w, SIMGPU_DEVICE_TOUCHES_HOST, place, "writes to a __constant__ variable");
    else
        kernel_fault(w, SIMGPU_DEVICE_TOUCHES_HOST, place, "%s %u bytes of the host's memory", does,
                     size);
    abort_launch(w, cudaErrorIllegalAddress);
}

SIMGPU_HOT void access(Worker *w, uintptr_t address, unsigned size, bool write,
                       uintptr_t return_address)
{
    if (address - w->stack_low < fiber_stack_bytes)
        return; /* the thread's own variables */
    uint32_t pc = pc_of(return_address);
    uint64_t shared = address - (uintptr_t)w->shared;
    if (shared < shared_span) {
        shared_access(w, (uint32_t)shared, size, write ? Op::shared_store : Op::shared_load, pc);
        return;
    }
    uint64_t global = address - (uintptr_t)arena.base;
    if (global < arena.size) {
        global_access(w, global, size, write ? Op::global_store : Op::global_load, pc);
        return;
    }
    other_access(w, address, size, write, pc);
}

/** An access of unusual length: as the hardware would do it, word by word. */
void access_range(Worker *w, uintptr_t address, size_t size, bool write, uintptr_t return_address)
{
    unsigned step = (address | size) % 4 == 0 ? 4 : 1;
    for (size_t i = 0; i < size; i += step)
        access(w, address + i, step, write, return_address);
}

} // namespace

void trace_texture(uintptr_t address, unsigned size, uintptr_t return_address)
{
    if (Worker *w = tracing_worker)
        global_access(w, address - (uintptr_t)arena.base, size, Op::texture, pc_of(return_address));
}

void trace_new_shared_arrays(Worker *w)
{
    std::lock_guard<std::mutex> lock(w->launch->shared_mutex);
    for (; w->shared_known < w->launch->shared_arrays.size(); w->shared_known++) {
        const SharedArray &array = w->launch->shared_arrays[w->shared_known];
        for (uint32_t i = array.offset / 4; i < (array.offset + array.size + 3) / 4; i++)
            w->shared_shadow[i].valid = 1;
    }
}

void trace_block_begin(Worker *w)
{
    if (w->clock > 0xf0000000u) { /* the clock is about to wrap: forget all times */
        memset(w->shared_shadow, 0, shared_span / 4 * sizeof(SharedShadow));
        w->clock = 1;
        w->shared_known = 0;
        trace_new_shared_arrays(w);
    }
    w->block_start = ++w->clock;
    w->phase_start = ++w->clock;
    w->capturing_block = settings.capturing && w->counting && w->block == settings.capture_block;
}

void trace_thread_stopped(Worker *w, uint32_t thread)
{
    Warp &warp = w->warps[thread / 32];
    uint32_t lanes = std::min(32u, w->threads_count - thread / 32 * 32);
    if (++warp.stopped == lanes) {
        warp.stopped = 0;
        if (w->counting)
            count_warp(w, thread / 32);
    }
}

void trace_phase_end(Worker *w)
{
    for (const Suspect &suspect : w->shared_suspects) {
        SharedShadow &s = w->shared_shadow[suspect.address / 4];
        s.suspect = 0;
        /* If another thread wrote it in the same phase, that was reported as a race. */
        if (s.write_time >= w->phase_start && s.writer != suspect.thread)
            continue;
        const SharedArray *array = nearest_shared_array(w->launch, (uint32_t)suspect.address);
        FaultPlace place;
        place.pc = suspect.pc;
        kernel_fault_at(w->launch, SIMGPU_UNINITIALISED_SHARED, place, suspect.block,
                        suspect.thread,
                        "reads %u bytes at byte %u of %s, which no thread of the block has written",
                        suspect.size, (unsigned)suspect.address - (array ? array->offset : 0),
                        array ? array->name : "shared memory");
    }
    w->shared_suspects.clear();
    w->phase_start = ++w->clock;
}

void trace_launch_end(Worker *w)
{
    /* After an abort: what is left in the logs belongs to nothing. */
    for (Thread &thread : w->threads)
        thread.log_at = thread.log;
    for (const Suspect &suspect : w->shared_suspects)
        w->shared_shadow[suspect.address / 4].suspect = 0;
    w->shared_suspects.clear();
    for (unsigned i = 0; i < w->shared_known; i++) {
        const SharedArray &array = w->launch->shared_arrays[i];
        for (uint32_t j = array.offset / 4; j < (array.offset + array.size + 3) / 4; j++)
            w->shared_shadow[j].valid = 0;
    }
    w->shared_known = 0;
    std::lock_guard<std::mutex> lock(w->launch->suspects_mutex);
    w->sites.merge_into(total_sites);
    captured.insert(captured.end(), w->captures.begin(), w->captures.end());
    w->captures.clear();
    std::vector<Suspect> &all = w->launch->suspects;
    all.insert(all.end(), w->global_suspects.begin(), w->global_suspects.end());
    w->global_suspects.clear();
}

void trace_judge_suspects(Launch *launch)
{
    for (const Suspect &suspect : launch->suspects) {
        uint8_t &state = arena.state[suspect.address / 4];
        uint32_t writer = arena.shadow[suspect.address / 4].writer;
        if (state == state_suspect)
            state = state_unwritten;
        /* If another block wrote it in this launch, that was reported as a race. */
        if (writer > launch->first_serial && writer != launch->first_serial + 1 + suspect.block)
            continue;
        const Allocation *a = arena_find(suspect.address);
        FaultPlace place;
        place.pc = suspect.pc;
        kernel_fault_at(
            launch, SIMGPU_UNINITIALISED_GLOBAL, place, suspect.block, suspect.thread,
            "reads %u bytes at byte %llu of %llu, which nobody has written since cudaMalloc",
            suspect.size, (unsigned long long)(suspect.address - (a ? a->offset : 0)),
            (unsigned long long)(a ? a->size : 0));
    }
    launch->suspects.clear();
}

/** The checks and the log entry of an atomic operation. */
static void atomic_access(void *address, unsigned size, uintptr_t return_address)
{
    Worker *w = tracing_worker;
    if (!w)
        return;
    uint64_t shared = (uintptr_t)address - (uintptr_t)w->shared;
    uint64_t global = (uintptr_t)address - (uintptr_t)arena.base;
    if (shared < shared_span)
        shared_access(w, (uint32_t)shared, size, Op::shared_atomic, pc_of(return_address));
    else if (global < arena.size)
        global_access(w, global, size, Op::global_atomic, pc_of(return_address));
    else
        access(w, (uintptr_t)address, size, true, return_address);
}

/** Compare-and-swap until nobody came between. */
template <class T, class Bits, class F> static T atomic_update(T *address, F change)
{
    Bits *bits = reinterpret_cast<Bits *>(address), old = __atomic_load_n(bits, __ATOMIC_RELAXED),
         next;
    T value, changed;
    do {
        memcpy(&value, &old, sizeof value);
        changed = change(value);
        memcpy(&next, &changed, sizeof next);
    } while (
        !__atomic_compare_exchange_n(bits, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return value;
}

} // namespace simgpu

using namespace simgpu;

#define CALLER ((uintptr_t)__builtin_return_address(0))

extern "C" {

/* ---- what -fsanitize=thread calls ---- */

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}

#define SIMGPU_CALLBACK(name, size, write)                                                         \
    void name(void *address)                                                                       \
    {                                                                                              \
        if (Worker *w = tracing_worker)                                                            \
            access(w, (uintptr_t)address, size, write, CALLER);                                    \
    }
#define SIMGPU_CALLBACKS(size)                                                                     \
    SIMGPU_CALLBACK(__tsan_read##size, size, false)                                                \
    SIMGPU_CALLBACK(__tsan_write##size, size, true)                                                \
    SIMGPU_CALLBACK(__tsan_unaligned_read##size, size, false)                                      \
    SIMGPU_CALLBACK(__tsan_unaligned_write##size, size, true)                                      \
    SIMGPU_CALLBACK(__tsan_volatile_read##size, size, false)                                       \
    SIMGPU_CALLBACK(__tsan_volatile_write##size, size, true)                                       \
    SIMGPU_CALLBACK(__tsan_unaligned_volatile_read##size, size, false)                             \
    SIMGPU_CALLBACK(__tsan_unaligned_volatile_write##size, size, true)                             \
    void __tsan_read_write##size(void *address)                                                    \
    {                                                                                              \
        if (Worker *w = tracing_worker) {                                                          \
            access(w, (uintptr_t)address, size, false, CALLER);                                    \
            access(w, (uintptr_t)address, size, true, CALLER);                                     \
        }                                                                                          \
    }                                                                                              \
    void __tsan_unaligned_read_write##size(void *address)                                          \
    {                                                                                              \
        if (Worker *w = tracing_worker) {                                                          \
            access(w, (uintptr_t)address, size, false, CALLER);                                    \
            access(w, (uintptr_t)address, size, true, CALLER);                                     \
        }                                                                                          \
    }

SIMGPU_CALLBACKS(1)
SIMGPU_CALLBACKS(2)
SIMGPU_CALLBACKS(4)
SIMGPU_CALLBACKS(8)
SIMGPU_CALLBACKS(16)

void __tsan_read_range(void *address, size_t size)
{
    if (Worker *w = tracing_worker)
        access_range(w, (uintptr_t)address, size, false, CALLER);
}

void __tsan_write_range(void *address, size_t size)
{
    if (Worker *w = tracing_worker)
        access_range(w, (uintptr_t)address, size, true, CALLER);
}

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    if (Worker *w = tracing_worker) {
        access_range(w, (uintptr_t)from, size, false, CALLER);
        access_range(w, (uintptr_t)to, size, true, CALLER);
    }
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
    if (Worker *w = tracing_worker) {
        access_range(w, (uintptr_t)from, size, false, CALLER);
        access_range(w, (uintptr_t)to, size, true, CALLER);
    }
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size)
{
    if (Worker *w = tracing_worker)
        access_range(w, (uintptr_t)to, size, true, CALLER);
    return memset(to, value, size);
}

/* Atomics of the C++ language, in host code of a traced source: they only do their work. */
#define SIMGPU_ATOMICS(bits, type)                                                                 \
    type __tsan_atomic##bits##_load(const volatile type *a, int)                                   \
    {                                                                                              \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int)                                \
    {                                                                                              \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                  \
    }                                                                                              \
    type __tsan_atomic##bits##_exchange(volatile type *a, type v, int)                             \
    {                                                                                              \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_add(volatile type *a, type v, int)                            \
    {                                                                                              \
        return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_sub(volatile type *a, type v, int)                            \
    {                                                                                              \
        return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_and(volatile type *a, type v, int)                            \
    {                                                                                              \
        return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    type __tsan_atomic##bits##_fetch_or(volatile type *a, type v, int)                             \
    {                                                                                              \
        return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                          \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *a, type *c, type v, int, int) \
    {                                                                                              \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *a, type *c, type v, int, int)   \
    {                                                                                              \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    }                                                                                              \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int, int)    \
    {                                                                                              \
        __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
        return c;                                                                                  \
    }

SIMGPU_ATOMICS(8, uint8_t)
SIMGPU_ATOMICS(16, uint16_t)
SIMGPU_ATOMICS(32, uint32_t)
SIMGPU_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- what the headers call ---- */

void simgpu_copy8(void *to, const void *from)
{
    if (Worker *w = tracing_worker) {
        access(w, (uintptr_t)from, 8, false, CALLER);
        access(w, (uintptr_t)to, 8, true, CALLER);
    }
    memcpy(to, from, 8);
}

void simgpu_copy16(void *to, const void *from)
{
    if (Worker *w = tracing_worker) {
        access(w, (uintptr_t)from, 16, false, CALLER);
        access(w, (uintptr_t)to, 16, true, CALLER);
    }
    memcpy(to, from, 16);
}

int simgpu_atomic_add_int(int *p, int v)
{
    atomic_access(p, sizeof *p, CALLER);
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

unsigned simgpu_atomic_add_unsigned(unsigned *p, unsigned v)
{
    atomic_access(p, sizeof *p, CALLER);
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

unsigned long long simgpu_atomic_add_ull(unsigned long long *p, unsigned long long v)
{
    atomic_access(p, sizeof *p, CALLER);
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

float simgpu_atomic_add_float(float *p, float v)
{
    atomic_access(p, sizeof *p, CALLER);
    return atomic_update<float, uint32_t>(p, [v](float old) { return old + v; });
}

double simgpu_atomic_add_double(double *p, double v)
{
    atomic_access(p, sizeof *p, CALLER);
    return atomic_update<double, uint64_t>(p, [v](double old) { return old + v; });
}

int simgpu_atomic_max_int(int *p, int v)
{
    atomic_access(p, sizeof *p, CALLER);
    return atomic_update<int, uint32_t>(p, [v](int old) { return std::max(old, v); });
}

int simgpu_atomic_min_int(int *p, int v)
{
    atomic_access(p, sizeof *p, CALLER);
    return atomic_update<int, uint32_t>(p, [v](int old) { return std::min(old, v); });
}

int simgpu_atomic_exchange_int(int *p, int v)
{
    atomic_access(p, sizeof *p, CALLER);
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}

int simgpu_atomic_cas_int(int *p, int expected, int v)
{
    atomic_access(p, sizeof *p, CALLER);
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

} // extern "C"
