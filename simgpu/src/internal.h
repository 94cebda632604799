/* SPDX-License-Identifier: MIT */
/** @file internal.h
 * The types and functions that the parts of the runtime share.
 *
 *   arena.cpp    device memory: allocations, and who may access them
 *   launch.cpp   runs grids, blocks and threads, and switches at barriers
 *   tracer.cpp   checks and logs each access of the traced build
 *   bounds.cpp   reports an index outside its array in programs of `ladder sim`
 *   models.cpp   the rules by which accesses become transactions and passes
 *   counts.cpp   groups logged accesses into requests and adds them up
 *   faults.cpp   keeps the faults that were found, and writes their messages
 *   report.cpp   prints tables and captured requests
 *   profile.cpp  prints what a profiler shows, from counts
 *   repeats.cpp  skips launches that would change nothing
 *   async_copies.cpp  delivers asynchronous copies when they are waited for
 *   calls.cpp    logs what a program asks the GPU to do
 *   copies.cpp   finds copies to the host that leave out what it reads then
 *   streams.cpp  finds operations of several streams that are not ordered
 *   regions.cpp  compares accesses with the regions and permissions that a program sets with
 * NVTX runtime_api.cpp, graphs.cpp, texture.cpp, cublas.cpp, mma.cpp   the CUDA side
 *
 * These files depend on the machine; ../web has another version of each for web pages:
 *
 *   memory.cpp   address space
 *   fibers.cpp   one stack for each thread of a block, and the switch between them
 *   pool.cpp     host threads, and the watch over launches that do not end
 *   symbols.cpp  from addresses to source lines
 *   machine_code.cpp  examines the instructions around an access; calls of the tracer
 *   signals.cpp  faults that the processor's memory protection finds
 */
#ifndef SIMGPU_SRC_INTERNAL_H
#define SIMGPU_SRC_INTERNAL_H

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "include/cuda_runtime_api.h"
#include "include/simgpu/hooks.h"
#include "simgpu.h"

#define SIMGPU_HOT  __attribute__((always_inline)) inline
#define SIMGPU_COLD __attribute__((noinline, cold))

extern "C" __thread struct simgpu_builtins_t simgpu_builtins
    __attribute__((tls_model("initial-exec")));

struct CUgraphNode_st;

