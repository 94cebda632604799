/**
 * @file
 * Exercise 12-two-updates-at-once: a product that updates two blocks while it is in registers.
 */
#include "common/block.h"
#include "common/model.h"
#include "steps/10-gpu8/gpu8.cuh"

/* YOUR CODE: a kernel, and mulIncDec(w, x, y, z) that launches it: (Y +=, Z -=) = W * X */
/* The product never comes to memory: its elements go from registers into both sums. */
static __global__ void inc_dec(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                               real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] += cr[j];
        z[0] -= cr[j];
    }
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    inc_dec<<<gpu8_grid(z.rows, z.cols), gpu8_block()>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, z.at,
                                                         z.ld, w.cols);
    CHECK_LAUNCH();
}
/* END */

static __global__ void fill(real *y, int ldy, real value)
{
    y[(size_t)blockIdx.y * ldy + blockIdx.x * 128 + threadIdx.x] = value;
}

static __global__ void half_of_difference(real *c, int ldc, const real *z, int ldz)
{
    int j = blockIdx.x * 128 + threadIdx.x;
    real *to = c + (size_t)blockIdx.y * ldc + j;
    *to = (*to - z[(size_t)blockIdx.y * ldz + j]) / 2;
}

/* C and Z begin with the same number everywhere, so C - Z is twice the product. Rows of Z are wider
   than rows of C. */
static void multiply_yours(const struct problem *p, real *workspace)
{
    struct block c = block_c(p), z = {workspace, p->m, p->n, p->n + 32};
    dim3 grid(p->n / 128, p->m);
    fill<<<grid, 128>>>(c.at, c.ld, 3);
    CHECK_LAUNCH();
    fill<<<grid, 128>>>(z.at, z.ld, 3);
    CHECK_LAUNCH();
    mulIncDec(block_a(p), block_b(p), c, z);
    half_of_difference<<<grid, 128>>>(c.at, c.ld, z.at, z.ld);
    CHECK_LAUNCH();
}

static size_t workspace_yours(const struct problem *p) { return (size_t)(p->m * (p->n + 32)); }

/* GPU8 stores once; the two updates take four passes, filling two, the difference three. */
static struct cost cost_yours(const struct problem *p)
{
    struct cost cost = model_gpu8(p);
    cost.transactions += (4 - 1 + 2 + 3) * (double)p->m * (double)p->n / 16;
    return cost;
}

static const struct variant variants[] = {
    {.name = "yours",
     .sentence = "your mulIncDec",
     .multiply = multiply_yours,
     .workspace = workspace_yours,
     .cost = cost_yours,
     .multiple_m = GPU8_M,
     .multiple_n = GPU8_N,
     .multiple_k = GPU8_K},
    {0},
};

const struct step STEP = {
    .name = "12-two-updates-at-once",
    .idea = "a product that updates two blocks while it is in registers",
    .variants = variants,
    .default_n = 128,
};
