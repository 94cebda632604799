/* SPDX-License-Identifier: MIT */
/* draw-02: draws the loop nest of the packed product, as SVG, from a run of step 02's packed.c
 * and kernel.c: the packed product gets the kernel below, which records each call and then
 * calls the real one. The two loops inside the real one show in the order in which
 * the tiles of C change (step_run.h).
 */
#include <stdlib.h>
#include <string.h>

#include "steps/02-cpu-blocked/packed.h"
#include "step_run.h"
#include "svg.h"

enum { M = 48, N = 72, K = 64, MOST = 4096 };
static const struct blocks wish = {12, 16, 24, 6};
static real a[M * K], b[K * N], c[M * N], before[M * N];

enum { COLUMNS_OF_C, STEPS_OF_K, ROWS_OF_C, COORDINATES };
struct part {
    long from[COORDINATES], size[COORDINATES];
};
static struct part panels[MOST], blocks[MOST], tiles[MOST]; /* of B, of A, of C */
static int panel_count, block_count, tile_count, tile_mr, working;

static void fail(const char *what)
{
    fprintf(stderr, "draw-02: %s\n", what);
    exit(1);
}

static struct part *next(struct part *list, int *count)
{
    if (*count == MOST)
        fail("more parts than expected");
    return &list[(*count)++];
}

extern const struct kernel kernel_real; /* kernel.c */

static void pack_a(const struct sum *x, long i, long l, long rows, long kc, int mr,
                   real *packed)
{
    *next(blocks, &block_count) = (struct part){{0, l, i}, {0, kc, rows}};
    kernel_real.pack_a(x, i, l, rows, kc, mr, packed);
}

static void pack_b(const struct sum *x, long l, long j, long first, long last, long kc,
                   long cols, real *packed)
{
    *next(panels, &panel_count) = (struct part){{j, l, 0}, {cols, kc, 0}};
    kernel_real.pack_b(x, l, j, first, last, kc, cols, packed);
}

static void multiply(long rows, long cols, long kc, int mr, const real *x, const real *y,
                     const struct sum *to, long i, long j, bool first, bool last,
                     real *collected)
{
    tile_mr = mr, working = 1;
    kernel_real.multiply(rows, cols, kc, mr, x, y, to, i, j, first, last, collected);
    watch("");
    working = 0;
}

/* packed.c is compiled for this kernel alone. The portable kernel has vectors of four floats.
 */
const struct kernel kernel_portable = {"portable", 6, 8, pack_a, pack_b, multiply};

/* Which tile of C changed. A tile may change in several calls; the first few tiles tell the
 * order. */
void watch(const char *name)
{
    (void)name;
    for (int i = 0; working && tile_count < 4 && i < M; i++)
        for (int j = 0; j < N; j++) {
            if (c[i * N + j] == before[i * N + j])
                continue;
            long row = i / tile_mr * tile_mr, column = j / kernel_real.nr * kernel_real.nr;
            struct part *last = tile_count ? &tiles[tile_count - 1] : NULL;
            if (!last || last->from[ROWS_OF_C] != row || last->from[COLUMNS_OF_C] != column) {
                last = next(tiles, &tile_count);
                *last = (struct part){{column, 0, row}, {0, 0, 0}};
            }
            if (last->size[ROWS_OF_C] < i + 1 - row)
                last->size[ROWS_OF_C] = i + 1 - row;
            if (last->size[COLUMNS_OF_C] < j + 1 - column)
                last->size[COLUMNS_OF_C] = j + 1 - column;
            before[i * N + j] = c[i * N + j];
        }
}

/* Of two coordinates the inner one changes from the first to the second part, the outer one
 * stays. */
static void check_order(const struct part *list, int inner, int outer, const char *what)
{
    if (list[0].from[inner] == list[1].from[inner] ||
        list[0].from[outer] != list[1].from[outer])
        fail(what);
}

/* ---- The picture ---- */

#define ORANGE "#E69F00"
static const double c_at = 262, a_at = 394, b_at = 528;

/* A matrix of rows x columns around (x, y), with its part from (row, column) on; labels may be
 * NULL. */
