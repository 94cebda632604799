/* SPDX-License-Identifier: MIT */
/** @file graphs.cpp
 * Graphs. A node holds what it does as a function; to launch a graph is to call these
 * functions, one after another, in an order that the dependencies allow. A captured stream
 * gives its calls to a graph (into_graph(), capture_launch()) in place of doing them.
 */
#include "internal.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "include/simgpu/graphs.h"

namespace simgpu
{
/** The value that decides what a conditional node does. */
struct Condition {
    unsigned value, first;
    bool reset; /**< each launch begins with the first value */
};
} // namespace simgpu

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::vector<cudaGraphNode_t> after;
    simgpu::Work work;
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<std::shared_ptr<simgpu::Condition>> conditions;
    std::vector<cudaGraphNode_t> last; /**< the node that was captured last */
    bool body = false;                 /**< it belongs to a node of another graph */
};
struct CUgraphExec_st {
    struct Step {
        cudaGraphNode_t node;
        cudaGraphNodeType type;
        simgpu::Work work;
    };
    std::vector<Step> steps;
    std::vector<std::shared_ptr<simgpu::Condition>> conditions;
};

namespace simgpu
{

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

/** The memory of an alloc node. `held`: it was given to the program and not freed since. */
struct GraphMemory {
    void *at;
    size_t bytes;
    bool held = false;
    GraphMemory(void *at, size_t bytes);
    ~GraphMemory();
};
std::map<void *, GraphMemory *> graph_memory;
size_t most_used, most_reserved;

GraphMemory::GraphMemory(void *at, size_t bytes) : at(at), bytes(bytes)
{
    graph_memory[at] = this;
    size_t all = 0;
    for (auto &entry : graph_memory)
        all += entry.second->bytes;
    most_reserved = std::max(most_reserved, all);
}

GraphMemory::~GraphMemory()
{
    graph_memory.erase(at);
    if (!held) /* else cudaFree frees it */
        arena_free(at);
}

size_t used_memory()
{
    size_t used = 0;
    for (auto &entry : graph_memory)
        used += entry.second->held ? entry.second->bytes : 0;
    return used;
}

std::map<unsigned long long, cudaGraph_t> captures; /**< those that have not ended */
thread_local cudaGraph_t recording; /**< where a launch goes that is no launch yet */

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type,
                         const cudaGraphNode_t *after, size_t count, Work work)
{
    graph->nodes.push_back(std::make_unique<CUgraphNode_st>());
    CUgraphNode_st &node = *graph->nodes.back();
    node.type = type;
    node.after.assign(after, after + count);
    node.work = std::move(work);
    return &node;
}

cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                size_t count, cudaGraphNodeType type, Work work)
{
    if (!node || !graph || (count && !after))
        return cudaErrorInvalidValue;
    *node = add_node(graph, type, after, count, std::move(work));
    return cudaSuccess;
}

/** The nodes in order of creation, except that each comes after those it depends on. Fewer are
 * returned if they wait for one another. */
std::vector<const CUgraphNode_st *> in_order(const CUgraph_st &graph)
{
    std::vector<const CUgraphNode_st *> order;
    std::unordered_set<const CUgraphNode_st *> done;
    for (bool found = true; found;) {
        found = false;
        for (auto &node : graph.nodes) {
            auto waits = [&](cudaGraphNode_t other) { return !done.count(other); };
            if (done.count(node.get()) ||
                std::any_of(node->after.begin(), node->after.end(), waits))
                continue;
            done.insert(node.get());
            order.push_back(node.get());
            found = true;
        }
    }
    return order;
}

cudaError_t run_all(const std::vector<const CUgraphNode_st *> &nodes, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (const CUgraphNode_st *node : nodes)
        if (error == cudaSuccess)
            error = node->work(stream);
    return error;
}

/** A launch with what it points to. */
struct KeptLaunch {
    simgpu_launch_desc desc;
    std::vector<std::max_align_t> closure;
    std::vector<simgpu_argument> arguments;

    explicit KeptLaunch(const simgpu_launch_desc &d)
        : desc(d), closure(d.closure_size / sizeof(std::max_align_t) + 1),
          arguments(d.arguments, d.arguments + d.argument_count)
    {
        memcpy((void *)closure.data(), d.closure, d.closure_size);
        desc.closure = closure.data();
        desc.arguments = arguments.data();
    }
};

