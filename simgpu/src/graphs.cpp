/* SPDX-License-Identifier: MIT */
/** @file graphs.cpp
 * Graphs. A node contains a function; launching a graph calls these functions, one after
 * another, in an order that the dependencies allow. GraphOrder knows which of them a GPU could
 * run at the same time. A captured stream adds its calls to a graph (into_graph(),
 * capture_launch()) instead of executing them.
 */
#include "graphs.h"
#include "tracer.h"

#include "include/simgpu/graphs.h"

struct CUgraphNode_st {
    cudaGraphNodeType type;
    std::vector<cudaGraphNode_t> after;
    simgpu::Work work;
    simgpu::CalledAt at;
    const char *what; /**< null: it was captured */
};
/** A user object, and how many references its callers have. Each graph has copies of the
 * pointer. */
struct CUuserObject_st {
    std::shared_ptr<void> what;
    unsigned count;
};
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<std::shared_ptr<void>> kept; /**< of user objects */
};

namespace simgpu
{
/** The nodes of a graph in an order that their dependencies allow. */
struct Plan {
    struct Step {
        cudaGraphNode_t node;
        cudaGraphNodeType type;
        Work work;
        GraphNode order;
    };
    std::vector<Step> steps; /**< fewer than there are nodes if some wait for one another */
    std::vector<unsigned> branches;
    Clocks last;

    explicit Plan(const CUgraph_st &graph);
    Plan(const Plan &) = delete;
    ~Plan()
    {
        for (unsigned branch : branches)
            order_destroy_stream(branch);
    }
    cudaError_t run(cudaStream_t stream);
};
} // namespace simgpu

struct CUgraphExec_st {
    simgpu::Plan plan;
    std::vector<std::shared_ptr<void>> kept;
};

namespace simgpu
{

namespace
{

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

struct Capture {
    cudaGraph_t graph;
    bool blocking; /**< the default stream and its stream wait for each other */
    cudaStreamCaptureMode mode;
    const void *thread; /**< that began it */
    bool invalid;
};
std::map<unsigned long long, Capture> captures; /**< those that have not ended */
/** Of this thread; its address distinguishes the thread from others. */
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
thread_local cudaGraph_t recording; /**< the graph to which a launch is added */

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNodeType type,
                         const std::vector<cudaGraphNode_t> &after, Work work, const char *what)
{
    graph->nodes.push_back(std::unique_ptr<CUgraphNode_st>(
        new CUgraphNode_st{type, after, std::move(work), called_at(), what}));
    return graph->nodes.back().get();
}

cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                size_t count, cudaGraphNodeType type, Work work, const char *what)
{
    if (!node || !graph || (count && !after))
        return cudaErrorInvalidValue;
    *node = add_node(graph, type, {after, after + count}, std::move(work), what);
    return cudaSuccess;
}

} // namespace

/** Nodes in order of creation, except that each comes after those it depends on. A node
 * continues the branch of one of these, unless another node does so already. */
Plan::Plan(const CUgraph_st &graph)
{
    std::map<cudaGraphNode_t, size_t> numbers;
    std::vector<size_t> tails; /* the last node of each branch */
    for (bool found = true; found;) {
        found = false;
        for (auto &node : graph.nodes) {
            auto waits = [&](cudaGraphNode_t other) { return !numbers.count(other); };
            if (numbers.count(node.get()) ||
                std::any_of(node->after.begin(), node->after.end(), waits))
                continue;
            GraphNode order;
            order.at = node->at;
            order.what = node->type == cudaGraphNodeTypeKernel ? nullptr : node->what;
            order.captured = !node->what;
            order.branch = (unsigned)tails.size();
            for (cudaGraphNode_t before : node->after) {
                order.after.push_back(numbers[before]);
                unsigned branch = steps[numbers[before]].order.branch;
                if (tails[branch] == numbers[before])
                    order.branch = std::min(order.branch, branch);
            }
            tails.resize(std::max(tails.size(), (size_t)order.branch + 1));
            tails[order.branch] = numbers[node.get()] = steps.size();
            steps.push_back({node.get(), node->type, node->work, std::move(order)});
            found = true;
        }
    }
    while (branches.size() + 1 < tails.size())
        branches.push_back(order_create_branch());
}

