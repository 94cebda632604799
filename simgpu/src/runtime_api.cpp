/* SPDX-License-Identifier: MIT */
/** @file runtime_api.cpp
 * The CUDA runtime API, and the settings of simgpu.h. Every call has done its work when it
 * returns. As on a GPU, the next call that waits for a kernel reports the kernel's faults, and
 * a lost device stays lost.
 */
#include "include/simgpu/vectors.h"
#include "graphs.h"
#include "tracer.h"
#include "occupancy.h"
#include "vtables.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

struct CUstream_st {
    unsigned number;
    int device;
    simgpu::StreamCapture capture;
    unsigned order; /**< its number in streams.cpp */
    bool destroyed; /**< kept, so that a later use is seen */
};
struct CUevent_st {
    unsigned number;
    int device;
    simgpu::StreamCapture capture; /**< of the stream that recorded it */
    std::chrono::steady_clock::time_point time;
    uint64_t waits, launches; /**< times_waited and launches_seen when it was recorded */
    bool recorded, destroyed;
    simgpu::EventOrder order;
};

namespace simgpu
{

namespace
{

thread_local int current; /* the device of this host thread */

int device_count()
{
    static const int count = [] {
        const char *value = getenv("SIMGPU_DEVICES");
        return value ? std::min(std::max(atoi(value), 0), (int)most_devices) : 1;
    }();
    return count;
}

} // namespace

int current_device() { return current; }

/** Is it a stream that the program has created? cudaStreamLegacy and cudaStreamPerThread are
 * small numbers.
 */
static bool created(const void *stream) { return (uintptr_t)stream > 2; }

int stream_device(const void *stream)
{
    return created(stream) ? static_cast<const CUstream_st *>(stream)->device : current;
}

bool stream_destroyed(const void *stream)
{
    return created(stream) && static_cast<const CUstream_st *>(stream)->destroyed;
}

unsigned order_index(const void *stream)
{
    if (created(stream))
        return static_cast<const CUstream_st *>(stream)->order;
    return (unsigned)(stream == cudaStreamPerThread ? most_devices : 0) + (unsigned)current;
}

unsigned stream_number(const void *stream)
{
    return created(stream) ? static_cast<const CUstream_st *>(stream)->number : 0;
}

StreamCapture &capture_of(cudaStream_t stream)
{
    static StreamCapture none;
    return created(stream) ? stream->capture : none;
}

namespace
{

cudaError_t last_error = cudaSuccess;
cudaError_t lost = cudaSuccess; /* the error by which a kernel lost the device */

cudaError_t fail(cudaError_t error)
{
    set_error(error);
    return error;
}

cudaError_t waited() { return lost != cudaSuccess ? fail(lost) : cudaSuccess; }

/** Checks `bytes` at a device pointer. Returns what is wrong with it, or "". */
std::string wrong_device_range(const void *p, size_t bytes)
{
    if (!p)
        return "a null pointer";
    uint64_t offset;
    if (!device_offset(p, &offset))
        return "host memory where device memory is expected";
    const Allocation *a = arena_find(offset);
    if (!a) {
        a = arena_nearest(offset);
        bool freed = a && a->freed && offset >= a->offset && offset < a->offset + a->size;
        return freed ? "device memory that is freed" : "device memory that is not allocated";
    }
    if (offset + bytes > a->offset + a->size) {
        std::string at =
            a->file ? format(" at %s:%d", display_path(a->file).c_str(), a->line) : "";
        return format("%zu bytes from byte %llu on of the %llu allocated%s", bytes,
                      (unsigned long long)(offset - a->offset), a->size, at.c_str());
    }
    return "";
}

cudaError_t bad_call(const char *call, const char *role, const std::string &what,
                     cudaError_t error, const char *advice = nullptr)
{
    host_fault(SIMGPU_BAD_CALL, called_here(advice), nullptr, "%s: its %s is %s", call, role,
               what.c_str());
    faults_print();
    return fail(error);
}

/** The call goes into the default stream while another one is captured. */
cudaError_t refused_by_capture(const char *call)
{
    return bad_call(call, "stream",
                    "the default stream, while a stream is captured that waits for it",
                    cudaErrorStreamCaptureImplicit, capture_advice);
}

/** A stream or an event is used after its end. */
cudaError_t destroyed(const char *call, const char *what)
{
    return bad_call(call, what, "destroyed already", cudaErrorInvalidResourceHandle,
                    what[0] == 's' ? "Destroy a stream after the last call that uses it."
                                   : "Destroy an event after the last call that uses it.");
}

/** The advice if the direction of a copy does not fit its pointers. Some of these copies work
 * on a GPU, whose address space contains all memory, but they are still mistakes. */
const char *direction_advice(const void *to, const void *from)
{
    static const char *const advice[2][2] = {
        {"From host to host the direction is cudaMemcpyHostToHost, or memcpy does it.",
         "From host to device the direction is cudaMemcpyHostToDevice; cudaMemcpyDefault "
         "always fits. Or are source and destination exchanged?"},
        {"From device to host the direction is cudaMemcpyDeviceToHost; cudaMemcpyDefault "
         "always fits. Or are source and destination exchanged?",
         "From device to device the direction is cudaMemcpyDeviceToDevice."}};
    return advice[arena_contains(from)][arena_contains(to)];
}

/** Is this memory of cudaMallocHost? It belongs to the host, but kernels may touch it. */
bool is_pinned(const void *p)
{
    const Alias *alias = have_aliases ? alias_find((uintptr_t)p) : nullptr;
    return alias && alias->kind == AliasKind::pinned;
}

/** Is this the name of a __device__ variable whose address the program has not asked for? */
bool symbol_name(const void *p)
{
    const Alias *alias = have_aliases ? alias_find((uintptr_t)p) : nullptr;
    return alias && !alias->host_may() && !alias->given;
}

/** The stream of an operation, and whether the host waits until it is complete. */
struct CopyOrder {
    cudaStream_t stream = nullptr;
    bool asynchronous = false;
};

/** A copy from device memory to pageable host memory is complete when the call returns. A copy
 * from pageable memory has at least read it by then. */
bool host_waits(const CopyOrder &order, const void *to, const void *from)
{
    uint64_t offset;
    const Alias *t = have_aliases ? alias_find((uintptr_t)to) : nullptr,
                *f = have_aliases ? alias_find((uintptr_t)from) : nullptr;
    if (order.asynchronous)
        return !device_offset(to, &offset);
    return !device_offset(to, &offset) || !device_offset(from, &offset) ||
           (t && t->host_may()) || (f && f->host_may());
}

/** Does a synchronous copy from the host's pageable memory return once its bytes are on their
 * way? The runtime does so with at most 64 KB (CUDA Runtime API, "API synchronization
 * behavior"). */
bool arrives_late(const CopyOrder &order, const void *to, const void *from, size_t bytes)
{
    uint64_t offset;
    return !order.asynchronous && bytes <= 64 << 10 && arena_contains(to) &&
           !device_offset(from, &offset);
}

/** The compiler's knowledge about the destination of the next copy. */
thread_local struct {
    const void *to = nullptr;
    size_t bytes = 0;
} host_room;

/** Checks both sides of a copy, then calls copy(). */
template <class F>
cudaError_t checked_copy(const char *call, void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                         const CopyOrder &order, F copy)
{
    /* from the first row to the last */
    size_t last = height ? height - 1 : 0;
    bool nothing = width == 0 || height == 0;
    size_t to_span = nothing ? 0 : last * to_pitch + width,
           from_span = nothing ? 0 : last * from_pitch + width;
    HostTurn turn;
    if (waited() != cudaSuccess)
        return lost;
    if (to_span == 0)
        return cudaSuccess;
    if (capture_refuses(order.stream))
        return refused_by_capture(call);
    arena_init();
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) {
        uint64_t offset;
        to_device = device_offset(to, &offset);
        from_device = device_offset(from, &offset);
    } else if ((unsigned)kind > cudaMemcpyDefault) {
        return fail(cudaErrorInvalidMemcpyDirection);
    }
    if (stream_destroyed(order.stream))
        return destroyed(call, "stream");
    auto refused = [&](const char *role, const void *p, size_t span, bool device) {
        std::string wrong = symbol_name(p)            ? "the name of a __device__ variable"
                            : device                  ? wrong_device_range(p, span)
                            : p && !arena_contains(p) ? ""
                            : p ? "device memory where host memory is expected"
                                : "a null pointer";
        bool direction = wrong.find(" where ") != std::string::npos;
        if (!wrong.empty())
            bad_call(call, role, wrong, cudaErrorInvalidValue,
                     direction        ? direction_advice(to, from)
                     : symbol_name(p) ? "On the host its name is no address of the device: use "
                                        "cudaMemcpyToSymbol or cudaMemcpyFromSymbol."
                                      : nullptr);
        return !wrong.empty();
    };
    if (to_device != from_device && arena_contains(to) && arena_contains(from) &&
        wrong_device_range(to, to_span).empty() &&
        wrong_device_range(from, from_span).empty()) {
        bad_call(call, to_device ? "source" : "destination",
                 "device memory, where the direction says host memory: it happens to work",
                 cudaSuccess, direction_advice(to, from));
        to_device = from_device = true;
    }
    if (refused("destination", to, to_span, to_device) ||
        refused("source", from, from_span, from_device))
        return cudaErrorInvalidValue;
    if (!to_device && host_room.to == to && to_span > host_room.bytes)
        return bad_call(
            call, "destination",
            format("a variable of %zu bytes; the copy has %zu", host_room.bytes, to_span),
            cudaErrorInvalidValue,
            "On a GPU machine the copy overwrites what follows the variable in memory.");
    host_room.to = nullptr;
    if (height == 1 && arena_contains(to) && to != from &&
        (uintptr_t)to < (uintptr_t)from + from_span &&
        (uintptr_t)from < (uintptr_t)to + to_span)
        bad_call(call, "destination", "a part of its source", cudaSuccess,
                 "A copy must not overlap what it copies from: on a GPU any part may "
                 "be copied first. Copy into another array.");
    if (kind != cudaMemcpyDefault &&
        ((to_device && is_pinned(to)) || (from_device && is_pinned(from))))
        bad_call(
            call, to_device && is_pinned(to) ? "destination" : "source",
            "pinned host memory, where the direction says device memory: it happens to work",
            cudaSuccess, direction_advice(to, from));
    if (from_device && !to_device && arena_contains(from) &&
        !arena_any_written(from, from_span)) {
        host_fault(SIMGPU_UNINITIALISED_GLOBAL,
                   called_here("Usually the kernel did not run (check cudaGetLastError() after "
                               "the launch), or another array is the one to copy."),
                   nullptr,
                   "%s copies %zu bytes of device memory to the host, of which nothing was "
                   "ever written",
                   call, from_span);
        faults_print();
    }
    if (settings.standalone && !faults_seen && from_device && !to_device &&
        arena_contains(from))
        if (size_t tail = arena_unwritten_tail(from, from_span))
            host_note(
                calling_pc(),
                format("%s copies %zu bytes of device memory to the host, of which the last "
                       "%zu were never written",
                       call, from_span, tail),
                "Usually the grid is too small: n elements need (n + threads - 1) / threads "
                "blocks. It is no mistake if the array is larger than what it holds.");
    ArenaAccess access;
    if (to_device)
        memory_changed();
    copy(to_device);
    if (!order.asynchronous && to_device != from_device)
        host_has_waited();
    if (!to_device && from_device && to_span == width * height)
        short_copy(call, to, from, to_span);
    if (to_device && arena_contains(to)) {
        arena_note_filled(to, to_span);
        if (!from_device)
            find_host_objects(to, to_span);
    }
    if (order_watched) {
        TouchedBytes touched;
        touched.add(false, from, from_pitch, width, height);
        touched.add(true, to, to_pitch, width, height);
        const unsigned stream = order_index(order.stream);
        const bool late = arrives_late(order, to, from, width * height);
        if (late) /* it begins when the stream's earlier work is done */
            order_host_waits(stream);
        order_operation(late ? format("%s%s", call, late_copy).c_str() : call, stream,
                        std::move(touched), !late && host_waits(order, to, from));
    }
    return cudaSuccess;
}

/** Refuses rows that are longer than the distance from one to the next. */
cudaError_t wide_row(const char *call, size_t width, size_t pitch, const char *advice)
{
    return bad_call(call, "width",
                    format("%zu bytes, and a pitch is smaller: %zu", width, pitch),
                    cudaErrorInvalidPitchValue, advice);
}

/** Marks the bytes that a copy has written, if they are in the arena; for simplicity, with the
 * gaps between rows. */
void mark_written(bool device, const void *to, size_t bytes)
{
    if (device && arena_contains(to))
        arena_mark(to, bytes, state_written);
}

} // namespace

