/* SPDX-License-Identifier: MIT */
/** @file kernels.cuh
 * The ten kernels of Li et al. (2011), section 5, each with the function that launches it below
 * it. Two are sums (Figure 10). The others run GPU8's main loop (step 10), and each has its own
 * epilogue. Steps 13 to 17 use them too.
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
#include "steps/10-gpu8/gpu8.cuh"

/* ---- Sums ---- */

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

/** add(X, Y, Z): Z = X + Y. Costs 3 m^2/32 transactions and 12 m^2 bytes. */
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

/** sub(X, Y, Z): Z = X - Y. Costs as much as add. */
static inline void sub(struct block x, struct block y, struct block z)
{
    sub_kernel<<<sum_grid(z), sum_block()>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld);
    CHECK_LAUNCH();
}

/* ---- Products ---- */

/// [by pointer]
/** How a kernel reads the factors of a product: by pointer. Step 16 has the same two functions
 * for textures. */
struct by_pointer {
    static const real *left(const struct context *, struct block w) { return w.at; }
    static const real *right(const struct context *, struct block x) { return x.at; }
};
/// [by pointer]

/* In the comments below t and v are GPU8's transactions and bytes for m x m matrices. Left and
   Right are the types that left() and right() return, pointers or textures. */

/** mul(W, X, Z): Z = W * X, GPU8 itself. Step 12: M6, M7. Costs t transactions, v bytes. */
template <class Read>
static void mul(const struct context *ctx, struct block w, struct block x, struct block z)
{
    gpu8<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/// [mul inc inc]
/** mulIncInc(W, X, Y, Z): Y += W * X, Z += W * X. Step 12: M1, M4. Costs t + 3 m^2/16
 * transactions, v + 12 m^2 bytes. */
template <class Left, class Right>
static __global__ void mulIncInc_kernel(Left w, int ldw, Right x, int ldx, real *y, int ldy,
                                        real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] += cr[j];
        z[0] += cr[j];
    }
}

template <class Read>
static void mulIncInc(const struct context *ctx, struct block w, struct block x, struct block y,
                      struct block z)
{
    mulIncInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}
/// [mul inc inc]

/** mulIncDec(W, X, Y, Z): Y += W * X, Z -= W * X. Step 12: M5. Costs as much as mulIncInc. */
template <class Left, class Right>
static __global__ void mulIncDec_kernel(Left w, int ldw, Right x, int ldx, real *y, int ldy,
                                        real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] += cr[j];
        z[0] -= cr[j];
    }
}

template <class Read>
static void mulIncDec(const struct context *ctx, struct block w, struct block x, struct block y,
                      struct block z)
{
    mulIncDec_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/** mulStoreDec(W, X, Y, Z): Y = W * X, Z -= W * X. Step 12: M2. Costs t + m^2/8
 * transactions, v + 8 m^2 bytes. */
template <class Left, class Right>
static __global__ void mulStoreDec_kernel(Left w, int ldw, Right x, int ldx, real *y, int ldy,
                                          real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] = cr[j];
        z[0] -= cr[j];
    }
}

template <class Read>
static void mulStoreDec(const struct context *ctx, struct block w, struct block x,
                        struct block y, struct block z)
{
    mulStoreDec_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/** mulStoreInc(W, X, Y, Z): Y = W * X, Z += W * X. Step 12: M3. Costs as much as
 * mulStoreDec. */
template <class Left, class Right>
static __global__ void mulStoreInc_kernel(Left w, int ldw, Right x, int ldx, real *y, int ldy,
                                          real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] = cr[j];
        z[0] += cr[j];
    }
}

template <class Read>
static void mulStoreInc(const struct context *ctx, struct block w, struct block x,
                        struct block y, struct block z)
{
    mulStoreInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/** mulAdd(W, X, Y, Z): Z = W * X + Y. Costs t + m^2/16 transactions, v + 4 m^2 bytes. */
template <class Left, class Right>
static __global__ void mulAdd_kernel(Left w, int ldw, Right x, int ldx, const real *y, int ldy,
                                     real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
#pragma unroll
    for (int j = 0; j < 16; j++, y += ldy, z += ldz)
        z[0] = cr[j] + y[0];
}

template <class Read>
static void mulAdd(const struct context *ctx, struct block w, struct block x, struct block y,
                   struct block z)
{
    mulAdd_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, w), w.ld, Read::right(ctx, x), x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}

