/* SPDX-License-Identifier: MIT */
/** @file machine.h
 * What depends on the machine: memory from the system, fibers, the program's
 * instructions and source lines, signals. web/machine has others for web pages.
 */
#ifndef SIMGPU_SRC_MACHINE_H
#define SIMGPU_SRC_MACHINE_H

#include "src/base.h"

namespace simgpu
{

/* ---- memory from the system (memory.cpp) ---- */

/** Sizes of device memory's address space, in bytes: the largest is tried first. */
extern const uint64_t most_device_memory, least_device_memory;
/** A program may allocate this part of the addresses: 1 / addresses_per_byte. The others are
 * left free, so that freed addresses are not used again soon. */
extern const uint64_t addresses_per_byte;
/** Says why cudaMalloc of so much failed, where a program meets a limit that no GPU has. */
void explain_no_memory(size_t bytes, const char *file, int line);
/** Reserves addresses whose bytes are zero, or returns null. Unless `open`, every access to
 * them fails. */
void *reserve_memory(uint64_t bytes, bool open);
void release_memory(void *memory, uint64_t bytes);
void open_memory(void *memory, uint64_t bytes, bool open);
/** Makes the bytes zero and releases their memory. */
void forget_memory(void *memory, uint64_t bytes);
/** The same for memory that is not open and that nothing uses: the tables of its pages go, too,
 * where a whole one is between these addresses. Opening would walk through each. */
void forget_tables(uint8_t *begin, uint8_t *end);
constexpr uint64_t page_table = 2 << 20; /* the addresses of a table of pages */
/** Is there any memory at this address of the process? */
bool has_memory(uintptr_t address);
uint64_t physical_memory();
/** Bytes of memory that the process takes; 0: unknown. */
uint64_t resident_memory();
/** The callers of the running function, at most `most`; returns how many, or 0 if the program
 * has destroyed its stack. */
int calling_frames(void **frames, int most);
/** After a protection fault: if it was in calling_frames(), goes back to it. */
void leave_lost_stack();

/** Where the traced program called the current function, for pc_of(). */
#ifdef __wasm__
extern "C" uint32_t simgpu_site; /* set before each such call; web/machine/lines.cpp */
#define SIMGPU_CALLER ((uintptr_t)simgpu_site)
#else
#define SIMGPU_CALLER ((uintptr_t)__builtin_return_address(0))
#endif

/* ---- fibers (fibers.cpp) ---- */

struct Fiber;
Fiber *fiber_create(unsigned number);
void fiber_destroy(Fiber *fiber);
/** The next switch to the fiber starts at `entry`, which must not return. */
void fiber_prepare(Fiber *fiber, void (*entry)());
/** Switches from the stack of fiber_adopt() to a fiber; returns when one leaves. */
void fiber_enter(Fiber *base, Fiber *to);
void fiber_switch(Fiber *from, Fiber *to);
/** Back to fiber_enter(), for good. */
[[noreturn]] void fiber_leave(Fiber *from, Fiber *base);
/** A fiber for the caller's own stack. */
Fiber *fiber_adopt();
uintptr_t fiber_stack_low(const Fiber *fiber);
/** Bytes of a stack. A program may ask for more with cudaDeviceSetLimit(); older fibers keep
 * the old size. */
extern size_t fiber_stack_bytes;
/** Is this address in the guard pages below and above the stack? */
bool fiber_guards(const Fiber *fiber, uintptr_t address);

/* ---- the program's instructions (machine_code.cpp) ---- */

/** Does the store after this call of the tracer store a constant of the program? Only then is
 * it certain that all threads store the same value (`*found = 1`). */
SIMGPU_COLD bool stores_constant(uint32_t pc);
/** Is the volatile read after this call of the tracer in a polling loop, with a jump back over
 * it soon after? True if in doubt. */
SIMGPU_COLD bool polls(uint32_t pc);

/** Removes the calls of the tracer from the code of a program of `ladder sim`, or restores
 * them. */
void call_tracer(bool wanted);

/** The return address of the tracer's call for this access, even if the call is removed; 0 if
 * there is none near it. The compiler moves no access across such a call, but the line that it
 * records for the access may be that of a later use of the value. */
uintptr_t tracer_call_before(uintptr_t access);

/** The tracer's functions that can be removed from a program without changing its results. */
std::vector<uintptr_t> tracer_calls();

/* ---- symbols ---- */

struct SourceLine {
    std::string file; /**< empty: unknown */
    int line = 0;
    std::string function;
    /** Its callers, as far as calls are inlined there: file, line, function. */
    std::vector<SourceLine> callers;
};
/** The address at which the program was loaded. */
extern uintptr_t image_bias;
/** An address in the program, as the tracer stores it. */
inline uint32_t pc_of(uintptr_t return_address)
{
    return (uint32_t)(return_address - image_bias);
}
/** Looks up several addresses at once, and keeps the results. */
void resolve(const std::vector<uint32_t> &pcs);
SourceLine source_of(uint32_t pc);
std::string function_at(const void *address);
/** The path as messages show it: relative to the project if possible. */
std::string display_path(const std::string &path);
/** The text of a line, without leading blanks unless `whole`; empty if it cannot be read. */
std::string source_text(const std::string &file, int line, bool whole = false);
/** Is this address in a read-only part of the program? */
bool is_read_only(uintptr_t address);
bool is_constant_memory(uintptr_t address);
/** Is it one of the program's variables outside all functions? */
bool is_host_variable(uintptr_t address);
/** Is it an address of the program's own memory, and not of the simulator's tables? */
bool is_mapped(uintptr_t address);
bool is_program_code(uintptr_t instruction);
/** Does this instruction belong to the user's code, not to the simulator or a library? */
bool is_user_code(uintptr_t instruction);
/** True while the calling thread looks up lines or names. */
bool asks_for_lines();
/** The nearest frame on the caller's stack that is in the program, outside the simulator. */
uint32_t calling_pc();
/** The same for a stored stack. */
uint32_t calling_pc_of(void *const *frames, int count);

/* ---- signals ---- */

/** Installs handlers for protection faults and for the end of the program. */
void signals_init();
/** Gives the calling thread, which runs kernels, a stack for the handler. */
void signals_init_thread();
/** The signal that stops a worker whose time is over. */
int signals_look();
/** Unblocks that signal in the calling thread after a handler that did not return. */
void signals_allow_look();

} // namespace simgpu

#endif