/** Records a kernel as a node at the end of a graph. */
cudaError_t record_kernel(cudaGraph_t graph, const cudaKernelNodeParams *p, const char *file,
                          int line)
{
    if (!p || p->extra)
        return cudaErrorInvalidValue;
    size_t before = graph->nodes.size();
    const unsigned grid[] = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
    const unsigned block[] = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
    recording = graph;
    cudaError_t error = simgpu_launch_known(p->func, grid, block, p->sharedMemBytes, nullptr,
                                            p->kernelParams, 0, file, line);
    recording = nullptr;
    return error == cudaSuccess && graph->nodes.size() == before ? cudaErrorInvalidValue
                                                                 : error;
}

} // namespace

bool into_graph(const StreamCapture &stream, int type, Work work)
{
    auto at = stream.capture ? captures.find(stream.capture) : captures.end();
    cudaGraph_t graph = at == captures.end() ? nullptr : at->second;
    if (!graph)
        return false;
    graph->last = {add_node(graph, (cudaGraphNodeType)type, graph->last.data(),
                            graph->last.size(), std::move(work))};
    return true;
}

bool capture_launch(const simgpu_launch_desc &desc, const StreamCapture *stream)
{
    if (!recording && !(stream && stream->capture))
        return false;
    auto kept = std::make_shared<KeptLaunch>(desc);
    Work work = [kept](cudaStream_t stream) {
        kept->desc.stream = stream;
        simgpu_launch(&kept->desc);
        return device_error();
    };
    if (!recording)
        return into_graph(*stream, cudaGraphNodeTypeKernel, work);
    add_node(recording, cudaGraphNodeTypeKernel, nullptr, 0, work);
    return true;
}

cudaError_t capture_alloc(const StreamCapture &stream, void **memory, size_t bytes,
                          const char *file, int line)
{
    auto at = captures.find(stream.capture);
    if (at == captures.end())
        return cudaErrorNotSupported;
    cudaMemAllocNodeParams p = {};
    p.bytesize = bytes;
    cudaGraph_t graph = at->second;
    cudaGraphNode_t node;
    cudaError_t error = simgpu_graph_alloc_node(&node, graph, graph->last.data(),
                                                graph->last.size(), &p, file, line);
    *memory = p.dptr;
    if (error == cudaSuccess)
        graph->last = {node};
    return error;
}

