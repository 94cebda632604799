/* SPDX-License-Identifier: MIT */
/** @file blocks.h
 * Launches, blocks and threads, and the data that the tracer keeps about them.
 */
#ifndef SIMGPU_SRC_BLOCKS_H
#define SIMGPU_SRC_BLOCKS_H

#include "src/counts/counts.h"
#include "src/faults/faults.h"

namespace simgpu
{

enum class ThreadState : uint8_t {
    ready,
    running,
    at_barrier,
    at_warp,
    converging,
    awaiting, /**< at a cuda::barrier: until the phase at spin_address is not `spins` */
    log_full,
    at_phase, /**< waits for a phase of an mbarrier, for the cluster, or for products */
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

/** The collective operation that a lane waits in; the shuffles as in simgpu_shuffle_kind. */
enum class Collective : uint8_t { barrier, ballot, gather, shuffle, up, down, by_xor };

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
    /** Lanes whose last shuffle read a lane outside the mask, or one that has `used` such a
     * value: then it brings another value than before to a shuffle down over a shorter
     * distance, the next of a reduction. */
    uint32_t doubtful = 0, used = 0;
    uint8_t distance[32];
    uint64_t brought[32];
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
    bool mapped = false;  /**< all its accesses are kept in heat maps */
    bool captured = true; /**< so are those of the captured warp */
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
    /** of a cluster, in blocks; the kernel's first thread may set it: `again` is then true, and
     * the blocks begin again */
    unsigned cluster[3] = {1, 1, 1};
    std::atomic<bool> again{false};
    /** a thread used bytes of a copy before they came: what it does now may follow from that */
    std::atomic<bool> misled{false};
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
    std::mutex constants_mutex;
    std::set<uintptr_t> constants; /**< words of __constant__ memory read, if it is watched */
    std::mutex plain_mutex;
    std::unordered_map<uint64_t, PlainWrite> plain_writes; /**< by offset */
    std::vector<FlagWrite> flag_writes;                    /**< by block; under plain_mutex */
    std::atomic<uint64_t> flag_ticks{0};
    std::mutex sections_mutex;
    /** critical sections without a fence at their beginning */
    std::vector<Section> sections;
    const char *kernel_name() const { return desc.kernel_text; }
    bool in_clusters() const { return cluster[0] * cluster[1] * cluster[2] > 1; }
    bool strayed() const { return stray.order != ~0ull; }
};

/** An asynchronous copy of a thread that has not arrived yet. */
struct AsyncCopy {
    unsigned char *to;
    unsigned size;
    unsigned char bytes[16];
    uint32_t pc;
    uint32_t group; /**< committed once the thread has committed more groups than this */
};

/** Those of a block. */
struct AsyncCopies {
    std::vector<std::vector<AsyncCopy>> of_thread; /**< in order */
    std::vector<uint32_t> groups; /**< of copies that each thread has committed */
    unsigned count = 0;
    uint16_t pending[4096] = {}; /**< copies into 16 bytes, by their address modulo 64 KiB: most
                                    reads meet none */
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

/** Bytes that a call of the tracer has announced; `left`: how many of them are yet to come. */
struct Announced {
    uintptr_t at = 0, size = 0, left = 0;
    bool write = false;
};

/** One host thread that runs blocks. */
struct Worker {
    Announced *last_announced = announced; /**< these two are read in unseen.cpp */
    uintptr_t stack_low = 0;
    Announced announced[8]; /**< by the latest calls of the tracer */
    Launch *launch = nullptr;
    bool tracing = false, counting = false, capturing_block = false;
    unsigned capture_unit = 0;                          /**< the captured warp or half-warp */
    std::unordered_map<uint64_t, unsigned> captured_of; /**< by instruction */
    uint32_t watched = 0;  /**< the launch, if its accesses must be marked */
    uint32_t current = 0;  /**< linear index of the running thread */
    Thread *now = nullptr; /**< the running thread */
    uint64_t block = 0;
    uint32_t serial = 0;
    unsigned threads_count = 0, ready = 0, done = 0, at_barrier = 0, position = 0;
    unsigned grid_barriers = 0; /**< how many barriers of the grid the block has reached */
    unsigned converging = 0;    /**< threads in simgpu_active_lanes() */
    unsigned awaiting = 0;      /**< threads in simgpu_await() */
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
    uintptr_t constant_read = 0; /**< the last word of Launch::constants that it has added */
    /** As heat_maps, of this launch. */
    std::unordered_map<uint64_t, HeatMap> heat;
    std::vector<CapturedRequest> captures;
    AsyncCopies async_copies;
    struct Proxy *proxy = nullptr; /**< barriers, copies and products (async_proxy.h) */
    unsigned at_phase = 0;         /**< threads in this state */
    bool copies_run = false;       /**< bulk copies to this block are under way */
    bool products_run = false;     /**< products write registers of this block */
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
/** Processor time of all processors; it does not depend on the load of the machine. */
double cpu_seconds();
/** Runs blocks of a launch until none is left; in a cluster those of one rank. */
void run_blocks(Worker *w, Launch *launch, struct Cluster *cluster = nullptr,
                unsigned rank = 0);
/** For the host threads that run clusters of this size, one after another (clusters.cpp). */
std::shared_ptr<Cluster> cluster_create(unsigned size);
/** Reports a kernel whose output the program does not wait for (repeats.cpp). */
void check_printing();
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
/** Checks and logs an access that the compiler has not announced. */
void trace_range(Worker *w, uintptr_t address, size_t size, bool write,
                 uintptr_t return_address);
/** Checks and logs a copy's access: one of 4, 8 or 16 bytes, other sizes by words where
 * possible. */
void trace_bytes(Worker *w, uintptr_t address, size_t size, bool write,
                 uintptr_t return_address);
const SharedArray *nearest_shared_array(Launch *launch, uint32_t offset);

/* ---- what each thread of the captured warp does, for a web page (steps.cpp) ---- */

/** Kinds of a step that are no Op. */
enum : unsigned {
    step_barrier = (unsigned)Op::count,
    step_warp_barrier,
    step_shuffle,
    step_vote
};
#ifdef __wasm__
/** The running thread of a captured block makes a step: an access, or a meeting with others,
 * to which it brought one value and from which it got another. */
void note_step(Worker *w, unsigned kind, unsigned size, uint64_t offset, uint32_t pc,
               uint64_t brought = 0, uint64_t got = 0);
/** Reads what the last steps have stored. */
void settle_steps();
void write_steps(FILE *out);
#else
inline void note_step(Worker *, unsigned, unsigned, uint64_t, uint32_t, uint64_t = 0,
                      uint64_t = 0)
{
}
inline void settle_steps() {}
#endif

} // namespace simgpu

#endif
