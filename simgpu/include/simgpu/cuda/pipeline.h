/* SPDX-License-Identifier: MIT */
/** @file pipeline.h
 * Asynchronous copies and barriers of libcu++: cuda::memcpy_async, cuda::pipeline of one
 * thread or of a block, cuda::barrier, and the __pipeline_ functions. The bytes of a thread's
 * copy arrive when it waits for them; those of a pipeline or barrier that a block shares arrive
 * when the thread commits or arrives.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_PIPELINE_H
#define SIMGPU_INCLUDE_SIMGPU_PIPELINE_H

#include "../../cooperative_groups.h"
#include "simgpu/ptx_hooks.h"

namespace cuda
{
inline namespace SIMGPU_BUILD
{

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

/** A number of bytes that is a multiple of Alignment. */
template <size_t Alignment> struct aligned_size_t {
    size_t value;
    explicit SIMGPU_METHOD aligned_size_t(size_t bytes) : value(bytes) {}
    SIMGPU_METHOD operator size_t() const { return value; }
};

/** A barrier in shared or device memory. It counts down by atomics, until bulk copies use it:
 * from then on the runtime counts arrivals and bytes, and `phase` is ~0. */
template <thread_scope Scope, class Completion = void> class barrier
{
    simgpu_arrivals state;
    SIMGPU_METHOD unsigned address() const
    {
        return (unsigned)((const unsigned char *)&state - simgpu_builtins.shared);
    }

  public:
    using arrival_token = unsigned;
    barrier() = default;
    SIMGPU_METHOD barrier(unsigned count) { set(count); }
    SIMGPU_METHOD void set(unsigned count)
    {
        state = {count, count, 0}; /* a barrier of the block follows, before any use */
    }
    SIMGPU_METHOD arrival_token arrive(unsigned count = 1)
    {
        simgpu_async_commit();
        simgpu_async_wait(0);
        __threadfence();
        unsigned token = atomicOr(&state.phase, 0u);
        if (token == ~0u)
            return (arrival_token)simgpu_mbarrier_arrive(address(), count, 0);
        if (atomicSub(&state.pending, count) == count) {
            atomicExch(&state.pending, atomicOr(&state.expected, 0u));
            __threadfence();
            atomicAdd(&state.phase, 1u);
        }
        return token;
    }
    SIMGPU_METHOD void wait(arrival_token token) { wait_for(token + 1); }
    /** Waits until the barrier has been completed this many times. */
    SIMGPU_METHOD void wait_for(unsigned phases)
    {
        unsigned phase;
        while ((phase = atomicOr(&state.phase, 0u)) < phases)
            simgpu_await(&state, phase);
        __threadfence();
        if (phase == ~0u)
            simgpu_mbarrier_wait(address(), phases - 1);
    }
    SIMGPU_METHOD void wait_parity(bool parity)
    {
        simgpu_mbarrier_wait(simgpu_counted(), parity);
    }
    /** Lets the runtime count; returns the barrier's address. */
    SIMGPU_METHOD unsigned simgpu_counted()
    {
        simgpu_mbarrier_adopt(&state);
        return address();
    }
    SIMGPU_METHOD void arrive_and_wait() { wait(arrive()); }
    SIMGPU_METHOD void arrive_and_drop()
    {
        if (atomicOr(&state.phase, 0u) == ~0u)
            simgpu_mbarrier_drop(address());
        atomicSub(&state.expected, 1u);
        arrive();
    }
    friend SIMGPU_METHOD void init(barrier *b, unsigned count) { b->set(count); }
};

enum class pipeline_role { producer, consumer };
/** The stages of a pipeline that the threads of a block share. */
template <thread_scope Scope, unsigned Stages> struct pipeline_shared_state {
    barrier<Scope> full[Stages], empty[Stages];
};

/** The asynchronous copies of one thread, or of a block in stages: producers fill one while
 * consumers use another. */
