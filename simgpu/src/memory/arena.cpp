/* SPDX-License-Identifier: MIT */
/** @file arena.cpp
 * Device memory: a range of addresses that the processor protects except while a kernel or a
 * copy runs. So host code that follows a device pointer stops at once.
 *
 * Each four bytes have a State and (for traced kernels) a GlobalTouch. These are in separate
 * address ranges, which the system fills with zeros at the first touch.
 */
#include "src/streams/graphs.h"
#include "src/tracer/tracer.h"

namespace simgpu
{

Arena arena;
bool out_of_memory;

namespace
{

constexpr uint64_t alignment = 512, first_offset = 1 << 20;

/* Device variables are registered before main and looked up while the program ends, so the
 * books must exist first and are never destroyed. */
struct Books {
    std::map<uint64_t, Allocation> live, freed;
    std::vector<Alias> aliases;
    std::recursive_mutex mutex, turns;
};
Books &books()
{
    static Books *books = new Books;
    return *books;
}
/** Kernels allocate, too (malloc, new), while other threads look up allocations. */
struct BooksLock {
    BooksLock() { books().mutex.lock(); }
    ~BooksLock() { books().mutex.unlock(); }
};
uint64_t cursor = first_offset;
size_t used_bytes, limit_bytes, heap_bytes;
unsigned allocation_count;
int open_depth;
uint64_t open_bytes; /* how many bytes are accessible now */

/** Unused addresses after an allocation: more for larger ones, whose wrong indices stray
 * further. */
uint64_t red_zone(uint64_t size)
{
    const uint64_t least = std::min<uint64_t>(64 << 10, arena.size / 4096);
    return std::min<uint64_t>(std::max<uint64_t>(size / 4, least), 64 << 20);
}

/** Forgets everything about a freed range and returns its pages to the system, including those
 * at its ends that no neighbour shares. Otherwise each launch would open and close them too. */
void forget_range(uint64_t offset, uint64_t size)
{
    uint64_t begin = offset / 4096 * 4096, end = (offset + size + 4095) / 4096 * 4096;
    auto next = books().live.lower_bound(offset);
    uint64_t after = next == books().live.end() ? arena.size : next->first, before = 0;
    if (next != books().live.begin())
        before = std::prev(next)->second.offset + std::prev(next)->second.size;
    if (after < end)
        end -= 4096;
    if (before > begin)
        begin += 4096;
    if (begin < end) {
        forget_memory(arena.base + begin, end - begin);
        if (open_depth == 0)
            forget_tables(arena.base + std::max(before, begin - std::min(begin, page_table)),
                          arena.base + std::min(after, end + page_table));
        arena.shadow.forget(begin / 4, (end - begin) / 4);
        arena.byte_shadow.forget(begin, end - begin);
    }
}

/* Memory that was freed while launches waited. */
std::vector<std::pair<uint64_t, uint64_t>> freed_later;
uint64_t freed_later_bytes;

/** Drops the memory of freed allocations whose addresses are used again. */
void recycle(uint64_t offset, uint64_t size)
{
    auto i = books().freed.lower_bound(offset);
    if (i != books().freed.begin() &&
        std::prev(i)->second.offset + std::prev(i)->second.size > offset)
        --i;
    while (i != books().freed.end() && i->second.offset < offset + size) {
        memset(arena.state + i->second.offset / 4, state_nothing, (i->second.size + 3) / 4);
        i = books().freed.erase(i);
    }
}

/** The live allocation that begins here, or null. */
Allocation *beginning_at(uint64_t offset)
{
    auto i = books().live.find(offset);
    return i == books().live.end() ? nullptr : &i->second;
}

uint64_t end_of(const Allocation &a) { return a.offset + a.size + a.red_zone; }

/** Looks for `need` free bytes between `from` and `to`; 0 if there are none. */
uint64_t find_gap(uint64_t from, uint64_t to, uint64_t need)
{
    auto i = books().live.upper_bound(from);
    uint64_t at =
        i == books().live.begin() ? from : std::max(from, end_of(std::prev(i)->second));
    for (;;) {
        at = (at + alignment - 1) / alignment * alignment;
        if (at + need > to)
            return 0;
        if (i == books().live.end() || at + need <= i->first)
            return at;
        at = end_of(i->second);
        ++i;
    }
}

} // namespace

void arena_init()
{
    if (arena.base)
        return;
    /* The state takes a quarter of the arena's addresses, `touched` very little; only what is
       touched takes memory. Where the system limits address space, a smaller arena will do. */
    for (uint64_t size = most_device_memory; size >= least_device_memory; size /= 2) {
        const uint64_t sizes[] = {size, size / 4, size / touched_piece * sizeof(uint32_t)};
        void *part[3];
        int found = 0;
        while (found < 3 && (part[found] = reserve_memory(sizes[found], found > 0)))
            found++;
        if (found == 3 && arena.shadow.reserve(size / 4) && arena.byte_shadow.reserve(size)) {
            arena.base = static_cast<unsigned char *>(part[0]);
            arena.state = static_cast<uint8_t *>(part[1]);
            arena.touched = static_cast<uint32_t *>(part[2]);
            arena.size = size;
            break;
        }
        arena.shadow.release();
        while (found-- > 0)
            release_memory(part[found], sizes[found]);
    }
    if (!arena.base) {
        fprintf(stderr, "simgpu: the system has no address space for device memory\n");
        exit(3);
    }
    arena.high_water = first_offset;
    signals_init();
}

size_t arena_limit()
{
    if (limit_bytes)
        return limit_bytes;
    arena_init();
    /* lets a test see how a program behaves with little memory */
    if (const char *memory = getenv("SIMGPU_MEMORY"))
        return std::min<size_t>(strtoull(memory, nullptr, 10), arena.size / addresses_per_byte);
    return std::min<uint64_t>(physical_memory() / 2, arena.size / addresses_per_byte);
}

void arena_set_limit(size_t bytes) { limit_bytes = bytes; }

size_t arena_used() { return used_bytes; }

/** Allocates with `red` unused bytes after it; null if no memory is left. */
static Allocation *allocate(size_t bytes, uint64_t red)
{
    arena_init();
    BooksLock lock;
    if (bytes == 0 || bytes > arena_limit() || used_bytes + bytes > arena_limit())
        return nullptr;
    /* The cursor goes round, so freed addresses stay unused for long: a pointer kept after
     * cudaFree does not point into the next allocation. */
    uint64_t need = bytes + red;
    uint64_t offset = find_gap(cursor, arena.size, need);
    if (!offset)
        offset = find_gap(first_offset, arena.size, need);
    if (!offset)
        return nullptr;
    cursor = offset + need;
    arena.high_water = std::max(arena.high_water, (cursor + 4095) / 4096 * 4096);
    recycle(offset, bytes);

    Allocation &a = books().live[offset] = Allocation();
    a.offset = offset;
    a.size = bytes;
    a.red_zone = red;
    a.number = ++allocation_count;
    a.device = current_device();
    used_bytes += bytes;
    memset(arena.state + offset / 4, state_unwritten, bytes / 4);
    if (bytes % 4)
        arena.state[(offset + bytes) / 4] = state_tail;
    return &a;
}

void *arena_allocate(size_t bytes, const char *file, int line)
{
    HostTurn turn;
    arena_init();
    /* Freed addresses are used again only after the waiting launches. */
    constexpr uint64_t most_freed = 256 << 20;
    if (launches_wait() &&
        (freed_later_bytes > most_freed || bytes > arena.size - std::min(cursor, arena.size)))
        settle_launches();
    memory_changed();
    Allocation *a = allocate(bytes, red_zone(bytes));
    if (!a)
        return nullptr;
    a->file = file;
    a->line = line;
    return arena.base + a->offset;
}

static auto &never_read = *new std::vector<std::string>; /* needed at the end */
static bool touches_forgotten;
constexpr size_t rows_at_least = 4; /* of a matrix: programs may need only a part of a vector */

static void note_never_read(const Allocation &a)
{
    const uint64_t words = std::max<uint64_t>(1, a.element / 4), count = a.size / 4 / words;
    std::vector<std::pair<uint64_t, uint64_t>> runs; /* first element, and how many */
    bool any_read = false;
    if (a.offset >= arena.size || !a.file || a.name || a.alias || a.heap_pc || a.element % 4 ||
        a.size > 64 << 20) /* larger ones would take long */
        return;
    for (uint64_t i = 0; i < count; i++) {
        bool filled = true, read = false;
        for (uint64_t word = a.offset / 4 + i * words, end = word + words; word < end; word++) {
            const GlobalTouch &t = arena.shadow[word];
            if (t.writing_block || t.flags & touch_split)
                return;
            filled = filled && arena.state[word] == state_written;
            read = read || t.reading_block;
        }
        any_read = any_read || read;
        if (!filled || read)
            continue;
        if (!runs.empty() && runs.back().first + runs.back().second == i)
            runs.back().second++;
        else
            runs.push_back({i, 1});
    }
    if (!any_read || runs.size() < rows_at_least)
        return;
    const uint64_t first = runs[0].first, length = runs[0].second, row = runs[1].first - first;
    for (size_t i = 0; i < runs.size(); i++)
        if (runs[i].second != length || runs[i].first != first + i * row)
            return;
    if (first >= row || runs.size() * row != count)
        return;
    never_read.push_back(format("columns %llu to %llu, in rows of %llu elements, of %s",
                                (Count)first, (Count)(first + length - 1), (Count)row,
                                allocation_name(a).c_str()));
}

std::vector<std::string> arena_never_read()
{
    BooksLock lock;
    if (touches_forgotten || library_calls || launches_untraced())
        return {};
    for (auto &[offset, a] : books().live)
        note_never_read(a);
    return never_read;
}

bool arena_free(void *pointer)
{
    HostTurn turn;
    memory_changed();
    BooksLock lock;
    auto i = books().live.find(arena_offset(pointer));
    if (!arena.base || i == books().live.end())
        return false;
    /* Keep the Allocation's address: another thread may be using it. */
    Allocation &a = books().freed.insert(books().live.extract(i)).position->second;
    if (settings.standalone && !launches_wait())
        note_never_read(a);
    used_bytes -= a.size;
    a.freed = true;
    order_forget(a.offset, a.offset + a.size);
    memset(arena.state + a.offset / 4, state_freed, (a.size + 3) / 4);
    if (launches_wait()) {
        freed_later.push_back({a.offset, a.size});
        freed_later_bytes += a.size;
        if (books().live.empty()) {
            drop_launches();
            arena_forget_freed();
        }
    } else {
        forget_range(a.offset, a.size);
    }
    return true;
}

void arena_forget_freed()
{
    BooksLock lock;
    for (auto [offset, size] : freed_later)
        forget_range(offset, size);
    freed_later.clear();
    freed_later_bytes = 0;
}

/* ---- allocations by kernels ---- */

std::atomic<size_t> heap_limit{8 << 20};

void *heap_allocate(size_t bytes, uint32_t pc, bool traced)
{
    constexpr uint64_t heap_red_zone = 512, growth = 1 << 20;
    BooksLock lock;
    if (heap_bytes + bytes > heap_limit)
        return nullptr;
    Allocation *a = allocate(bytes, heap_red_zone);
    if (!a)
        return nullptr;
    a->heap_pc = pc;
    a->written_unseen = !traced;
    heap_bytes += bytes;
    if (arena.high_water > open_bytes) { /* device memory is open already */
        open_bytes = std::min(arena.high_water + growth, arena.size);
        open_memory(arena.base, open_bytes, true);
    }
    return arena.base + a->offset;
}

bool heap_free(void *pointer)
{
    BooksLock lock;
    const Allocation *a = beginning_at(arena_offset(pointer));
    if (!a || !a->heap_pc)
        return false;
    heap_bytes -= a->size;
    return arena_free(pointer);
}

void arena_free_all()
{
    heap_bytes = 0;
    std::vector<uint64_t> all;
    for (auto &entry : books().live)
        if (!entry.second.alias)
            all.push_back(entry.first);
    for (uint64_t offset : all)
        arena_free(arena.base + offset);
}

const Allocation *arena_find(uint64_t offset)
{
    BooksLock lock;
    auto i = books().live.upper_bound(offset);
    if (i == books().live.begin())
        return nullptr;
    --i;
    return offset < i->second.offset + i->second.size ? &i->second : nullptr;
}

const Allocation *arena_nearest(uint64_t offset)
{
    BooksLock lock;
    const Allocation *best = nullptr;
    uint64_t best_distance = ~0ull;
    for (auto *map : {&books().live, &books().freed}) {
        auto i = map->upper_bound(offset);
        if (i != map->begin()) {
            const Allocation &a = std::prev(i)->second;
            uint64_t distance =
                offset < a.offset + a.size ? 0 : offset - (a.offset + a.size) + 1;
            if (distance < best_distance)
                best = &a, best_distance = distance;
        }
        if (i != map->end() && i->second.offset - offset < best_distance)
            best = &i->second, best_distance = i->second.offset - offset;
    }
    return best;
}

std::vector<Allocation> arena_live()
{
    std::vector<Allocation> all;
    for (auto &entry : books().live)
        if (!entry.second.alias)
            all.push_back(entry.second);
    return all;
}

void arena_for_each(const std::function<void(const Allocation &)> &f)
{
    BooksLock lock;
    for (auto &entry : books().live)
        f(entry.second);
}

/* ---- device memory elsewhere ---- */

bool have_aliases, host_aliases;
/* Constants are registered before main. */
std::vector<EmptyConstant> &empty_constants()
{
    static auto *constants = new std::vector<EmptyConstant>;
    return *constants;
}

void alias_add(void *memory, size_t size, AliasKind kind, const char *name, const char *file,
               int line)
{
    HostTurn turn;
    unsigned char *place = static_cast<unsigned char *>(arena_allocate(size, file, line));
    if (!place)
        return;
    uint64_t offset = (uint64_t)(place - arena.base);
    memset(arena.state + offset / 4, state_written, size / 4);
    books().live[offset].alias = true;
    books().live[offset].name = name;
    used_bytes -= size;
    books().aliases.push_back({(uintptr_t)memory, size, offset, kind, false});
    have_aliases = true;
    if (kind == AliasKind::vector)
        return;
    host_aliases = true;
    call_tracer(true);
    if (kind != AliasKind::variable)
        order_watch();
}

bool alias_remove(const void *memory)
{
    HostTurn turn;
    for (size_t i = 0; i < books().aliases.size(); i++)
        if (books().aliases[i].begin == (uintptr_t)memory) {
            used_bytes += books().aliases[i].size;
            arena_free(arena.base + books().aliases[i].offset);
            books().aliases.erase(books().aliases.begin() + (long)i);
            return true;
        }
    return false;
}

const Alias *alias_find(uintptr_t address)
{
    for (const Alias &a : books().aliases)
        if (address - a.begin < a.size)
            return &a;
    return nullptr;
}

void alias_give(const void *variable)
{
    for (Alias &a : books().aliases)
        a.given |= a.begin == (uintptr_t)variable;
}

bool alias_within(uintptr_t begin, size_t size)
{
    for (const Alias &a : books().aliases)
        if (begin < a.begin + a.size && a.begin < begin + size)
            return true;
    return false;
}

bool alias_offsets_within(uint64_t begin, uint64_t end)
{
    for (const Alias &a : books().aliases)
        if (a.host_may() && begin < a.offset + a.size && a.offset < end)
            return true;
    return false;
}

bool alias_named(const std::string &name)
{
    BooksLock lock;
    for (auto &[offset, a] : books().live)
        if (a.name && a.name == name)
            return true;
    return false;
}

bool is_mapped(uintptr_t address)
{
    /* The simulator's own tables for device memory are not memory of the program. */
    bool in_tables = address - (uintptr_t)arena.state < arena.size / 4 ||
                     arena.shadow.contains(address) || arena.byte_shadow.contains(address);
    return !in_tables && has_memory(address);
}

bool device_offset(const void *p, uint64_t *offset)
{
    if (arena.base && arena_contains(p)) {
        *offset = arena_offset(p);
        return true;
    }
    const Alias *a = alias_at(p);
    if (a)
        *offset = a->offset_of((uintptr_t)p);
    return a != nullptr;
}

unsigned char *data_at(uint64_t offset)
{
    for (const Alias &a : books().aliases)
        if (offset - a.offset < a.size)
            return (unsigned char *)a.begin + (offset - a.offset);
    return arena.base + offset;
}

void arena_note_pitch(const void *pointer, size_t pitch)
{
    if (Allocation *a = beginning_at(arena_offset(pointer)))
        a->pitch = pitch;
}

void arena_note_filled(const void *pointer, size_t bytes)
{
    Allocation *a = beginning_at(arena_offset(pointer));
    if (!a)
        return;
    a->filled = bytes < a->size ? bytes : 0;
    a->filled_frames = a->filled ? calling_frames(a->filled_by, 8) : 0;
}

void arena_note_element(const void *pointer, size_t bytes)
{
    if (Allocation *a = beginning_at(arena_offset(pointer)))
        a->element = bytes;
}

bool arena_any_written(const void *pointer, size_t bytes)
{
    uint64_t offset = arena_offset(pointer);
    const Allocation *a = arena_find(offset);
    if (!a || a->written_unseen)
        return true;
    for (uint64_t word = offset / 4; word < (offset + bytes + 3) / 4; word++)
        if (arena.state[word] != state_unwritten)
            return true;
    return false;
}

Unwritten arena_unwritten(const void *pointer, size_t pitch, size_t width, size_t height)
{
    Unwritten found;
    uint64_t offset = arena_offset(pointer);
    const Allocation *a = arena_find(offset);
    if (!a || a->written_unseen || offset % 4 || (a->pitch && height == 1))
        return found;
    /* A hole is as large as an element: compilers leave gaps inside structures. */
    const size_t step = a->element % 4 ? 4 : a->element;
    bool written = false, more = false;
    for (size_t row = 0; row < height; row++)
        for (size_t x = 0; x + step <= width; x += step) {
            const uint8_t *state = &arena.state[(offset + row * pitch + x) / 4];
            if (std::any_of(state, state + step / 4,
                            [](uint8_t s) { return s != state_unwritten; })) {
                written = true;
                more |= found.bytes > 0;
                continue;
            }
            if (!found.bytes)
                found.first = row * width + x;
            found.bytes += step;
        }
    found.last = !more && height == 1;
    return written ? found : Unwritten();
}

void arena_open()
{
    arena_init();
    settle_launches();
    if (open_depth++ == 0) {
        open_bytes = arena.high_water;
        open_memory(arena.base, open_bytes, true);
    }
}

void arena_close()
{
    if (--open_depth == 0)
        open_memory(arena.base, open_bytes, false);
}

bool arena_readable(uint64_t end) { return open_depth > 0 && end <= open_bytes; }

HostTurn::HostTurn()
{
    if (!this_worker)
        books().turns.lock();
}

HostTurn::~HostTurn()
{
    if (!this_worker)
        books().turns.unlock();
}

/** Marks bytes of one word as written. */
static void mark_bytes(uint64_t word, unsigned bytes)
{
    uint8_t &state = arena.state[word];
    if (state != state_unwritten && state != state_suspect && state < state_partial)
        return;
    state = (uint8_t)((state >= state_partial ? state : (uint8_t)state_partial) | bytes);
    if (state == (state_partial | 15))
        state = state_written;
}

void arena_mark(const void *pointer, size_t bytes, State state)
{
    uint64_t begin = arena_offset(pointer), end = begin + bytes;
    uint64_t from = (begin + 3) / 4, to = end / 4;
    if (to > from) {
        bool tail = arena.state[to - 1] == state_tail;
        memset(arena.state + from, state, to - from);
        if (tail)
            arena.state[to - 1] = state_tail;
    }
    if (state == state_written) /* words that were written in part */
        for (uint64_t byte = begin; byte < end; byte++) {
            if (byte / 4 < from || byte / 4 >= to)
                mark_bytes(byte / 4, 1u << byte % 4);
            else
                byte = to * 4 - 1;
        }
}

namespace
{
/** Four independent products, so that the hash runs at memory speed. */
struct Hash {
    uint64_t lanes[4] = {1, 2, 3, 4};
    void mix(int lane, uint64_t word)
    {
        uint64_t x = (lanes[lane] ^ word) * 0x9e3779b97f4a7c15ull;
        lanes[lane] = x << 29 | x >> 35;
    }
    void add(const unsigned char *at, size_t size)
    {
        size_t i = 0;
        uint64_t words[4];
        for (; i + sizeof words <= size; i += sizeof words) {
            memcpy(words, at + i, sizeof words);
            for (int lane = 0; lane < 4; lane++)
                mix(lane, words[lane]);
        }
        memset(words, 0, sizeof words);
        memcpy(words, at + i, size - i);
        for (int lane = 0; lane < 4; lane++)
            mix(lane, words[lane] + size);
    }
    uint64_t result()
    {
        for (int lane = 1; lane < 4; lane++)
            mix(0, lanes[lane]);
        return lanes[0];
    }
};
} // namespace

uint64_t arena_hash(bool host)
{
    BooksLock lock;
    Hash hash;
    for (auto &entry : books().live)
        if (!host && !entry.second.alias)
            hash.add(arena.base + entry.second.offset, entry.second.size);
    if (!host)
        for (auto [offset, size] : freed_later)
            hash.add(arena.base + offset, size);
    for (const Alias &alias : books().aliases)
        if (!host || alias.host_may())
            hash.add(reinterpret_cast<const unsigned char *>(alias.begin), alias.size);
    return hash.result();
}

bool host_sees_memory()
{
    for (const Alias &alias : books().aliases)
        if (alias.host_may())
            return true;
    return false;
}

void arena_forget_touches()
{
    constexpr uint64_t many = 768 << 20;
    if (resident_memory() < many)
        return;
    touches_forgotten = true;
    arena.shadow.forget(0, arena.high_water / 4);
    arena.byte_shadow.forget(0, arena.high_water);
}

void arena_written_unseen()
{
    for (auto &entry : books().live)
        entry.second.written_unseen = true;
}

void arena_settle_unseen()
{
    for (auto &entry : books().live) {
        Allocation &a = entry.second;
        if (a.written_unseen)
            arena_mark(arena.base + a.offset, a.size, state_written);
        a.written_unseen = false;
    }
}

} // namespace simgpu