bool free_graph_memory(void *memory)
{
    auto at = graph_memory.find(memory);
    if (at == graph_memory.end() || !at->second->held)
        return false;
    at->second->held = false;
    simgpu_forget(memory, at->second->bytes);
    return true;
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

void simgpu_known_kernel(const void *kernel, const char *text, simgpu_launch_by_array *launch)
{
    KnownKernel &known = known_kernels()[kernel];
    known.launch = launch;
    if (text || !known.text)
        known.text = text ? text : "the kernel";
}

cudaError_t simgpu_launch_known(const void *kernel, const unsigned grid[3],
                                const unsigned block[3], size_t shared, cudaStream_t stream,
                                void **arguments, int cooperative, const char *file, int line)
{
    auto known = known_kernels().find(kernel);
    if (known == known_kernels().end()) {
        set_error(cudaErrorInvalidDeviceFunction);
        return cudaErrorInvalidDeviceFunction;
    }
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
    known->second.launch(&shape, arguments);
    return cudaPeekAtLastError();
}

/* ---- graphs and nodes ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned)
{
    *graph = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph || graph->body)
        return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    std::map<cudaGraphNode_t, cudaGraphNode_t> same;
    *clone = new CUgraph_st;
    (*clone)->conditions = graph->conditions;
    for (auto &node : graph->nodes)
        same[node.get()] = add_node(*clone, node->type, nullptr, 0, node->work);
    for (auto &node : graph->nodes)
        for (cudaGraphNode_t other : node->after)
            same[node.get()]->after.push_back(same[other]);
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    size_t all = graph->nodes.size();
    for (size_t i = 0; nodes && i < std::min(all, *count); i++)
        nodes[i] = graph->nodes[i].get();
    *count = nodes ? std::min(all, *count) : all;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type)
{
    *type = node->type;
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i]->after.push_back(from[i]);
    return cudaSuccess;
}

cudaError_t simgpu_graph_kernel_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     const cudaKernelNodeParams *p, const char *file, int line)
{
    if (!node || !graph || (count && !after))
        return cudaErrorInvalidValue;
    cudaError_t error = record_kernel(graph, p, file, line);
    if (error != cudaSuccess)
        return error;
    *node = graph->nodes.back().get();
    (*node)->after.assign(after, after + count);
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemcpy3DParms *p)
{
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
               [copy = *p](cudaStream_t) { return cudaMemcpy3D(&copy); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return add(node, graph, after, count, cudaGraphNodeTypeMemcpy,
               [=](cudaStream_t) { return cudaMemcpy(to, from, bytes, kind); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemsetParams *p)
{
    const unsigned char *value = reinterpret_cast<const unsigned char *>(&p->value);
    for (unsigned i = 1; i < p->elementSize; i++)
        if (value[i] != value[0])
            return cudaErrorNotSupported; /* elements of several equal bytes only */
    return add(node, graph, after, count, cudaGraphNodeTypeMemset, [set = *p](cudaStream_t) {
        size_t width = set.width * set.elementSize;
        return cudaMemset2D(set.dst, set.height > 1 ? set.pitch : width, (int)(set.value & 255),
                            width, set.height);
    });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const cudaHostNodeParams *p)
{
    return add(node, graph, after, count, cudaGraphNodeTypeHost, [call = *p](cudaStream_t s) {
        HostFunction here(order_index(s));
        call.fn(call.userData);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    return add(node, graph, after, count, cudaGraphNodeTypeEmpty,
               [](cudaStream_t) { return cudaSuccess; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    cudaGraph_t copy;
    if (!child || cudaGraphClone(&copy, child) != cudaSuccess)
        return cudaErrorInvalidValue;
    std::shared_ptr<CUgraph_st> kept(copy);
    return add(node, graph, after, count, cudaGraphNodeTypeGraph,
               [kept](cudaStream_t stream) { return run_all(in_order(*kept), stream); });
}

cudaError_t simgpu_graph_alloc_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count,
                                    cudaMemAllocNodeParams *p, const char *file, int line)
{
    cudaError_t error = simgpu_malloc(&p->dptr, p->bytesize, file, line);
    if (error != cudaSuccess || !p->dptr)
        return error;
    auto memory = std::make_shared<GraphMemory>(p->dptr, p->bytesize);
    return add(node, graph, after, count, cudaGraphNodeTypeMemAlloc, [memory](cudaStream_t) {
        if (memory->held) /* the launch before has not freed it */
            return cudaErrorInvalidValue;
        memory->held = true;
        most_used = std::max(most_used, used_memory());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory)
{
    return add(node, graph, after, count, cudaGraphNodeTypeMemFree,
               [memory](cudaStream_t) { return cudaFree(memory); });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                             cudaGraph_t graph, unsigned value, unsigned flags)
{
    auto made = std::make_shared<Condition>();
    *made = {value, value, (flags & cudaGraphCondAssignDefault) != 0};
    graph->conditions.push_back(made);
    *handle = (cudaGraphConditionalHandle)(uintptr_t)made.get();
    return cudaSuccess;
}

void simgpu_graph_set_conditional(cudaGraphConditionalHandle handle, unsigned value)
{
    __atomic_store_n(&reinterpret_cast<Condition *>((uintptr_t)handle)->value, value,
                     __ATOMIC_SEQ_CST);
}

cudaError_t simgpu_graph_conditional_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *after, size_t count,
                                          cudaConditionalNodeParams *p)
{
    struct Bodies {
        std::vector<cudaGraph_t> graphs;
        ~Bodies()
        {
            for (cudaGraph_t body : graphs)
                delete body;
        }
    };
    auto bodies = std::make_shared<Bodies>();
    for (unsigned i = 0; i < p->size; i++) {
        bodies->graphs.push_back(new CUgraph_st);
        bodies->graphs.back()->body = true;
    }
    p->phGraph_out = bodies->graphs.data();
    auto *condition = reinterpret_cast<Condition *>((uintptr_t)p->handle);
    return add(node, graph, after, count, cudaGraphNodeTypeConditional,
               [bodies, condition, type = p->type](cudaStream_t stream) {
                   cudaError_t error = cudaSuccess;
                   auto run = [&](size_t body) {
                       if (body < bodies->graphs.size())
                           error = run_all(in_order(*bodies->graphs[body]), stream);
                   };
                   if (type == cudaGraphCondTypeSwitch)
                       run(condition->value);
                   else if (type == cudaGraphCondTypeIf)
                       run(condition->value ? 0 : 1);
                   while (type == cudaGraphCondTypeWhile && condition->value &&
                          error == cudaSuccess)
                       run(0);
                   return error;
               });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType attribute,
                                           void *value)
{
    size_t reserved = 0;
    for (auto &entry : graph_memory)
        reserved += entry.second->bytes;
    *static_cast<uint64_t *>(value) =
        attribute == cudaGraphMemAttrUsedMemCurrent       ? used_memory()
        : attribute == cudaGraphMemAttrUsedMemHigh        ? most_used
        : attribute == cudaGraphMemAttrReservedMemCurrent ? reserved
                                                          : most_reserved;
    return cudaSuccess;
}

/* ---- what can be launched ---- */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long)
{
    auto order = in_order(*graph);
    if (order.size() != graph->nodes.size()) {
        set_error(cudaErrorInvalidValue);
        return cudaErrorInvalidValue;
    }
    *exec = new CUgraphExec_st;
    for (const CUgraphNode_st *node : order)
        (*exec)->steps.push_back({const_cast<cudaGraphNode_t>(node), node->type, node->work});
    (*exec)->conditions = graph->conditions;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    delete exec;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (!exec)
        return cudaErrorInvalidValue;
    if (into_graph(capture_of(stream), cudaGraphNodeTypeGraph,
                   [exec](cudaStream_t stream) { return cudaGraphLaunch(exec, stream); }))
        return cudaSuccess;
    for (auto &condition : exec->conditions)
        if (condition->reset)
            condition->value = condition->first;
    cudaError_t error = device_error();
    InStream here(
        order_index(stream)); /* one node after another: branches are not told apart */
    for (size_t i = 0; i < exec->steps.size() && error == cudaSuccess; i++)
        error = exec->steps[i].work(stream);
    if (error != cudaSuccess)
        set_error(error);
    return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    auto order = in_order(*graph);
    *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (order.size() != exec->steps.size())
        result->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < order.size() && result->result == cudaGraphExecUpdateSuccess; i++)
        if (order[i]->type != exec->steps[i].type) {
            result->result = cudaGraphExecUpdateErrorNodeTypeChanged;
            result->errorNode = const_cast<cudaGraphNode_t>(order[i]);
        }
    if (result->result != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
    for (size_t i = 0; i < order.size(); i++)
        exec->steps[i].work = order[i]->work;
    return cudaSuccess;
}

cudaError_t simgpu_graph_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const cudaKernelNodeParams *p, const char *file, int line)
{
    CUgraph_st one;
    cudaError_t error = record_kernel(&one, p, file, line);
    if (error != cudaSuccess)
        return error;
    for (auto &step : exec->steps)
        if (step.node == node) {
            step.work = one.nodes[0]->work;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* ---- capture ---- */

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *, size_t count,
                                          cudaStreamCaptureMode)
{
    static unsigned long long numbers;
    StreamCapture &capture = capture_of(stream);
    if (&capture == &capture_of(nullptr)) /* CUDA cannot capture the default stream, either */
        return cudaErrorStreamCaptureUnsupported;
    if (captures.count(capture.capture))
        return cudaErrorIllegalState;
    if (!graph)
        graph = new CUgraph_st;
    graph->last.assign(after, after + count);
    capture.capture = ++numbers;
    captures[capture.capture] = graph;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    StreamCapture &capture = capture_of(stream);
    auto at = captures.find(capture.capture);
    if (at == captures.end())
        return cudaErrorIllegalState;
    if (graph)
        *graph = at->second;
    captures.erase(at);
    capture.capture = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    return simgpu_capture_info(stream, status, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t simgpu_capture_info(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph,
                                const cudaGraphNode_t **after, size_t *count)
{
    auto at = captures.find(capture_of(stream).capture);
    bool active = at != captures.end();
    *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (!active)
        return cudaSuccess;
    if (id)
        *id = at->first;
    if (graph)
        *graph = at->second;
    if (after)
        *after = at->second->last.data();
    if (count)
        *count = at->second->last.size();
    return cudaSuccess;
}

} // extern "C"
