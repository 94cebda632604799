/**
 * @file nv.cuh
 * What surrounds the kernels of NV Single and NV Multi: their textures, packed before and unpacked
 * after the timed run (as in 002, whose times leave that out too), the passes, the cost.
 */
#ifndef LADDER_NV_CUH
#define LADDER_NV_CUH

#include "texels.cuh"

enum { MAX_STEPS = 6 }; /* 002 section 2.2: "3 to 6 times", all that the ATI driver allowed */

/// [mad]
/** The shader's `mad` on four components: sum += a * b. */
static __device__ __forceinline__ void mad(real4 *sum, real a0, real a1, real a2, real a3, real b0,
                                           real b1, real b2, real b3)
{
    sum->x += a0 * b0;
    sum->y += a1 * b1;
    sum->z += a2 * b2;
    sum->w += a3 * b3;
}
/// [mad]

/** The operands of NV Single in textures of 2 x 2 blocks, while a run lasts. */
struct single {
    struct texture a, b, c;
};
static struct single single;

static inline struct single shape_single(const struct problem *p)
{
    return {texture_shape(p->m, p->k, block_2x2), texture_shape(p->k, p->n, block_2x2),
            texture_shape(p->m, p->n, block_2x2)};
}

static size_t workspace_single(const struct problem *p)
{
    struct single s = shape_single(p);
    return texture_elements(s.a) + texture_elements(s.b) + texture_elements(s.c);
}

static void create_single(const struct problem *p, void *room)
{
    real *workspace = (real *)room;
    single = shape_single(p);
    single.a = texture_create(single.a, &workspace);
    single.b = texture_create(single.b, &workspace);
    single.c = texture_create(single.c, &workspace);
}

static void destroy_single(void)
{
    texture_destroy(single.a);
    texture_destroy(single.b);
    texture_destroy(single.c);
}

static void prepare_single(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    create_single(p, (real *)workspace);
    pack(x.a.at, x.a.ld, p->m, p->k, block_2x2, single.a);
    pack(x.b.at, x.b.ld, p->k, p->n, block_2x2, single.b);
}

static void finish_single(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    unpack(single.c, block_2x2, x.c.at, x.c.ld, p->m, p->n);
    destroy_single();
}

/** NV Multi's: columns of four; C twice, because a pass reads what the pass before has written. */
struct multi {
    struct texture a, b, c[2];
    int steps; /**< texel rows of B, each 4 of k */
};
static struct multi multi;

/* A has a texel for each of its columns; they are filled up to four a step with zeros. */
static inline struct multi shape_multi(const struct problem *p)
{
    int steps = (int)blocks_for(p->k, 4);
    struct texture c = texture_shape(p->m, p->n, column_of_4);
    return {texture_shape(p->m, 4L * steps, column_of_4),
            texture_shape(p->k, p->n, column_of_4),
            {c, c},
            steps};
}

static size_t workspace_multi(const struct problem *p)
{
    struct multi s = shape_multi(p);
    return texture_elements(s.a) + texture_elements(s.b) + 2 * texture_elements(s.c[0]);
}

static void create_multi(const struct problem *p, void *room)
{
    real *workspace = (real *)room;
    multi = shape_multi(p);
    multi.a = texture_create(multi.a, &workspace);
    multi.b = texture_create(multi.b, &workspace);
    for (int i = 0; i < 2; i++)
        multi.c[i] = texture_create(multi.c[i], &workspace);
}

static void destroy_multi(void)
{
    texture_destroy(multi.a);
    texture_destroy(multi.b);
    for (int i = 0; i < 2; i++)
        texture_destroy(multi.c[i]);
}

static void prepare_multi(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    create_multi(p, (real *)workspace);
    pack(x.a.at, x.a.ld, p->m, p->k, column_of_4, multi.a);
    pack(x.b.at, x.b.ld, p->k, p->n, column_of_4, multi.b);
    struct texture zero = multi.c[0]; /* what the first pass reads back */
    CUDA_CHECK(cudaMemset(zero.texels, 0, sizeof(real4) * zero.pitch * zero.height));
}

/// [passes]
typedef void (*pass_kernel)(struct texture a, struct texture b, struct texture accum,
                            struct texture c, int first);

static inline int passes_multi(const struct multi *s, int unroll)
{
    return (int)blocks_for(s->steps, unroll);
}

/** Runs all passes, `unroll` steps each, the last one what is left: pass i reads c[i % 2] and
 *  writes the other. `kernels` has one for each number of steps. */
static void run_passes(const pass_kernel kernels[], int unroll)
{
    for (int i = 0, first = 0; first < multi.steps; i++, first += unroll) {
        int left = multi.steps - first;
        pass_kernel kernel = kernels[left < unroll ? left : unroll];
        struct texture accum = multi.c[i % 2], c = multi.c[(i + 1) % 2];
        kernel<<<texel_grid(c), texel_block()>>>(multi.a, multi.b, accum, c, first);
        CHECK_LAUNCH();
    }
}
/// [passes]

static void finish_multi(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    struct texture last = multi.c[passes_multi(&multi, (int)p->parameter) % 2];
    unpack(last, column_of_4, x.c.at, x.c.ld, p->m, p->n);
    destroy_multi();
}

/// [cost]
static double texels_of(struct texture t) { return (double)t.width * t.height; }

/* What every pass stores, and every fetch brings; for f32. A half warp stores 16 neighbouring
   texels by two transactions of 128 bytes, where rows are whole half warps. */
static struct cost cost_of_texels(const struct problem *p, struct texture c, double stores,
                                  double fetches)
{
    struct cost cost = {2.0 * p->m * p->n * p->k, -1, -1, fetches, 16 * fetches};
    if (c.width % TEXEL_BLOCK == 0) {
        cost.transactions = stores * texels_of(c) / 8;
        cost.volume = stores * texels_of(c) * 16;
    }
    return cost;
}

/* Each texel of C takes a row of A's texels and a column of B's. */
static struct cost cost_single(const struct problem *p)
{
    struct single s = shape_single(p);
    return cost_of_texels(p, s.c, 1, texels_of(s.c) * 2 * s.a.width);
}

/* ... 4 texels of A and 1 of B for each step, and the partial result once a pass. */
static struct cost cost_multi(const struct problem *p)
{
    struct multi s = shape_multi(p);
    double passes = passes_multi(&s, (int)p->parameter);
    return cost_of_texels(p, s.c[0], passes, texels_of(s.c[0]) * (5.0 * s.steps + passes));
}
/// [cost]

#endif