cudaError_t Plan::run(cudaStream_t stream)
{
    cudaError_t error = device_error();
    GraphOrder order(order_index(stream), branches, last);
    for (size_t i = 0; i < steps.size() && error == cudaSuccess; i++) {
        order.begin(steps[i].order);
        error = steps[i].work(stream);
        order.end();
    }
    return error;
}

namespace
{

/** A launch with copies of the data that it points to. */
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
                                            p->kernelParams, 0, nullptr, file, line);
    recording = nullptr;
    return error == cudaSuccess && graph->nodes.size() == before ? cudaErrorInvalidValue
                                                                 : error;
}

} // namespace

bool capturing(const StreamCapture &stream)
{
    return stream.capture && captures.count(stream.capture);
}

bool capture_wait(StreamCapture &stream, const StreamCapture &event)
{
    if (!capturing(event))
        return capturing(stream);
    if (&stream == &capture_of(nullptr))
        return true;
    if (!capturing(stream)) /* it is captured from now on, too */
        stream = event;
    else
        stream.last.insert(stream.last.end(), event.last.begin(), event.last.end());
    return true;
}

const char *const capture_advice = "CUDA refuses it, and the capture fails. Name the captured "
                                   "stream as the stream of this call "
                                   "(the fourth value between <<< and >>>, the last argument "
                                   "of an ...Async call), or make the "
                                   "call before the capture begins.";

bool capture_refuses(cudaStream_t stream)
{
    auto waits = [](const auto &capture) { return capture.second.blocking; };
    return (stream == nullptr || stream == cudaStreamLegacy) && !order_in_graph() &&
           std::any_of(captures.begin(), captures.end(), waits);
}

bool into_graph(StreamCapture &stream, int type, Work work)
{
    if (!capturing(stream))
        return false;
    stream.last = {add_node(captures[stream.capture].graph, (cudaGraphNodeType)type,
                            stream.last, std::move(work), nullptr)};
    return true;
}

bool capture_launch(const simgpu_launch_desc &desc, StreamCapture *stream)
{
    if (!recording && !(stream && capturing(*stream)))
        return false;
    auto kept = std::make_shared<KeptLaunch>(desc);
    Work work = [kept](cudaStream_t stream) {
        kept->desc.stream = stream;
        simgpu_launch(&kept->desc);
        return device_error();
    };
    if (recording)
        add_node(recording, cudaGraphNodeTypeKernel, {}, work, "the kernel node");
    else
        into_graph(*stream, cudaGraphNodeTypeKernel, work);
    CUgraphNode_st &node =
        *(recording ? recording : captures[stream->capture].graph)->nodes.back();
    node.at.file = desc.file;
    node.at.line = desc.line;
    return true;
}

cudaError_t capture_alloc(StreamCapture &stream, void **memory, size_t bytes, const char *file,
                          int line)
{
    if (!capturing(stream))
        return cudaErrorNotSupported;
    cudaMemAllocNodeParams p = {};
    p.bytesize = bytes;
    cudaGraphNode_t node = nullptr;
    cudaError_t error =
        simgpu_graph_alloc_node(&node, captures[stream.capture].graph, stream.last.data(),
                                stream.last.size(), &p, file, line);
    *memory = p.dptr;
    if (!node)
        return error;
    node->what = nullptr;
    stream.last = {node};
    return error;
}

Work free_node(void *memory, const char *what)
{
    return [=](cudaStream_t stream) {
        auto at = graph_memory.find(memory);
        TouchedBytes all;
        if (at != graph_memory.end() && at->second->held)
            all.add(true, memory, at->second->bytes, at->second->bytes, 1);
        order_operation(what, order_index(stream), std::move(all), false, Memory::freed);
        return simgpu_give_back(memory);
    };
}

