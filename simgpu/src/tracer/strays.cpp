/* SPDX-License-Identifier: MIT */
/** @file strays.cpp
 * Accesses outside the memory that a kernel may touch, and reads of unwritten memory.
 */
#include "src/tracer/touches.h"

namespace simgpu
{

static const char *verb(Op op)
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

static SIMGPU_COLD void tell_outside_global(Worker *w, FaultPlace place, Op op, unsigned size,
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
    if (!inside)
        place.advice = outside_advice(w->launch, *a, offset);
    if (inside && a->freed) {
        place.advice = "Free memory after the last kernel and the last copy that use it.";
        note_stray(w, kind, place, "%s %u bytes at %s, in %s, which are freed", verb(op), size,
                   element.c_str(), owner.c_str());
    } else if (offset < a->offset)
        note_stray(w, kind, place, "%s %s, %llu bytes before %s", verb(op), element.c_str(),
                   (Count)(a->offset - offset), owner.c_str());
    else
        note_stray(w, kind, place, "%s %s: %u bytes at byte %llu of %s", verb(op),
                   element.c_str(), size, (Count)(offset - a->offset), owner.c_str());
    if (!inside) {
        std::lock_guard<std::mutex> lock(w->launch->stray_mutex);
        Stray &stray = w->launch->stray;
        if (stray.order == w->block * w->launch->threads + w->current)
            stray.offset = offset, stray.size = size, stray.op = op;
    }
}

/** Returns after a stray read of readable memory; ends a thread that has been astray for long,
 * since it may never end. */
static SIMGPU_COLD void outside_global(Worker *w, uint32_t pc, Op op, unsigned size,
                                       uint64_t offset)
{
    if (!stray_is_told(w))
        tell_outside_global(w, {pc}, op, size, offset);
    if (op != Op::global_load || !arena_readable(offset + size))
        leave_block(w);
    go_astray(w);
}

/** A bit for each byte of the word that an access touches. */
static unsigned bytes_of_word(uint64_t offset, unsigned size)
{
    return size >= 4 ? 15 : ((1u << size) - 1) << offset % 4;
}

/** Copying a structure also reads the gaps between its members and members that nobody needs.
 * If a part of the structure was written, reading the rest is no mistake. Calls `written` with
 * the offset of each word. */
template <class F>
static bool part_of_structure(Worker *w, uint64_t offset, unsigned size, F written)
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

/** Marks bytes of a word as written, while other workers may mark its other bytes. */
static SIMGPU_COLD void write_bytes(uint8_t &state, unsigned bytes)
{
    uint8_t old = __atomic_load_n(&state, __ATOMIC_RELAXED), now;
    do {
        now = old >= state_partial ? (uint8_t)(old | bytes) : (uint8_t)(state_partial | bytes);
        if (old == state_written || now == (state_partial | 15))
            now = state_written;
    } while (!__atomic_compare_exchange_n(&state, &old, now, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
}

static bool null_argument(const Worker *w)
{
    const simgpu_launch_desc &d = w->launch->desc;
    return std::any_of(d.arguments, d.arguments + d.argument_count,
                       [](auto &argument) { return argument.element && !argument.pointer; });
}

/** Is this address on a thread's stack, or so near that an index of a local array led there? */
static bool near_stack(const Worker *w, uintptr_t address)
{
    constexpr uintptr_t reach = 16ull << 30;
    for (const Fiber *fiber : w->fibers)
        if (address - fiber_stack_low(fiber) < fiber_stack_bytes ||
            fiber_guards(fiber, address))
            return true;
    return address - (w->stack_low - reach) < 2 * reach && !is_mapped(address);
}

[[noreturn]] SIMGPU_COLD void misaligned(Worker *w, uint32_t pc, Op op, unsigned size,
                                         uint64_t offset)
{
    note_stray(w, SIMGPU_MISALIGNED, {pc},
               "%s %u bytes at an address that is not a multiple of %u (it is %u modulo %u)",
               verb(op), size, size, (unsigned)(offset % size), size);
    leave_block(w);
}

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

SIMGPU_COLD void still_astray(Worker *w)
{
    constexpr uint32_t most = 1 << 16;
    if (w->now_trace->astray++ > most)
        leave_block(w);
}

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

SIMGPU_COLD void outside_shared(Worker *w, uint32_t pc, Op op, unsigned size, int64_t offset)
{
    Untraced quiet;
    constexpr simgpu_fault_kind kind = SIMGPU_OUT_OF_BOUNDS_SHARED;
    FaultPlace place{pc};
    int64_t inside = std::min<int64_t>(std::max<int64_t>(offset, 0), shared_span - 1);
    const SharedArray *array = nearest_shared_array(w->launch, (uint32_t)inside);
    std::string element = shared_element(w->launch, (uint32_t)inside);
    place.advice = array ? shared_advice(w->launch, *array) : "";
    if (!array)
        note_stray(w, kind, place,
                   "%s %u bytes of shared memory, but the launch asks for no dynamic shared "
                   "memory: the third value between <<< and >>> is missing",
                   verb(op), size);
    else if (offset < array->offset)
        note_stray(w, kind, place, "%s %u bytes, %lld bytes before %s (%zu bytes)", verb(op),
                   size, (long long)(array->offset - offset), array->name, array->size);
    else
        note_stray(w, kind, place, "%s %s%s%u bytes at byte %lld of %s, which has %zu bytes",
                   verb(op), element.c_str(), element.empty() ? "" : ": ", size,
                   (long long)(offset - array->offset), array->name, array->size);
    if (op != Op::shared_load || offset < 0 || offset + size > (int64_t)shared_span)
        leave_block(w);
    go_astray(w);
}

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
    const simgpu_launch_desc &d = w->launch->desc;
    uint64_t offset;
    bool host_argument = false; /* an argument leads into the host's memory here */
    for (int i = 0; i < d.argument_count; i++)
        host_argument |= d.arguments[i].pointer &&
                         address - (uintptr_t)d.arguments[i].pointer < 4096 &&
                         !device_offset(d.arguments[i].pointer, &offset);
    /* Just outside managed memory or a variable: an index beyond its end. */
    if (have_aliases && !host_argument)
        for (uintptr_t step = 64; step <= 4096; step *= 2)
            for (uintptr_t near : {address - step, address + step})
                if (const Alias *alias = alias_find(near)) {
                    tell_outside_global(w, place, write ? Op::global_store : Op::global_load,
                                        size, alias->offset_of(address));
                    return;
                }
    if (near_stack(w, address)) {
        note_stray(w, SIMGPU_OUT_OF_BOUNDS_ARRAY, place,
                   "%s %u bytes beyond its own variables: outside a local array", does, size);
        return;
    }
    const std::string stray = stray_element_name(w->launch, address),
                      there = format(" at address %#llx", (Count)address);
    std::string what = format("%s %u bytes", does, size);
    simgpu_fault_kind kind = SIMGPU_DEVICE_TOUCHES_HOST;
    if (in_host_table(address)) {
        place.advice = host_table_advice;
        what = "calls a virtual function of an object that the host has made";
    } else if (!stray.empty()) {
        kind = SIMGPU_OUT_OF_BOUNDS_GLOBAL;
        place.advice = overflow_advice;
        what = format("%s %s: %u bytes at an address where there is no memory", does,
                      stray.c_str(), size);
    } else if (!is_mapped(address) && address >= 65536 && address >> 32 == 0 &&
               null_argument(w)) {
        place.advice = pointer_advice(w->launch, address, true);
        what += there + ": a null pointer plus an offset";
    } else if (!is_mapped(address) && address >= 65536) {
        kind = SIMGPU_OUT_OF_BOUNDS_GLOBAL;
        place.advice = "";
        what += there + ", where there is no memory";
    } else if (address < 65536) {
        place.advice = pointer_advice(w->launch, address, true);
        what += there + ": a null pointer";
    } else if (is_constant_memory(address)) {
        place.advice = "Kernels only read __constant__ memory: fill it by cudaMemcpyToSymbol "
                       "before the launch, or make the variable __device__.";
        what = "writes to a __constant__ variable";
    } else if (is_constant_memory(address - size) || is_constant_memory(address + size)) {
        kind = SIMGPU_OUT_OF_BOUNDS_ARRAY;
        what += " next to a __constant__ variable";
    } else if (is_host_variable(address)) {
        place.advice =
            "A kernel has no variables of the host: pass the value as an argument, or declare "
            "the variable __device__ or __constant__. nvcc does not compile this.";
        what += " of a global variable of the host";
    } else {
        place.advice = pointer_advice(w->launch, address, false);
        what += " of the host's memory";
    }
    note_stray(w, kind, place, "%s", what.c_str());
}

void constant_read(Worker *w, uintptr_t address, unsigned size, uint32_t pc)
{
    if (w->watched && w->constant_read != address / 4) {
        Untraced quiet;
        std::lock_guard<std::mutex> lock(w->launch->constants_mutex);
        w->launch->constants.insert(w->constant_read = address / 4);
    }
    for (const EmptyConstant &c : empty_constants())
        if (address - c.begin < c.size) {
            FaultPlace place{pc};
            place.advice = call_refused() ? "A call of the host was refused, as is said above."
                                          : "Fill it by cudaMemcpyToSymbol() before the "
                                            "launch, or give it an initialiser.";
            kernel_fault(w, SIMGPU_UNINITIALISED_GLOBAL, place,
                         "reads %u bytes of the __constant__ variable %s, which was never "
                         "filled: it is 0",
                         size, c.name);
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
                       stray.size, (Count)(stray.offset - behind->offset),
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
    stray.place.advice = outside_advice(launch, *a, stray.offset);
    stray.what = format("%s %s: %u bytes at byte %lld of %s", verb(stray.op),
                        element_name(launch, stray.offset, stray.size, a).c_str(), stray.size,
                        (long long)(stray.offset - a->offset), allocation_name(*a).c_str());
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
        place.other_names = other_names(launch, suspect.address);
        if (a && !(refused && a->pitch))
            place.advice = bytes_advice(launch, *a, suspect.address);
        if (!place.advice && refused)
            place.advice = "A call of the host was refused, as is said above: it may be the "
                           "one that should have filled this memory.";
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

} // namespace simgpu