void set_error(cudaError_t error)
{
    if (last_error == cudaSuccess)
        last_error = error;
}

void set_device_error(cudaError_t error) { lost = error; }

cudaError_t device_error() { return lost; }

void clear_errors() { lost = last_error = cudaSuccess; }

} // namespace simgpu

using namespace simgpu;

extern "C" {

/* ---- settings of simgpu.h ---- */

void simgpu_set_model(simgpu_model model) { settings.model = model; }
simgpu_model simgpu_get_model() { return settings.model; }
void simgpu_set_limits(simgpu_model model) { settings.limits = model; }
void simgpu_set_shuffle(uint64_t seed) { settings.shuffle = seed; }
void simgpu_set_workers(int workers) { settings.workers = workers; }
void simgpu_set_memory_limit(size_t bytes) { arena_set_limit(bytes); }

static int revived;

void simgpu_revive()
{
    faults_print();
    revived++;
    clear_errors();
}

int simgpu_revived() { return revived; }

void simgpu_set_standalone(int leaks)
{
    settings.standalone = true;
    settings.leaks = leaks;
    call_tracer(host_aliases); /* __device__ variables, of which host code has only the names */
}

void simgpu_set_budget(double seconds) { settings.budget = seconds; }

void simgpu_set_registers(int registers) { settings.registers = registers; }

void simgpu_set_time_limit(double seconds) { settings.time_limit = seconds; }

void simgpu_capture(unsigned long block, unsigned group)
{
    settings.capturing = true;
    settings.capture_block = block;
    settings.capture_group = group;
}

void simgpu_capture_stop() { settings.capturing = false; }

void simgpu_forget(void *device, size_t bytes)
{
    if (!wrong_device_range(device, bytes).empty())
        return;
    arena_settle_unseen(); /* also forget what plain kernels wrote before */
    arena_mark(device, bytes, state_unwritten);
}

/* ---- errors ---- */

cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaGetLastError()
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

static const struct ErrorText {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define SIMGPU_ERROR(error, text)                                                              \
    {                                                                                          \
        error, #error, text                                                                    \
    }
    SIMGPU_ERROR(cudaSuccess, "no error"),
    SIMGPU_ERROR(cudaErrorInvalidValue, "invalid argument"),
    SIMGPU_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    SIMGPU_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    SIMGPU_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    SIMGPU_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    SIMGPU_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    SIMGPU_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    SIMGPU_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    SIMGPU_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    SIMGPU_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    SIMGPU_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    SIMGPU_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    SIMGPU_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    SIMGPU_ERROR(cudaErrorIllegalState,
                 "the operation cannot be performed in the present state"),
    SIMGPU_ERROR(cudaErrorNotReady, "device not ready"),
    SIMGPU_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    SIMGPU_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    SIMGPU_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    SIMGPU_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    SIMGPU_ERROR(cudaErrorAssert, "device-side assert triggered"),
    SIMGPU_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                 "part or all of the requested memory range is already mapped"),
    SIMGPU_ERROR(cudaErrorHostMemoryNotRegistered,
                 "pointer does not correspond to a registered memory region"),
    SIMGPU_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    SIMGPU_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    SIMGPU_ERROR(cudaErrorNotSupported, "operation not supported"),
    SIMGPU_ERROR(cudaErrorStreamCaptureUnsupported,
                 "operation not permitted when stream is capturing"),
    SIMGPU_ERROR(cudaErrorStreamCaptureInvalidated,
                 "operation failed due to a previous error during capture"),
    SIMGPU_ERROR(
        cudaErrorStreamCaptureImplicit,
        "operation would make the legacy stream depend on a capturing blocking stream"),
    SIMGPU_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    SIMGPU_ERROR(
        cudaErrorGraphExecUpdateFailure,
        "the graph update was not performed because it included changes which violated "
        "constraints specific to instantiated graph update"),
    SIMGPU_ERROR(cudaErrorUnknown, "unknown error"),
#undef SIMGPU_ERROR
};

