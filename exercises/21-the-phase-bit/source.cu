/* SPDX-License-Identifier: MIT */
/** @file
 * Exercise 21-the-phase-bit: a ring of stages that the copy engine fills.
 */
#include <stdint.h>

#include "common/matrix/block.h"
#include "common/device/gpu.h"

/* A block computes tiles of C, one after another. Its first warp has one thread at work, the
   producer. The threads of the other two warps are consumers, with four elements of a tile
   each. A slice is DEPTH terms of a tile's rows of A, or of its columns of B. */
enum { TILE = 16, DEPTH = 8, STAGES = 3, CONSUMERS = 64, PRODUCERS = 32 };
enum { SLICE = TILE * DEPTH, SLICE_BYTES = SLICE * 4, TILE_BYTES = TILE * TILE * 4 };

/* ---- A function for each instruction that CUDA C has no word for ---- */

static __device__ unsigned place(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* Each phase of the barrier will wait for this many arrivals. */
static __device__ void barrier_create(uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place(barrier)),
                 "r"(arrivals));
}

static __device__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(barrier)) : "memory");
}

/* Arrives, and makes the phase wait for this many bytes, too. */
static __device__ void barrier_arrive_and_expect(uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* Waits until the current phase is another one than that of this parity. */
static __device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n.reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
                 "@!complete bra again;\n}\n" ::"r"(place(barrier)),
                 "r"(parity)
                 : "memory");
}

/* Begins a copy to shared memory, and returns. The bytes count at the barrier when they come.
 */
static __device__ void copy_begin(real *to, const real *from, int bytes, uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(place(to)),
                 "l"(from), "r"(bytes), "r"(place(barrier))
                 : "memory");
}

/* What this thread has stored in shared memory is there for the copy engine from now on. */
static __device__ void fence_for_copies(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Copies from shared memory, and waits until the bytes there have been read. */
static __device__ void copy_back(real *to, const real *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group.read 0;" ::"l"(to),
                 "r"(place(from)), "r"(bytes)
                 : "memory");
}

static __device__ void consumers_meet(void)
{
    asm volatile("bar.sync 1, %0;" ::"n"((int)CONSUMERS) : "memory");
}

/* ---- The ring ---- */

/* full[i] waits for the bytes of stage i, empty[i] for those who have read them. */
struct ring {
    real (*a)[SLICE], (*b)[SLICE];
    uint64_t *full, *empty;
};

/* YOUR CODE: create both barriers of each stage; one thread calls it */
/* STUB: static __device__ void create_barriers(struct ring r) {} */
static __device__ void create_barriers(struct ring r)
{
    for (int i = 0; i < STAGES; i++) {
        barrier_create(&r.full[i], 1);
        barrier_create(&r.empty[i], CONSUMERS);
    }
}
/* END */

/* YOUR CODE: the producer fetches a tile's slices; `first` slices of other tiles came before */
/* STUB: static __device__ void fetch_tile(struct ring r, const real *a, const real *b, */
/* STUB:                                   int first, int slices) */
/* STUB: { */
/* STUB: } */
static __device__ void fetch_tile(struct ring r, const real *a, const real *b, int first,
                                  int slices)
{
    for (int i = first; i < first + slices; i++, a += SLICE, b += SLICE) {
        int stage = i % STAGES, turn = i / STAGES;
        /* In the first turn nobody has to leave the stage: the parity before the first phase
           counts as that of a complete one. */
        barrier_wait(&r.empty[stage], (turn + 1) % 2);
        barrier_arrive_and_expect(&r.full[stage], 2 * SLICE_BYTES);
        copy_begin(r.a[stage], a, SLICE_BYTES, &r.full[stage]);
        copy_begin(r.b[stage], b, SLICE_BYTES, &r.full[stage]);
    }
}
/* END */

/* Adds DEPTH terms to the sums of consumer t: row t / 4 of the tile, four columns. */
static __device__ void add_terms(real sums[4], const real *a, const real *b, int t)
{
    for (int l = 0; l < DEPTH; l++)
        for (int j = 0; j < 4; j++)
            sums[j] += a[l * TILE + t / 4] * b[l * TILE + t % 4 * 4 + j];
}

/* YOUR CODE: consumer t adds up the same slices, with add_terms() */
/* STUB: static __device__ void sum_tile(struct ring r, real sums[4], int first, int slices, */
/* STUB:                                 int t) */
/* STUB: { */
/* STUB: } */
static __device__ void sum_tile(struct ring r, real sums[4], int first, int slices, int t)
{
    for (int i = first; i < first + slices; i++) {
        int stage = i % STAGES, turn = i / STAGES;
        barrier_wait(&r.full[stage], turn % 2);
        add_terms(sums, r.a[stage], r.b[stage], t);
        barrier_arrive(&r.empty[stage]);
    }
}
/* END */

/* YOUR CODE: the sums of all consumers into `tile`, by one copy_back() of thread 0 to c */
/* STUB: static __device__ void store_tile(real *c, real *tile, const real sums[4], int t) */
/* STUB: { */
/* STUB: } */
static __device__ void store_tile(real *c, real *tile, const real sums[4], int t)
{
    for (int j = 0; j < 4; j++)
        tile[t * 4 + j] = sums[j];
    fence_for_copies();
    consumers_meet();
    if (t == 0)
        copy_back(c, tile, TILE_BYTES);
}
/* END */

