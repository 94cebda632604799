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
#include "src/streams/order.h"
#include "src/tracer/touches.h"

namespace simgpu
{

constexpr size_t first_log_capacity = 1024, last_log_capacity = 256 << 10;

/* ---- logs ---- */

static SIMGPU_COLD void grow_log(Worker *w, Thread *thread)
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

static SIMGPU_HOT void log_access(Worker *w, Op op, unsigned size, uint64_t address,
                                  uint32_t pc)
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
    if (w->capturing_block)
        note_step(w, (unsigned)op, size, address, pc);
}

/* ---- global memory ---- */

/** Checks one word or byte of device memory. The caller holds the word's lock. */
static SIMGPU_HOT void note_global(Worker *w, GlobalTouch &t, uint64_t offset, unsigned size,
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

/** After the first access smaller than a word, its bytes are tracked one by one. */
template <class T> static SIMGPU_COLD void split(T &word, T *bytes)
{
    for (unsigned i = 0; i < 4; i++)
        memcpy((void *)&bytes[i], (const void *)&word, sizeof word);
    word.flags |= touch_split;
}

static SIMGPU_HOT void note_global_word(Worker *w, uint64_t offset, unsigned size,
                                        const Access &a)
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

static SIMGPU_HOT void global_access(Worker *w, uint64_t offset, unsigned size, Op op,
                                     uint32_t pc, unsigned manner = plainly)
{
    if (__builtin_expect(offset & (size - 1), 0))
        misaligned(w, pc, op, size, offset);
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

static SIMGPU_HOT void note_shared(Worker *w, Touch &t, uint32_t offset, unsigned size,
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

static SIMGPU_HOT void shared_access(Worker *w, uint32_t offset, unsigned size, Op op,
                                     uint32_t pc)
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
    if (__builtin_expect(w->async_copies.count, 0) && !store)
        async_read(w, shared_data(w, offset), size, pc);
    if (__builtin_expect(w->copies_run, 0))
        copy_meets(w, offset, size, store, pc);
    if (w->counting)
        log_access(w, op, size, offset, pc);
}

/* ---- everything else ---- */

[[gnu::noinline]] void rare_shared_access(Worker *w, uint32_t offset, unsigned size, Op op,
                                          uint32_t pc)
{
    shared_access(w, offset, size, op, pc);
}

[[gnu::noinline]] void rare_global_access(Worker *w, uint64_t offset, unsigned size, Op op,
                                          uint32_t pc, unsigned manner)
{
    global_access(w, offset, size, op, pc, manner);
}

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

static SIMGPU_COLD void other_access(Worker *w, uintptr_t address, unsigned size, bool write,
                                     uint32_t pc)
{
    for (uintptr_t pointer : w->file_scope_dynamic)
        if (address == pointer)
            return;
    if (outer_shared_access(w, address, size, write ? Op::shared_store : Op::shared_load, pc))
        return;
    if (w->proxy && peer_access(w, address, size, {pc, !write, write, false}))
        return;
    if (const Alias *alias = alias_at((const void *)address)) {
        rare_global_access(w, alias->offset_of(address), size,
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

static SIMGPU_HOT void access(Worker *w, uintptr_t address, unsigned size, bool write,
                              uintptr_t return_address)
{
    settle_last(w);
    uint32_t pc = pc_of(return_address);
    if (address - w->stack_low < fiber_stack_bytes) { /* the thread's own variables */
        if (__builtin_expect(w->products_run, 0))
            product_meets(w, address, size, pc);
        return;
    }
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
static void access_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                         uintptr_t return_address)
{
    unsigned step = (address | size) % 4 == 0 ? 4 : 1;
    w->in_copy = true;
    for (size_t i = 0; i < size; i += step)
        rare_access(w, address + i, step, write, return_address);
    w->in_copy = false;
}

/** An access of unusual length. Hardware would do it word by word. */
void trace_range(Worker *w, uintptr_t address, size_t size, bool write,
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

/** After a call of the tracer, the access itself comes (unseen.cpp). */
static SIMGPU_HOT void announce(Worker *w, const void *address, size_t size, bool write)
{
    Announced *next = w->last_announced + 1;
    w->last_announced = next = next == w->announced + 8 ? w->announced : next;
    *next = {(uintptr_t)address, size, size, write};
}

void trace_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                 uintptr_t return_address)
{
    if ((size != 4 && size != 8 && size != 16) || address % size) {
        access_bytes(w, address, size, write, return_address);
        return;
    }
    w->one_value = w->in_copy = true;
    rare_access(w, address, (unsigned)size, write, return_address);
    w->one_value = w->in_copy = false;
}

void trace_texture(uintptr_t address, unsigned size, uintptr_t return_address)
{
    if (Worker *w = tracing_worker)
        rare_global_access(w, address - (uintptr_t)arena.base, size, Op::texture,
                           pc_of(return_address));
}

/** A volatile access. To global memory it is as strong as an atomic. */
static void volatile_access(Worker *w, void *address, unsigned size, bool write,
                            uintptr_t return_address)
{
    uint64_t global;
    if (device_offset(address, &global)) {
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
            order_host_access(alias->offset_of(address),
                              std::min<size_t>(size, alias->begin + alias->size - address),
                              write, pc_of(return_address));
        return;
    }
    const Allocation *a = arena_find(alias->offset);
    host_fault(SIMGPU_HOST_TOUCHES_DEVICE,
               at_pc(pc_of(return_address), "On the host a __device__ variable is only a name: "
                                            "use cudaMemcpyToSymbol and cudaMemcpyFromSymbol."),
               nullptr, "host code %s the __device__ variable %s", write ? "writes" : "reads",
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
    if (Worker *w = tracing_worker) {
#ifdef __wasm__
        forget_host_object(pointer);
#endif
        rare_access(w, (uintptr_t)pointer, sizeof *pointer, true, CALLER);
        announce(w, pointer, sizeof *pointer, true);
    }
}
void __tsan_vptr_read(void **pointer)
{
    if (Worker *w = tracing_worker) {
        rare_access(w, (uintptr_t)pointer, sizeof *pointer, false, CALLER);
        announce(w, pointer, sizeof *pointer, false);
#ifdef __wasm__
        if (in_host_table((uintptr_t)pointer)) {
            if (!stray_is_told(w))
                tell_foreign(w, (uintptr_t)pointer, sizeof *pointer, false, {CALLER_PC});
            leave_block(w);
        }
#endif
    }
}

#define SIMGPU_CALLBACK(name, size, write)                                                     \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            if (size != 4)                                                                     \
                rare_access(w, (uintptr_t)address, size, write, CALLER);                       \
            else                                                                               \
                access(w, (uintptr_t)address, size, write, CALLER);                            \
            announce(w, address, size, write);                                                 \
        } else if (__builtin_expect(arena_contains(address), 0))                               \
            host_stray = {(uintptr_t)address, CALLER};                                         \
        else if (__builtin_expect(have_aliases | short_copies, 0))                             \
            host_access((uintptr_t)address, size, write, CALLER);                              \
    }
/* A GPU's compiler also splits such an access, of a packed struct for example. */
#define SIMGPU_UNALIGNED(name, size, write)                                                    \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            if ((uintptr_t)address % size == 0)                                                \
                rare_access(w, (uintptr_t)address, size, write, CALLER);                       \
            else                                                                               \
                access_bytes(w, (uintptr_t)address, size, write, CALLER);                      \
            announce(w, address, size, write);                                                 \
        } else if (__builtin_expect(have_aliases | short_copies, 0))                           \
            host_access((uintptr_t)address, size, write, CALLER);                              \
    }
#define SIMGPU_VOLATILE(name, size, write)                                                     \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            volatile_access(w, address, size, write, CALLER);                                  \
            announce(w, address, size, write);                                                 \
        }                                                                                      \
    }