namespace simgpu
{

/* ---- settings ---- */

/** A counter, which printf takes as %llu. */
using Count = unsigned long long;

struct Limits {
    const char *name;
    int major, minor, multiprocessors, threads_per_block;
    unsigned block_max[3];
    uint64_t grid_max[3];
    size_t shared, shared_optin;
    int registers;
};

struct Settings {
    simgpu_model model = SIMGPU_C1060;
    simgpu_model limits = SIMGPU_MODERN;
    uint64_t shuffle = 0;
    int workers = 0;
    double time_limit = 10; /**< seconds in which no block ends; 0: no limit */
    int registers = 0;      /**< of a thread of any kernel; 0: unknown */
    bool standalone = false, leaks = true;
    /** seconds that tracing may take before a program's later launches run untraced; 0: no
     * limit */
    double budget = 0;
    bool counting = false;
    bool capturing = false;
    unsigned long capture_block = 0;
    unsigned capture_group = 0;
};
extern Settings settings;
const Limits &limits();

/* ---- device memory (arena.cpp) ---- */

/** The state of four bytes of device memory. */
enum State : uint8_t {
    state_nothing = 0, /**< not allocated */
    state_unwritten = 1,
    state_written = 2,
    state_tail = 3, /**< the last, incomplete word of an allocation */
    state_freed = 4,
    state_suspect = 5, /**< read before any write; judged at the end of the launch */
    /** | one bit for each byte that was written */
    state_partial = 16
};

/**
 * Who last touched four bytes (one byte, after smaller accesses), and when. Times are those of
 * the worker's clock, which advances at each barrier, so nothing needs to be cleared.
 */
struct Touch {
    uint32_t write_time, read_time;
    uint32_t write_pc, read_pc;
    uint16_t writer, reader; /**< thread in its block, or several_in_warp, several_in_block */
    uint8_t flags;           /**< touch_... */
    uint8_t lag_in_block;    /**< a released write's time minus that of the fence before it */
    union {
        uint8_t valid; /**< shared memory: how many of its first bytes are inside an array */
        uint8_t lag;   /**< global memory: like lag_in_block, for a __threadfence() */
    };
    union {
        uint8_t suspect; /**< shared memory: in the list of reads before any write */
        uint8_t locked;  /**< global memory: a worker is using it */
    };
};
/* Values of Touch::reader and writer that are not thread numbers. */
constexpr uint16_t several_in_warp = 0x8000; /**< | warp */
constexpr uint16_t several_in_block = 0xffff;
/* Bits of Touch::flags. "Strong" accesses are atomics and volatile accesses to global memory.
 * "Released": a fence came before the write, so a thread that reads the word by a strong access
 * sees what the writer wrote before the fence. */
constexpr uint8_t touch_strong_write = 1, touch_strong_read = 2, touch_released = 4,
                  touch_released_in_block = 8, touch_block_scope = 16, touch_split = 32,
                  touch_modified = 64, /**< its writer had read it in the same phase; for a
                                          strong write: a PlainWrite of its block precedes it */
    touch_volatile = 128;              /**< the strong write is volatile, not atomic */

/** The same for device memory, which all blocks share. A block is named by its number over all
 * launches; a launch's first_serial stands for several of its blocks. */
struct GlobalTouch : Touch {
    uint32_t writing_block, reading_block;
};
static_assert(sizeof(GlobalTouch) == 32, "arena.cpp reserves 8 bytes for each byte");

struct Allocation {
    Count offset = 0, size = 0;
    uint64_t red_zone = 0; /**< unused bytes after it */
    unsigned number = 0;   /**< in order of allocation, from 1 */
    int device = 0;        /**< the device that was current */
    uint32_t heap_pc = 0;  /**< where a kernel called malloc or new; else 0 */
    const char *file = nullptr;
    int line = 0;
    const char *name = nullptr; /**< the variable's name */
    size_t filled = 0;  /**< bytes of the last copy or memset to its beginning; 0: all bytes */
    void *filled_by[8]; /**< the stack at that call */
    int filled_frames = 0;
    bool alias = false, pitched = false; /**< pitched: by cudaMallocPitch */
    bool freed = false;
    bool written_unseen = false; /**< an untraced kernel may have written anywhere in it */
};

struct Arena {
    unsigned char *base = nullptr;
    uint64_t size = 0;                  /**< how many addresses are reserved */
    uint64_t high_water = 0;            /**< highest offset ever given out */
    uint8_t *state = nullptr;           /**< a State for each word */
    GlobalTouch *shadow = nullptr;      /**< one for each word */
    GlobalTouch *byte_shadow = nullptr; /**< one for each byte of words with touch_split */
    /** for each touched_piece bytes, the last watched launch that touched them */
    uint32_t *touched = nullptr;
};
extern Arena arena;
constexpr uint64_t touched_piece = 1024;

void arena_init();
void *arena_allocate(size_t bytes, const char *file, int line);
/** False if `pointer` is not the beginning of an allocation. */
bool arena_free(void *pointer);
void arena_free_all();
/** malloc and free in a kernel. heap_allocate returns null if the heap is full, heap_free
 * returns false if heap_allocate did not return `pointer`. */
void *heap_allocate(size_t bytes, uint32_t pc, bool traced);
bool heap_free(void *pointer);
extern std::atomic<size_t> heap_limit; /**< cudaLimitMallocHeapSize */
size_t arena_used();
size_t arena_limit();
void arena_set_limit(size_t bytes);
/** The place where traced host code was about to touch the arena, just before the processor
 * stops it. The compiler may have moved the access itself to after a later line. */
struct HostStray {
    uintptr_t address, return_address;
};
extern HostStray host_stray;
inline bool arena_contains(const void *p)
{
    return (uintptr_t)p - (uintptr_t)arena.base < arena.size;
}
/** Records how much of an allocation host code has filled, from the beginning. */
void arena_note_filled(const void *pointer, size_t bytes);
void arena_note_pitched(const void *pointer);
/** Was anything of this range written? */
bool arena_any_written(const void *pointer, size_t bytes);
/** How many bytes at the end of this range were never written; 0 if nothing in it was. */
size_t arena_unwritten_tail(const void *pointer, size_t bytes);
/** The live allocation that holds this offset, or null. */
const Allocation *arena_find(uint64_t offset);
/** The allocation, live or freed, that is nearest to a stray offset. */
const Allocation *arena_nearest(uint64_t offset);
std::vector<Allocation> arena_live();
void arena_for_each(const std::function<void(const Allocation &)> &f);
/** Device memory is accessible only between these two calls; they nest. */
void arena_open();
void arena_close();
bool arena_is_open();
void arena_mark(const void *pointer, size_t bytes, State state);
void arena_written_unseen();
/** A hash of the contents of live allocations and device variables; `host`: only of memory that
 * host code may change without a call. */
uint64_t arena_hash(bool host);
/** Is there memory that host code may read without a call? */
bool host_sees_memory();
/** Releases pages of memory that was freed while waiting launches might still use it. */
void arena_forget_freed();
/** After a traced launch, releases the pages that record who touched memory, if they are many.
 */
void arena_forget_touches();
/** Before a traced launch, marks as written what untraced kernels may have written. */
void arena_settle_unseen();

/**
 * Device memory outside the arena: __device__ and __managed__ variables, cudaMallocManaged,
 * pinned host memory. The data stays where it is; its State and GlobalTouch entries are at
 * `offset` of the arena, like those of an allocation.
 */
enum class AliasKind {
    variable,
    managed_variable,
    managed,   /**< cudaMallocManaged */
    vector,    /**< of a Thrust vector: its algorithms, host code here, touch it like kernels */
    pinned,    /**< cudaMallocHost: host memory */
    registered /**< cudaHostRegister: host memory */
};
struct Alias {
    uintptr_t begin;
    size_t size;
    uint64_t offset;
    AliasKind kind;
    bool given; /**< the program has its address from cudaGetSymbolAddress */
    /** May host code touch it too? */
    bool host_may() const { return kind != AliasKind::variable; }
};
void alias_add(void *memory, size_t size, AliasKind kind, const char *name, const char *file,
               int line);
/** Returns false if no alias begins at `memory`. */
bool alias_remove(const void *memory);
const Alias *alias_find(uintptr_t address);
/** The program knows from now on where this __device__ variable is. */
void alias_give(const void *variable);
/** Does this range overlap an alias? */
bool alias_within(uintptr_t begin, size_t size);
/** Does a range of offsets touch an alias that host code may touch too? */
bool alias_offsets_within(uint64_t begin, uint64_t end);
/** Is there a device variable of this name? */
bool alias_named(const std::string &name);
extern bool have_aliases;
extern bool host_aliases; /**< there are some whose accesses by host code are watched */
/** Is this device memory, in the arena or elsewhere? If so, sets its offset. */
bool device_offset(const void *p, uint64_t *offset);
/** Gives an allocation a name for messages; a copy of it is kept. */
void arena_set_name(uint64_t offset, const char *name);
/** A __constant__ variable without an initialiser that was not filled so far. */
struct EmptyConstant {
    const char *name;
    uintptr_t begin;
    size_t size;
};
std::vector<EmptyConstant> &empty_constants();
/** Where the bytes of an offset are stored. */
unsigned char *data_at(uint64_t offset);

/** Host threads take turns: one at a time allocates, copies or runs a kernel. A kernel's
 * threads work for the one whose turn it is. */
struct HostTurn {
    HostTurn();
    ~HostTurn();
};

struct ArenaAccess {
    HostTurn turn;
    ArenaAccess() { arena_open(); }
    ~ArenaAccess() { arena_close(); }
};
/** Is device memory accessible up to this offset now? */
bool arena_readable(uint64_t end);

/** The evidence of all races at one place; bits of FaultPlace::evidence. */
enum Evidence : uint8_t {
    among_blocks = 1,
    across_warps = 2, /**< two threads of one block, in different warps */
    same_thread = 4,  /**< the same thread of two blocks, and not their first */
    other_thread = 8, /**< different threads of two blocks */
    both_wrote = 16,
    changed_read = 32, /**< one thread read, then wrote what the other one reads */
    left_out = 64      /**< a whole warp of the block does not reach these lines */
};

/** The place of a fault: `pc` (an offset in the program), or file and line if pc is 0. */
struct FaultPlace {
    uint32_t pc = 0, other_pc = 0;
    const char *file = nullptr;
    int line = 0;
    const char *advice = nullptr;     /**< replaces the advice of its kind */
    const char *other_file = nullptr; /**< in place of other_pc */
    int other_line = 0;
    /* For races: */
    bool between_blocks = false; /**< the message names blocks, not threads */
    bool both_write = false;
    uint8_t evidence = 0; /**< of enum Evidence */
    bool one_atomic = false, block_scope = false;
    uint32_t plain_read = 0;    /**< the read, where it races with an atomic */
    bool fence_missing = false; /**< a lock or a flag was meant to order the two */
    /** which one threads reach first in the phase: 1 `pc`, -1 `other_pc`, 0 unknown */
    int order = 0;
};
inline FaultPlace at_line(const char *file, int line)
{
    FaultPlace place;
    place.file = file;
    place.line = line;
    return place;
}
/** The program's line that called the API. */
FaultPlace called_here(const char *advice = nullptr);

/* ---- memory from the system (memory.cpp) ---- */

/** Sizes of device memory's address space, in bytes: the largest is tried first. */
extern const uint64_t most_device_memory, least_device_memory;
/** Reserves addresses whose bytes are zero, or returns null. Unless `open`, every access to
 * them fails. */
void *reserve_memory(uint64_t bytes, bool open);
void release_memory(void *memory, uint64_t bytes);
void open_memory(void *memory, uint64_t bytes, bool open);
/** Makes the bytes zero and releases their memory. */
void forget_memory(void *memory, uint64_t bytes);
/** Is there any memory at this address of the process? */
bool has_memory(uintptr_t address);
uint64_t physical_memory();
/** Bytes of memory that the process takes; 0: unknown. */
uint64_t resident_memory();
/** The callers of the running function, at most `most`; returns how many. */
int calling_frames(void **frames, int most);

/** Where the traced program called the current function, for pc_of(). */
#ifdef __wasm__
extern "C" uint32_t simgpu_site; /* set before each such call; ../web/lines.cpp */
#define SIMGPU_CALLER ((uintptr_t)simgpu_site)
#else
#define SIMGPU_CALLER ((uintptr_t)__builtin_return_address(0))
#endif

/* ---- fibers (fibers.cpp) ---- */

struct Fiber;
Fiber *fiber_create(unsigned number);
void fiber_destroy(Fiber *fiber);
/** The next switch to the fiber starts at `entry`, which must not return. */
void fiber_prepare(Fiber *fiber, void (*entry)());
/** Switches from the stack of fiber_adopt() to a fiber; returns when one leaves. */
void fiber_enter(Fiber *base, Fiber *to);
void fiber_switch(Fiber *from, Fiber *to);
/** Back to fiber_enter(), for good. */
[[noreturn]] void fiber_leave(Fiber *from, Fiber *base);
/** A fiber for the caller's own stack. */
Fiber *fiber_adopt();
uintptr_t fiber_stack_low(const Fiber *fiber);
/** Bytes of a stack. A program may ask for more with cudaDeviceSetLimit(); older fibers keep
 * the old size. */
extern size_t fiber_stack_bytes;
/** Is this address in the guard pages below and above the stack? */
bool fiber_guards(const Fiber *fiber, uintptr_t address);

/* ---- accesses and requests (tracer.cpp, counts.cpp, models.cpp) ---- */

enum class Op : uint8_t {
    global_load,
    global_store,
    global_atomic,
    shared_load,
    shared_store,
    shared_atomic,
    texture,
    count
};
const char *op_name(Op op);

/** What threads do in addition to accesses and arithmetic; each thread counts. */
enum class Control : uint8_t { barrier, warp_barrier, shuffle, vote, fence, count };
const char *control_name(Control control);

/** One access of one thread. */
struct Event {
    uint64_t address; /**< offset in the arena, or in the block's shared memory */
    uint32_t pc;      /**< offset of the return address in the program */
    Op op;
    uint8_t size;
    uint16_t unused;
};

/** One request: one instruction executed by up to 32 lanes. */
struct Request {
    uint32_t pc;
    Op op;
    unsigned size, lanes;
    uint64_t address[32];
    uint8_t lane[32]; /**< 0 to 31: position in the warp */
};

/** The cost of a request to global memory. */
struct GlobalCost {
    unsigned transactions, bytes, useful;
};
/** The cost of a request to shared memory: passes, and passes without bank conflicts. */
struct SharedCost {
    unsigned passes, ideal;
};

/** One transaction of a request, for pictures. */
struct Segment {
    uint64_t address;
    unsigned bytes;
};

GlobalCost global_cost(simgpu_model model, const Request &request);
SharedCost shared_cost(simgpu_model model, const Request &request);
/** Lists the transactions of a global request; returns how many. `out` has capacity 64. */
unsigned list_segments(simgpu_model model, const Request &request, Segment *out);

struct SiteCounts {
    Count requests = 0, accesses = 0;
    Count transactions = 0, bytes = 0, useful = 0;
    Count passes = 0, ideal = 0;
    void add(const SiteCounts &other);
};

/** Counts of each place in the program: an open-addressing table; the key is pc and Op. */
class SiteTable
{
  public:
    SiteCounts &at(uint32_t pc, Op op);
    void merge_into(SiteTable &other);
    void clear();
    template <class F> void for_each(F f) const
    {
        for (const Slot &slot : slots)
            if (slot.key)
                f((uint32_t)(slot.key >> 8), (Op)(slot.key & 0xff), slot.counts);
    }