/// [mul inc inc inc]
/** mulIncIncInc(U, V, W, X, Y, Z): W = U * V, Y += W, Z += Y, Y += X. Costs t + 5 m^2/16
 * transactions, v + 20 m^2 bytes. */
template <class Left, class Right>
static __global__ void mulIncIncInc_kernel(Left u, int ldu, Right v, int ldv, real *w, int ldw,
                                           const real *x, int ldx, real *y, int ldy, real *z,
                                           int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(u, ldu, v, ldv, k, as, cr);
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

template <class Read>
static void mulIncIncInc(const struct context *ctx, struct block u, struct block v,
                         struct block w, struct block x, struct block y, struct block z)
{
    mulIncIncInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, u), u.ld, Read::right(ctx, v), v.ld, w.at, w.ld, x.at, x.ld, y.at, y.ld,
        z.at, z.ld, u.cols);
    CHECK_LAUNCH();
}
/// [mul inc inc inc]

/** mulSubInc(V, W, X, Y, Z): Y = X - V * W, Z += X. Costs t + 3 m^2/16 transactions, v + 12
 * m^2 bytes. */
template <class Left, class Right>
static __global__ void mulSubInc_kernel(Left v, int ldv, Right w, int ldw, const real *x,
                                        int ldx, real *y, int ldy, real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(v, ldv, w, ldw, k, as, cr);
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

template <class Read>
static void mulSubInc(const struct context *ctx, struct block v, struct block w, struct block x,
                      struct block y, struct block z)
{
    mulSubInc_kernel<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(
        Read::left(ctx, v), v.ld, Read::right(ctx, w), w.ld, x.at, x.ld, y.at, y.ld, z.at, z.ld,
        v.cols);
    CHECK_LAUNCH();
}

typedef void two_factors_two_blocks(const struct context *ctx, struct block w, struct block x,
                                    struct block y, struct block z);

/** The functions above that launch a product. Schedules are written with these, so that they
 * work with each way to read the factors. */
struct fused_kernels {
    void (*mul)(const struct context *ctx, struct block w, struct block x, struct block z);
    two_factors_two_blocks *mulIncInc, *mulIncDec, *mulStoreDec, *mulStoreInc, *mulAdd;
    void (*mulIncIncInc)(const struct context *ctx, struct block u, struct block v,
                         struct block w, struct block x, struct block y, struct block z);
    void (*mulSubInc)(const struct context *ctx, struct block v, struct block w, struct block x,
                      struct block y, struct block z);
};

/** All of them for one way to read, such as by_pointer. */
template <class Read> constexpr struct fused_kernels kernels_that_read(void)
{
    return {.mul = mul<Read>,
            .mulIncInc = mulIncInc<Read>,
            .mulIncDec = mulIncDec<Read>,
            .mulStoreDec = mulStoreDec<Read>,
            .mulStoreInc = mulStoreInc<Read>,
            .mulAdd = mulAdd<Read>,
            .mulIncIncInc = mulIncIncInc<Read>,
            .mulSubInc = mulSubInc<Read>};
}

/** A model's cost; over another leaf than GPU8 it leaves out transactions and bytes. */
static inline struct cost over_gpu8(const struct context *ctx, struct cost cost)
{
    if (!ctx->leaf->kernels)
        cost.transactions = cost.volume = -1;
    return cost;
}

/// [is fused level]
/** True if one level is left and its sums are fused into the leaf (tau1 < n <= tau2). */
static inline bool is_fused_level(const struct context *ctx, int levels)
{
    return levels == 1 && ctx->fused && ctx->leaf->kernels;
}
/// [is fused level]

#endif
