/* SPDX-License-Identifier: MIT */
/** @file unseen.cpp
 * Accesses that the compiler does not announce to the tracer. tools/assemble.c puts a call
 * of simgpu_access_comes before each access of a traced source. Most of them have just been
 * announced by a call of the tracer; the others are traced here.
 */
#include <cstdarg>
#include <map>
#include <mutex>
#include <new>

#include "src/memory/arena.h"
#include "src/tracer/tracer.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

using namespace simgpu;

extern "C" __attribute__((weak, visibility("hidden"))) const uintptr_t __start_simgpu_own[];
extern "C" __attribute__((weak, visibility("hidden"))) const uintptr_t __stop_simgpu_own[];

namespace
{

/** What simgpu_access_comes gets; the same in tools/assemble.c. */
enum : unsigned { writes = 1, of_string = 2, repeated = 4, size_unit = 8 };

/** Takes bytes from what was announced. Only the first byte must be among them, since an
 * instruction may read more than the program asks for. */
__attribute__((target("general-regs-only"), always_inline)) inline bool
take_announced(Worker *w, uintptr_t address, size_t size, bool write)
{
    for (unsigned back = 0; back < 8; back++) {
        Announced &a = w->announced[((size_t)(w->last_announced - w->announced) - back) % 8];
        if (address - a.at < a.size && a.write == write && a.left) {
            a.left -= a.left < size ? a.left : size;
            return true;
        }
    }
    return false;
}

void look_at_range(Worker *w, uintptr_t address, size_t size, bool write, uintptr_t pc)
{
    uint64_t offset;
    bool device = address - (uintptr_t)w->shared < shared_span ||
                  device_offset((const void *)address, &offset);
    if (size && device && !take_announced(w, address, size, write))
        trace_range(w, address, size, write, pc);
}

/* What host code of traced sources may write to, besides device memory: its stack below the
 * guard, its variables, and what it has allocated. */
uintptr_t stack_guard;
bool notes_blocks;

struct OwnBlocks {
    std::mutex mutex;
    std::map<uintptr_t, size_t> size_of;
};
OwnBlocks &own_blocks() /* initialisers allocate, too */
{
    static OwnBlocks blocks;
    return blocks;
}

SIMGPU_COLD void refuse_write()
{
    puts("Host code writes to memory that is neither its own nor the device's.");
    fflush(stdout);
    abort();
}

/** Nothing is ever mapped below 64 KiB: who writes there is told the address by the crash. */
SIMGPU_COLD void look_for_block(uintptr_t address)
{
    if (address < 65536)
        return;
    std::lock_guard<std::mutex> lock(own_blocks().mutex);
    auto after = own_blocks().size_of.upper_bound(address);
    if (after == own_blocks().size_of.begin() ||
        address - std::prev(after)->first >= std::prev(after)->second)
        refuse_write();
}

__attribute__((target("general-regs-only"), noinline)) void look_at_host(uintptr_t address)
{
    uintptr_t below = (uintptr_t)__builtin_frame_address(0) - 4096;
    if (this_worker || address - below < stack_guard - below ||
        address - (uintptr_t)arena.base < arena.size)
        return;
    for (const uintptr_t *range = __start_simgpu_own; range < __stop_simgpu_own; range += 2)
        if (address - range[0] < range[1] - range[0])
            return;
    look_for_block(address);
}

void *own(void *block, size_t size)
{
    if (block && notes_blocks) {
        std::lock_guard<std::mutex> lock(own_blocks().mutex);
        own_blocks().size_of[(uintptr_t)block] = size;
    }
    return block;
}

void *disown(void *block)
{
    if (notes_blocks && block) {
        std::lock_guard<std::mutex> lock(own_blocks().mutex);
        if (!own_blocks().size_of.erase((uintptr_t)block))
            refuse_write(); /* it would be given to the simulator */
    }
    return block;
}

/** Refuses a stream that is the program's own, and %n: both write wherever they are told. */
void look_at_output(FILE *out, const char *format)
{
    if (!notes_blocks)
        return;
    if (out && out != stdout && out != stderr)
        refuse_write();
    while (format && (format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, " #+-'I.*$0123456789hlLqjzt");
        if (*format == 'n')
            refuse_write();
        format += *format != '\0';
    }
}

} // namespace

