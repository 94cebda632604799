/* SPDX-License-Identifier: MIT */
/** @file graphs.h
 * Graphs: work that is recorded first, node by node or by capturing a stream, and then done as
 * often as it is launched. The nodes of a launch run one after another, in an order that their
 * dependencies allow.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_GRAPHS_H
#define SIMGPU_INCLUDE_SIMGPU_GRAPHS_H

#include "host_api.h"

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11
};
enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
};
#ifdef gridDim /* the rewritten source names members otherwise than the kernel's variables */
#define SIMGPU_SHAPE(name) simgpu_own_##name
#else
#define SIMGPU_SHAPE(name) name
#endif
struct cudaKernelNodeParams {
    void *func; /**< the kernel */
    dim3 SIMGPU_SHAPE(gridDim), SIMGPU_SHAPE(blockDim);
    unsigned sharedMemBytes;
    void **kernelParams; /**< a pointer to each argument */
    void **extra;
};
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
/** Sets rows of `width` elements, each of `elementSize` bytes: 1, 2 or 4. */
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};
struct cudaMemAllocNodeParams {
    cudaMemPoolProps poolProps;
    const cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr; /**< out: the memory */
};
/** Any node, for cudaGraphAddNode. */
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    union {
        int reserved[64];
        cudaKernelNodeParams kernel;
        cudaMemcpy3DParms memcpy;
        cudaMemsetParams memset;
        cudaHostNodeParams host;
        cudaMemAllocNodeParams alloc;
    };
};
struct cudaGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0,
    cudaGraphMemAttrUsedMemHigh = 1,
    cudaGraphMemAttrReservedMemCurrent = 2,
    cudaGraphMemAttrReservedMemHigh = 3
};

extern "C" {
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
/** Writes at most `*count` nodes, in order of creation, and sets `*count`; null only counts. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
/** A launch is recorded with copies of its arguments. */
cudaError_t simgpu_graph_kernel_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     const cudaKernelNodeParams *p, const char *file, int line);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemcpy3DParms *p);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemsetParams *p);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const cudaHostNodeParams *p);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);
/** The memory has one address in all launches. It belongs to the graph while no launch holds
 * it. */
cudaError_t simgpu_graph_alloc_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count,
                                    cudaMemAllocNodeParams *p, const char *file, int line);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t simgpu_graph_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const cudaKernelNodeParams *p, const char *file, int line);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
}

SIMGPU_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                cudaStreamCaptureStatus *status,
                                                unsigned long long *id = nullptr,
                                                cudaGraph_t *graph = nullptr,
                                                const cudaGraphNode_t **after = nullptr,
                                                size_t *count = nullptr)
{
    return simgpu_capture_info(stream, status, id, graph, after, count);
}
SIMGPU_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                cudaStreamCaptureStatus *status,
                                                unsigned long long *id, cudaGraph_t *graph,
                                                const cudaGraphNode_t **after,
                                                const cudaGraphEdgeData **, size_t *count)
{
    return simgpu_capture_info(stream, status, id, graph, after, count);
}
/* What a stream captures comes after all that was captured before. */
SIMGPU_ACCEPTED(cudaStreamUpdateCaptureDependencies,
                (cudaStream_t, cudaGraphNode_t *, size_t, unsigned = 0))
SIMGPU_ACCEPTED(cudaStreamUpdateCaptureDependencies,
                (cudaStream_t, cudaGraphNode_t *, const cudaGraphEdgeData *, size_t,
                 unsigned = 0))
SIMGPU_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                const cudaGraphNode_t *to,
                                                const cudaGraphEdgeData *, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, count);
}
SIMGPU_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                              const cudaGraphNode_t *after, size_t count,
                                              const cudaKernelNodeParams *p, SIMGPU_HERE)
{
    return simgpu_graph_kernel_node(node, graph, after, count, p, file, line);
}
SIMGPU_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
                                                        cudaGraphNode_t node,
                                                        const cudaKernelNodeParams *p,
                                                        SIMGPU_HERE)
{
    return simgpu_graph_set_kernel(exec, node, p, file, line);
}
SIMGPU_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                const cudaGraphNode_t *after, size_t count,
                                                cudaMemAllocNodeParams *p, SIMGPU_HERE)
{
    return simgpu_graph_alloc_node(node, graph, after, count, p, file, line);
}
SIMGPU_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaGraphNodeParams *p, SIMGPU_HERE)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return simgpu_graph_kernel_node(node, graph, after, count, &p->kernel, file, line);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(node, graph, after, count, &p->memcpy);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(node, graph, after, count, &p->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(node, graph, after, count, &p->host);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(node, graph, after, count);
    case cudaGraphNodeTypeMemAlloc:
        return simgpu_graph_alloc_node(node, graph, after, count, &p->alloc, file, line);
    default:
        return cudaErrorNotSupported;
    }
}
SIMGPU_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, const cudaGraphEdgeData *,
                                        size_t count, cudaGraphNodeParams *p, SIMGPU_HERE)
{
    return cudaGraphAddNode(node, graph, after, count, p, file, line);
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
SIMGPU_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                           cudaGraphNode_t *node,
                                           cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    *result = info.result;
    if (node)
        *node = info.errorNode;
    return error;
}
SIMGPU_ACCEPTED(cudaGraphUpload, (cudaGraphExec_t, cudaStream_t))
SIMGPU_ACCEPTED(cudaDeviceGraphMemTrim, (int))
#endif
