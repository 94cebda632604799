/* SPDX-License-Identifier: MIT */
/** @file async_copies.cpp
 * Asynchronous copies of a thread into shared memory (cp.async). On a GPU their bytes may
 * arrive as late as the wait for them, so here they arrive exactly then: a kernel that forgets
 * the commit or the wait reads the old bytes, and the read is reported.
 */
#include "blocks.h"

#include <algorithm>
#include <cstring>

namespace simgpu
{

namespace
{

/** The groups that the running thread has committed so far. */
uint32_t &committed_groups(Worker *w)
{
    if (w->async_groups.size() < w->threads_count)
        w->async_groups.resize(w->threads_count);
    return w->async_groups[w->current];
}

/** Delivers the running thread's copies of all groups before `end`. */
void deliver(Worker *w, uint32_t end)
{
    auto mine = [&](const AsyncCopy &copy) {
        return copy.thread == w->current && copy.group < end;
    };
    for (const AsyncCopy &copy : w->async_copies)
        if (mine(copy))
            memcpy(copy.to, copy.bytes, copy.size);
    w->async_copies.erase(std::remove_if(w->async_copies.begin(), w->async_copies.end(), mine),
                          w->async_copies.end());
}

/** Ends the block if a copy of 4, 8 or 16 bytes begins at an address that is not a multiple of
 * its size. */
void check_alignment(Worker *w, const void *p, size_t bytes, const char *role, uint32_t pc)
{
    if ((uintptr_t)p % bytes == 0)
        return;
    note_stray(w, SIMGPU_MISALIGNED, {pc},
               "copies %zu bytes asynchronously, whose %s is not at a multiple of %zu (it is "
               "%zu modulo %zu)",
               bytes, role, bytes, (size_t)((uintptr_t)p % bytes), bytes);
    leave_block(w);
}

} // namespace

void async_begin_block(Worker *w)
{
    w->async_copies.clear();
    std::fill(w->async_groups.begin(), w->async_groups.end(), 0);
}

void async_read(Worker *w, const unsigned char *address, unsigned size, uint32_t pc)
{
    for (const AsyncCopy &copy : w->async_copies) {
        if (address + size <= copy.to || copy.to + copy.size <= address)
            continue;
        Untraced quiet;
        unsigned index[3];
        unflatten(copy.thread, w->launch->desc.block, index);
        bool committed = copy.group < w->async_groups[copy.thread];
        FaultPlace place{pc, copy.pc};
        place.advice = committed ? "Wait for the copy first (__pipeline_wait_prior or the "
                                   "pipeline's consumer_wait), "
                                   "then let the block meet at __syncthreads()."
                                 : "Commit the copies before the wait (__pipeline_commit or "
                                   "producer_commit): a wait covers "
                                   "committed copies only.";
        kernel_fault(w, SIMGPU_RACE_SHARED, place,
                     "reads %u bytes that an asynchronous copy of thread (%u,%u,%u) has not "
                     "delivered: it is %s",
                     size, index[0], index[1], index[2],
                     committed ? "not waited for" : "not committed");
        return;
    }
}

} // namespace simgpu

using namespace simgpu;

extern "C" {

void simgpu_async_copy(void *to, const void *from, size_t bytes, size_t zeros)
{
    Worker *w = this_worker;
    size_t given = zeros < bytes ? bytes - zeros : 0;
    AsyncCopy copy = {static_cast<unsigned char *>(to), (unsigned)bytes, {}, 0, 0, 0};
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
    copy.thread = w->current;
    copy.group = committed_groups(w);
    memcpy(copy.bytes, from, given);
    w->async_copies.push_back(copy);
}

void simgpu_async_commit()
{
    if (Worker *w = this_worker)
        committed_groups(w)++;
}

void simgpu_async_wait(unsigned prior)
{
    Worker *w = this_worker;
    if (!w || w->async_copies.empty())
        return;
    uint32_t groups = committed_groups(w);
    deliver(w, groups > prior ? groups - prior : 0);
}

unsigned simgpu_async_groups() { return this_worker ? committed_groups(this_worker) : 0; }

} // extern "C"