static const char *text_of(cudaError_t error, const char *ErrorText::*member)
{
    for (auto &e : errors)
        if (e.error == error)
            return e.*member;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error) { return text_of(error, &ErrorText::name); }

const char *cudaGetErrorString(cudaError_t error) { return text_of(error, &ErrorText::text); }

/* ---- device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = device_count();
    return *count ? cudaSuccess : fail(cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
    if (device < 0 || device >= device_count())
        return fail(cudaErrorInvalidDevice);
    current = device;
    return waited();
}

cudaError_t cudaGetDevice(int *device)
{
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    if (device < 0 || device >= device_count())
        return fail(device_count() ? cudaErrorInvalidDevice : cudaErrorNoDevice);
    const Limits &l = limits();
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "simulated GPU (%s limits)", l.name);
    p->totalGlobalMem = arena_limit();
    p->sharedMemPerBlock = l.shared;
    p->sharedMemPerBlockOptin = l.shared_optin;
    p->sharedMemPerMultiprocessor = l.major == 1 ? l.shared : 228 << 10;
    p->reservedSharedMemPerBlock = l.major == 1 ? 0 : 1 << 10;
    p->totalConstMem = 64 << 10;
    p->memPitch = 2147483647;
    p->textureAlignment = 512;
    p->texturePitchAlignment = 32;
    p->major = l.major;
    p->minor = l.minor;
    p->warpSize = 32;
    p->regsPerBlock = p->regsPerMultiprocessor = l.registers;
    p->multiProcessorCount = multiprocessors();
    p->maxThreadsPerBlock = l.threads_per_block;
    p->maxThreadsPerMultiProcessor = l.major == 1 ? 1024 : 2048;
    p->maxBlocksPerMultiProcessor = l.major == 1 ? 8 : 32;
    for (int i = 0; i < 3; i++) {
        p->maxThreadsDim[i] = (int)l.block_max[i];
        p->maxGridSize[i] = (int)l.grid_max[i];
    }
    p->clockRate = l.major == 1 ? 1296000 : 1980000;
    p->memoryClockRate = l.major == 1 ? 800000 : 2619000;
    p->memoryBusWidth = l.major == 1 ? 512 : 5120;
    p->l2CacheSize = l.major == 1 ? 0 : 50 << 20;
    p->maxTexture1DLinear = 1 << 27;
    p->maxTexture2DLinear[0] = l.major == 1 ? 65000 : 131072;
    p->maxTexture2DLinear[1] = 65000;
    p->maxTexture2DLinear[2] = l.major == 1 ? 1048544 : 2097120;
    p->maxTexture1D = 131072;
    p->maxTexture2D[0] = 131072;
    p->maxTexture2D[1] = 65536;
    p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = 1;
    p->canMapHostMemory = p->memoryPoolsSupported = p->streamPrioritiesSupported = 1;
    p->asyncEngineCount = 1;
    p->cooperativeLaunch = l.major > 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error != cudaSuccess)
        return error;
    const struct {
        cudaDeviceAttr attribute;
        int value;
    } values[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, p.clockRate},
        {cudaDevAttrTextureAlignment, (int)p.textureAlignment},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrTexturePitchAlignment, (int)p.texturePitchAlignment},
        {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear[0]},
        {cudaDevAttrMaxTexture2DLinearHeight, p.maxTexture2DLinear[1]},
        {cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p.sharedMemPerMultiprocessor},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrPageableMemoryAccess, 0},
        {cudaDevAttrGpuOverlap, 0},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrComputeMode, p.computeMode},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrMemoryClockRate, p.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrMemoryPoolSupportedHandleTypes, 0},
        {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p.sharedMemPerBlockOptin},
    };
    for (auto &v : values)
        if (v.attribute == attribute) {
            *value = v.value;
            return cudaSuccess;
        }
    return fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize()
{
    order_host_waits_all();
    return waited();
}

cudaError_t cudaDeviceReset()
{
    order_host_waits_all();
    if (settings.standalone && settings.leaks)
        simgpu_check_leaks();
    if (arena.base)
        arena_free_all();
    clear_errors();
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *total_bytes = arena_limit();
    *free_bytes = *total_bytes - std::min(*total_bytes, arena_used());
    return waited();
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    static unsigned streams;
    unsigned number = ++streams;
    *stream =
        new CUstream_st{number,
                        current,
                        {},
                        order_create_stream(number, current, !(flags & cudaStreamNonBlocking)),
                        false};
    return waited();
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream)
        return fail(cudaErrorInvalidResourceHandle);
    if (stream_destroyed(stream))
        return destroyed("cudaStreamDestroy", "stream");
    if (created(stream)) {
        order_destroy_stream(stream->order);
        stream->destroyed = true;
    }
    return cudaSuccess;
}

/* Of enum cudaGraphNodeType. */
static const int memcpy_node = 1, memset_node = 2;

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream_destroyed(stream))
        return destroyed("cudaStreamSynchronize", "stream");
    if (capturing(capture_of(stream)))
        return bad_call("cudaStreamSynchronize", "stream", "being captured",
                        cudaErrorStreamCaptureUnsupported,
                        "Nothing runs while a stream is captured, so there is nothing to wait "
                        "for: end the capture, launch the graph, and wait then.");
    order_host_waits(order_index(stream));
    return waited();
}