#define SIMGPU_BOTH(name, size)                                                                \
    void name(void *address)                                                                   \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            rare_access(w, (uintptr_t)address, size, false, CALLER);                           \
            rare_access(w, (uintptr_t)address, size, true, CALLER);                            \
            announce(w, address, size, false);                                                 \
            announce(w, address, size, true);                                                  \
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

#define SIMGPU_RANGE(name, write)                                                              \
    void name(void *address, size_t size)                                                      \
    {                                                                                          \
        if (Worker *w = tracing_worker) {                                                      \
            trace_range(w, (uintptr_t)address, size, write, CALLER);                           \
            announce(w, address, size, write);                                                 \
        } else if (order_host_watched | short_copies)                                          \
            host_access((uintptr_t)address, size, write, CALLER);                              \
    }
SIMGPU_RANGE(__tsan_read_range, false)
SIMGPU_RANGE(__tsan_write_range, true)

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
        guard_host(to, size);                                                                  \
        return copy(to, from, size);                                                           \
    }
#define SIMGPU_CLEAR(name, look)                                                               \
    void *name(void *to, int value, size_t size)                                               \
    {                                                                                          \
        if (Worker *w = tracing_worker)                                                        \
            look(w, (uintptr_t)to, size, true, CALLER);                                        \
        else if ((order_host_watched | short_copies) && size)                                  \
            host_access((uintptr_t)to, size, true, CALLER);                                    \
        guard_host(to, size);                                                                  \
        return memset(to, value, size);                                                        \
    }
SIMGPU_COPY(__tsan_memcpy, trace_range, memcpy)
SIMGPU_COPY(__tsan_memmove, trace_range, memmove)
SIMGPU_CLEAR(__tsan_memset, trace_range)
/* The source's own calls of memcpy and the like: every byte counts, there are no gaps. */
SIMGPU_COPY(simgpu_traced_memcpy, access_bytes, memcpy)
SIMGPU_COPY(simgpu_traced_memmove, access_bytes, memmove)
SIMGPU_CLEAR(simgpu_traced_memset, access_bytes)

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
        guard_host(to, size);                                                                  \
        memcpy(to, from, size);                                                                \
    }
SIMGPU_COPY_VECTOR(simgpu_copy8, 8)
SIMGPU_COPY_VECTOR(simgpu_copy16, 16)

} // extern "C"
