/* SPDX-License-Identifier: MIT */
/** @file occupancy.cpp
 * How many blocks of a kernel fit on the device, by its __launch_bounds__ and its dynamic
 * shared memory.
 */
#include "src/faults/faults.h"
#include "src/streams/graphs.h"

namespace simgpu
{

/* Each block of a cooperative launch takes a host thread, each of its threads a stack. A web
   page has one host thread.
   few_multiprocessors: those of a program that launches cooperatively. Natively they hold 32
   blocks and 2048 threads each, which keeps a launch within these limits. */
#ifdef __wasm__
const uint64_t most_cooperative = 1, most_cooperative_threads = 1024;
const int few_multiprocessors = 1;
const char *const no_room =
    "A web page runs one block at a time. Run the program with ./ladder sim.";
#else
const uint64_t most_cooperative = 128, most_cooperative_threads = 16384;
const int few_multiprocessors = 4;
const char *const no_room = "The GPU may have room for it. Ask how many blocks fit: the "
                            "simulated GPU then answers what it can hold.";
#endif

static bool cooperative_program;
static bool promised; /* the program has asked how many blocks fit */

/** The __launch_bounds__ of kernels, by their addresses. */
static std::unordered_map<const void *, int> &launch_bounds()
{
    static auto *bounds = new std::unordered_map<const void *, int>;
    return *bounds;
}

static cudaError_t max_active_blocks(int *blocks, const void *kernel, int threads,
                                     size_t shared)
{
    struct cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    if (threads <= 0 || threads > p.maxThreadsPerBlock)
        return fail(cudaErrorInvalidValue);
    if (threads > simgpu_most_threads(kernel)) {
        *blocks = 0;
        return cudaSuccess;
    }
    int warps = (threads + 31) / 32, fits = p.maxThreadsPerMultiProcessor / 32 / warps;
    if (shared)
        fits = (int)std::min<size_t>((size_t)fits, p.sharedMemPerMultiprocessor /
                                                       (shared + p.reservedSharedMemPerBlock));
    *blocks = std::min(fits, p.maxBlocksPerMultiProcessor);
    if (cooperative_program)
        *blocks = std::min(*blocks, (int)most_cooperative);
    return cudaSuccess;
}

int multiprocessors()
{
    const char *asked = getenv("SIMGPU_MULTIPROCESSORS");
    return asked                 ? std::max(1, atoi(asked))
           : cooperative_program ? few_multiprocessors
                                 : limits().multiprocessors;
}

std::string too_many_blocks(const simgpu_launch_desc &d, const char **advice)
{
    const uint64_t blocks = (uint64_t)d.grid[0] * d.grid[1] * d.grid[2],
                   threads = (uint64_t)d.block[0] * d.block[1] * d.block[2];
    int fit = 0;
    max_active_blocks(&fit, d.kernel, (int)threads, d.shared);
    /* A grid of fixed size may be meant for a whole GPU. */
    const bool known = promised || getenv("SIMGPU_MULTIPROCESSORS");
    const int count = known ? multiprocessors() : limits().multiprocessors;
    const uint64_t most = (uint64_t)fit * (uint64_t)count;
    if (blocks > most) {
        *advice = "All blocks of a cooperative launch run at the same time: launch at most as "
                  "many as cudaOccupancyMaxActiveBlocksPerMultiprocessor() says, times the "
                  "multiprocessors.";
        return format("the cooperative launch asks for %llu blocks; %llu fit on the device's "
                      "%d multiprocessors at the same time",
                      (Count)blocks, (Count)most, count);
    }
    if (blocks <= most_cooperative && blocks * threads <= most_cooperative_threads)
        return "";
    *advice = no_room;
    return format("the cooperative launch asks for %llu blocks of %llu threads at the same "
                  "time; the simulated GPU has room for %llu blocks, and %llu threads in all",
                  (Count)blocks, (Count)threads, (Count)most_cooperative,
                  (Count)most_cooperative_threads);
}

extern "C" {

int simgpu_cooperative_program()
{
    cooperative_program = true;
    return 1;
}

int simgpu_launch_bound(const void *kernel, int most)
{
    launch_bounds()[kernel] = most;
    return 0;
}

int simgpu_most_threads(const void *kernel)
{
    auto bound = launch_bounds().find(kernel);
    int most = limits().threads_per_block;
    return bound == launch_bounds().end() || bound->second <= 0 ? most
                                                                : std::min(most, bound->second);
}

cudaError_t simgpu_func_attributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    memset(own(attributes), 0, sizeof *attributes);
    attributes->maxThreadsPerBlock = simgpu_most_threads(kernel);
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = limits().major * 10 + limits().minor;
    attributes->maxDynamicSharedSizeBytes = (int)limits().shared;
    return cudaSuccess;
}

cudaError_t simgpu_max_active_blocks(int *blocks, const void *kernel, int threads,
                                     size_t shared)
{
    promised = true;
    return max_active_blocks(own(blocks), kernel, threads, shared);
}

} // extern "C"

} // namespace simgpu
