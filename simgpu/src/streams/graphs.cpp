/* SPDX-License-Identifier: MIT */
/** @file graphs.cpp
 * Graphs. A node contains a function; launching a graph calls these functions, one after
 * another, in an order that the dependencies allow. GraphOrder knows which of them a GPU could
 * run at the same time. A captured stream adds its calls to a graph (into_graph(),
 * capture_launch()) instead of executing them.
 */
#include "src/streams/graphs.h"
#include "src/tracer/tracer.h"

#include "include/simgpu/host/graphs.h"

struct CUgraphNode_st {
    std::vector<cudaGraphNode_t> after;
    simgpu::Work work;
    simgpu::CalledAt at;
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
/** The nodes of a graph in order of creation, in which each comes after those it depends on. */
struct Plan {
    struct Step {
        Work work;
        GraphNode order;
    };
    std::vector<Step> steps;
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

struct GraphMemory;
std::map<void *, GraphMemory *> graph_memory;

/** The memory of an alloc node. `held`: it was given to the program and not freed since. */
struct GraphMemory {
    void *at;
    size_t bytes;
    bool held = false;
    GraphMemory(void *at, size_t bytes) : at(at), bytes(bytes) { graph_memory[at] = this; }
    GraphMemory(const GraphMemory &) = delete;
    ~GraphMemory()
    {
        graph_memory.erase(at);
        if (!held) /* else cudaFree frees it */
            arena_free(at);
    }
};

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

} // namespace

/** A node continues the branch of one that it depends on, unless another node does so already.
 */
Plan::Plan(const CUgraph_st &graph)
{
    std::map<cudaGraphNode_t, size_t> numbers;
    std::vector<size_t> tails; /* the last node of each branch */
    for (auto &node : graph.nodes) {
        GraphNode order;
        order.at = node->at;
        order.branch = (unsigned)tails.size();
        for (cudaGraphNode_t before : node->after) {
            order.after.push_back(numbers[before]);
            unsigned branch = steps[numbers[before]].order.branch;
            if (tails[branch] == numbers[before])
                order.branch = std::min(order.branch, branch);
        }
        tails.resize(std::max(tails.size(), (size_t)order.branch + 1));
        tails[order.branch] = numbers[node.get()] = steps.size();
        steps.push_back({node->work, std::move(order)});
    }
    while (branches.size() + 1 < tails.size())
        branches.push_back(order_create_stream(0, 0, false)); /* a branch is one, too */
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

const char *const capture_advice =
    "CUDA refuses it, and the capture fails. Name the captured stream as the stream of this "
    "call (the fourth value between <<< and >>>, the last argument of an ...Async call), or "
    "make the call before the capture begins.";

bool capture_refuses(cudaStream_t stream)
{
    auto waits = [](const auto &capture) { return capture.second.blocking; };
    return (stream == nullptr || stream == cudaStreamLegacy) && !order_in_graph() &&
           std::any_of(captures.begin(), captures.end(), waits);
}

bool into_graph(StreamCapture &stream, Work work)
{
    if (!capturing(stream))
        return false;
    auto &nodes = captures[stream.capture].graph->nodes;
    nodes.push_back(std::unique_ptr<CUgraphNode_st>(
        new CUgraphNode_st{stream.last, std::move(work), called_at()}));
    stream.last = {nodes.back().get()};
    return true;
}

bool capture_launch(const simgpu_launch_desc &desc, StreamCapture *stream)
{
    if (!stream || !capturing(*stream))
        return false;
    auto kept = std::make_shared<KeptLaunch>(desc);
    Work work = [kept](cudaStream_t stream) {
        kept->desc.stream = stream;
        simgpu_launch(&kept->desc);
        return device_error();
    };
    into_graph(*stream, work);
    stream->last[0]->at.file = desc.file;
    stream->last[0]->at.line = desc.line;
    return true;
}

cudaError_t capture_alloc(StreamCapture &stream, void **memory, size_t bytes, const char *file,
                          int line)
{
    if (!capturing(stream))
        return cudaErrorNotSupported;
    cudaError_t error = simgpu_take(memory, bytes, file, line);
    if (error != cudaSuccess || !*memory)
        return error;
    auto taken = std::make_shared<GraphMemory>(*memory, bytes);
    into_graph(stream, [=](cudaStream_t stream) {
        if (taken->held) /* the launch before has not freed it */
            return cudaErrorInvalidValue;
        taken->held = true;
        TouchedBytes all;
        all.add(true, taken->at, taken->bytes, taken->bytes, 1);
        order_operation("cudaMallocAsync", order_index(stream), std::move(all), false,
                        Memory::allocated, file, line);
        return cudaSuccess;
    });
    return cudaSuccess;
}

Work free_node(void *memory)
{
    return [=](cudaStream_t stream) {
        auto at = graph_memory.find(memory);
        TouchedBytes all;
        if (at != graph_memory.end() && at->second->held)
            all.add(true, memory, at->second->bytes, at->second->bytes, 1);
        order_operation("cudaFreeAsync", order_index(stream), std::move(all), false,
                        Memory::freed);
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

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph)
        return cudaErrorInvalidValue;
    delete graph;
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

/* ---- instances ---- */

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long)
{
    *exec = graph ? new CUgraphExec_st{Plan(*graph), graph->kept} : nullptr;
    return *exec ? cudaSuccess : fail(cudaErrorInvalidValue);
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
    if (into_graph(capture_of(stream),
                   [exec](cudaStream_t stream) { return cudaGraphLaunch(exec, stream); }))
        return cudaSuccess;
    cudaError_t error = exec->plan.run(stream);
    return error == cudaSuccess ? error : fail(error);
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
static cudaError_t not_joined(const CUgraphNode_st &node)
{
    std::string where = place_name(place_of(node.at));
    const char *advice = kept("There is no graph now. Record an event after " + where +
                              " in its stream, and let the stream whose capture ends wait for "
                              "it before that (cudaEventRecord, cudaStreamWaitEvent).");
    host_fault(SIMGPU_BAD_CALL, called_here(advice), nullptr,
               "cudaStreamEndCapture: what was captured at %s is in a stream that was not "
               "joined to this one",
               where.c_str());
    faults_print();
    return fail(cudaErrorStreamCaptureUnjoined);
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
        if (!joined.count(node.get()))
            return not_joined(*node);
    if (graph)
        *graph = ended.graph;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    return simgpu_capture_info(stream, status, nullptr, nullptr);
}

cudaError_t simgpu_capture_info(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph)
{
    StreamCapture &capture = capture_of(stream);
    bool active = capturing(capture);
    *status = !active                             ? cudaStreamCaptureStatusNone
              : captures[capture.capture].invalid ? cudaStreamCaptureStatusInvalidated
                                                  : cudaStreamCaptureStatusActive;
    if (active && id)
        *id = capture.capture;
    if (active && graph)
        *graph = captures[capture.capture].graph;
    return cudaSuccess;
}

} // extern "C"
