/* SPDX-License-Identifier: MIT */
/* draw-02 blocks M N K | sums N: prints in lines of JSON what the loops of the packed product
 * ask its kernel for: step 02's packed product, cut into small blocks, or one level of step
 * 05's packed-both. Both get the kernel below, which logs its arguments and then calls the real
 * one. The order of the loops inside the real one shows in the order in which the tiles of C
 * change (step_run.h). loops.py draws it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step_run.h"
#include "steps/02-cpu-blocked/packed.h"
#include "steps/05-cpu-winograd/packing.h"

static const struct blocks wish = {12, 16, 24, 6};
static real *a, *b, *c, *before;
static long m, n;
static int working; /* in the real kernel's multiply() */
static int tile_mr;

extern const struct kernel kernel_real; /* kernel.c */

/* The beginning of a line: the blocks that are read or written, by sign and first element. */
static void say(const char *what, const struct sum *sum, const real *base)
{
    printf("{\"part\":\"%s\",\"terms\":[", what);
    for (int t = 0; t < sum->count; t++)
        printf("%s[%d,%td]", t ? "," : "", sum->term[t].sign < 0 ? -1 : 1,
               sum->term[t].at - base);
    printf("],");
}

static void pack_a(const struct sum *x, long i, long l, long rows, long kc, int mr,
                   real *packed)
{
    say("A", x, a);
    printf("\"i\":%ld,\"l\":%ld,\"rows\":%ld,\"kc\":%ld}\n", i, l, rows, kc);
    kernel_real.pack_a(x, i, l, rows, kc, mr, packed);
}

static void pack_b(const struct sum *x, long l, long j, long first, long last, long kc,
                   long cols, real *packed)
{
    say("B", x, b);
    printf("\"l\":%ld,\"j\":%ld,\"kc\":%ld,\"cols\":%ld}\n", l, j, kc, cols);
    kernel_real.pack_b(x, l, j, first, last, kc, cols, packed);
}

static void multiply(long rows, long cols, long kc, int mr, const real *x, const real *y,
                     const struct sum *to, long i, long j, bool first, bool last,
                     real *collected)
{
    say("C", to, c);
    printf("\"mr\":%d}\n", mr);
    tile_mr = mr, working = 1;
    kernel_real.multiply(rows, cols, kc, mr, x, y, to, i, j, first, last, collected);
    watch("");
    working = 0;
}

/* packed.c is compiled for this kernel alone. The portable kernel has vectors of four floats.
 */
const struct kernel kernel_portable = {"portable", 6, 8, pack_a, pack_b, multiply};

/* Says which elements of C have changed, by the tiles that they are in. */
void watch(const char *call)
{
    (void)call;
    for (long i = 0; working && i < m; i++)
        for (long j = 0; j < n; j++)
            if (c[i * n + j] != before[i * n + j]) {
                printf("{\"tile\":[%ld,%ld],\"element\":[%ld,%ld]}\n", i / tile_mr * tile_mr,
                       j / kernel_real.nr * kernel_real.nr, i, j);
                before[i * n + j] = c[i * n + j];
            }
}

static real *counted(long elements, int period)
{
    real *memory = malloc((size_t)elements * sizeof(real));
    if (!memory)
        exit(3);
    for (long i = 0; i < elements; i++)
        memory[i] = period ? (real)(1 + i % period) : 0;
    return memory;
}

int main(int argc, char **argv)
{
    int blocks = argc == 5 && !strcmp(argv[1], "blocks");
    if (!blocks && !(argc == 3 && !strcmp(argv[1], "sums"))) {
        fprintf(stderr, "usage: draw-02 blocks M N K | sums N\n");
        return 2;
    }
    if (kernel_real.mr < kernel_portable.mr || kernel_real.nr != kernel_portable.nr) {
        fprintf(stderr, "draw-02: the kernel has tiles of another size here\n");
        return 1;
    }
    m = atol(argv[2]), n = blocks ? atol(argv[3]) : m;
    long k = blocks ? atol(argv[4]) : m;
    a = counted(m * k, 7), b = counted(k * n, 5), c = counted(m * n, 0);
    before = counted(m * n, 0);
    struct step_run p = whole_run(m, n, k, a, b, c);
    p.levels = 1;
    real *workspace = counted((long)(blocks ? workspace_of_blocks(m, n, k, 1, wish)
                                            : workspace_packed_both(&p.ctx, p.product, 1)),
                              0);
    if (blocks)
        multiply_with_blocks(&p.ctx, p.product, wish, workspace);
    else
        multiply_packed_both(&p.ctx, p.product, 1, workspace);
    free(a), free(b), free(c), free(before), free(workspace);
    return 0;
}
