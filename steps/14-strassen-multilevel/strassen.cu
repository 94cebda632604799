/* SPDX-License-Identifier: MIT */
/** @file strassen.cu
 * Strassen's method on any number of levels (Li et al. (2011), section 7.1, Figure 16), and the
 * assignments to two blocks in one pass that it needs besides the kernels of step 12.
 */
#include "common/model.h"
#include "multilevel.h"
#include "steps/12-strassen-one-level/one-level.cuh"

/// [inc inc]
/* (X +=, Y +=) = Z, or (X -=, Y +=) = Z: Z is read once for both. Five transfers instead of
 * six. */
static __global__ void pair_kernel(real *x, int ldx, real *y, int ldy, const real *z, int ldz,
                                   real sign_x)
{
    real2 xs = *(real2 *)(x + sum_position(ldx));
    real2 ys = *(real2 *)(y + sum_position(ldy));
    real2 zs = *(const real2 *)(z + sum_position(ldz));
    xs.x += sign_x * zs.x;
    xs.y += sign_x * zs.y;
    ys.x += zs.x;
    ys.y += zs.y;
    *(real2 *)(x + sum_position(ldx)) = xs;
    *(real2 *)(y + sum_position(ldy)) = ys;
}

/** (X+, Y+) = Z: 5 m^2/32 transactions, 20 m^2 bytes. */
static inline void inc_inc(struct block x, struct block y, struct block z)
{
    pair_kernel<<<sum_grid(z), sum_block()>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld, 1);
    CHECK_LAUNCH();
}

/** (X-, Y+) = Z: the same. */
static inline void dec_inc(struct block x, struct block y, struct block z)
{
    pair_kernel<<<sum_grid(z), sum_block()>>>(x.at, x.ld, y.at, y.ld, z.at, z.ld, -1);
    CHECK_LAUNCH();
}
/// [inc inc]

static_assert((int)WHOLE_M == (int)GPU8_M && (int)WHOLE_N == (int)GPU8_N &&
                  (int)WHOLE_K == (int)GPU8_K,
              "the leaf is GPU8");

/* Two temporaries per level: at most 2 n^2/3 for square matrices. */
size_t workspace_strassen(const struct context *, struct product p, int levels)
{
    return workspace_of_levels(p, levels, places_elements);
}

/// [figure 16]
void strassen(const struct context *ctx, struct product p, int levels, real *workspace)
{
    if (levels == 0) { /* n <= tau1 */
        multiply_leaf(ctx, p);
        return;
    }
    if (is_fused_level(ctx, levels)) { /* tau1 < n <= tau2 */
        strassen_one_level(ctx, p, workspace);
        return;
    }
    struct quadrants A = quadrants_of(p.a), B = quadrants_of(p.b), C = quadrants_of(p.c);
    struct places at = take_places(&workspace, A, C);
    int rest = levels - 1;

    sub(A.q21, A.q11, at.C12A), add(B.q11, B.q12, at.C21B);
    strassen(ctx, product_on(at.C12A, at.C21B, C.q22), rest, workspace); /* M6 */
    sub(A.q12, A.q22, at.C12A), add(B.q21, B.q22, at.C21B);
    strassen(ctx, product_on(at.C12A, at.C21B, C.q11), rest, workspace); /* M7 */
    add(A.q11, A.q22, at.C12A), add(B.q11, B.q22, at.C21B);
    strassen(ctx, product_on(at.C12A, at.C21B, at.T1C), rest, workspace); /* M1 */
    inc_inc(C.q11, C.q22, at.T1C), add(A.q21, A.q22, at.T2A);
    strassen(ctx, product_on(at.T2A, B.q11, C.q21), rest, workspace); /* M2 */
    sub(C.q22, C.q21, C.q22), sub(B.q21, B.q11, at.T1B);
    strassen(ctx, product_on(A.q22, at.T1B, at.T2C), rest, workspace); /* M4 */
    inc_inc(C.q11, C.q21, at.T2C), sub(B.q12, B.q22, at.T1B);
    strassen(ctx, product_on(A.q11, at.T1B, C.q12), rest, workspace); /* M3 */
    add(C.q22, C.q12, C.q22), add(A.q11, A.q12, at.T2A);
    strassen(ctx, product_on(at.T2A, B.q22, at.T1C), rest, workspace); /* M5 */
    dec_inc(C.q11, C.q12, at.T1C);
}
/// [figure 16]

struct cost cost_strassen(const struct context *ctx, struct product p, int levels)
{
    return over_gpu8(ctx, model_strassen(ctx, p, levels));
}

/* GPU8 and its fused kernels, for steps 14 to 17: nvcc takes many seconds for them. */
const struct fused_kernels gpu8_kernels = kernels_that_read<by_pointer>();

void multiply_by_gpu8(struct block A, struct block B, struct block C)
{
    mul<by_pointer>(NULL, A, B, C);
}
