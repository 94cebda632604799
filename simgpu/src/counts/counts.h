/* SPDX-License-Identifier: MIT */
/** @file counts.h
 * Accesses, the requests that they form, and their counts.
 */
#ifndef SIMGPU_SRC_COUNTS_H
#define SIMGPU_SRC_COUNTS_H

#include "src/base.h"

namespace simgpu
{

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
    Count conflict = 0; /**< the most passes of a request over those without conflicts */
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
    unsigned launch, block[3], unit;                  /**< unit: the warp or half-warp */
    std::vector<std::pair<unsigned, uint64_t>> place; /**< of each lane: allocation, offset */
    std::string array; /**< the shared array, or the variable of the first lane's allocation */
    std::string kernel;
};

/** What all warps (or half-warps) of a launch touch in one array. A row is a time: how many
 * requests to the array the warp has made before. A column is a bank of shared memory, or a
 * piece of the array. */
struct HeatMap {
    enum { ROWS = 32, COLUMNS = 32 };
    struct Cell {
        Count requests = 0;      /**< that touch it */
        unsigned words = 0;      /**< the most different words in it that one request touches */
        uint64_t thread = ~0ull; /**< the first thread of the launch that touches it */
        uint32_t pc = 0;         /**< where that thread does */
        void add(const Cell &other);
    };
    Count piece = 4, times = 1;        /**< bytes of a column, times of a row */
    unsigned threads = 0, columns = 0; /**< threads of a block */
    std::string array;
    std::unordered_map<unsigned, Count> made; /**< by each warp of the block: requests */
    std::vector<Cell> cells = std::vector<Cell>(ROWS * COLUMNS);
    void halve(); /**< makes two rows one */
    void add(HeatMap other);
};
/** The array of a request: a kernel's heat maps are kept by it. */
inline uint64_t array_key(bool shared, uint64_t begin) { return begin << 1 | shared; }

extern SiteTable &total_sites; /* these are needed while the program ends */
extern std::vector<CapturedRequest> &captured;
/** A launch without the block or the thread whose warp is wanted: "kernel k has 2 blocks ...".
 */
extern std::string &without_captured;
/** Looks up the lines of all of them at once. */
void resolve_captured();
/** By kernel, of its first launch, and array. */
extern std::map<std::pair<std::string, uint64_t>, HeatMap> &heat_maps;
extern std::map<std::string, unsigned> &launches_of_kernel; /**< how many were counted so far */

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

} // namespace simgpu

#endif
