/* SPDX-License-Identifier: MIT */
/** @file tracer.h
 * What the tracer does at the end of a phase or launch; launches that change nothing; products
 * of small matrices.
 */
#ifndef SIMGPU_SRC_TRACER_H
#define SIMGPU_SRC_TRACER_H

#include "src/launch/blocks.h"

namespace simgpu
{

/** Checks and logs a texture fetch. Does nothing outside tracing. */
void trace_texture(uintptr_t address, unsigned size, uintptr_t pc);
void trace_phase_end(Worker *w);
void trace_thread_stopped(Worker *w, uint32_t thread);
void trace_block_begin(Worker *w);
/** Empties the logs of a block that was ended early. */
void trace_forget_block(Worker *w);
/** Records a barrier of some lanes of a warp. */
void trace_warp_sync(Worker *w, uint32_t warp, uint32_t lanes);
void trace_fence(Worker *w, int scope);
void trace_new_shared_arrays(Worker *w);
void trace_launch_end(Worker *w);
/** Refuses a write by host code to memory that is not its own (simgpu_guard_host()). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
void guard_host(const void *to, size_t size);
#else
inline void guard_host(const void *, size_t) {}
#endif
/** The same for a place where a function of CUDA's leaves a result. */
template <class T> T *own(T *result)
{
    guard_host(result, sizeof *result);
    return result;
}
/** When all workers are done, describes the first stray relative to the allocation that its
 * instruction accesses otherwise, even if another one is nearer. */
void trace_judge_stray(Launch *launch);
/** When all workers are done, reports the reads before any write that were not races. */
void trace_judge_suspects(Launch *launch);
/** Adds what a worker counted in a launch to the kernel's profile. `first`: it is the first
 * worker of this launch to do so. */
void profile_add(const Launch *launch, SiteTable &sites,
                 const uint64_t control[(int)Control::count], bool first);
/** Must this launch of a program of `ladder sim` be traced? If so, sets its budget. */
bool worth_tracing(Launch *launch);
/** Records the seconds that a launch took. */
void note_traced(const Launch *launch, double seconds);
/** Records that an untraced launch was skipped: it repeats one that changed nothing, or its
 * results were never read. */
void note_left_out(const simgpu_launch_desc &desc, bool unseen);

/* ---- launches that change nothing (repeats.cpp) ---- */

/** Were some launches not traced, or not all of their blocks? */
bool launches_untraced();
/** Something other than an untraced launch changes device memory. */
void memory_changed();
/** The running kernel has an effect outside device memory: it prints or reads the clock. */
void kernel_is_impure();
/** An untraced launch, whose turn it is. */
struct Repeat {
    explicit Repeat(const simgpu_launch_desc &d);
    bool skip; /**< it would change nothing */
    /** True if it has run before and device memory is not accessed now: it then runs when
     * device memory is accessed. */
    bool waits(const simgpu_launch_desc &d);
    /** Otherwise: called before and after it runs, while device memory is accessible. */
    void begins();
    void ran();

  private:
    std::string key;
    bool watch;
    uint64_t changes_before;
};
bool launches_wait();
/** Runs the waiting launches that change something. */
void settle_launches();
/** Drops the waiting launches, whose results will not be read. */
void drop_launches();
/** A launch with copies of the data that it points to. */
struct KeptLaunch {
    simgpu_launch_desc desc;
    std::vector<std::max_align_t> closure;
    std::vector<simgpu_argument> arguments;

    KeptLaunch(const KeptLaunch &) = delete;
    explicit KeptLaunch(const simgpu_launch_desc &d)
        : desc(d), closure(d.closure_size / sizeof(std::max_align_t) + 1),
          arguments(d.arguments, d.arguments + d.argument_count)
    {
        memcpy((void *)closure.data(), d.closure, d.closure_size);
        desc.closure = closure.data();
        desc.arguments = arguments.data();
    }
};
/** Runs a launch that is not traced. */
void run_untraced(const simgpu_launch_desc &desc);
/** A cudaMemset2D(). */
struct RepeatedMemset {
    RepeatedMemset(void *device, size_t pitch, int value, size_t width, size_t height);
    /** it has run, and nothing has changed since; or it waits after launches */
    bool skip = false;
    /** Otherwise: called before it runs; device memory is accessible. */
    void begins(void *device, size_t pitch, int value, size_t width, size_t height);

  private:
    std::string key;
};

/** Counts what the lanes of a warp have logged, and empties the logs. */
void count_warp(Worker *w, unsigned warp);

/* ---- products of small matrices (mma.cpp) ---- */

void warp_product(const simgpu_mma_t *const lanes[32]);
/** Reports matrices of a lane that nobody has filled. */
void check_filled(Worker *w, const simgpu_mma_t &lane, uint32_t pc);
/** c (m x n) += a (m x k) * b (k x n), n at most 32: of halves and the like, k at most 16,
 * whose smallest exponent is `least`; and of bytes. */
void tensor_product(const float *a, const float *b, float *c, unsigned m, unsigned n,
                    unsigned k, int least);
void tensor_product(const int32_t *a, const int32_t *b, int32_t *c, unsigned m, unsigned n,
                    unsigned k, int least);
/** The smallest exponent of a number of this type. */
int least_exponent(simgpu_element type);
/** Reads elements; false if one is infinite or not a number. */
bool take_elements(const unsigned char *from, simgpu_element type, unsigned count, float *to);
bool take_elements(const unsigned char *from, simgpu_element type, unsigned count, int32_t *to);
unsigned size_of(simgpu_element type);

} // namespace simgpu

#endif
