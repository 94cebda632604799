/* SPDX-License-Identifier: MIT */
/** @file comm_nccl.c
 * Blocks in GPU memory, moved by NCCL over NVLink, PCIe or the network. The engine below, MPI's
 * or that of threads, has found the ranks and moves what is small.
 *
 * All messages go through one stream of their own, in the order in which they are named.
 * Messages between two ranks go as one NCCL group, so that no two ranks wait for each other.
 * Broadcasts do not: within a group NCCL may change the order of a row's and a column's, and
 * ranks with different orders would wait for ever. The stream waits for what has been launched
 * before, and the host for the stream.
 */
#include <cuda_runtime.h>
#include <nccl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"

#ifdef LADDER_F32
#define NCCL_REAL ncclFloat
#else
#define NCCL_REAL ncclDouble
#endif

/* The engine's own part of struct comm. */
struct links {
    ncclComm_t world;
    cudaStream_t stream;
    cudaMemPool_t pool;         /* that copies without gaps come from */
    const struct engine *below; /* MPI's or threads', which makes groups as well */
};

/* A block with gaps between its rows goes through a copy without. */
struct packed {
    real *copy;
    struct block block;
    bool received;
};

struct under_way {
    int count, capacity, partner;
    bool grouped; /* a group of NCCL is open */
    struct packed *packed;
    cudaEvent_t before, done;
};

/* What a group is to NCCL, beside what it is to the engine below. */
struct nccl_group {
    ncclComm_t comm;
    void *below;
};

static void check_cuda(struct comm *comm, cudaError_t status, const char *what)
{
    if (status != cudaSuccess)
        comm_abort(comm, "%s: %s", what, cudaGetErrorString(status));
}

static void check_nccl(struct comm *comm, ncclResult_t status, const char *what)
{
    if (status != ncclSuccess && status != ncclInProgress)
        comm_abort(comm, "NCCL, %s: %s (NCCL_DEBUG=INFO says more)", what,
                   ncclGetErrorString(status));
}

static struct links *links_of(struct exchange *x) { return x->comm->own; }

static void begin(struct exchange *x)
{
    struct under_way *u = calloc(1, sizeof *u);
    if (!u)
        comm_abort(x->comm, "no memory for an exchange");
    x->own = u;
    u->partner = x->comm->rank;
    check_cuda(x->comm, cudaEventCreateWithFlags(&u->before, cudaEventDisableTiming),
               "an event");
    check_cuda(x->comm, cudaEventCreateWithFlags(&u->done, cudaEventDisableTiming), "an event");
    check_cuda(x->comm, cudaEventRecord(u->before, 0),
               "an event"); /* sums that make what is sent */
    check_cuda(x->comm, cudaStreamWaitEvent(links_of(x)->stream, u->before, 0),
               "waiting for the products' stream");
}

static void group_messages(struct exchange *x, bool together)
{
    struct under_way *u = x->own;
    if (together && !u->grouped)
        check_nccl(x->comm, ncclGroupStart(), "ncclGroupStart");
    if (!together && u->grouped)
        check_nccl(x->comm, ncclGroupEnd(), "ncclGroupEnd");
    u->grouped = together;
}

/* Where NCCL reads or writes a block's elements one after another. */
static real *without_gaps(struct exchange *x, struct block block, bool sent, bool received)
{
    struct under_way *u = x->own;
    size_t row = (size_t)block.cols * sizeof(real);
    if (block.ld == block.cols || block.rows == 1)
        return block.at;
    if (u->count == u->capacity) {
        u->capacity = 2 * u->capacity + 4;
        struct packed *more = realloc(u->packed, (size_t)u->capacity * sizeof *more);
        if (!more)
            comm_abort(x->comm, "no memory for %d messages", u->capacity);
        u->packed = more;
    }
    struct packed *p = &u->packed[u->count++];
    *p = (struct packed){NULL, block, received};
    check_cuda(
        x->comm,
        cudaMallocAsync((void **)&p->copy, row * (size_t)block.rows, links_of(x)->stream),
        "memory for a message");
    if (sent)
        check_cuda(x->comm,
                   cudaMemcpy2DAsync(p->copy, row, block.at, (size_t)block.ld * sizeof(real),
                                     row, (size_t)block.rows, cudaMemcpyDeviceToDevice,
                                     links_of(x)->stream),
                   "packing a message");
    return p->copy;
}

