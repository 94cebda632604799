/* SPDX-License-Identifier: MIT */
/* draw-NN-tiles: draws where one thread block of a step's kernel walks in A, B and C, as SVG,
 * from the accesses to device memory that the simulated GPU records. Red is what one thread
 * loads and stores itself.
 */
#include <string.h>

#include "capture.h"
#include "svg.h"

#ifndef TILES_VARIANT
#error "say what to draw: -DTILES_VARIANT=..., _M, _N, _K, _BLOCK, _THREADS, _THREAD, _SCALE"
#endif
enum { M = TILES_M, N = TILES_N, K = TILES_K, MOST_STEPS = 8 };
static const int rows_of[3] = {M, K, M}, columns_of[3] = {K, N, N};

/* For each element of A, B and C: 0 not touched; 1 + the step along k in which it was; of C
 * just 1. */
static unsigned char touched[3][256 * 256], own[3][256 * 256];
static int depth; /* steps of k that one tile holds */

static void watch_half_warp(int half_warp)
{
    struct log log = capture_half_warp(TILES_BLOCK, half_warp);
    for (const struct log_request *r = log.requests; r < log.requests + log.request_count; r++)
        for (int i = 0; i < r->lanes && !strcmp(r->space, "global"); i++)
            for (long byte = r->of[i].offset; byte < r->of[i].offset + r->size; byte += 4) {
                int a = r->of[i].allocation - 1, row = (int)(byte / 4 / columns_of[a]),
                    column = (int)(byte / 4 % columns_of[a]);
                int thread = half_warp * HALF_WARP + r->of[i].lane % HALF_WARP,
                    index = row * columns_of[a] + column;
                if (a == 0 && r->occurrence == 0 && column + 1 > depth)
                    depth = column + 1;
                touched[a][index] =
                    (unsigned char)(a == 2 ? 1 : 1 + (a == 0 ? r->occurrence : row / depth));
                own[a][index] |= thread == TILES_THREAD;
            }
    log_free(&log);
}

/* ---- The picture ---- */

static const char *const shades[MOST_STEPS] = {"#0072B2", "#56B4E9", "#9fd0ee", "#cfe6f5",
                                               "#0072B2", "#56B4E9", "#9fd0ee", "#cfe6f5"};

/* The frame of all elements of an array touched in a step; 0 if there are none. */
static int frame(int array, int step, int *row, int *column, int *rows, int *columns)
{
    int low_r = 1 << 30, high_r = -1, low_c = 1 << 30, high_c = -1;
    for (int i = 0; i < rows_of[array]; i++)
        for (int j = 0; j < columns_of[array]; j++)
            if (touched[array][i * columns_of[array] + j] == step + 1) {
                low_r = i < low_r ? i : low_r, high_r = i > high_r ? i : high_r;
                low_c = j < low_c ? j : low_c, high_c = j > high_c ? j : high_c;
            }
    *row = low_r, *column = low_c, *rows = high_r - low_r + 1, *columns = high_c - low_c + 1;
    return high_r >= 0;
}

static void draw_matrix(int array, double x, double y)
{
    const double s = TILES_SCALE;
    int row, column, rows, columns;
    svg_box(x, y, columns_of[array] * s, rows_of[array] * s, PALE, "#888888", 1);
    for (int step = 0; step < MOST_STEPS && frame(array, step, &row, &column, &rows, &columns);
         step++) {
        svg_box(x + column * s, y + row * s, columns * s, rows * s,
                array == 2 ? PALE_GREEN : shades[step], "#444444", 1);
        if (array < 2) {
            svg_bold(x + (column + columns / 2.0) * s, y + (row + rows / 2.0) * s + 6, 16,
                     "middle", step % 4 < 1 ? "#ffffff" : BLACK, "%d", step + 1);
        }
    }
    for (int i = 0; i < rows_of[array]; i++) { /* runs of neighbours as one box */
        for (int j = 0; j < columns_of[array]; j++) {
            int begin = j;
            while (j < columns_of[array] && own[array][i * columns_of[array] + j])
                j++;
            if (j > begin)
                svg_box(x + begin * s, y + i * s, (j - begin) * s, s, "#a01515", "none", 0);
        }
    }
    svg_bold(x, y - 7, 13, "start", BLACK, "%c: %d × %d", 'A' + array, rows_of[array],
             columns_of[array]);
}

int main(void)
{
    const double s = TILES_SCALE, left = 16, middle = left + K * s + 26;
    const double top = 30, below = top + K * s + 38;
    int row, column, rows, columns;
    capture_open(TILES_VARIANT, M, N, K);
    for (int half_warp = 0; half_warp < TILES_THREADS / HALF_WARP; half_warp++)
        watch_half_warp(half_warp);
    capture_close();
    if (!frame(2, 0, &row, &column, &rows, &columns))
        log_fail("the block stored nothing in C");
    double width = middle + N * s + 16, foot = below + M * s + 26;
    svg_begin((int)width, (int)foot + 44, "Where one thread block walks in A, B and C");
    draw_matrix(0, left, below), draw_matrix(1, middle, top), draw_matrix(2, middle, below);
    svg_text(left, foot, 12, "start", GREY,
             "Block %d of %d threads: its %d × %d tile of C (green) needs %d rows of A and %d "
             "columns of B.",
             TILES_BLOCK, TILES_THREADS, rows, columns, rows, columns);
    svg_text(left, foot + 17, 12, "start", GREY,
             "In step 1, 2, … it loads the tiles with this number, %d of k at a time.", depth);
    svg_text(left, foot + 34, 12, "start", "#a01515",
             "Red: what thread %d loads itself, and what it stores in C.", TILES_THREAD);
    svg_end();
    return 0;
}
