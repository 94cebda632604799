/* SPDX-License-Identifier: MIT */
/** @file vtables.cpp
 * Finds and hides the tables of virtual functions of objects that the host has copied. */
#include "src/memory/arena.h"
#include "src/machine/machine.h"

#include <typeinfo>

extern "C" {
extern char __executable_start __attribute__((weak)), _end __attribute__((weak));
}

namespace simgpu
{

const char *const host_table_advice =
    "A copied object still points to the host's functions. Make it in a kernel: new (place) "
    "T(...) in memory of cudaMalloc.";

namespace
{

struct Plain {
};
struct Single : Plain {
};
struct Other {
};
struct Several : Plain, Other {
};

std::map<uint64_t, uintptr_t> tables; /* by the offset of the object's pointer to its table */

#ifdef __wasm__
bool may_be_table(uintptr_t at) { return is_read_only(at); }
bool may_be_type(uintptr_t at) { return is_read_only(at); }
#else
bool may_be_table(uintptr_t at)
{
    return at >= (uintptr_t)&__executable_start && at < (uintptr_t)&_end && is_mapped(at);
}
bool may_be_type(uintptr_t at) { return is_mapped(at); }
#endif

/** Does a table of virtual functions begin here? The word before it is the address of the
 * type's description, an object of one of three classes (Itanium C++ ABI, 2.9.5). */
bool is_table(uintptr_t at)
{
    if (at % sizeof at || !may_be_table(at - sizeof at))
        return false;
    const uintptr_t type = ((const uintptr_t *)at)[-1];
    if (!type || type % sizeof type || !may_be_type(type))
        return false;
    for (const std::type_info *known : {&typeid(Plain), &typeid(Single), &typeid(Several)})
        if (!memcmp((const void *)type, (const void *)known, sizeof type))
            return true;
    return false;
}

uintptr_t &pointer_at(uint64_t offset) { return *(uintptr_t *)(arena.base + offset); }

} // namespace

void find_host_objects(const void *to, size_t bytes)
{
    const uint64_t begin = arena_offset(to), end = begin + bytes;
    tables.erase(tables.lower_bound(begin), tables.lower_bound(end));
    constexpr uint64_t word = sizeof(uintptr_t);
    for (uint64_t at = (begin + word - 1) / word * word; at + word <= end; at += word)
        if (is_table(pointer_at(at)))
            tables[at] = pointer_at(at);
}

#ifdef __wasm__
/* All memory of a page can be read: the compiler's calls say which object is asked for its
   table, and which gets one from a kernel. */
void hide_host_tables() {}
void show_host_tables() {}
bool in_host_table(uintptr_t address)
{
    auto i = arena_contains((void *)address) ? tables.find(arena_offset((void *)address))
                                             : tables.end();
    return i != tables.end() && pointer_at(i->first) == i->second;
}
void forget_host_object(const void *object)
{
    if (arena_contains(object))
        tables.erase(arena_offset(object));
}
#else
static constexpr uint64_t table_span =
    64 << 10;             /* of addresses without memory, longer than any table */
static uintptr_t nowhere; /* where they begin */

void hide_host_tables()
{
    if (!nowhere && !tables.empty())
        nowhere = (uintptr_t)reserve_memory(table_span, false);
    for (auto i = tables.begin(); i != tables.end();) {
        bool same = arena_find(i->first) && pointer_at(i->first) == i->second;
        if (same)
            pointer_at(i->first) = nowhere + table_span / 2;
        i = same ? std::next(i) : tables.erase(i);
    }
}

void show_host_tables()
{
    for (auto i = tables.begin(); i != tables.end();) {
        bool same =
            pointer_at(i->first) == nowhere + table_span / 2; /* no kernel has written there */
        if (same)
            pointer_at(i->first) = i->second;
        i = same ? std::next(i) : tables.erase(i);
    }
}

bool in_host_table(uintptr_t address) { return nowhere && address - nowhere < table_span; }
#endif

} // namespace simgpu