  private:
    struct Slot {
        uint64_t key = 0;
        SiteCounts counts;
    };
    std::vector<Slot> slots = std::vector<Slot>(64);
    size_t used = 0;
    void grow();
};

struct CapturedRequest {
    Request request;
    unsigned launch, occurrence;
    std::vector<std::pair<unsigned, uint64_t>> place; /**< of each lane: allocation, offset */
    std::string array;                                /**< the shared array */
    std::string kernel;
};

extern SiteTable &total_sites; /* these two are needed while the program ends */
extern std::vector<CapturedRequest> &captured;

/** The counts of one kind of access in one source line. */
struct CountedLine {
    std::string file; /**< empty: unknown */
    int line;
    Op op;
    SiteCounts counts;
};
/** Adds up the places of each line, in order of file and line. */
std::vector<CountedLine> lines_of(const SiteTable &sites);
/** Writes members of a JSON object: the model, the counts of each place, the faults. */
void write_sites_and_faults(FILE *out);
/** Writes the file of simgpu_json_at_end(). */
void write_json_file();
/** The text of a JSON string. */
std::string escaped(const std::string &text);
inline bool is_global(Op op) { return op <= Op::global_atomic; }
inline bool is_shared(Op op) { return op >= Op::shared_load && op <= Op::shared_atomic; }
inline double ratio(Count a, Count b) { return b ? (double)a / (double)b : 0; }

/* ---- the log of calls (calls.cpp) ---- */

extern FILE *calls_output; /**< null: nothing is logged */
/** Logs a launch; `before` holds the counts from before it. */
void log_launch(const struct Launch *launch, const simgpu_totals &before);
/** "record" or "wait". */
void log_event(const char *call, unsigned event, unsigned stream);
/** Streams are numbered as they are created; 0 is the default stream. */
unsigned stream_number(const void *stream);

/* ---- order between streams and the host (streams.cpp) ---- */

/** How many operations of each stream come before. The default streams of all devices come
 * first, then those of the host's threads, then what the program creates. */
using Clocks = std::vector<uint32_t>;

/** Bytes at these offsets of device memory, `end` excluded. */
struct Span {
    uint64_t begin, end;
};
using Spans = std::vector<Span>; /**< in ascending order */

/** The device memory that an operation reads and writes. */
struct TouchedBytes {
    Spans reads, writes, atomics;
    /** Adds rows of memory; ignores what is not device memory. */
    void add(bool write, const void *at, size_t pitch, size_t width, size_t height);
};
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
    const char *what = nullptr; /**< null: the name of what it runs */
    bool captured = false;
};
/** A number for a branch, like that of a stream. */
unsigned order_create_branch();
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

