/* SPDX-License-Identifier: MIT */
/** @file graphs.h
 * Graphs, the capture of streams, and several devices.
 */
#ifndef SIMGPU_SRC_GRAPHS_H
#define SIMGPU_SRC_GRAPHS_H

#include "src/streams/order.h"

struct CUgraphNode_st;

namespace simgpu
{

/** What a node of a graph does when the graph is launched into a stream. */
using Work = std::function<cudaError_t(cudaStream_t)>;
/** The graph into which a stream is captured; 0 or an old number: none. */
struct StreamCapture {
    unsigned long long capture = 0;
    std::vector<CUgraphNode_st *> last; /**< what the next node depends on */
};
StreamCapture &capture_of(cudaStream_t stream);
/** Adds work to the graph into which the stream is captured; false if it is not. */
bool into_graph(StreamCapture &stream, Work work);
bool capturing(const StreamCapture &stream);
/** Whether CUDA forbids this thread to allocate or free memory now, because of a capture. The
 * capture is then invalid. */
bool forbidden_by_capture();
/** Allocate and free memory even during a capture. */
extern "C" cudaError_t simgpu_take(void **device, size_t bytes, const char *file, int line);
extern "C" cudaError_t simgpu_give_back(void *device);
/** Is it the default stream, while a stream that waits for it is captured? It must not be used
 * then. */
bool capture_refuses(cudaStream_t stream);
extern const char *const capture_advice;
/** A stream waits for an event; false if neither is captured. */
bool capture_wait(StreamCapture &stream, const StreamCapture &event);
bool capture_launch(const simgpu_launch_desc &desc, StreamCapture *stream);
/** Allocates memory of the graph into which the stream is captured; cudaErrorNotSupported if it
 * is not captured. */
cudaError_t capture_alloc(StreamCapture &stream, void **memory, size_t bytes, const char *file,
                          int line);
/** The work of a node that frees memory. */
Work free_node(void *memory);
/** Returns memory to the graph whose launch allocated it; false if it is other memory. */
bool free_graph_memory(void *memory);

/* ---- several devices (device_api.cpp, stream_api.cpp) ---- */

/** SIMGPU_DEVICES sets the number of devices, 0 or more; the default is 1. They are equal and
 * share one memory, in which each allocation knows its device. As in CUDA, streams and events
 * belong to a device. Only one host thread at a time may call. */
enum { most_devices = 16 };
int current_device();
/** The device's multiprocessors. A program that can launch cooperatively has few of them, so
 * that the simulator can hold as many blocks at the same time as the device promises. */
int multiprocessors();
/** What is wrong with the size of a cooperative launch, or ""; sets the advice. */
std::string too_many_blocks(const simgpu_launch_desc &d, const char **advice);
int stream_device(const void *stream);
bool stream_destroyed(const void *stream);

extern uint64_t launches_seen, launches_counted, library_calls, barriers_counted;

} // namespace simgpu

#endif
