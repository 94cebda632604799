/* SPDX-License-Identifier: MIT */
/* draw-03: draws the eight products of one level of step 03 and the recursion tree, as SVG,
 * from a run of the step: its quadrants hold one number each, and after every call (step_run.h)
 * the change of C tells which quadrant of A was multiplied by which one of B.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step_run.h"
#include "svg.h"

extern const struct step STEP;
enum { N = 16, MOST = 4096 };
static const double alpha[4] = {1009, 2741, 7919, 5003}, beta[4] = {4327, 1637, 3571, 9661};
static const char *const quadrant[4] = {"11", "12", "21", "22"};

static double a[N * N], b[N * N], c[N * N], before[N * N];
static struct {
    int a, b, c;
} products[MOST];
static int product_count, watching, level;

/* Finds the product that was added to a block of order `side` of C, by the block's first
 * element. */
static void compare(int side)
{
    for (int i = 0; i < N; i += side)
        for (int j = 0; j < N; j += side) {
            double change = c[i * N + j] - before[i * N + j];
            int to = i / (N / 2) * 2 + j / (N / 2);
            if (change == 0 || before[i * N + j] != before[(i + side - 1) * N + j + side - 1] ||
                c[i * N + j] != c[(i + side - 1) * N + j + side - 1])
                continue;
            for (int x = 0; x < 4; x++)
                for (int y = 0; y < 4; y++)
                    if (change == side * alpha[x] * beta[y] && product_count < MOST) {
                        products[product_count].a = x, products[product_count].b = y;
                        products[product_count++].c = to;
                        memcpy(before, c, sizeof c);
                        return;
                    }
        }
}

void watch(const char *name)
{
    (void)name;
    if (watching)
        compare(N >> level);
}

static void run(int levels)
{
    struct step_run p = whole_run(N, N, N, a, b, c);
    p.levels = levels, p.context.leaf = STEP.leaves;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int q = i / (N / 2) * 2 + j / (N / 2);
            a[i * N + j] = alpha[q], b[i * N + j] = beta[q],
                      c[i * N + j] = before[i * N + j] = 0;
        }
    product_count = 0, level = levels;
    watching = 1;
    run_variant(find_variant(STEP.variants, "accumulate"), &p, NULL);
    watching = 0;
}

static void grid(double x, double y, const char *letter, int marked, const char *fill)
{
    svg_text(x + 16, y - 5, 12, "middle", GREY, "%s", letter);
    for (int q = 0; q < 4; q++)
        svg_box(x + q % 2 * 16, y + q / 2 * 16, 16, 16, q == marked ? fill : PALE, "#888888",
                0.8);
}

static void draw_products(double top)
{
    const double wide = 196, high = 90;
    for (int i = 0; i < 8; i++) {
        double x = 10 + i % 4 * (wide + 8), y = top + i / 4 * (high + 8);
        char text[80], number[8];
        int first = 1;
        for (int j = 0; j < i; j++)
            first &= products[j].c != products[i].c;
        svg_box(x, y, wide, high, "none", "#dddddd", 1);
        sprintf(number, "%d", i + 1);
        sprintf(text, "C%s %s A%s · B%s", quadrant[products[i].c],
                first ? "=" : "+=", quadrant[products[i].a], quadrant[products[i].b]);
        svg_text(x + 10, y + 20, 11, "start", GREY, "%s", number);
        svg_bold(x + 30, y + 20, 13, "start", BLACK, "%s", text);
        grid(x + 14, y + 48, "A", products[i].a, BLUE);
        svg_text(x + 62, y + 70, 14, "middle", BLACK, "×");
        grid(x + 78, y + 48, "B", products[i].b, "#E69F00");
        svg_text(x + 126, y + 70, 16, "middle", BLACK, "→");
        grid(x + 144, y + 48, "C", products[i].c, GREEN);
    }
}

static void draw_tree(double top, int leaves)
{
    const double wide = 92, left = 60;
    const double middle = left + 4 * wide;
    for (int i = 0; i < 8; i++) {
        double x = left + (i + 0.5) * wide;
        svg_line(middle, top + 24, x, top + 74, "#888888", 1);
        for (int j = 0; j < leaves / 8; j++) {
            double leaf = left + i * wide + 6 + (j + 0.5) * (wide - 12) / (leaves / 8.0);
            svg_line(x, top + 98, leaf, top + 140, "#888888", 0.7);
            svg_box(leaf - 4, top + 140, 8, 14, PALE_GREEN, "#444444", 0.8);
        }
        svg_box(x - 30, top + 74, 60, 24, PALE_ORANGE, "#444444", 1);
        svg_text(x, top + 91, 13, "middle", BLACK, "n/2");
    }
    svg_box(middle - 30, top, 60, 24, PALE_BLUE, "#444444", 1);
    svg_text(middle, top + 17, 13, "middle", BLACK, "n");
    svg_text(12, top + 152, 13, "start", GREY, "n/4");
    svg_text(middle, top + 176, 12, "middle", GREY,
             "Two levels: %d products of order n/4, from left to right. What lies in a cache "
             "is used up before the next block needs room.",
             leaves);
}

int main(void)
{
    run(2);
    int leaves = product_count;
    run(1);
    if (product_count != 8 || leaves != 64) {
        fprintf(stderr, "%s: %d products on one level, %d on two\n", STEP.name, product_count,
                leaves);
        return 1;
    }
    svg_begin(828, 400,
              "The eight products of one level, and the recursion tree of two levels");
    draw_products(10);
    draw_tree(214, leaves);
    svg_end();
    return 0;
}
