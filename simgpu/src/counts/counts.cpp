/* SPDX-License-Identifier: MIT */
/** @file counts.cpp
 * Groups the logged accesses of a half-warp or warp into requests, and adds up their costs.
 *
 * Two accesses belong to one request if they come from the same instruction (the same return
 * address in the kernel) and each is its thread's k-th there since the last barrier. Lanes that
 * take the same path have logs of the same shape, which are read in parallel. After the point
 * where paths differ, the rest is sorted.
 */
#include "src/streams/graphs.h"
#include "src/tracer/tracer.h"

namespace simgpu
{

SiteTable &total_sites = *new SiteTable;
std::vector<CapturedRequest> &captured = *new std::vector<CapturedRequest>;
std::string &without_captured = *new std::string;
std::map<std::pair<std::string, uint64_t>, HeatMap> &heat_maps =
    *new std::map<std::pair<std::string, uint64_t>, HeatMap>;
std::map<std::string, unsigned> &launches_of_kernel = *new std::map<std::string, unsigned>;

const char *op_name(Op op)
{
    static const char *const names[] = {
        "load", "store", "atomic", "shared load", "shared store", "shared atomic", "texture"};
    return names[(int)op];
}

void SiteCounts::add(const SiteCounts &o)
{
    requests += o.requests;
    accesses += o.accesses;
    transactions += o.transactions;
    bytes += o.bytes;
    useful += o.useful;
    passes += o.passes;
    ideal += o.ideal;
    conflict = std::max(conflict, o.conflict);
}

SiteCounts &SiteTable::at(uint32_t pc, Op op)
{
    uint64_t key = (uint64_t)pc << 8 | (uint64_t)op | 1ull << 63;
    size_t mask = slots.size() - 1;
    for (size_t i = (key * 0x9e3779b97f4a7c15ull) >> 40;; i++) {
        Slot &slot = slots[i & mask];
        if (slot.key == key)
            return slot.counts;
        if (!slot.key) {
            if (used * 2 >= slots.size()) {
                grow();
                return at(pc, op);
            }
            used++;
            slot.key = key;
            return slot.counts;
        }
    }
}

void SiteTable::grow()
{
    std::vector<Slot> old(slots.size() * 2);
    old.swap(slots);
    used = 0;
    for (const Slot &slot : old)
        if (slot.key)
            at((uint32_t)(slot.key >> 8), (Op)(slot.key & 0xff)) = slot.counts;
}

void SiteTable::clear()
{
    slots.assign(64, Slot());
    used = 0;
}

void SiteTable::merge_into(SiteTable &other)
{
    for_each(
        [&](uint32_t pc, Op op, const SiteCounts &counts) { other.at(pc, op).add(counts); });
    clear();
}

void HeatMap::Cell::add(const Cell &other)
{
    requests += other.requests;
    words = std::max(words, other.words);
    if (other.thread < thread) {
        thread = other.thread;
        pc = other.pc;
    }
}

void HeatMap::halve()
{
    for (unsigned i = 0; i < ROWS * COLUMNS; i++) {
        const Cell cell = cells[i];
        cells[i] = Cell();
        cells[i / COLUMNS / 2 * COLUMNS + i % COLUMNS].add(cell);
    }
    times *= 2;
}

void HeatMap::add(HeatMap other)
{
    while (times < other.times)
        halve();
    while (other.times < times)
        other.halve();
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        cells[i].add(other.cells[i]);
}

namespace
{

/** Adds a request to the heat map of the array that its first lane touches. */
void add_to_map(Worker *w, const Request &r, unsigned unit)
{
    const bool shared = is_shared(r.op), old = settings.model == SIMGPU_C1060;
    const unsigned banks = old ? 16 : 32;
    const SharedArray *tile =
        shared ? nearest_shared_array(w->launch, (uint32_t)r.address[0]) : nullptr;
    const Allocation *a = shared ? nullptr : arena_find(r.address[0]);
    if (!tile && !a)
        return;
    const Count begin = tile ? tile->offset : a->offset, size = tile ? tile->size : a->size;
    HeatMap &map = w->heat[array_key(shared, begin)];
    if (!map.threads) {
        map.threads = w->threads_count;
        map.array = tile      ? tile->name
                    : a->name ? a->name
                              : format("an array of %llu bytes", size);
        while (!shared && map.piece * HeatMap::COLUMNS < size)
            map.piece *= 2;
        map.columns = shared ? banks : (unsigned)((size + map.piece - 1) / map.piece);
    }
    Count time = map.made[unit]++;
    while (time / map.times >= HeatMap::ROWS)
        map.halve();
    HeatMap::Cell here[HeatMap::COLUMNS];
    uint64_t words[32 * 4];
    unsigned count = 0;
    for (unsigned i = 0; i < r.lanes; i++) {
        const uint64_t thread =
            w->block * map.threads + (old ? unit / 2 : unit) * 32 + r.lane[i];
        for (uint64_t at = r.address[i]; at < r.address[i] + r.size; at += 4) {
            const uint64_t column = shared ? at / 4 % banks : (at - begin) / map.piece;
            if (column >= map.columns)
                continue; /* of another array */
            here[column].add({1, 0, thread, r.pc});
            if (shared && count < 32 * 4)
                words[count++] = at / 4;
        }
    }
    std::sort(words, words + count);
    count = (unsigned)(std::unique(words, words + count) - words);
    for (unsigned i = 0; i < count; i++)
        here[words[i] % banks].words++;
    for (unsigned i = 0; i < HeatMap::COLUMNS; i++)
        if (here[i].requests) {
            here[i].requests = 1;
            map.cells[time / map.times * HeatMap::COLUMNS + i].add(here[i]);
        }
}

void capture(Worker *w, const Request &r)
{
    if (settings.capture_most &&
        w->captured_of[(uint64_t)r.pc << 8 | (uint64_t)r.op]++ >= settings.capture_most)
        return;
#ifdef __wasm__ /* a page has little memory */
    if (w->captures.size() >= 10000)
        return;
#endif
    CapturedRequest c;
    c.request = r;
    c.unit = w->capture_unit;
    memcpy(c.block, simgpu_builtins.block_idx, sizeof c.block);
    c.launch = w->launch->id;
    c.kernel = w->launch->kernel_name();
    for (unsigned i = 0; i < r.lanes; i++) {
        if (is_shared(r.op)) {
            const SharedArray *array = nearest_shared_array(w->launch, (uint32_t)r.address[i]);
            c.array = array ? array->name : "";
            c.place.push_back({0, r.address[i] - (array ? array->offset : 0)});
        } else {
            const Allocation *a = arena_find(r.address[i]);
            if (i == 0 && a)
                c.array = a->name ? a->name : format("an array of %llu bytes", a->size);
            c.place.push_back({a ? a->number : 0, a ? r.address[i] - a->offset : r.address[i]});
        }
    }
    w->captures.push_back(c);
}

void count_request(Worker *w, const Request &r, unsigned unit)
{
    SiteCounts &site = w->sites.at(r.pc, r.op);
    site.requests++;
    site.accesses += r.lanes;
    switch (r.op) {
    case Op::global_load:
    case Op::global_store:
    case Op::global_atomic: {
        GlobalCost cost = global_cost(settings.model, r);
        unsigned ways = r.op == Op::global_atomic ? 2 : 1; /* it reads and writes */
        site.transactions += ways * cost.transactions;
        site.bytes += ways * cost.bytes;
        site.useful += ways * cost.useful;
        break;
    }
    case Op::texture:
        site.bytes += (uint64_t)r.lanes * r.size;
        break;
    default: {
        SharedCost cost = shared_cost(settings.model, r);
        site.passes += cost.passes;
        site.ideal += cost.ideal;
        site.conflict =
            std::max(site.conflict, (Count)((cost.passes + cost.ideal - 1) / cost.ideal));
    }
    }
    if (w->capturing_block && unit == w->capture_unit)
        capture(w, r);
    if (w->launch->mapped)
        add_to_map(w, r, unit);
}

/** An event without its address, as one number. */
SIMGPU_HOT uint64_t kind_of(const Event &e)
{
    uint64_t kind;
    static_assert(sizeof(Event) == 16 && offsetof(Event, pc) == 8,
                  "pc, op and size are 8 bytes");
    memcpy(&kind, &e.pc, sizeof kind);
    return kind;
}

void begin_request(Request &r, const Event &e)
{
    r.pc = e.pc;
    r.op = e.op;
    r.size = e.size;
    r.lanes = 0;
}

struct Lane {
    const Event *at, *end;
    uint8_t lane;
};

/** The lanes took different paths: sorts the rest by instruction and occurrence. */
void count_sorted(Worker *w, const Lane *lanes, unsigned count, unsigned unit)
{
    struct Item {
        uint64_t kind;
        uint32_t occurrence, lane;
        const Event *event;
    };
    std::vector<Item> items;
    std::vector<std::pair<uint64_t, uint32_t>> seen; /* by kind, how often in this lane */
    for (unsigned l = 0; l < count; l++) {
        size_t first = items.size();
        for (const Event *e = lanes[l].at; e < lanes[l].end; e++)
            items.push_back({kind_of(*e), 0, lanes[l].lane, e});
        /* A stable sort keeps the order in time, so the occurrences can be numbered. */
        std::stable_sort(items.begin() + (long)first, items.end(),
                         [](const Item &a, const Item &b) { return a.kind < b.kind; });
        for (size_t i = first + 1; i < items.size(); i++)
            items[i].occurrence =
                items[i].kind == items[i - 1].kind ? items[i - 1].occurrence + 1 : 0;
    }
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
        return a.kind != b.kind               ? a.kind < b.kind
               : a.occurrence != b.occurrence ? a.occurrence < b.occurrence
                                              : a.lane < b.lane;
    });
    Request r;
    for (size_t i = 0; i < items.size();) {
        begin_request(r, *items[i].event);
        size_t j = i;
        for (; j < items.size() && items[j].kind == items[i].kind &&
               items[j].occurrence == items[i].occurrence;
             j++) {
            r.address[r.lanes] = items[j].event->address;
            r.lane[r.lanes++] = (uint8_t)items[j].lane;
        }
        count_request(w, r, unit);
        i = j;
    }
}

