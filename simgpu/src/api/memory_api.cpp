/* SPDX-License-Identifier: MIT */
/** @file memory_api.cpp
 * Allocations, copies, memsets, symbols and pinned memory.
 */
#include "src/api/api.h"
#include "include/simgpu/vectors.h"

#include <unistd.h>

namespace simgpu
{

namespace
{

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
        std::string at = a->file ? " at " + place_in(a->file, a->line) : "";
        return format("%zu bytes from byte %llu on of the %llu allocated%s", bytes,
                      (Count)(offset - a->offset), a->size, at.c_str());
    }
    return "";
}

/** The advice to it: null, that of the kind, if the number of bytes is wrong. */
const char *range_advice(const std::string &wrong)
{
    return isdigit((unsigned char)wrong[0]) ? nullptr
           : wrong == "device memory that is freed"
               ? "Call cudaFree after the last use of the memory."
               : "";
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
    const Alias *alias = alias_at(p);
    return alias && alias->kind == AliasKind::pinned;
}

/** Is this the name of a __device__ variable whose address the program has not asked for? */
bool symbol_name(const void *p)
{
    const Alias *alias = alias_at(p);
    return alias && !alias->host_may() && !alias->given;
}

/** The program's arrays of type cudaArray. */
std::set<const void *> &arrays()
{
    static auto *all = new std::set<const void *>;
    return *all;
}

/** The stream of an operation, and whether the host waits until it is complete. */
struct CopyOrder {
    cudaStream_t stream = nullptr;
    bool asynchronous = false;
};

bool on_device(const void *p)
{
    uint64_t offset;
    return device_offset(p, &offset) || is_constant_memory((uintptr_t)p);
}

/** A copy from device memory to pageable host memory is complete when the call returns. A copy
 * from pageable memory has at least read it by then. */
bool host_waits(const CopyOrder &order, const void *to, const void *from)
{
    const Alias *t = alias_at(to), *f = alias_at(from);
    if (order.asynchronous)
        return !on_device(to);
    return !on_device(to) || !on_device(from) || (t && t->host_may()) || (f && f->host_may());
}

/** Does a synchronous copy from the host's pageable memory return once its bytes are on their
 * way? The runtime does so with at most 64 KB (CUDA Runtime API, "API synchronization
 * behavior"). */
bool arrives_late(const CopyOrder &order, const void *to, const void *from, size_t bytes)
{
    const Alias *alias = alias_at(to);
    return !order.asynchronous && bytes <= 64 << 10 && on_device(to) &&
           !(alias && alias->host_may()) && !on_device(from);
}

/** Tells the order of streams what a copy has touched. */
void note_copy(const char *call, const CopyOrder &order, const void *to, const void *from,
               size_t bytes, TouchedBytes touched)
{
    const unsigned stream = order_index(order.stream);
    const bool late = arrives_late(order, to, from, bytes);
    if (late) /* it begins when the stream's earlier work is done */
        order_host_waits(stream);
    order_operation(late ? format("%s%s", call, late_copy).c_str() : call, stream,
                    std::move(touched), !late && host_waits(order, to, from));
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
        return device_error();
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
        const bool array = arrays().count(p);
        std::string wrong = array                     ? "a cudaArray, which has no address"
                            : symbol_name(p)          ? "the name of a __device__ variable"
                            : device                  ? wrong_device_range(p, span)
                            : p && !arena_contains(p) ? ""
                            : p ? "device memory where host memory is expected"
                                : "a null pointer";
        bool direction = wrong.find(" where ") != std::string::npos;
        if (!wrong.empty())
            bad_call(
                call, role, wrong, cudaErrorInvalidValue,
                array
                    ? "Copy to it by cudaMemcpy2DToArray(), from it by cudaMemcpy2DFromArray()."
                : !p && out_of_memory ? "cudaMalloc had no memory: check what it returns."
                : direction           ? direction_advice(to, from)
                : symbol_name(p)      ? "On the host its name is no address of the device: use "
                                        "cudaMemcpyToSymbol or cudaMemcpyFromSymbol."
                                      : range_advice(wrong));
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
                 "A copy must not overlap what it copies from: on a GPU any part may be copied "
                 "first. Copy into another array.");
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
        if (Unwritten hole = arena_unwritten(from, from_pitch, width, height); hole.bytes)
            host_note(calling_pc(),
                      hole.last ? format("%s copies %zu bytes of device memory to the host, of "
                                         "which the last %zu were never written",
                                         call, width * height, hole.bytes)
                                : format("%s copies %zu bytes of device memory to the host, of "
                                         "which %zu were never written, the first at byte %zu",
                                         call, width * height, hole.bytes, hole.first),
                      "It is no mistake if the host does not use them. Otherwise an index or a "
                      "guard leaves them out, or the grid is too small: n elements need (n + "
                      "threads - 1) / threads blocks.");
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
        note_copy(call, order, to, from, width * height, std::move(touched));
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

