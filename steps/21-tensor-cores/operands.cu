/**
 * @file operands.cu
 * Exponents, factors, and C from the products. See operands.h.
 */
#include "operands.h"

#include <cuda_fp16.h>

#include "powers.cuh"

enum { THREADS = 256, WIDTH = 4 /* terms of k a thread splits */ };

/* ---- Layout ---- */

static long blocks_of(int levels) { return 1L << 2 * levels; }

static int products_of(int levels) { return levels == 0 ? 1 : levels == 1 ? 7 : 49; }

/* Takes bytes off the front of the workspace, so that what follows is aligned to 64 again. */
static void *take_bytes(char **workspace, size_t bytes)
{
    char *at = *workspace;
    *workspace += (bytes + 63) / 64 * 64;
    return at;
}

static void lay_out(struct factors *x, int tile, int levels, int k_padded, char **workspace)
{
    long lines = (long)x->lines << levels;
    x->stride = (size_t)round_up(x->lines, tile) * k_padded * sizeof(float);
    x->slices = (unsigned char *)take_bytes(workspace, products_of(levels) * x->stride);
    x->exponents = (int *)take_bytes(workspace, (size_t)products_of(levels) * x->lines * sizeof(int));
    x->maxima = (int *)take_bytes(workspace, (size_t)blocks_of(levels) * x->lines * sizeof(int));
    x->dropped = (int *)take_bytes(workspace, (size_t)lines * sizeof(int));
    x->list = (int *)take_bytes(workspace, (size_t)(lines + 1) * sizeof(int));
    x->largest = (int *)take_bytes(workspace, sizeof(int));
}

static struct batch lay_out_batch(const struct problem *p, enum format format, int levels, int promote,
                                  char **workspace)
{
    struct batch b = {format, levels, products_of(levels)};
    b.m = (int)(p->m >> levels), b.n = (int)(p->n >> levels), b.k = (int)(p->k >> levels);
    b.k_padded = (int)round_up(b.k, STEP_K);
    b.promote = promote;
    b.left = (struct factors){(const float *)p->a, p->lda, (int)p->m, (int)p->k, 0, b.m};
    b.right = (struct factors){(const float *)p->b, p->ldb, (int)p->k, (int)p->n, 1, b.n};
    lay_out(&b.left, CLUSTER * TILE_M, levels, b.k_padded, workspace);
    lay_out(&b.right, TILE_N, levels, b.k_padded, workspace);
    b.arrived = (int *)take_bytes(workspace, sizeof(int));
    b.c = (float *)p->c, b.ldc = p->ldc, b.stride_c = 0;
    if (levels > 0) {
        b.ldc = b.n, b.stride_c = (size_t)b.m * b.n;
        b.c = (float *)take_bytes(workspace, b.products * b.stride_c * sizeof(float));
    }
    return b;
}

size_t batch_elements(const struct problem *p, enum format format, int levels)
{
    char *begin = (char *)256, *end = begin; /* any aligned address will do */
    lay_out_batch(p, format, levels, 0, &end);
    return (size_t)(end - begin) / sizeof(float);
}

struct batch batch_of(const struct problem *p, enum format format, int levels, int promote,
                      float *workspace)
{
    char *free = (char *)workspace;
    return lay_out_batch(p, format, levels, promote, &free);
}

/* ---- Exponents ---- */

/* Bits of non-negative floats compare like the floats, and NaN is larger than infinity. */
static __device__ __forceinline__ int magnitude(float x) { return __float_as_int(x) & 0x7fffffff; }

static __device__ __forceinline__ int largest_of(float4 x)
{
    return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
}

enum { ROWS_A_BLOCK = 8, STRIP = 256 };

/* A: a warp a row of a block, blockIdx.y the column of blocks. */
static __global__ void row_maxima_kernel(struct factors x, int blocks)
{
    __shared__ int part[ROWS_A_BLOCK][32];
    int row = blockIdx.x * ROWS_A_BLOCK + threadIdx.y, length = x.cols / blocks;
    int most = 0;
    if (row < x.rows)
        for (int j = threadIdx.x * 4; j < length; j += 128)
            most = max(most, largest_of(*(const float4 *)(x.at + row * x.ld +
                                                          (long)blockIdx.y * length + j)));
    part[threadIdx.y][threadIdx.x] = most;
    __syncthreads();
    if (threadIdx.x == 0 && row < x.rows) {
        for (int i = 1; i < 32; i++)
            most = max(most, part[threadIdx.y][i]);
        x.maxima[(long)(row / x.lines * blocks + blockIdx.y) * x.lines + row % x.lines] = most;
    }
}

