/* SPDX-License-Identifier: MIT */
/** @file nv.cuh
 * What surrounds the kernels of NV Single and NV Multi: their textures, packed before and
 * unpacked after the part that is timed (as in Fatahalian et al. (2004), whose times leave that
 * out too), the passes, the cost.
 */
#ifndef STEPS_07_GPU_STREAMS_TEXTURES_NV_CUH
#define STEPS_07_GPU_STREAMS_TEXTURES_NV_CUH

#include "texels.cuh"

/* Fatahalian et al. (2004), section 2.2: "3 to 6 times", all that the ATI driver allowed */
enum { MAX_STEPS = 6 };

/** The steps in one pass of NV Multi, in the table of settings. */
enum { SET_UNROLL };

/// [mad]
/** The shader's `mad` on four components: sum += a * b. */
static __device__ __forceinline__ void mad(real4 *sum, real a0, real a1, real a2, real a3,
                                           real b0, real b1, real b2, real b3)
{
    sum->x += a0 * b0;
    sum->y += a1 * b1;
    sum->z += a2 * b2;
    sum->w += a3 * b3;
}
/// [mad]

/** The operands of NV Single in textures of 2 x 2 blocks. */
struct single {
    struct texture a, b, c;
};

/** The textures for a product, without their memory. */
struct single shape_single(struct product p);
/** With memory from the workspace; destroy_single() ends them. */
struct single create_single(struct product p, real *workspace);
void destroy_single(const struct single *s);
size_t workspace_single(const struct context *ctx, struct product p, int levels);

/** The textures with A and B in them, and the way back: C into its matrix, the
 * textures' end. */
struct single pack_single(struct product p, real *workspace);
void unpack_single(struct product p, const struct single *s);

struct cost cost_single(const struct context *ctx, struct product p, int levels);

/** NV Multi's: columns of four; C twice, because a pass reads what the pass before
 * has written. */
struct multi {
    struct texture a, b, c[2];
    int steps;  /**< texel rows of B, each 4 of k */
    int unroll; /**< of these steps in a pass */
};

/** As for NV Single. The context has --unroll. */
struct multi shape_multi(const struct context *ctx, struct product p);
struct multi create_multi(const struct context *ctx, struct product p, real *workspace);
void destroy_multi(const struct multi *s);
size_t workspace_multi(const struct context *ctx, struct product p, int levels);
struct multi pack_multi(const struct context *ctx, struct product p, real *workspace);
void unpack_multi(struct product p, const struct multi *s);
struct cost cost_multi(const struct context *ctx, struct product p, int levels);

int passes_multi(const struct multi *s);

/** The texture that holds C when all passes are done. */
struct texture result_multi(const struct multi *s);

typedef void (*pass_kernel)(struct texture a, struct texture b, struct texture accum,
                            struct texture c, int first);

/** Runs all passes. `kernels` has one for each number of steps. */
void run_passes(const pass_kernel kernels[], const struct multi *s);

/* ---- targets.cu ---- */

/** Four outputs per thread: a texel in each quadrant of C. */
void multiply_targets(const struct context *ctx, struct product p, int levels, real *workspace);
struct cost cost_targets(const struct context *ctx, struct product p, int levels);

#endif