extern "C" {

void simgpu_forget(void *device, size_t bytes)
{
    if (!wrong_device_range(device, bytes).empty())
        return;
    arena_settle_unseen(); /* also forget what plain kernels wrote before */
    arena_mark(device, bytes, state_unwritten);
}

int simgpu_is_written(const void *device, size_t bytes)
{
    uint64_t at;
    if (!device_offset(device, &at))
        return 0;
    arena_settle_unseen();
    for (uint64_t word = at / 4; word < (at + bytes + 3) / 4; word++)
        if (arena.state[word] != state_unwritten)
            return 1;
    return 0;
}

cudaError_t simgpu_malloc(void **device, size_t bytes, const char *file, int line)
{
    if (!device)
        return fail(cudaErrorInvalidValue);
    *own(device) = nullptr;
    return forbidden_by_capture() ? fail(cudaErrorStreamCaptureUnsupported)
                                  : simgpu_take(device, bytes, file, line);
}

cudaError_t simgpu_take(void **device, size_t bytes, const char *file, int line)
{
    *own(device) = nullptr;
    if (waited() != cudaSuccess)
        return device_error();
    if (bytes == 0)
        return cudaSuccess;
    *device = arena_allocate(bytes, file, line);
    if (*device)
        return cudaSuccess;
    out_of_memory = true;
    explain_no_memory(bytes, file, line);
    return fail(cudaErrorMemoryAllocation);
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
    *own(pitch) = (width + 511) / 512 * 512;
    cudaError_t error = simgpu_malloc(device, *pitch * height, file, line);
    if (error == cudaSuccess)
        arena_note_pitch(*device, *pitch);
    return error;
}

const char *const freeing_advice =
    "Memory goes back the way it came: cudaMalloc and cudaFree, cudaMallocHost and "
    "cudaFreeHost, malloc and free; each once.";

/** Why memory must not be freed in this way; "" if the memory is unknown. */
static std::string wrong_free(const void *p)
{
    uint64_t offset;
    const Alias *alias = alias_at(p);
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

/** Frees memory of a kind outside the arena; false if there is none at this address. */
static bool free_alias(void *memory, AliasKind kind)
{
    const Alias *alias = alias_at(memory);
    if (!alias || alias->kind != kind || alias->begin != (uintptr_t)memory)
        return false;
    alias_remove(memory);
    free(memory);
    return true;
}

static cudaError_t free_device(void *device);

cudaError_t cudaFreeAsync(void *device, cudaStream_t stream)
{
    if (into_graph(capture_of(stream), free_node(device)))
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
    const Alias *alias = alias_at(host);
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
        return device_error();
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

/** Can this be a symbol? A local variable and the value of an expression cannot: they were
 * passed by mistake. All variables outside functions can, since the simulator does not know
 * every device variable. */
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
    if (asynchronous && into_graph(capture_of(stream), [=](cudaStream_t stream) {
            return simgpu_symbol_copy(symbol, size, offset, from, to, bytes, stream, 1, call);
        }))
        return cudaSuccess;
    if (waited() != cudaSuccess)
        return device_error();
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
        note_copy(call, order, from ? at : to, from ? from : at, bytes, std::move(touched));
    }
    return cudaSuccess;
}

void simgpu_array(const void *array, int exists)
{
    exists ? (void)arrays().insert(array) : (void)arrays().erase(array);
}

void simgpu_host_room(const void *to, size_t bytes)
{
    host_room.to = to;
    host_room.bytes = bytes;
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
    return in_stream(stream, [=](cudaStream_t now) {
        return copy_bytes("cudaMemcpyAsync", to, from, bytes, kind, {now, true});
    });
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
    return in_stream(stream, [=](cudaStream_t now) {
        return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height,
                         kind, {now, true});
    });
}

/** Sets rows of memory; cudaMemset() sets one. */
static cudaError_t set_rows(const char *call, void *device, size_t pitch, int value,
                            size_t width, size_t height, const CopyOrder &order)
{
    if (waited() != cudaSuccess)
        return device_error();
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
        return bad_call(
            call, "destination", wrong, cudaErrorInvalidValue,
            device && !on_device(device)
                ? "It sets device memory: pass what cudaMalloc returned. Host memory "
                  "is set by memset."
                : range_advice(wrong));
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
    return in_stream(stream, [=](cudaStream_t now) {
        return set_rows("cudaMemsetAsync", device, bytes, value, bytes, 1, {now, true});
    });
}

cudaError_t cudaMemset2DAsync(void *device, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream)
{
    return in_stream(stream, [=](cudaStream_t now) {
        return set_rows("cudaMemset2DAsync", device, pitch, value, width, height, {now, true});
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    uint64_t offset;
    bool device = device_offset(pointer, &offset);
    const Alias *alias = alias_at(pointer);
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

} // namespace simgpu
