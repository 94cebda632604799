/* SPDX-License-Identifier: MIT */
/** @file kernels.cuh
 * The ten kernels of Li et al. (2011), section 5, each a short kernel around GPU8's main loop
 * or Figure 10's sum, with its launch beside it. Steps 13 to 17 use them too.
 *
 * All blocks are on the device. A sum takes blocks of any common shape whose columns are a
 * multiple of 64 and rows of 8; a product takes multiples of GPU8's tile (m of 16, n of 128, k
 * of 64). Two results may share a place only where a schedule does so on purpose, and never
 * with a factor.
 */
#ifndef STEPS_12_STRASSEN_ONE_LEVEL_KERNELS_CUH
#define STEPS_12_STRASSEN_ONE_LEVEL_KERNELS_CUH

#include "common/device/gpu.h"
#include "common/matrix/block.h"

/* ---- Sums (Figure 10)
 * --------------------------------------------------------------------------
 */

/* A block of 32 x 8 threads works on 8 rows of 64, two neighbours for each thread: a half-warp
   moves 128 bytes at once. */
static inline dim3 sum_grid(struct block z) { return dim3(z.cols / 64, z.rows / 8); }
static inline dim3 sum_block(void) { return dim3(32, 8); }

/** Where a thread's two elements are in a matrix with leading dimension `ld`. */
static __device__ __forceinline__ size_t sum_position(int ld)
{
    return (size_t)(blockIdx.y * 8 + threadIdx.y) * ld + blockIdx.x * 64 + threadIdx.x * 2;
}

/// [add]
static __global__ void add_kernel(const real *x, int ldx, const real *y, int ldy, real *z,
                                  int ldz)
{
    real2 a = *(const real2 *)(x + sum_position(ldx));
    real2 b = *(const real2 *)(y + sum_position(ldy));
    a.x += b.x;
    a.y += b.y;
    *(real2 *)(z + sum_position(ldz)) = a;
}

/** 1. add(X, Y, Z): Z = X + Y. 3 m^2/32 transactions, 12 m^2 bytes. */
static inline void add(struct block x, struct block y, struct block z)
{
    add_kernel<<<sum_grid(z), sum_block()>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld);
    CHECK_LAUNCH();
}
/// [add]

static __global__ void sub_kernel(const real *x, int ldx, const real *y, int ldy, real *z,
                                  int ldz)
{
    real2 a = *(const real2 *)(x + sum_position(ldx));
    real2 b = *(const real2 *)(y + sum_position(ldy));
    a.x -= b.x;
    a.y -= b.y;
    *(real2 *)(z + sum_position(ldz)) = a;
}

/** 2. sub(X, Y, Z): Z = X - Y. As add. */
static inline void sub(struct block x, struct block y, struct block z)
{
    sub_kernel<<<sum_grid(z), sum_block()>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld);
    CHECK_LAUNCH();
}

/* ---- GPU8's main loop, for every way to read a factor
 * -------------------------------------------------- */

/* The shape of GPU8 (step 10): a block of 16 x 8 threads computes 16 x 128 of C, in steps of 64
   along k. A row of its tile in shared memory has one element more. */
enum { GPU8_M = 16, GPU8_N = 128, GPU8_K = 64, GPU8_ROW = GPU8_K + 1 };

/// [factor]
/** A factor of a product as a kernel gets it: element (i, j) is at[i * ld + j]. */
struct factor {
    const real *at;
    int ld;
};

/** How the main loop reads a factor: the element `i` elements after its place, or four from
 * there on (i a multiple of 4); and how it moves the place by `i` elements. The main loop gets
 * these functions as arguments, and `with` for what they need beside the factor (step 16: a
 * texture). The compiler knows which functions they are, so it puts their bodies into the loop
 * and no call is left. */
typedef real load_1(const struct factor *x, size_t i, const void *with);
typedef real4 load_4(const struct factor *x, size_t i, const void *with);
typedef void move(struct factor *x, size_t i, void *with);

static __device__ __forceinline__ real load_1_by_pointer(const struct factor *x, size_t i,
                                                         const void *with)
{
    return x->at[i];
}

