/* SPDX-License-Identifier: MIT */
/* draw-06-grid: draws a grid of thread blocks over C, and one block with a warp and a thread in
 * it, as SVG, from the launch of step 06's `coalesced` and from where in C each of its threads
 * stores.
 */
#include <string.h>

#include "capture.h"
#include "svg.h"

enum { M = 40, N = 56, MOST_BLOCKS = 64, BLOCK_X = 2, BLOCK_Y = 1, THREAD_X = 5, THREAD_Y = 3 };

static int grid[3], block[3]; /* of the launch */

/* Where a block stores: a frame in C. */
struct frame {
    int top, left, below, right;
};
static struct frame frames[MOST_BLOCKS];
static int row_of[32][32],
    column_of[32][32]; /* where thread (y, x) of the block shown stores */
static int count_of[32][32];

static void take(struct frame *f, int shown, int half_warp, const struct log *log)
{
    for (const struct log_request *r = log->requests; r < log->requests + log->request_count;
         r++)
        for (int i = 0; i < r->lanes && !strcmp(r->op, "store"); i++) {
            int at = (int)(r->of[i].offset / 4), row = at / N, column = at % N;
            int thread = half_warp * HALF_WARP + r->of[i].lane % HALF_WARP;
            f->top = row < f->top ? row : f->top,
            f->below = row + 1 > f->below ? row + 1 : f->below;
            f->left = column < f->left ? column : f->left,
            f->right = column + 1 > f->right ? column + 1 : f->right;
            if (shown) {
                int y = thread / block[0], x = thread % block[0];
                row_of[y][x] = row, column_of[y][x] = column, count_of[y][x]++;
            }
        }
}

static void watch_grid(void)
{
    capture_open("coalesced", M, N, 4);
    struct log log = capture_half_warp(0, 0);
    if (log.call_count != 1)
        log_fail("step 06 makes more than one launch");
    memcpy(grid, log.calls[0].grid, sizeof grid),
        memcpy(block, log.calls[0].block, sizeof block);
    log_free(&log);
    if (grid[0] * grid[1] > MOST_BLOCKS || block[0] > 32 || block[1] > 32 ||
        grid[0] <= BLOCK_X || grid[1] <= BLOCK_Y)
        log_fail("the grid has another shape than the picture");
    for (int b = 0; b < grid[0] * grid[1]; b++) {
        frames[b] = (struct frame){M, N, 0, 0};
        for (int half_warp = 0; half_warp < block[0] * block[1] / HALF_WARP; half_warp++) {
            log = capture_half_warp(b, half_warp);
            take(&frames[b], b == BLOCK_Y * grid[0] + BLOCK_X, half_warp, &log);
            log_free(&log);
        }
    }
    capture_close();
    if (count_of[THREAD_Y][THREAD_X] != 1)
        log_fail("a thread does not store one element");
}

#define AMBER    "#c46a00"
#define BROWN    "#8a4b00"
#define DARK_RED "#a01515"

static void draw_grid(double x, double y, double scale)
{
    const double wide = block[0] * scale, high = block[1] * scale;
    svg_box(x, y, grid[0] * wide, grid[1] * high, "#e4e4e4", "none", 0);
    for (int b = 0; b < grid[0] * grid[1]; b++) { /* where threads store */
        const struct frame *f = &frames[b];
        int shown = b == BLOCK_Y * grid[0] + BLOCK_X;
        svg_box(x + f->left * scale, y + f->top * scale, (f->right - f->left) * scale,
                (f->below - f->top) * scale, shown ? "#f9d9a8" : "#dbe9f6", "none", 0);
    }
    for (int b = 0; b < grid[0] * grid[1]; b++) {
        const struct frame *f = &frames[b];
        int bx = b % grid[0], by = b / grid[0], shown = bx == BLOCK_X && by == BLOCK_Y;
        svg_box(x + bx * wide, y + by * high, wide, high, "none", "#777777", 1);
        svg_styled(x + (f->left + f->right) / 2.0 * scale,
                   y + (f->top + f->below) / 2.0 * scale + 5, 13, "middle", BLACK,
                   shown ? SVG_BOLD : "", "%d,%d", bx, by);
    }
    svg_box(x, y, N * scale, M * scale, "none", "#1f5f99", 2);
    svg_box(x + BLOCK_X * wide, y + BLOCK_Y * high, wide, high, "none", AMBER, 2);
}

