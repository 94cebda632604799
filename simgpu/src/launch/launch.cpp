/* SPDX-License-Identifier: MIT */
/** @file launch.cpp
 * Launches: their limits, and what happens before and after their blocks run.
 */
#include "src/streams/graphs.h"
#include "src/threads/threads.h"

#include <ctime>
#include <unistd.h>

extern "C" {
/* The kernels' header (simgpu/device/device.h) declares it const: it does not change while one
 * thread runs. */
__thread struct simgpu_builtins_t simgpu_builtins __attribute__((tls_model("initial-exec")));
}

namespace simgpu
{

double cpu_seconds()
{
    timespec t;
#ifdef __wasm__
    clock_gettime(CLOCK_MONOTONIC, &t);
#else
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
#endif
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Settings settings;
__thread Worker *this_worker;
__thread Worker *tracing_worker;
uint64_t launches_seen, launches_counted, library_calls, barriers_counted;

const Limits &limits()
{
    static const Limits c1060 = {
        "C1060", 1, 3, 30, 512, {512, 512, 64}, {65535, 65535, 1}, 16 << 10, 16 << 10, 16384};
    static const Limits modern = {
        "modern", 9,         0,    132, 1024, {1024, 1024, 64}, {2147483647, 65535, 65535},
        48 << 10, 227 << 10, 65536};
    return settings.limits == SIMGPU_C1060 ? c1060 : modern;
}

void unflatten(uint64_t index, const unsigned shape[3], unsigned out[3])
{
    out[0] = (unsigned)(index % shape[0]);
    out[1] = (unsigned)(index / shape[0] % shape[1]);
    out[2] = (unsigned)(index / shape[0] / shape[1]);
}

uint32_t take_serials(uint64_t blocks)
{
    static uint32_t serials = 16;
    if (serials > 0xffffffffu - blocks - 2 || blocks > 0x40000000u)
        /* after 2^32 blocks, an old owner may be mistaken for a new one */
        serials = 16;
    uint32_t first = serials;
    serials += (uint32_t)blocks + 2;
    return first;
}

namespace
{

struct KnownKernel {
    const char *text;
    simgpu_launch_by_array *launch;
};
std::map<const void *, KnownKernel> &known_kernels()
{
    static auto *kernels = new std::map<const void *, KnownKernel>;
    return *kernels;
}

std::map<const void *, size_t> dynamic_shared_limit; /* set by cudaFuncSetAttribute */

/* The error of an H100 with CUDA 13.0 for a block larger than __launch_bounds__ allows. */
const cudaError_t beyond_bound = cudaErrorInvalidValue;

/** Checks a launch against the device's limits and reports the first that it exceeds. */
bool within_limits(const simgpu_launch_desc &d)
{
    const Limits &limit = limits();
    FaultPlace place = at_line(d.file, d.line);
    auto refuse = [&](cudaError_t error, const std::string &what,
                      simgpu_fault_kind kind = SIMGPU_LAUNCH_LIMITS) {
        host_fault(kind, place, d.kernel_text, "%s", what.c_str());
        set_error(error);
        faults_print();
        return false;
    };
    if (stream_destroyed(d.stream)) {
        place.advice = "Destroy a stream after the last call that uses it.";
        return refuse(cudaErrorInvalidResourceHandle,
                      "the launch goes to a stream that is destroyed already", SIMGPU_BAD_CALL);
    }
    if (capture_refuses((cudaStream_t) const_cast<void *>(d.stream))) {
        place.advice = capture_advice;
        return refuse(cudaErrorStreamCaptureImplicit,
                      "the launch goes to the default stream, while a stream is captured that "
                      "waits for it",
                      SIMGPU_BAD_CALL);
    }
    if (stream_device(d.stream) != current_device()) {
        place.advice =
            "Call cudaSetDevice() before the launch, or launch into a stream of the current "
            "device. Check cudaGetLastError() after each launch: the kernel did not run.";
        return refuse(
            cudaErrorInvalidResourceHandle,
            format("the launch goes to a stream of device %d while device %d is current",
                   stream_device(d.stream), current_device()));
    }
    static const char axis[] = "xyz";
    for (int i = 0; i < 3; i++) {
        if (d.grid[i] == 0 || d.block[i] == 0) {
            place.advice = "A quotient of integers is rounded down: n elements need (n + "
                           "threads - 1) / threads blocks. Check cudaGetLastError() after each "
                           "launch: the kernel did not run.";
            return refuse(cudaErrorInvalidConfiguration,
                          format("the launch asks for 0 %s in direction %c",
                                 d.grid[i] ? "threads a block" : "blocks", axis[i]));
        }
        if (d.grid[i] > limit.grid_max[i])
            return refuse(
                cudaErrorInvalidConfiguration,
                format("the launch asks for %u blocks in direction %c; the device takes %llu",
                       d.grid[i], axis[i], (Count)limit.grid_max[i]));
        if (d.block[i] > limit.block_max[i])
            return refuse(cudaErrorInvalidConfiguration,
                          format("the launch asks for blocks of %u threads in direction %c; "
                                 "the device takes %u",
                                 d.block[i], axis[i], limit.block_max[i]));
    }
    for (int i = 0; i < 3 && d.cluster[0]; i++)
        if (d.cluster[i] == 0 || d.grid[i] % d.cluster[i]) {
            place.advice = "Launch a whole number of clusters in each direction.";
            return refuse(cudaErrorInvalidConfiguration,
                          format("the launch asks for %u blocks in direction %c, which are not "
                                 "whole clusters of %u",
                                 d.grid[i], axis[i], d.cluster[i]));
        }
    if (d.cluster[0] * d.cluster[1] * d.cluster[2] > 16)
        return refuse(cudaErrorInvalidConfiguration,
                      format("the launch asks for clusters of %u blocks; the device takes 8, "
                             "or 16 if the kernel allows it",
                             d.cluster[0] * d.cluster[1] * d.cluster[2]));
    uint64_t threads = (uint64_t)d.block[0] * d.block[1] * d.block[2];
    if (threads > (uint64_t)limit.threads_per_block)
        return refuse(
            cudaErrorInvalidConfiguration,
            format("the launch asks for %ux%ux%u = %llu threads a block; the device takes %d",
                   d.block[0], d.block[1], d.block[2], (Count)threads,
                   limit.threads_per_block));
    /* A warp gets registers in units of 256. */
    uint64_t registers =
        ((uint64_t)settings.registers * 32 + 255) / 256 * 256 * ((threads + 31) / 32);
    if (registers > (uint64_t)limit.registers) {
        place.advice = "Use smaller blocks, or __launch_bounds__(threads) before the kernel's "
                       "name: the compiler then takes no more registers than fit. Check "
                       "cudaGetLastError() after each launch: the kernel did not run.";
        return refuse(cudaErrorLaunchOutOfResources,
                      format("the launch asks for %llu threads of %d registers, %llu for all "
                             "warps of a block; the device gives a block %d",
                             (Count)threads, settings.registers, (Count)registers,
                             limit.registers));
    }
    auto raised = dynamic_shared_limit.find(d.kernel);
    size_t shared =
        std::max(limit.shared, raised == dynamic_shared_limit.end() ? 0 : raised->second);
    if (!d.kernel) /* a template, of which only the text is known */
        for (auto &entry : dynamic_shared_limit)
            shared = std::max(shared, entry.second);
    std::string too_many;
    if (d.cooperative)
        too_many = too_many_blocks(d, &place.advice);
    if (!too_many.empty())
        return refuse(cudaErrorCooperativeLaunchTooLarge, too_many);
    place.advice = "Use smaller tiles, or fewer of them, or let a block have fewer threads. "
                   "Check cudaGetLastError() after each launch: the kernel did not run.";
    if (d.shared > shared)
        return refuse(cudaErrorInvalidValue,
                      format("the launch asks for %zu bytes of dynamic shared memory; the "
                             "device gives %zu%s",
                             d.shared, shared,
                             d.shared <= limit.shared_optin
                                 ? ", and more only after cudaFuncSetAttribute(kernel, "
                                   "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"
                                 : ""));
    return true;
}

} // namespace

/** After a launch, reports its first stray access, if there was one. */
static void settle_stray(Launch *launch)
{
    const Stray &stray = launch->stray;
    if (!launch->strayed())
        return;
    kernel_fault_at(launch, stray.kind, stray.place, stray.order / launch->threads,
                    (uint32_t)(stray.order % launch->threads), "%s", stray.what.c_str());
    if (!launch->error || launch->error == (int)cudaErrorLaunchTimeout)
        launch->error = stray.kind == SIMGPU_MISALIGNED ? (int)cudaErrorMisalignedAddress
                                                        : (int)cudaErrorIllegalAddress;
}

const SharedArray *nearest_shared_array(Launch *launch, uint32_t offset)
{
    std::lock_guard<std::mutex> lock(launch->shared_mutex);
    const SharedArray *best = nullptr;
    uint32_t best_distance = ~0u;
    for (const SharedArray &array : launch->shared_arrays) {
        uint32_t end = array.offset + (uint32_t)array.size;
        uint32_t distance = offset < array.offset ? array.offset - offset
                            : offset < end        ? 0
                                                  : offset - end + 1;
        if (distance < best_distance)
            best = &array, best_distance = distance;
    }
    return best;
}

/** A launch that has not begun. */
static std::unique_ptr<Launch> new_launch(const simgpu_launch_desc &desc)
{
    static uint32_t launch_ids;
    auto launch = std::make_unique<Launch>();
    launch->desc = desc;
    launch->id = ++launch_ids;
    launch->blocks = (uint64_t)desc.grid[0] * desc.grid[1] * desc.grid[2];
    launch->threads = desc.block[0] * desc.block[1] * desc.block[2];
    launch->traced = false;
    if (desc.cluster[0])
        memcpy(launch->cluster, desc.cluster, sizeof launch->cluster);
    return launch;
}

/** Runs a launch; with `repeat`, compares its results with those of an earlier run. */
static void run_launch(Launch *launch, Repeat *repeat)
{
    const simgpu_launch_desc &desc = launch->desc;
    launch->counted = launch->traced && settings.counting;
    launches_counted += launch->counted;
    if (launch->counted && settings.capturing) {
        const unsigned number = launches_of_kernel[launch->kernel_name()]++;
        launch->mapped = number == settings.capture_launch;
        launch->captured = launch->mapped || !settings.capture_launch;
        bool there = true;
        for (int i = 0; i < 3 && settings.capture_most; i++)
            there &= settings.capture_blocks[i] < desc.grid[i] &&
                     settings.capture_thread[i] < desc.block[i];
        if (!there && launch->captured)
            without_captured =
                format("kernel %s has %s", launch->kernel_name(), shape_of(desc).c_str());
        launch->captured &= there;
    }
    launch->first_serial = take_serials(launch->blocks);
    launch->watched = launch->traced && order_watched;
    const uint32_t first = launch->first_serial; /* a barrier of the grid takes new ones */
    launch->shared_top = dynamic_shared_offset;
    launch->shared_used = 0;
    launch->shared_limit = dynamic_shared_limit.count(desc.kernel) ||
                                   (!desc.kernel && !dynamic_shared_limit.empty())
                               ? limits().shared_optin
                               : limits().shared;
    launch->shared_arrays.reserve(64);
    if (desc.shared) {
        launch->shared_arrays.push_back({"dynamic shared memory", dynamic_shared_offset,
                                         desc.shared, desc.file, desc.line, 0, 0});
        launch->shared_top += (uint32_t)(desc.shared + 15) / 16 * 16 + shared_red_zone;
        launch->shared_used = desc.shared;
        launch->shared_array_count = 1;
    }
    if (settings.shuffle) {
        uint64_t random = settings.shuffle ^ (uint64_t)launch->id << 32;
        launch->block_order.resize(launch->blocks);
        for (uint32_t i = 0; i < launch->blocks; i++)
            launch->block_order[i] = i;
        shuffle_order(launch->block_order, random);
    }
    simgpu_totals before;
    if (calls_output)
        simgpu_get_totals(&before);
    arena_open();
    if (launch->traced)
        arena_settle_unseen();
    else
        arena_written_unseen();
    if (repeat)
        repeat->begins();
    const double begin = cpu_seconds();
    call_tracer(launch->traced);
    hide_host_tables();
    pool_run(launch);
    if (launch->again) { /* as clusters; no thread did anything before */
        launch->again = false;
        launch->next_block = 0;
        pool_run(launch);
    }
    show_host_tables();
    note_traced(launch, cpu_seconds() - begin);
    if (launch->plain || launch->unseen)
        arena_written_unseen();
    call_tracer(host_aliases || short_copies || order_host_watched); /* in host code */
    if (repeat)
        repeat->ran();
    if (launch->traced)
        trace_judge_stray(launch);
    settle_stray(launch);
    if (launch->traced)
        trace_judge_suspects(launch);
    arena_close();
    if (calls_output)
        log_launch(launch, before);
    if (launch->error == beyond_bound)
        set_error(beyond_bound); /* no thread did anything */
    else if (launch->error)
        set_device_error((cudaError_t)launch->error.load());
    else if (launch->watched)
        order_launch(launch, order_index(desc.stream), first);
    if (launch->memory_budget)
        arena_forget_touches();
    faults_print();
}

void run_untraced(const simgpu_launch_desc &desc)
{
    if (device_error() == cudaSuccess)
        run_launch(new_launch(desc).get(), nullptr);
}

extern "C" {

void simgpu_launch(const simgpu_launch_desc *desc)
{
    if (this_worker) {
        fprintf(stderr, "simgpu: a kernel launched a kernel; that is not simulated\n");
        exit(1);
    }
    if (capture_launch(*desc, desc->stream
                                  ? &capture_of((cudaStream_t) const_cast<void *>(desc->stream))
                                  : nullptr))
        return;
    HostTurn turn;
    launches_seen++;
    note_launch(*desc);
    if (device_error() != cudaSuccess || !within_limits(*desc))
        return;
    auto launch = new_launch(*desc);
    launch->traced = desc->traced && worth_tracing(launch.get());
    std::unique_ptr<Repeat> repeat;
    if (launch->traced || !settings.standalone) {
        settle_launches();
        memory_changed();
        for (int i = 0; i < desc->argument_count; i++)
            if (desc->arguments[i].pointer)
                arena_note_element(desc->arguments[i].pointer, desc->arguments[i].element);
    } else {
        repeat = std::make_unique<Repeat>(*desc);
        if (repeat->skip)
            note_left_out(*desc, false);
        if (repeat->skip || repeat->waits(*desc))
            return;
        settle_launches();
    }
    /* Large arguments are copied to the thread's stack, from function to function. */
    fiber_stack_bytes =
        std::max(fiber_stack_bytes, (4 * desc->closure_size + (64 << 10)) / 4096 * 4096);
    run_launch(launch.get(), repeat.get());
}

void simgpu_beyond_bound(unsigned most, const char *file, int line)
{
    Worker *w = kernel_only("__launch_bounds__");
    FaultPlace place =
        at_line(file, line,
                "Launch it with smaller blocks, or raise its __launch_bounds__: the compiler "
                "gave each thread as many registers as that many threads leave it. Check "
                "cudaGetLastError() after each launch: the kernel did not run.");
    kernel_fault(w, SIMGPU_LAUNCH_LIMITS, place,
                 "is one of %u of its block; the kernel's __launch_bounds__ allows %u",
                 w->launch->threads, most);
    abort_launch(w, beyond_bound);
}

cudaError_t simgpu_func_set_attribute(const void *kernel, cudaFuncAttribute attribute,
                                      int value)
{
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value > limits().shared_optin)
            return fail(cudaErrorInvalidValue);
        dynamic_shared_limit[kernel] = (size_t)value;
    }
    return cudaSuccess;
}

void simgpu_known_kernel(const void *kernel, const char *text, simgpu_launch_by_array *launch)
{
    KnownKernel &known = known_kernels()[kernel];
    known.launch = launch;
    if (text || !known.text)
        known.text = text ? text : "the kernel";
}

cudaError_t simgpu_launch_known(const void *kernel, const unsigned grid[3],
                                const unsigned block[3], size_t shared, cudaStream_t stream,
                                void **arguments, int cooperative, const unsigned cluster[3],
                                const char *file, int line)
{
    auto known = known_kernels().find(kernel);
    if (known == known_kernels().end())
        return fail(cudaErrorInvalidDeviceFunction);
    simgpu_launch_desc shape = {};
    shape.kernel = kernel;
    shape.kernel_text = known->second.text;
    shape.file = file;
    shape.line = line;
    memcpy(shape.grid, grid, sizeof shape.grid);
    memcpy(shape.block, block, sizeof shape.block);
    shape.shared = shared;
    shape.stream = stream;
    shape.cooperative = cooperative;
    if (cluster)
        memcpy(shape.cluster, cluster, sizeof shape.cluster);
    cudaError_t before = cudaGetLastError(); /* of other calls: not this one's status */
    known->second.launch(&shape, arguments);
    cudaError_t status = cudaPeekAtLastError();
    if (status == cudaSuccess)
        set_error(before);
    return status;
}

} // extern "C"

} // namespace simgpu
