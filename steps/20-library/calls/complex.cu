/* SPDX-License-Identifier: MIT */
/** @file complex.cu
 * The kernels of ladder_zgemm().
 */
#include "steps/18-modern/context.cuh"
#include "steps/20-library/methods.h"

/* ---- Complex matrices and their parts ---- */

/* Writes the real parts, the imaginary parts and their sums of a complex matrix, as three real
   matrices `apart` elements apart. `sign` -1 conjugates. One thread per element of a column. */
static __global__ void split_kernel(const cuDoubleComplex *from, long ld, int rows, int cols,
                                    double sign, double *to, long to_ld, long apart)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (long j = blockIdx.y; i < rows && j < cols; j += gridDim.y) {
        cuDoubleComplex z = from[i + j * ld];
        double im = sign * z.y, *at = to + i + j * to_ld;
        at[0] = z.x, at[apart] = im, at[2 * apart] = z.x + im;
    }
}

void ladder_split_complex(const struct context *ctx, const void *from, int ld, int rows,
                          int cols, bool conjugate, double *to, long to_ld)
{
    dim3 grid(blocks_for(rows, 256), cols < 65535 ? cols : 65535);
    split_kernel<<<grid, 256, 0, ctx->stream>>>((const cuDoubleComplex *)from, ld, rows, cols,
                                                conjugate ? -1 : 1, to, to_ld, to_ld * cols);
    GPU_CALL(ctx, launch_error(ctx));
}

/* alpha and beta, or where they are on the device. */
struct factors {
    cuDoubleComplex alpha, beta;
    const cuDoubleComplex *alpha_at, *beta_at;
};

static __device__ cuDoubleComplex times(cuDoubleComplex x, cuDoubleComplex y)
{
    return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

/* C = alpha (R - I + i (S - R - I)) + beta C, where R, I and S are the products of the real
   parts, of the imaginary parts and of their sums, `apart` elements apart; without the first
   term if `products` is NULL. C is read only if beta is not 0. */
static __global__ void join_kernel(struct factors f, const double *products, long ld,
                                   long apart, cuDoubleComplex *c, long ldc, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuDoubleComplex alpha = f.alpha_at ? *f.alpha_at : f.alpha,
                    beta = f.beta_at ? *f.beta_at : f.beta;
    bool multiplied = products && (alpha.x != 0 || alpha.y != 0), kept = beta.x || beta.y;
    for (long j = blockIdx.y; i < m && j < n; j += gridDim.y) {
        cuDoubleComplex sum = {0, 0}, *to = c + i + j * ldc;
        if (multiplied) {
            const double *at = products + i + j * ld;
            double re = at[0], im = at[apart];
            sum = times(alpha, make_cuDoubleComplex(re - im, at[2 * apart] - re - im));
        }
        if (kept) {
            cuDoubleComplex old = times(beta, *to);
            sum.x += old.x, sum.y += old.y;
        }
        *to = sum;
    }
}

void ladder_join_complex(const struct context *ctx, const struct gemm_call *c,
                         const double *products, long ld)
{
    struct factors f = {{0, 0}, {0, 0}, NULL, NULL};
    const cuDoubleComplex *alpha = (const cuDoubleComplex *)c->alpha,
                          *beta = (const cuDoubleComplex *)c->beta;
    if (c->on_device)
        f.alpha_at = alpha, f.beta_at = beta;
    else
        f.alpha = *alpha, f.beta = *beta;
    dim3 grid(blocks_for(c->m, 256), c->n < 65535 ? c->n : 65535);
    join_kernel<<<grid, 256, 0, ctx->stream>>>(f, products, ld, ld * c->n,
                                               (cuDoubleComplex *)c->c, c->ldc, c->m, c->n);
    GPU_CALL(ctx, launch_error(ctx));
}