/* ---- graphs (graphs.cpp) ---- */

/** What a node of a graph does when the graph is launched into a stream. */
using Work = std::function<cudaError_t(cudaStream_t)>;
/** The graph into which a stream is captured; 0 or an old number: none. */
struct StreamCapture {
    unsigned long long capture = 0;
    std::vector<CUgraphNode_st *> last; /**< what the next node depends on */
};
StreamCapture &capture_of(cudaStream_t stream);
/** Adds work to the graph into which the stream is captured; false if it is not. `type` is a
 * cudaGraphNodeType. */
bool into_graph(StreamCapture &stream, int type, Work work);
bool capturing(const StreamCapture &stream);
/** Whether CUDA forbids this thread to allocate or free memory now, because of a capture. The
 * capture is then invalid. */
bool forbidden_by_capture();
/** Allocate and free memory even during a capture. */
extern "C" cudaError_t simgpu_take(void **device, size_t bytes, const char *file, int line);
extern "C" cudaError_t simgpu_give_back(void *device);
/** Is it the default stream, and is a stream captured that waits for it? It must not be used
 * then.
 */
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
Work free_node(void *memory, const char *what);
/** Returns memory to the graph whose launch allocated it; false if it is other memory. */
bool free_graph_memory(void *memory);

/* ---- several devices (runtime_api.cpp) ---- */

/** SIMGPU_DEVICES sets the number of devices, 0 or more; the default is 1. They are equal and
 * share one memory, in which each allocation knows its device. As in CUDA, streams and events
 * belong to a device. Only one host thread at a time may call. */
enum { most_devices = 16 };
int current_device();
int stream_device(const void *stream);
bool stream_destroyed(const void *stream);

extern uint64_t launches_seen, launches_counted, library_calls;

/* ---- blocks and threads (launch.cpp) ---- */

enum class ThreadState : uint8_t {
    ready,
    running,
    at_barrier,
    at_warp,
    converging,
    log_full,
    done
};

/** The part of a thread that a switch and an access use; fits in one cache line. */
struct alignas(64) Thread {
    Fiber *fiber = nullptr;        /**< null: not started */
    unsigned index[3] = {0, 0, 0}; /**< its threadIdx */
    ThreadState state = ThreadState::ready;
    uint8_t clock_calls = 0; /**< counts to at most 20 */
    /** 0: it waits at Worker::phase_barrier; otherwise 1 + index in other_barriers */
    uint16_t other_barrier = 0;
    uint32_t warp_mask = 0;  /**< the lanes it waits for */
    uint32_t warp_group = 0; /**< the lanes that met at its last barrier of the warp */
    /** consecutive strong accesses to spin_address that changed nothing */
    uint32_t spins = 0;
    uint32_t spin_pc = 0;
    const volatile void *spin_address = nullptr;
    Event *log = nullptr;
    uint32_t logged = 0, log_capacity = 0;
};
static_assert(sizeof(Thread) == 64, "one cache line");

/** A critical section: from the atomicCAS that takes a lock to its release. */
struct Section {
    uint64_t lock = 0;   /**< its offset + 1; 0: none is held */
    int fence = 0;       /**< fence since then: 1 __threadfence_block(), 2 __threadfence() */
    uint32_t pc = 0;     /**< the first access before a __threadfence(), or 0 */
    uint64_t offset = 0; /**< the word of that access */
    bool writes = false;
    int fence_then = 0;
    uint32_t serial = 0; /**< the block's */
    uint16_t thread = 0;
};