static __device__ __forceinline__ real4 load_4_by_pointer(const struct factor *x, size_t i,
                                                          const void *with)
{
    return *(const real4 *)(x->at + i);
}

static __device__ __forceinline__ void move_pointer(struct factor *x, size_t i, void *with)
{
    x->at += i;
}
/// [factor]

/* c[0..15] += 16 elements of a column of A times one b. */
static __device__ __forceinline__ void update_column(const real *a, real b, real *c)
{
#pragma unroll
    for (int i = 0; i < 16; i++)
        c[i] += a[i * 4] * b;
}

/**
 * GPU8 up to its store (step 10 explains the loop): cr[0..15] becomes 16 rows of one column of
 * A * B.
 * @param a     A, k columns; a.ld a multiple of 4
 * @param left  how A is read, with `left_with`
 * @param b     B, k rows, read by `right` with `right_with`
 * @param next  moves on in both
 * @param k     a multiple of 64
 * @param as    shared memory, 16 * GPU8_ROW elements
 * @param cr    the thread's 16 elements, zero at the start
 */
static __device__ __forceinline__ void gpu8_main_loop(struct factor a, load_4 *left,
                                                      void *left_with, struct factor b,
                                                      load_1 *right, void *right_with,
                                                      move *next, int k, real *as, real *cr)
{
    int row = threadIdx.y, col = threadIdx.x, tid = row * 16 + col;
    size_t ldb = b.ld;
    next(&a, (size_t)(16 * blockIdx.y + row) * a.ld + col * 4, left_with);
    next(&b, 128 * blockIdx.x + tid, right_with);

    for (int i = 0; i < k / GPU8_K; i++) {
        real4 upper = left(&a, 0, left_with), lower = left(&a, (size_t)8 * a.ld, left_with);
        real *to = as + col * GPU8_ROW + row * 4;
        to[0] = upper.x, to[1] = upper.y, to[2] = upper.z, to[3] = upper.w;
        to[32] = lower.x, to[33] = lower.y, to[34] = lower.z, to[35] = lower.w;
        __syncthreads(); /* wait for the tile */

        real br0 = right(&b, 0, right_with), br1 = right(&b, ldb, right_with);
        real br2 = right(&b, 2 * ldb, right_with), br3 = right(&b, 3 * ldb, right_with);
        next(&b, 4 * ldb, right_with);
#pragma unroll
        for (int l = 0; l < 15; l++) {
            const real *al = as + l * GPU8_ROW; /* columns 4l ... 4l + 3 of the tile */
            update_column(al, br0, cr), br0 = right(&b, 0, right_with);
            update_column(al + 1, br1, cr), br1 = right(&b, ldb, right_with);
            update_column(al + 2, br2, cr), br2 = right(&b, 2 * ldb, right_with);
            update_column(al + 3, br3, cr), br3 = right(&b, 3 * ldb, right_with);
            next(&b, 4 * ldb, right_with);
        }
        const real *al = as + 15 * GPU8_ROW;
        update_column(al, br0, cr);
        update_column(al + 1, br1, cr);
        update_column(al + 2, br2, cr);
        update_column(al + 3, br3, cr);

        next(&a, GPU8_K, left_with);
        __syncthreads(); /* no thread may still need the tile when it is filled again */
    }
}

/* ---- Products
 * ------------------------------------------------------------------------------------- */

/** The product kernels, each as a function that launches it. Schedules are written with these.
 * FUSED_PRODUCTS() makes them in the programs that launch them. Step 16's need the recursion's
 * `context`. */
struct fused_products {
    void (*mul)(const struct context *context, struct block w, struct block x, struct block z);
    void (*mulIncInc)(const struct context *context, struct block w, struct block x,
                      struct block y, struct block z);
    void (*mulIncDec)(const struct context *context, struct block w, struct block x,
                      struct block y, struct block z);
    void (*mulStoreDec)(const struct context *context, struct block w, struct block x,
                        struct block y, struct block z);
    void (*mulStoreInc)(const struct context *context, struct block w, struct block x,
                        struct block y, struct block z);
    void (*mulAdd)(const struct context *context, struct block w, struct block x,
                   struct block y, struct block z);
    void (*mulIncIncInc)(const struct context *context, struct block u, struct block v,
                         struct block w, struct block x, struct block y, struct block z);
    void (*mulSubInc)(const struct context *context, struct block v, struct block w,
                      struct block x, struct block y, struct block z);
};

