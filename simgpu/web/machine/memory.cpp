/* SPDX-License-Identifier: MIT */
/** @file memory.cpp
 * Address space in a web page: one memory that only grows, without any protection. Elsewhere
 * the processor stops a wrong access; here the tracer finds it, as it checks each access first.
 */
#include "src/memory/arena.h"
#include "src/machine/machine.h"

#include <algorithm>
#include <new>
#include <vector>

namespace simgpu
{

/* A page has 4 GB of addresses. Here 320 MB of device memory, half of these, take 0.8 GB for
   data and states, and 2.5 GB for what is recorded of each word. A browser commits memory when
   it is touched. Where one gives less, the arena halves its size until it fits. */
const uint64_t most_device_memory = 640 << 20, least_device_memory = 2 << 20;
const uint64_t addresses_per_byte = 2;

void explain_no_memory(size_t bytes, const char *file, int line)
{
    static bool said;
    if (said)
        return;
    said = true;
    fprintf(stderr,
            "%s:%d: cudaMalloc fails: it asks for %zu bytes, and %zu are in use. A web page "
            "has %.0f MB of device memory. Take a smaller size, or run the program with "
            "./ladder sim.\n",
            display_path(file ? file : "").c_str(), line, bytes, arena_used(),
            (double)arena_limit() / (1 << 20));
}

namespace
{

constexpr size_t page_bytes = 64 << 10;

/* Memory that was reserved but not used, for the next attempt. */
struct {
    unsigned char *at;
    uint64_t bytes;
} spare[8];

/* Pieces of touches that are zero, and the addresses from which new ones are cut. */
std::vector<GlobalTouch *> &free_pieces = *new std::vector<GlobalTouch *>;
unsigned char *uncut;
uint64_t uncut_bytes;

} // namespace

void *reserve_memory(uint64_t bytes, bool)
{
    for (auto &s : spare)
        if (s.bytes >= bytes) {
            s.bytes = 0;
            return s.at;
        }
    size_t before =
        __builtin_wasm_memory_grow(0, (size_t)((bytes + page_bytes - 1) / page_bytes));
    return before == (size_t)-1 ? nullptr : (void *)(before * page_bytes);
}

void release_memory(void *memory, uint64_t bytes)
{
    for (auto &s : spare)
        if (!s.bytes) {
            s.at = static_cast<unsigned char *>(memory), s.bytes = bytes;
            return;
        }
}

/** Words of all memory that a program can have get their addresses now, so that its limit is
 * true. Bytes take from them, too, and then from what the page has left. */
bool Touches::reserve(uint64_t count)
{
    if (!uncut_bytes) {
        const uint64_t bytes = count / addresses_per_byte * sizeof(GlobalTouch);
        uncut = static_cast<unsigned char *>(reserve_memory(bytes, true));
        if (!uncut)
            return false;
        uncut_bytes = bytes;
    }
    length = (count + piece_length - 1) / piece_length;
    pieces = static_cast<GlobalTouch **>(calloc(length, sizeof *pieces));
    return pieces != nullptr;
}

void Touches::release()
{
    free(pieces);
    pieces = nullptr;
}

GlobalTouch *Touches::new_piece()
{
    constexpr size_t bytes = piece_length * sizeof(GlobalTouch);
    if (!free_pieces.empty()) {
        GlobalTouch *piece = free_pieces.back();
        free_pieces.pop_back();
        return piece;
    }
    if (uncut_bytes < bytes) {
        if (void *more = reserve_memory(bytes, true))
            return static_cast<GlobalTouch *>(more);
        std::get_new_handler()();
    }
    uncut_bytes -= bytes;
    return reinterpret_cast<GlobalTouch *>(uncut + uncut_bytes);
}

void Touches::forget(uint64_t begin, uint64_t count)
{
    for (uint64_t end = begin + count; begin < end;) {
        GlobalTouch *&piece = pieces[begin / piece_length];
        const uint64_t first = begin % piece_length,
                       some = std::min(piece_length - first, end - begin);
        if (piece) {
            forget_memory(piece + first, some * sizeof *piece);
            if (some == piece_length) {
                free_pieces.push_back(piece);
                piece = nullptr;
            }
        }
        begin += some;
    }
}

bool Touches::contains(uintptr_t address) const
{
    return std::any_of(pieces, pieces + length, [=](const GlobalTouch *piece) {
        return address - (uintptr_t)piece < piece_length * sizeof *piece;
    });
}

void open_memory(void *, uint64_t, bool) {}

void forget_tables(uint8_t *, uint8_t *) {} /* WebAssembly has none */

/* Zeros that are written would take memory: most of a large array may never have been touched.
 */
void forget_memory(void *memory, uint64_t bytes)
{
    constexpr size_t most = 4096;
    static const unsigned char zeros[most] = {};
    auto *at = static_cast<unsigned char *>(memory);
    for (size_t left = (size_t)bytes, size; left > 0; left -= size, at += size) {
        size = std::min(left, most);
        if (memcmp(at, zeros, size) != 0)
            memset(at, 0, size);
    }
}

bool has_memory(uintptr_t address)
{
    return address / (64 << 10) < __builtin_wasm_memory_size(0);
}

uint64_t physical_memory() { return 4ull << 30; }

uint64_t resident_memory() { return 0; }

/** There is no stack to walk: only the program's last call is known. */
int calling_frames(void **frames, int)
{
    frames[0] = (void *)(uintptr_t)simgpu_site;
    return 1;
}

} // namespace simgpu
