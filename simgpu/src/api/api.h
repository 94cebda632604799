/* SPDX-License-Identifier: MIT */
/** @file api.h
 * What the calls of the runtime API share: streams, events, and how a call fails.
 */
#ifndef SIMGPU_SRC_API_H
#define SIMGPU_SRC_API_H

#include "src/streams/graphs.h"
#include "src/tracer/tracer.h"

#include <chrono>

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

/** Is it a stream that the program has created? cudaStreamLegacy and cudaStreamPerThread are
 * small numbers. */
inline bool created(const void *stream) { return (uintptr_t)stream > 2; }

/** Does the work now, or makes it a node of the graph into which the stream is captured. */
template <class F> cudaError_t in_stream(cudaStream_t stream, F work)
{
    return into_graph(capture_of(stream), work) ? cudaSuccess : work(stream);
}

/** The call has waited: the error by which a kernel lost the device, or cudaSuccess. */
cudaError_t waited();
cudaError_t bad_call(const char *call, const char *role, const std::string &what,
                     cudaError_t error, const char *advice = nullptr);
/** The call goes into the default stream while another one is captured. */
cudaError_t refused_by_capture(const char *call);
/** A stream or an event is used after its end. */
cudaError_t destroyed(const char *call, const char *what);

} // namespace simgpu

#endif
