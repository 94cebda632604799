/* SPDX-License-Identifier: MIT */
/** @file graphs.h
 * Graphs: work that is recorded first by capturing a stream, and then done as often as it is
 * launched. The nodes of a launch run one after another, in an order that their dependencies
 * allow. Graphs that are made node by node are refused.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_GRAPHS_H
#define SIMGPU_INCLUDE_SIMGPU_GRAPHS_H

#include "simgpu/host/host_api.h"
#include "simgpu/unsupported.h"

/** Writes at most `*count` nodes, in order of creation, and sets `*count`; null only counts. */
extern "C" cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                         size_t *count);

SIMGPU_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                cudaStreamCaptureStatus *status,
                                                unsigned long long *id = nullptr)
{
    return simgpu_capture_info(stream, status, id, nullptr);
}
/* The nodes to which more could be added. */
template <class... A>
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus *,
                                                   unsigned long long *, cudaGraph_t *, A...)
{
    static_assert(simgpu::always_false<A...>::value,
                  "simgpu: cudaStreamGetCaptureInfo is not simulated with a graph");
    return cudaErrorNotSupported;
}
SIMGPU_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                            unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
SIMGPU_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                            cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
SIMGPU_ACCEPTED(cudaGraphUpload, (cudaGraphExec_t, cudaStream_t))
SIMGPU_ACCEPTED(cudaDeviceGraphMemTrim, (int))
#endif