extern "C" {

__attribute__((visibility("hidden"))) bool simgpu_guards_host = false;

} // extern "C"

void simgpu::guard_host(const void *to, size_t size)
{
    if (!simgpu_guards_host || tracing_worker || !size)
        return;
    look_at_host((uintptr_t)to);
    look_at_host((uintptr_t)to + size - 1);
}

extern "C" {

void simgpu_guard_host(void *frame)
{
    notes_blocks = true;
    stack_guard = (uintptr_t)frame;
    simgpu_guards_host = frame != nullptr;
}

void *simgpu_seen_malloc(size_t size) { return own(malloc(size), size); }

void *simgpu_seen_calloc(size_t count, size_t size)
{
    return own(calloc(count, size), count * size);
}

void simgpu_seen_free(void *block) { free(disown(block)); }
void *simgpu_seen_realloc(void *block, size_t size)
{
    return own(realloc(disown(block), size), size);
}
int simgpu_seen_vfprintf(FILE *out, const char *format, va_list arguments)
{
    look_at_output(out, format);
    if (settings.standalone && out == stdout)
        simgpu_kernel_prints();
    return vfprintf(out, format, arguments);
}

int simgpu_seen_vprintf(const char *format, va_list arguments)
{
    return simgpu_seen_vfprintf(stdout, format, arguments);
}

int simgpu_seen_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = simgpu_seen_vfprintf(stdout, format, arguments);
    va_end(arguments);
    return count;
}

int simgpu_seen_fprintf(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int count = simgpu_seen_vfprintf(out, format, arguments);
    va_end(arguments);
    return count;
}

int simgpu_seen_fputs(const char *text, FILE *out)
{
    look_at_output(out, nullptr);
    return fputs(text, out);
}

int simgpu_seen_fflush(FILE *out)
{
    look_at_output(out, nullptr);
    return fflush(out);
}

void *simgpu_seen_new(size_t size) { return own(::operator new(size), size); }
void *simgpu_seen_new_array(size_t size) { return own(::operator new[](size), size); }
void simgpu_seen_delete(void *block) { ::operator delete(disown(block)); }
void simgpu_seen_delete_array(void *block) { ::operator delete[](disown(block)); }

/** Must keep the registers of vectors. */
__attribute__((target("general-regs-only"), used, visibility("hidden"))) bool
simgpu_is_announced(Worker *w, uintptr_t address, unsigned code)
{
    if (!w && code != (of_string | writes)) {
        if (code & writes)
            look_at_host(address);
        return true;
    }
    if (code & of_string)
        return false;
    return address - w->stack_low < fiber_stack_bytes ||
           (address - (uintptr_t)w->shared >= shared_span &&
            address - (uintptr_t)arena.base >= arena.size && !have_aliases) ||
           take_announced(w, address, code / size_unit, code & writes);
}

__attribute__((used, visibility("hidden"))) void
simgpu_trace_unseen(Worker *w, uintptr_t address, unsigned code, uintptr_t pc, uintptr_t from,
                    size_t count)
{
    if (code < size_unit) {
        puts("It reads or writes at several addresses, or more than its name says, by one "
             "instruction of the processor's. A GPU has none.");
        fflush(stdout);
        abort();
    }
    size_t size = code / size_unit * (code & repeated ? count : 1);
    if (code & of_string && !(code & writes)) { /* movs writes, too */
        look_at_range(w, from, size, false, pc);
        code |= writes;
    }
    look_at_range(w, address, size, code & writes, pc);
}

static_assert(offsetof(Worker, last_announced) == 0 && offsetof(Worker, stack_low) == 8 &&
              offsetof(Announced, left) == 16 && offsetof(Announced, write) == 24);

/* The code is on the stack above the return address, the accessed address in rdi. xsave keeps
 * the registers of vectors (the mask is that of AVX-512), of which tracing makes use. */