/* B: four columns a thread, STRIP rows of one block a thread block; maxima are zero before. */
static __global__ void column_maxima_kernel(struct factors x, int blocks, int strips)
{
    __shared__ int4 part[ROWS_A_BLOCK][32];
    int length = x.rows / blocks, block = blockIdx.y / strips, col = (blockIdx.x * 32 + threadIdx.x) * 4;
    int first = blockIdx.y % strips * STRIP, end = min(length, first + STRIP);
    int4 most = make_int4(0, 0, 0, 0);
    if (col < x.cols)
        for (int i = first + threadIdx.y; i < end; i += ROWS_A_BLOCK) {
            float4 v = *(const float4 *)(x.at + ((long)block * length + i) * x.ld + col);
            most.x = max(most.x, magnitude(v.x)), most.y = max(most.y, magnitude(v.y));
            most.z = max(most.z, magnitude(v.z)), most.w = max(most.w, magnitude(v.w));
        }
    part[threadIdx.y][threadIdx.x] = most;
    __syncthreads();
    if (threadIdx.y == 0 && col < x.cols) {
        for (int i = 1; i < ROWS_A_BLOCK; i++) {
            int4 v = part[i][threadIdx.x];
            most.x = max(most.x, v.x), most.y = max(most.y, v.y);
            most.z = max(most.z, v.z), most.w = max(most.w, v.w);
        }
        int *to = x.maxima + (long)(block * blocks + col / x.lines) * x.lines + col % x.lines;
        atomicMax(to, most.x), atomicMax(to + 1, most.y), atomicMax(to + 2, most.z);
        atomicMax(to + 3, most.w);
    }
}

/* The smallest e with |x| < 2^e, -148 for zero and the smallest numbers; from the bits of |x|. */
static __device__ __forceinline__ int exponent_above(int bits)
{
    return bits >= 1 << 23 ? (bits >> 23) - 126 : bits ? 32 - __clz(bits) - 149 : -148;
}

/* From here on a sum of four elements could overflow; infinities and NaNs are above, too. */
enum { TOO_LARGE = (120 + 127) << 23 };

/* Which lines are dropped, one thread a line of the matrix. `other` is the largest exponent on the
   other side: with levels, no product of sums may overflow where C itself does not. */
static __global__ void drop_kernel(struct factors x, int levels, const int *other, int growth)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, blocks = 1 << levels;
    if (line >= x.lines << levels)
        return;
    int most = 0;
    for (int i = 0; i < blocks; i++) {
        int across = line / x.lines, block = x.right ? i * blocks + across : across * blocks + i;
        most = max(most, x.maxima[(long)block * x.lines + line % x.lines]);
    }
    int exponent = exponent_above(most);
    int drop = most >= TOO_LARGE || (other && exponent + *other + growth > 127);
    x.dropped[line] = drop;
    if (drop)
        x.list[1 + atomicAdd(x.list, 1)] = line;
    else
        atomicMax(x.largest, exponent);
}

/// [factors]
/* Strassen's products M1 to M7 (Li et al. 2011, Figure 1): the sign of quadrant q (11, 12, 21, 22)
   in the left and in the right factor of product o. */
