/* SPDX-License-Identifier: MIT */
/* draw-NN-tree: draws the recursion tree of two levels, the last one fused, as SVG, from the
 * launches that the step makes on the simulated GPU: how large each launch is
 * tells its level. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "step_run.h"
#include "svg.h"
#include "wrap.h"

extern const struct step STEP;
enum { N = 512, NODES = 7 };

/* Counts the launches of a node: kernels that only add, and kernels that multiply. */
struct node {
    int sums, products;
};
static struct node root, children[64];
static int child_count, in_child;

/* A sum's block of threads covers 64 columns, a product's 128 (steps 10 and 12). */
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    int multiplies = !strncmp(kernel_name(launch->kernel_text), "mul", 3);
    int columns = (int)launch->grid[0] * (multiplies ? 128 : 64);
    __real_simgpu_launch(launch);
    if (columns == N / 2) { /* the root's own, which ends the child before it */
        root.sums += !multiplies, root.products += multiplies;
        in_child = 0;
        return;
    }
    if (!in_child)
        child_count++;
    in_child = 1;
    if (columns != N / 4 || child_count > NODES) {
        fprintf(stderr, "%s: %s on %d columns is of no level\n", STEP.name, launch->kernel_text,
                columns);
        exit(1);
    }
    children[child_count - 1].sums += !multiplies,
        children[child_count - 1].products += multiplies;
}

static void box(double x, double y, double w, const char *fill, const char *first,
                const char *second)
{
    svg_box(x - w / 2, y, w, 40, fill, "#444444", 1);
    svg_bold(x, y + 17, 12, "middle", BLACK, "%s", first);
    svg_text(x, y + 33, 11, "middle", BLACK, "%s", second);
}

int main(void)
{
    const size_t bytes = (size_t)N * N * sizeof(double);
    void *a = backend.allocate(bytes), *b = backend.allocate(bytes),
         *c = backend.allocate(bytes);
    struct step_run p = whole_run(N, N, N, a, b, c);
    p.levels = 2, p.context.fused = 1, p.context.leaf = STEP.leaves;
    void *workspace = backend.allocate(run_workspace(STEP.variants, &p) * sizeof(double));
    char text[120];
    if (!a || !b || !c || !workspace)
        return 3;
    backend.fill(a, 0, bytes), backend.fill(b, 0, bytes);
    run_variant(STEP.variants, &p, workspace);
    backend.release(a), backend.release(b), backend.release(c), backend.release(workspace);
    if (child_count != NODES || !children[0].products) {
        fprintf(stderr, "%s: the root has %d products\n", STEP.name, child_count);
        return 1;
    }

    const double left = 92, wide = 100, root_y = 16, child_y = 116, leaf_y = 216;
    svg_begin((int)(left + NODES * wide + 6), 300,
              "The recursion tree of two levels, the last one fused");
    double middle = left + NODES * wide / 2;
    for (int i = 0; i < NODES; i++) {
        double x = left + (i + 0.5) * wide;
        svg_line(middle, root_y + 40, x, child_y, "#888888", 1);
        for (int j = 0; j < children[i].products; j++) {
            double leaf = left + i * wide + 8 + (j + 0.5) * (wide - 16) / children[i].products;
            svg_line(x, child_y + 40, leaf, leaf_y, "#888888", 0.7);
            svg_box(leaf - 4.5, leaf_y, 9, 18, PALE_GREEN, "#444444", 0.8);
        }
        sprintf(text, "%d sums", children[i].sums);
        box(x, child_y, wide - 10, PALE_ORANGE, "fused level", text);
    }
    sprintf(text, "%d launches that add, %d products one level down", root.sums, child_count);
    box(middle, root_y, 320, PALE_BLUE, "plain level", text);
    svg_text(12, root_y + 25, 13, "start", GREY, "n");
    svg_text(12, child_y + 25, 13, "start", GREY, "n/2");
    svg_text(12, leaf_y + 14, 13, "start", GREY, "n/4");
    int leaves = 0, launches = root.sums + root.products;
    for (int i = 0; i < NODES; i++)
        leaves += children[i].products, launches += children[i].sums + children[i].products;
    sprintf(text, "%d products by GPU8's main loop, each with its sums fused into its store",
            leaves);
    svg_text(middle, leaf_y + 40, 12, "middle", BLACK, "%s", text);
    svg_text(
        middle, leaf_y + 62, 12, "middle", GREY,
        "The nodes run from left to right, each after the one before it: %d launches in all.",
        launches);
    svg_end();
    return 0;
}
