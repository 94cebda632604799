/* SPDX-License-Identifier: MIT */
/** @file copies.cpp
 * Copies to the host that count elements instead of bytes. Such a copy is a mistake only if the
 * host needs the rest, so the host's memory after the copied bytes is watched: reading it
 * before it is written is the fault.
 */
#include "src/faults/faults.h"
#include "src/streams/order.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <unistd.h>
#endif

namespace simgpu
{

bool short_copies;

namespace
{

struct ShortCopy {
    uintptr_t to, begin, end; /**< the watched bytes, after the copied ones, are [begin, end) */
    std::vector<unsigned char> before;
    std::string text;
    void *frames[CalledAt::most_frames];
    int frames_count;
};
std::vector<ShortCopy> &watched()
{
    static auto *all = new std::vector<ShortCopy>;
    return *all;
}
std::recursive_mutex watch_mutex;
thread_local uintptr_t array_at; /* an array that a call of cudaMemcpy names, and its size */
thread_local size_t array_size;

/** The size of the host's object that begins here; 0 if unknown. */
size_t object_size(const void *p)
{
    if ((uintptr_t)p == array_at)
        return array_size;
#if defined(__GLIBC__)
    /* A block of the heap, if the words before and after it look like one. */
    if ((uintptr_t)p % 16 || (uintptr_t)p % 4096 == 0) /* the page before may be missing */
        return 0;
    size_t head = static_cast<const size_t *>(p)[-1], size = head & ~(size_t)15;
    uintptr_t top = (uintptr_t)sbrk(0), next = (uintptr_t)p + size;
    bool mapped = (head & 7) == 2 && size % 4096 == 0 && (uintptr_t)p % 4096 == 16;
    bool inside = !(head & 6) && size >= 32 && (uintptr_t)p < top &&
                  size <= top - (uintptr_t)p && has_memory(next - 8) &&
                  reinterpret_cast<const size_t *>(next)[-1] & 1;
    return mapped || inside ? malloc_usable_size(const_cast<void *>(p)) : 0;
#else
    return 0;
#endif
}

/** Did traced kernels write all of it? */
bool kernels_wrote(uint64_t begin, uint64_t end)
{
    for (uint64_t word = begin / 4; word < end / 4; word++)
        if (!(arena.shadow[word].flags & touch_split) && !arena.shadow[word].writing_block)
            return false;
    return true;
}

void forget(uintptr_t begin, uintptr_t end)
{
    auto &all = watched();
    for (size_t i = 0; i < all.size();) {
        ShortCopy &c = all[i];
        if (begin < c.end && c.begin < end) { /* keep the rest after it */
            size_t gone = std::min(end, c.end) - c.begin;
            c.before.erase(c.before.begin(), c.before.begin() + (long)gone);
            c.begin += gone;
        }
        if (c.begin >= c.end)
            all.erase(all.begin() + (long)i);
        else
            i++;
    }
    short_copies = !all.empty();
}

} // namespace

void short_copy(const char *call, const void *to, const void *from, size_t bytes)
{
    std::lock_guard<std::recursive_mutex> lock(watch_mutex);
    uintptr_t begin = (uintptr_t)to;
    forget(begin, begin + bytes);
    uint64_t offset = arena_offset(from);
    const Allocation *a = arena_contains(from) ? arena_find(offset) : nullptr;
    size_t size = object_size(to);
    array_at = 0;
    if (!settings.standalone || !a || bytes < 8 || watched().size() >= 16)
        return;
    uint64_t all = a->offset + a->size - offset, times = all / bytes;
    bool pointer = bytes == sizeof(void *) && times > 1;
    if (size < all || all % bytes || !(times == 2 || times == 4 || times == 8 || pointer) ||
        !kernels_wrote(offset, offset + all))
        return;
    ShortCopy c;
    c.to = begin;
    c.begin = begin + bytes;
    c.end = begin + all;
    c.before.assign((const unsigned char *)c.begin, (const unsigned char *)c.end);
    c.text = format(
        "%s copies only %zu of %s, all of which kernels wrote, and host code reads the rest",
        call, bytes, allocation_name(*a).c_str());
    c.frames_count = calling_frames(c.frames, (int)CalledAt::most_frames);
    watched().push_back(std::move(c));
    short_copies = true;
    call_tracer(true);
}

void short_copy_access(uintptr_t address, size_t size, bool write, uint32_t pc)
{
    std::lock_guard<std::recursive_mutex> lock(watch_mutex);
    for (const ShortCopy &c : watched()) {
        if (address >= c.end || address + size <= c.begin)
            continue;
        uintptr_t at = std::max(address, c.begin);
        size_t count = std::min<size_t>(address + size, c.end) - at;
        bool same = !memcmp((const void *)at, &c.before[at - c.begin], count);
        if (write || !same) { /* it has been filled */
            forget(address, address + size);
            return;
        }
        FaultPlace place{calling_pc_of(c.frames, c.frames_count), pc};
        const SourceLine call = source_of(place.pc);
        const bool counts_bytes =
            c.begin - c.to != sizeof(void *) &&
            source_text(call.file, call.line).find("sizeof") != std::string::npos;
        place.advice = counts_bytes
                           ? "Copy all that the kernels wrote, or read only what is copied."
                           : "It takes bytes: multiply the number of elements by sizeof of one "
                             "(the sizeof of a pointer is not that of its array).";
        host_fault(SIMGPU_BAD_CALL, place, nullptr, "%s", c.text.c_str());
        faults_print();
        forget(c.begin, c.end);
        return;
    }
}

void short_copy_freed(const void *memory)
{
    std::lock_guard<std::recursive_mutex> lock(watch_mutex);
    for (const ShortCopy &c : watched())
        if (c.to == (uintptr_t)memory) {
            forget(c.begin, c.end);
            return;
        }
}

} // namespace simgpu

extern "C" void simgpu_host_array(void *array, size_t size)
{
    simgpu::array_at = (uintptr_t)array;
    simgpu::array_size = size;
}
