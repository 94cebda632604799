/* SPDX-License-Identifier: MIT */
/** @file stream_api.cpp
 * Streams, events, host functions in a stream, and the log of calls.
 */
#include "src/api/api.h"

namespace simgpu
{

int stream_device(const void *stream)
{
    return created(stream) ? static_cast<const CUstream_st *>(stream)->device
                           : current_device();
}

bool stream_destroyed(const void *stream)
{
    return created(stream) && static_cast<const CUstream_st *>(stream)->destroyed;
}

unsigned order_index(const void *stream)
{
    if (created(stream))
        return static_cast<const CUstream_st *>(stream)->order;
    return (unsigned)(stream == cudaStreamPerThread ? most_devices : 0) +
           (unsigned)current_device();
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

FILE *calls_output = nullptr;

void log_launch(const Launch *launch, const simgpu_totals &before)
{
    simgpu_totals now;
    simgpu_get_totals(&now);
    const simgpu_launch_desc &d = launch->desc;
    fprintf(calls_output,
            "{\"call\":\"launch\",\"kernel\":\"%s\",\"launch\":%u,\"stream\":%u,\"grid\":[%u,%"
            "u,%u],\"block\":[%u,%u,%u],\"transactions\":%llu,\"bytes\":%llu}\n",
            d.kernel_text, launch->id, stream_number(d.stream), d.grid[0], d.grid[1], d.grid[2],
            d.block[0], d.block[1], d.block[2], (Count)(now.transactions - before.transactions),
            (Count)(now.bytes - before.bytes));
}

void log_event(const char *call, unsigned event, unsigned stream)
{
    if (calls_output)
        fprintf(calls_output, "{\"call\":\"%s\",\"event\":%u,\"stream\":%u}\n", call, event,
                stream);
}

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    static unsigned streams;
    unsigned number = ++streams;
    *own(stream) = new CUstream_st{
        number,
        current_device(),
        {},
        order_create_stream(number, current_device(), !(flags & cudaStreamNonBlocking)),
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
    *own(event) = new CUevent_st();
    (*event)->number = ++events;
    (*event)->device = current_device();
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
        *own(milliseconds) = 0;
        return cudaErrorNotReady;
    }
    order_host_waits_event(start->order); /* a time exists only when both have happened */
    order_host_waits_event(stop->order);
    *own(milliseconds) =
        std::chrono::duration<float, std::milli>(stop->time - start->time).count();
    static bool said;
    if (!said)
        say(stderr, "simulated GPU: cudaEventElapsedTime: these are the milliseconds of this "
                    "computer, not a GPU's; compare counts instead\n");
    said = true;
    return waited();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    if (into_graph(capture_of(stream), [=](cudaStream_t s) {
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
    function(stream, device_error(), data);
    return waited();
}

void simgpu_log_calls(FILE *out) { calls_output = out; }

} // extern "C"

} // namespace simgpu
