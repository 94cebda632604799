/* SPDX-License-Identifier: MIT */
/** @file signals.cpp
 * Handles faults that the processor's memory protection finds: host code that follows a device
 * pointer, and wild accesses of plain kernels. The program then ends with a message and status
 * 1 instead of a signal. At its end it reports leaks, and the exit status is 1 after faults.
 */
#include "src/launch/blocks.h"

#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace simgpu
{

namespace
{

struct sigaction previous_segv, previous_bus, previous_fpe;

uintptr_t instruction(void *context)
{
#if defined(__x86_64__)
    return (uintptr_t) static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t) static_cast<ucontext_t *>(context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/** The top of the stack, on which x86-64 keeps return addresses; 0 on other machines. */
uintptr_t stack_top(void *context)
{
#if defined(__x86_64__)
    return (uintptr_t) static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP];
#else
    (void)context;
    return 0;
#endif
}

/** The caller of a function at an address without code; 0 if unknown. The function's first
 * instruction has failed, so the return address is on top of the stack. */
uintptr_t caller_of_nothing(void *context)
{
    const uintptr_t *top = (const uintptr_t *)stack_top(context);
    return top && is_program_code(*top) ? *top : 0;
}

/** Is the failed instruction a return? Then its return address was overwritten. */
bool returns(void *context)
{
    return stack_top(context) && is_program_code(instruction(context)) &&
           *(const unsigned char *)instruction(context) == 0xc3;
}

/** Is an access outside the thread's stack, or has the stack overflowed? The traced
 * build does not check local arrays; every other access was checked before. */
enum class Own { no, overrun, overflow };

Own own_memory(const Worker *w, uintptr_t address, void *context)
{
    const bool guard = w->running && fiber_guards(w->running, address);
    const uintptr_t top = stack_top(context);
    if (guard && (!top || (address < fiber_stack_low(w->running) && address + 4096 >= top)))
        return Own::overflow;
    return guard || (top && w->tracing && address >= 65536) ? Own::overrun : Own::no;
}

/* Not everything done here is allowed in a signal handler. But the signal comes from an access
 * of the program's own code, which then holds no lock of the C library. */
void on_fault(int signal, siginfo_t *info, void *context)
{
    static __thread bool again;
    leave_lost_stack();
    uintptr_t address = (uintptr_t)info->si_addr;
    Worker *w = this_worker;
    Untraced quiet;
    bool ours =
        !again && (w || (signal != SIGFPE && arena.base && arena_contains(info->si_addr)));
    if (!ours) {
        const struct sigaction &previous = signal == SIGBUS   ? previous_bus
                                           : signal == SIGFPE ? previous_fpe
                                                              : previous_segv;
        sigaction(signal, &previous, nullptr);
        return; /* it happens again, now to the previous handler */
    }
    again = true;
    FaultPlace place;
    uintptr_t at = instruction(context);
    if (w) {
        auto fault = [&](simgpu_fault_kind kind, const std::string &what) {
            kernel_fault(w, kind, place, "%s", what.c_str());
        };
        const std::string there = format("address %#llx", (Count)address);
        place.pc = at ? pc_of(at) + 1 : 0;
        cudaError_t error = cudaErrorIllegalAddress;
        if (signal == SIGFPE)
            error = cudaErrorLaunchFailure;
        else if (info->si_code == SI_KERNEL)
            error = cudaErrorMisalignedAddress;
        bool calls_nothing = signal == SIGSEGV && address == at;
        if (calls_nothing && caller_of_nothing(context)) {
            place.pc = pc_of(caller_of_nothing(context));
            place.advice = "Usually a function pointer was never set.";
            fault(SIMGPU_DEVICE_TOUCHES_HOST,
                  "calls a function at " + there + ", where there is none");
            faults_flush(w);
            again = false;
            abort_launch(w, error);
        }
        if (!is_user_code(at))
            place.pc = 0;
        if (signal == SIGFPE)
            fault(SIMGPU_DIVISION_BY_ZERO, "divides an integer by zero");
        else if (own_memory(w, address, context) == Own::overflow)
            fault(SIMGPU_STACK_OVERFLOW, "needs more memory for its own variables than it has");
        else if (calls_nothing ? address >= 65536 : returns(context))
            fault(SIMGPU_OUT_OF_BOUNDS_ARRAY,
                  "cannot return from its function: it has written beyond a local array");
        else if (own_memory(w, address, context) == Own::overrun)
            fault(SIMGPU_OUT_OF_BOUNDS_ARRAY,
                  is_user_code(at) ? "reads or writes far beyond a local array"
                                   : "has lost its way: it has written beyond a local array");
        else if (info->si_code == SI_KERNEL)
            fault(SIMGPU_MISALIGNED,
                  "reads or writes 16 bytes at an address that is not a multiple of 16");
        else if (in_host_table(address)) {
            place.advice = host_table_advice;
            fault(SIMGPU_DEVICE_TOUCHES_HOST,
                  "calls a virtual function of an object that the host has made");
        } else if (arena_contains(info->si_addr))
            fault(SIMGPU_OUT_OF_BOUNDS_GLOBAL,
                  "reads or writes device memory far outside of any allocation");
        else if (address < 65536)
            fault(SIMGPU_DEVICE_TOUCHES_HOST, "reads or writes " + there + ": a null pointer");
        else
            fault(SIMGPU_OUT_OF_BOUNDS_GLOBAL,
                  "reads or writes " + there + ", where there is no memory");
        faults_flush(w);
        if (is_user_code(at)) {
            /* The kernel's code holds no lock: end it here, as a GPU does. */
            again = false;
            abort_launch(w, error);
        }
    } else {
        uintptr_t call = is_user_code(at) ? tracer_call_before(at) : 0;
        place.pc = host_stray.address == address ? pc_of(host_stray.return_address)
                   : call                        ? pc_of(call)
                   : is_user_code(at)            ? pc_of(at) + 1
                                                 : calling_pc();
        uint64_t offset = address - (uintptr_t)arena.base;
        const Allocation *a = arena_find(offset);
        std::string owner = a && a->file ? format(", in the %llu bytes allocated at %s",
                                                  a->size, place_in(a->file, a->line).c_str())
                                         : "";
        host_fault(SIMGPU_HOST_TOUCHES_DEVICE, place, nullptr,
                   "host code reads or writes device memory%s", owner.c_str());
    }
    faults_print();
    write_json_file();
    fflush(stdout);
    _exit(1);
}

/* Runs when a launch's time is over. It runs on the stack of the simulated thread, which has no
 * space for several: signals queue up for a worker that waits for a processor, which then takes
 * them one after the other. A thread in the program's own code holds no lock, so everything is
 * allowed. */
void on_look(int, siginfo_t *, void *context)
{
    Worker *w = this_worker;
    Untraced quiet;
    uintptr_t at = instruction(context);
    if (!w || asks_for_lines() || !at || !w->launch->stop || !is_program_code(at) ||
        w->current >= w->threads_count ||
        (uintptr_t)__builtin_frame_address(0) - fiber_stack_low(w->running) >=
            fiber_stack_bytes)
        return;
    if (!is_user_code(at))
        return;                       /* the watch will send the signal again */
    time_is_over(w, {pc_of(at) + 1}); /* does not return; see signals_allow_look() */
}

/** Runs last of all: a program with faults has not succeeded, whatever status it returns. */
void at_end(int status, void *)
{
    faults_print();
    write_json_file();
    if ((status == 0 || settings.standalone) && faults_seen > 0) {
        fflush(nullptr);
        _exit(1);
    }
}

void at_end_leaks(int status, void *)
{
    if (status == 0)
        check_printing();
    if (status == 0 && device_error() == cudaSuccess)
        settings.leaks ? (void)simgpu_check_leaks() : note_leaks();
    note_never_read();
}

/* assert() and abort() also end a program: print first what was found. */
void on_abort(int)
{
    faults_print();
    write_json_file();
    signal(SIGABRT, SIG_DFL); /* abort() continues */
}

__attribute__((constructor(101))) void watch_end()
{
    signal(SIGABRT, on_abort);
    on_exit(at_end, nullptr);
}

} // namespace

int signals_look() { return SIGRTMIN + 7; }

void signals_init()
{
    auto handle = [](int signal, void (*handler)(int, siginfo_t *, void *), int flags,
                     struct sigaction *previous) {
        struct sigaction action = {};
        action.sa_sigaction = handler;
        action.sa_flags = SA_SIGINFO | flags;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, previous);
    };
    handle(SIGSEGV, on_fault, SA_ONSTACK | SA_NODEFER, &previous_segv);
    handle(SIGBUS, on_fault, SA_ONSTACK | SA_NODEFER, &previous_bus);
    handle(SIGFPE, on_fault, SA_ONSTACK | SA_NODEFER, &previous_fpe);
    handle(signals_look(), on_look, SA_RESTART, nullptr);
    on_exit(at_end_leaks, nullptr);
}

void signals_allow_look()
{
    sigset_t look;
    sigemptyset(&look);
    sigaddset(&look, signals_look());
    pthread_sigmask(SIG_UNBLOCK, &look, nullptr);
}

void signals_init_thread()
{
    /* The fiber's own stack may be full. */
    constexpr size_t size = 256 << 10;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = size;
    sigaltstack(&stack, nullptr);
}

} // namespace simgpu
