/* SPDX-License-Identifier: MIT */
/** @file device_api.cpp
 * Settings of simgpu.h, errors, devices and their limits.
 */
#include "src/api/api.h"

#include <unistd.h>

namespace simgpu
{

static thread_local int current; /* the device of this host thread */

static cudaError_t last_error = cudaSuccess;
static cudaError_t lost = cudaSuccess; /* the error by which a kernel lost the device */

static int device_count()
{
    static const int count = [] {
        const char *value = getenv("SIMGPU_DEVICES");
        return value ? std::min(std::max(atoi(value), 0), (int)most_devices) : 1;
    }();
    return count;
}

int current_device() { return current; }

cudaError_t fail(cudaError_t error)
{
    set_error(error);
    return error;
}

cudaError_t waited() { return lost != cudaSuccess ? fail(lost) : cudaSuccess; }

cudaError_t bad_call(const char *call, const char *role, const std::string &what,
                     cudaError_t error, const char *advice)
{
    host_fault(SIMGPU_BAD_CALL, called_here(advice), nullptr, "%s: its %s is %s", call, role,
               what.c_str());
    faults_print();
    return fail(error);
}

cudaError_t refused_by_capture(const char *call)
{
    return bad_call(call, "stream",
                    "the default stream, while a stream is captured that waits for it",
                    cudaErrorStreamCaptureImplicit, capture_advice);
}

cudaError_t destroyed(const char *call, const char *what)
{
    return bad_call(call, what, "destroyed already", cudaErrorInvalidResourceHandle,
                    what[0] == 's' ? "Destroy a stream after the last call that uses it."
                                   : "Destroy an event after the last call that uses it.");
}

void set_error(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
}

void set_device_error(cudaError_t error) { lost = error; }

cudaError_t device_error() { return lost; }

void clear_errors() { lost = last_error = cudaSuccess; }

extern "C" {

/* ---- settings of simgpu.h ---- */

void simgpu_set_model(simgpu_model model) { settings.model = model; }
void simgpu_set_limits(simgpu_model model) { settings.limits = model; }
void simgpu_set_shuffle(uint64_t seed) { settings.shuffle = seed; }
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
    settings.capture_most = 0;
}

void simgpu_capture_launch(unsigned launch) { settings.capture_launch = launch; }

void simgpu_capture_for_picture()
{
    auto read = [](const char *name, unsigned at[3]) {
        const char *text = getenv(name);
        at[0] = at[1] = at[2] = 0;
        if (text)
            sscanf(text, "%u,%u,%u", &at[0], &at[1], &at[2]);
    };
    settings.capturing = true;
    settings.capture_most = 64;
    read("SIMGPU_BLOCK", settings.capture_blocks);
    read("SIMGPU_THREAD", settings.capture_thread);
}

void simgpu_capture_stop() { settings.capturing = false; }

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
#define SIMGPU_ERROR(error, value, text) {error, #error, text},
#include "include/simgpu/host/errors.txt"
};
#undef SIMGPU_ERROR

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

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *)
{
    *device = 0; /* all are the same */
    return waited();
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
    *own(device) = current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    if (device < 0 || device >= device_count())
        return fail(device_count() ? cudaErrorInvalidDevice : cudaErrorNoDevice);
    const Limits &l = limits();
    memset(own(p), 0, sizeof *p);
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
    switch (attribute) {
#define SIMGPU_ATTRIBUTE(name, number, property)                                               \
    case cudaDevAttr##name:                                                                    \
        *own(value) = (int)p.property;                                                         \
        return cudaSuccess;
#include "include/simgpu/host/attributes.txt"
#undef SIMGPU_ATTRIBUTE
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

} // extern "C"

} // namespace simgpu
