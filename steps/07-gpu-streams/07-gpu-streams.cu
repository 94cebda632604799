/* SPDX-License-Identifier: MIT */
/** @file 07-gpu-streams.cu
 * The matrix products of Fatahalian, Sugerman and Hanrahan (2004) for the GPUs of 2004:
 * operands in textures of four-component texels, one thread for each texel of C. The paper's
 * other measurements, in its Tables 1 and 2, are in measurements/.
 */
#include "steps/07-gpu-streams/measurements/bandwidth.cuh"
#include "common/device/backend.h"
#include "steps/07-gpu-streams/textures/nv.cuh"

/// [single]
/* 2 x 2 texels, one pass: all of a row of A's texels and a column of B's. The document prints
   the first factor as A.xxxx; the rows of a 2 x 2 block are x y and z w, so it
   must be A.xxzz. */
static __global__ void nv_single(struct texture a, struct texture b, struct texture c)
{
    if (texel_row() >= c.height || texel_column() >= c.width)
        return;
    float x = texel_column() + 0.5f, y = texel_row() + 0.5f, k = 0.5f;
    real4 sum = {0, 0, 0, 0};
#pragma unroll 4
    for (int i = 0; i < a.width; i++, k += 1) {
        real4 p = fetch(a, k, y), q = fetch(b, x, k);
        mad(&sum, p.x, p.x, p.z, p.z, q.x, q.y, q.x, q.y); /* A.xxzz * B.xyxy */
        mad(&sum, p.y, p.y, p.w, p.w, q.z, q.w, q.z, q.w); /* A.yyww * B.zwzw */
    }
    c.texels[(size_t)texel_row() * c.pitch + texel_column()] = sum;
}

/* The times of Fatahalian et al. leave out the packing: we measure from after it to before the
 * unpacking. */
static void multiply_single(const struct context *, struct product p, int, real *workspace)
{
    struct single s = pack_single(p, workspace);
    backend.start();
    nv_single<<<texel_grid(s.c), texel_block()>>>(s.a, s.b, s.c);
    CHECK_LAUNCH();
    backend.stop();
    unpack_single(p, &s);
}
/// [single]

/* As printed. */
static __global__ void nv_single_printed(struct texture a, struct texture b, struct texture c)
{
    if (texel_row() >= c.height || texel_column() >= c.width)
        return;
    float x = texel_column() + 0.5f, y = texel_row() + 0.5f, k = 0.5f;
    real4 sum = {0, 0, 0, 0};
    for (int i = 0; i < a.width; i++, k += 1) {
        real4 p = fetch(a, k, y), q = fetch(b, x, k);
        mad(&sum, p.x, p.x, p.x, p.x, q.x, q.y, q.x, q.y); /* A.xxxx * B.xyxy */
        mad(&sum, p.y, p.y, p.w, p.w, q.z, q.w, q.z, q.w);
    }
    c.texels[(size_t)texel_row() * c.pitch + texel_column()] = sum;
}

static void multiply_printed(const struct context *, struct product p, int, real *workspace)
{
    struct single s = pack_single(p, workspace);
    backend.start();
    nv_single_printed<<<texel_grid(s.c), texel_block()>>>(s.a, s.b, s.c);
    CHECK_LAUNCH();
    backend.stop();
    unpack_single(p, &s);
}

/// [multi]
/* One pass over `steps` texel rows of B from `first`: for each, a 4 x 4 block of A times the
   texel, 5 fetches for 4 mads; and one more fetch for the result of the passes before. */