/* Reports that everything is complete, so from here on the host may rely on that. */
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (event && event->destroyed)
        return destroyed("cudaStreamWaitEvent", "event");
    if (stream_destroyed(stream))
        return destroyed("cudaStreamWaitEvent", "stream");
    if (event && !capture_wait(capture_of(stream), event->capture) && !event->capture.capture)
        order_wait(order_index(stream), event->order);
    if (event)
        log_event("wait", event->number, stream_number(stream));
    return waited();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    static unsigned events;
    *event = new CUevent_st();
    (*event)->number = ++events;
    (*event)->device = current;
    return waited();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return fail(cudaErrorInvalidResourceHandle);
    if (event->destroyed)
        return destroyed("cudaEventDestroy", "event");
    event->destroyed = true;
    event->order = {};
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event && event->destroyed)
        return destroyed("cudaEventRecord", "event");
    if (stream_destroyed(stream))
        return destroyed("cudaEventRecord", "stream");
    if (!event || event->device != stream_device(stream))
        return fail(cudaErrorInvalidResourceHandle);
    event->capture = capture_of(stream);
    if (capturing(event->capture))
        return cudaSuccess;
    event->capture = {}; /* the stream may have been in a capture that has ended */
    event->time = std::chrono::steady_clock::now();
    event->recorded = true;
    event->waits = times_waited;
    event->launches = launches_seen;
    order_record(order_index(stream), event->order);
    log_event("record", event->number, stream_number(stream));
    return waited();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!event)
        return fail(cudaErrorInvalidResourceHandle);
    if (event->destroyed)
        return destroyed("cudaEventSynchronize", "event");
    order_host_waits_event(event->order);
    return waited();
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (start && stop && (start->destroyed || stop->destroyed))
        return destroyed("cudaEventElapsedTime", "event");
    if (!start || !stop)
        return fail(cudaErrorInvalidResourceHandle);
    if (!start->recorded || !stop->recorded)
        return bad_call("cudaEventElapsedTime",
                        start->recorded ? "second event" : "first event", "not recorded",
                        cudaErrorInvalidResourceHandle,
                        "Record the first event before the work and the second one after it "
                        "(cudaEventRecord), and wait for the second (cudaEventSynchronize).");
    if (stop->waits == times_waited && stop->launches > launches_waited_for) {
        bad_call("cudaEventElapsedTime", "second event",
                 "recorded after a kernel that the host has not waited for", cudaErrorNotReady,
                 "On a GPU the kernel may still run: wait for the event first "
                 "(cudaEventSynchronize).");
        *milliseconds = 0;
        return cudaErrorNotReady;
    }
    order_host_waits_event(start->order); /* a time exists only when both have happened */
    order_host_waits_event(stop->order);
    *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
    static bool said;
    if (!said)
        fprintf(
            stderr,
            "simulated GPU: cudaEventElapsedTime: these are the milliseconds of this computer, "
            "not a GPU's; compare counts instead\n");
    said = true;
    return waited();
}

