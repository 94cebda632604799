/* SPDX-License-Identifier: MIT */
/* draw-01: draws how the innermost loop of each loop order of step 01 walks through A, B and C,
 * as SVG, from the loads and stores that the step really makes: its source is compiled with a
 * call before each of them (-fsanitize=thread), and the functions called are the ones below.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step_run.h"
#include "svg.h"

extern const struct step STEP;
enum { N = 16, STEPS = N * N * N, LINE = 64, ARRAYS = 3 };

static float *array[ARRAYS];
static int path[ARRAYS][STEPS]; /* the element of A, B and C at each step of the loops */
static int length[ARRAYS], loops_began;

static void see(const void *address, int writes)
{
    for (int a = 0; a < ARRAYS; a++) {
        long element = ((intptr_t)address - (intptr_t)array[a]) / (intptr_t)sizeof(float);
        if ((intptr_t)address < (intptr_t)array[a] || element >= N * N)
            continue;
        loops_began |= a == 0; /* before, C is set to zero */
        if (loops_began && writes == (a == 2) && length[a] < STEPS)
            path[a][length[a]++] = (int)element;
    }
}

/* What -fsanitize=thread calls; the thread sanitizer itself is not linked. */
#define SEE(size)                                                                              \
    void __tsan_read##size(void *address);                                                     \
    void __tsan_write##size(void *address);                                                    \
    void __tsan_read##size(void *address) { see(address, 0); }                                 \
    void __tsan_write##size(void *address) { see(address, 1); }
SEE(1)
SEE(2)
SEE(4)
SEE(8)
SEE(16)
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int byte, size_t bytes);
void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    return memcpy(to, from, bytes);
}
void *__tsan_memset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes); }

static void run(const char *name)
{
    struct step_run p = whole_run(N, N, N, array[0], array[1], array[2]);
    memset(length, 0, sizeof length);
    loops_began = 0;
    run_variant(find_variant(STEP.variants, name), &p, NULL);
    for (int a = 0; a < ARRAYS; a++)
        if (length[a] != STEPS) {
            fprintf(stderr, "%s: %s touches %c %d times in %d steps\n", STEP.name, name,
                    "ABC"[a], length[a], STEPS);
            exit(1);
        }
}

/* New cache lines for each step of the innermost loop; none where an operand stays put. */
static double lines(int a, int first)
{
    int distinct = 0;
    char seen[N * N * sizeof(float) / LINE] = {0};
    for (int i = first; i < first + N; i++) {
        char *line = &seen[path[a][i] * (int)sizeof(float) / LINE];
        distinct += !*line;
        *line = 1;
    }
    return path[a][first] == path[a][first + 1] ? 0 : (double)distinct / N;
}

/* The direction in which an operand has moved when the innermost loop begins again. */
static const char *next(int a, int first)
{
    int rows = path[a][first + N] / N - path[a][first] / N,
        columns = path[a][first + N] % N - path[a][first] % N;
    return rows == 1 && !columns   ? "down"
           : columns == 1 && !rows ? "right"
           : !rows && !columns     ? "same"
                                   : "?";
}

int main(void)
{
    static const char *const orders[6] = {"ikj", "ijk", "jki", "kij", "jik", "kji"};
    const double cell = 5, wide = 272, high = 152, side = N * cell;
    for (int a = 0; a < ARRAYS; a++)
        if (!(array[a] = aligned_alloc(LINE, N * N * sizeof(float))))
            return 3;
    for (int a = 0; a < ARRAYS; a++)
        memset(array[a], 0, N * N * sizeof(float));
    svg_begin((int)(3 * (wide + 8) + 12), (int)(2 * (high + 8) + 68),
              "What each of the six loop orders walks along in A, B and C");
    for (int o = 0; o < 6; o++) {
        double x = 10 + o % 3 * (wide + 8), y = 10 + o / 3 * (high + 8), per_step = 0;
        int first = N * N * 5 + N * 7; /* some turn in the middle */
        run(orders[o]);
        svg_box(x, y, wide, high, "none", "#dddddd", 1);
        svg_bold(x + 10, y + 20, 14, "start", BLACK, "%s", orders[o]);
        for (int a = 0; a < ARRAYS; a++) {
            double left = x + 8 + a * (side + 8), top = y + 46;
            char letter[2] = {"ABC"[a], 0};
            per_step += lines(a, first);
            svg_text(left + side / 2, top - 5, 12, "middle", GREY, "%s", letter);
            svg_box(left, top, side, side, PALE, "#aaaaaa", 0.8);
            for (int i = first; i < first + N; i++) {
                int row = path[a][i] / N;
                svg_box(left, top + row * cell, side, cell, PALE_BLUE, "none", 0);
            }
            for (int i = first; i < first + N; i++)
                svg_box(left + path[a][i] % N * cell + 0.5, top + path[a][i] / N * cell + 0.5,
                        cell - 1, cell - 1, a == 2 ? RED : BLUE, "none", 0);
        }
        svg_text(x + wide - 10, y + 20, 12, "end", GREY, "%g/%d new lines a step", per_step * N,
                 N);
        svg_text(x + 10, y + high - 9, 12, "start", GREY, "then: A %s, B %s, C %s",
                 next(0, first), next(1, first), next(2, first));
    }
    double y = 2 * (high + 8) + 20;
    svg_box(12, y, 14, 14, BLUE, "none", 0);
    svg_text(32, y + 12, 12, "start", BLACK, "read");
    svg_box(80, y, 14, 14, RED, "none", 0);
    svg_text(100, y + 12, 12, "start", BLACK, "read and written");
    svg_box(220, y, 28, 14, PALE_BLUE, "none", 0);
    svg_text(254, y + 12, 12, "start", BLACK, "a cache line that the innermost loop needs");
    svg_text(12, y + 36, 12, "start", GREY,
             "16 × 16 floats, row-major: a row is one cache line of 64 bytes. One turn of the "
             "innermost loop, and where the next one begins.");
    svg_end();
    for (int a = 0; a < ARRAYS; a++)
        free(array[a]);
    return 0;
}
