/* SPDX-License-Identifier: MIT */
/** @file signals.cpp
 * What the processor's own protection finds: host code that follows a device pointer, kernels
 * of the plain build that run wild. The program then ends with status 1 and a message, not by a
 * signal. Also what happens at the end of the program: leaks are told, and faults make its exit
 * status 1.
 */
#include "internal.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
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

/** Where the function was called that begins at an address without code: its first instruction
 * has failed, so that the return address lies on top of the stack. 0: not known. */
uintptr_t caller_of_nothing(void *context)
{
#if defined(__x86_64__)
    uintptr_t *top =
        (uintptr_t *)static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP];
    return is_program_code(*top) ? *top : 0;
#else
    (void)context;
    return 0;
#endif
}

/** Has the instruction failed that goes back to the caller? Then its place on the stack was
 * overwritten. */
bool returns(void *context)
{
#if defined(__x86_64__)
    return is_program_code(instruction(context)) &&
           *(const unsigned char *)instruction(context) == 0xc3;
#else
    (void)context;
    return false;
#endif
}

/** Is a thread's own stack what an access went astray from, or ran out of? Only arrays that the
 * traced build need not look at lie there: whatever else it follows it has looked at before. */
enum class Own { no, overrun, overflow };

Own own_memory(const Worker *w, uintptr_t address, void *context)
{
    bool guard = w->running && fiber_guards(w->running, address);
#if defined(__x86_64__)
    uintptr_t top = (uintptr_t) static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP];
    if (guard && address < fiber_stack_low(w->running) && address + 4096 >= top)
        return Own::overflow;
    return guard || (w->tracing && address >= 65536) ? Own::overrun : Own::no;
#else
    return guard ? Own::overflow : Own::no;
#endif
}

/* Not all that is done here is allowed in a signal handler. The signal comes from an access of
   the program's own code, though, which holds no lock of the C library then. */
void on_fault(int signal, siginfo_t *info, void *context)
{
    static __thread bool again;
    uintptr_t address = (uintptr_t)info->si_addr;
    Worker *w = this_worker;
    bool ours =
        !again && (w || (signal != SIGFPE && arena.base && arena_contains(info->si_addr)));
    if (!ours) {
        const struct sigaction &previous = signal == SIGBUS   ? previous_bus
                                           : signal == SIGFPE ? previous_fpe
                                                              : previous_segv;
        sigaction(signal, &previous, nullptr);
        return; /* happens again, to somebody else */
    }
    again = true;
    FaultPlace place;
    if (w) {
        place.pc = instruction(context) ? pc_of(instruction(context)) + 1 : 0;
        cudaError_t error = cudaErrorIllegalAddress;
        if (signal == SIGFPE)
            error = cudaErrorLaunchFailure;
        else if (info->si_code == SI_KERNEL)
            error = cudaErrorMisalignedAddress;
        bool calls_nothing = signal == SIGSEGV && address == instruction(context);
        if (calls_nothing && caller_of_nothing(context)) {
            place.pc = pc_of(caller_of_nothing(context));
            place.advice = "Usually a function pointer was never set.";
            kernel_fault(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                         "calls a function at address %#llx, where there is none",
                         (unsigned long long)address);
            faults_flush(w);
            again = false;
            abort_launch(w, error);
        }
        if (!is_user_code(instruction(context)))
            place.pc = 0;
        if (signal == SIGFPE)
            kernel_fault(w, SIMGPU_DIVISION_BY_ZERO, place, "divides an integer by zero");
        else if (own_memory(w, address, context) == Own::overflow)
            kernel_fault(w, SIMGPU_STACK_OVERFLOW, place,
                         "needs more memory for its own variables than it has");
        else if (calls_nothing ? address >= 65536 : returns(context))
            kernel_fault(
                w, SIMGPU_OUT_OF_BOUNDS_ARRAY, place,
                "cannot return from its function: it has written beyond an array of its own");
        else if (own_memory(w, address, context) == Own::overrun)
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_ARRAY, place,
                         is_user_code(instruction(context))
                             ? "reads or writes far beyond an array of its own"
                             : "has lost its way: it has written beyond an array of its own");
        else if (info->si_code == SI_KERNEL)
            kernel_fault(w, SIMGPU_MISALIGNED, place,
                         "reads or writes 16 bytes at an address that is not a "
                         "multiple of 16");
        else if (arena_contains(info->si_addr))
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                         "reads or writes device memory far outside of "
                         "any allocation");
        else if (address < 65536)
            kernel_fault(w, SIMGPU_DEVICE_TOUCHES_HOST, place,
                         "reads or writes address %#llx: a null pointer",
                         (unsigned long long)address);
        else
            kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                         "reads or writes address %#llx, where there is no "
                         "memory",
                         (unsigned long long)address);
        faults_flush(w);
        if (is_user_code(instruction(context))) {
            /* In the kernel's own code nothing is held: leave it here, as a GPU does. */
            again = false;
            abort_launch(w, error);
        }
    } else {
        place.pc =
            is_user_code(instruction(context)) ? pc_of(instruction(context)) + 1 : calling_pc();
        uint64_t offset = address - (uintptr_t)arena.base;
        const Allocation *a = arena_find(offset);
        std::string owner = a && a->file ? format(", in the %llu bytes allocated at %s:%d",
                                                  (unsigned long long)a->size,
                                                  display_path(a->file).c_str(), a->line)
                                         : "";
        host_fault(SIMGPU_HOST_TOUCHES_DEVICE, place, nullptr,
                   "host code reads or writes device memory%s", owner.c_str());
    }
    faults_print();
    fflush(stdout);
    _exit(1);
}

/* Sent to a worker when its launch's time is over. It runs on the stack of the simulated
   thread, which has no space for many: a worker that has to wait for a processor finds a queue
   of them, and takes one after the other. If the thread is in the program's own code it holds
   no lock, and everything is allowed. */
void on_look(int, siginfo_t *, void *context)
{
    Worker *w = this_worker;
    uintptr_t at = instruction(context);
    if (!w || asks_for_lines() || !at || !w->launch->stop || !is_program_code(at) ||
        w->current >= w->threads_count ||
        (uintptr_t)__builtin_frame_address(0) - fiber_stack_low(w->running) >=
            fiber_stack_bytes)
        return;
    if (!is_user_code(at))
        return; /* the watch will send the signal again */
    FaultPlace place;
    place.pc = pc_of(at) + 1;
    time_is_over(w, place); /* does not come back: signals_allow_look() */
}

/** Runs last of all: a program with faults has not succeeded, whatever it says. */
void at_end(int status, void *)
{
    faults_print();
    if ((status == 0 || settings.standalone) && faults_seen > 0) {
        fflush(nullptr);
        _exit(1);
    }
}

void at_end_leaks(int status, void *)
{
    if (status == 0 && device_error() == cudaSuccess && settings.leaks)
        simgpu_check_leaks();
}

/* assert() and abort() end a program too; what was found is said before. */
void on_abort(int)
{
    faults_print();
    signal(SIGABRT, SIG_DFL); /* abort() goes on */
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
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous_segv);
    sigaction(SIGBUS, &action, &previous_bus);
    sigaction(SIGFPE, &action, &previous_fpe);
    struct sigaction look = {};
    look.sa_sigaction = on_look;
    look.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&look.sa_mask);
    sigaction(signals_look(), &look, nullptr);
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
    /* The stack of a fiber may be what is full. */
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