/* ---- memory ---- */

cudaError_t simgpu_malloc(void **device, size_t bytes, const char *file, int line)
{
    if (!device)
        return fail(cudaErrorInvalidValue);
    *device = nullptr;
    return forbidden_by_capture() ? fail(cudaErrorStreamCaptureUnsupported)
                                  : simgpu_take(device, bytes, file, line);
}

cudaError_t simgpu_take(void **device, size_t bytes, const char *file, int line)
{
    *device = nullptr;
    if (waited() != cudaSuccess)
        return lost;
    if (bytes == 0)
        return cudaSuccess;
    *device = arena_allocate(bytes, file, line);
    return *device ? cudaSuccess : fail(cudaErrorMemoryAllocation);
}

cudaError_t simgpu_malloc_async(void **device, size_t bytes, cudaStream_t stream,
                                const char *file, int line)
{
    cudaError_t error = capture_alloc(capture_of(stream), device, bytes, file, line);
    if (error != cudaErrorNotSupported)
        return error;
    error = device ? simgpu_take(device, bytes, file, line) : fail(cudaErrorInvalidValue);
    if (error == cudaSuccess && order_watched) {
        TouchedBytes all;
        all.add(true, *device, bytes, bytes, 1);
        order_operation("cudaMallocAsync", order_index(stream), std::move(all), false,
                        Memory::allocated, file, line);
    }
    return error;
}

cudaError_t simgpu_malloc_pitch(void **device, size_t *pitch, size_t width, size_t height,
                                const char *file, int line)
{
    *pitch = (width + 511) / 512 * 512;
    cudaError_t error = simgpu_malloc(device, *pitch * height, file, line);
    if (error == cudaSuccess)
        arena_note_pitched(*device);
    return error;
}

const char *const freeing_advice =
    "Memory goes back the way it came: cudaMalloc and cudaFree, cudaMallocHost and "
    "cudaFreeHost, malloc and free; each once.";

/** Why memory must not be freed in this way; "" if the memory is unknown. */
static std::string wrong_free(const void *p)
{
    uint64_t offset;
    const Alias *alias = have_aliases ? alias_find((uintptr_t)p) : nullptr;
    if (!alias)
        return device_offset(p, &offset) && arena_find(offset) &&
                       arena_find(offset)->offset == offset
                   ? "device memory: cudaFree frees it"
                   : "";
    if (alias->kind == AliasKind::variable || alias->kind == AliasKind::managed_variable)
        return "a variable, which is never freed";
    if (alias->begin != (uintptr_t)p)
        return "not the beginning of what was allocated";
    return alias->kind == AliasKind::vector    ? "a Thrust vector's"
           : alias->kind == AliasKind::managed ? "managed memory: cudaFree frees it"
           : alias->kind == AliasKind::pinned
               ? "pinned host memory: cudaFreeHost frees it"
               : "the host's, registered by cudaHostRegister: cudaHostUnregister gives it "
                 "back, then free() frees it";
}

