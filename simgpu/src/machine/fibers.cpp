/* SPDX-License-Identifier: MIT */
/** @file fibers.cpp
 * One stack for each thread of a block, and the switch between stacks. On x86-64 the switch
 * takes a dozen instructions. Elsewhere, or with SIMGPU_UCONTEXT, it is the C library's
 * swapcontext, which also saves the signal mask by a system call and is ten times slower.
 */
#include "src/machine/machine.h"

#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(SIMGPU_UCONTEXT)
#define SIMGPU_UCONTEXT 1
#endif
#ifdef SIMGPU_UCONTEXT
#include <ucontext.h>
#endif

namespace simgpu
{

namespace
{
constexpr size_t guard_bytes = 1 << 20, /* larger than a local array that does not fit */
    guard_above_bytes = 64 << 10;       /* stops loops that run out of a local array */
}

size_t fiber_stack_bytes = 64 << 10;

struct Fiber {
#ifdef SIMGPU_UCONTEXT
    ucontext_t context;
#else
    void *stack_pointer = nullptr;
#endif
    /* the stack, between guard pages; null: a stack made elsewhere */
    unsigned char *memory = nullptr;
    size_t colour = 0, bytes = fiber_stack_bytes;
};

Fiber *fiber_create(unsigned number)
{
    Fiber *fiber = new Fiber;
    void *memory = mmap(nullptr, guard_bytes + fiber->bytes + guard_above_bytes, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "simgpu: no memory for the stacks of a block's threads\n");
        exit(3);
    }
    fiber->memory = static_cast<unsigned char *>(memory);
    mprotect(fiber->memory + guard_bytes, fiber->bytes, PROT_READ | PROT_WRITE);
    /* Stacks that all begin at the same offset of a page would compete for a few cache sets. */
    fiber->colour = number % 31 * 192;
    return fiber;
}

void fiber_destroy(Fiber *fiber)
{
    if (fiber->memory)
        munmap(fiber->memory, guard_bytes + fiber->bytes + guard_above_bytes);
    delete fiber;
}

Fiber *fiber_adopt() { return new Fiber; }

uintptr_t fiber_stack_low(const Fiber *fiber) { return (uintptr_t)fiber->memory + guard_bytes; }

bool fiber_guards(const Fiber *fiber, uintptr_t address)
{
    uintptr_t at = address - (uintptr_t)fiber->memory;
    return fiber->memory && at < guard_bytes + fiber->bytes + guard_above_bytes &&
           at - guard_bytes >= fiber->bytes;
}

#ifdef SIMGPU_UCONTEXT

void fiber_prepare(Fiber *fiber, void (*entry)())
{
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->memory + guard_bytes;
    fiber->context.uc_stack.ss_size = fiber->bytes - fiber->colour / 16 * 16;
    fiber->context.uc_link = nullptr;
    makecontext(&fiber->context, entry, 0);
}

void fiber_switch(Fiber *from, Fiber *to) { swapcontext(&from->context, &to->context); }

#else

/* Saves the registers that a called function must preserve, changes stacks and restores them.
 * The return address on the new stack is where that fiber continues. */
extern "C" void simgpu_switch_stacks(void **save, void *load);
asm(R"(
    .text
    .p2align 4
    .globl simgpu_switch_stacks
    .hidden simgpu_switch_stacks
    .type simgpu_switch_stacks, @function
simgpu_switch_stacks:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size simgpu_switch_stacks, .-simgpu_switch_stacks
)");

void fiber_prepare(Fiber *fiber, void (*entry)())
{
    uintptr_t top = (uintptr_t)fiber->memory + guard_bytes + fiber->bytes - fiber->colour;
    void **stack = reinterpret_cast<void **>(top & ~(uintptr_t)15);
    *--stack = nullptr; /* ends a walk of the stack; also the odd 8 bytes that the ABI wants */
    *--stack = reinterpret_cast<void *>(entry);
    for (int i = 0; i < 6; i++)
        *--stack = nullptr;
    fiber->stack_pointer = stack;
}

void fiber_switch(Fiber *from, Fiber *to)
{
    simgpu_switch_stacks(&from->stack_pointer, to->stack_pointer);
}

#endif

void fiber_enter(Fiber *base, Fiber *to) { fiber_switch(base, to); }

void fiber_leave(Fiber *from, Fiber *base)
{
    fiber_switch(from, base);
    abort();
}

} // namespace simgpu
