/* SPDX-License-Identifier: MIT */
/* draw-11-buffers: draws what step 11 takes at each level for Musella's program (his Figure
 * 2.4), as SVG, from the workspace that the step asks for with one level, two and three. */
#include <math.h>
#include <stdio.h>

#include "step_run.h"
#include "svg.h"

extern const struct step STEP;
enum { N = 256, LEVELS = 3, BUFFERS = 9, SIDE = 88, TOP = 56 };

/* The side of each buffer of a level; all have the same, and together they take `elements`. */
static int side_of(double elements) { return (int)lround(sqrt(elements / BUFFERS)); }

int main(void)
{
    static const char *const names[BUFFERS] = {"sum of A", "sum of B", "M1", "M2", "M3",
                                               "M4",       "M5",       "M6", "M7"};
    struct step_run run = whole_run(N, N, N, NULL, NULL, NULL);
    double above = 0, y = TOP;
    svg_begin(100 + BUFFERS * (SIDE + 4), 300, "The buffers of each level in step 11");
    svg_bold(12, 24, 14, "start", BLACK,
             "One workspace, a set of nine buffers for each level; its seven products use the "
             "set below one after another");
    for (int i = 0; i < BUFFERS; i++)
        svg_text(94 + i * (SIDE + 4) + SIDE / 2, TOP - 8, 12, "middle", BLACK, "%s", names[i]);
    for (run.levels = 1; run.levels <= LEVELS; run.levels++) {
        double elements = (double)run_workspace(STEP.variants, &run);
        int side = side_of(elements - above);
        if (BUFFERS * side * side != (int)(elements - above) || side != N >> run.levels)
            return fprintf(stderr, "draw-11-buffers: level %d takes %g elements\n", run.levels,
                           elements - above),
                   1;
        double shown = SIDE * 2.0 * side / N;
        svg_text(12, y + shown / 2 + 4, 12, "start", BLACK, "n/%d × n/%d", N / side, N / side);
        for (int i = 0; i < BUFFERS; i++)
            svg_box(94 + i * (SIDE + 4) + (SIDE - shown) / 2, y, shown, shown,
                    i < 2 ? PALE_ORANGE : PALE_BLUE, "#444444", 1);
        y += shown + 14;
        above = elements;
    }
    svg_text(12, y + 16, 12, "start", GREY,
             "%d levels take %g n² elements, all levels together less than 3 n².", LEVELS,
             above / N / N);
    svg_end();
    return 0;
}