/* Where a thread's column of 16 starts in a matrix with leading dimension `ld`. */
static __device__ __forceinline__ size_t column_position(int ld)
{
    return (size_t)16 * blockIdx.y * ld + 128 * blockIdx.x + threadIdx.y * 16 + threadIdx.x;
}

static __device__ __forceinline__ void store_one(const real *cr, real *z, int ldz)
{
    z += column_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, z += ldz)
        z[0] = cr[j];
}

/// [store two]
/* (Y =, Z +=), or with `add` (Y +=, Z +=); with sign -1 (..., Z -=). */
static __device__ __forceinline__ void store_two(const real *cr, real *y, int ldy, real *z,
                                                 int ldz, bool add, int sign)
{
    y += column_position(ldy);
    z += column_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] = add ? y[0] + cr[j] : cr[j];
        z[0] += sign * cr[j];
    }
}
/// [store two]

static __device__ __forceinline__ void store_sum(const real *cr, const real *y, int ldy,
                                                 real *z, int ldz)
{
    y += column_position(ldy);
    z += column_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz)
        z[0] = cr[j] + y[0];
}

/// [store three]
static __device__ __forceinline__ void store_three(const real *cr, real *w, int ldw,
                                                   const real *x, int ldx, real *y, int ldy,
                                                   real *z, int ldz)
{
    w += column_position(ldw);
    x += column_position(ldx);
    y += column_position(ldy);
    z += column_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, w += ldw, x += ldx, y += ldy, z += ldz) {
        w[0] = cr[j];
        real sum = y[0] + cr[j]; /* Y += W, not written back yet */
        z[0] += sum;
        y[0] = sum + x[0];
    }
}
/// [store three]

static __device__ __forceinline__ void store_difference(const real *cr, const real *x, int ldx,
                                                        real *y, int ldy, real *z, int ldz)
{
    x += column_position(ldx);
    y += column_position(ldy);
    z += column_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, x += ldx, y += ldy, z += ldz) {
        real xj = x[0];
        y[0] = xj - cr[j];
        z[0] += xj;
    }
}

/// [product]
/* A product kernel and the function that launches it. The kernel runs the main loop, and then
   `store`, which does what the kernel's name says with the 16 elements `cr`. Beside its factors
   it has one to four blocks: Z, or Y and Z, and so on. `factor` says how factors are read:
   left_factor() and right_factor() prepare them, main_loop_factor() reads them. */
