/* SPDX-License-Identifier: MIT */
#include "common/model.h"

/* ---- The classical kernels ---- */

struct cost model_classical(struct product p, long tile_m, long tile_n, long tile_k, double t3,
                            double t2, double v3, double v2)
{
    double mn = (double)p.c.rows * (double)p.c.cols, mnk = mn * (double)p.a.cols;
    if (p.c.rows % tile_m || p.c.cols % tile_n || p.a.cols % tile_k)
        return (struct cost){2 * mnk - mn, -1, -1};
    return (struct cost){2 * mnk - mn, t3 * mnk + t2 * mn, v3 * mnk + v2 * mn};
}

/* A half-warp computes 16 neighbours of a row. At each step it reads one a for all 16 (32
   bytes) and 16 b (64 bytes); at the end it writes 16 c (64 bytes). */
struct cost model_naive(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return model_classical(p, 16, 16, 8, 2 / 16.0, 1 / 16.0, (32 + 64) / 16.0, 64 / 16.0);
}

/* Each of the (k/16) (mn/256) tile pairs is read by 2 * 16 half-warps, 64 bytes each. */
struct cost model_tile16(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return model_classical(p, 16, 16, 16, 2 / 256.0, 1 / 16.0, 2 * 64 / 256.0, 4);
}

/* (k/32) (mn/1024) tile pairs, 2 * 64 half-warps each. */
struct cost model_tile32(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return model_classical(p, 32, 32, 32, 2 / 512.0, 1 / 16.0, 2 * 64 / 512.0, 4);
}

/* A block computes 16 x 64 of C: for 16 steps of k a 16 x 16 tile of A (16 half-warp reads
   of 64 bytes) and 16 rows of 64 of B (64 half-warp reads). */
struct cost model_volkov(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return model_classical(p, 16, 64, 16, 1 / 1024.0 + 1 / 256.0, 1 / 16.0, 5 * 64 / 1024.0, 4);
}

/* A block computes 16 x 128 of C: for 64 steps of k a 16 x 64 tile of A (32 reads of 128
   bytes by float4) and 64 rows of 128 of B (512 half-warp reads of 64 bytes). */
struct cost model_gpu8(const struct context *ctx, struct product p, int levels)
{
    (void)ctx, (void)levels; /* the sizes decide */
    return model_classical(p, 16, 128, 64, 1 / 4096.0 + 1 / 256.0, 1 / 16.0,
                           128 / 4096.0 + 64 / 256.0, 4);
}

/* ---- The ten kernels of section 5 ---- */

const struct kernel_model kernel_models[KERNEL_MODELS] = {
    {"add", 3, 0, 0},         {"sub", 3, 0, 0},       {"mul", 0, 1, 0},
    {"mulIncInc", 0, 1, 3},   {"mulIncDec", 0, 1, 3}, {"mulStoreDec", 0, 1, 2},
    {"mulStoreInc", 0, 1, 2}, {"mulAdd", 0, 1, 1},    {"mulIncIncInc", 0, 1, 5},
    {"mulSubInc", 0, 1, 3},
};

struct cost model_kernel(const struct kernel_model *kernel, long m)
{
    struct cost cost = {-1, 0, 0};
    double elements = (double)m * (double)m;
    if (kernel->product)
        cost = model_gpu8(NULL, product_of_size(m, m, m), 0);
    cost.flops = -1;
    cost.transactions +=
        kernel->sum_passes * elements / 32 + kernel->store_passes * elements / 16;
    cost.volume += 4 * elements * (kernel->sum_passes + kernel->store_passes);
    return cost;
}

/* ---- Flops over any leaf ---- */

/* A level's additions of quadrants of A's, B's and C's shape, then seven products. Sizes are
   halved as real numbers, as if an odd size had equal halves. */
static struct cost flops_of(struct product p, int levels, double a_sums, double b_sums,
                            double c_sums)
{
    double m = (double)p.c.rows, n = (double)p.c.cols, k = (double)p.a.cols, products = 1,
           flops = 0;
    for (int level = 0; level < levels; level++) {
        m /= 2, n /= 2, k /= 2;
        flops += products * (a_sums * m * k + b_sums * k * n + c_sums * m * n);
        products *= 7;
    }
    return (struct cost){flops + products * (2 * m * n * k - m * n), -1, -1};
}

struct cost model_strassen_flops(const struct context *ctx, struct product p, int levels)
{
    (void)ctx; /* the sizes decide */
    return flops_of(p, levels, 5, 5, 8);
}

struct cost model_winograd_flops(const struct context *ctx, struct product p, int levels)
{
    (void)ctx; /* the sizes decide */
    return flops_of(p, levels, 4, 4, 7);
}

/* ---- Methods over GPU8 ---- */

/* The work of a method at one level in addition to its seven products, in passes over
   quadrants. A pass moves one quadrant: elements/32 transactions of 128 bytes when a sum does
   it (Figure 10), elements/16 of 64 when a product's store does it. */
struct level {
    double a_sums, b_sums, c_sums; /* additions of quadrants of A's, B's and C's shape */
    double a_passes, b_passes;     /* by sums, over quadrants of A's and B's shape */
    double c_passes;               /* by sums, over quadrants of C's shape */
    double fused_c_passes;         /* by the products' stores, beyond the one of each product */
};

/* Figure 12: five sums of A and five of B; mulIncInc 3 passes beyond a product's own (twice),
   mulStoreDec and mulStoreInc 2, mulIncDec 3. Figure 16: the same sums, two of C,
   three pairs. */
static const struct level strassen_fused = {5, 5, 8, 15, 15, 0, 13};
static const struct level strassen_plain = {5, 5, 8, 15, 15, 2 * 3 + 3 * 5, 0};
/* Figure 13: four and four; mulAdd 1 (twice), mulIncIncInc 5, mulSubInc 3. Figure 23: the same
   sums, two of C, and two assignments to two quadrants of 6 and 5 passes. */
static const struct level winograd_fused = {4, 4, 7, 12, 12, 0, 10};
static const struct level winograd_plain = {4, 4, 7, 12, 12, 2 * 3 + 6 + 5, 0};

static struct cost multilevel(struct product p, int levels, int last_is_fused,
                              const struct level *plain, const struct level *fused)
{
    if (levels == 0)
        return model_gpu8(NULL, p, 0);
    long m = p.c.rows / 2, n = p.c.cols / 2, k = p.a.cols / 2;
    struct cost product =
        multilevel(product_of_size(m, n, k), levels - 1, last_is_fused, plain, fused);
    const struct level *level = levels == 1 && last_is_fused ? fused : plain;
    double a = (double)m * (double)k, b = (double)k * (double)n, c = (double)m * (double)n;
    struct cost cost = {
        7 * product.flops + level->a_sums * a + level->b_sums * b + level->c_sums * c, -1, -1};
    if (product.transactions < 0 || n % 64 || k % 64 || m % 8)
        return cost;
    double passed = level->a_passes * a + level->b_passes * b + level->c_passes * c;
    cost.transactions = 7 * product.transactions + passed / 32 + level->fused_c_passes * c / 16;
    cost.volume = 7 * product.volume + 4 * passed + 4 * level->fused_c_passes * c;
    return cost;
}

struct cost model_strassen(const struct context *ctx, struct product p, int levels)
{
    return multilevel(p, levels, ctx->fused, &strassen_plain, &strassen_fused);
}

struct cost model_winograd(const struct context *ctx, struct product p, int levels)
{
    return multilevel(p, levels, ctx->fused, &winograd_plain, &winograd_fused);
}
