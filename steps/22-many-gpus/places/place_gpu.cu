/* SPDX-License-Identifier: MIT */
/** @file place_gpu.cu
 * Blocks in a GPU's memory, real or simulated.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/device/backend.h"
#include "common/device/libraries/cublas.h"
#include "common/device/gpu.h"
#include "common/device/host.h"
#include "common/matrix/random.h"
#include "place.h"
#include "steps/20-library/ladder_gemm.h"

enum { THREADS = 256, MOST_BLOCKS = 4096 };

/* Ranks may be threads of one process. All of them may call a real GPU at the same time, but
   only one the simulated GPU: so every function that calls it has such a variable first, which
   holds the lock to the function's end. */
struct in_turn {
#ifdef LADDER_SIM
    in_turn() { pthread_mutex_lock(&turn); }
    ~in_turn() { pthread_mutex_unlock(&turn); }
    static pthread_mutex_t turn;
#else
    in_turn() {}
#endif
};
#ifdef LADDER_SIM
pthread_mutex_t in_turn::turn = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#endif

static void *allocate(size_t bytes)
{
    in_turn here;
    return backend.allocate(bytes);
}

static void release(void *block)
{
    in_turn here;
    backend.release(block);
}

static double memory_free(void)
{
    in_turn here;
    return (double)backend.memory_free();
}

static void poison(void *block, size_t bytes)
{
    in_turn here;
    backend.poison(block, bytes);
}

/* ---- Copies ---- */

static void copy_2d(struct block to, struct block from, cudaMemcpyKind kind)
{
    in_turn here;
    if (to.rows > 0 && to.cols > 0)
        CUDA_CHECK(cudaMemcpy2D(to.at, to.ld * sizeof(real), from.at, from.ld * sizeof(real),
                                to.cols * sizeof(real), to.rows, kind));
}

static void bring(struct block here, struct block host)
{
    copy_2d(here, host, cudaMemcpyHostToDevice);
}

static void fetch(struct block host, struct block here)
{
    copy_2d(host, here, cudaMemcpyDeviceToHost);
}

static void finish(void)
{
    in_turn here;
    CUDA_CHECK(cudaDeviceSynchronize());
}

/* ---- Operands made in place ---- */

static __device__ real random_element(struct source x, long i, long j)
{
    if (i >= x.rows || j >= x.cols)
        return 0;
    uint64_t bits = random_at(x.seed, x.which, i, j);
    if (x.input == INPUT_INTEGERS)
        return (real)((double)(bits % (uint64_t)(2 * x.magnitude + 1)) - x.magnitude);
    return (real)random_uniform(bits);
}

static __global__ void fill_random(struct block z, struct source x, long row, long col)
{
    for (long e = blockIdx.x * (long)blockDim.x + threadIdx.x; e < z.rows * z.cols;
         e += (long)gridDim.x * blockDim.x)
        z.at[e / z.cols * z.ld + e % z.cols] =
            random_element(x, row + e / z.cols, col + e % z.cols);
}

/* Uses few thread blocks: each has its own counter, to which its first thread adds. */
static __global__ void count_changed(struct block z, struct source x, long row, long col,
                                     long *counts)
{
    __shared__ long count[THREADS];
    long mine = 0;
    for (long e = blockIdx.x * (long)blockDim.x + threadIdx.x; e < z.rows * z.cols;
         e += (long)gridDim.x * blockDim.x)
        mine += z.at[e / z.cols * z.ld + e % z.cols] !=
                random_element(x, row + e / z.cols, col + e % z.cols);
    count[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int t = 1; t < THREADS; t++)
        mine += count[t];
    counts[blockIdx.x] = mine;
}

static unsigned grid_for(long elements)
{
    unsigned blocks = blocks_for(elements, THREADS);
    return blocks < (unsigned)MOST_BLOCKS ? blocks : (unsigned)MOST_BLOCKS;
}

static bool is_random(const struct source *x)
{
    return x->input == INPUT_UNIFORM || x->input == INPUT_INTEGERS;
}

/* Ends the program if there is no memory. */
static void *needed(void *block, const char *what)
{
    if (!block)
        gpu_failed(what, __FILE__, __LINE__, cudaErrorMemoryAllocation, "no memory");
    return block;
}

static struct block host_copy(struct block x)
{
    void *at = needed(malloc(x.rows * x.cols * sizeof(real)), "a copy in host memory");
    return (struct block){(real *)at, x.rows, x.cols, x.cols};
}