static size_t words_of(struct block block) { return (size_t)block.rows * (size_t)block.cols; }

/* Where NCCL finds one message of the group that is open. */
static real *message(struct exchange *x, struct block block, int other, bool sent)
{
    struct under_way *u = x->own;
    u->partner = other;
    group_messages(x, true);
    return without_gaps(x, block, sent, !sent);
}

static void send(struct exchange *x, struct block block, int to)
{
    real *at = message(x, block, to, true);
    check_nccl(
        x->comm,
        ncclSend(at, words_of(block), NCCL_REAL, to, links_of(x)->world, links_of(x)->stream),
        "ncclSend");
}

static void receive(struct exchange *x, struct block block, int from)
{
    real *at = message(x, block, from, false);
    check_nccl(
        x->comm,
        ncclRecv(at, words_of(block), NCCL_REAL, from, links_of(x)->world, links_of(x)->stream),
        "ncclRecv");
}

static void broadcast(struct exchange *x, const struct group *group, struct block block,
                      int root)
{
    bool mine = group->mine == root;
    struct under_way *u = x->own;
    const struct nccl_group *own = group->own;
    u->partner = group->members[mine ? !root : root];
    group_messages(x, false);
    real *at = without_gaps(x, block, mine, !mine);
    check_nccl(
        x->comm,
        ncclBroadcast(at, at, words_of(block), NCCL_REAL, root, own->comm, links_of(x)->stream),
        "ncclBroadcast");
}

static void reduce(struct exchange *x, const struct group *group, struct block block, int root)
{
    struct under_way *u = x->own;
    const struct nccl_group *own = group->own;
    u->partner = group->members[group->mine == root ? !root : root];
    group_messages(x, false);
    check_nccl(x->comm,
               ncclReduce(block.at, block.at, words_of(block), NCCL_REAL, ncclSum, root,
                          own->comm, links_of(x)->stream),
               "ncclReduce");
}

static void start(struct exchange *x)
{
    struct under_way *u = x->own;
    cudaStream_t stream = links_of(x)->stream;
    group_messages(x, false);
    for (int i = 0; i < u->count; i++) {
        struct packed *p = &u->packed[i];
        size_t row = (size_t)p->block.cols * sizeof(real);
        if (p->received)
            check_cuda(x->comm,
                       cudaMemcpy2DAsync(p->block.at, (size_t)p->block.ld * sizeof(real),
                                         p->copy, row, row, (size_t)p->block.rows,
                                         cudaMemcpyDeviceToDevice, stream),
                       "unpacking a message");
        check_cuda(x->comm, cudaFreeAsync(p->copy, stream), "memory of a message");
    }
    check_cuda(x->comm, cudaEventRecord(u->done, stream), "an event");
}

static int waits_for(struct exchange *x)
{
    struct under_way *u = x->own;
    ncclResult_t links = ncclSuccess;
    check_nccl(x->comm, ncclCommGetAsyncError(links_of(x)->world, &links),
               "ncclCommGetAsyncError");
    check_nccl(x->comm, links, x->what);
    cudaError_t status = cudaEventQuery(u->done);
    if (status == cudaErrorNotReady)
        return u->partner;
    check_cuda(x->comm, status, x->what);
    return -1;
}

static void end(struct exchange *x)
{
    struct under_way *u = x->own;
    cudaEventDestroy(u->before);
    cudaEventDestroy(u->done);
    free(u->packed);
    free(u);
}

static void open_group(struct comm *comm, struct group *group, int color)
{
    struct links *links = comm->own;
    struct nccl_group *own = calloc(1, sizeof *own);
    if (!own)
        comm_abort(comm, "no memory for a group");
    if (links->below->open_group)
        links->below->open_group(comm, group, color);
    own->below = group->own;
    group->own = own;
    comm_watch(comm, "making groups of GPUs (ncclCommSplit)");
    check_nccl(comm, ncclCommSplit(links->world, color, group->mine, &own->comm, NULL),
               "ncclCommSplit");
    comm_watch(comm, NULL);
}

