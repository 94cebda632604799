/* SPDX-License-Identifier: MIT */
/* draw-19-tile: draws a thread block's tile of C, its warps, and what one thread reads and
 * stores, as SVG, from the accesses of step 19's hand-written leaf that the simulated GPU
 * records.
 */
#include <string.h>

#include "capture.h"
#include "svg.h"

enum { SIDE = 128, DEPTH = 16, THREADS = 128, WARP = 2, LANE = 9 };
enum { K = 4 * DEPTH, TILE = SIDE * DEPTH };

static int warp_of[SIDE][SIDE]; /* 1 + the warp that stores an element of C */
static int own[SIDE][SIDE], own_a[SIDE],
    own_b[SIDE];                          /* of one column of A's tile and one row of B's */
static int reads_a, reads_b, width, sums; /* elements read, and how many of them at a time */

static void watch_half_warp(int half_warp)
{
    struct log log = capture_half_warp(0, half_warp);
    const int shown = WARP * 32 + LANE;
    for (const struct log_request *r = log.requests; r < log.requests + log.request_count; r++)
        for (int i = 0; i < r->lanes && strstr(r->kernel, "leaf"); i++) {
            int thread = half_warp * HALF_WARP + r->of[i].lane % HALF_WARP;
            long at = r->of[i].offset / 4;
            if (!strcmp(r->space, "global") && !strcmp(r->op, "store"))
                for (long e = at; e < at + r->size / 4; e++) {
                    warp_of[e / SIDE][e % SIDE] = 1 + thread / 32;
                    own[e / SIDE][e % SIDE] |= thread == shown;
                    sums += thread == shown;
                }
            /* the first column of A's tile and row of B's, in the first stage; column l begins
             * at l * SIDE */
            if (!strcmp(r->space, "shared") && !strcmp(r->op, "load") && thread == shown)
                for (long e = at; e < at + r->size / 4; e++) {
                    if (e < SIDE)
                        reads_a += !own_a[e], own_a[e] = 1;
                    else if (e >= TILE && e < TILE + SIDE)
                        reads_b += !own_b[e - TILE], own_b[e - TILE] = 1;
                    width = r->size / 4;
                }
        }
    log_free(&log);
}

/* The squares of a thread: runs of rows that begin where the row above is not its own. */
static void squares(int *down, int *across, int *high, int *wide)
{
    *down = *across = *high = *wide = 0;
    int first = -1, column = -1;
    for (int i = 0; i < SIDE && first < 0; i++)
        for (int j = 0; j < SIDE && first < 0; j++)
            if (own[i][j])
                first = i, column = j;
    if (first < 0)
        log_fail("the thread stores nothing");
    for (int i = 0; i < SIDE; i++)
        *down += own[i][column] && (i == 0 || !own[i - 1][column]), *high += own[i][column];
    for (int j = 0; j < SIDE; j++)
        *across += own[first][j] && (j == 0 || !own[first][j - 1]), *wide += own[first][j];
    *high /= *down, *wide /= *across;
}

int main(void)
{
    const double s = 2.4, x = 230, y = 70;
    char text[160];
    int down, across, high, wide;
    capture_open("own", SIDE, SIDE, K);
    for (int half_warp = 0; half_warp < THREADS / HALF_WARP; half_warp++)
        watch_half_warp(half_warp);
    capture_close();
    squares(&down, &across, &high, &wide);
    if (!reads_a || !reads_b || width != 4)
        log_fail("the thread does not read fours from the tiles");

    svg_begin(760, 400,
              "A block's tile of C, its warps, and what one thread reads and computes");
    svg_bold(x, 18, 15, "start", BLACK, "A block's %d × %d of C: %d warps", SIDE, SIDE,
             THREADS / 32);
    for (int w = 0; w < THREADS / 32; w++) {
        int top = SIDE, left = SIDE, below = 0, right = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                if (warp_of[i][j] == w + 1) {
                    top = i < top ? i : top, below = i + 1;
                    left = j < left ? j : left, right = j + 1 > right ? j + 1 : right;
                }
        for (int i = top; i < below; i++)
            for (int j = left; j < right; j++)
                if (warp_of[i][j] != w + 1)
                    log_fail("a warp's part of C is no rectangle");
        svg_box(x + left * s, y + top * s, (right - left) * s, (below - top) * s,
                (w / 2 + w % 2) % 2 ? PALE_BLUE : "#eef3fa", BLUE, 1);
        svg_text(x + right * s - 6, y + top * s + 16, 13, "end", BLUE, "warp %d: %d × %d", w,
                 below - top, right - left);
    }
    svg_box(x - (DEPTH + 6) * s, y, DEPTH * s, SIDE * s, PALE_ORANGE, "#b07d2b", 1);
    sprintf(text, "%d × %d", SIDE, DEPTH);
    svg_text(x - (DEPTH / 2.0 + 6) * s, y - 24, 13, "middle", "#8a3c00", "tile of A");
    svg_text(x - (DEPTH / 2.0 + 6) * s, y - 8, 13, "middle", "#8a3c00", "%s", text);
    svg_box(x, y - (DEPTH + 1) * s, SIDE * s, DEPTH * s, PALE_GREEN, "#3d8b40", 1);
    svg_text(x + SIDE * s + 8, y - DEPTH / 2.0 * s, 13, "start", "#2a6b2c",
             "tile of B, %d × %d", DEPTH, SIDE);
    for (int i = 0; i < SIDE; i++) { /* one of the columns of A and rows of B that it reads */
        if (own_a[i])
            svg_box(x - 6 * s - DEPTH * s, y + i * s, s, s, RED, "none", 0);
        if (own_b[i])
            svg_box(x + i * s, y - (DEPTH + 1) * s, s, s, RED, "none", 0);
    }
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            if (own[i][j] && (i == 0 || !own[i - 1][j]) && (j == 0 || !own[i][j - 1]))
                svg_box(x + j * s, y + i * s, wide * s, high * s, RED, "none", 0);
    const double beside = x + SIDE * s + 16;
    svg_bold(beside, 250, 13, "start", "#b24700", "Red: thread %d of warp %d", LANE, WARP);
    svg_text(beside, 268, 13, "start", "#b24700", "%d × %d squares of %d × %d,", down, across,
             high, wide);
    svg_text(beside, 286, 13, "start", "#b24700", "%d sums in registers", sums);
    svg_text(16, 200, 13, "start", BLACK, "For each of the %d", DEPTH);
    svg_text(16, 218, 13, "start", BLACK, "columns of the tile:");
    svg_text(16, 236, 13, "start", BLACK, "%d reads of four a,", reads_a / width);
    svg_text(16, 254, 13, "start", BLACK, "%d reads of four b,", reads_b / width);
    svg_text(16, 272, 13, "start", BLACK, "%d multiply-adds.", sums);
    svg_end();
    return 0;
}
