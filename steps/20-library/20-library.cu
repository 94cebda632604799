/* SPDX-License-Identifier: MIT */
/** @file 20-library.cu
 * The library as a step: ladder_gemm.h plans and computes the runner's product.
 */
#include "common/model.h"
#include "common/device/libraries/cublas.h"
#include "ladder_gemm.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef LADDER_F32
#define ladder_row_major ladder_sgemm_row_major
#else
#define ladder_row_major ladder_dgemm_row_major
#endif

static void end_program(int status, ladder_gemm_t gemm)
{
    if (status) {
        fprintf(stderr, "ladder_gemm: status %d: %s\n", status,
                gemm ? ladder_gemm_message(gemm) : "no handle");
        exit(EXIT_WRONG);
    }
}

/* The plans of the most recent shapes, so that all runs of a shape use the same plan: the
   runner multiplies the shape asked for and, between the variants, a small one. */
enum { KNOWN = 4 };
static struct known {
    long m, n, k;
    int levels;
    struct ladder_plan plan;
} known[KNOWN];

/* Returns where a product's plan is kept, or for a new shape the oldest place, with m = 0. */
static struct known *known_plan(struct product p, int levels)
{
    static int next;
    for (int i = 0; i < KNOWN; i++)
        if (known[i].m == p.c.rows && known[i].n == p.c.cols && known[i].k == p.a.cols &&
            known[i].levels == levels)
            return &known[i];
    struct known *oldest = &known[next++ % KNOWN];
    oldest->m = 0;
    return oldest;
}

/* Makes a handle for one run, with the plan. Making and destroying it is not timed. */
static ladder_gemm_t begin_run(struct product p, int levels)
{
    ladder_gemm_t gemm;
    struct known *plan = known_plan(p, levels);
    /* row-major C = A B is column-major C^T = B^T A^T */
    int m = (int)p.c.cols, n = (int)p.c.rows, k = (int)p.a.cols;
    const struct ladder_shape shape = {sizeof(real) == 8, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
                                       (int)p.b.ld,       (int)p.a.ld, (int)p.c.ld, 0};
    end_program(ladder_gemm_create(&gemm, NULL), gemm);
    if (backend.simulated)
        ladder_gemm_smallest_leaf(gemm, 8); /* so that small shapes have candidates */
    ladder_gemm_most_levels(gemm, levels);
    ladder_gemm_set_accurate(gemm, 0); /* Winograd's sums: `bound` in the table is theirs */
    if (plan->m == 0) {
        plan->m = p.c.rows, plan->n = p.c.cols, plan->k = p.a.cols, plan->levels = levels;
        end_program(ladder_gemm_plan(gemm, &shape, &plan->plan, NULL), gemm);
    }
    ladder_gemm_force(gemm, &plan->plan);
    return gemm;
}

/* Only the call itself is timed. */
static void multiply_planned(const struct context *, struct product p, int levels, real *)
{
    ladder_gemm_t gemm = begin_run(p, levels);
    const real one = 1, zero = 0;
    backend.start();
    end_program(ladder_row_major(gemm, CUBLAS_OP_N, CUBLAS_OP_N, (int)p.c.rows, (int)p.c.cols,
                                 (int)p.a.cols, &one, p.a.at, (int)p.a.ld, p.b.at, (int)p.b.ld,
                                 &zero, p.c.at, (int)p.c.ld),
                gemm);
    backend.stop();
    ladder_gemm_destroy(gemm);
}

static const struct variant variants[] = {
    {.name = "planned",
     .sentence = "with the plan that is fastest here, in the library's own workspace",
     .multiply = multiply_planned,
     .cost = model_winograd_flops,
     .bound = {.scheme = &winograd_scheme},
     .own_clock = 1},
    {0},
};

static const struct leaf leaves[] = {
    {.name = "cublas", .sentence = "cublasSgemm or cublasDgemm", .multiply = multiply_cublas},
    {0},
};

const struct step STEP = {
    .name = "20-library",
    .idea = "a library: cublasSgemm's arguments, the fastest plan for each shape",
    .variants = variants,
    .leaves = leaves,
    .default_n = 256,
    .default_tau1 = 512,
};
