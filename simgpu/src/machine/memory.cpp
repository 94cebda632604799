/* SPDX-License-Identifier: MIT */
/** @file memory.cpp
 * Address space from Linux: pages that take memory only where they are touched.
 */
#include "src/memory/arena.h"
#include "src/machine/machine.h"

#include <csetjmp>
#include <ctime>
#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

namespace simgpu
{

const uint64_t most_device_memory = 64ull << 30, least_device_memory = 64 << 20;
const uint64_t addresses_per_byte = 4;

void explain_no_memory(size_t, const char *, int) {}

void *reserve_memory(uint64_t bytes, bool open)
{
    void *p = mmap(nullptr, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return nullptr;
    madvise(p, bytes, MADV_DONTDUMP);
    return p;
}

void release_memory(void *memory, uint64_t bytes) { munmap(memory, bytes); }

void open_memory(void *memory, uint64_t bytes, bool open)
{
    if (bytes && mprotect(memory, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
        perror("simgpu: mprotect");
        exit(3);
    }
}

void forget_memory(void *memory, uint64_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }

void forget_tables(uint8_t *begin, uint8_t *end)
{
    begin += -(uintptr_t)begin % page_table;
    end -= (uintptr_t)end % page_table;
    if (begin < end &&
        mmap(begin, end - begin, PROT_NONE,
             MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == begin)
        madvise(begin, end - begin, MADV_DONTDUMP);
}

bool Touches::reserve(uint64_t count)
{
    length = count;
    all = static_cast<GlobalTouch *>(reserve_memory(count * sizeof *all, true));
    return all != nullptr;
}

void Touches::release()
{
    if (all)
        release_memory(all, length * sizeof *all);
    all = nullptr;
}

void Touches::forget(uint64_t begin, uint64_t count)
{
    forget_memory(all + begin, count * sizeof *all);
}

bool Touches::contains(uintptr_t address) const
{
    return address - (uintptr_t)all < length * sizeof *all;
}

bool has_memory(uintptr_t address)
{
    unsigned char resident;
    return mincore((void *)(address & ~(uintptr_t)4095), 1, &resident) == 0;
}

uint64_t physical_memory()
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Launches ask for it, and reading the file takes longer than a small launch: what was read
 * holds for 10 ms. */
uint64_t resident_memory()
{
    static std::atomic<uint64_t> bytes, until;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    const uint64_t now = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
    if (now < until)
        return bytes;
    unsigned long long pages = 0;
    if (FILE *file = fopen("/proc/self/statm", "r")) {
        if (fscanf(file, "%*u %llu", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    until = now + 10;
    return bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static __thread sigjmp_buf *walking_stack; /* where to go on if calling_frames() cannot */

void leave_lost_stack()
{
    if (walking_stack)
        siglongjmp(*walking_stack, 1);
}

int calling_frames(void **frames, int most)
{
    void *with_this_one[64];
    sigjmp_buf lost;
    walking_stack = &lost;
    int count =
        sigsetjmp(lost, 0) ? 0 : backtrace(with_this_one, most < 63 ? most + 1 : 64) - 1;
    walking_stack = nullptr;
    memcpy(frames, with_this_one + 1, (size_t)count * sizeof *frames);
    return count;
}

} // namespace simgpu