/** The tracer's data about a thread in the current phase. */
struct ThreadTrace {
    /** The set of instructions it has reached. Calls are five bytes long, so no two within 2
     * KiB of code share a bit; an instruction that shared one would be missing from `order`. */
    uint64_t seen[8] = {};
    uint32_t order[24]; /**< the first ones that it reached, in order */
    uint32_t order_count = 0;
    uint64_t where[24]; /**< what each of them accessed first; ~0: not device memory */
    /** When it last called any fence, and when __threadfence(); 0: never. Its next strong write
     * publishes what happened until then. */
    uint32_t fenced_in_block = 0, fenced = 0;
    /** It knows what happened before these times... */
    uint32_t acquired_in_block = 0, acquired = 0;
    /** ...and, after its next fence, what happened before these. */
    uint32_t pending_in_block = 0, pending = 0;
    /** offset + 1 of its last volatile read, until the next access; 0: none */
    uint64_t asked = 0;
    /** it saw a flag that another block had set without a fence */
    bool observed = false;
    /** accesses since a stray read: its values are no longer the program's */
    uint32_t astray = 0;
    Section section;
};

/** The collective operation that a lane waits in. */
enum class Collective : uint8_t { barrier, shuffle, ballot, gather };

struct Warp {
    uint32_t arrived = 0;
    uint32_t alive = 0;     /**< lanes that have not left the kernel */
    uint32_t stopped = 0;   /**< lanes that reached the end of this phase */
    uint32_t sync_time = 0; /**< the clock at the last barrier of all its lanes */
    /** [lane][other]: the clock at the last barrier of both; null if all barriers were full */
    std::unique_ptr<uint32_t[]> synced;
    /* What each lane brings to a shuffle or a vote, and its result. */
    Collective kind[32];
    uint32_t pc[32]; /**< where each lane called it */
    uint8_t source[32];
    uint64_t value[32], result[32];
    std::unique_ptr<uint64_t[]> gathered; /**< [lane][other], if lanes ask for all values */
};

/** A write whose value a volatile read found. */
struct SeenWrite {
    uint32_t writing_block, write_time;
    uint16_t reader; /**< or several_in_block */
    uint32_t read_time;
};

/** A plain write of a block, followed by its atomic to the same word. Atomics of other blocks
 * race with the plain write only. */
struct PlainWrite {
    uint32_t block, time, pc;
};

/** The last strong write of a block to global memory: it may have set a flag, or drawn a
 * ticket. `tick` numbers all strong writes of a launch; 0: there was none. */
struct FlagWrite {
    uint64_t offset = 0, tick = 0;
    uint32_t time = 0, phase_start = 0;
    uint16_t thread = 0;
};

/** A strong read of a block: it may know what came before the strong writes to this word up to
 * number `tick`. */
struct FlagRead {
    uint64_t offset = 0, tick = 0;
    uint32_t time = 0;
    uint16_t thread = 0;
};

/** Two threads have written a word. That is harmless if the second write keeps the value. */
struct SameValue {
    const unsigned char *address;
    unsigned char before[4];
    uint8_t size;
    FaultPlace place;
    uint16_t other;
    uint64_t offset;
    uint32_t other_serial; /**< the other block's, if there are two */
    bool shared;           /**< the offset is in shared memory */
};

struct SharedArray {
    const char *name;
    uint32_t offset;
    size_t size;
    const char *file;
    int line;
    size_t row, element; /**< bytes; 0: unknown */
};

constexpr size_t shared_span = 4u << 20;   /**< addresses reserved for one block's arrays */
constexpr uint32_t shared_red_zone = 4096; /**< between arrays */
constexpr uint32_t dynamic_shared_offset = shared_red_zone;

/** A read of memory that was not written so far, to be judged later. */
struct Suspect {
    uint64_t address;
    uint32_t pc;
    uint32_t thread;
    uint64_t block;
    uint8_t size;
};

/** An access outside its memory. After a read the thread continues with the value that is there
 * (usually 0), but its later accesses are no evidence of a race; any other access ends its
 * block. The other threads and blocks continue, so that a race among them is still found. Of
 * all strays in a launch, the first in the order of the grid is reported. */
struct Stray {
    uint64_t offset = 0; /**< in device memory; 0: elsewhere */
    unsigned size = 0;
    Op op = Op::global_load;
    /** its thread's number in the grid; ~0 if there is no stray */
    std::atomic<uint64_t> order{~0ull};
    simgpu_fault_kind kind;
    FaultPlace place;
    std::string what;
};

/** The allocation that an instruction has accessed. */
struct Owner {
    uint64_t begin = 0, end = 0;
    bool several = false;
};

struct Launch {
    simgpu_launch_desc desc;
    uint32_t id;
    uint64_t blocks;
    unsigned threads;
    bool traced, counted;
    bool watched = false; /**< its accesses are compared with other streams' */
    /** Tracing stops after this many seconds; 0: at its end. */
    double budget = 0;
    /** Tracing stops when the process uses this many bytes of memory. */
    uint64_t memory_budget = 0;
    std::atomic<bool> plain{false};    /**< the rest of it is not traced */
    std::atomic<bool> unseen{false};   /**< a block went on untraced after a barrier's fault */
    std::atomic<bool> waits{false};    /**< threads wait for others, as the tracer has seen */
    uint32_t first_serial;             /**< block b has serial first_serial + 1 + b */
    std::vector<uint32_t> block_order; /**< empty: ascending */
    std::atomic<uint64_t> next_block{0};
    std::atomic<bool> aborted{false};
    std::atomic<uint64_t> blocks_done{0};
    std::atomic<uint64_t> barriers{0};   /**< of all blocks; shows the watch that they run */
    bool profiled = false;               /**< the kernel's profile has counted this launch */
    std::atomic<bool> stop{false};       /**< its time is over */
    std::atomic<bool> stop_named{false}; /**< a fault has reported that */
    std::mutex extra_mutex;
    std::vector<std::thread> extra; /**< host threads for blocks that other blocks wait for */
    /* A cooperative launch: the barrier of all its blocks. */
    std::mutex grid_mutex;
    uint64_t grid_arrived = 0, grid_ended = 0, grid_barriers = 0;
    std::atomic<int> error{0};
    std::mutex stray_mutex;
    Stray stray;
    /** by pc, of the first blocks; under stray_mutex */
    std::unordered_map<uint32_t, Owner> owners;
    /** serial << 16 | thread of all threads that went on after a stray read */
    std::unordered_set<uint64_t> astray;
    std::mutex shared_mutex;
    std::vector<SharedArray> shared_arrays; /**< in order of first use */
    std::atomic<unsigned> shared_array_count{0};
    uint32_t shared_top;
    size_t shared_used, shared_limit;
    std::mutex suspects_mutex;
    std::vector<Suspect> suspects; /**< reads of global memory before any write */
    std::vector<uint32_t> guards;  /**< plain reads whose value an atomicCAS then compares */
    std::mutex plain_mutex;
    std::unordered_map<uint64_t, PlainWrite> plain_writes; /**< by offset */
    std::vector<FlagWrite> flag_writes;                    /**< by block; under plain_mutex */
    std::atomic<uint64_t> flag_ticks{0};
    std::mutex sections_mutex;
    /** critical sections without a fence at their beginning */
    std::vector<Section> sections;
    const char *kernel_name() const { return desc.kernel_text; }
    bool strayed() const { return stray.order != ~0ull; }
};

