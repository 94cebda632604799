/* SPDX-License-Identifier: MIT */
/** @file regions.cpp
 * The information about memory that a program gives with NVTX: how it divides an allocation (a
 * heap and its regions), what kernels may do to an allocation, and its name.
 */
#include "tracer.h"

namespace simgpu
{

bool regions_said;

namespace
{

struct Region {
    uint64_t size;
    bool ended; /**< unregistered, or its heap was reset */
};
struct Heap {
    uint64_t begin, end;
    std::map<uint64_t, Region> regions; /* by where they begin */
};
enum Permission { may_read = 1, may_write = 2, may_change = 4 };

struct Said {
    std::mutex mutex;
    std::map<unsigned, Heap> heaps;
    std::map<uint64_t, unsigned> permissions; /* of allocations, by where they begin */
    unsigned last_heap = 0;
};
Said &said()
{
    static Said *said = new Said;
    return *said;
}

Heap *heap_at(uint64_t offset)
{
    for (auto &[number, heap] : said().heaps)
        if (offset >= heap.begin && offset < heap.end)
            return &heap;
    return nullptr;
}

std::string allocation_at(uint64_t offset)
{
    const Allocation *a = arena_find(offset);
    return a ? allocation_name(*a) : "device memory";
}

/** Compares an access with the regions of a heap. */
void check_region(Worker *w, const Heap &heap, uint64_t offset, unsigned size, const char *does,
                  uint32_t pc)
{
    auto after = heap.regions.upper_bound(offset);
    auto at = after == heap.regions.begin() ? heap.regions.end() : std::prev(after);
    bool inside = at != heap.regions.end() && offset < at->first + at->second.size;
    if (inside && !at->second.ended && offset + size <= at->first + at->second.size)
        return;
    const bool ended = inside && at->second.ended;
    std::string where = "where no region is registered";
    if (ended)
        where = format("in a region of %zu bytes that is no longer registered",
                       (size_t)at->second.size);
    else if (at != heap.regions.end() && !at->second.ended)
        where = format("%zu bytes after the beginning of a region of %zu bytes",
                       (size_t)(offset - at->first), (size_t)at->second.size);
    FaultPlace place = at_pc(pc, "The program divides this memory itself and says so by NVTX. "
                                 "On a GPU the access goes to whatever part of it is there.");
    kernel_fault(w, ended ? SIMGPU_NOT_PERMITTED : SIMGPU_OUT_OF_BOUNDS_GLOBAL, place,
                 "%s %u bytes at byte %llu of %s, %s", does, size,
                 (unsigned long long)(offset - heap.begin), allocation_at(offset).c_str(),
                 where.c_str());
}

} // namespace

void region_access(Worker *w, uint64_t offset, unsigned size, bool write, bool atomic,
                   uint32_t pc)
{
    Untraced quiet;
    Said &s = said();
    std::lock_guard<std::mutex> lock(s.mutex);
    const char *does = atomic ? "changes" : write ? "writes" : "reads";
    if (const Heap *heap = heap_at(offset))
        check_region(w, *heap, offset, size, does, pc);
    const Allocation *a = arena_find(offset);
    auto permission = a ? s.permissions.find(a->offset) : s.permissions.end();
    unsigned needed = atomic ? may_change : write ? may_write : may_read;
    if (permission == s.permissions.end() || permission->second & needed)
        return;
    kernel_fault(w, SIMGPU_NOT_PERMITTED, {pc},
                 "%s %u bytes of %s, of which the program says "
                 "by NVTX that kernels may not %s",
                 does, size, allocation_name(*a).c_str(),
                 atomic  ? "change them by atomics"
                 : write ? "write them"
                         : "read them");
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

void *simgpu_nvtx_heap(const void *memory, size_t size)
{
    uint64_t offset;
    Said &s = said();
    std::lock_guard<std::mutex> lock(s.mutex);
    uintptr_t number = ++s.last_heap;
    if (device_offset(memory, &offset)) {
        s.heaps[(unsigned)number] = {offset, offset + size, {}};
        regions_said = true;
    }
    return reinterpret_cast<void *>(number);
}

void simgpu_nvtx_heap_end(void *heap)
{
    std::lock_guard<std::mutex> lock(said().mutex);
    said().heaps.erase((unsigned)(uintptr_t)heap);
}

void simgpu_nvtx_heap_reset(void *heap)
{
    std::lock_guard<std::mutex> lock(said().mutex);
    auto at = said().heaps.find((unsigned)(uintptr_t)heap);
    if (at != said().heaps.end())
        for (auto &[begin, region] : at->second.regions)
            region.ended = true;
}

void simgpu_nvtx_region(const void *memory, size_t size)
{
    uint64_t offset;
    std::lock_guard<std::mutex> lock(said().mutex);
    Heap *heap = device_offset(memory, &offset) ? heap_at(offset) : nullptr;
    if (heap)
        heap->regions[offset] = {size, false};
}

void simgpu_nvtx_region_end(const void *memory)
{
    uint64_t offset;
    std::lock_guard<std::mutex> lock(said().mutex);
    Heap *heap = device_offset(memory, &offset) ? heap_at(offset) : nullptr;
    if (heap && heap->regions.count(offset))
        heap->regions[offset].ended = true;
}

void simgpu_nvtx_name(const void *memory, const char *name)
{
    uint64_t offset;
    if (name && device_offset(memory, &offset))
        arena_set_name(offset, name);
}

void simgpu_nvtx_permit(const void *memory, unsigned permissions)
{
    uint64_t offset;
    const Allocation *a = device_offset(memory, &offset) ? arena_find(offset) : nullptr;
    std::lock_guard<std::mutex> lock(said().mutex);
    if (a) {
        said().permissions[a->offset] = permissions;
        regions_said = true;
    }
}

} // extern "C"

void simgpu::regions_forget(uint64_t offset)
{
    if (!regions_said)
        return;
    std::lock_guard<std::mutex> lock(said().mutex);
    said().permissions.erase(offset);
    for (auto i = said().heaps.begin(); i != said().heaps.end();)
        i = i->second.begin == offset ? said().heaps.erase(i) : std::next(i);
}
