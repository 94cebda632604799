/* SPDX-License-Identifier: MIT */
/** @file faults.h
 * Faults, their places and messages; the error state of the device.
 */
#ifndef SIMGPU_SRC_FAULTS_H
#define SIMGPU_SRC_FAULTS_H

#include "src/memory/arena.h"
#include "src/machine/machine.h"

namespace simgpu
{

struct Launch;
struct Worker;

/** The evidence of all races at one place; bits of FaultPlace::evidence. */
enum Evidence : uint8_t {
    among_blocks = 1,
    across_warps = 2, /**< two threads of one block, in different warps */
    same_thread = 4,  /**< the same thread of two blocks, and not their first */
    other_thread = 8, /**< different threads of two blocks */
    both_wrote = 16,
    changed_read = 32, /**< one thread read, then wrote what the other one reads */
    left_out = 64      /**< a whole warp of the block does not reach these lines */
};

/** The place of a fault: `pc` (an offset in the program), or file and line if pc is 0. */
struct FaultPlace {
    uint32_t pc = 0, other_pc = 0;
    const char *file = nullptr;
    int line = 0;
    const char *advice = nullptr;     /**< replaces the advice of its kind */
    const char *other_file = nullptr; /**< in place of other_pc */
    int other_line = 0;
    /* For races: */
    bool between_blocks = false; /**< the message names blocks, not threads */
    bool both_write = false;
    bool earlier_first = false; /**< `pc` is the earlier access, not the running thread's */
    uint8_t evidence = 0;       /**< of enum Evidence */
    bool one_atomic = false, block_scope = false;
    const char *other_names = nullptr; /**< of other_names() */
    uint32_t plain_read = 0;           /**< the read, where it races with an atomic */
    bool fence_missing = false;        /**< a lock or a flag was meant to order the two */
    /** which one threads reach first in the phase: 1 `pc`, -1 `other_pc`, 0 unknown */
    int order = 0;
};
inline FaultPlace at_pc(uint32_t pc, const char *advice) { return {pc, 0, nullptr, 0, advice}; }
inline FaultPlace at_pcs(uint32_t pc, uint32_t other_pc, const char *advice)
{
    return {pc, other_pc, nullptr, 0, advice};
}
inline FaultPlace at_line(const char *file, int line, const char *advice = nullptr)
{
    return {0, 0, file, line, advice};
}
/** The program's line that called the API. */
FaultPlace called_here(const char *advice = nullptr);

/** Records a fault of the running thread. `what` completes "thread (0,0,0) ...". */
SIMGPU_COLD void kernel_fault(Worker *w, simgpu_fault_kind kind, const FaultPlace &place,
                              const char *what, ...) __attribute__((format(printf, 4, 5)));
/** Records a fault of any thread and block. */
SIMGPU_COLD void kernel_fault_at(const Launch *launch, simgpu_fault_kind kind,
                                 const FaultPlace &place, uint64_t block, uint32_t thread,
                                 const char *what, ...) __attribute__((format(printf, 6, 7)));
/** Records a fault of host code. */
SIMGPU_COLD void host_fault(simgpu_fault_kind kind, const FaultPlace &place, const char *kernel,
                            const char *what, ...) __attribute__((format(printf, 4, 5)));
/** The element at an offset of device memory, named after a kernel's argument: "a[31][5] of 28
 * x 24". `size`: bytes of the access, or 0. */
std::string element_name(const Launch *launch, uint64_t offset, unsigned size,
                         const Allocation *owner = nullptr);
/** Is this instruction in the kernel itself, and not in a function that it calls? */
bool in_kernel_itself(const Launch *launch, uint32_t pc);
/** An element outside an allocation that several of the kernel's arguments point into, named
 * after the argument in the line of `pc`; "" if that line has several of them, or if only one
 * argument points there. */
std::string element_name_in_line(const Launch *launch, uint64_t offset, const Allocation &owner,
                                 uint32_t pc);
/** The same for an address outside device memory that an index of an argument may have led to;
 * "" if there is memory at the address. */
std::string stray_element_name(const Launch *launch, uintptr_t address);
/** The name of the kernel's index-th parameter, or "". */
std::string parameter_name(const simgpu_launch_desc &launch, int index);
/* Advice; "" if nothing is known, null if that of the fault's kind fits (advice.cpp). */
/** If an allocation, or the copy that filled it, counted elements instead of bytes; else null.
 * `word`: offset of a word outside the allocation, or never written. */
const char *bytes_advice(const Launch *launch, const Allocation &allocation, uint64_t word);
/** An access at `offset`, outside the allocation nearest to it. */
const char *outside_advice(const Launch *launch, const Allocation &nearest, uint64_t offset);
/** An access to an address that is no device memory; `null`: a null pointer led there. */
const char *pointer_advice(const Launch *launch, uintptr_t address, bool null);
/** An access outside a shared array. */
const char *shared_advice(const Launch *launch, const struct SharedArray &array);
constexpr const char *overflow_advice =
    "So far away an index is usually computed wrongly: an int that overflows (write size_t or "
    "long long: (size_t)row * n + col), a negative number taken as unsigned, or an index that "
    "was never set.";
/** "the 4096 bytes allocated at main.cu:31 (d_a)". */
std::string allocation_name(const Allocation &allocation);
/** "the 4096 bytes allocated at main.cu:12 (d)", and where in them. */
std::string bytes_name(uint64_t at);
/** "tile[3][4]"; "" of an array whose elements are not known. */
std::string shared_element(Launch *launch, uint32_t offset);
/** "byte 12 of tile", in shared memory. */
std::string shared_byte(Launch *launch, uint32_t offset);
/** The argument that names the element, and the others with the index at which each would reach
 * it: "c a 512 b 256"; null if it has no name. */
const char *other_names(const Launch *launch, uint64_t offset);
/** "b[256]" if the line of source names this one of them, and not the first; else "". */
std::string reached_as(const char *other_names, const std::string &line);
/** "thread (9,0,0)" */
std::string thread_name(const Launch *launch, uint32_t thread);
/** "main.cu:12" */
std::string place_in(const std::string &file, int line);
/** The same, or that the line is unknown. */
std::string place_name(const SourceLine &at);
/** "8 x 8 blocks of 16 x 16 threads", "1 block of 32 threads". */
std::string shape_of(const simgpu_launch_desc &d);
/** "line 12", or "other.cu:12" if it is in another file than `here`. */
std::string line_name(const SourceLine &at, const SourceLine &here);
/** A call that runs earlier but is later in the source, or in the same line, is in a loop. */
const char *if_again(const SourceLine &earlier, const SourceLine &here);
/** "after line 12 and before line 15". */
std::string between(const SourceLine &a, const SourceLine &b);
/** If this worker has reported the fault before, only counts it again. */
bool counted_again(Worker *w, simgpu_fault_kind kind, const FaultPlace &place);
/** Keeps a copy of a text for records, which have only pointers to their texts. */
const char *kept(const std::string &text);
/** Was a call refused that may have been intended to fill device memory? */
bool call_refused();
/** Prints in one line the memory of cudaMalloc that was never freed. */
void note_leaks();
/** Notes what no kernel has read of the arrays that the host has filled. */
void note_never_read();
/** Withdraws races between atomics and these reads. */
void faults_forget_guards(const std::vector<uint32_t> &reads);
/** Remembers a launch for simgpu_last_launch(). */
void note_launch(const simgpu_launch_desc &desc);
/** Prints a note, once for each place, about a host call that may be right: no fault. */
SIMGPU_COLD void host_note(uint32_t pc, const std::string &what, const char *advice);
/** Adds a worker's own fault counts to the records. */
void faults_flush(Worker *w);
/** Prints the faults that are not printed yet. */
void faults_print();
/** Distinct faults so far, readable even while the program ends. */
extern std::atomic<int> faults_seen;

/* ---- error state of the device (device_api.cpp) ---- */

void set_error(cudaError_t error);
/** Sets the error and returns it. */
cudaError_t fail(cudaError_t error);
/** Loses the device: every later call fails with this error. */
void set_device_error(cudaError_t error);
cudaError_t device_error();
void clear_errors();

} // namespace simgpu

#endif