asm(R"(
    .text
    .globl simgpu_access_comes
    .type simgpu_access_comes, @function
simgpu_access_comes:
    .cfi_startproc
    pushq %rax
    .cfi_adjust_cfa_offset 8
    lahf
    seto %al
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movq _ZN6simgpu14tracing_workerE@gottpoff(%rip), %rax
    movq %fs:(%rax), %rax
    testq %rax, %rax
    jz 6f
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    movq %rdi, %rcx
    subq 8(%rax), %rcx
    cmpq _ZN6simgpu17fiber_stack_bytesE(%rip), %rcx
    movl 40(%rsp), %edx
    jb 4f
    movq (%rax), %rcx
    cmpq %rdi, (%rcx)
    jne 3f
    andl $3, %edx
    cmpb %dl, 24(%rcx)
    jne 3f
    movl 40(%rsp), %edx
    shrl $3, %edx
    cmpq %rdx, 16(%rcx)
    jb 3f
    subq %rdx, 16(%rcx)
1:  popq %rcx
    .cfi_adjust_cfa_offset -8
    popq %rdx
    .cfi_adjust_cfa_offset -8
2:  popq %rax
    .cfi_adjust_cfa_offset -8
    addb $127, %al
    sahf
    popq %rax
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_def_cfa_offset 40
4:  testl $2, %edx
    jz 1b
3:  pushq %rbp
    .cfi_def_cfa_offset 48
    .cfi_offset 6, -48
    movq %rsp, %rbp
    .cfi_def_cfa_register 6
    pushq %rdi
    pushq %rsi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    movq %rdi, %rsi
    movq %rax, %rdi
    movl 48(%rbp), %edx
    subq $8, %rsp
    pushq %rax
    andq $-64, %rsp
    call simgpu_is_announced
    testb %al, %al
    jnz 5f
    subq $4096, %rsp
    xorl %eax, %eax
    movl $64, %ecx
    leaq 512(%rsp), %rdi
    rep stosb
    movl $0xe7, %eax
    xorl %edx, %edx
    xsave (%rsp)
    movq -64(%rbp), %rdi
    movq -8(%rbp), %rsi
    movl 48(%rbp), %edx
    movq 40(%rbp), %rcx
    movq -16(%rbp), %r8
    movq 8(%rbp), %r9
    call simgpu_trace_unseen
    movl $0xe7, %eax
    xorl %edx, %edx
    xrstor (%rsp)
5:  leaq -48(%rbp), %rsp
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rsi
    popq %rdi
    popq %rbp
    .cfi_def_cfa 7, 40
    .cfi_restore 6
    jmp 1b
    .cfi_def_cfa_offset 24
6:  cmpb $0, simgpu_guards_host(%rip)
    je 2b
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    movl 40(%rsp), %edx
    jmp 3b
    .cfi_endproc
    .size simgpu_access_comes, . - simgpu_access_comes
)");

/* Functions of the C library, as traced sources call them. */

static void look_at_both(const void *to, const void *from, size_t size, bool writes_first,
                         uintptr_t pc)
{
    if (Worker *w = tracing_worker) {
        look_at_range(w, (uintptr_t)from, size, false, pc);
        look_at_range(w, (uintptr_t)to, size, writes_first, pc);
    } else if (writes_first) {
        guard_host(to, size);
    }
}

#define SIMGPU_SEEN(type, name, parameters, call, to, from, size, writes_first)                \
    type simgpu_seen_##name parameters                                                         \
    {                                                                                          \
        look_at_both(to, from, size, writes_first, SIMGPU_CALLER);                             \
        return (type)call;                                                                     \
    }
#define SIMGPU_SEEN_COPY(name)                                                                 \
    SIMGPU_SEEN(void *, name, (void *to, const void *from, size_t size), name(to, from, size), \
                to, from, size, true)
SIMGPU_SEEN_COPY(memcpy)
SIMGPU_SEEN_COPY(memmove)
SIMGPU_SEEN_COPY(mempcpy)
SIMGPU_SEEN(int, memcmp, (const void *a, const void *b, size_t size), memcmp(a, b, size), a, b,
            size, false)
SIMGPU_SEEN(void *, memset, (void *to, int value, size_t size), memset(to, value, size), to,
            nullptr, size, true)
SIMGPU_SEEN(void *, memchr, (const void *in, int value, size_t size), memchr(in, value, size),
            in, nullptr, size, false)
SIMGPU_SEEN(size_t, strlen, (const char *text), strlen(text), text, nullptr, strlen(text) + 1,
            false)

} // extern "C"
#endif
