/* SPDX-License-Identifier: MIT */
/** @file comm_nccl.c
 * Moves blocks in GPU memory by NCCL, over NVLink, PCIe or the network. Another engine, MPI's
 * or that of threads, has found the ranks and still moves small data.
 *
 * All messages use one separate stream and run in the order in which they are named. Sends
 * and receives form one NCCL group, so that no two ranks wait for each other. Broadcasts stay
 * outside: within a group NCCL may swap a row's broadcast and a column's, and ranks with
 * different orders would wait for ever. The stream waits for all work launched before, and the
 * host waits for the stream.
 */
#include <cuda_runtime.h>
#include <nccl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "comm.h"

static const ncclDataType_t nccl_real = sizeof(real) == 4 ? ncclFloat : ncclDouble;

/* The engine's own part of struct comm. */
struct links {
    ncclComm_t world;
    ncclComm_t groups[3]; /* the open ones, and NULL */
    cudaStream_t stream;
    cudaMemPool_t pool; /* for copies without gaps */
};

/* A transfer; a block with gaps between its rows goes through a copy without gaps. */
struct nccl_transfer {
    struct transfer t;
    real *copy;
};

struct under_way {
    bool grouped; /* a group of NCCL is open */
    cudaEvent_t before, done;
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
    struct under_way *u = comm_allocate(x->comm, sizeof *u, "an exchange");
    x->own = u;
    check_cuda(x->comm, cudaEventCreateWithFlags(&u->before, cudaEventDisableTiming),
               "an event");
    check_cuda(x->comm, cudaEventCreateWithFlags(&u->done, cudaEventDisableTiming), "an event");
    check_cuda(x->comm, cudaEventRecord(u->before, 0),
               "an event"); /* after the sums that make what is sent */
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

/* Copies a block to its copy without gaps, or back. */
static void copy_rows(struct exchange *x, struct nccl_transfer *n, bool back)
{
    struct block b = n->t.block;
    size_t row = (size_t)b.cols * sizeof(real), pitch = (size_t)b.ld * sizeof(real);
    check_cuda(x->comm,
               cudaMemcpy2DAsync(back ? b.at : n->copy, back ? pitch : row,
                                 back ? n->copy : b.at, back ? row : pitch, row, (size_t)b.rows,
                                 cudaMemcpyDeviceToDevice, links_of(x)->stream),
               back ? "unpacking a message" : "packing a message");
}

/* Where NCCL reads or writes a block's elements as one piece. */
static real *without_gaps(struct exchange *x, struct nccl_transfer *n)
{
    struct block b = n->t.block;
    if (b.ld == b.cols || b.rows == 1)
        return b.at;
    check_cuda(x->comm,
               cudaMallocAsync((void **)&n->copy, (size_t)(b.rows * b.cols) * sizeof(real),
                               links_of(x)->stream),
               "memory for a message");
    if (n->t.leaves)
        copy_rows(x, n, false);
    return n->copy;
}

static void post(struct exchange *x, struct transfer *t)
{
    static const char *const calls[] = {"ncclSend", "ncclRecv", "ncclBroadcast", "ncclReduce"};
    const struct links *links = links_of(x);
    size_t count = (size_t)(t->block.rows * t->block.cols);
    ncclComm_t group = t->group ? t->group->own : NULL;
    ncclResult_t status;
    group_messages(x, !group);
    real *at = without_gaps(x, (struct nccl_transfer *)t);
    if (t->kind == SEND)
        status = ncclSend(at, count, nccl_real, t->other, links->world, links->stream);
    else if (t->kind == RECEIVE)
        status = ncclRecv(at, count, nccl_real, t->other, links->world, links->stream);
    else if (t->kind == BROADCAST)
        status = ncclBroadcast(at, at, count, nccl_real, t->root, group, links->stream);
    else
        status = ncclReduce(at, at, count, nccl_real, ncclSum, t->root, group, links->stream);
    check_nccl(x->comm, status, calls[t->kind]);
}

static void start(struct exchange *x)
{
    struct under_way *u = x->own;
    cudaStream_t stream = links_of(x)->stream;
    group_messages(x, false);
    for (struct transfer *t = x->transfers; t; t = t->next) {
        struct nccl_transfer *n = (struct nccl_transfer *)t;
        if (n->copy && t->arrives)
            copy_rows(x, n, true);
        if (n->copy)
            check_cuda(x->comm, cudaFreeAsync(n->copy, stream), "memory of a message");
    }
    check_cuda(x->comm, cudaEventRecord(u->done, stream), "an event");
}

static void check_links(struct exchange *x, ncclComm_t links)
{
    ncclResult_t status = ncclSuccess;
    check_nccl(x->comm, ncclCommGetAsyncError(links, &status), "ncclCommGetAsyncError");
    check_nccl(x->comm, status, x->what);
}

/* The event comes after all transfers of the exchange. Broadcasts and sums have separate
   communicators, so their errors do not show in the world's. */
static bool is_done(struct exchange *x, struct transfer *t)
{
    struct under_way *u = x->own;
    const struct links *links = links_of(x);
    (void)t;
    check_links(x, links->world);
    for (size_t i = 0; i < sizeof links->groups / sizeof *links->groups; i++)
        if (links->groups[i])
            check_links(x, links->groups[i]);
    cudaError_t status = cudaEventQuery(u->done);
    if (status != cudaErrorNotReady)
        check_cuda(x->comm, status, x->what);
    return status == cudaSuccess;
}

static void end(struct exchange *x)
{
    struct under_way *u = x->own;
    cudaEventDestroy(u->before);
    cudaEventDestroy(u->done);
    free(u);
}

/* Replaces a group in the list of open ones. */
static void replace_group(struct comm *comm, ncclComm_t old, ncclComm_t new_one)
{
    struct links *links = comm->own;
    size_t i = 0, count = sizeof links->groups / sizeof *links->groups;
    while (i < count && links->groups[i] != old)
        i++;
    if (i == count)
        comm_abort(comm, "a rank has more than %zu groups of GPUs", count);
    links->groups[i] = new_one;
}

static void open_group(struct comm *comm, struct group *group)
{
    struct links *links = comm->own;
    check_nccl(
        comm,
        ncclCommSplit(links->world, group->first, group->mine, (ncclComm_t *)&group->own, NULL),
        "ncclCommSplit");
    replace_group(comm, NULL, group->own);
}

static void close_group(struct comm *comm, struct group *group)
{
    struct links *links = comm->own;
    replace_group(comm, group->own, NULL);
    check_nccl(comm, ncclCommDestroy(group->own), "ncclCommDestroy");
    check_cuda(comm, cudaMemPoolTrimTo(links->pool, 0), "memory of messages");
}

static const struct engine nccl = {.name = "NCCL",
                                   .transfer_bytes = sizeof(struct nccl_transfer),
                                   .begin = begin,
                                   .post = post,
                                   .start = start,
                                   .is_done = is_done,
                                   .end = end,
                                   .open_group = open_group,
                                   .close_group = close_group};

/* A product fills the GPU with thread blocks that wait for their turn. Only blocks of an urgent
   stream go first: in another stream, messages would move when the product is nearly over. */
static void open_stream(struct comm *comm, struct links *links)
{
    int least, most;
    check_cuda(comm, cudaDeviceGetStreamPriorityRange(&least, &most), "priorities of streams");
    check_cuda(comm, cudaStreamCreateWithPriority(&links->stream, cudaStreamNonBlocking, most),
               "a stream for messages");
}

/* The memory of a message is kept for the next one. Otherwise every wait for the GPU would
   return it, and the next run would ask the driver for it while messages of other GPUs are
   under way. */
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
    struct links *links = comm_allocate(comm, sizeof *links, "NCCL");
    ncclUniqueId id;
    double bytes[sizeof id.internal];
    /* All threads share one environment; only rank 0 changes it, before the others read it. */
    if (comm->rank == 0 || !comm->threads)
        setenv("NCCL_NVLS_ENABLE", "0",
               0); /* multicast over NVLink stays off unless the user sets this */
    if (comm->rank == 0 && comm->threads)
        setenv("NCCL_P2P_DIRECT_DISABLE", "1",
               0); /* a GPU cannot read memory of another GPU's pool */
    memset(&id, 0, sizeof id);
    if (comm->rank == 0)
        check_nccl(comm, ncclGetUniqueId(&id), "ncclGetUniqueId");
    for (size_t i = 0; i < sizeof id.internal; i++)
        bytes[i] = (unsigned char)id.internal[i];
    double *all = comm_gather(comm, bytes, (int)sizeof id.internal);
    for (size_t i = 0; i < sizeof id.internal; i++)
        id.internal[i] = (char)(unsigned char)all[i];
    free(all);
    check_nccl(comm, ncclCommInitRank(&links->world, comm->ranks, id, comm->rank),
               "ncclCommInitRank");
    open_stream(comm, links);
    open_pool(comm, links);
    comm->own = links;
    comm->engine = &nccl;
}

void comm_leave_nccl(struct comm *comm)
{
    struct links *links = comm->own;
    check_nccl(comm, ncclCommDestroy(links->world), "ncclCommDestroy");
    cudaStreamDestroy(links->stream);
    comm->engine = comm->numbers;
    comm->own = NULL;
    free(links);
}
