/* SPDX-License-Identifier: MIT */
/** @file shared_moduli.cu
 * Several GPUs share the moduli. Each gets A and B, multiplies modulo its own moduli, and sends
 * the residues of its products to GPU 0, which rebuilds C.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exact_batch.h"

int gpus_asked(const struct context *ctx)
{
    int there = 0, asked = (int)larger(1, ctx->settings[SET_GPUS]);
    CUDA_CHECK(cudaGetDeviceCount(&there));
    if (asked > there) {
        fprintf(stderr, "--gpus %d: this computer has %d GPU%s\n", asked, there,
                there == 1 ? "" : "s");
        exit(EXIT_RESOURCE);
    }
    return asked;
}

/* GPU 0 takes one modulus more than its part, and the others share the rest, because they begin
   only after A and B have arrived, and must send their last products. */
struct share share_of(int moduli, int gpus, int gpu)
{
    int own = (int)pieces_of(moduli + gpus - 1, gpus), rest = moduli - own, others = gpus - 1;
    if (gpu == 0)
        return (struct share){0, own};
    int begin = rest * (gpu - 1) / others, end = rest * gpu / others;
    return (struct share){own + begin, end - begin};
}

/* ---- The other GPUs ---- */

/* Another GPU. Its copies run in a second stream, so that it sends one modulus while it
   multiplies the next. */
struct other_gpu {
    int number;
    cudaStream_t work, copies;
    cudaEvent_t arrived, multiplied, sent;
    char *memory; /* kept for the next product, since allocating takes long */
    size_t bytes;
};

