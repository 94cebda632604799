/* SPDX-License-Identifier: MIT */
/** @file standalone.cpp
 * Linked into the programs that tools/sim.cpp builds: takes the options of `ladder sim` from
 * the environment, and reports when the program ends. It is not part of the library.
 */
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "simgpu.h"

static bool report, profile;

static const char *option(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : nullptr;
}

static void at_the_end()
{
    fflush(stdout);
    if (report)
        simgpu_report(stdout);
    if (option("SIMGPU_PICTURE"))
        simgpu_write_picture(option("SIMGPU_PICTURE"));
    if (option("SIMGPU_KERNELS"))
        simgpu_write_kernels(option("SIMGPU_KERNELS"));
    if (profile)
        simgpu_profile(option("SIMGPU_ROOFLINE"),
                       option("SIMGPU_REGISTERS") ? atoi(option("SIMGPU_REGISTERS")) : 0,
                       option("SIMGPU_FLOPS") ? atof(option("SIMGPU_FLOPS")) : 0);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("standard output cannot be written: the report is incomplete\n", stderr);
        _exit(3);
    }
}

static __attribute__((constructor(110))) void begin()
{
    simgpu_set_standalone(option("SIMGPU_LEAKS") != nullptr);
    const char *gpu = option("SIMGPU_GPU");
    simgpu_set_model(gpu && strcmp(gpu, "c1060") == 0 ? SIMGPU_C1060 : SIMGPU_MODERN);
    if (const char *seed = option("SIMGPU_SHUFFLE"))
        simgpu_set_shuffle(strtoull(seed, nullptr, 10));
    if (const char *seed = option("SIMGPU_SEED"))
        srand((unsigned)strtoull(seed, nullptr, 10));
    if (const char *registers = option("SIMGPU_REGISTERS"))
        simgpu_set_registers(atoi(registers));
    if (const char *limit = option("SIMGPU_LIMIT"))
        simgpu_set_time_limit(strtod(limit, nullptr));
    const char *budget = option("SIMGPU_BUDGET");
#ifndef __wasm__ /* programs of a web page are small and checked completely */
    simgpu_set_budget(option("SIMGPU_ALL") ? 0 : budget ? strtod(budget, nullptr) : 5);
#endif
    if (const char *path = option("SIMGPU_JSON"))
        simgpu_json_at_end(path);
    report = option("SIMGPU_REPORT") != nullptr;
    profile = option("SIMGPU_PROFILE") != nullptr;
    if (option("SIMGPU_PICTURE"))
        simgpu_capture_for_picture();
    if (report || profile || option("SIMGPU_JSON") || option("SIMGPU_PICTURE") ||
        option("SIMGPU_KERNELS")) {
        simgpu_count_start();
        atexit(at_the_end);
    }
}

/* The linker redirects these calls here (--wrap), except those of the C++ library itself. */
#define FREES(name, call, parameters, arguments)                                               \
    extern "C" void __real_##name parameters;                                                  \
    extern "C" void __wrap_##name parameters                                                   \
    {                                                                                          \
        if (simgpu_host_frees(memory, call))                                                   \
            __real_##name arguments;                                                           \
    }
FREES(free, "free", (void *memory), (memory))
FREES(_ZdlPv, "delete", (void *memory), (memory))
FREES(_ZdaPv, "delete[]", (void *memory), (memory))
FREES(_ZdlPvm, "delete", (void *memory, size_t size), (memory, size))
FREES(_ZdaPvm, "delete[]", (void *memory, size_t size), (memory, size))

#ifndef __wasm__
/* What a kernel prints. The compiler makes puts and putchar from some calls of printf. */
static int print(const char *text, va_list arguments)
{
    simgpu_kernel_prints();
    return vprintf(text, arguments);
}
extern "C" int __wrap_printf(const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    int length = print(text, arguments);
    va_end(arguments);
    return length;
}
extern "C" int __wrap___printf_chk(int, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    int length = print(text, arguments);
    va_end(arguments);
    return length;
}
extern "C" int __real_puts(const char *text);
extern "C" int __wrap_puts(const char *text)
{
    simgpu_kernel_prints();
    return __real_puts(text);
}
extern "C" int __real_putchar(int c);
extern "C" int __wrap_putchar(int c)
{
    simgpu_kernel_prints();
    return __real_putchar(c);
}
#endif
