/* SPDX-License-Identifier: MIT */
/** @file clusters.cpp
 * Clusters of blocks. Each block has a host thread, but only one block of a cluster runs at a
 * time: it keeps its turn until none of its threads can go on.
 */
#include "src/hopper/async_proxy.h"

#include <algorithm>

namespace simgpu
{

/** The block of this rank in the cluster with this number. */
static uint64_t block_of(const Launch *launch, uint64_t cluster, unsigned rank)
{
    const unsigned *grid = launch->desc.grid, *size = launch->cluster;
    const unsigned clusters[3] = {grid[0] / size[0], grid[1] / size[1], grid[2] / size[2]};
    unsigned at[3], within[3];
    unflatten(cluster, clusters, at);
    unflatten(rank, size, within);
    uint64_t block = 0;
    for (int i = 2; i >= 0; i--)
        block = block * grid[i] + at[i] * size[i] + within[i];
    return block;
}

/** Gives the turn to the next block that has not ended. The caller holds the lock. */
static void pass_turn(Cluster *c, Worker *w, unsigned rank)
{
    c->clock = std::max(c->clock, w->clock);
    for (unsigned i = 1; i <= c->size; i++) {
        c->turn = (rank + i) % c->size;
        if (!c->ended[c->turn])
            break;
    }
    c->changed.notify_all();
}

std::shared_ptr<Cluster> cluster_create(unsigned size)
{
    return std::make_shared<Cluster>(size);
}

bool cluster_next(Worker *w, Cluster *c, unsigned rank, uint64_t *block)
{
    Launch *launch = w->launch;
    std::unique_lock<std::mutex> lock(c->mutex);
    const uint64_t round = c->round;
    if (++c->finished == c->size) {
        const uint64_t first = launch->next_block.fetch_add(c->size);
        c->stop = launch->aborted || launch->again || first >= launch->blocks;
        c->first = first / c->size;
        std::fill(c->blocks.begin(), c->blocks.end(), nullptr);
        std::fill(c->ended.begin(), c->ended.end(), false);
        c->arrived = c->done = c->idle = c->finished = 0;
        c->phases = 0;
        uint64_t random = settings.shuffle + c->first;
        c->turn = settings.shuffle ? (unsigned)(next_random(random) % c->size) : 0;
        c->round++;
        c->changed.notify_all();
    }
    c->changed.wait(lock, [&] { return c->round != round; });
    if (c->stop)
        return false;
    c->changed.wait(lock, [&] { return c->turn == rank; });
    w->clock = std::max(w->clock, c->clock);
    c->blocks[rank] = w;
    Proxy &proxy = proxy_of(w);
    proxy.cluster = c;
    proxy.rank = rank;
    *block = block_of(launch, c->first, rank);
    return true;
}

bool cluster_yield(Worker *w, bool idle)
{
    Proxy &proxy = *w->proxy;
    Cluster *c = proxy.cluster;
    unsigned others = (unsigned)std::count(c->ended.begin(), c->ended.end(), false) - 1;
    c->idle = idle ? c->idle + 1 : 0;
    if (others == 0 || c->idle > others + 1)
        return !idle;
    std::unique_lock<std::mutex> lock(c->mutex);
    pass_turn(c, w, proxy.rank);
    c->changed.wait(lock, [&] { return c->turn == proxy.rank; });
    w->clock = std::max(w->clock, c->clock);
    return true;
}

void cluster_block_done(Worker *w)
{
    Proxy &proxy = *w->proxy;
    Cluster *c = proxy.cluster;
    std::unique_lock<std::mutex> lock(c->mutex);
    c->ended[proxy.rank] = true;
    c->idle = 0;
    pass_turn(c, w, proxy.rank);
    proxy.cluster = &proxy.alone;
    proxy.rank = 0;
}

/** The barrier of the cluster is complete when all threads that have not ended came. */
static void settle_cluster(Worker *w, Cluster *c)
{
    if (c->arrived + c->done < c->size * w->threads_count || c->arrived == 0)
        return;
    c->arrived = 0;
    c->phases++;
    c->completed = ++w->clock;
}

void cluster_thread_done(Worker *w)
{
    Cluster *c = w->proxy->cluster;
    c->done++;
    settle_cluster(w, c);
}

Worker *block_of_rank(Worker *w, unsigned rank, uint32_t pc)
{
    Proxy &proxy = proxy_of(w);
    Cluster *c = proxy.cluster;
    if (rank == proxy.rank)
        return w;
    const bool is_block = rank < c->size, ended = is_block && c->ended[rank];
    if (is_block && c->phases > 0 && !ended)
        return c->blocks[rank];
    const char *advice =
        ended ? "Let all threads of the cluster meet at its end (barrier.cluster): "
                "a block may end only when no other one uses its memory any more."
              : "Let all threads of the cluster meet (barrier.cluster) before one "
                "of them uses another block's memory.";
    Untraced quiet;
    if (!w->launch->strayed())
        kernel_fault(
            w, SIMGPU_MISSING_WAIT, at_pc(pc, advice),
            !is_block
                ? "uses the shared memory of block %u of its cluster, which has no such block"
            : ended
                ? "uses the shared memory of block %u of its cluster, which has ended"
                : "uses the shared memory of block %u of its cluster, which may not have begun",
            rank);
    if (ended)
        return nullptr;
    abort_launch(w, cudaErrorIllegalAddress);
}

void cluster_race(Worker *w, uint32_t pc, bool write, uint32_t other_pc, bool other_write,
                  uint32_t offset)
{
    Untraced quiet;
    kernel_fault(
        w, SIMGPU_MISSING_WAIT,
        at_pcs(pc, other_pc,
               "Let all threads of the cluster meet between the two: cluster.sync(), or "
               "barrier.cluster.arrive and barrier.cluster.wait."),
        "%s %s, which another block of the cluster %s, and no barrier of the cluster came "
        "between",
        write ? "writes" : "reads", shared_byte(w->launch, offset).c_str(),
        other_write ? "writes" : "reads");
}

bool peer_access(Worker *w, uintptr_t address, unsigned size, const Access &a)
{
    Cluster *c = w->proxy->cluster;
    unsigned rank = 0;
    while (rank < c->size && (!c->blocks[rank] || c->blocks[rank] == w ||
                              address - (uintptr_t)c->blocks[rank]->shared >= shared_span))
        rank++;
    if (rank == c->size)
        return false;
    Worker *there = block_of_rank(w, rank, a.pc);
    if (!there)
        return true;
    Untraced quiet;
    const uint32_t offset = (uint32_t)(address - (uintptr_t)there->shared);
    const SharedArray *array = nearest_shared_array(w->launch, offset);
    if (!array || offset < array->offset || offset + size > array->offset + array->size) {
        kernel_fault(w, SIMGPU_OUT_OF_BOUNDS_SHARED, {a.pc},
                     "%s %u bytes at %s in block %u of its cluster, which has %zu bytes",
                     a.writes ? "writes" : "reads", size,
                     shared_byte(w->launch, offset).c_str(), rank, array ? array->size : 0);
        leave_block(w);
    }
    uint32_t known = there->block_start; /* what any thread of the block knows */
    for (uint32_t t = 0; t < w->threads_count; t++)
        known = std::max(known, w->traces[t].acquired_in_block);
    for (uint32_t at = offset / 4 * 4; at < offset + size; at += 4) {
        Touch &t = there->shared_shadow[at / 4];
        const bool both_atomic = a.strong && (t.flags & touch_strong_write);
        if (t.write_time >= known && t.writer != other_block && !both_atomic)
            cluster_race(w, a.pc, a.writes, t.write_pc, true, offset);
        else if (a.writes && t.read_time >= known && t.reader != other_block && !both_atomic)
            cluster_race(w, a.pc, true, t.read_pc, false, offset);
        if (a.writes) {
            t.writer = other_block;
            t.write_time = w->clock;
            t.write_pc = a.pc;
            t.flags = a.strong ? touch_strong_write : 0;
        } else {
            t.reader = other_block;
            t.read_time = w->clock;
            t.read_pc = a.pc;
        }
    }
    return true;
}

extern "C" {

void simgpu_cluster_dims(unsigned x, unsigned y, unsigned z)
{
    Worker *w = kernel_only("__cluster_dims__");
    Launch *launch = w->launch;
    const unsigned size[3] = {x, y, z};
    if (x * y * z == proxy_of(w).cluster->size) /* the blocks run as clusters already */
        return;
    const unsigned *grid = launch->desc.grid;
    if (grid[0] % x || grid[1] % y || grid[2] % z) {
        kernel_fault(
            w, SIMGPU_LAUNCH_LIMITS,
            at_line(launch->desc.file, launch->desc.line,
                    "Launch a whole number of clusters in each direction."),
            "is in a grid of %u x %u x %u blocks, and the kernel's clusters have %u x %u x %u",
            grid[0], grid[1], grid[2], x, y, z);
        abort_launch(w, cudaErrorInvalidValue);
    }
    {
        std::lock_guard<std::mutex> lock(launch->shared_mutex);
        memcpy(launch->cluster, size, sizeof size);
    }
    launch->again = true;
    leave_block(w);
}

unsigned simgpu_cluster_rank() { return proxy_of(kernel_only("%cluster_ctarank")).rank; }

unsigned simgpu_cluster_size()
{
    return proxy_of(kernel_only("%cluster_nctarank")).cluster->size;
}

void simgpu_cluster_place(unsigned size[3], unsigned at[3])
{
    Worker *w = kernel_only("%cluster_ctaid");
    unflatten(proxy_of(w).rank, w->launch->cluster, at);
    memcpy(size, w->launch->cluster, sizeof w->launch->cluster);
}

void *simgpu_cluster_pointer(void *shared, unsigned rank)
{
    Worker *w = kernel_only("mapa");
    Proxy &proxy = proxy_of(w);
    if (rank == ~0u || rank == proxy.rank)
        return shared;
    const uint64_t offset = (uint64_t)shared - (uint64_t)w->shared;
    if (rank >= proxy.cluster->size)
        block_of_rank(w, rank, CALLER_PC);
    while (!proxy.cluster->blocks[rank]) /* an address is no access */
        cluster_yield(w, false);
    return proxy.cluster->blocks[rank]->shared + offset;
}

void simgpu_cluster_arrive()
{
    Worker *w = kernel_only("barrier.cluster");
    Proxy &proxy = proxy_of(w);
    proxy.cluster_arrivals[w->current] = 1 + proxy.cluster->phases;
    proxy.cluster->arrived++;
    settle_cluster(w, proxy.cluster);
}

void simgpu_cluster_wait()
{
    Worker *w = kernel_only("barrier.cluster");
    Proxy &proxy = proxy_of(w);
    uint64_t arrival = proxy.cluster_arrivals[w->current];
    wait_for_phase(w, {PhaseWait::cluster, CALLER_PC, 0, 0, arrival});
}

} // extern "C"

} // namespace simgpu
