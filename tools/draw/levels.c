/* SPDX-License-Identifier: MIT */
/* draw-17-levels: draws the two levels of step 14 over GPU8 in single and of step 17 over dgemm
 * in double, as SVG, from the launches and the calls of cublasDgemm that both make. Both run
 * with n and thresholds 16 times smaller than the chapter's.
 */
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "step_run.h"
#include "svg.h"
#include "wrap.h"

extern const struct step step_f32, step_f64; /* 14 and 17 */
enum { N = 512, TIMES_SMALLER = 16, LEVELS = 2 };

/* Counts the operations on blocks of order N, N/2 and N/4. */
struct level {
    int sums, pairs, products, library;
};
struct counted {
    struct level at[LEVELS + 1];
};
static struct counted *counting;

static void fail(const char *what)
{
    fprintf(stderr, "draw-17-levels: %s\n", what);
    exit(1);
}

static struct level *level_of(int columns)
{
    for (int i = 0; i <= LEVELS; i++)
        if (columns == N >> i)
            return &counting->at[i];
    fail("an operation on blocks of no level");
    return NULL;
}

/* A sum's block of threads covers 64 columns, a product's 128 (steps 10 and 12). */
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    int multiplies = !strncmp(kernel_name(launch->kernel_text), "mul", 3);
    __real_simgpu_launch(launch);
    struct level *level = level_of((int)launch->grid[0] * (multiplies ? 128 : 64));
    level->products += multiplies;
    level->pairs += !multiplies && strstr(launch->kernel_text, "pair") != NULL;
    level->sums += !multiplies && !strstr(launch->kernel_text, "pair");
}

cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS)
{
    level_of(m)->library++;
    return __real_cublasDgemm(handle, transa, transb, m, n, k, alpha, x, ldx, y, ldy, beta, z,
                              ldz);
}

/* The step's first variant over its first leaf. */
static struct counted run(const struct step *step, size_t element, int fused)
{
    struct counted result = {0};
    struct step_run p = whole_run(N, N, N, NULL, NULL, NULL);
    p.levels = LEVELS, p.context.fused = fused, p.context.leaf = step->leaves;
    void *workspace = backend.allocate(run_workspace(step->variants, &p) * element), *memory[3];
    for (int i = 0; i < 3; i++) {
        memory[i] = backend.allocate(N * N * element);
        if (!memory[i] || !workspace)
            fail("not enough memory");
        backend.fill(memory[i], 0, N * N * element);
    }
    p.product.a.at = memory[0], p.product.b.at = memory[1], p.product.c.at = memory[2];
    counting = &result;
    run_variant(step->variants, &p, workspace);
    for (int i = 0; i < 3; i++)
        backend.release(memory[i]);
    backend.release(workspace);
    return result;
}

static void box(double x, double y, double w, const char *fill, const char *bold,
                const char *first, const char *second)
{
    svg_box(x - w / 2, y, w, 72, fill, "#888888", 1);
    svg_bold(x, y + (second ? 24 : 30), 14, "middle", BLACK, "%s", bold);
    svg_text(x, y + (second ? 43 : 50), 12.5, "middle", "#444444", "%s", first);
    if (second)
        svg_text(x, y + 60, 12.5, "middle", "#444444", "%s", second);
}

static void down(double x, double y, const char *times)
{
    svg_line(x, y, x, y + 24, GREY, 1.5);
    printf("<path d=\"M%g %gl-4 -8h8z\" fill=\"%s\"/>\n", x, y + 28, GREY);
    svg_text(x + 12, y + 19, 13, "start", GREY, "%s", times);
}

/* Each level's blocks in turn: at depth d there are 7^d of them. */
static void column(double x, const struct counted *run, const char *name, const char *settings,
                   const char *leaf, const char *inside)
{
    static const double widths[LEVELS + 1] = {350, 262, 210};
    char bold[80], first[80], times[40];
    svg_bold(x, 24, 15, "middle", BLACK, "%s", name);
    svg_text(x, 43, 12.5, "middle", GREY, "%s", settings);
    int blocks = 1;
    for (int depth = 0; depth < LEVELS; depth++, blocks *= 7) {
        const struct level *below = &run->at[depth + 1]; /* a level works on quadrants */
        int last = depth == LEVELS - 1, fused = last && below->products > 0;
        if (below->sums % blocks || below->pairs % blocks)
            fail("the blocks of a depth do not all ask for the same");
        sprintf(bold, "%d: a %s level", N * TIMES_SMALLER >> depth, fused ? "fused" : "plain");
        if (fused)
            sprintf(first, "Figure 12: %d sums,", below->sums / blocks);
        else
            sprintf(first, "Figure 16: %d sums, %d pairs", below->sums / blocks,
                    below->pairs / blocks);
        box(x, 60 + depth * 100, widths[depth], fused ? PALE_ORANGE : PALE_BLUE, bold, first,
            fused ? "the rest inside the products" : NULL);
        if (last)
            sprintf(times, "× 7: %d in all", below->products + below->library);
        else
            sprintf(times, "× 7");
        down(x, 132 + depth * 100, times);
        if (last && below->products + below->library != blocks * 7)
            fail("the leaves are not seven for each block above them");
    }
    sprintf(bold, "%d: %s", N * TIMES_SMALLER >> LEVELS, leaf);
    box(x, 260, widths[LEVELS], PALE, bold, inside, NULL);
}

int main(void)
{
    struct counted single = run(&step_f32, sizeof(float), 1),
                   doubled = run(&step_f64, sizeof(double), 1);
    char text[160];
    if (!single.at[LEVELS].products || single.at[LEVELS].library ||
        !doubled.at[LEVELS].library || doubled.at[LEVELS].products)
        fail("the leaves are not GPU8 in single and cublasDgemm in double");
    sprintf(
        text,
        "Two levels at n = %d: over GPU8 the last level is fused, over dgemm both are plain",
        N * TIMES_SMALLER);
    svg_begin(800, 350, text);
    column(195, &single, "single, over GPU8", "step 14, two levels, the last one fused",
           "GPU8’s main loop", "inside mul, mulIncInc, …");
    column(605, &doubled, "double, over dgemm", "this step, two levels", "cublasDgemm",
           "each product into one place");
    svg_line(400, 10, 400, 340, "#dddddd", 1);
    svg_end();
    return 0;
}