/* Makes the two inputs that are measured on the GPU; all others come from the host. */
static void fill(struct block block, const struct source *operand, long row, long col)
{
    in_turn here;
    if (block.rows == 0 || block.cols == 0)
        return;
    if (is_random(operand)) {
        fill_random<<<grid_for(block.rows * block.cols), THREADS>>>(block, *operand, row, col);
        CHECK_LAUNCH();
        return;
    }
    struct block copy = host_copy(block);
    place_host.fill(copy, operand, row, col);
    bring(block, copy);
    free(copy.at);
}

static long changed(struct block block, const struct source *operand, long row, long col)
{
    in_turn here;
    if (block.rows == 0 || block.cols == 0)
        return 0;
    if (!is_random(operand)) {
        struct block copy = host_copy(block);
        fetch(copy, block);
        long count = place_host.changed(copy, operand, row, col);
        free(copy.at);
        return count;
    }
    enum { BLOCKS = 256 };
    long counts[BLOCKS], count = 0;
    long *on_device = (long *)needed(allocate(sizeof counts), "counters");
    count_changed<<<BLOCKS, THREADS>>>(block, *operand, row, col, on_device);
    CHECK_LAUNCH();
    backend.download(counts, on_device, sizeof counts);
    release(on_device);
    for (int i = 0; i < BLOCKS; i++)
        count += counts[i];
    return count;
}

/* ---- Sums, and the check's products ---- */

static __global__ void sum_of_two(real *z, const real *x, real s, const real *y, real t,
                                  long count)
{
    for (long e = blockIdx.x * (long)blockDim.x + threadIdx.x; e < count;
         e += (long)gridDim.x * blockDim.x)
        z[e] = y ? s * x[e] + t * y[e] : s * x[e];
}

static void sum(real *z, const real *x, real s, const real *y, real t, long count)
{
    in_turn here;
    if (count == 0)
        return;
    sum_of_two<<<grid_for(count), THREADS>>>(z, x, s, y, t, count);
    CHECK_LAUNCH();
}

/* One thread for each row and vector: neighbouring threads have neighbouring vectors, and read
 * the same element. */
static __global__ void apply_rows(struct block x, const double *v, double *y, int vectors)
{
    long e = blockIdx.x * (long)blockDim.x + threadIdx.x;
    long i = e / vectors, l = e % vectors;
    if (i >= x.rows)
        return;
    double total = y[e];
    for (long j = 0; j < x.cols; j++)
        total += (double)x.at[i * x.ld + j] * v[j * vectors + l];
    y[e] = total;
}

static void apply(struct block block, const double *v, double *y, int vectors)
{
    in_turn here;
    if (block.rows == 0 || block.cols == 0)
        return;
    size_t v_bytes = block.cols * vectors * sizeof *v,
           y_bytes = block.rows * vectors * sizeof *y;
    double *on_device = (double *)needed(allocate(v_bytes + y_bytes), "the check's vectors");
    double *device_y = on_device + block.cols * vectors;
    backend.upload(on_device, v, v_bytes);
    backend.upload(device_y, y, y_bytes);
    apply_rows<<<blocks_for(block.rows * vectors, THREADS), THREADS>>>(block, on_device,
                                                                       device_y, vectors);
    CHECK_LAUNCH();
    backend.download(y, device_y, y_bytes);
    release(on_device);
}

static const struct place place_gpu = {.is_host = false,
                                       .allocate = allocate,
                                       .release = release,
                                       .memory_free = memory_free,
                                       .poison = poison,
                                       .fill = fill,
                                       .changed = changed,
                                       .sum = sum,
                                       .apply = apply,
                                       .bring = bring,
                                       .fetch = fetch,
                                       .finish = finish};
const struct place *const place_of_leaves = &place_gpu;

/* ---- Host memory for messages ---- */

static long refused,
    pinned; /* blocks of it so far, on all ranks; changed by atomic operations only */

/// [pinned]
/* A GPU reads pages directly only if the system has promised not to move them. The driver
   copies other pages to such pages first, a piece at a time. If the system refuses, the result
   is the same, only slower. */
