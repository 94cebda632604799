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

#include "common/matrix/block.h"
#include "steps/10-gpu8/gpu8.cuh"

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

/* ---- Products
 * ------------------------------------------------------------------------------------- */

/** The product kernels, each as a function that launches it. Schedules are written with these.
 * The ones of this file are `by_pointer`; others (step 16) may need the
 * recursion's `context`. */
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

/* Every product kernel below begins with the main loop and then does what its name says with
   each element of W * X: its store. T and V are GPU8's transactions and bytes for m x m
   matrices. */
#define PRODUCT(w, x, k)                                                                       \
    __shared__ real as[16 * GPU8_ROW];                                                         \
    real cr[16] = {0};                                                                         \
    gpu8_main_loop(w, load_4_by_pointer, move_pointer, NULL, x, load_1_by_pointer,             \
                   move_pointer, NULL, k, as, cr)

static inline struct factor factor_of(struct block x)
{
    return (struct factor){x.at, (int)x.ld};
}

static __device__ __forceinline__ void mul_store(const real *cr, real *z, int ldz)
{
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, z += ldz)
        z[0] = cr[j];
}

static __global__ void mul_kernel(struct factor w, struct factor x, real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mul_store(cr, z, ldz);
}

/** 3. mul(X, Y, Z): Z = X * Y. T and V. */
static inline void mul(const struct context *context, struct block w, struct block x,
                       struct block z)
{
    mul_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(factor_of(w), factor_of(x), z.at,
                                                            z.ld, w.cols);
    CHECK_LAUNCH();
}

/// [mulIncInc]
/* (Y +=, Z +=), or with sign -1 (Y +=, Z -=). */
static __device__ __forceinline__ void mulInc_store(const real *cr, real *y, int ldy, real *z,
                                                    int ldz, int sign)
{
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] += cr[j];
        z[0] += sign * cr[j];
    }
}

static __global__ void mulIncInc_kernel(struct factor w, struct factor x, real *y, int ldy,
                                        real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mulInc_store(cr, y, ldy, z, ldz, 1);
}

/** 4. mulIncInc(W, X, Y, Z): (Y+, Z+) = W * X. T + 3 m^2/16, V + 12 m^2. */
static inline void mulIncInc(const struct context *context, struct block w, struct block x,
                             struct block y, struct block z)
{
    mulIncInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(w), factor_of(x), y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}
/// [mulIncInc]

static __global__ void mulIncDec_kernel(struct factor w, struct factor x, real *y, int ldy,
                                        real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mulInc_store(cr, y, ldy, z, ldz, -1);
}

/** 5. mulIncDec(W, X, Y, Z): (Y+, Z-) = W * X. T + 3 m^2/16, V + 12 m^2. */
static inline void mulIncDec(const struct context *context, struct block w, struct block x,
                             struct block y, struct block z)
{
    mulIncDec_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(w), factor_of(x), y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/* (Y =, Z +=), or with sign -1 (Y =, Z -=). */
static __device__ __forceinline__ void mulStore_store(const real *cr, real *y, int ldy, real *z,
                                                      int ldz, int sign)
{
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] = cr[j];
        z[0] += sign * cr[j];
    }
}

static __global__ void mulStoreDec_kernel(struct factor w, struct factor x, real *y, int ldy,
                                          real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mulStore_store(cr, y, ldy, z, ldz, -1);
}