static void close_group(struct comm *comm, struct group *group)
{
    struct links *links = comm->own;
    struct nccl_group *own = group->own;
    comm_watch(comm, "letting groups of GPUs go");
    check_nccl(comm, ncclCommDestroy(own->comm), "ncclCommDestroy");
    comm_watch(comm, NULL);
    check_cuda(comm, cudaMemPoolTrimTo(links->pool, 0), "memory of messages");
    group->own = own->below;
    if (links->below->close_group)
        links->below->close_group(comm, group);
    free(own);
}

static void all_numbers(struct comm *comm, const double *mine, int count, double *all)
{
    ((struct links *)comm->own)->below->all(comm, mine, count, all);
}

static const struct engine nccl = {"NCCL",    begin,      send,        receive,
                                   broadcast, reduce,     start,       waits_for,
                                   end,       open_group, close_group, all_numbers};

/* A product fills the GPU with thread blocks that wait for their turn. Only an urgent stream's
   blocks come before them: messages of another would move when the product is nearly over. */
static void open_stream(struct comm *comm, struct links *links)
{
    int least, most;
    check_cuda(comm, cudaDeviceGetStreamPriorityRange(&least, &most), "priorities of streams");
    check_cuda(comm, cudaStreamCreateWithPriority(&links->stream, cudaStreamNonBlocking, most),
               "a stream for messages");
}

/* Memory of a message is kept for the next one. Otherwise every wait for the GPU would give it
   back, and the next run would ask the driver for it while messages of other GPUs are under
   way. */
static void open_pool(struct comm *comm, struct links *links)
{
    int device = 0;
    uint64_t all = UINT64_MAX;
    check_cuda(comm, cudaGetDevice(&device), "this rank's GPU");
    check_cuda(comm, cudaDeviceGetDefaultMemPool(&links->pool, device), "memory for messages");
    check_cuda(comm,
               cudaMemPoolSetAttribute(links->pool, cudaMemPoolAttrReleaseThreshold, &all),
               "memory for messages");
}

void comm_use_nccl(struct comm *comm)
{
    struct links *links = calloc(1, sizeof *links);
    ncclUniqueId id;
    double bytes[sizeof id.internal];
    double *all = malloc((size_t)comm->ranks * sizeof bytes);
    if (!links || !all)
        comm_abort(comm, "no memory for NCCL's identifiers");
    /* threads have one environment, which the others do not read yet */
    if (comm->rank == 0 || !comm->threads)
        setenv("NCCL_NVLS_ENABLE", "0",
               0); /* multicast over NVLink stays off, unless somebody asks for it */
    if (comm->rank == 0 && comm->threads)
        setenv("NCCL_P2P_DIRECT_DISABLE", "1",
               0); /* one GPU of a process does not see what another's pool has */
    memset(&id, 0, sizeof id);
    if (comm->rank == 0)
        check_nccl(comm, ncclGetUniqueId(&id), "ncclGetUniqueId");
    for (size_t i = 0; i < sizeof id.internal; i++)
        bytes[i] = (unsigned char)id.internal[i];
    comm_all(comm, bytes, (int)sizeof id.internal, all);
    for (size_t i = 0; i < sizeof id.internal; i++)
        id.internal[i] = (char)(unsigned char)all[i];
    free(all);
    comm_watch(comm, "finding the other GPUs (ncclCommInitRank)");
    check_nccl(comm, ncclCommInitRank(&links->world, comm->ranks, id, comm->rank),
               "ncclCommInitRank");
    comm_watch(comm, NULL);
    open_stream(comm, links);
    open_pool(comm, links);
    links->below = comm->engine;
    comm->own = links;
    comm->engine = &nccl;
}

void comm_leave_nccl(struct comm *comm)
{
    struct links *links = comm->own;
    comm_watch(comm, "letting the other GPUs go");
    check_nccl(comm, ncclCommDestroy(links->world), "ncclCommDestroy");
    comm_watch(comm, NULL);
    cudaStreamDestroy(links->stream);
    comm->engine = links->below;
    comm->own = NULL;
    free(links);
}