/** Counts the logs of one half-warp or warp. */
void count_unit(Worker *w, uint32_t first, uint32_t last, unsigned unit)
{
    Lane lanes[32];
    unsigned count = 0;
    size_t common = SIZE_MAX;
    bool same_length = true;
    for (uint32_t t = first; t < last; t++) {
        const Thread &thread = w->threads[t];
        if (thread.logged == 0)
            continue; /* this lane did nothing */
        lanes[count] = {thread.log, thread.log + thread.logged, (uint8_t)(t % 32)};
        size_t length = thread.logged;
        same_length &= count == 0 || length == common;
        common = std::min(common, length);
        count++;
    }
    if (!count)
        return;
    Request r;
    for (size_t i = 0; i < common; i++) {
        uint64_t kind = kind_of(lanes[0].at[i]);
        bool same = true;
        for (unsigned l = 0; l < count; l++) {
            const Event &e = lanes[l].at[i];
            same &= kind_of(e) == kind;
            r.address[l] = e.address;
            r.lane[l] = lanes[l].lane;
        }
        if (!same) {
            common = i;
            same_length = false;
            break;
        }
        begin_request(r, lanes[0].at[i]);
        r.lanes = count;
        count_request(w, r, unit);
    }
    if (same_length)
        return;
    for (unsigned l = 0; l < count; l++)
        lanes[l].at += common;
    count_sorted(w, lanes, count, unit);
}

} // namespace