template <thread_scope Scope> class pipeline
{
    barrier<Scope> *full = nullptr, *empty = nullptr;
    unsigned stages = 1, produced = 0, consumed = 0;

  public:
    pipeline() = default;
    SIMGPU_METHOD pipeline(barrier<Scope> *full, barrier<Scope> *empty, unsigned stages)
        : full(full), empty(empty), stages(stages)
    {
    }
    SIMGPU_METHOD void producer_acquire()
    {
        if (full)
            empty[produced % stages].wait_for(produced / stages);
    }
    SIMGPU_METHOD void producer_commit()
    {
        if (full)
            full[produced++ % stages].arrive();
        else
            simgpu_async_commit(), produced = simgpu_async_groups();
    }
    SIMGPU_METHOD void consumer_wait()
    {
        if (full)
            full[consumed % stages].wait_for(consumed / stages + 1);
        else
            simgpu_async_wait(produced > consumed + 1 ? produced - consumed - 1 : 0);
    }
    SIMGPU_METHOD void consumer_release()
    {
        if (full)
            empty[consumed++ % stages].arrive();
        else
            consumed++;
    }
    /** Waits for all but `prior` of the thread's committed stages. */
    SIMGPU_METHOD void wait_prior(unsigned prior)
    {
        if (!full)
            simgpu_async_wait(prior);
    }
    static SIMGPU_METHOD void quit() {}
};
SIMGPU_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <thread_scope Scope, unsigned Stages>
SIMGPU_INLINE pipeline<Scope> make_pipeline(const cooperative_groups::thread_block &block,
                                            pipeline_shared_state<Scope, Stages> *state,
                                            unsigned producers, unsigned consumers)
{
    if (block.thread_rank() == 0)
        for (unsigned i = 0; i < Stages; i++) {
            state->full[i].set(producers);
            state->empty[i].set(consumers);
        }
    block.sync();
    return {state->full, state->empty, Stages};
}
/** Makes the pipeline of a block. All of its threads call this. */
template <thread_scope Scope, unsigned Stages>
SIMGPU_INLINE pipeline<Scope> make_pipeline(const cooperative_groups::thread_block &block,
                                            pipeline_shared_state<Scope, Stages> *state,
                                            pipeline_role role)
{
    unsigned producers = (unsigned)__syncthreads_count(role == pipeline_role::producer);
    return make_pipeline(block, state, producers, block.size() - producers);
}
template <thread_scope Scope, unsigned Stages>
SIMGPU_INLINE pipeline<Scope> make_pipeline(const cooperative_groups::thread_block &block,
                                            pipeline_shared_state<Scope, Stages> *state)
{
    return make_pipeline(block, state, block.size(), block.size());
}
template <unsigned Stages, thread_scope Scope>
SIMGPU_INLINE void pipeline_consumer_wait_prior(pipeline<Scope> &pipe)
{
    pipe.wait_prior(Stages);
}

/** One thread copies; `where` is the pipeline or barrier that shows when it is done. */
template <class T, class U, class Size, class Where>
SIMGPU_INLINE void memcpy_async(T *to, const U *from, Size bytes, Where &)
{
    size_t chunk = ((size_t)to | (size_t)from | (size_t)bytes) % 16 == 0 ? 16 : 4;
    for (size_t at = 0; at < (size_t)bytes; at += chunk)
        simgpu_async_copy((char *)to + at, (const char *)from + at,
                          chunk < bytes - at ? chunk : bytes - at, 0);
}
template <class Group, class T, class U, class Size, class Where>
SIMGPU_INLINE void memcpy_async(const Group &group, T *to, const U *from, Size bytes, Where &)
{
    cooperative_groups::memcpy_async(group, to, from, (size_t)bytes);
}

} // namespace SIMGPU_BUILD
} // namespace cuda

SIMGPU_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                           size_t zeros = 0)
{
    simgpu_async_copy(to, from, bytes, zeros);
}
SIMGPU_INLINE void __pipeline_commit() { simgpu_async_commit(); }
SIMGPU_INLINE void __pipeline_wait_prior(unsigned prior) { simgpu_async_wait(prior); }

#endif