/** An asynchronous copy of a thread that has not arrived yet. */
struct AsyncCopy {
    unsigned char *to;
    unsigned size;
    unsigned char bytes[16];
    uint32_t pc, thread;
    uint32_t group; /**< committed once the thread has committed more groups than this */
};

/** A fault that this worker has seen. Only the first of a kind and place gets a text. */
struct LocalFault {
    simgpu_fault_kind kind;
    uint32_t pc, other_pc;
    int line;
    uint64_t count; /**< how often, since the last faults_flush() */
    uint64_t order; /**< the lowest thread that had it, numbered over the grid */
    uint8_t evidence = 0;
    bool in_phase = false; /**< it was seen since the block's last barrier */
};

/** One host thread that runs blocks. */
struct Worker {
    Launch *launch = nullptr;
    bool tracing = false, counting = false, capturing_block = false;
    uint32_t watched = 0;  /**< the launch, if its accesses must be marked */
    uint32_t current = 0;  /**< linear index of the running thread */
    Thread *now = nullptr; /**< the running thread */
    uint64_t block = 0;
    uint32_t serial = 0;
    unsigned threads_count = 0, ready = 0, done = 0, at_barrier = 0, position = 0;
    unsigned grid_barriers = 0; /**< how many barriers of the grid the block has reached */
    unsigned converging = 0;    /**< threads in simgpu_active_lanes() */
    bool passed = false;        /**< the block has gone on after a fault of a barrier */
    /** where the first thread of this phase waits */
    std::pair<const char *, int> phase_barrier;
    uint32_t phase_pc = 0; /**< the call there, for the kernel's line if it is in a helper */
    /** other barriers at which threads wait, which is a mistake */
    std::vector<std::pair<const char *, int>> other_barriers;
    std::vector<Thread> threads;
    std::vector<uint32_t> order;
    std::vector<Warp> warps;
    pthread_t host_thread = pthread_self();
    std::atomic<bool> active{false}; /**< in a launch */
    std::vector<std::pair<uintptr_t, simgpu_shared_site *>> file_scope_shared;
    std::vector<uintptr_t> file_scope_dynamic;
    unsigned votes[2] = {0, 0}, vote_set = 0; /**< for __syncthreads_count */
    unsigned stalls = 0; /**< how often a waiting thread found no other thread to run */
    Fiber *base = nullptr, *running = nullptr;
    std::vector<Fiber *> fibers, free_fibers;
    size_t fiber_bytes = 0; /**< the stack of each of them */
    uintptr_t stack_low = 0;
    uint64_t random = 0;

    unsigned char *shared = nullptr;
    size_t shared_margin = 0; /**< unused bytes below it and above its span */
    Touch *shared_shadow = nullptr, *shared_byte_shadow = nullptr;
    std::vector<ThreadTrace> traces; /**< one for each thread */
    ThreadTrace *now_trace = nullptr;
    /** until when the whole block knows what other blocks did, since its last barrier */
    uint32_t block_acquired = 0;
    uint32_t block_fenced_in_block = 0, block_fenced = 0;
    bool fences = false; /**< a thread of the block has acquired something or fenced */
    bool locks = false;  /**< a thread of the block has taken what may be a lock */
    SameValue same_value[16];
    unsigned same_value_count = 0;
    bool asked = false; /**< a thread of the block has done a volatile read */
    std::unordered_map<uint64_t, SeenWrite> seen_writes; /**< this block's, by offset */
    FlagRead flag_reads[8];                              /**< this block's, the latest ones */
    unsigned next_flag_read = 0;
    uint32_t owners_launch = 0; /**< the launch of which this worker notes owners... */
    unsigned owners_noted = 0;  /**< ...and for how many phases it did */
    unsigned shared_known = 0;
    uint64_t cycles = 0; /**< the count of clock64() in a kernel */
    uint32_t clock = 1, block_start = 1, phase_start = 1;

    std::vector<std::pair<Event *, size_t>> free_logs; /**< buffers and their capacities */
    SiteTable sites;
    uint64_t control[(int)Control::count] = {}; /**< counts of the traced build */
    std::vector<Suspect> shared_suspects, global_suspects;
    /** while a structure is read: the position in it, and its size */
    unsigned part_at = 0, part_of = 0;
    bool in_copy = false;   /**< in memcpy or the like, which store one part after another */
    bool one_value = false; /**< a float4 or the like is read, not a structure */
    std::vector<uint32_t> guards; /**< as in Launch */
    std::vector<LocalFault> faults;
    std::vector<CapturedRequest> captures;
    std::vector<AsyncCopy> async_copies; /**< of the block's threads, in order */
    std::vector<uint32_t> async_groups;  /**< groups of them that each thread has committed */
};

extern __thread Worker *this_worker;    /**< null outside kernels */
extern __thread Worker *tracing_worker; /**< the same in traced launches, else null */

/** Turns tracing off while the simulator itself works: functions of the C++ library that it
 * uses may be in the program, where they are traced. */
