/* SPDX-License-Identifier: MIT */
/** @file repeats.cpp
 * Benchmarks launch the same kernel on the same data hundreds of times. If a launch has left
 * all of device memory as it was, then the same launch would do so again: it need not run, as
 * long as nobody else changes memory. Only launches that need not be traced either are left
 * out.
 */
#include "internal.h"

#include <cstring>
#include <map>
#include <unordered_set>

namespace simgpu
{

namespace
{

/* How often a launch runs before anyone looks whether it changes something, and how often it
 * may be seen to do so. Looking takes as long as reading all of device memory. */
constexpr unsigned before_looking = 1, most_changes = 3;

struct Calls {
    unsigned seen = 0, changed = 0;
};
std::map<std::string, Calls> calls;
std::unordered_set<std::string> idle; /* what changes nothing in memory as it is now */
uint64_t host_hash;                   /* of the memory that host code may change unseen */
bool known;                           /* `memory_hash` is that of memory as it is now */
uint64_t memory_hash;
std::atomic<bool> impure{false};
std::atomic<uint64_t> changes{0};
uint64_t changes_known; /* `changes` when the above was valid */

template <class T> void append(std::string &to, const T &value)
{
    to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

void forget()
{
    idle.clear();
    known = false;
    changes_known = changes;
}

bool is_idle(const std::string &key)
{
    if (changes_known != changes)
        forget();
    if (!idle.count(key))
        return false;
    if (have_aliases && arena_hash(true) != host_hash) {
        forget();
        return false;
    }
    return true;
}

void note_idle(const std::string &key)
{
    if (idle.empty() && have_aliases)
        host_hash = arena_hash(true);
    idle.insert(key);
}

} // namespace

void memory_changed() { changes++; }

void kernel_is_impure() { impure = true; }

Repeat::Repeat(const simgpu_launch_desc &d)
{
    append(key, d.thunk);
    append(key, d.grid);
    append(key, d.block);
    append(key, d.shared);
    key.append(static_cast<const char *>(d.closure), d.closure_size);
    skip = is_idle(key);
}

void Repeat::begins()
{
    if (calls.size() > 10000)
        calls.clear();
    Calls &c = calls[key];
    watch = c.seen++ >= before_looking && c.changed < most_changes;
    if (watch && (!known || have_aliases)) {
        memory_hash = arena_hash(false);
        known = true;
    }
    impure = false;
    changes_before = changes;
}

void Repeat::ran()
{
    uint64_t hash = watch ? arena_hash(false) : 0;
    bool unchanged = watch && hash == memory_hash && changes == changes_before && !impure;
    if (unchanged) {
        note_idle(key);
        return;
    }
    calls[key].changed += watch;
    memory_changed();
    forget();
    known = watch;
    memory_hash = hash;
}

RepeatedMemset::RepeatedMemset(void *device, size_t pitch, int value, size_t width,
                               size_t height)
{
    if (!settings.standalone || settings.budget <= 0)
        return;
    key = "memset";
    append(key, device);
    append(key, pitch);
    append(key, value);
    append(key, width);
    append(key, height);
    skip = is_idle(key);
}

void RepeatedMemset::begins(void *device, size_t pitch, int value, size_t width, size_t height)
{
    bool changes_something = key.empty();
    for (size_t row = 0; !changes_something && row < height; row++) {
        const unsigned char *at = static_cast<unsigned char *>(device) + row * pitch;
        changes_something = *at != (unsigned char)value || memcmp(at, at + 1, width - 1) != 0;
    }
    if (changes_something)
        memory_changed();
    else
        note_idle(key);
}

} // namespace simgpu

void simgpu_kernel_prints() { simgpu::kernel_is_impure(); }