static cudaEvent_t new_event(void)
{
    cudaEvent_t event = NULL;
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

/* Lets the current GPU copy directly from and to another one if it can. Otherwise copies go
   through host memory. */
static void reach(int here, int there)
{
    int can = 0;
    CUDA_CHECK(cudaDeviceCanAccessPeer(&can, here, there));
    if (can && cudaDeviceEnablePeerAccess(there, 0) != cudaSuccess)
        cudaGetLastError(); /* access was already enabled */
}

/* GPU `number`, made at the first call. The current GPU is 0 before and after. */
static struct other_gpu *other_gpu(int number)
{
    static struct other_gpu all[MODULI_MOST];
    struct other_gpu *g = &all[number];
    if (g->number)
        return g;
    reach(0, number);
    CUDA_CHECK(cudaSetDevice(number));
    reach(number, 0);
    CUDA_CHECK(cudaStreamCreateWithFlags(&g->work, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&g->copies, cudaStreamNonBlocking));
    g->arrived = new_event(), g->multiplied = new_event(), g->sent = new_event();
    CUDA_CHECK(cudaSetDevice(0));
    g->number = number;
    return g;
}

/* Frees the memory on the current GPU, which must be idle. */
static void give_memory_back(struct other_gpu *g)
{
    CUDA_CHECK(cudaFree(g->memory));
    g->memory = NULL, g->bytes = 0;
}

static void make_room(struct other_gpu *g, size_t bytes)
{
    if (bytes <= g->bytes)
        return;
    give_memory_back(g);
    CUDA_CHECK(cudaMalloc((void **)&g->memory, bytes));
    g->bytes = bytes;
}

/* Bytes from a block's first element to its last, including the gaps between rows. */
static size_t span_of(struct block x)
{
    return ((size_t)(x.rows - 1) * x.ld + x.cols) * sizeof(real);
}

/* Lays out a share on its GPU; A and B come first. */
static struct exact_batch batch_of_share(struct product *p, struct exact_plan plan, int count,
                                         char **free)
{
    plan.moduli = count, plan.safe = false; /* GPU 0 decides which elements are sums */
    p->a.at = (real *)take_bytes(free, span_of(p->a));
    p->b.at = (real *)take_bytes(free, span_of(p->b));
    return exact_batch_of(*p, plan, count, free);
}

static size_t bytes_of_share(struct product p, struct exact_plan plan, int count)
{
    char *begin = (char *)256, *end = begin; /* any aligned address will do */
    batch_of_share(&p, plan, count, &end);
    return (size_t)(end - begin);
}

/// [send]
/* Multiplies modulo number i of a share on its GPU, and sends the residues of the products to
   GPU 0, while the next modulus is multiplied. */
static void multiply_and_send(const struct context *there, const struct exact_batch *part,
                              int i, struct other_gpu *g, unsigned char *to)
{
    size_t bytes = part->products * part->stride;
    int in_group = i % part->in_group;
    struct exact_batch one = *part;
    one.left.bytes += in_group * part->products * part->left.stride;
    one.right.bytes += in_group * part->products * part->right.stride;
    multiply_residues(there, &one, i, 1);
    CUDA_CHECK(cudaEventRecord(g->multiplied, g->work));
    CUDA_CHECK(cudaStreamWaitEvent(g->copies, g->multiplied, 0));
    CUDA_CHECK(
        cudaMemcpyPeerAsync(to, 0, part->residues + i * bytes, g->number, bytes, g->copies));
}
/// [send]

/* Fetches A and B once GPU 0 has begun, and makes the products of a share. `all` is GPU 0's
   batch: every GPU finds the same exponents, from the limit of all moduli. */
static void multiply_share(const struct context *ctx, struct product p, struct exact_plan plan,
                           const struct exact_batch *all, struct share share,
                           struct other_gpu *g, cudaEvent_t begun)
{
    const struct block A = p.a, B = p.b; /* on GPU 0 */
    struct context there = *ctx;
    there.stream = g->work;
    CUDA_CHECK(cudaSetDevice(g->number));
    make_room(g, bytes_of_share(p, plan, share.count));
    char *free = g->memory;
    struct exact_batch part = batch_of_share(&p, plan, share.count, &free);
    part.r = all->r, part.r.count = share.count;
    for (int i = 0; i < share.count; i++)
        part.r.m[i] = all->r.m[share.first + i];

    CUDA_CHECK(cudaStreamWaitEvent(g->copies, begun, 0));
    CUDA_CHECK(cudaMemcpyPeerAsync(p.a.at, g->number, A.at, 0, span_of(A), g->copies));
    CUDA_CHECK(cudaMemcpyPeerAsync(p.b.at, g->number, B.at, 0, span_of(B), g->copies));
    CUDA_CHECK(cudaEventRecord(g->arrived, g->copies));
    CUDA_CHECK(cudaStreamWaitEvent(g->work, g->arrived, 0));

    find_line_exponents(&there, &part.r, &part.left);
    find_line_exponents(&there, &part.r, &part.right);
    for (int i = 0; i < share.count; i++) {
        if (i % part.in_group == 0) {
            int count = (int)smaller(part.in_group, share.count - i);
            make_residues(&there, &part, &part.left, i, count);
            make_residues(&there, &part, &part.right, i, count);
        }
        multiply_and_send(&there, &part, i, g,
                          all->residues + (share.first + i) * (all->products * all->stride));
    }
    CUDA_CHECK(cudaEventRecord(g->sent, g->copies));
#ifdef LADDER_SIM /* the simulator reports memory that is never freed */
    give_memory_back(g);
#endif
    CUDA_CHECK(cudaSetDevice(0));
}

/* ---- All GPUs ---- */

size_t exact_on_gpus_bytes(struct product p, struct exact_plan plan, int gpus)
{
    char *begin = (char *)256, *end = begin;
    exact_batch_of(p, plan, share_of(plan.moduli, gpus, 0).count, &end);
    return (size_t)(end - begin) + 256;
}

/* As multiply_exact(), but GPU 0 multiplies only modulo its own share, and waits for the other
   GPUs' residues before it rebuilds C. */
void multiply_exact_on_gpus(const struct context *ctx, struct product p, struct exact_plan plan,
                            int gpus, void *workspace)
{
    static cudaEvent_t begun;
    char *free = (char *)round_up((long)workspace, 256);
    struct share own = share_of(plan.moduli, gpus, 0);
    struct exact_batch b = exact_batch_of(p, plan, own.count, &free);
    b.r = residue_system_of(plan.moduli);
    if (!begun)
        begun = new_event();
    CUDA_CHECK(cudaEventRecord(begun, ctx->stream)); /* A and B are ready */
    for (int i = 1; i < gpus; i++) {
        struct share share = share_of(plan.moduli, gpus, i);
        if (share.count > 0)
            multiply_share(ctx, p, plan, &b, share, other_gpu(i), begun);
    }
    multiply_moduli(ctx, &b, own.count);
    for (int i = 1; i < gpus; i++)
        CUDA_CHECK(cudaStreamWaitEvent(ctx->stream, other_gpu(i)->sent, 0));
    rebuild(ctx, &b, p.c);
    repair_dropped(ctx, &b, p.c);
    sum_doubles(ctx, &b, p.c);
}

double rate_between_gpus(struct block from)
{
    struct other_gpu *g = other_gpu(1);
    double ms = 0;
    CUDA_CHECK(cudaSetDevice(1));
    make_room(g, span_of(from));
    CUDA_CHECK(cudaSetDevice(0));
    for (int i = 0; i < 2; i++) { /* the first copy is slower */
        backend.start();
        CUDA_CHECK(cudaMemcpyPeerAsync(g->memory, 1, from.at, 0, span_of(from)));
        ms = backend.stop();
    }
    return span_of(from) / ms;
}