struct Untraced {
    Worker *before = tracing_worker;
    Untraced() { tracing_worker = nullptr; }
    ~Untraced() { tracing_worker = before; }
};

void unflatten(uint64_t index, const unsigned shape[3], unsigned out[3]);
/** Runs blocks of a launch until none is left. */
void run_blocks(Worker *w, Launch *launch);
/** Runs all blocks of a launch (pool.cpp). */
void pool_run(Launch *launch);
/** Stops tracing a launch that has taken longer than its budget. */
void stop_tracing_late(Launch *launch, double seconds);
/** Adds a host thread, for blocks that running ones wait for. Returns false at the limit. */
bool pool_add_extra(Launch *launch);
/** Ends the launch and never returns to its threads. */
[[noreturn]] void abort_launch(Worker *w, cudaError_t error);
/** Records an access of the running thread outside its memory, with a text as for
 * kernel_fault(). leave_block() or go_astray() must follow. If stray_is_told(), an earlier
 * stray will be reported and this one will not. */
SIMGPU_COLD void note_stray(Worker *w, simgpu_fault_kind kind, const FaultPlace &place,
                            const char *what, ...) __attribute__((format(printf, 4, 5)));
bool stray_is_told(const Worker *w);
[[noreturn]] void leave_block(Worker *w);
/** The running thread continues after a stray read. */
void go_astray(Worker *w);
/** Stops the running thread, whose log is full, until the other threads have caught up. */
void wait_for_log(Worker *w);
/** The running thread has read a value that it may be waiting for. After a number of such
 * reads, lets other threads continue. */
SIMGPU_COLD void spin(Worker *w, const volatile void *address, uint32_t pc,
                      bool by_tracer = false);
/** The launch's time is over: reports where the block's threads are, and ends the launch. */
[[noreturn]] SIMGPU_COLD void time_is_over(Worker *w, const FaultPlace &place);
/** Forgets asynchronous copies, at the beginning of a block. */
void async_begin_block(Worker *w);
/** Reports a read of bytes that an asynchronous copy has not delivered. */
SIMGPU_COLD void async_read(Worker *w, const unsigned char *address, unsigned size,
                            uint32_t pc);
/** Checks and logs accesses to bytes one after another, by words where possible. */
void trace_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                 uintptr_t return_address);
const SharedArray *nearest_shared_array(Launch *launch, uint32_t offset);

/* ---- error state of the device (runtime_api.cpp) ---- */

void set_error(cudaError_t error);
/** Loses the device: every later call fails with this error. */
void set_device_error(cudaError_t error);
cudaError_t device_error();
void clear_errors();

/** Adds what a worker counted in a launch to the kernel's profile. `first`: it is the first
 * worker of this launch to do so. */
void profile_add(const Launch *launch, SiteTable &sites,
                 const uint64_t control[(int)Control::count], bool first);

/* ---- tracer ---- */

/** Checks and logs a texture fetch. Does nothing outside tracing. */
void trace_texture(uintptr_t address, unsigned size, uintptr_t pc);
void trace_phase_end(Worker *w);
void trace_thread_stopped(Worker *w, uint32_t thread);
void trace_block_begin(Worker *w);
/** Empties the logs of a block that was ended early. */
void trace_forget_block(Worker *w);
/** Records a barrier of some lanes of a warp. */
void trace_warp_sync(Worker *w, uint32_t warp, uint32_t lanes);
void trace_fence(Worker *w, int scope);
void trace_new_shared_arrays(Worker *w);
void trace_launch_end(Worker *w);
/** When all workers are done, describes the first stray relative to the allocation that its
 * instruction accesses otherwise, even if another one is nearer. */
void trace_judge_stray(Launch *launch);
/** When all workers are done, reports the reads before any write that were not races. */
void trace_judge_suspects(Launch *launch);
/** Must this launch of a program of `ladder sim` be traced? If so, sets its budget. */
bool worth_tracing(Launch *launch);
/** Records the seconds that a launch took. */
void note_traced(const Launch *launch, double seconds);
/** Records that an untraced launch was skipped: it repeats one that changed nothing, or its
 * results were never read. */
void note_left_out(const simgpu_launch_desc &desc, bool unseen);

/* ---- launches that change nothing (repeats.cpp) ---- */

/** Something other than an untraced launch changes device memory. */
void memory_changed();
/** The running kernel has an effect outside device memory: it prints or reads the clock. */
void kernel_is_impure();
/** An untraced launch, whose turn it is. */
struct Repeat {
    explicit Repeat(const simgpu_launch_desc &d);
    bool skip; /**< it would change nothing */
    /** True if it has run before and device memory is not accessed now: it then runs when
     * device memory is accessed. */
    bool waits(const simgpu_launch_desc &d);
    /** Otherwise: called before and after it runs, while device memory is accessible. */
    void begins();
    void ran();

  private:
    std::string key;
    bool watch;
    uint64_t changes_before;
};
bool launches_wait();
/** Runs the waiting launches that change something. */
void settle_launches();
/** Drops the waiting launches, whose results will not be read. */
void drop_launches();
/** Runs a launch that is not traced. */
void run_untraced(const simgpu_launch_desc &desc);
/** A cudaMemset2D(). */
struct RepeatedMemset {
    RepeatedMemset(void *device, size_t pitch, int value, size_t width, size_t height);
    /** it has run, and nothing has changed since; or it waits after launches */
    bool skip = false;
    /** Otherwise: called before it runs; device memory is accessible. */
    void begins(void *device, size_t pitch, int value, size_t width, size_t height);

  private:
    std::string key;
};

/** Counts what the lanes of a warp have logged, and empties the logs. */
void count_warp(Worker *w, unsigned warp);

/* ---- products of small matrices (mma.cpp) ---- */

void warp_product(const simgpu_mma_t *const lanes[32]);

/* ---- regions and permissions that a program sets with NVTX (regions.cpp) ---- */

extern bool regions_said; /**< it has divided memory, or removed permissions */
/** Compares an access of a kernel with them. */
SIMGPU_COLD void region_access(Worker *w, uint64_t offset, unsigned size, bool write,
                               bool atomic, uint32_t pc);
