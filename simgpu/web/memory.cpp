/* SPDX-License-Identifier: MIT */
/** @file memory.cpp
 * Address space in a web page: one memory that only grows, without any protection. Elsewhere
 * the processor stops a wrong access; here the tracer finds it, as it checks each access first.
 */
#include "src/arena.h"
#include "src/machine.h"

namespace simgpu
{

/* Device memory, with what is recorded for each of its bytes, takes 41 times its size of
   address space. Addresses from 2 GB on are negative numbers for the page. Where a browser
   gives less, the arena halves its size until it fits. */
const uint64_t most_device_memory = 40 << 20, least_device_memory = 2 << 20;
const uint64_t addresses_per_byte = 2;

void explain_no_memory(size_t bytes, const char *file, int line)
{
    static bool said;
    if (said)
        return;
    said = true;
    fprintf(
        stderr,
        "%s:%d: cudaMalloc fails: it asks for %zu bytes, and %zu are in use. A web page has "
        "%.0f MB of device memory. Take a smaller size, or run the program with "
        "./ladder sim.\n",
        display_path(file ? file : "").c_str(), line, bytes, arena_used(),
        (double)arena_limit() / (1 << 20));
}

/* Memory that was reserved in vain, for the next attempt. */
static struct {
    unsigned char *at;
    uint64_t bytes;
} spare[8];

void *reserve_memory(uint64_t bytes, bool)
{
    constexpr uint64_t page = 64 << 10;
    for (auto &s : spare)
        if (s.bytes >= bytes) {
            s.bytes = 0;
            return s.at;
        }
    size_t before = __builtin_wasm_memory_grow(0, (size_t)((bytes + page - 1) / page));
    return before == (size_t)-1 ? nullptr : (void *)(before * page);
}

void release_memory(void *memory, uint64_t bytes)
{
    for (auto &s : spare)
        if (!s.bytes) {
            s.at = static_cast<unsigned char *>(memory), s.bytes = bytes;
            return;
        }
}

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
