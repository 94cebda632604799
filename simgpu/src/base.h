/* SPDX-License-Identifier: MIT */
/** @file base.h
 * Settings, limits and texts: what every part of the runtime uses.
 */
#ifndef SIMGPU_SRC_BASE_H
#define SIMGPU_SRC_BASE_H

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "include/cuda_runtime_api.h"
#include "include/simgpu/hooks.h"
#include "simgpu.h"

#define SIMGPU_HOT  __attribute__((always_inline)) inline
#define SIMGPU_COLD __attribute__((noinline, cold))

extern "C" __thread struct simgpu_builtins_t simgpu_builtins
    __attribute__((tls_model("initial-exec")));

namespace simgpu
{

/** A counter, which printf takes as %llu. */
using Count = unsigned long long;

struct Limits {
    const char *name;
    int major, minor, multiprocessors, threads_per_block;
    unsigned block_max[3];
    uint64_t grid_max[3];
    size_t shared, shared_optin;
    int registers;
};

struct Settings {
    simgpu_model model = SIMGPU_C1060;
    simgpu_model limits = SIMGPU_MODERN;
    uint64_t shuffle = 0;
    double time_limit = 10; /**< seconds in which no block ends; 0: no limit */
    int registers = 0;      /**< of a thread of any kernel; 0: unknown */
    bool standalone = false, leaks = true;
    /** seconds that tracing may take before a program's later launches run untraced; 0: no
     * limit */
    double budget = 0;
    bool counting = false;
    bool capturing = false;
    unsigned capture_launch = 0; /**< of each kernel, from 0 */
    unsigned long capture_block = 0;
    unsigned capture_group = 0;
    /** for a picture: the block and the thread whose warp is captured in place of these two,
     * and the most requests that are kept of each instruction; 0: all */
    unsigned capture_blocks[3] = {0, 0, 0}, capture_thread[3] = {0, 0, 0}, capture_most = 0;
};
extern Settings settings;
const Limits &limits();

std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
std::string vformat(const char *text, va_list arguments);

/** Does the text, a path for example, end so? */
inline bool ends_with(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/** How many columns a line may have: 100, or as many as the variable COLUMNS says. A page
 * breaks lines itself. */
size_t columns();
/** Prints lines. What does not fit into one continues in the next, 8 columns further right;
 * lines of source ("   12 | x = y;") stay whole. */
void say(FILE *out, const std::string &lines);

} // namespace simgpu

#endif