void *place_allocate_outside(size_t bytes)
{
    in_turn here;
    const size_t page = 4096;
    size_t whole = (bytes + page - 1) / page * page;
    void *block = aligned_alloc(page, whole);
    cudaError_t status =
        block ? cudaHostRegister(block, whole, cudaHostRegisterDefault) : cudaSuccess;
    long count = block ? __atomic_add_fetch(status == cudaSuccess ? &pinned : &refused, 1,
                                            __ATOMIC_SEQ_CST)
                       : 0;
    if (status != cudaSuccess) {
        cudaGetLastError();
        if (count == 1)
            say(stderr,
                "%zu bytes of host memory cannot be pinned (%s): copies to the GPU will be "
                "slower\n",
                whole, cudaGetErrorString(status));
    }
    return block;
}

void place_release_outside(void *block)
{
    in_turn here;
    struct cudaPointerAttributes known;
    if (block && cudaPointerGetAttributes(&known, block) == cudaSuccess &&
        known.type == cudaMemoryTypeHost)
        cudaHostUnregister(block); /* it was not refused */
    free(block);
}
/// [pinned]

const char *place_outside_is(void) { return refused ? "pageable" : pinned ? "pinned" : NULL; }

/* ---- Leaves: step 20's library, with the methods of steps 18, 19 and 21 ---- */

/* What the library may multiply on in this precision: multiprocessors' ordinary units, or
   tensor cores too. */
enum { ORDINARY, ON_TENSOR_CORES, MODES };
#ifdef LADDER_F32
static const char tensor_leaf[] = "tensor";
static const auto multiply_row_major = ladder_sgemm_row_major;
static int set_mode(ladder_gemm_t gemm, int mode)
{
    return ladder_gemm_set_math_mode(gemm, mode ? LADDER_GEMM_TENSOR : LADDER_GEMM_FLOAT);
}
#else
static const char tensor_leaf[] = "exact";
static const auto multiply_row_major = ladder_dgemm_row_major;
static int set_mode(ladder_gemm_t gemm, int mode)
{
    return ladder_gemm_set_double_mode(gemm,
                                       mode ? LADDER_GEMM_DOUBLE_EXACT : LADDER_GEMM_DOUBLE);
}
#endif

static thread_local ladder_gemm_t handles[MODES]; /* this rank's; a mode keeps its plans */
static thread_local struct leaf_work work;

static ladder_gemm_t handle_for(int mode, int k)
{
    ladder_gemm_t *gemm = &handles[mode];
    if (!*gemm && ladder_gemm_create(gemm, NULL))
        gpu_failed("ladder_gemm_create", __FILE__, __LINE__, cudaErrorUnknown,
                   ladder_gemm_message(NULL));
    set_mode(*gemm, mode); /* where there are no such tensor cores, note_work() says what ran */
#ifdef LADDER_SIM          /* it has no times to choose a plan by */
    const struct ladder_plan level = {"one-pass", 1, 0}, many = {"beside", 5, 0},
                             halves = {"fp16", 0, 0}, bytes = {"exact", 0, 0};
    ladder_gemm_force(*gemm, mode != ORDINARY ? sizeof(real) == 4 ? &halves : &bytes
                             : k > 128        ? &many
                                              : &level);
#endif
    (void)k;
    return *gemm;
}

/* Notes what the library did, which may differ from its plan. */
static void note_work(ladder_gemm_t gemm)
{
    struct ladder_done done = ladder_gemm_last(gemm);
    bool by_cublas = work.fell_back && strncmp(work.by, "cublas", 6) == 0;
    if (!by_cublas)
        snprintf(work.by, sizeof work.by, "%s, %d levels", done.ran.variant, done.ran.levels);
    work.pieces = larger(work.pieces, ladder_gemm_pieces(gemm));
    work.fell_back += done.fell_back;
    work.bytes = fmax(work.bytes, (double)done.workspace_bytes);
    if (strcmp(done.ran.variant, "exact") != 0) /* its levels cost no accuracy */
        work.levels = larger(work.levels, done.ran.levels);
    work.tensor = work.tensor || strcmp(done.ran.variant, "fp16") == 0;
}

/* A leaf's mode; -1: it is not the library's. */
static int mode_of(const char *leaf)
{
    return strcmp(leaf, "library") == 0     ? ORDINARY
           : strcmp(leaf, tensor_leaf) == 0 ? ON_TENSOR_CORES
                                            : -1;
}

