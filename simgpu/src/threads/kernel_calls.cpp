/* SPDX-License-Identifier: MIT */
/** @file kernel_calls.cpp
 * What the headers call for a kernel: its shared arrays, malloc and free, clock, assert and
 * trap.
 */
#include "src/threads/threads.h"

using namespace simgpu;

extern "C" {

int simgpu_file_scope_shared(simgpu_shared_site *site, void *(*at)())
{
    file_scope_sites().push_back({site, at});
    return 0;
}

int simgpu_file_scope_dynamic(void **(*at)())
{
    file_scope_pointers().push_back(at);
    return 0;
}

/* assert() in a kernel stops the launch, as on a GPU; in host code it ends the program. */
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    Worker *w = this_worker;
    if (!w) {
        fflush(stdout);
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
        abort();
    }
    kernel_fault(w, SIMGPU_ASSERT, at_line(file, (int)line),
                 "comes to assert(%s), which is false", condition);
    abort_launch(w, cudaErrorAssert);
}

void simgpu_trap(const char *file, int line)
{
    Worker *w = kernel_only("__trap");
    kernel_fault(w, SIMGPU_ASSERT, at_line(file, line), "comes to __trap()");
    abort_launch(w, cudaErrorLaunchFailure);
}

void *simgpu_shared_place(simgpu_shared_site *site)
{
    Worker *w = kernel_only("a __shared__ variable");
    Launch *launch = w->launch;
    uint64_t placed = __atomic_load_n(&site->placed, __ATOMIC_ACQUIRE);
    if (placed >> 32 == launch->id)
        return w->shared + (uint32_t)placed;
    bool too_much = false;
    {
        std::lock_guard<std::mutex> lock(launch->shared_mutex);
        placed = __atomic_load_n(&site->placed, __ATOMIC_ACQUIRE);
        if (placed >> 32 != launch->id) {
            uint32_t align = (uint32_t)std::max<size_t>(site->alignment, 256);
            uint32_t offset = (launch->shared_top + align - 1) / align * align;
            launch->shared_used += site->size;
            too_much = launch->shared_used > launch->shared_limit ||
                       offset + site->size + shared_red_zone > shared_span;
            if (!too_much) {
                launch->shared_top = offset + (uint32_t)site->size + shared_red_zone;
                launch->shared_arrays.push_back({site->name, offset, site->size, site->file,
                                                 site->line, site->row, site->element});
                launch->shared_array_count = (unsigned)launch->shared_arrays.size();
                placed = (uint64_t)launch->id << 32 | offset;
                __atomic_store_n(&site->placed, placed, __ATOMIC_RELEASE);
            }
        }
    }
    if (too_much) {
        FaultPlace place =
            at_line(site->file, site->line,
                    "Use smaller tiles, or memory for one of them less. More than the device "
                    "gives by itself goes only as dynamic shared memory (extern __shared__), "
                    "after cudaFuncSetAttribute(kernel, "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).");
        kernel_fault(
            w, SIMGPU_LAUNCH_LIMITS, place,
            "needs %zu bytes of shared memory with array %s; the device gives a block %zu",
            launch->shared_used, site->name, launch->shared_limit);
        abort_launch(w, cudaErrorInvalidValue);
    }
    return w->shared + (uint32_t)placed;
}

void *simgpu_heap_allocate(size_t bytes)
{
    Worker *w = this_worker;
    uint32_t pc = CALLER_PC;
    return w ? heap_allocate(bytes, pc, w->tracing) : malloc(bytes);
}

void simgpu_heap_free(void *memory)
{
    Worker *w = this_worker;
    if (!w)
        free(memory);
    if (!w || !memory || heap_free(memory))
        return;
    kernel_fault(w, SIMGPU_BAD_CALL,
                 at_pc(CALLER_PC,
                       "In a kernel, free() and delete take what malloc() or new gave in a "
                       "kernel, once; what cudaMalloc gave is freed by cudaFree in host code."),
                 "frees memory that no kernel has allocated, or that is freed already");
    abort_launch(w, cudaErrorIllegalAddress);
}

/* Returns simulated cycles. A thread that calls repeatedly waits for some number of cycles,
 * perhaps those of a second, so the calls advance by more and more, up to a million cycles
 * each. */
uint64_t simgpu_clock()
{
    Worker *w = kernel_only("clock64");
    kernel_is_impure();
    uint8_t &calls = w->now->clock_calls;
    w->cycles += 1ull << calls;
    calls += calls < 20;
    return w->cycles;
}

void *simgpu_shared_dynamic()
{
    return kernel_only("dynamic shared memory")->shared + dynamic_shared_offset;
}

} // extern "C"