static __device__ __forceinline__ int sign_of(int right, int o, int q)
{
    const signed char left_signs[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
                                          {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
    const signed char right_signs[7][4] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
                                           {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
    return right ? right_signs[o][q] : left_signs[o][q];
}
/// [factors]

/* Quadrant q within quadrant p, as a block of the 4 x 4 blocks. */
static __device__ __forceinline__ int block_at(int p, int q)
{
    return (p / 2 * 2 + q / 2) * 4 + p % 2 * 2 + q % 2;
}

/* What the line's elements of one block can be at most; nothing where the line is dropped. */
static __device__ __forceinline__ float bound_of(const struct factors &x, int block, int blocks, int line)
{
    int across = x.right ? block % blocks : block / blocks;
    return x.dropped[across * x.lines + line]
               ? 0
               : __int_as_float(x.maxima[(long)block * x.lines + line]);
}

/* A sum is at most the sum of its blocks' largest elements. One thread a line; blockIdx.y: product. */
static __global__ void exponents_kernel(struct factors x, int levels)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x, o = blockIdx.y;
    if (line >= x.lines)
        return;
    float most = 0;
    if (levels == 0)
        most = bound_of(x, 0, 1, line);
    else if (levels == 1) {
        for (int q = 0; q < 4; q++)
            if (sign_of(x.right, o, q))
                most += bound_of(x, q, 2, line);
    } else
        for (int p = 0; p < 4; p++)
            for (int q = 0; q < 4; q++)
                if (sign_of(x.right, o / 7, p) && sign_of(x.right, o % 7, q))
                    most += bound_of(x, block_at(p, q), 4, line);
    x.exponents[(long)o * x.lines + line] = exponent_above(__float_as_int(most));
}

static void find_exponents_of(const struct gpu_context *x, const struct factors *f, const struct batch *b,
                              const int *other)
{
    int blocks = 1 << b->levels;
    long lines = (long)f->lines << b->levels;
    GPU_CALL(x, cudaMemsetAsync(f->list, 0, sizeof(int), x->stream));
    GPU_CALL(x, cudaMemsetAsync(f->largest, 0x80, sizeof(int), x->stream)); /* far below every exponent */
    dim3 threads(32, ROWS_A_BLOCK);
    if (!f->right) {
        row_maxima_kernel<<<dim3(blocks_for(f->rows, ROWS_A_BLOCK), blocks), threads, 0, x->stream>>>(
            *f, blocks);
    } else {
        int strips = (int)pieces_of(f->rows / blocks, STRIP);
        size_t bytes = (size_t)blocks_of(b->levels) * f->lines * sizeof(int);
        GPU_CALL(x, cudaMemsetAsync(f->maxima, 0, bytes, x->stream));
        column_maxima_kernel<<<dim3(blocks_for(f->cols, 128), blocks * strips), threads, 0, x->stream>>>(
            *f, blocks, strips);
    }
    LAUNCHED(x);
    int growth = 1 + 2 * b->levels; /* of log2 of a product, beside k terms */
    for (int k = b->k; k > 1; k = (k + 1) / 2)
        growth++;
    drop_kernel<<<blocks_for(lines, THREADS), THREADS, 0, x->stream>>>(*f, b->levels,
                                                                       b->levels ? other : NULL, growth);
    LAUNCHED(x);
    exponents_kernel<<<dim3(blocks_for(f->lines, THREADS), b->products), THREADS, 0, x->stream>>>(*f,
                                                                                               b->levels);
    LAUNCHED(x);
}

void find_exponents(const struct gpu_context *x, const struct batch *b)
{
    find_exponents_of(x, &b->right, b, NULL);
    find_exponents_of(x, &b->left, b, b->right.largest);
}

/* ---- Factors ---- */

static __device__ __forceinline__ unsigned pair_of(__half low, __half high)
{
    return __half_as_ushort(low) | (unsigned)__half_as_ushort(high) << 16;
}

/* Inlined 49 times over for a GPU, where the elements stay in registers; the simulated one calls it,
   because that many copies take the host's compiler half a minute. */
#ifdef __SIMGPU__
#define INLINED_ON_A_GPU static __attribute__((noinline))
#else
#define INLINED_ON_A_GPU static __device__ __forceinline__
#endif

/// [split]
/* Four terms of one line from k on, to their places in the tile's slices. */
INLINED_ON_A_GPU void store_terms(unsigned char *slices, int tile, int line, int k, int k_padded,
                                  const float x[WIDTH], int exponent, int right, enum format format)
{
    size_t slice = (size_t)tile * SLICE;
    unsigned char *to = slices + (size_t)line * SLICE;
    __half hi[WIDTH];
    float scaled[WIDTH], lo[WIDTH];
    int lift = format == FORMAT_TWO_HALVES ? LIFT_TWO_HALVES : LIFT_HALF_AND_BYTES;
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
        scaled[i] = times_power(x[i], lift - exponent);
        hi[i] = __float2half_rn(scaled[i]);
        lo[i] = scaled[i] - __half2float(hi[i]); /* exact */
    }
    uint2 halves = make_uint2(pair_of(hi[0], hi[1]), pair_of(hi[2], hi[3]));
    if (format == FORMAT_TWO_HALVES) {
        int piece = k % 32 / 8;
        to += k / 32 * slice + k % 8 * 2;
        *(uint2 *)(to + (piece ^ line % 8) * 16) = halves;
        *(uint2 *)(to + ((piece + 4) ^ line % 8) * 16) =
            make_uint2(pair_of(__float2half_rn(lo[0]), __float2half_rn(lo[1])),
                       pair_of(__float2half_rn(lo[2]), __float2half_rn(lo[3])));
    } else {
        *(uint2 *)(to + k / 64 * slice + (k % 64 / 8 ^ line % 8) * 16 + k % 8 * 2) = halves;
        unsigned lo_bytes = 0, hi_bytes = 0;
#pragma unroll
        for (int i = 0; i < WIDTH; i++) { /* |lo| <= 2^-12 */
            lo_bytes |= ((int)rintf(lo[i] * (4096 * 127.0f)) & 255u) << 8 * i;
            hi_bytes |= ((int)rintf(scaled[i] * 127.0f) & 255u) << 8 * i;
        }
        size_t second = k_padded / STEP_K * slice;
        to += k_padded / 64 * slice + k / STEP_K * slice + (k % STEP_K / 16 ^ line % 8) * 16 + k % 16;
        *(unsigned *)(to + (right ? second : 0)) = lo_bytes;
        *(unsigned *)(to + (right ? 0 : second)) = hi_bytes;
    }
}
/// [split]

/* Where a thread's four terms go: a line of the tile whose first slice of the first product is at
   `slices`. */
struct target {
    unsigned char *slices;
    int tile, line, k, k_padded, right;
    enum format format;
    const int *exponent; /* of the first product's line; NULL: a line that pads the last tile */
};

/// [sums]
/* The seven sums of four quadrants, to products `first` to first + 6. */
static __device__ __forceinline__ void store_sums(const struct factors &x, const struct target &to,
                                                  int first, const float quadrants[4][WIDTH])
{
#pragma unroll
    for (int o = 0; o < 7; o++) {
        float sum[WIDTH];
#pragma unroll
        for (int i = 0; i < WIDTH; i++) {
            sum[i] = 0;
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (sign_of(to.right, o, q))
                    sum[i] += sign_of(to.right, o, q) * quadrants[q][i];
        }
        store_terms(to.slices + (first + o) * x.stride, to.tile, to.line, to.k, to.k_padded, sum,
                    to.exponent ? to.exponent[(long)(first + o) * x.lines] : 0, to.right, to.format);
    }
}

/* Four terms of one line in every block become the same four terms in every product's factor. With
   two levels the upper one's sums are made of blocks, and the lower one's of those sums. */
static __device__ __forceinline__ void store_factors(const struct factors &x, const struct target &to,
                                                     float v[16][WIDTH], int levels)
{
    if (levels == 0)
        store_terms(to.slices, to.tile, to.line, to.k, to.k_padded, v[0], to.exponent ? *to.exponent : 0,
                    to.right, to.format);
    else if (levels == 1)
        store_sums(x, to, 0, v);
    else {
#pragma unroll
        for (int p = 0; p < 7; p++) {
            float upper[4][WIDTH];
#pragma unroll
            for (int q = 0; q < 4; q++)
#pragma unroll
                for (int i = 0; i < WIDTH; i++) {
                    upper[q][i] = 0;
#pragma unroll
                    for (int u = 0; u < 4; u++)
                        if (sign_of(to.right, p, u))
                            upper[q][i] += sign_of(to.right, p, u) * v[block_at(u, q)][i];
                }
            store_sums(x, to, p * 7, upper);
        }
    }
}
/// [sums]

static __device__ __forceinline__ struct target target_of(const struct factors &x, int tile, int line,
                                                          int k, int k_padded, int right,
                                                          enum format format)
{
    struct target to = {x.slices + (size_t)(line / tile) * tile * k_padded * sizeof(float),
                        tile, line % tile, k, k_padded, right, format,
                        line < x.lines ? x.exponents + line : NULL};
    return to;
}

enum { LINES_A_BLOCK = 32, TERMS_A_BLOCK = THREADS / LINES_A_BLOCK * WIDTH };

/* 32 rows of A's blocks x 32 terms of k. */
static __device__ __forceinline__ void make_left(const struct factors &x, int k_padded, int levels,
                                                 enum format format)
{
    int blocks = 1 << levels, length = x.cols >> levels;
    int k = blockIdx.x * TERMS_A_BLOCK + threadIdx.x % 8 * WIDTH;
    int line = blockIdx.y * LINES_A_BLOCK + threadIdx.x / 8;
    float v[16][WIDTH];
#pragma unroll
    for (int q = 0; q < blocks * blocks; q++) {
        float4 f = make_float4(0, 0, 0, 0);
        long row = (long)(q / blocks) * x.lines + line;
        if (line < x.lines && k < length && !x.dropped[row])
            f = *(const float4 *)(x.at + row * x.ld + (long)(q % blocks) * length + k);
        v[q][0] = f.x, v[q][1] = f.y, v[q][2] = f.z, v[q][3] = f.w;
    }
    store_factors(x, target_of(x, TILE_M, line, k, k_padded, 0, format), v, levels);
}

/* 32 columns of B's blocks x 32 terms of k: read along the rows, turned in shared memory. */
static __device__ __forceinline__ void make_right(const struct factors &x, int k_padded, int levels,
                                                  enum format format)
{
    __shared__ float tile[TERMS_A_BLOCK][LINES_A_BLOCK + 1];
    int blocks = 1 << levels, length = x.rows >> levels;
    int first_k = blockIdx.x * TERMS_A_BLOCK, first = blockIdx.y * LINES_A_BLOCK;
    int term = threadIdx.x / 8, four = threadIdx.x % 8 * 4; /* as read; as written the other way round */
    float v[16][WIDTH];
#pragma unroll
    for (int q = 0; q < blocks * blocks; q++) {
        float4 f = make_float4(0, 0, 0, 0);
        long row = (long)(q / blocks) * length + first_k + term;
        long col = (long)(q % blocks) * x.lines + first + four;
        if (first_k + term < length && first + four < x.lines) {
            f = *(const float4 *)(x.at + row * x.ld + col);
            f.x = x.dropped[col] ? 0 : f.x, f.y = x.dropped[col + 1] ? 0 : f.y;
            f.z = x.dropped[col + 2] ? 0 : f.z, f.w = x.dropped[col + 3] ? 0 : f.w;
        }
        if (q > 0)
            __syncthreads(); /* the block before is still being read */
        tile[term][four] = f.x, tile[term][four + 1] = f.y;
        tile[term][four + 2] = f.z, tile[term][four + 3] = f.w;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            v[q][i] = tile[four + i][term];
    }
    store_factors(x, target_of(x, TILE_N, first + term, first_k + four, k_padded, 1, format), v, levels);
}

/* The same two functions for each format and each number of levels, which are constants in them. */
#define FACTOR_KERNELS(name, format, levels)                                                       \
    static __global__ void __launch_bounds__(THREADS) make_left_##name(struct factors x, int k_padded) \
    {                                                                                              \
        make_left(x, k_padded, levels, format);                                                    \
    }                                                                                              \
    static __global__ void __launch_bounds__(THREADS) make_right_##name(struct factors x, int k_padded) \
    {                                                                                              \
        make_right(x, k_padded, levels, format);                                                   \
    }
FACTOR_KERNELS(halves_0, FORMAT_TWO_HALVES, 0)
FACTOR_KERNELS(halves_1, FORMAT_TWO_HALVES, 1)
FACTOR_KERNELS(halves_2, FORMAT_TWO_HALVES, 2)
FACTOR_KERNELS(bytes_0, FORMAT_HALF_AND_BYTES, 0)
FACTOR_KERNELS(bytes_1, FORMAT_HALF_AND_BYTES, 1)
FACTOR_KERNELS(bytes_2, FORMAT_HALF_AND_BYTES, 2)

typedef void (*factor_kernel)(struct factors x, int k_padded);
static const factor_kernel left_kernels[][TENSOR_LEVELS + 1] = {
    {make_left_halves_0, make_left_halves_1, make_left_halves_2},
    {make_left_bytes_0, make_left_bytes_1, make_left_bytes_2}};
static const factor_kernel right_kernels[][TENSOR_LEVELS + 1] = {
    {make_right_halves_0, make_right_halves_1, make_right_halves_2},
    {make_right_bytes_0, make_right_bytes_1, make_right_bytes_2}};

void make_factors(const struct gpu_context *x, const struct batch *b)
{
    unsigned rows = (unsigned)round_up(b->m, CLUSTER * TILE_M) / LINES_A_BLOCK;
    unsigned cols = (unsigned)round_up(b->n, TILE_N) / LINES_A_BLOCK;
    unsigned steps = (unsigned)b->k_padded / TERMS_A_BLOCK;
    factor_kernel left = left_kernels[b->format][b->levels], right = right_kernels[b->format][b->levels];
    left<<<dim3(steps, rows), THREADS, 0, x->stream>>>(b->left, b->k_padded);
    LAUNCHED(x);
    right<<<dim3(steps, cols), THREADS, 0, x->stream>>>(b->right, b->k_padded);
    LAUNCHED(x);
}

/* ---- C from the products ---- */

/// [join]
/* Two neighbouring elements of the quadrants of C from those of the seven products. */
static __device__ __forceinline__ void join(const float2 m[7], float2 c[4])
{
    c[0] = make_float2(m[0].x + m[3].x - m[4].x + m[6].x, m[0].y + m[3].y - m[4].y + m[6].y);
    c[1] = make_float2(m[2].x + m[4].x, m[2].y + m[4].y);
    c[2] = make_float2(m[1].x + m[3].x, m[1].y + m[3].y);
    c[3] = make_float2(m[0].x - m[1].x + m[2].x + m[5].x, m[0].y - m[1].y + m[2].y + m[5].y);
}
/// [join]

static __global__ void __launch_bounds__(THREADS) join_one_level_kernel(struct batch b, float *c, long ldc)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    if (at >= b.stride_c)
        return;
    long row = at / b.n, col = at % b.n;
    float2 m[7], out[4];
#pragma unroll
    for (int o = 0; o < 7; o++)
        m[o] = *(const float2 *)(b.c + o * b.stride_c + at);
    join(m, out);
#pragma unroll
    for (int q = 0; q < 4; q++)
        *(float2 *)(c + ((long)(q / 2) * b.m + row) * ldc + (long)(q % 2) * b.n + col) = out[q];
}

