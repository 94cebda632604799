/* SPDX-License-Identifier: MIT */
/** @file order.h
 * Order between streams and the host; copies that are too short; the log of calls.
 */
#ifndef SIMGPU_SRC_ORDER_H
#define SIMGPU_SRC_ORDER_H

#include "src/machine/machine.h"

namespace simgpu
{

/** How many operations of each stream come before. The default streams of all devices come
 * first, then those of the host's threads, then what the program creates. */
using Clocks = std::vector<uint32_t>;

/** Bytes at these offsets of device memory, `end` excluded. */
struct Span {
    uint64_t begin, end;
};
using Spans = std::vector<Span>; /**< in ascending order */
/** __constant__ memory has these offsets, plus its addresses. */
constexpr uint64_t constant_offsets = 1ull << 62;

/** The device memory that an operation reads and writes. */
struct TouchedBytes {
    Spans reads, writes, atomics;
    /** Adds rows of memory; ignores what is not device memory. */
    void add(bool write, const void *at, size_t pitch, size_t width, size_t height);
};
enum class Use { reads, writes, changes };

struct Conflict {
    uint64_t at = ~0ull;
    Use earlier = Use::reads, later = Use::reads;
};

/** Two atomics do not conflict, and neither do two reads. */
Conflict conflict_of(const TouchedBytes &a, const TouchedBytes &b);
void add_span(Spans &spans, uint64_t begin, uint64_t end);
void sort(Spans &spans);

enum class Memory { used, allocated, freed };
/** Follows the name of a call that may return before its bytes have arrived. */
constexpr const char *late_copy = " from pageable memory";

/** The place of a call: a file and line, an address, or the stack. */
struct CalledAt {
    static constexpr int most_frames = 12;
    const char *file = nullptr;
    int line = 0;
    uint32_t pc = 0;
    void *frames[most_frames];
    int frames_count = 0;
};

/** The operations that come before an event. */
struct EventOrder {
    bool recorded = false;
    Clocks before;
    unsigned stream = 0;
    CalledAt at;
};

/** How often the host has waited for the GPU, and the number of launches at the last time. */
extern uint64_t times_waited, launches_waited_for;
void host_has_waited();
extern bool order_watched;      /**< there are streams, or memory that the host may touch */
extern bool order_host_watched; /**< host code must not touch some of that memory now */
void order_watch();
unsigned order_create_stream(unsigned number, int device, bool blocking);
void order_destroy_stream(unsigned stream);
bool order_blocking(unsigned stream);
bool order_in_graph(); /**< a node of a graph is running */
void order_record(unsigned stream, EventOrder &event);
void order_wait(unsigned stream, const EventOrder &event);
void order_host_waits_event(const EventOrder &event);
void order_host_waits(unsigned stream);
void order_host_waits_all();
/** A copy or the like. `host_waits`: it is complete when the call returns. */
void order_operation(const char *what, unsigned stream, TouchedBytes touched, bool host_waits,
                     Memory memory = Memory::used, const char *file = nullptr, int line = 0);
/** A traced launch has ended; its blocks have the numbers after `first`. */
void order_launch(const struct Launch *launch, unsigned stream, uint32_t first);
/** Host code touches pinned or managed memory. */
SIMGPU_COLD void order_host_access(uint64_t offset, size_t size, bool write, uint32_t pc);
/** Host code does an atomic operation there. */
SIMGPU_COLD void order_host_atomic(uint64_t offset);
/** This memory is no longer used. */
void order_forget(uint64_t begin, uint64_t end);
/** The program's line of a call. */
struct SourceLine place_of(const CalledAt &at);
CalledAt called_at();
/** A node of a graph. Nodes of one branch come one after another. */
struct GraphNode {
    unsigned branch = 0;       /**< 0 is the stream of the launch */
    std::vector<size_t> after; /**< the nodes it depends on, by their numbers in the graph */
    CalledAt at;
};
/** A graph runs. `last`: the operations before the end of its last launch. */
class GraphOrder
{
  public:
    GraphOrder(unsigned stream, const std::vector<unsigned> &branches, Clocks &last);
    ~GraphOrder();
    /** What follows is done by the next node. */
    void begin(const GraphNode &node);
    void end();

  private:
    unsigned stream;
    const std::vector<unsigned> &branches;
    Clocks &last, base;
    std::vector<Clocks> ends; /**< of each node so far */
    CalledAt launched;
    uint64_t number; /**< of the launch */
    std::shared_ptr<struct RunningNode> outer;
};
/** Host code runs as an operation of a stream. */
struct HostFunction {
    bool mine = false;
    explicit HostFunction(unsigned stream);
    ~HostFunction();
};
/** The stream's number for these functions. */
unsigned order_index(const void *stream);

/* ---- copies that are too short (copies.cpp) ---- */

extern bool short_copies; /**< there is memory that the host must not read yet */
/** After a copy of device memory into the host's own. */
void short_copy(const char *call, const void *to, const void *from, size_t bytes);
/** Host code reads or writes its own memory. */
SIMGPU_COLD void short_copy_access(uintptr_t address, size_t size, bool write, uint32_t pc);
void short_copy_freed(const void *memory);

/* ---- the log of calls (stream_api.cpp) ---- */

extern FILE *calls_output; /**< null: nothing is logged */
/** Logs a launch; `before` holds the counts from before it. */
void log_launch(const struct Launch *launch, const simgpu_totals &before);
/** "record" or "wait". */
void log_event(const char *call, unsigned event, unsigned stream);
/** Streams are numbered as they are created; 0 is the default stream. */
unsigned stream_number(const void *stream);

} // namespace simgpu

#endif