static void draw_block(double x, double y, double cell)
{
    const double side_x = block[0] * cell, side_y = block[1] * cell;
    const int warp = (THREAD_Y * block[0] + THREAD_X) / 32, warp_rows = 32 / block[0];
    char text[120];
    svg_box(x, y, side_x, side_y, "#fdf3e3", "none", 0);
    svg_box(x, y + warp * warp_rows * cell, side_x, warp_rows * cell, "#f5b95f", "none", 0);
    for (int i = 1; i < block[0]; i++)
        svg_line(x + i * cell, y, x + i * cell, y + side_y, "#d9bf95", 1);
    for (int i = 1; i < block[1]; i++)
        svg_line(x, y + i * cell, x + side_x, y + i * cell, "#d9bf95", 1);
    svg_box(x, y, side_x, side_y, "none", AMBER, 2);
    svg_box(x, y + warp * warp_rows * cell, side_x, warp_rows * cell, "none", BROWN, 1.5);
    svg_box(x + THREAD_X * cell, y + THREAD_Y * cell, cell, cell, DARK_RED, "none", 0);
    svg_box(x + 4, y + (THREAD_Y + 1) * cell + 8, side_x - 8, 94, "#ffffff", "#d9bf95", 1);
    double line = y + (THREAD_Y + 1) * cell + 28;
    svg_text(x + 10, line, 13, "start", BROWN, "Dark: warp %d, threads %d to %d", warp,
             warp * 32, warp * 32 + 31);
    sprintf(text, "Red: threadIdx.x = %d, threadIdx.y = %d", THREAD_X, THREAD_Y);
    svg_text(x + 10, line + 20, 13, "start", DARK_RED, "%s", text);
    int row = row_of[THREAD_Y][THREAD_X], column = column_of[THREAD_Y][THREAD_X];
    if (row != BLOCK_Y * block[1] + THREAD_Y || column != BLOCK_X * block[0] + THREAD_X)
        log_fail("the thread stores elsewhere than the text says");
    svg_text(x + 10, line + 40, 13, "start", DARK_RED, "row %d · %d + %d = %d", BLOCK_Y,
             block[1], THREAD_Y, row);
    svg_text(x + 10, line + 60, 13, "start", DARK_RED, "column %d · %d + %d = %d, so C[%d][%d]",
             BLOCK_X, block[0], THREAD_X, column, row, column);
}

int main(void)
{
    char text[120];
    watch_grid();
    sprintf(text,
            "A grid of %d × %d blocks over C, one block with its %d × %d threads, and one warp "
            "and one thread in it",
            grid[0], grid[1], block[0], block[1]);
    svg_begin(600, 376, text);
    svg_bold(14, 24, 15, "start", BLACK, "Grid: %d × %d blocks", grid[0], grid[1]);
    svg_text(14, 44, 13, "start", BLACK, "over C: %d rows, %d columns", M, N);
    draw_grid(14, 64, 4);
    svg_text(14, 280, 13, "start", BLACK, "In each block: blockIdx.x, blockIdx.y.");
    svg_text(14, 299, 13, "start", BLACK, "Blue frame: C. Grey: threads outside");
    svg_text(14, 318, 13, "start", BLACK, "C, which the guard keeps from writing.");
    svg_bold(312, 24, 15, "start", BLACK, "Block %d,%d: %d × %d threads", BLOCK_X, BLOCK_Y,
             block[0], block[1]);
    svg_text(312, 44, 13, "start", BLACK, "one element of C for each thread");
    svg_line(206, 140, 300, 140, AMBER, 1.5);
    printf("<path d=\"M306 140l-9 -5v10z\" fill=\"%s\"/>\n", AMBER);
    draw_block(312, 64, 16);
    svg_text(282, 344, 13, "start", BLACK, "row = blockIdx.y · blockDim.y + threadIdx.y");
    svg_text(282, 364, 13, "start", BLACK, "column = blockIdx.x · blockDim.x + threadIdx.x");
    svg_end();
    return 0;
}
