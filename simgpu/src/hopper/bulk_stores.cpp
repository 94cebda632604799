/* SPDX-License-Identifier: MIT */
/** @file bulk_stores.cpp
 * Bulk copies from shared memory to device memory. The copy engine reads the bytes, and writes
 * them, at any time until its thread waits for that. Here it does both as late as it may; with
 * a seed, at times before.
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>

namespace simgpu
{

static void read_source(Worker *w, BulkStore &s)
{
    if (!s.data.empty())
        return;
    s.data.resize(s.box.size() * 16);
    for (size_t i = 0; i < s.box.size(); i++)
        memcpy(&s.data[i * 16], w->shared + s.box[i].offset, 16);
}

static void write_destination(Worker *w, BulkStore &s)
{
    read_source(w, s);
    for (size_t i = 0; i < s.box.size(); i++) {
        const BoxPart &p = s.box[i];
        memcpy(p.global + p.from, &s.data[i * 16] + p.from, p.to - p.from);
    }
    s.box.clear();
}

/** The running thread knows that the store has read its bytes: later writes come after that. */
static void note_read(Worker *w, const BulkStore &s)
{
    each_touch(w, s.offset, s.bytes, [&](Touch &t, uint32_t) {
        t.reader = s.thread;
        t.read_pc = s.pc;
        t.read_time = w->clock;
        return true;
    });
    w->clock++;
}

void begin_store(Worker *w, uint32_t from, uint32_t bytes, Box box, uint32_t pc)
{
    if (w->tracing) {
        for (const BulkCopy &copy : w->proxy->copies)
            if (copy.offset < from + bytes && from < copy.offset + copy.bytes)
                return copy_race(w, pc, false, copy.pc, std::max(from, copy.offset));
        auto may_read = [&](Touch &t, uint32_t at) {
            return may_read_async(w, t, at, "bulk store", pc);
        };
        for (const BoxPart &p : box) /* what is not in the tensor goes nowhere */
            if (p.to > p.from && !each_touch(w, p.offset + p.from, p.to - p.from, may_read))
                break;
        check_global(w, box, true, pc);
    }
    Proxy &proxy = *w->proxy;
    proxy.stores.push_back({from,
                            bytes,
                            std::move(box),
                            (uint16_t)w->current,
                            pc,
                            proxy.store_groups[w->current],
                            false,
                            {}});
    w->clock++;
    w->copies_run = true;
}

uint32_t reading_store(Worker *w, uint32_t offset, uint32_t bytes)
{
    for (const BulkStore &s : w->proxy->stores)
        if (!s.read_waited && offset < s.offset + s.bytes && s.offset < offset + bytes)
            return s.pc;
    return 0;
}

void store_may_progress(Worker *w)
{
    std::vector<BulkStore> &stores = w->proxy->stores;
    BulkStore &s = stores[next_random(w->random) % stores.size()];
    if (s.data.empty())
        read_source(w, s);
    else
        write_destination(w, s);
}

void finish_stores(Worker *w)
{
    for (BulkStore &s : w->proxy->stores)
        write_destination(w, s);
    w->proxy->stores.clear();
    w->copies_run = false;
}

extern "C" {

void simgpu_store_bulk(unsigned long long to, unsigned from, unsigned bytes)
{
    Worker *w = kernel_only("cp.async.bulk");
    const uint32_t pc = CALLER_PC;
    proxy_of(w);
    Untraced quiet;
    unsigned char *first = reinterpret_cast<unsigned char *>((uintptr_t)to);
    check_copy(w, from, first, bytes, true, pc);
    Box box;
    for (uint32_t i = 0; i < bytes; i += 16)
        box.push_back({first + i, from + i, 0, 16});
    begin_store(w, from, bytes, std::move(box), pc);
}

void simgpu_stores_commit()
{
    Worker *w = kernel_only("cp.async.bulk.commit_group");
    proxy_of(w).store_groups[w->current]++;
}

void simgpu_stores_wait(unsigned groups, int only_read)
{
    Worker *w = kernel_only("cp.async.bulk.wait_group");
    Untraced quiet;
    Proxy &proxy = proxy_of(w);
    auto is_done = [&](const BulkStore &s) {
        return s.thread == w->current && s.group + groups < proxy.store_groups[w->current];
    };
    for (BulkStore &s : proxy.stores)
        if (is_done(s)) {
            if (only_read)
                read_source(w, s);
            else
                write_destination(w, s);
            if (w->tracing && !s.read_waited)
                note_read(w, s);
            s.read_waited = true;
        }
    if (only_read)
        return;
    proxy.stores.erase(std::remove_if(proxy.stores.begin(), proxy.stores.end(), is_done),
                       proxy.stores.end());
    w->copies_run = !proxy.copies.empty() || !proxy.stores.empty();
}

} // extern "C"

} // namespace simgpu
