/* SPDX-License-Identifier: MIT */
/** @file memory.cpp
 * Address space in a web page: one memory that only grows, without any protection. Elsewhere
 * the processor stops a wrong access; here the tracer finds it, as it checks each access first.
 */
#include "src/machine.h"

namespace simgpu
{

/* Device memory, with what is recorded for each of its bytes, takes 41 times its size of
   address space; a browser gives a page little more than this. */
const uint64_t most_device_memory = 16 << 20, least_device_memory = 4 << 20;

void *reserve_memory(uint64_t bytes, bool)
{
    constexpr uint64_t page = 64 << 10;
    if (bytes >= 1ull << 30)
        return nullptr;
    size_t before = __builtin_wasm_memory_grow(0, (size_t)((bytes + page - 1) / page));
    return before == (size_t)-1 ? nullptr : (void *)(before * page);
}

void release_memory(void *, uint64_t) {}

void open_memory(void *, uint64_t, bool) {}

void forget_memory(void *memory, uint64_t bytes) { memset(memory, 0, (size_t)bytes); }

bool has_memory(uintptr_t address)
{
    return address / (64 << 10) < __builtin_wasm_memory_size(0);
}

uint64_t physical_memory() { return 1ull << 30; }

uint64_t resident_memory() { return 0; }

/** There is no stack to walk: only the program's last call is known. */
int calling_frames(void **frames, int)
{
    frames[0] = (void *)(uintptr_t)simgpu_site;
    return 1;
}

} // namespace simgpu