static __global__ void __launch_bounds__(THREADS) join_two_levels_kernel(struct batch b, float *c, long ldc)
{
    size_t at = ((size_t)blockIdx.x * THREADS + threadIdx.x) * 2;
    if (at >= b.stride_c)
        return;
    long row = at / b.n, col = at % b.n;
    float2 upper[4][7]; /* the upper level's products, quadrant by quadrant */
#pragma unroll
    for (int p = 0; p < 7; p++) {
        float2 m[7], out[4];
#pragma unroll
        for (int o = 0; o < 7; o++)
            m[o] = *(const float2 *)(b.c + (p * 7 + o) * b.stride_c + at);
        join(m, out);
#pragma unroll
        for (int q = 0; q < 4; q++)
            upper[q][p] = out[q];
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
        float2 out[4];
        join(upper[q], out);
#pragma unroll
        for (int p = 0; p < 4; p++) {
            int block = block_at(p, q);
            *(float2 *)(c + ((long)(block / 4) * b.m + row) * ldc + (long)(block % 4) * b.n + col) = out[p];
        }
    }
}

void join_products(const struct gpu_context *x, const struct batch *b, struct block c)
{
    unsigned blocks = blocks_for(b->stride_c / 2, THREADS);
    if (b->levels == 1)
        join_one_level_kernel<<<blocks, THREADS, 0, x->stream>>>(*b, c.at, c.ld);
    else if (b->levels == 2)
        join_two_levels_kernel<<<blocks, THREADS, 0, x->stream>>>(*b, c.at, c.ld);
    LAUNCHED(x);
}