/** The allocation that begins there is freed. */
void regions_forget(uint64_t offset);

/* ---- the program's instructions (machine_code.cpp) ---- */

/** Does the store after this call of the tracer store a constant of the program? Only then is
 * it certain that all threads store the same value (`*found = 1`). */
SIMGPU_COLD bool stores_constant(uint32_t pc);
/** Is the volatile read after this call of the tracer in a polling loop, with a jump back over
 * it soon after? True if in doubt. */
SIMGPU_COLD bool polls(uint32_t pc);

/** Removes the calls of the tracer from the code of a program of `ladder sim`, or restores
 * them.
 */
void call_tracer(bool wanted);

/** The return address of the tracer's call for this access, even if the call is removed; 0 if
 * there is none near it. The compiler moves no access across such a call, but the line that it
 * records for the access may be that of a later use of the value. */
uintptr_t tracer_call_before(uintptr_t access);

/** The tracer's functions that can be removed from a program without a change of its results.
 */
std::vector<uintptr_t> tracer_calls();

/* ---- faults ---- */

/** Records a fault of the running thread. `what` completes "thread (0,0,0) ...". */
SIMGPU_COLD void kernel_fault(Worker *w, simgpu_fault_kind kind, const FaultPlace &place,
                              const char *what, ...) __attribute__((format(printf, 4, 5)));
/** Records a fault of any thread and block. */
SIMGPU_COLD void kernel_fault_at(const Launch *launch, simgpu_fault_kind kind,
                                 const FaultPlace &place, uint64_t block, uint32_t thread,
                                 const char *what, ...) __attribute__((format(printf, 6, 7)));
/** Records a fault of host code. */
SIMGPU_COLD void host_fault(simgpu_fault_kind kind, const FaultPlace &place, const char *kernel,
                            const char *what, ...) __attribute__((format(printf, 4, 5)));
/** The element at an offset of device memory, named after a kernel's argument: "a[31][5] of 28
 * x 24". `size`: bytes of the access, or 0. */
std::string element_name(const Launch *launch, uint64_t offset, unsigned size,
                         const Allocation *owner = nullptr);
/** Is this instruction in the kernel itself, and not in a function that it calls? */
bool in_kernel_itself(const Launch *launch, uint32_t pc);
/** An element outside an allocation that several of the kernel's arguments point into, named
 * after the argument in the line of `pc`; "" if that line has several of them, or if only one
 * argument points there. */
std::string element_name_in_line(const Launch *launch, uint64_t offset, const Allocation &owner,
                                 uint32_t pc);
/** The same for an address outside device memory that an index of an argument may have led to;
 * "" if there is memory at the address. */
std::string stray_element_name(const Launch *launch, uintptr_t address);
/** Advice if an allocation, or the copy that filled it, counted elements instead of bytes; or
 * null. `word`: offset of a word outside the allocation, or never written. */
const char *bytes_advice(const Launch *launch, const Allocation &allocation, uint64_t word);
/** "the 4096 bytes allocated at main.cu:31 (d_a)". */
std::string allocation_name(const Allocation &allocation);
/** Was a call refused that may have been intended to fill device memory? */
bool call_refused();
/** Prints in one line the memory of cudaMalloc that was never freed. */
void note_leaks();
/** Withdraws races between atomics and these reads. */
void faults_forget_guards(const std::vector<uint32_t> &reads);
/** Remembers a launch for simgpu_last_launch(). */
void note_launch(const simgpu_launch_desc &desc);
/** Prints a note, once for each place, about a host call that may be right; it is not a fault.
 */
SIMGPU_COLD void host_note(uint32_t pc, const std::string &what, const char *advice);
/** Adds a worker's own fault counts to the records. */
void faults_flush(Worker *w);
/** Prints the faults that are not printed yet. */
void faults_print();
/** Distinct faults so far, readable even while the program ends. */
extern std::atomic<int> faults_seen;

/* ---- symbols ---- */

struct SourceLine {
    std::string file; /**< empty: unknown */
    int line = 0;
    std::string function;
    /** Its callers, as far as calls are inlined there: file, line, function. */
    std::vector<SourceLine> callers;
};
/** The address at which the program was loaded. */
extern uintptr_t image_bias;
/** An address in the program, as the tracer stores it. */
inline uint32_t pc_of(uintptr_t return_address)
{
    return (uint32_t)(return_address - image_bias);
}
/** Looks up several addresses at once, and keeps the results. */
void resolve(const std::vector<uint32_t> &pcs);
SourceLine source_of(uint32_t pc);
std::string function_at(const void *address);
/** The path as messages show it: relative to the project if possible. */
std::string display_path(const std::string &path);
/** The text of a line, without leading blanks unless `whole`; empty if the file cannot be read.
 */
std::string source_text(const std::string &file, int line, bool whole = false);
/** Is this address in a read-only part of the program? */
bool is_read_only(uintptr_t address);
bool is_constant_memory(uintptr_t address);
/** Is it one of the program's variables outside all functions? */
bool is_host_variable(uintptr_t address);
/** Is it an address of the program's own memory, and not of the simulator's tables? */
bool is_mapped(uintptr_t address);
bool is_program_code(uintptr_t instruction);
/** Does this instruction belong to the user's code, not to the simulator or a library? */
bool is_user_code(uintptr_t instruction);
/** True while the calling thread looks up lines or names. */
bool asks_for_lines();
/** The nearest frame on the caller's stack that is in the program, outside the simulator. */
uint32_t calling_pc();
/** The same for a stored stack. */
uint32_t calling_pc_of(void *const *frames, int count);

/* ---- signals ---- */

/** Installs handlers for protection faults and for the end of the program. */
void signals_init();
/** Gives the calling thread, which runs kernels, a stack for the handler. */
void signals_init_thread();
/** The signal that stops a worker whose time is over. */
int signals_look();
/** Unblocks that signal in the calling thread after a handler that did not return. */
void signals_allow_look();

std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
std::string vformat(const char *text, va_list arguments);

} // namespace simgpu

#endif