bool forbidden_by_capture()
{
    bool forbidden = false;
    for (auto &entry : captures) {
        Capture &c = entry.second;
        bool own = c.thread == &thread_mode;
        bool strict = own ? c.mode != cudaStreamCaptureModeRelaxed
                          : c.mode == cudaStreamCaptureModeGlobal &&
                                thread_mode == cudaStreamCaptureModeGlobal;
        if (thread_mode != cudaStreamCaptureModeRelaxed && strict)
            forbidden = c.invalid = true;
    }
    return forbidden;
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

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned)
{
    *graph = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph)
        return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    std::map<cudaGraphNode_t, cudaGraphNode_t> same;
    *clone = new CUgraph_st;
    (*clone)->kept = graph->kept;
    for (auto &node : graph->nodes)
        (same[node.get()] = add_node(*clone, node->type, {}, node->work, node->what))->at =
            node->at;
    for (auto &node : graph->nodes)
        for (cudaGraphNode_t other : node->after)
            same[node.get()]->after.push_back(same[other]);
    return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *what, cudaHostFn_t destroy,
                                 unsigned count, unsigned flags)
{
    if (!object || !destroy || !count || flags != cudaUserObjectNoDestructorSync)
        return cudaErrorInvalidValue;
    *object = new CUuserObject_st{{what, destroy}, count};
    return cudaSuccess;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count)
{
    object->count += count;
    return cudaSuccess;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count)
{
    if (count > object->count)
        return cudaErrorInvalidValue;
    object->count -= count;
    if (!object->count)
        delete object;
    return cudaSuccess;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned count, unsigned flags)
{
    if (!graph || !object || !count)
        return cudaErrorInvalidValue;
    graph->kept.insert(graph->kept.end(), count, object->what);
    return flags & cudaGraphUserObjectMove ? cudaUserObjectRelease(object, count) : cudaSuccess;
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
    return add(
        node, graph, after, count, cudaGraphNodeTypeMemcpy,
        [copy = *p](cudaStream_t) { return cudaMemcpy3D(&copy); }, "the memcpy node");
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return add(
        node, graph, after, count, cudaGraphNodeTypeMemcpy,
        [=](cudaStream_t) { return cudaMemcpy(to, from, bytes, kind); }, "the memcpy node");
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const cudaMemsetParams *p)
{
    const unsigned char *value = reinterpret_cast<const unsigned char *>(&p->value);
    for (unsigned i = 1; i < p->elementSize; i++)
        if (value[i] != value[0])
            return cudaErrorNotSupported; /* elements of several equal bytes only */
    Work work = [set = *p](cudaStream_t) {
        size_t width = set.width * set.elementSize;
        return cudaMemset2D(set.dst, set.height > 1 ? set.pitch : width, (int)(set.value & 255),
                            width, set.height);
    };
    return add(node, graph, after, count, cudaGraphNodeTypeMemset, work, "the memset node");
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const cudaHostNodeParams *p)
{
    Work work = [call = *p](cudaStream_t s) {
        HostFunction here(order_index(s));
        call.fn(call.userData);
        return cudaSuccess;
    };
    return add(node, graph, after, count, cudaGraphNodeTypeHost, work, "the host function");
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    return add(
        node, graph, after, count, cudaGraphNodeTypeEmpty,
        [](cudaStream_t) { return cudaSuccess; }, "the empty node");
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    if (!child)
        return cudaErrorInvalidValue;
    auto plan = std::make_shared<Plan>(*child);
    return add(
        node, graph, after, count, cudaGraphNodeTypeGraph,
        [plan](cudaStream_t stream) { return plan->run(stream); }, "the child graph");
}

cudaError_t simgpu_graph_alloc_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count,
                                    cudaMemAllocNodeParams *p, const char *file, int line)
{
    cudaError_t error = simgpu_take(&p->dptr, p->bytesize, file, line);
    if (error != cudaSuccess || !p->dptr)
        return error;
    auto memory = std::make_shared<GraphMemory>(p->dptr, p->bytesize);
    Work work = [=](cudaStream_t stream) {
        if (memory->held) /* the launch before has not freed it */
            return cudaErrorInvalidValue;
        memory->held = true;
        most_used = std::max(most_used, used_memory());
        TouchedBytes all;
        all.add(true, memory->at, memory->bytes, memory->bytes, 1);
        order_operation("cudaMallocAsync", order_index(stream), std::move(all), false,
                        Memory::allocated, file, line);
        return cudaSuccess;
    };
    return add(node, graph, after, count, cudaGraphNodeTypeMemAlloc, work, "the alloc node");
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory)
{
    return add(node, graph, after, count, cudaGraphNodeTypeMemFree,
               free_node(memory, "the free node"), "the free node");
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

/* ---- instances ---- */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long)
{
    *exec = graph ? new CUgraphExec_st{Plan(*graph), graph->kept} : nullptr;
    if (*exec && (*exec)->plan.steps.size() == graph->nodes.size())
        return cudaSuccess;
    delete *exec;
    *exec = nullptr;
    set_error(cudaErrorInvalidValue);
    return cudaErrorInvalidValue;
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
    cudaError_t error = exec->plan.run(stream);
    if (error != cudaSuccess)
        set_error(error);
    return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    Plan now(*graph);
    std::vector<Plan::Step> &steps = exec->plan.steps;
    *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (now.steps.size() != steps.size())
        result->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < steps.size() && result->result == cudaGraphExecUpdateSuccess; i++)
        if (now.steps[i].type != steps[i].type) {
            result->result = cudaGraphExecUpdateErrorNodeTypeChanged;
            result->errorNode = now.steps[i].node;
        }
    if (result->result != cudaGraphExecUpdateSuccess)
        return cudaErrorGraphExecUpdateFailure;
    for (size_t i = 0; i < steps.size(); i++) {
        steps[i].work = now.steps[i].work;
        steps[i].order.at = now.steps[i].order.at;
    }
    return cudaSuccess;
}