struct drawn {
    long rows, columns, row, column, part_rows, part_columns;
    const char *pale, *full, *above, *beside;
};
static void draw(double x, double y, double scale, struct drawn d)
{
    double left = x - d.columns * scale / 2, top = y - d.rows * scale / 2;
    double part_left = left + d.column * scale, part_top = top + d.row * scale;
    svg_box(left, top, d.columns * scale, d.rows * scale, d.pale, "#888888", 0.8);
    svg_box(part_left, part_top, d.part_columns * scale, d.part_rows * scale, d.full, "#888888",
            0.8);
    if (d.above)
        svg_text(part_left + d.part_columns * scale / 2, top - 4, 12, "middle", GREY, "%s",
                 d.above);
    if (d.beside)
        svg_text(left - 4, part_top + d.part_rows * scale / 2 + 4, 12, "end", GREY, "%s",
                 d.beside);
}

static void loop(double y, const char *text)
{
    svg_styled(16, y, 12.5, "start", BLACK, " font-family=\"monospace\" xml:space=\"preserve\"",
               "%s", text);
}

static void stays(double y, const char *fill, const char *where, const char *what,
                  const char *why, const char *more)
{
    if (fill)
        svg_box(612, y - 9, 10, 10, fill, "none", 0);
    svg_bold(fill ? 628 : 612, y, 13, "start", BLACK, "%s", where);
    svg_text(612, y + 21, 12, "start", BLACK, "%s", what);
    svg_text(612, y + 38, 12, "start", GREY, "%s", why);
    svg_text(612, y + 55, 12, "start", GREY, "%s", more);
}

static double least(double x, double y) { return x < y ? x : y; }