static void multiply_by_library(const struct context *ctx, struct product p, int, real *)
{
    in_turn here;
    ladder_gemm_t gemm = handle_for(mode_of(ctx->leaf->name), (int)p.a.cols);
    const real one = 1, beta = p.accumulate != 0;
    if (multiply_row_major(gemm, CUBLAS_OP_N, CUBLAS_OP_N, (int)p.c.rows, (int)p.c.cols,
                           (int)p.a.cols, &one, p.a.at, (int)p.a.ld, p.b.at, (int)p.b.ld, &beta,
                           p.c.at, (int)p.c.ld))
        gpu_failed("the library's product", __FILE__, __LINE__, cudaErrorUnknown,
                   ladder_gemm_message(gemm));
    note_work(gemm);
}

static void multiply_vendor(const struct context *ctx, struct product p, int levels,
                            real *workspace)
{
    in_turn here;
    multiply_cublas(ctx, p, levels, workspace);
}

/* A kernel that fails, to test what the other ranks do. */
static __global__ void write_nowhere(real *c) { *c = 0; }

static void multiply_failing(struct block, struct block, struct block)
{
    in_turn here;
    write_nowhere<<<1, 1>>>(NULL);
    CHECK_LAUNCH();
    finish();
}

extern const char place_twin[] =
    "this program multiplies on GPUs; 22-many-gpus, in the same folder, on the processor";

const struct leaf place_leaves[] = {
    {.name = "cublas",
     .sentence = "cublasSgemm, in double cublasDgemm",
     .multiply = multiply_vendor},
    {.name = "library",
     .sentence = "step 20: the fastest method of steps 18 and 19",
     .multiply = multiply_by_library},
    {.name = tensor_leaf,
     .sentence =
         "step 20 on tensor cores: in float step 21, in double step 23's exact products",
     .multiply = multiply_by_library},
    {.name = "failing",
     .sentence = "its kernel writes to a null pointer (fails on purpose)",
     .simple = multiply_failing},
    {0},
};

/* ---- The rank's device ---- */

struct leaf_work *place_leaf_work(void) { return &work; }

double place_leaf_bytes(const char *leaf, struct product p)
{
    in_turn here;
    int mode = mode_of(leaf);
    size_t bytes = 0;
    if (mode < 0)
        return 0;
    ladder_gemm_t gemm = handle_for(mode, (int)p.a.cols);
    int m = (int)p.c.cols, n = (int)p.c.rows,
        k = (int)p.a.cols; /* column-major: C^T = B^T A^T */
    struct ladder_shape shape = {sizeof(real) == 8, CUBLAS_OP_N, CUBLAS_OP_N, m,           n, k,
                                 (int)p.b.ld,       (int)p.a.ld, (int)p.c.ld, p.accumulate};
    ladder_gemm_outlook(gemm, &shape, NULL, &bytes);
    return (double)bytes;
}

void place_leaf_rest(void)
{
    in_turn here;
    for (int i = 0; i < MODES; i++)
        if (handles[i])
            ladder_gemm_set_workspace(handles[i], NULL, 0);
}

int place_ranks(void)
{
    int count = 1;
    if (!backend.missing())
        CUDA_CHECK(cudaGetDeviceCount(&count));
    return count;
}

const char *place_open(int number, int ranks)
{
    in_turn here;
    static thread_local char why[256];
    int count = 0;
    if (backend.missing())
        return backend.missing();
    CUDA_CHECK(cudaGetDeviceCount(&count));
#ifdef LADDER_SIM
    (void)ranks; /* simulated GPUs may be shared, and each process simulates its own */
    CUDA_CHECK(cudaSetDevice(number % count));
#else
    if (ranks > count) {
        snprintf(
            why, sizeof why,
            "%d ranks on this host, which has %d GPU%s: a rank needs one. Start %d ranks here",
            ranks, count, count == 1 ? "" : "s", count);
        return why;
    }
    CUDA_CHECK(cudaSetDevice(number)); /* for this thread */
    for (int other = 0; other < ranks; other++) {
        int can = 1;
        if (other != number)
            CUDA_CHECK(cudaDeviceCanAccessPeer(&can, number, other));
        if (!can)
            say(stderr,
                "GPU %d cannot read the memory of GPU %d: messages between them go through "
                "host memory, and are slower (nvidia-smi topo -p2p r shows who can)\n",
                number, other);
    }
#endif
    (void)why;
    return NULL;
}

void place_close(void)
{
    in_turn here;
    for (int i = 0; i < MODES; i++) {
        ladder_gemm_destroy(handles[i]);
        handles[i] = NULL;
    }
}