/** Frees memory of a kind that is outside the arena; false if there is none at this address.
 */
static bool free_alias(void *memory, AliasKind kind)
{
    const Alias *alias = have_aliases ? alias_find((uintptr_t)memory) : nullptr;
    if (!alias || alias->kind != kind || alias->begin != (uintptr_t)memory)
        return false;
    alias_remove(memory);
    free(memory);
    return true;
}

static cudaError_t free_device(void *device);

cudaError_t cudaFreeAsync(void *device, cudaStream_t stream)
{
    if (into_graph(capture_of(stream), 11 /* cudaGraphNodeTypeMemFree */,
                   free_node(device, "cudaFreeAsync")))
        return cudaSuccess;
    uint64_t offset;
    const Allocation *a =
        order_watched && device_offset(device, &offset) ? arena_find(offset) : nullptr;
    if (a && a->offset == offset) {
        TouchedBytes all;
        all.add(true, device, a->size, a->size, 1);
        order_operation("cudaFreeAsync", order_index(stream), std::move(all), false,
                        Memory::freed);
    }
    return free_device(device);
}

cudaError_t cudaFree(void *device)
{
    if (device && forbidden_by_capture())
        return fail(cudaErrorStreamCaptureUnsupported);
    return simgpu_give_back(device);
}

cudaError_t simgpu_give_back(void *device)
{
    if (device)
        order_host_waits_all();
    return free_device(device);
}

static cudaError_t free_device(void *device)
{
    if (!device || free_graph_memory(device) || free_alias(device, AliasKind::managed) ||
        (arena.base && arena_contains(device) && arena_free(device)))
        return waited();
    std::string wrong = arena_contains(device) ? "" : wrong_free(device);
    return bad_call("cudaFree", "argument",
                    wrong.empty() ? "not what cudaMalloc returned, or is freed already" : wrong,
                    cudaErrorInvalidValue, freeing_advice);
}

/** A system pins a limited amount. SIMGPU_PINNED sets the bytes that one call may pin, to try
 * how a program behaves then. */
static bool may_pin(size_t bytes)
{
    const char *most = getenv("SIMGPU_PINNED");
    return !most || bytes <= strtoull(most, nullptr, 10);
}

cudaError_t cudaMallocHost(void **host, size_t bytes)
{
    if (!may_pin(bytes))
        return fail(cudaErrorMemoryAllocation);
    *host = calloc(1, bytes + 4096); /* a wrong index may reach beyond the end */
    if (!*host)
        return fail(cudaErrorMemoryAllocation);
    if (bytes)
        alias_add(*host, bytes, AliasKind::pinned, "pinned host memory", nullptr, 0);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *host)
{
    if (host)
        order_host_waits_all();
    if (!host || free_alias(host, AliasKind::pinned))
        return waited();
    std::string wrong = wrong_free(host);
    return bad_call("cudaFreeHost", "argument",
                    wrong.empty() ? "not what cudaMallocHost returned, or is freed already"
                                  : wrong,
                    cudaErrorInvalidValue, freeing_advice);
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned)
{
    if (!host || !bytes || arena_contains(host))
        return bad_call("cudaHostRegister", "argument",
                        !host    ? "a null pointer"
                        : !bytes ? "memory of 0 bytes"
                                 : "device memory where host memory is expected",
                        cudaErrorInvalidValue,
                        "Register what malloc or new returned, and its size in bytes.");
    if (alias_within((uintptr_t)host, bytes)) {
        const Alias *alias = alias_find((uintptr_t)host);
        return bad_call(
            "cudaHostRegister", "argument",
            "memory that is registered or pinned already, all or a part",
            alias && alias->kind == AliasKind::pinned ? cudaErrorInvalidValue
                                                      : cudaErrorHostMemoryAlreadyRegistered,
            "Register each array once; what cudaMallocHost returns needs no cudaHostRegister.");
    }
    if (!may_pin(bytes))
        return fail(cudaErrorMemoryAllocation);
    alias_add(host, bytes, AliasKind::registered, "registered host memory", nullptr, 0);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *host)
{
    const Alias *alias = have_aliases ? alias_find((uintptr_t)host) : nullptr;
    bool registered = alias && alias->kind == AliasKind::registered;
    order_host_waits_all();
    if (registered && alias_remove(host))
        return waited();
    return bad_call("cudaHostUnregister", "argument",
                    registered ? "not the beginning of what was registered" : "not registered",
                    alias || !host || arena_contains(host) ? cudaErrorInvalidValue
                                                           : cudaErrorHostMemoryNotRegistered,
                    "It takes the pointer that cudaHostRegister was given, once.");
}

int simgpu_host_frees(void *memory, const char *call)
{
    if (short_copies)
        short_copy_freed(memory);
    std::string wrong = memory ? wrong_free(memory) : "";
    if (wrong.empty() || wrong[0] == 'n') /* "not the beginning": another object is in it */
        return 1;
    host_fault(SIMGPU_BAD_CALL,
               called_here("Without this check the program crashes here, or the next owner of "
                           "the memory finds it in use."),
               nullptr, "the argument of %s is %s", call, wrong.c_str());
    faults_print();
    return wrong.find("registered") != std::string::npos;
}

