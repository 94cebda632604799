/* SPDX-License-Identifier: MIT */
/** @file atomic.h
 * cuda::atomic and cuda::atomic_ref of libcu++. Each operation is an atomic of CUDA with the
 * fences that its order of memory asks for; spinning loads let other threads continue.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_ATOMIC_H
#define SIMGPU_INCLUDE_SIMGPU_ATOMIC_H

#include <atomic>

#include "simgpu/cuda/pipeline.h"

namespace cuda
{
namespace std
{
using ::std::memory_order, ::std::memory_order_acq_rel, ::std::memory_order_acquire,
    ::std::memory_order_consume, ::std::memory_order_relaxed, ::std::memory_order_release,
    ::std::memory_order_seq_cst;
} // namespace std
inline namespace SIMGPU_BUILD
{
using ::std::memory_order, ::std::memory_order_acq_rel, ::std::memory_order_acquire,
    ::std::memory_order_consume, ::std::memory_order_relaxed, ::std::memory_order_release,
    ::std::memory_order_seq_cst;

constexpr int scope_number(thread_scope scope)
{
    return scope == thread_scope_block ? 1 : scope == thread_scope_system ? 3 : 2;
}

/** The operations on a T in memory, whose address the derived class D knows. */
template <class T, thread_scope Scope, class D> class atomic_operations
{
    static constexpr int scope = scope_number(Scope);
    static SIMGPU_METHOD void fence(bool wanted)
    {
        if (wanted && simgpu_builtins.shared) /* in a kernel */
            simgpu_threadfence(scope);
    }
    SIMGPU_METHOD T ordered(simgpu_atomic_op op, T v, memory_order order, T compare = T()) const
    {
        fence(order >= memory_order_release);
        auto *at = static_cast<const D *>(this)->address();
        using stored = ::std::remove_pointer_t<decltype(at)>;
        T old = (T)simgpu::atomic(at, op, (stored)v, scope, (stored)compare);
        fence(order != memory_order_relaxed && order != memory_order_release);
        return old;
    }
    template <class F> SIMGPU_METHOD T change(F f, memory_order order) const
    {
        T old = load(memory_order_relaxed);
        while (!compare_exchange_weak(old, f(old), order))
            ;
        return old;
    }

  public:
    using value_type = T;
    SIMGPU_METHOD T load(memory_order order = memory_order_seq_cst) const
    {
        return ordered(SIMGPU_OR, T(), order); /* sets no bit */
    }
    SIMGPU_METHOD T exchange(T v, memory_order order = memory_order_seq_cst) const
    {
        return ordered(SIMGPU_EXCHANGE, v, order);
    }
    SIMGPU_METHOD void store(T v, memory_order order = memory_order_seq_cst) const
    {
        exchange(v, order);
    }
    SIMGPU_METHOD bool compare_exchange_strong(T &expected, T v,
                                               memory_order order = memory_order_seq_cst,
                                               memory_order = memory_order_seq_cst) const
    {
        T old = ordered(SIMGPU_COMPARE_AND_SWAP, v, order, expected);
        bool same = memcmp((const void *)&old, (const void *)&expected, sizeof old) == 0;
        expected = old;
        return same;
    }
    SIMGPU_METHOD bool compare_exchange_weak(T &expected, T v,
                                             memory_order order = memory_order_seq_cst,
                                             memory_order = memory_order_seq_cst) const
    {
        return compare_exchange_strong(expected, v, order);
    }
    SIMGPU_METHOD T fetch_add(T v, memory_order order = memory_order_seq_cst) const
    {
        if constexpr (::std::is_integral<T>::value)
            return ordered(SIMGPU_ADD, v, order);
        else
            return change([v](T old) { return old + v; }, order);
    }
    SIMGPU_METHOD T fetch_sub(T v, memory_order order = memory_order_seq_cst) const
    {
        return fetch_add((T)(T() - v), order);
    }
    SIMGPU_METHOD T fetch_and(T v, memory_order order = memory_order_seq_cst) const
    {
        return ordered(SIMGPU_AND, v, order);
    }
    SIMGPU_METHOD T fetch_or(T v, memory_order order = memory_order_seq_cst) const
    {
        return ordered(SIMGPU_OR, v, order);
    }
    SIMGPU_METHOD T fetch_xor(T v, memory_order order = memory_order_seq_cst) const
    {
        return ordered(SIMGPU_XOR, v, order);
    }
    SIMGPU_METHOD T fetch_min(T v, memory_order order = memory_order_seq_cst) const
    {
        return change([v](T old) { return v < old ? v : old; }, order);
    }
    SIMGPU_METHOD T fetch_max(T v, memory_order order = memory_order_seq_cst) const
    {
        return change([v](T old) { return old < v ? v : old; }, order);
    }
    SIMGPU_METHOD void wait(T old, memory_order order = memory_order_seq_cst) const
    {
        while (load(order) == old)
            ;
    }
    SIMGPU_METHOD void notify_one() const {}
    SIMGPU_METHOD void notify_all() const {}
    SIMGPU_METHOD bool is_lock_free() const { return true; }
    SIMGPU_METHOD operator T() const { return load(); }
    SIMGPU_METHOD T operator=(T v) const
    {
        store(v);
        return v;
    }
    SIMGPU_METHOD T operator++() const { return (T)(fetch_add(1) + 1); }
    SIMGPU_METHOD T operator--() const { return (T)(fetch_sub(1) - 1); }
    SIMGPU_METHOD T operator++(int) const { return fetch_add(1); }
    SIMGPU_METHOD T operator--(int) const { return fetch_sub(1); }
    SIMGPU_METHOD T operator+=(T v) const { return (T)(fetch_add(v) + v); }
    SIMGPU_METHOD T operator-=(T v) const { return (T)(fetch_sub(v) - v); }
    SIMGPU_METHOD T operator&=(T v) const { return (T)(fetch_and(v) & v); }
    SIMGPU_METHOD T operator|=(T v) const { return (T)(fetch_or(v) | v); }
    SIMGPU_METHOD T operator^=(T v) const { return (T)(fetch_xor(v) ^ v); }
};

/** An object with its own memory. A byte takes two here, the least that an atomic can have. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public atomic_operations<T, Scope, atomic<T, Scope>>
{
    using stored = ::std::conditional_t<sizeof(T) == 1, short, T>;
    alignas(sizeof(stored)) mutable stored value;

  public:
    atomic() = default;
    constexpr atomic(T v) : value((stored)v) {}
    atomic(const atomic &) = delete;
    SIMGPU_METHOD stored *address() const { return &value; }
    using atomic_operations<T, Scope, atomic<T, Scope>>::operator=;
};

/** An object that is elsewhere. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public atomic_operations<T, Scope, atomic_ref<T, Scope>>
{
    T *at;

  public:
    SIMGPU_METHOD explicit atomic_ref(T &object) : at(&object) {}
    SIMGPU_METHOD T *address() const { return at; }
    using atomic_operations<T, Scope, atomic_ref<T, Scope>>::operator=;
};

SIMGPU_INLINE void atomic_thread_fence(memory_order, thread_scope scope = thread_scope_system)
{
    if (simgpu_builtins.shared)
        simgpu_threadfence(scope_number(scope));
}
} // namespace SIMGPU_BUILD

namespace std
{
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
} // namespace std
} // namespace cuda

#endif
