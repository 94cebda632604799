/* draw-NN-tiles: draws where one thread block of a step's kernel walks in A, B and C, as SVG, from the
 * accesses to device memory that the simulated GPU records. Red is what one thread loads and stores
 * itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/backend.h"
#include "common/json_read.h"
#include "common/step.h"
#include "simgpu.h"
#include "svg.h"

#ifndef TILES_VARIANT
#error "say what to draw: -DTILES_VARIANT=..., _M, _N, _K, _BLOCK, _THREADS, _THREAD, _SCALE"
#endif
extern const struct step step_f32_traced;

enum { M = TILES_M, N = TILES_N, K = TILES_K, MOST_STEPS = 8 };
static const int rows_of[3] = {M, K, M}, columns_of[3] = {K, N, N};
static void *device[3];

/* For each element of A, B and C: 0 not touched; 1 + the step along k in which it was; of C just 1. */
static unsigned char touched[3][256 * 256], own[3][256 * 256];
static int depth; /* steps of k that one tile holds */

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", step_f32_traced.name, what);
    exit(1);
}

static void run(void)
{
    struct problem p = {.m = M, .n = N, .k = K, .a = device[0], .lda = K, .b = device[1], .ldb = N,
                        .c = device[2], .ldc = N, .threads = 1, .leaf = step_f32_traced.leaves};
    for (const struct variant *v = step_f32_traced.variants; v->name; v++)
        if (!strcmp(v->name, TILES_VARIANT)) {
            v->multiply(&p, NULL);
            return;
        }
    fail("there is no such variant");
}

/* One request: "lanes":[[lane,array,offset]...], of `size` bytes each; arrays count from 1. */
static void take_request(const char *line, int half_warp)
{
    char space[16];
    const char *lane = json_find(line, "lanes");
    int size = (int)json_get_number(line, "size"), occurrence = (int)json_get_number(line, "occurrence");
    if (!json_get_text(line, "space", space, sizeof space) || strcmp(space, "global") || !lane)
        return;
    int number, array, offset;
    for (lane++; sscanf(lane, "[%d,%d,%d]", &number, &array, &offset) == 3; lane = strchr(lane, ']') + 1, lane += *lane == ',')
        for (int byte = offset; byte < offset + size; byte += 4) {
            int a = array - 1, row = byte / 4 / columns_of[a], column = byte / 4 % columns_of[a];
            int thread = half_warp * 16 + number % 16, index = row * columns_of[a] + column;
            if (a == 0 && occurrence == 0 && column + 1 > depth)
                depth = column + 1;
            touched[a][index] = (unsigned char)(a == 2 ? 1 : 1 + (a == 0 ? occurrence : row / depth));
            own[a][index] |= thread == TILES_THREAD;
        }
}

static void watch_half_warp(int half_warp)
{
    static char line[1 << 16];
    FILE *file = tmpfile();
    if (!file)
        fail("no temporary file can be made");
    simgpu_count_reset();
    simgpu_capture(TILES_BLOCK, (unsigned)half_warp);
    simgpu_count_start();
    run();
    simgpu_count_stop();
    simgpu_capture_write(file, NULL, 0, 0);
    simgpu_capture_stop();
    rewind(file);
    while (fgets(line, sizeof line, file))
        take_request(line, half_warp);
    fclose(file);
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
    char text[80];
    int row, column, rows, columns;
    svg_box(x, y, columns_of[array] * s, rows_of[array] * s, PALE, "#888888", 1);
    for (int step = 0; step < MOST_STEPS && frame(array, step, &row, &column, &rows, &columns); step++) {
        svg_box(x + column * s, y + row * s, columns * s, rows * s, array == 2 ? PALE_GREEN : shades[step],
                "#444444", 1);
        if (array < 2) {
            sprintf(text, "%d", step + 1);
            svg_text(x + (column + columns / 2.0) * s, y + (row + rows / 2.0) * s + 6, 16, "middle",
                     step % 4 < 1 ? "#ffffff" : "#222222", SVG_BOLD, text);
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
    sprintf(text, "%c: %d × %d", 'A' + array, rows_of[array], columns_of[array]);
    svg_text(x, y - 7, 13, "start", "#222222", SVG_BOLD, text);
}

int main(void)
{
    const double s = TILES_SCALE, left = 16, middle = left + K * s + 26;
    const double top = 30, below = top + K * s + 38;
    int row, column, rows, columns;
    char text[200];
    for (int i = 0; i < 3; i++) {
        device[i] = backend.allocate((size_t)rows_of[i] * columns_of[i] * 4);
        if (!device[i])
            fail("no memory");
        backend.fill(device[i], 0, (size_t)rows_of[i] * columns_of[i] * 4);
    }
    for (int half_warp = 0; half_warp < TILES_THREADS / 16; half_warp++)
        watch_half_warp(half_warp);
    for (int i = 0; i < 3; i++)
        backend.release(device[i]);
    if (!frame(2, 0, &row, &column, &rows, &columns))
        fail("the block stored nothing in C");
    double width = middle + N * s + 16, foot = below + M * s + 26;
    svg_begin((int)width, (int)foot + 44, "Where one thread block walks in A, B and C");
    draw_matrix(0, left, below), draw_matrix(1, middle, top), draw_matrix(2, middle, below);
    sprintf(text, "Block %d of %d threads: its %d × %d tile of C (green) needs %d rows of A and %d columns of B.",
            TILES_BLOCK, TILES_THREADS, rows, columns, rows, columns);
    svg_text(left, foot, 12, "start", GREY, "", text);
    sprintf(text, "In step 1, 2, … it loads the tiles with this number, %d of k at a time.", depth);
    svg_text(left, foot + 17, 12, "start", GREY, "", text);
    sprintf(text, "Red: what thread %d loads itself, and what it stores in C.", TILES_THREAD);
    svg_text(left, foot + 34, 12, "start", "#a01515", "", text);
    svg_end();
    return 0;
}