cudaError_t simgpu_malloc_managed(void **memory, size_t bytes, const char *file, int line)
{
    if (waited() != cudaSuccess)
        return lost;
    if (bytes == 0 || bytes > arena_limit())
        return fail(bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    *memory = calloc(1, bytes + 4096);
    if (!*memory)
        return fail(cudaErrorMemoryAllocation);
    alias_add(*memory, bytes, AliasKind::managed, nullptr, file, line);
    return cudaSuccess;
}

void *simgpu_vector_allocate(size_t bytes)
{
    constexpr size_t page = 4096; /* aligned like memory of cudaMalloc, with space after it */
    void *memory = aligned_alloc(page, bytes / page * page + 2 * page);
    if (memory && bytes)
        alias_add(memory, bytes, AliasKind::vector, "a Thrust vector", nullptr, 0);
    return memory;
}

void simgpu_vector_free(void *memory)
{
    alias_remove(memory);
    free(memory);
}

int simgpu_device_variable(const char *name, const void *variable, size_t bytes, int kind,
                           const char *file, int line)
{
    if (kind == 2) {
        empty_constants().push_back({name, (uintptr_t)variable, bytes});
        return 0;
    }
    alias_add(const_cast<void *>(variable), bytes,
              kind == 1 ? AliasKind::managed_variable : AliasKind::variable, name, file, line);
    return 0;
}

/** Marks these bytes of a constant as filled; those before and after them remain empty. */
static void constant_filled(const void *from, size_t bytes)
{
    uintptr_t begin = (uintptr_t)from, end = begin + bytes;
    std::vector<EmptyConstant> left;
    for (const EmptyConstant &c : empty_constants()) {
        uintptr_t first = std::min(std::max(c.begin, begin), c.begin + c.size),
                  last = std::max(std::min(c.begin + c.size, end), first);
        if (first > c.begin)
            left.push_back({c.name, c.begin, first - c.begin});
        if (last < c.begin + c.size)
            left.push_back({c.name, last, c.begin + c.size - last});
    }
    empty_constants() = std::move(left);
}

void simgpu_symbol_address(const void *variable)
{
    alias_give(variable);
    for (const EmptyConstant &c : empty_constants())
        if (c.begin == (uintptr_t)variable) {
            constant_filled(variable, c.size);
            break;
        }
}

/** False for what a call of a symbol is given by mistake: a local variable, or the value of an
 * expression. All variables outside functions pass, since not all of the device are known. */
static bool is_symbol(const void *p)
{
    const uintptr_t at = (uintptr_t)p;
    return (have_aliases && alias_find(at)) || is_constant_memory(at) || is_host_variable(at) ||
           is_read_only(at);
}

cudaError_t simgpu_symbol_copy(void *symbol, size_t size, size_t offset, const void *from,
                               void *to, size_t bytes, cudaStream_t stream, int asynchronous,
                               const char *call)
{
    if (asynchronous && into_graph(capture_of(stream), memcpy_node, [=](cudaStream_t stream) {
            return simgpu_symbol_copy(symbol, size, offset, from, to, bytes, stream, 1, call);
        }))
        return cudaSuccess;
    if (waited() != cudaSuccess)
        return lost;
    if (!is_symbol(symbol))
        return bad_call(call, "symbol", "no variable of the device", cudaErrorInvalidSymbol,
                        "It is the name of a __device__ or __constant__ variable itself, not "
                        "an address of it; a local variable of the same name hides it.");
    if (offset + bytes > size)
        return bad_call(
            call, "symbol",
            format("of %zu bytes; %zu bytes from byte %zu on do not fit", size, bytes, offset),
            cudaErrorInvalidValue);
    ArenaAccess access;
    if (from)
        memory_changed(), constant_filled(static_cast<char *>(symbol) + offset, bytes);
    if (from)
        memcpy(static_cast<char *>(symbol) + offset, from, bytes);
    else
        memcpy(to, static_cast<char *>(symbol) + offset, bytes);
    if (order_watched) {
        char *at = static_cast<char *>(symbol) + offset;
        CopyOrder order = {stream, asynchronous != 0};
        TouchedBytes touched;
        touched.add(false, from ? from : at, bytes, bytes, 1);
        touched.add(true, from ? at : to, bytes, bytes, 1);
        order_operation(call, order_index(stream), std::move(touched),
                        host_waits(order, from ? at : to, from ? from : at));
    }
    return cudaSuccess;
}

void simgpu_host_room(const void *to, size_t bytes)
{
    host_room.to = to;
    host_room.bytes = bytes;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    if (into_graph(capture_of(stream), 3 /* cudaGraphNodeTypeHost */, [=](cudaStream_t s) {
            HostFunction here(order_index(s));
            function(data);
            return cudaSuccess;
        }))
        return cudaSuccess;
    HostFunction here(order_index(stream));
    function(data);
    return waited();
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function,
                                  void *data, unsigned)
{
    HostFunction here(order_index(stream));
    function(stream, lost, data);
    return waited();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    constexpr size_t most_stack = 64 << 20; /* more than a GPU has for a thread */
    if (limit == cudaLimitMallocHeapSize)
        heap_limit = value;
    else if (limit == cudaLimitStackSize && value > most_stack)
        return fail(cudaErrorInvalidValue);
    else if (limit == cudaLimitStackSize && value > fiber_stack_bytes)
        fiber_stack_bytes = (value + 4095) / 4096 * 4096;
    return waited();
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = limit == cudaLimitStackSize        ? fiber_stack_bytes
             : limit == cudaLimitMallocHeapSize ? heap_limit.load()
                                                : 1 << 20;
    return waited();
}

cudaError_t cudaSetDeviceFlags(unsigned) { return waited(); }

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache) { return waited(); }

cudaError_t cudaDeviceCanAccessPeer(int *can, int, int)
{
    *can = 0;
    return cudaSuccess;
}

