/* SPDX-License-Identifier: MIT */
/** @file fibers.cpp
 * Threads of a block in a web page. WebAssembly cannot change stacks. Binaryen's asyncify pass
 * has rewritten each function from which a thread may be left: it can save its variables in a
 * buffer and return ("unwind"), and can be called again later and continue where it was
 * ("rewind"). A thread that is left unwinds down to fiber_enter(), which begins or rewinds the
 * next one. Variables with an address are on the thread's stack and stay there.
 *
 * Also pool_run(), for the one host thread that a page has.
 */
#include "src/faults/faults.h"
#include "src/machine/machine.h"

#define PAGE(name)     __attribute__((import_module("page"), import_name(name)))
#define ASYNCIFY(name) __attribute__((import_module("asyncify"), import_name(name)))

extern "C" {
ASYNCIFY("start_unwind") void asyncify_start_unwind(void *frames);
ASYNCIFY("stop_unwind") void asyncify_stop_unwind();
ASYNCIFY("start_rewind") void asyncify_start_rewind(void *frames);
ASYNCIFY("stop_rewind") void asyncify_stop_rewind();
/** Calls simgpu_run_fiber() on a stack that begins at `stack`. Returns 1 if it was left by
 * page_leave(), 0 if it unwound; `*top` is then the top of its stack. */
PAGE("enter") int page_enter(void *stack, uintptr_t *top);
PAGE("leave") [[noreturn]] void page_leave();
}

namespace simgpu
{

namespace
{
constexpr size_t frames_bytes = 16 << 10;
bool rewinding;
} // namespace

struct Fiber {
    struct {
        unsigned char *at, *end;
    } frames;              /**< as asyncify needs it: where it saves the functions' variables */
    unsigned char *memory; /**< the frames, then the stack; null: another owner's stack */
    uintptr_t top;         /**< the top of the stack */
    void (*entry)();
    bool begun;
};

static Fiber *next; /* the one that fiber_enter() runs next */

Fiber *fiber_create(unsigned)
{
    Fiber *fiber = new Fiber();
    fiber->memory = static_cast<unsigned char *>(malloc(frames_bytes + fiber_stack_bytes));
    if (!fiber->memory) {
        fprintf(stderr, "simgpu: no memory for the stacks of a block's threads\n");
        exit(3);
    }
    return fiber;
}

void fiber_destroy(Fiber *fiber)
{
    free(fiber->memory);
    delete fiber;
}

size_t fiber_stack_bytes = 64 << 10;

Fiber *fiber_adopt() { return new Fiber(); }

uintptr_t fiber_stack_low(const Fiber *fiber)
{
    return (uintptr_t)fiber->memory + frames_bytes;
}

bool fiber_guards(const Fiber *, uintptr_t) { return false; }

void fiber_prepare(Fiber *fiber, void (*entry)())
{
    fiber->frames = {fiber->memory, fiber->memory + frames_bytes};
    fiber->top = (fiber_stack_low(fiber) + fiber_stack_bytes) & ~(uintptr_t)15;
    fiber->entry = entry;
    fiber->begun = false;
}

__attribute__((noinline)) void fiber_enter(Fiber *base, Fiber *to)
{
    for (next = to; next != base;) {
        Fiber *fiber = next;
        if (fiber->begun) {
            rewinding = true;
            asyncify_start_rewind(&fiber->frames);
        }
        fiber->begun = true;
        if (page_enter((void *)fiber->top, &fiber->top))
            return;
        asyncify_stop_unwind();
    }
}

static double begun;
static uint64_t blocks_before;

/** Marks the launch when its time is over. Its threads check at their next barrier. */
static void look_at_clock(Worker *w)
{
    if (uint64_t done = w->launch->blocks_done; done != blocks_before) {
        blocks_before = done;
        begun = cpu_seconds();
    }
    double limit = w->launch->strayed() ? 1 : settings.time_limit;
    if (limit > 0 && cpu_seconds() - begun >= limit)
        w->launch->stop = true;
}

__attribute__((noinline)) void fiber_switch(Fiber *from, Fiber *to)
{
    static unsigned switches;
    if (rewinding) {
        rewinding = false;
        asyncify_stop_rewind();
        return;
    }
    if (++switches % 4096 == 0)
        look_at_clock(this_worker);
    next = to;
    from->frames.at = from->memory;
    asyncify_start_unwind(&from->frames);
}

void fiber_leave(Fiber *, Fiber *) { page_leave(); }

/* ---- blocks ------------------------------------------------------------------------------ */

void pool_run(Launch *launch)
{
    static Worker *worker = new Worker;
    if (launch->in_clusters()) {
        const unsigned *size = launch->cluster;
        kernel_fault_at(launch, SIMGPU_NOT_SIMULATED,
                        at_line(launch->desc.file, launch->desc.line), 0, 0,
                        "runs in clusters of %u blocks. A page has one host thread, and the "
                        "blocks of a cluster need one each",
                        size[0] * size[1] * size[2]);
        launch->error = (int)cudaErrorNotSupported;
        launch->aborted = true;
        return;
    }
    begun = cpu_seconds();
    blocks_before = 0;
    run_blocks(worker, launch);
}

/** A thread waits. A page has no further host thread, but this is when to look at the clock. */
bool pool_add_extra(Launch *)
{
    look_at_clock(this_worker);
    return false;
}

} // namespace simgpu

extern "C" __attribute__((export_name("simgpu_run_fiber"))) void simgpu_run_fiber()
{
    simgpu::next->entry();
}

/** A turn of a loop (lines.mjs). No signal ends a thread that never waits. */
extern "C" void simgpu_turn()
{
    using namespace simgpu;
    static unsigned turns;
    if (++turns % (1 << 18))
        return;
    if (Worker *w = this_worker) {
        look_at_clock(w);
        if (w->launch->stop)
            time_is_over(w, {simgpu_site});
    }
}
