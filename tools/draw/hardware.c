/* SPDX-License-Identifier: MIT */
/* draw-hardware 4|5: draws NVIDIA's hardware model, N multiprocessors of M processors, as SVG:
 * of three GPUs side by side (Figure 4 of Li et al. (2011)), or the C1060 with all of its
 * processors (Figure 5). Numbers come from the documents' table. */
#include <stdio.h>
#include <string.h>

#include "svg.h"
#include "common/documents/numbers.h"

enum { USAGE = 2 };

static int of(const char *gpu, const char *what)
{
    return (int)paper_value("hardware", what, gpu);
}

/* A multiprocessor's memories: a box each below its processors. */
static void memories(double x, double y, double width, const char *gpu)
{
    svg_box(x, y, width, 20, PALE_ORANGE, "#444444", 1);
    svg_text(x + width / 2, y + 14, 11, "middle", BLACK, "%d registers",
             of(gpu, "registers a multiprocessor"));
    svg_box(x, y + 24, width, 20, PALE_GREEN, "#444444", 1);
    svg_text(x + width / 2, y + 38, 11, "middle", BLACK, "%d KB shared memory",
             of(gpu, "shared memory KB"));
}

static void device_memory(double x, double y, double width, const char *gpu)
{
    svg_box(x, y, width, 26, PALE_BLUE, "#444444", 1);
    svg_text(x + width / 2, y + 18, 12, "middle", BLACK,
             "%d GB device memory, read and written by all", of(gpu, "device memory GB"));
}

/* The model: of N multiprocessors the first in full, of its M processors the first, the second
 * and the last. */
static void model(double x, const char *gpu)
{
    int n = of(gpu, "multiprocessors"), m = of(gpu, "processors a multiprocessor");
    svg_bold(x + 150, 24, 14, "middle", BLACK, "%s: N = %d, M = %d", gpu, n, m);
    for (int i = 2; i >= 0; i--) /* the ones behind */
        svg_box(x + 10 + 10 * i, 44 + 8 * i, 250, 130, i ? PALE : "#ffffff", "#444444", 1);
    svg_text(x + 20, 62, 12, "start", BLACK, "multiprocessor 1 of %d", n);
    for (int i = 0; i < 3; i++) {
        svg_box(x + 20 + 60 * i + (i == 2) * 50, 72, 50, 42, "#ffffff", BLUE, 1);
        svg_text(x + 45 + 60 * i + (i == 2) * 50, 89, 10, "middle", BLACK, "processor");
        svg_text(x + 45 + 60 * i + (i == 2) * 50, 104, 11, "middle", BLACK, "%d",
                 i == 2 ? m : i + 1);
    }
    svg_text(x + 162, 97, 16, "middle", GREY, "…");
    memories(x + 20, 122, 230, gpu);
    device_memory(x + 10, 206, 270, gpu);
}

static void draw_model(void)
{
    static const char *const gpus[] = {"C1060", "C2050", "H100"};
    svg_begin(930, 250, "NVIDIA's hardware model, with the numbers of three GPUs");
    for (int i = 0; i < 3; i++)
        model(310 * i, gpus[i]);
    svg_end();
}

static void draw_c1060(void)
{
    const char *gpu = "C1060";
    int n = of(gpu, "multiprocessors"), m = of(gpu, "processors a multiprocessor");
    int columns = 10, rows = (n + columns - 1) / columns;
    svg_begin(920, 120 + 82 * rows, "The Tesla C1060: multiprocessors and their processors");
    svg_bold(20, 24, 14, "start", BLACK, "Tesla C1060: %d multiprocessors of %d processors", n,
             m);
    for (int i = 0; i < n; i++) {
        double x = 20 + 88 * (i % columns), y = 40 + 82 * (i / columns);
        svg_box(x, y, 80, 74, PALE, "#444444", 1);
        for (int j = 0; j < m; j++)
            svg_box(x + 6 + 17.5 * (j % 4), y + 6 + 17 * (j / 4), 15, 14, "#ffffff", BLUE, 1);
        svg_box(x + 6, y + 42, 68, 11, PALE_ORANGE, "#444444", 0.7);
        svg_box(x + 6, y + 57, 68, 11, PALE_GREEN, "#444444", 0.7);
    }
    double y = 44 + 82 * rows;
    device_memory(20, y, 872, gpu);
    svg_text(20, y + 48, 12, "start", BLACK,
             "White: a processor. Orange: %d registers. Green: %d KB of shared memory. A "
             "half-warp of 16 threads runs on one multiprocessor.",
             of(gpu, "registers a multiprocessor"), of(gpu, "shared memory KB"));
    svg_end();
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "4") == 0)
        draw_model();
    else if (argc == 2 && strcmp(argv[1], "5") == 0)
        draw_c1060();
    else
        return fputs("usage: draw-hardware 4|5\n", stderr), USAGE;
    return 0;
}