static __global__ void multiply_kernel(const real *a, const real *b, real *c, int down,
                                       int across, int slices)
{
    __shared__ __align__(128) real stages_of_a[STAGES][SLICE], stages_of_b[STAGES][SLICE];
    __shared__ __align__(128) real tile_of_c[TILE * TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    struct ring r = {stages_of_a, stages_of_b, full, empty};
    if (threadIdx.x == 0) {
        create_barriers(r);
        fence_for_copies();
    }
    __syncthreads();
    int first = 0, t = (int)threadIdx.x - PRODUCERS;
    for (int at = blockIdx.x; at < down * across; at += gridDim.x, first += slices) {
        int row = at / across, col = at % across;
        if (threadIdx.x == 0)
            fetch_tile(r, a + (size_t)row * slices * SLICE, b + (size_t)col * slices * SLICE,
                       first, slices);
        if (t >= 0) {
            real sums[4] = {0, 0, 0, 0};
            sum_tile(r, sums, first, slices, t);
            store_tile(c + (size_t)at * TILE * TILE, tile_of_c, sums, t);
            consumers_meet(); /* nobody stores the next tile before this one has been read */
        }
    }
}

/* ---- The copy engine wants slices and tiles that are contiguous ---- */

/* Stores the slices of A's rows or of B's columns, with zeros beyond the last line and term.
   The next line is `line` elements further in x, the next term `term` elements. */
static __global__ void pack(const real *x, long line, long term, int lines, int k, real factor,
                            real *slices)
{
    int i = blockIdx.y * TILE + threadIdx.x, l = blockIdx.x * TILE + threadIdx.y;
    int padded = gridDim.x * TILE;
    slices[((size_t)blockIdx.y * padded + l) * TILE + threadIdx.x] =
        i < lines && l < k ? factor * x[i * line + l * term] : 0;
}

static __global__ void unpack(const real *tiles, real *c, long ld, int rows, int cols,
                              real factor)
{
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    size_t tile = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    if (i < rows && j < cols)
        c[i * ld + j] = tiles[(tile * TILE + threadIdx.y) * TILE + threadIdx.x] / factor;
}

static void multiply_yours(const struct context *ctx, struct product p, int levels,
                           real *workspace)
{
    static int runs;
    real factor = (real)(2 << runs++ % 3); /* differs from run to run, and is divided out */
    unsigned down = blocks_for(p.c.rows, TILE), across = blocks_for(p.c.cols, TILE);
    unsigned deep = blocks_for(p.a.cols, TILE), k = deep * TILE;
    real *a = (real *)(((size_t)workspace + 127) / 128 * 128);
    real *b = a + (size_t)down * TILE * k, *c = b + (size_t)across * TILE * k;
    dim3 block(TILE, TILE);
    pack<<<dim3(deep, down), block>>>(p.a.at, p.a.ld, 1, (int)p.c.rows, (int)p.a.cols, factor,
                                      a);
    CHECK_LAUNCH();
    pack<<<dim3(deep, across), block>>>(p.b.at, 1, p.b.ld, (int)p.c.cols, (int)p.a.cols, 1, b);
    CHECK_LAUNCH();
    /* At most four blocks, so that most of them have several tiles. */
    unsigned blocks = down * across < 4 ? down * across : 4;
    multiply_kernel<<<blocks, PRODUCERS + CONSUMERS>>>(a, b, c, (int)down, (int)across,
                                                       (int)(k / DEPTH));
    CHECK_LAUNCH();
    unpack<<<dim3(across, down), block>>>(c, p.c.at, p.c.ld, (int)p.c.rows, (int)p.c.cols,
                                          factor);
    CHECK_LAUNCH();
}

static size_t workspace_yours(const struct context *ctx, struct product p, int levels)
{
    size_t m = (size_t)blocks_for(p.c.rows, TILE) * TILE,
           n = (size_t)blocks_for(p.c.cols, TILE) * TILE,
           k = (size_t)blocks_for(p.a.cols, TILE) * TILE;
    return m * k + n * k + m * n + 128 / sizeof(real);
}

/* If 16 divides all sizes: packing and unpacking, where a half-warp reads A across its rows,
   and the copies in sectors of 32 bytes. A tile of C needs 128 bytes for each k, and has 1024.
 */
static struct cost cost_yours(const struct context *ctx, struct product p, int levels)
{
    double m = (double)p.c.rows, n = (double)p.c.cols, k = (double)p.a.cols;
    return (struct cost){2 * m * n * k,
                         (17 * m * k + 2 * k * n + 2 * m * n) / 16 + m * n * k / 64 + m * n / 8,
                         -1};
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your ring of stages",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours},
    {0},
};

const struct step STEP = {
    .name = "21-the-phase-bit",
    .idea = "a ring of stages that the copy engine fills",
    .variants = variants,
    .default_n = 64,
};
