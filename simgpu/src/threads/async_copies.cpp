/* SPDX-License-Identifier: MIT */
/** @file async_copies.cpp
 * Asynchronous copies of a thread into shared memory (cp.async). On a GPU their bytes may
 * arrive as late as the wait for them, so here they arrive exactly then: a kernel that forgets
 * the commit or the wait reads the old bytes, and the read is reported.
 */
#include "src/launch/blocks.h"

#include <algorithm>
#include <cstring>

namespace simgpu
{

/** The groups that the running thread has committed so far. */
static uint32_t &committed_groups(Worker *w)
{
    AsyncCopies &all = w->async_copies;
    if (all.groups.size() < w->threads_count) {
        all.groups.resize(w->threads_count);
        all.of_thread.resize(w->threads_count);
    }
    return all.groups[w->current];
}

static uint16_t &pending_at(AsyncCopies &all, const unsigned char *address)
{
    return all.pending[(uintptr_t)address / 16 % std::size(all.pending)];
}

/** Adds 1 or -1 to the copies into the bytes of this one. */
static void count_pending(AsyncCopies &all, const AsyncCopy &copy, int by)
{
    const unsigned char *last = copy.to + copy.size - 1;
    all.count += by;
    pending_at(all, copy.to) += by;
    if ((uintptr_t)copy.to / 16 != (uintptr_t)last / 16)
        pending_at(all, last) += by;
}

/** Delivers the running thread's copies of all groups before `end`. */
static void deliver(Worker *w, uint32_t end)
{
    std::vector<AsyncCopy> &mine = w->async_copies.of_thread[w->current];
    auto copy = mine.begin();
    for (; copy != mine.end() && copy->group < end; ++copy) {
        memcpy(copy->to, copy->bytes, copy->size);
        count_pending(w->async_copies, *copy, -1);
    }
    mine.erase(mine.begin(), copy);
}

/** Ends the block if a copy of 4, 8 or 16 bytes begins at an address that is not a multiple of
 * its size. */
static void check_alignment(Worker *w, const void *p, size_t bytes, const char *role,
                            uint32_t pc)
{
    if ((uintptr_t)p % bytes == 0)
        return;
    note_stray(w, SIMGPU_MISALIGNED, {pc},
               "copies %zu bytes asynchronously, whose %s is not at a multiple of %zu (it is "
               "%zu modulo %zu)",
               bytes, role, bytes, (size_t)((uintptr_t)p % bytes), bytes);
    leave_block(w);
}

void async_begin_block(Worker *w)
{
    AsyncCopies &all = w->async_copies;
    std::fill(all.groups.begin(), all.groups.end(), 0);
    if (!all.count)
        return;
    for (std::vector<AsyncCopy> &copies : all.of_thread)
        copies.clear();
    std::fill(std::begin(all.pending), std::end(all.pending), 0);
    all.count = 0;
}

/** Reports that a thread reads what a copy of another one, or its own, has not delivered. */
static SIMGPU_COLD void read_too_early(Worker *w, const AsyncCopy &copy, uint32_t thread,
                                       unsigned size, uint32_t pc)
{
    Untraced quiet;
    bool committed = copy.group < w->async_copies.groups[thread];
    const char *advice =
        committed ? "Wait for the copy first (__pipeline_wait_prior or the pipeline's "
                    "consumer_wait), then let the block meet at __syncthreads()."
                  : "Commit the copies before the wait (__pipeline_commit or "
                    "producer_commit): a wait covers committed copies only.";
    kernel_fault(w, SIMGPU_RACE_SHARED, at_pcs(pc, copy.pc, advice),
                 "reads %u bytes that an asynchronous copy of %s has not "
                 "delivered: it is %s",
                 size, thread_name(w->launch, thread).c_str(),
                 committed ? "not waited for" : "not committed");
}

void async_read(Worker *w, const unsigned char *address, unsigned size, uint32_t pc)
{
    AsyncCopies &all = w->async_copies;
    if (!pending_at(all, address) && !pending_at(all, address + size - 1))
        return;
    for (uint32_t thread = 0; thread < all.of_thread.size(); thread++)
        for (const AsyncCopy &copy : all.of_thread[thread])
            if (copy.to < address + size && address < copy.to + copy.size) {
                read_too_early(w, copy, thread, size, pc);
                return;
            }
}

extern "C" {

void simgpu_async_copy(void *to, const void *from, size_t bytes, size_t zeros)
{
    Worker *w = this_worker;
    size_t given = zeros < bytes ? bytes - zeros : 0;
    AsyncCopy copy = {static_cast<unsigned char *>(to), (unsigned)bytes, {}, 0, 0};
    if (!w || bytes > sizeof copy.bytes) { /* a host thread, or too long for one copy */
        memcpy(to, from, given);
        memset(static_cast<char *>(to) + given, 0, bytes - given);
        return;
    }
    if (w->tracing) {
        copy.pc = pc_of(SIMGPU_CALLER);
        if (bytes == 4 || bytes == 8 || bytes == 16) {
            check_alignment(w, to, bytes, "destination", copy.pc);
            check_alignment(w, from, bytes, "source", copy.pc);
        }
        trace_bytes(w, (uintptr_t)from, given, false, SIMGPU_CALLER);
        trace_bytes(w, (uintptr_t)to, bytes, true, SIMGPU_CALLER);
    }
    copy.group = committed_groups(w);
    memcpy(copy.bytes, from, given);
    w->async_copies.of_thread[w->current].push_back(copy);
    count_pending(w->async_copies, copy, 1);
}

void simgpu_async_commit()
{
    if (Worker *w = this_worker)
        committed_groups(w)++;
}

void simgpu_async_wait(unsigned prior)
{
    Worker *w = this_worker;
    if (!w || !w->async_copies.count)
        return;
    uint32_t groups = committed_groups(w);
    deliver(w, groups > prior ? groups - prior : 0);
}

unsigned simgpu_async_groups() { return this_worker ? committed_groups(this_worker) : 0; }

} // extern "C"

} // namespace simgpu