int main(void)
{
    if (kernel_real.mr < kernel_portable.mr || kernel_real.nr != kernel_portable.nr)
        fail("the kernel has tiles of another size here");
    struct step_run p = whole_run(M, N, K, a, b, c);
    for (int i = 0; i < M * K; i++)
        a[i] = 1 + i % 7;
    for (int i = 0; i < K * N; i++)
        b[i] = 1 + i % 5;
    real *workspace = malloc(workspace_of_blocks(M, N, K, 1, wish) * sizeof(real));
    if (!workspace)
        return 3;
    multiply_with_blocks(&p.context, p.product, wish, workspace);
    free(workspace);

    if (panel_count < 2 || block_count < 2 || tile_count < 2)
        fail("the run was not cut into parts");
    check_order(panels, STEPS_OF_K, COLUMNS_OF_C, "pc is not the loop inside jc");
    check_order(blocks, ROWS_OF_C, STEPS_OF_K, "ic is not the loop inside pc");
    check_order(tiles, ROWS_OF_C, COLUMNS_OF_C, "i is not the loop inside j");
    /* Show the second part of each, which lies in the middle of the picture. */
    long nc = panels[0].size[COLUMNS_OF_C], kc = panels[0].size[STEPS_OF_K],
         mc = blocks[0].size[ROWS_OF_C];
    long nr = tiles[0].size[COLUMNS_OF_C], mr = tiles[0].size[ROWS_OF_C];
    if (mr != tile_mr || nr != kernel_real.nr)
        fail("a tile is not mr x nr");
    long jc = nc, pc = panels[1].from[STEPS_OF_K], ic = blocks[1].from[ROWS_OF_C],
         i = tiles[1].from[ROWS_OF_C];
    char nc_is[24], kc_is[24], mc_is[24], nr_is[24], mr_is[24];
    sprintf(nc_is, "nc = %ld", nc), sprintf(kc_is, "kc = %ld", kc),
        sprintf(mc_is, "mc = %ld", mc);
    sprintf(nr_is, "nr = %ld", nr), sprintf(mr_is, "mr = %ld", mr);

    svg_begin(800, 612,
              "The loop nest of the packed product: at each loop, which part of A, B and C is "
              "in use and which cache keeps it");
    svg_text(16, 24, 12.5, "start", GREY, "loop");
    svg_bold(c_at, 24, 14, "middle", BLACK, "C");
    svg_bold(a_at, 24, 14, "middle", BLACK, "A");
    svg_bold(b_at, 24, 14, "middle", BLACK, "B");
    svg_text((c_at + a_at) / 2, 24, 13, "middle", GREY, "+=");
    svg_text((a_at + b_at) / 2, 24, 14, "middle", GREY, "×");
    svg_text(612, 24, 12.5, "start", GREY, "what stays where");
    for (int row = 1; row < 5; row++)
        svg_line(16, 36 + row * 106, 784, 36 + row * 106, "#dddddd", 1);

    double y = 94, s = least(84.0 / N, 76.0 / K);
    loop(y - 8, "for jc, steps of nc"), loop(y + 10, "for pc, steps of kc");
    draw(c_at, y, s, (struct drawn){M, N, 0, jc, M, nc, PALE, PALE_GREEN, nc_is, NULL});
    draw(a_at, y, s, (struct drawn){M, K, 0, pc, M, kc, PALE, PALE_BLUE, kc_is, NULL});
    draw(b_at, y, s, (struct drawn){K, N, pc, jc, kc, nc, PALE, ORANGE, nc_is, kc_is});
    stays(y - 34, ORANGE, "L3", "panel of B, kc × nc", "half of L3 or less;",
          "shared by all threads");

    y += 106, s = least(84.0 / nc, 76.0 / M);
    loop(y, "  for ic, steps of mc");
    draw(c_at, y, s, (struct drawn){M, nc, ic, 0, mc, nc, PALE, PALE_GREEN, NULL, mc_is});
    draw(a_at, y, s, (struct drawn){M, kc, ic, 0, mc, kc, PALE, BLUE, NULL, mc_is});
    draw(b_at, y, s, (struct drawn){kc, nc, 0, 0, kc, nc, ORANGE, ORANGE, nc_is, kc_is});
    stays(y - 34, BLUE, "L2", "block of A, mc × kc", "half of L2;", "one for each thread");

    y += 106, s = least(72.0 / nc, 70.0 / kc);
    loop(y, "    for j, steps of nr");
    draw(c_at, y, s, (struct drawn){mc, nc, 0, nr, mc, nr, PALE, PALE_GREEN, nr_is, NULL});
    draw(a_at, y, s, (struct drawn){mc, kc, 0, 0, mc, kc, BLUE, BLUE, kc_is, NULL});
    draw(b_at, y, s, (struct drawn){kc, nc, 0, nr, kc, nr, PALE_ORANGE, ORANGE, nr_is, kc_is});
    stays(y - 34, ORANGE, "L1", "kc rows of nr of B",
          "half of L1; the other half:", "A streams past from L2");

    y += 106, s = 70.0 / kc;
    loop(y, "      for i, steps of mr");
    draw(c_at, y, s, (struct drawn){mc, nr, i, 0, mr, nr, PALE, "#009E73", nr_is, mr_is});
    draw(a_at, y, s, (struct drawn){mc, kc, i, 0, mr, kc, PALE_BLUE, BLUE, kc_is, NULL});
    draw(b_at, y, s, (struct drawn){kc, nr, 0, 0, kc, nr, ORANGE, ORANGE, nr_is, kc_is});
    stays(y - 34, "#009E73", "registers", "tile of C, mr × nr", "2 mr + 3 registers;",
          "written once per kc steps");

    y += 112;
    loop(y, "        for l");
    const double vector = 42, high = 11;
    for (int row = 0; row < mr; row++) {
        for (int v = 0; v < 2; v++)
            svg_box(c_at + (v - 1) * vector, y + (row - mr / 2.0) * high, vector, high,
                    "#009E73", "#ffffff", 0.8);
        svg_box(a_at - high / 2, y + (row - mr / 2.0) * high, high, high, BLUE, "#ffffff", 0.8);
    }
    for (int v = 0; v < 2; v++)
        svg_box(b_at + (v - 1) * vector, y - high / 2, vector, high, ORANGE, "#ffffff", 0.8);
    svg_text(c_at, y - mr * high / 2.0 - 4, 12, "middle", GREY, "2 vectors");
    svg_text(c_at - vector - 4, y + 4, 12, "end", GREY, "%s", mr_is);
    svg_text(b_at, y - high / 2 - 4, 12, "middle", GREY, "%s", nr_is);
    stays(y - 20, NULL, "one step", "mr + 2 loads,", "2 mr fused multiply-adds", "of vectors");
    svg_text(16, 586, 12, "start", GREY,
             "Full colour: kept in a cache or in registers while the loops below run. Pale: "
             "walked through.");
    svg_text(16, 603, 12, "start", GREY, "Shown: a %d × %d × %d product, cut small.", M, K, N);
    svg_end();
    return 0;
}
