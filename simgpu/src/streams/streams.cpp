/* SPDX-License-Identifier: MIT */
/** @file streams.cpp
 * Order between streams, events and the host. Here every call runs at once, in the order of the
 * program; on a GPU two operations of different streams are ordered only by a wait. Each stream
 * counts its operations. Each stream and the host also know how far the others had come when
 * they last waited for them, directly or through a third one (vector clocks). Two operations
 * that touch the same bytes, one of them writing, are a fault if neither knows the other, even
 * though their result is right here. A branch of a graph is a stream, too, whose nodes wait for
 * those that they depend on.
 *
 * The bytes that a copy touches follow from its arguments, those of a kernel from the tracer's
 * shadow, which knows the last launch that read and wrote each word. Accesses of host code
 * matter only in pinned and managed memory.
 */
#include "src/streams/graphs.h"
#include "src/tracer/tracer.h"

#include <deque>

namespace simgpu
{

bool order_watched, order_host_watched;

/** The node of a graph that runs now, and its launch. */
struct RunningNode {
    GraphNode node;
    unsigned branch;   /**< as a stream */
    unsigned stream;   /**< of the launch */
    uint64_t number;   /**< of the launch */
    size_t outer;      /**< the number of the node that it is, or is a part of */
    CalledAt outer_at; /**< its place */
    CalledAt launched;
};

namespace
{

/** The most operations of a stream that are remembered while nothing waits for them. */
constexpr size_t most_operations = 256;

/** A call that makes a stream or the host wait for an event. */
struct Wait {
    unsigned of_stream; /**< whose event; ~0: it was never recorded */
    uint32_t until;     /**< the operations of that stream that the event covers */
    uint64_t when;
    CalledAt at, recorded;
};

struct Stream {
    Clocks clocks;
    unsigned number = 0; /**< 0: a default stream */
    int device = 0;
    bool blocking = true, live = false;
    CalledAt created;
    std::vector<Wait> waits; /**< the last ones */
};

struct Operation {
    std::string what; /**< "kernel f", "cudaMemcpyAsync" */
    unsigned stream = 0, number = 0;
    std::shared_ptr<RunningNode> node; /**< null: it is not part of a graph */
    uint32_t clock = 0;
    uint64_t when = 0;
    CalledAt at;
    TouchedBytes touched;
    uint64_t begin = ~0ull, end = 0; /**< of all its bytes */
    bool allocates = false, frees = false;
    bool host_sees = false; /**< some of the bytes are pinned or managed memory */
};

/** Host code has read what a kernel changes by atomics: a guess if its own atomic follows. */
struct Guess {
    bool there = false;
    Operation other;
    CalledAt at;
    uint64_t offset;
    Conflict conflict;
};

struct Order {
    std::mutex mutex;
    Guess guess;
    std::vector<Stream> streams;
    std::deque<Operation> operations;
    Clocks host;                  /**< what the host has waited for */
    Clocks functions;             /**< what came before host functions in their streams */
    std::vector<Wait> host_waits; /**< the last ones */
    uint64_t time = 0;            /**< counts all calls */
    bool several = false;         /**< a stream was created */
};
Order &order()
{
    static Order *order = new Order;
    return *order;
}

thread_local std::shared_ptr<RunningNode> running_node;
thread_local Operation *host_function = nullptr; /* runs in a stream */

/* A host function may start a host thread, which then comes after what the function waited for.
 * So does each host thread that is first seen after it. */
Clocks &known_to_thread()
{
    thread_local Clocks *known =
        new Clocks(order().functions); /* never freed: a web page has no end of a thread */
    return *known;
}

unsigned legacy_stream(int device) { return (unsigned)device; }

Stream &stream_at(unsigned stream)
{
    auto &all = order().streams;
    while (all.size() <= stream || all.size() < 2 * most_devices) {
        all.emplace_back();
        all.back().device = (int)((all.size() - 1) % most_devices);
    }
    return all[stream];
}

void join(Clocks &to, const Clocks &from)
{
    if (to.size() < from.size())
        to.resize(from.size());
    for (size_t i = 0; i < from.size(); i++)
        to[i] = std::max(to[i], from[i]);
}

uint32_t clock_of(const Clocks &clocks, unsigned stream)
{
    return stream < clocks.size() ? clocks[stream] : 0;
}

/** A missing wait was reported: from now on it counts as present, so that it is one fault. */
void told(Clocks &clocks, const Operation &a)
{
    if (clocks.size() <= a.stream)
        clocks.resize(a.stream + 1);
    clocks[a.stream] = std::max(clocks[a.stream], a.clock);
}

/** The operations before the stream's next one. The default stream waits for all streams that
 * are not cudaStreamNonBlocking, and these wait for it. */
Clocks &begin_in(unsigned index)
{
    Stream &s = stream_at(index);
    join(s.clocks, order().host);
    join(s.clocks, known_to_thread());
    if (index < most_devices) {
        for (const Stream &other : order().streams)
            if (other.blocking && other.device == s.device)
                join(s.clocks, other.clocks);
    } else if (s.blocking) {
        join(s.clocks, order().streams[legacy_stream(s.device)].clocks);
    }
    return s.clocks;
}

/** Forgets what the host has waited for: all that comes later comes after it. */
void prune()
{
    Order &o = order();
    auto gone = [&](const Operation &a) { return a.clock <= clock_of(o.host, a.stream); };
    o.operations.erase(std::remove_if(o.operations.begin(), o.operations.end(), gone),
                       o.operations.end());
    order_host_watched = host_function != nullptr;
    for (const Operation &a : o.operations)
        order_host_watched |= a.host_sees;
}

void note_wait(std::vector<Wait> &waits, const EventOrder &event)
{
    if (waits.size() >= 16)
        waits.erase(waits.begin());
    Wait w = {event.recorded ? event.stream : ~0u, clock_of(event.before, event.stream),
              ++order().time, called_at(), event.at};
    waits.push_back(w);
}

void bound(Operation &a)
{
    for (const Spans *spans : {&a.touched.reads, &a.touched.writes, &a.touched.atomics})
        if (!spans->empty()) {
            a.begin = std::min(a.begin, spans->front().begin);
            a.end = std::max(a.end, spans->back().end);
        }
    a.host_sees = alias_offsets_within(a.begin, a.end);
}

/* ---- messages ---- */

/** "stream 2 (second)", with the variable in the call that created it. */
std::string stream_name(unsigned index)
{
    const Stream &s = stream_at(index);
    if (s.number == 0)
        return index < most_devices ? "the default stream" : "the thread's default stream";
    std::string name = format("stream %u", s.number);
    SourceLine at = place_of(s.created);
    std::string text = at.file.empty() ? "" : source_text(at.file, at.line);
    size_t call = text.find("cudaStreamCreate"), from = text.find('&', call);
    if (call == std::string::npos || from == std::string::npos ||
        text.find("cudaStreamCreate", call + 1) != std::string::npos)
        return name;
    std::string variable = text.substr(from + 1, text.find_first_of(",)", from) - from - 1);
    return variable.find_first_of("[](&* ") == std::string::npos && !variable.empty()
               ? name + " (" + variable + ")"
               : name;
}

const char *not_yet(const Operation &a, const Conflict &c)
{
    if (a.allocates)
        return "may not have allocated yet";
    if (a.frees)
        return "may have freed by then";
    if (c.earlier == Use::reads)
        return "may not have read yet";
    if (c.later == Use::reads)
        return c.earlier == Use::writes ? "may not have written yet"
                                        : "may not have changed yet";
    return "may write later";
}

/** The stream that a missing wait belongs to, and the call there. */
unsigned stream_of(const Operation &a) { return a.node ? a.node->stream : a.stream; }
SourceLine call_of(const Operation &a) { return place_of(a.node ? a.node->launched : a.at); }

/** The event that `waits` asks for may have been recorded too early. */
std::string too_early(const std::vector<Wait> &waits, const Operation &a,
                      const SourceLine &here, const std::string &who)
{
    for (auto w = waits.rbegin(); w != waits.rend(); ++w) {
        if (w->when < a.when) /* to record the event later would not help */
            continue;
        SourceLine at = place_of(w->at), recorded = place_of(w->recorded);
        if (w->of_stream == ~0u)
            return format(
                "The event for which %s waits at %s was not recorded by then, so that it waits "
                "for nothing: record it in %s after %s and before that wait.",
                who.c_str(), line_name(at, here).c_str(), stream_name(stream_of(a)).c_str(),
                line_name(call_of(a), here).c_str());
        if (w->of_stream == stream_of(a))
            return format("The event for which %s waits at %s was recorded too early, at %s: "
                          "record it after %s.",
                          who.c_str(), line_name(at, here).c_str(),
                          line_name(recorded, here).c_str(),
                          line_name(call_of(a), here).c_str());
    }
    return "";
}

FaultPlace fault_place(const CalledAt &earlier, const SourceLine &here)
{
    SourceLine there = place_of(earlier);
    FaultPlace place;
    if (!here.file.empty())
        place = at_line(kept(here.file), here.line);
    if (!there.file.empty())
        place.other_file = kept(there.file), place.other_line = there.line;
    return place;
}

const char *verb_of(Use manner)
{
    return manner == Use::reads    ? "reads"
           : manner == Use::writes ? "writes"
                                   : "atomically changes";
}

/** "allocates the 1024 bytes allocated at main.cu:12 (x)" */
std::string deed(const Operation &b, const Conflict &c)
{
    return format("%s %s",
                  b.allocates ? "allocates"
                  : b.frees   ? "frees"
                              : verb_of(c.later),
                  bytes_name(c.at).c_str());
}

/** Reports two nodes of one launch of a graph. */
void report_branches(const Operation &a, const Operation &b, const Conflict &c)
{
    SourceLine here = place_of(b.at);
    FaultPlace place = fault_place(a.at, here);
    bool inner = a.node->outer == b.node->outer;
    SourceLine from = place_of(inner ? a.at : a.node->outer_at),
               to = place_of(inner ? b.at : b.node->outer_at);
    bool same = from.file == to.file && from.line == to.line;
    std::string advice =
        same
            ? "Let one of the two nodes depend on the other, or give each its own memory."
            : format(
                  "While the graph is captured, record an event after %s and let the stream of "
                  "%s wait for it before that line (cudaEventRecord, cudaStreamWaitEvent)%s.",
                  line_name(from, here).c_str(), line_name(to, here).c_str(),
                  *if_again(from, to) ? ", or give each branch its own memory" : "");
    place.advice = kept(advice);
    host_fault(SIMGPU_STREAM_RACE, place, nullptr,
               "%s in a graph %s, which %s in another branch of it %s: no path of edges leads "
               "from the one node to the other",
               b.what.c_str(), deed(b, c).c_str(), a.what.c_str(), not_yet(a, c));
}

/** Reports that nothing orders an earlier operation and one that begins now. */
void report(const Operation &a, const Operation &b, const Conflict &c, bool host_waits)
{
    Untraced quiet;
    if (a.node && b.node && a.node->number == b.node->number) {
        report_branches(a, b, c);
        return;
    }
    SourceLine there = call_of(a), here = call_of(b);
    const Stream &of_a = stream_at(stream_of(a)), &of_b = stream_at(stream_of(b));
    std::string first = stream_name(stream_of(a)), second = stream_name(stream_of(b));
    FaultPlace place = fault_place(a.at, place_of(b.at));
    std::string advice = too_early(of_b.waits, a, here, second);
    if (a.what.find(late_copy) != std::string::npos)
        advice = format("Such a copy of at most 64 KB may return before its bytes have "
                        "arrived. Call cudaDeviceSynchronize() %s.",
                        between(there, here).c_str());
    else if (advice.empty() && host_waits)
        advice = format("Call cudaStreamSynchronize() for %s, or cudaDeviceSynchronize(), %s.",
                        first.c_str(), between(there, here).c_str());
    else if (advice.empty())
        advice = format("Record an event in %s after %s, and let %s wait for it before %s%s "
                        "(cudaEventRecord, cudaStreamWaitEvent)%s.",
                        first.c_str(), line_name(there, here).c_str(), second.c_str(),
                        line_name(here, here).c_str(), if_again(there, here),
                        there.file == here.file && there.line == here.line && !b.frees
                            ? "; or give each stream its own memory"
                        : a.node && b.node && place_of(a.at).line == place_of(b.at).line
                            ? "; or launch one instance again: its launches wait for each other"
                            : "");
    if (!(of_a.blocking && of_b.blocking) &&
        (stream_of(a) < most_devices || stream_of(b) < most_devices))
        advice += " A stream made with cudaStreamNonBlocking and the default stream do not "
                  "wait for each other.";
    place.advice = kept(advice);
    host_fault(SIMGPU_STREAM_RACE, place, nullptr,
               "%s in %s %s, which %s in %s %s: nothing makes %s wait for %s", b.what.c_str(),
               second.c_str(), deed(b, c).c_str(), a.what.c_str(), first.c_str(), not_yet(a, c),
               second.c_str(), first.c_str());
}

/** The same for host code. */
void report_host(const Operation &a, const CalledAt &at, const Conflict &c)
{
    Untraced quiet;
    SourceLine there = call_of(a), here = place_of(at);
    std::string first = stream_name(stream_of(a));
    FaultPlace place = fault_place(a.at, here);
    std::string advice = too_early(order().host_waits, a, here, "the host");
    if (advice.empty())
        advice =
            stream_at(stream_of(a)).number
                ? format("Call cudaStreamSynchronize() for %s, or cudaDeviceSynchronize(), %s.",
                         first.c_str(), between(there, here).c_str())
                : format("Call cudaDeviceSynchronize() %s.", between(there, here).c_str());
    place.advice = kept(advice);
    host_fault(SIMGPU_STREAM_RACE, place, nullptr,
               "host code %s %s, which %s in %s %s: nothing makes the host wait for it",
               verb_of(c.later), bytes_name(c.at).c_str(), a.what.c_str(), first.c_str(),
               not_yet(a, c));
}

/** Compares an operation with the earlier ones that its stream does not know. The latest one of
 * a stream represents those before it. */
void check(const Operation &b, Clocks &known, bool host_waits)
{
    auto &all = order().operations;
    for (auto a = all.rbegin(); a != all.rend(); ++a) {
        if (a->clock <= clock_of(known, a->stream) || a->end <= b.begin || b.end <= a->begin)
            continue;
        Conflict c = conflict_of(a->touched, b.touched);
        if (c.at == ~0ull)
            continue;
        report(*a, b, c, host_waits);
        told(known, *a);
    }
}

/** Reports a read that was not a guess. */
void settle_guess()
{
    Order &o = order();
    if (!o.guess.there)
        return;
    o.guess.there = false;
    report_host(o.guess.other, o.guess.at, o.guess.conflict);
    told(o.host, o.guess.other);
    prune();
    faults_print();
}

void settle_guess_at_end()
{
    std::lock_guard<std::mutex> lock(order().mutex);
    settle_guess();
}

void add_operation(Operation &&b, bool host_waits)
{
    Order &o = order();
    settle_guess();
    bound(b);
    Clocks &clocks = begin_in(b.stream);
    if (b.begin < b.end)
        check(b, clocks, host_waits);
    if (clocks.size() <= b.stream)
        clocks.resize(b.stream + 1);
    b.clock = ++clocks[b.stream];
    b.when = ++o.time;
    if (host_waits) {
        join(o.host, clocks);
        prune();
        return;
    }
    if (b.begin >= b.end || (!o.several && !b.host_sees))
        return;
    size_t of_stream = 0;
    auto oldest = o.operations.end();
    for (auto i = o.operations.begin(); i != o.operations.end(); ++i)
        if (i->stream == b.stream && of_stream++ == 0)
            oldest = i;
    if (of_stream >= most_operations)
        o.operations.erase(oldest);
    order_host_watched |= b.host_sees;
    if (order_host_watched)
        call_tracer(true);
    o.operations.push_back(std::move(b));
}

/** Stores in which stream, or where in a graph, an operation is. */
void place(Operation &b, unsigned stream)
{
    b.stream = running_node ? running_node->branch : stream;
    b.node = running_node;
    if (b.node)
        b.at = b.node->node.at;
}

/** Adds a launch's accesses to a word, or to a byte of it. */
SIMGPU_HOT void add_touch(TouchedBytes &touched, const GlobalTouch &t, uint64_t offset,
                          unsigned size, uint32_t first, uint32_t count)
{
    if (t.writing_block - first <= count)
        add_span((t.flags & (touch_strong_write | touch_volatile)) == touch_strong_write
                     ? touched.atomics
                     : touched.writes,
                 offset, offset + size);
    if (t.reading_block - first <= count)
        add_span(touched.reads, offset, offset + size);
}

} // namespace

SourceLine place_of(const CalledAt &at)
{
    SourceLine place;
    if (!at.file && !at.pc)
        return source_of(calling_pc_of(at.frames, at.frames_count));
    if (at.pc)
        return source_of(at.pc);
    place.file = at.file;
    place.line = at.line;
    return place;
}

CalledAt called_at()
{
    CalledAt at;
    at.frames_count = calling_frames(at.frames, (int)CalledAt::most_frames);
    return at;
}

/* ---- streams, events, the host ---- */

void order_watch() { order_watched = true; }

unsigned order_create_stream(unsigned number, int device, bool blocking)
{
    Order &o = order();
    std::lock_guard<std::mutex> lock(o.mutex);
    order_watched = o.several = true;
    stream_at(0);
    size_t index = 2 * most_devices;
    while (index < o.streams.size() && o.streams[index].live)
        index++;
    Stream &s = stream_at((unsigned)index);
    s.number = number;
    s.device = device;
    s.blocking = blocking;
    s.live = true;
    s.waits.clear();
    s.created = called_at();
    return (unsigned)index;
}

void order_destroy_stream(unsigned stream)
{
    std::lock_guard<std::mutex> lock(order().mutex);
    stream_at(stream).live = false;
}

bool order_in_graph() { return running_node != nullptr; }

bool order_blocking(unsigned stream) { return stream_at(stream).blocking; }

void order_record(unsigned stream, EventOrder &event)
{
    event.recorded = true;
    event.stream = stream;
    event.before.clear();
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    event.before = begin_in(stream);
    event.at = called_at();
}

void order_wait(unsigned stream, const EventOrder &event)
{
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    join(begin_in(stream), event.before);
    note_wait(stream_at(stream).waits, event);
}

uint64_t times_waited, launches_waited_for;

void host_has_waited()
{
    times_waited++;
    launches_waited_for = launches_seen;
}

void order_host_waits_event(const EventOrder &event)
{
    host_has_waited();
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    join(order().host, event.before);
    note_wait(order().host_waits, event);
    prune();
}

void order_host_waits(unsigned stream)
{
    host_has_waited();
    if (!order_watched || running_node)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    join(order().host, begin_in(stream));
    prune();
}

void order_host_waits_all()
{
    host_has_waited();
    Order &o = order();
    if (!order_watched || running_node)
        return;
    std::lock_guard<std::mutex> lock(o.mutex);
    for (const Stream &s : o.streams)
        join(o.host, s.clocks);
    prune();
}

/* ---- operations ---- */

void order_operation(const char *what, unsigned stream, TouchedBytes touched, bool host_waits,
                     Memory memory, const char *file, int line)
{
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    Operation b;
    b.what = what;
    b.touched = std::move(touched);
    sort(b.touched.reads);
    b.allocates = memory == Memory::allocated;
    b.frees = memory == Memory::freed;
    if (!file)
        b.at = called_at();
    b.at.file = file;
    b.at.line = line;
    place(b, stream);
    add_operation(std::move(b), host_waits && !running_node);
    faults_print();
}

void order_launch(const Launch *launch, unsigned stream, uint32_t first)
{
    Order &o = order();
    std::lock_guard<std::mutex> lock(o.mutex);
    Operation b;
    b.what = format("kernel %s", launch->kernel_name());
    b.at.file = launch->desc.file;
    b.at.line = launch->desc.line;
    place(b, stream);
    uint32_t count = launch->first_serial + (uint32_t)launch->blocks - first;
    arena_for_each([&](const Allocation &a) {
        if (a.heap_pc || (!a.alias && !o.several)) /* see heap_free() */
            return;
        for (uint64_t piece = a.offset / touched_piece;
             piece <= (a.offset + a.size - 1) / touched_piece; piece++) {
            if (arena.touched[piece] != launch->id)
                continue;
            uint64_t word = std::max<uint64_t>(piece * touched_piece, a.offset) / 4,
                     end = std::min<uint64_t>((piece + 1) * touched_piece, a.offset + a.size);
            for (; 4 * word < end; word++) {
                const GlobalTouch &t = arena.shadow[word];
                for (unsigned i = 0; i < 4 && t.flags & touch_split; i++)
                    add_touch(b.touched, arena.byte_shadow[4 * word + i], 4 * word + i, 1,
                              first, count);
                if (!(t.flags & touch_split))
                    add_touch(b.touched, t, 4 * word, 4, first, count);
            }
        }
    });
    for (uintptr_t word : launch->constants)
        add_span(b.touched.reads, constant_offsets + 4 * word, constant_offsets + 4 * word + 4);
    add_operation(std::move(b), false);
}

void order_host_access(uint64_t offset, size_t size, bool write, uint32_t pc)
{
    Order &o = order();
    std::lock_guard<std::mutex> lock(o.mutex);
    TouchedBytes now;
    add_span(write ? now.writes : now.reads, offset, offset + size);
    if (host_function) {
        Operation b = *host_function;
        b.touched = now;
        b.at.pc = pc;
        bound(b);
        check(b, begin_in(b.stream), false);
        add_span(write ? host_function->touched.writes : host_function->touched.reads, offset,
                 offset + size);
        return;
    }
    settle_guess();
    for (auto a = o.operations.rbegin(); a != o.operations.rend(); ++a) {
        if (a->end <= offset || offset + size <= a->begin ||
            a->clock <= clock_of(o.host, a->stream) ||
            a->clock <= clock_of(known_to_thread(), a->stream))
            continue;
        Conflict c = conflict_of(a->touched, now);
        if (c.at == ~0ull)
            continue;
        CalledAt at;
        at.pc = pc;
        if (!write && c.earlier == Use::changes) {
            static int at_end = atexit(settle_guess_at_end);
            (void)at_end;
            o.guess = {true, *a, at, offset, c};
            return;
        }
        report_host(*a, at, c);
        told(o.host, *a);
        prune();
        faults_print();
        return;
    }
}

void order_host_atomic(uint64_t offset)
{
    std::lock_guard<std::mutex> lock(order().mutex);
    if (order().guess.offset == offset)
        order().guess.there = false;
}

void order_forget(uint64_t begin, uint64_t end)
{
    if (!order_watched || this_worker)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    auto inside = [=](const Span &s) { return s.begin >= begin && s.begin < end; };
    for (Operation &a : order().operations)
        for (Spans *spans : {&a.touched.reads, &a.touched.writes, &a.touched.atomics})
            spans->erase(std::remove_if(spans->begin(), spans->end(), inside), spans->end());
}

/* ---- graphs ---- */

GraphOrder::GraphOrder(unsigned of_launch, const std::vector<unsigned> &branches, Clocks &last)
    : stream(running_node ? running_node->branch : of_launch), branches(branches), last(last),
      launched(called_at()), outer(running_node)
{
    static std::atomic<uint64_t> launches;
    number = outer ? outer->number : ++launches;
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    join(begin_in(stream), last);
    base = begin_in(stream);
}

GraphOrder::~GraphOrder()
{
    running_node = outer;
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    for (const Clocks &end : ends)
        join(stream_at(stream).clocks, end);
    last = stream_at(stream).clocks;
}

void GraphOrder::begin(const GraphNode &node)
{
    running_node = std::make_shared<RunningNode>();
    RunningNode &r = *running_node;
    r.node = node;
    r.branch = node.branch ? branches[node.branch - 1] : stream;
    r.stream = outer ? outer->stream : stream;
    r.number = number;
    r.outer = outer ? outer->outer : ends.size();
    r.outer_at = outer ? outer->outer_at : node.at;
    r.launched = outer ? outer->launched : launched;
    if (!order_watched)
        return;
    std::lock_guard<std::mutex> lock(order().mutex);
    Clocks &clocks = stream_at(r.branch).clocks;
    join(clocks, base);
    for (size_t before : node.after)
        join(clocks, ends[before]);
}

void GraphOrder::end()
{
    std::lock_guard<std::mutex> lock(order().mutex);
    ends.push_back(stream_at(running_node->branch).clocks);
    running_node = outer;
}

HostFunction::HostFunction(unsigned stream)
{
    if (!order_watched || host_function)
        return;
    mine = true;
    host_function = new Operation;
    host_function->what = "the host function";
    host_function->at = called_at();
    place(*host_function, stream);
    {
        std::lock_guard<std::mutex> lock(order().mutex);
        join(order().functions, begin_in(host_function->stream));
    }
    order_host_watched = true;
    call_tracer(true);
}

HostFunction::~HostFunction()
{
    if (!mine)
        return;
    Operation b = std::move(*host_function);
    delete host_function;
    host_function = nullptr;
    std::lock_guard<std::mutex> lock(order().mutex);
    sort(b.touched.reads);
    sort(b.touched.writes);
    add_operation(std::move(b), false);
    prune();
}

} // namespace simgpu