void count_warp(Worker *w, unsigned warp)
{
    uint32_t first = warp * 32, last = std::min(first + 32, w->threads_count);
    if (settings.model == SIMGPU_C1060) {
        count_unit(w, first, std::min(first + 16, last), warp * 2);
        if (first + 16 < last)
            count_unit(w, first + 16, last, warp * 2 + 1);
    } else {
        count_unit(w, first, last, warp);
    }
    for (uint32_t t = first; t < last; t++) {
        Thread &thread = w->threads[t];
        if (thread.log)
            w->free_logs.push_back({thread.log, thread.log_capacity});
        thread.log = nullptr;
        thread.logged = thread.log_capacity = 0;
    }
}

extern "C" {

void simgpu_count_start() { settings.counting = true; }

void simgpu_count_stop() { settings.counting = false; }

void simgpu_count_reset()
{
    total_sites.clear();
    captured.clear();
    without_captured.clear();
    heat_maps.clear();
    launches_of_kernel.clear();
    launches_seen = launches_counted = library_calls = barriers_counted = 0;
}

void simgpu_get_totals(simgpu_totals *totals)
{
    simgpu_totals t = {};
    t.launches = launches_seen;
    t.counted = launches_counted;
    t.library_calls = library_calls;
    t.barriers = barriers_counted;
    total_sites.for_each([&](uint32_t, Op op, const SiteCounts &c) {
        switch (op) {
        case Op::global_load:
            t.load_transactions += c.transactions;
            t.load_bytes += c.bytes;
            t.useful_bytes += c.useful;
            break;
        case Op::global_atomic: /* half of it reads */
            t.load_transactions += c.transactions / 2;
            t.load_bytes += c.bytes / 2;
            t.store_transactions += c.transactions / 2;
            t.store_bytes += c.bytes / 2;
            t.useful_bytes += c.useful;
            break;
        case Op::global_store:
            t.store_transactions += c.transactions;
            t.store_bytes += c.bytes;
            t.useful_bytes += c.useful;
            break;
        case Op::texture:
            t.texture_fetches += c.accesses;
            t.texture_bytes += c.bytes;
            break;
        default:
            t.shared_requests += c.requests;
            t.shared_passes += c.passes;
            t.shared_ideal += c.ideal;
            t.shared_conflict = std::max<uint64_t>(t.shared_conflict, c.conflict);
        }
    });
    t.transactions = t.load_transactions + t.store_transactions;
    t.bytes = t.load_bytes + t.store_bytes;
    *totals = t;
}

} // extern "C"

} // namespace simgpu