static cudaError_t copy_bytes(const char *call, void *to, const void *from, size_t bytes,
                              cudaMemcpyKind kind, const CopyOrder &order)
{
    return checked_copy(call, to, bytes, from, bytes, bytes, 1, kind, order,
                        [&](bool to_device) {
                            memmove(to, from, bytes);
                            mark_written(to_device, to, bytes);
                        });
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return copy_bytes("cudaMemcpy", to, from, bytes, kind, {});
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (into_graph(capture_of(stream), memcpy_node, [=](cudaStream_t stream) {
            return copy_bytes("cudaMemcpyAsync", to, from, bytes, kind, {stream, true});
        }))
        return cudaSuccess;
    return copy_bytes("cudaMemcpyAsync", to, from, bytes, kind, {stream, true});
}

static cudaError_t copy_rows(const char *call, void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t height,
                             cudaMemcpyKind kind, const CopyOrder &order)
{
    if (width > to_pitch || width > from_pitch)
        return wide_row(call, width, std::min(to_pitch, from_pitch),
                        "Nothing was copied. The arguments are: destination, its pitch, "
                        "source, its pitch, width in bytes, height.");
    return checked_copy(
        call, to, to_pitch, from, from_pitch, width, height, kind, order, [&](bool to_device) {
            for (size_t row = 0; row < height; row++) {
                char *target = static_cast<char *>(to) + row * to_pitch;
                memmove(target, static_cast<const char *>(from) + row * from_pitch, width);
                mark_written(to_device, target, width);
            }
        });
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind, {});
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    if (into_graph(capture_of(stream), memcpy_node, [=](cudaStream_t stream) {
            return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height,
                             kind, {stream, true});
        }))
        return cudaSuccess;
    return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind,
                     {stream, true});
}

/** Sets rows of memory. A call of one row is of a kind without rows. */
static cudaError_t set_rows(const char *call, void *device, size_t pitch, int value,
                            size_t width, size_t height, const CopyOrder &order)
{
    if (waited() != cudaSuccess)
        return lost;
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (capture_refuses(order.stream))
        return refused_by_capture(call);
    if (width > pitch)
        return wide_row(call, width, pitch,
                        "Nothing was set. The arguments are: destination, its pitch, value, "
                        "width in bytes, height.");
    std::string wrong = wrong_device_range(device, (height - 1) * pitch + width);
    if (!wrong.empty())
        return bad_call(call, "destination", wrong, cudaErrorInvalidValue);
    if ((value < -128 || value > 255) && (unsigned)value != (value & 255) * 0x01010101u) {
        host_fault(SIMGPU_BAD_CALL,
                   called_here("It sets every byte to the value, and not every element: fill "
                               "elements by a kernel, or copy an array that holds them."),
                   nullptr, "%s: its value is %d, which does not fit a byte: each becomes %d",
                   call, value, value & 255);
        faults_print();
    }
    HostTurn turn;
    RepeatedMemset repeat(device, pitch, value, width, height);
    if (repeat.skip && !order_watched)
        return cudaSuccess;
    ArenaAccess access;
    repeat.begins(device, pitch, value, width, height);
    for (size_t row = 0; row < height; row++) {
        char *target = static_cast<char *>(device) + row * pitch;
        memset(target, value, width);
        mark_written(true, target, width);
    }
    if (arena_contains(device))
        arena_note_filled(device, (height - 1) * pitch + width);
    if (order_watched) {
        TouchedBytes touched;
        touched.add(true, device, pitch, width, height);
        order_operation(call, order_index(order.stream), std::move(touched),
                        !order.asynchronous && !arena_contains(device));
    }
    return cudaSuccess;
}

cudaError_t cudaMemset2D(void *device, size_t pitch, int value, size_t width, size_t height)
{
    return set_rows("cudaMemset2D", device, pitch, value, width, height, {});
}

cudaError_t cudaMemset(void *device, int value, size_t bytes)
{
    return set_rows("cudaMemset", device, bytes, value, bytes, 1, {});
}

cudaError_t cudaMemsetAsync(void *device, int value, size_t bytes, cudaStream_t stream)
{
    if (into_graph(capture_of(stream), memset_node, [=](cudaStream_t stream) {
            return set_rows("cudaMemsetAsync", device, bytes, value, bytes, 1, {stream, true});
        }))
        return cudaSuccess;
    return set_rows("cudaMemsetAsync", device, bytes, value, bytes, 1, {stream, true});
}

cudaError_t cudaMemset2DAsync(void *device, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream)
{
    if (into_graph(capture_of(stream), memset_node, [=](cudaStream_t stream) {
            return set_rows("cudaMemset2DAsync", device, pitch, value, width, height,
                            {stream, true});
        }))
        return cudaSuccess;
    return set_rows("cudaMemset2DAsync", device, pitch, value, width, height, {stream, true});
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    uint64_t offset;
    bool device = device_offset(pointer, &offset);
    const Alias *alias = have_aliases ? alias_find((uintptr_t)pointer) : nullptr;
    bool host =
        alias && (alias->kind == AliasKind::pinned || alias->kind == AliasKind::registered);
    attributes->type = host                         ? cudaMemoryTypeHost
                       : alias && alias->host_may() ? cudaMemoryTypeManaged
                       : device                     ? cudaMemoryTypeDevice
                                                    : cudaMemoryTypeUnregistered;
    const Allocation *allocation = device ? arena_find(offset) : nullptr;
    attributes->device = allocation ? allocation->device : 0;
    attributes->devicePointer = device ? const_cast<void *>(pointer) : nullptr;
    attributes->hostPointer =
        device && !(alias && alias->host_may()) ? nullptr : const_cast<void *>(pointer);
    return cudaSuccess;
}

} // extern "C"
