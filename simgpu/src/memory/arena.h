/* SPDX-License-Identifier: MIT */
/** @file arena.h
 * Device memory: allocations, device variables, and who has accessed them.
 */
#ifndef SIMGPU_SRC_ARENA_H
#define SIMGPU_SRC_ARENA_H

#include "src/base.h"

namespace simgpu
{

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
 * launches; a launch's first_serial is that of several of its blocks. */
struct GlobalTouch : Touch {
    uint32_t writing_block, reading_block;
};

/** What is recorded for each word, or each byte, of device memory: 8 or 32 times its size.
 * Linux has addresses for all of it. A web page has not, and takes a piece when it is first
 * asked for (web/machine/memory.cpp). */
class Touches
{
  public:
    /** False if the system has no addresses for so many. */
    bool reserve(uint64_t count);
    void release();
    /** Makes these zero, and releases their memory. */
    void forget(uint64_t begin, uint64_t count);
    bool contains(uintptr_t address) const;
#ifdef __wasm__
    GlobalTouch &operator[](uint64_t i)
    {
        GlobalTouch *&piece = pieces[i / piece_length];
        if (__builtin_expect(!piece, 0))
            piece = new_piece();
        return piece[i % piece_length];
    }

  private:
    static constexpr uint64_t piece_length = 1 << 14;
    static GlobalTouch *new_piece();
    GlobalTouch **pieces = nullptr;
    uint64_t length = 0;
#else
    GlobalTouch &operator[](uint64_t i) { return all[i]; }

  private:
    GlobalTouch *all = nullptr;
    uint64_t length = 0;
#endif
};

struct Allocation {
    Count offset = 0, size = 0;
    uint64_t red_zone = 0; /**< unused bytes after it */
    unsigned number = 0;   /**< in order of allocation, from 1 */
    int device = 0;        /**< the device that was current */
    uint32_t heap_pc = 0;  /**< where a kernel called malloc or new; else 0 */
    const char *file = nullptr;
    int line = 0;
    const char *name = nullptr; /**< the variable's name */
    size_t element = 4;         /**< bytes of an element, as a kernel takes it */
    size_t filled = 0;  /**< bytes of the last copy or memset to its beginning; 0: all bytes */
    void *filled_by[8]; /**< the stack at that call */
    int filled_frames = 0;
    bool alias = false;
    size_t pitch = 0; /**< bytes from row to row, by cudaMallocPitch; 0: no rows */
    bool freed = false;
    bool written_unseen = false; /**< an untraced kernel may have written anywhere in it */
};

/** What no kernel has read of an array that the host has filled and kernels have read in part,
 * if it is the same columns of all rows: "columns 32 to 39, in rows of 40 elements, of the
 * 7680 bytes allocated at main.cu:24 (a)". Freed arrays are among them. */
std::vector<std::string> arena_never_read();

struct Arena {
    unsigned char *base = nullptr;
    uint64_t size = 0;        /**< how many addresses are reserved */
    uint64_t high_water = 0;  /**< highest offset ever given out */
    uint8_t *state = nullptr; /**< a State for each word */
    Touches shadow;           /**< one for each word */
    Touches byte_shadow;      /**< one for each byte of words with touch_split */
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
extern bool out_of_memory; /**< cudaMalloc has returned no memory */
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
inline uint64_t arena_offset(const void *p) { return (uintptr_t)p - (uintptr_t)arena.base; }
/** Records how much of an allocation host code has filled, from the beginning. */
void arena_note_filled(const void *pointer, size_t bytes);
void arena_note_pitch(const void *pointer, size_t pitch);
/** Was anything of this range written? */
bool arena_any_written(const void *pointer, size_t bytes);
/** Records that a kernel takes a pointer to elements of this size. */
void arena_note_element(const void *pointer, size_t bytes);
/** Elements that were never written, among others that were. */
struct Unwritten {
    size_t bytes = 0, first = 0; /**< first: the byte at which the first begins */
    bool last = false;           /**< they are the last ones */
};
Unwritten arena_unwritten(const void *pointer, size_t pitch, size_t width, size_t height);
/** The live allocation that holds this offset, or null. */
const Allocation *arena_find(uint64_t offset);
/** The allocation, live or freed, that is nearest to a stray offset. */
const Allocation *arena_nearest(uint64_t offset);
std::vector<Allocation> arena_live();
void arena_for_each(const std::function<void(const Allocation &)> &f);
/** Device memory is accessible only between these two calls; they nest. */
void arena_open();
void arena_close();
void arena_mark(const void *pointer, size_t bytes, State state);
void arena_written_unseen();
/** A hash of the contents of live allocations and device variables; `host`: only of memory that
 * host code may change without a call. */
uint64_t arena_hash(bool host);
/** Is there memory that host code may read without a call? */
bool host_sees_memory();
/** Releases pages of memory that was freed while waiting launches might still use it. */
void arena_forget_freed();
/** After a traced launch, releases the pages that record who touched memory, if many. */
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
    uint64_t offset_of(uintptr_t address) const { return offset + (address - begin); }
};
void alias_add(void *memory, size_t size, AliasKind kind, const char *name, const char *file,
               int line);
/** Returns false if no alias begins at `memory`. */
bool alias_remove(const void *memory);
const Alias *alias_find(uintptr_t address);
extern bool have_aliases;
inline const Alias *alias_at(const volatile void *p)
{
    return have_aliases ? alias_find((uintptr_t)p) : nullptr;
}
/** The program knows from now on where this __device__ variable is. */
void alias_give(const void *variable);
/** Does this range overlap an alias? */
bool alias_within(uintptr_t begin, size_t size);
/** Does a range of offsets touch an alias that host code may touch too? */
bool alias_offsets_within(uint64_t begin, uint64_t end);
/** Is there a device variable of this name? */
bool alias_named(const std::string &name);
extern bool host_aliases; /**< there are some whose accesses by host code are watched */
/** Is this device memory, in the arena or elsewhere? If so, sets its offset. */
bool device_offset(const void *p, uint64_t *offset);
/** A __constant__ variable without an initialiser that was not filled so far. */
struct EmptyConstant {
    const char *name;
    uintptr_t begin;
    size_t size;
};
std::vector<EmptyConstant> &empty_constants();
/** Where the bytes of an offset are stored. */
unsigned char *data_at(uint64_t offset);

/*
 * Objects with virtual functions that the host has made and copied to the device. Their tables
 * of functions are in the host's memory, where a kernel that calls such a function cannot read.
 */
/** Looks for such objects in what the host has copied to the arena. */
void find_host_objects(const void *to, size_t bytes);
/** While a kernel runs, the pointers of these objects to their tables lead nowhere. */
void hide_host_tables();
void show_host_tables();
/** Is it an address in such a table, as a kernel sees it? In a web page: of such an object. */
bool in_host_table(uintptr_t address);
/** In a web page: a kernel makes an object here. */
void forget_host_object(const void *object);
extern const char *const host_table_advice;

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

} // namespace simgpu

#endif