#define PRODUCT(name, ...) PRODUCT_BY(name##_kernel, name, __VA_ARGS__)
#define PRODUCT_BY(kernel, name, blocks, factor, store)                                        \
    static __global__ void kernel(struct factor left, struct factor right, PLACES_##blocks,    \
                                  int k)                                                       \
    {                                                                                          \
        __shared__ real as[16 * GPU8_ROW];                                                     \
        real cr[16] = {0};                                                                     \
        main_loop_##factor(left, right, k, as, cr);                                            \
        store;                                                                                 \
    }                                                                                          \
    static inline void name(const struct context *context, struct block left,                  \
                            struct block right, BLOCKS_##blocks)                               \
    {                                                                                          \
        kernel<<<dim3(z.cols / GPU8_N, z.rows / GPU8_M), dim3(16, 8)>>>(                       \
            left_##factor(context, left), right_##factor(context, right), PLACES_OF_##blocks,  \
            left.cols);                                                                        \
        CHECK_LAUNCH();                                                                        \
    }
/// [product]
#define PLACES_1    real *z, int ldz
#define PLACES_2    real *y, int ldy, PLACES_1
#define PLACES_3    real *x, int ldx, PLACES_2
#define PLACES_4    real *w, int ldw, PLACES_3
#define BLOCKS_1    struct block z
#define BLOCKS_2    struct block y, BLOCKS_1
#define BLOCKS_3    struct block x, BLOCKS_2
#define BLOCKS_4    struct block w, BLOCKS_3
#define PLACES_OF_1 z.at, z.ld
#define PLACES_OF_2 y.at, y.ld, PLACES_OF_1
#define PLACES_OF_3 x.at, x.ld, PLACES_OF_2
#define PLACES_OF_4 w.at, w.ld, PLACES_OF_3

/// [all products]
/* All eight, and the table of them. T and V are GPU8's transactions and bytes for m x m
   matrices.
    3. mul(W, X, Z): Z = W * X. T and V.
    4. mulIncInc(W, X, Y, Z): (Y+, Z+) = W * X. T + 3 m^2/16, V + 12 m^2.
    5. mulIncDec(W, X, Y, Z): (Y+, Z-) = W * X. The same.
    6. mulStoreDec(W, X, Y, Z): (Y, Z-) = W * X. T + m^2/8, V + 8 m^2.
    7. mulStoreInc(W, X, Y, Z): (Y, Z+) = W * X. The same.
    8. mulAdd(W, X, Y, Z): Z = W * X + Y. T + m^2/16, V + 4 m^2.
    9. mulIncIncInc(U, V, W, X, Y, Z): W = U * V; Y += W; Z += Y; Y += X.
       T + 5 m^2/16, V + 20 m^2.
   10. mulSubInc(V, W, X, Y, Z): Y = X - V * W; Z += X. T + 3 m^2/16, V + 12 m^2. */
#define FUSED_PRODUCTS(table, suffix, factor)                                                  \
    PRODUCT(mul##suffix, 1, factor, store_one(cr, z, ldz))                                     \
    PRODUCT(mulIncInc##suffix, 2, factor, store_two(cr, y, ldy, z, ldz, true, 1))              \
    PRODUCT(mulIncDec##suffix, 2, factor, store_two(cr, y, ldy, z, ldz, true, -1))             \
    PRODUCT(mulStoreDec##suffix, 2, factor, store_two(cr, y, ldy, z, ldz, false, -1))          \
    PRODUCT(mulStoreInc##suffix, 2, factor, store_two(cr, y, ldy, z, ldz, false, 1))           \
    PRODUCT(mulAdd##suffix, 2, factor, store_sum(cr, y, ldy, z, ldz))                          \
    PRODUCT(mulIncIncInc##suffix, 4, factor, store_three(cr, w, ldw, x, ldx, y, ldy, z, ldz))  \
    PRODUCT(mulSubInc##suffix, 3, factor, store_difference(cr, x, ldx, y, ldy, z, ldz))        \
    static const struct fused_products table = {                                               \
        mul##suffix,         mulIncInc##suffix, mulIncDec##suffix,    mulStoreDec##suffix,     \
        mulStoreInc##suffix, mulAdd##suffix,    mulIncIncInc##suffix, mulSubInc##suffix};
/// [all products]

/** A factor that is read by pointer, left or right. */
static inline struct factor left_factor(const struct context *context, struct block x)
{
    return (struct factor){x.at, (int)x.ld};
}
#define right_factor left_factor

static __device__ __forceinline__ void main_loop_factor(struct factor a, struct factor b, int k,
                                                        real *as, real *cr)
{
    gpu8_main_loop(a, load_4_by_pointer, NULL, b, load_1_by_pointer, NULL, move_pointer, k, as,
                   cr);
}

/** A model's cost; over another leaf than GPU8 it leaves out transactions and bytes. */
static inline struct cost over_gpu8(const struct context *ctx, struct cost cost)
{
    if (!ctx->leaf->products)
        cost.transactions = cost.volume = -1;
    return cost;
}

/// [is fused level]
/** True if one level is left and its sums are fused into the leaf (tau1 < n <= tau2). */
static inline bool is_fused_level(const struct context *ctx, int levels)
{
    return levels == 1 && ctx->fused && ctx->leaf->products;
}
/// [is fused level]

#endif