cudaError_t simgpu_graph_set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    const cudaKernelNodeParams *p, const char *file, int line)
{
    CUgraph_st one;
    cudaError_t error = record_kernel(&one, p, file, line);
    if (error != cudaSuccess)
        return error;
    for (Plan::Step &step : exec->plan.steps)
        if (step.node == node) {
            step.work = one.nodes[0]->work;
            step.order.at = one.nodes[0]->at;
            return cudaSuccess;
        }
    return cudaErrorInvalidValue;
}

/* ---- capture ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    static unsigned long long numbers;
    StreamCapture &capture = capture_of(stream);
    if (&capture == &capture_of(nullptr)) /* CUDA cannot capture the default stream, either */
        return cudaErrorStreamCaptureUnsupported;
    if (capturing(capture))
        return cudaErrorIllegalState;
    capture = {++numbers, {}};
    captures[capture.capture] = {new CUgraph_st, order_blocking(order_index(stream)), mode,
                                 &thread_mode, false};
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    std::swap(*mode, thread_mode);
    return cudaSuccess;
}

/** Reports that no stream that continues waits for this node. */
static void not_joined(const CUgraphNode_st &node)
{
    std::string where = place_name(place_of(node.at));
    const char *advice =
        kept("There is no graph now. Record an event after " + where +
             " in its stream, and let the stream whose capture ends wait for it before that "
             "(cudaEventRecord, cudaStreamWaitEvent).");
    host_fault(SIMGPU_BAD_CALL, called_here(advice), nullptr,
               "cudaStreamEndCapture: what was captured at %s is in a stream that was not "
               "joined to this one",
               where.c_str());
    faults_print();
    set_error(cudaErrorStreamCaptureUnjoined);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    StreamCapture &capture = capture_of(stream);
    if (!capturing(capture))
        return cudaErrorIllegalState;
    Capture ended = captures[capture.capture];
    captures.erase(capture.capture);
    const auto &nodes = ended.graph->nodes;
    std::unordered_set<cudaGraphNode_t> joined(capture.last.begin(), capture.last.end());
    for (auto &node : nodes)
        joined.insert(node->after.begin(), node->after.end());
    capture = {};
    if (graph)
        *graph = nullptr;
    if (ended.invalid)
        return cudaErrorStreamCaptureInvalidated;
    for (auto &node : nodes)
        if (!joined.count(node.get())) {
            not_joined(*node);
            return cudaErrorStreamCaptureUnjoined;
        }
    if (graph)
        *graph = ended.graph;
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
    StreamCapture &capture = capture_of(stream);
    bool active = capturing(capture);
    *status = !active                             ? cudaStreamCaptureStatusNone
              : captures[capture.capture].invalid ? cudaStreamCaptureStatusInvalidated
                                                  : cudaStreamCaptureStatusActive;
    if (!active)
        return cudaSuccess;
    if (id)
        *id = capture.capture;
    if (graph)
        *graph = captures[capture.capture].graph;
    if (after)
        *after = capture.last.data();
    if (count)
        *count = capture.last.size();
    return cudaSuccess;
}

} // extern "C"