/* ---- Lines that were dropped ---- */

#ifdef LADDER_SIM
enum { REPAIR_BLOCKS = 4 /* one runs at a time */ };
#else
enum { REPAIR_BLOCKS = 264 };
#endif
enum { REPAIR_TILE = 32, REPAIR_HALF = REPAIR_TILE / 2 };

/// [repair]
/* C's elements along the dropped rows of A (blockIdx.y 0) and the dropped columns of B (1), in tiles of
   32 x 32, four elements a thread. Mostly there are none, and the kernel ends at once. In double no sum
   overflows on the way to an element that is a float. */
static __global__ void repair_kernel(struct factors a, struct factors b, float *c, long ldc)
{
    __shared__ double left[REPAIR_TILE][REPAIR_HALF + 1], right[REPAIR_HALF][REPAIR_TILE + 1];
    const int *row_list = blockIdx.y ? NULL : a.list + 1, *col_list = blockIdx.y ? b.list + 1 : NULL;
    int rows = blockIdx.y ? a.rows : *a.list, cols = blockIdx.y ? *b.list : b.cols;
    int x = threadIdx.x, y = threadIdx.y, across = (cols + REPAIR_TILE - 1) / REPAIR_TILE;
    long tiles = (long)((rows + REPAIR_TILE - 1) / REPAIR_TILE) * across;
    for (long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        double sum[2][2] = {};
        int row[2], col[2]; /* of the matrices; -1: there is none */
        for (int i = 0; i < 2; i++) {
            int r = (int)(tile / across) * REPAIR_TILE + i * REPAIR_HALF + y;
            int s = (int)(tile % across) * REPAIR_TILE + i * REPAIR_HALF + x;
            row[i] = r >= rows ? -1 : row_list ? row_list[r] : r;
            col[i] = s >= cols ? -1 : col_list ? col_list[s] : s;
        }
        for (int k = 0; k < a.cols; k += REPAIR_HALF) {
            for (int i = 0; i < 2; i++) {
                left[i * REPAIR_HALF + y][x] =
                    row[i] >= 0 && k + x < a.cols ? a.at[row[i] * a.ld + k + x] : 0;
                right[y][i * REPAIR_HALF + x] =
                    col[i] >= 0 && k + y < a.cols ? b.at[(k + y) * b.ld + col[i]] : 0;
            }
            __syncthreads();
            for (int t = 0; t < REPAIR_HALF; t++)
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++)
                        sum[i][j] += left[i * REPAIR_HALF + y][t] * right[t][j * REPAIR_HALF + x];
            __syncthreads();
        }
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) /* a dropped row is the others' */
                if (row[i] >= 0 && col[j] >= 0 && (row_list || !a.dropped[row[i]]))
                    c[row[i] * ldc + col[j]] = (float)sum[i][j];
    }
}
/// [repair]

void repair(const struct gpu_context *x, const struct batch *b, struct block c)
{
    repair_kernel<<<dim3(REPAIR_BLOCKS, 2), dim3(REPAIR_HALF, REPAIR_HALF), 0, x->stream>>>(
        b->left, b->right, c.at, c.ld);
    LAUNCHED(x);
}

void load_operands(const struct gpu_context *x)
{
#ifndef LADDER_SIM
    const void *const others[] = {(const void *)row_maxima_kernel,     (const void *)column_maxima_kernel,
                                  (const void *)drop_kernel,           (const void *)exponents_kernel,
                                  (const void *)join_one_level_kernel, (const void *)join_two_levels_kernel,
                                  (const void *)repair_kernel};
    struct cudaFuncAttributes attributes;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        GPU_CALL(x, cudaFuncGetAttributes(&attributes, others[i]));
    for (int format = 0; format < 2; format++)
        for (int levels = 0; levels <= TENSOR_LEVELS; levels++) {
            GPU_CALL(x, cudaFuncGetAttributes(&attributes, (const void *)left_kernels[format][levels]));
            GPU_CALL(x, cudaFuncGetAttributes(&attributes, (const void *)right_kernels[format][levels]));
        }
#endif
}
