/* SPDX-License-Identifier: MIT */
/** @file atomics.cpp
 * Atomic and volatile operations of kernels, and C++ atomics of host code.
 */
#include "include/simgpu/device/half_bits.h"
#include "src/streams/order.h"
#include "src/tracer/touches.h"

namespace simgpu
{

/** An atomic on memory outside the arena, such as a __device__ variable. */
static void atomic_elsewhere(Worker *w, uintptr_t address, unsigned size,
                             uintptr_t return_address, unsigned manner)
{
    if (outer_shared_access(w, address, size, Op::shared_atomic, pc_of(return_address)))
        return;
    if (w->proxy && peer_access(w, address, size, {pc_of(return_address), true, true, true}))
        return;
    if (const Alias *alias = alias_at((const void *)address))
        rare_global_access(w, alias->offset_of(address), size, Op::global_atomic,
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

/** Records that an atomicCAS has taken what may be a lock. */
static void take_lock(Worker *w, void *address)
{
    uint64_t offset;
    if (w != tracing_worker || !device_offset(address, &offset))
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
    if (w != tracing_worker || !device_offset(address, &offset))
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

extern "C" {

uint64_t simgpu_atomic(void *address, unsigned size, simgpu_atomic_op op, uint64_t operand,
                       uint64_t compare, int scope)
{
    Worker *w = this_worker;
    guard_host(address, size);
    if (w && op == SIMGPU_COMPARE_AND_SWAP)
        note_guard(w, address);
    unsigned manner = strongly;
    manner |= scope == 1 ? within_block : plainly;
    manner |= op == SIMGPU_COMPARE_AND_SWAP ? comparing : plainly;
    manner |= op == SIMGPU_EXCHANGE ? replacing : plainly;
    atomic_access(address, size, SIMGPU_CALLER, manner);
    uint64_t old = size == 2   ? update<uint16_t, int16_t>(address, op, operand, compare)
                   : size == 4 ? update<uint32_t, int32_t>(address, op, operand, compare)
                               : update<uint64_t, int64_t>(address, op, operand, compare);
    uint64_t offset;
    if (tracing_worker && device_offset(address, &offset))
        look_again(w, offset, true, op == SIMGPU_COMPARE_AND_SWAP);
    if (w && op == SIMGPU_COMPARE_AND_SWAP && old == compare)
        take_lock(w, address);
    /* The lock is taken, or the counter is only read: the thread may be waiting. */
    if (w && (op == SIMGPU_COMPARE_AND_SWAP ? old != compare
              : op == SIMGPU_EXCHANGE       ? old == operand
                                            : operand == 0))
        spin(w, address, pc_of(SIMGPU_CALLER));
    return old;
}

/* The compiler's atomics: in a kernel an access as any other. In host code of a traced source
 * they are not checked, except that a read before them only guesses. */
static inline void in_kernel(const volatile void *address, unsigned bits, uintptr_t caller)
{
    guard_host((const void *)address, bits / 8);
    if (tracing_worker)
        atomic_access((void *)address, bits / 8, caller, strongly);
}
static inline void builtin_atomic(const volatile void *address, unsigned bits, uintptr_t caller)
{
    in_kernel(address, bits, caller);
    if (__builtin_expect(!order_host_watched || this_worker, 1))
        return;
    if (const Alias *alias = alias_find((uintptr_t)address))
        order_host_atomic(alias->offset_of((uintptr_t)address));
}
#define SIMGPU_ATOMIC(bits, type, name, work)                                                  \
    type __tsan_atomic##bits##_##name(volatile type *a, type v, int)                           \
    {                                                                                          \
        builtin_atomic(a, bits, SIMGPU_CALLER);                                                \
        return work(a, v, __ATOMIC_SEQ_CST);                                                   \
    }
#define SIMGPU_COMPARE(name, bits, type)                                                       \
    int name(volatile type *a, type *c, type v, int, int)                                      \
    {                                                                                          \
        builtin_atomic(a, bits, SIMGPU_CALLER);                                                \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST,                   \
                                           __ATOMIC_SEQ_CST);                                  \
    }
#define SIMGPU_ATOMICS(bits, type)                                                             \
    type __tsan_atomic##bits##_load(const volatile type *a, int)                               \
    {                                                                                          \
        in_kernel(a, bits, SIMGPU_CALLER);                                                     \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                           \
    }                                                                                          \
    void __tsan_atomic##bits##_store(volatile type *a, type v, int)                            \
    {                                                                                          \
        in_kernel(a, bits, SIMGPU_CALLER);                                                     \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                              \
    }                                                                                          \
    SIMGPU_ATOMIC(bits, type, exchange, __atomic_exchange_n)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_add, __atomic_fetch_add)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_sub, __atomic_fetch_sub)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_and, __atomic_fetch_and)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_or, __atomic_fetch_or)                                     \
    SIMGPU_ATOMIC(bits, type, fetch_xor, __atomic_fetch_xor)                                   \
    SIMGPU_ATOMIC(bits, type, fetch_nand, __atomic_fetch_nand)                                 \
    SIMGPU_COMPARE(__tsan_atomic##bits##_compare_exchange_strong, bits, type)                  \
    SIMGPU_COMPARE(__tsan_atomic##bits##_compare_exchange_weak, bits, type)                    \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int,     \
                                                    int)                                       \
    {                                                                                          \
        builtin_atomic(a, bits, SIMGPU_CALLER);                                                \
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

} // namespace simgpu
