/* SPDX-License-Identifier: MIT */
/** @file multilevel.cuh
 * The kernels that the multilevel methods need besides those of step 12: assignments to two
 * blocks in one pass (Li et al. (2011), section 7).
 */
#ifndef STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_CUH
#define STEPS_14_STRASSEN_MULTILEVEL_MULTILEVEL_CUH

#include "steps/12-strassen-one-level/kernels.cuh"

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

#endif