/** 6. mulStoreDec(W, X, Y, Z): (Y, Z-) = W * X. T + m^2/8, V + 8 m^2. */
static inline void mulStoreDec(const struct context *context, struct block w, struct block x,
                               struct block y, struct block z)
{
    mulStoreDec_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(w), factor_of(x), y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

static __global__ void mulStoreInc_kernel(struct factor w, struct factor x, real *y, int ldy,
                                          real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mulStore_store(cr, y, ldy, z, ldz, 1);
}

/** 7. mulStoreInc(W, X, Y, Z): (Y, Z+) = W * X. T + m^2/8, V + 8 m^2. */
static inline void mulStoreInc(const struct context *context, struct block w, struct block x,
                               struct block y, struct block z)
{
    mulStoreInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(w), factor_of(x), y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

static __device__ __forceinline__ void mulAdd_store(const real *cr, const real *y, int ldy,
                                                    real *z, int ldz)
{
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz)
        z[0] = cr[j] + y[0];
}

static __global__ void mulAdd_kernel(struct factor w, struct factor x, const real *y, int ldy,
                                     real *z, int ldz, int k)
{
    PRODUCT(w, x, k);
    mulAdd_store(cr, y, ldy, z, ldz);
}

/** 8. mulAdd(W, X, Y, Z): Z = W * X + Y. T + m^2/16, V + 4 m^2. */
static inline void mulAdd(const struct context *context, struct block w, struct block x,
                          struct block y, struct block z)
{
    mulAdd_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(factor_of(w), factor_of(x), y.at,
                                                               y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/// [mulIncIncInc]
static __device__ __forceinline__ void mulIncIncInc_store(const real *cr, real *w, int ldw,
                                                          const real *x, int ldx, real *y,
                                                          int ldy, real *z, int ldz)
{
    w += gpu8_position(ldw);
    x += gpu8_position(ldx);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, w += ldw, x += ldx, y += ldy, z += ldz) {
        w[0] = cr[j];
        real sum = y[0] + cr[j]; /* Y += W, not written back yet */
        z[0] += sum;
        y[0] = sum + x[0];
    }
}

static __global__ void mulIncIncInc_kernel(struct factor u, struct factor v, real *w, int ldw,
                                           const real *x, int ldx, real *y, int ldy, real *z,
                                           int ldz, int k)
{
    PRODUCT(u, v, k);
    mulIncIncInc_store(cr, w, ldw, x, ldx, y, ldy, z, ldz);
}

/** 9. mulIncIncInc(U, V, W, X, Y, Z): W = U * V; Y += W; Z += Y; Y += X. T + 5 m^2/16, V + 20
 * m^2.
 */
static inline void mulIncIncInc(const struct context *context, struct block u, struct block v,
                                struct block w, struct block x, struct block y, struct block z)
{
    mulIncIncInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(u), factor_of(v), w.at, w.ld, x.at, x.ld, y.at, y.ld, z.at, z.ld, u.cols);
    CHECK_LAUNCH();
}
/// [mulIncIncInc]

static __device__ __forceinline__ void mulSubInc_store(const real *cr, const real *x, int ldx,
                                                       real *y, int ldy, real *z, int ldz)
{
    x += gpu8_position(ldx);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, x += ldx, y += ldy, z += ldz) {
        real xj = x[0];
        y[0] = xj - cr[j];
        z[0] += xj;
    }
}

static __global__ void mulSubInc_kernel(struct factor v, struct factor w, const real *x,
                                        int ldx, real *y, int ldy, real *z, int ldz, int k)
{
    PRODUCT(v, w, k);
    mulSubInc_store(cr, x, ldx, y, ldy, z, ldz);
}

/** 10. mulSubInc(V, W, X, Y, Z): Y = X - V * W; Z += X. T + 3 m^2/16, V + 12 m^2. */
static inline void mulSubInc(const struct context *context, struct block v, struct block w,
                             struct block x, struct block y, struct block z)
{
    mulSubInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        factor_of(v), factor_of(w), x.at, x.ld, y.at, y.ld, z.at, z.ld, v.cols);
    CHECK_LAUNCH();
}

/** All of these. */
static const struct fused_products by_pointer = {
    mul, mulIncInc, mulIncDec, mulStoreDec, mulStoreInc, mulAdd, mulIncIncInc, mulSubInc,
};

/** GPU8 as a leaf: recursive steps end with it, and fuse their last level's sums into it. */
static inline void multiply_gpu8(const struct context *x, struct product p, int levels,
                                 real *workspace)
{
    mul(NULL, p.a, p.b, p.c);
}

/** A model's cost with what it cannot know left open: it models no leaf but GPU8. */
static inline struct cost over_gpu8(const struct context *x, struct cost cost)
{
    if (!x->leaf->products)
        cost.transactions = cost.volume = -1;
    return cost;
}

/// [is fused level]
/** True if one level is left and its sums are fused into the leaf (tau1 < n <= tau2). */
static inline bool is_fused_level(const struct context *x, int levels)
{
    return levels == 1 && x->fused && x->leaf->products;
}
/// [is fused level]

#endif