template <int steps>
static __global__ void nv_multi(struct texture a, struct texture b, struct texture accum,
                                struct texture c, int first)
{
    if (texel_row() >= c.height || texel_column() >= c.width)
        return;
    float x = texel_column() + 0.5f, y = texel_row() + 0.5f;
    real4 sum = fetch(accum, x, y);
#pragma unroll
    for (int i = 0; i < steps; i++) {
        float k = 4 * (first + i) + 0.5f;
        real4 q = fetch(b, x, first + i + 0.5f);
        real4 a0 = fetch(a, k, y), a1 = fetch(a, k + 1, y), a2 = fetch(a, k + 2, y),
              a3 = fetch(a, k + 3, y);
        mad(&sum, a0.x, a0.y, a0.z, a0.w, q.x, q.x, q.x, q.x); /* A[i, k].xyzw * B.xxxx */
        mad(&sum, a1.x, a1.y, a1.z, a1.w, q.y, q.y, q.y, q.y);
        mad(&sum, a2.x, a2.y, a2.z, a2.w, q.z, q.z, q.z, q.z);
        mad(&sum, a3.x, a3.y, a3.z, a3.w, q.w, q.w, q.w, q.w);
    }
    c.texels[(size_t)texel_row() * c.pitch + texel_column()] = sum;
}

/* A kernel for each number of steps: the loop above is unrolled, as in the document's
   shaders. */
static const pass_kernel nv_multi_by_steps[] = {
    NULL, nv_multi<1>, nv_multi<2>, nv_multi<3>, nv_multi<4>, nv_multi<5>, nv_multi<6>};
static_assert(sizeof nv_multi_by_steps / sizeof *nv_multi_by_steps == MAX_STEPS + 1,
              "a kernel for each --unroll");

static void multiply_multi(const struct context *ctx, struct product p, int, real *workspace)
{
    struct multi s = pack_multi(ctx, p, workspace);
    backend.start();
    run_passes(nv_multi_by_steps, &s);
    backend.stop();
    unpack_multi(p, &s);
}
/// [multi]

static const struct variant variants[] = {
    {.name = "single",
     .sentence = "NV Single: 2 x 2 texels, one pass",
     .multiply = multiply_single,
     .workspace = workspace_single,
     .cost = cost_single,
     .own_clock = 1},
    {.name = "multi",
     .sentence = "NV Multi: 4 x 1 texels, a pass for every 4 k (times --unroll)",
     .multiply = multiply_multi,
     .workspace = workspace_multi,
     .cost = cost_multi,
     .own_clock = 1},
    {.name = "targets",
     .sentence = "NV Single with four outputs a thread, each fetch used for two",
     .multiply = multiply_targets,
     .workspace = workspace_single,
     .cost = cost_targets,
     .own_clock = 1,
     .role = BY_NAME},
    {.name = "single-printed",
     .sentence = "NV Single with the document's A.xxxx",
     .multiply = multiply_printed,
     .workspace = workspace_single,
     .cost = cost_single,
     .own_clock = 1,
     .role = WRONG_ON_PURPOSE},
    {0},
};

#ifdef LADDER_F32
static const struct action actions[] = {
    {.name = "bandwidth",
     .help = "measure the fetches without the arithmetic (Table 1), and stop",
     .run = run_bandwidth,
     .json = 1,
     .heeds = "n,m,k,variant,reps,unroll,shuffle,calls"},
    {.name = "microbenchmarks",
     .help = "measure arithmetic, cached and sequential fetches (Table 2), and stop",
     .run = run_microbenchmarks,
     .json = 1,
     .heeds = "shuffle,calls"},
    {0},
};
#else /* textures hold floats */
static const struct action actions[] = {
    {.name = "bandwidth"}, {.name = "microbenchmarks"}, {0}};
#endif

static const struct setting settings[] = {
    {.name = "unroll",
     .argument = "N",
     .help = "steps of four k each in one pass of NV Multi",
     .min = 1,
     .max = MAX_STEPS,
     .standard = 1},
    {0},
};

const struct step STEP = {
    .name = "07-gpu-streams",
    .idea = "the GPU of 2004: products through textures, and where their time goes",
    .variants = variants,
    .actions = actions,
    .settings = settings,
    .default_n = 128,
};
