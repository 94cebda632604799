/* SPDX-License-Identifier: MIT */
/* draw-07-texels: draws the texels that one thread of NV Single and one of NV Multi fetches in
 * a step, and the one that it stores, as SVG, from the fetches that the simulated GPU records.
 * How the components are multiplied is written beside them as the chapter's code has it.
 */
#include <string.h>

#include "capture.h"
#include "svg.h"

/* Textures lie in the workspace one behind the other, each from a multiple of 512 bytes on. */
enum { N = 8, TEXEL = 16, ALIGNMENT = 512, A = 0, B = 1, C = 2, MOST = 16 };

struct touched {
    int count, texture[MOST], row[MOST], column[MOST];
    int fetches; /* in this launch */
};

/* Finds what a thread fetches in step `step` (-1: in all steps) and what it stores. */
static struct touched look(const char *variant, int width, int launch, int row, int column,
                           int step)
{
    struct touched t = {0};
    struct step_run *p = capture_open(variant, N, N, N);
    p->context.settings[0] = 1;
    struct log log = capture_half_warp(0, row);
    int number = -1, wanted = -1;
    for (int i = 0; i < log.call_count;
         i++) /* the product's launches, without packing and unpacking */
        if (!strcmp(log.calls[i].call, "launch") && !strstr(log.calls[i].kernel, "pack") &&
            ++number == launch)
            wanted = log.calls[i].launch;
    for (const struct log_request *r = log.requests; r < log.requests + log.request_count; r++)
        for (int i = 0; i < r->lanes && r->launch == wanted; i++) {
            if (r->of[i].lane % HALF_WARP != column)
                continue;
            int fetch = !strcmp(r->op, "fetch"),
                texel = (int)(r->of[i].offset % ALIGNMENT / TEXEL);
            t.fetches += fetch;
            if (fetch && step >= 0 && r->occurrence != step)
                continue;
            if (t.count == MOST)
                log_fail("a thread fetches more than expected");
            t.texture[t.count] = (int)(r->of[i].offset / ALIGNMENT);
            t.row[t.count] = texel / width, t.column[t.count++] = texel % width;
        }
    log_free(&log);
    capture_close();
    if (!t.count)
        log_fail("the thread fetches nothing");
    return t;
}

static void matrix(double x, double y, const char *name, int high, int wide,
                   const struct touched *t, int texture, const char *below)
{
    static const char *const fills[4] = {"#cfe6f5", "#fbe3b0", "#cdebd8", "#f3d3e3"};
    const double cell = 24;
    svg_bold(x + N * cell / 2, y - 10, 14, "middle", BLACK, "%s", name);
    svg_box(x, y, N * cell, N * cell, PALE, "none", 0);
    for (int i = 1; i < N; i++) {
        svg_line(x + i * cell, y, x + i * cell, y + N * cell, i % wide ? "#dddddd" : "#9a9a9a",
                 i % wide ? 0.8 : 1.4);
        svg_line(x, y + i * cell, x + N * cell, y + i * cell, i % high ? "#dddddd" : "#9a9a9a",
                 i % high ? 0.8 : 1.4);
    }
    svg_box(x, y, N * cell, N * cell, "none", "#9a9a9a", 1.4);
    for (int i = 0; i < t->count; i++) {
        if (t->texture[i] != texture)
            continue;
        double left = x + t->column[i] * wide * cell, top = y + t->row[i] * high * cell;
        for (int component = 0; component < 4; component++) {
            char letter[2] = {"xyzw"[component], 0};
            double at_x = left + component % wide * cell, at_y = top + component / wide * cell;
            svg_box(at_x, at_y, cell, cell, fills[component], "none", 0);
            svg_text(at_x + cell / 2, at_y + 16.5, 12, "middle", BLACK, "%s", letter);
        }
        svg_box(left, top, wide * cell, high * cell, "none", "#444444", 1.8);
    }
    svg_text(x + N * cell / 2, y + N * cell + 19, 12, "middle", GREY, "%s", below);
}

static void code(double y, const char *text)
{
    svg_styled(756, y, 12.5, "start", BLACK, " font-family=\"monospace\"", "%s", text);
}
static void note(double y, const char *text)
{
    svg_text(756, y, 12.5, "start", GREY, "%s", text);
}

static int of_texture(const struct touched *t, int texture)
{
    int count = 0;
    for (int i = 0; i < t->count; i++)
        count += t->texture[i] == texture;
    return count;
}

int main(void)
{
    char text[160];
    const int steps = N / 2;
    struct touched single = look("single", N / 2, 0, 1, 2, 2),
                   multi = look("multi", N, 1, 0, 5, -1);
    int stored = -1; /* the second pass stores in the one of the two textures of C that it does
                        not read */
    for (int i = 0; i < multi.count; i++)
        if (multi.texture[i] >= C && (i == multi.count - 1 || stored < 0))
            stored = multi.texture[i];
    int own = single.fetches / steps, in_step = of_texture(&multi, A) + of_texture(&multi, B);
    if (own != of_texture(&single, A) + of_texture(&single, B) || in_step + 1 != multi.fetches)
        log_fail("the fetches of a step are not those of the factors");
    svg_begin(890, 585, "The texels of NV Single and of NV Multi, and what one thread fetches");
    svg_bold(16, 26, 15, "start", BLACK,
             "NV Single: a texel is a block of 2 × 2. One step k: %d fetches, 2 mads", own);
    matrix(60, 70, "A", 2, 2, &single, A, "texel (i, k), row i of them in all");
    matrix(300, 70, "B", 2, 2, &single, B, "texel (k, j), column j in all");
    matrix(548, 70, "C", 2, 2, &single, C, "texel (i, j): one thread");
    code(90, "C.xyzw +="), code(110, "A.xxzz*B.xyxy"), code(128, "+A.yyww*B.zwzw");
    sprintf(text, "%d floats for", 4 * own);
    note(161, text), note(178, "8 multiply-adds:"), note(195, "each used twice");
    svg_bold(16, 316, 15, "start", BLACK,
             "NV Multi: a texel is 4 elements of a column. One step of 4 k: %d fetches, 4 "
             "mads; %d fetch more a pass",
             in_step, multi.fetches - in_step);
    matrix(60, 352, "A", 4, 1, &multi, A, "texels (i, k) to (i, k + 3)");
    matrix(300, 352, "B", 4, 1, &multi, B, "texel (k / 4, j)");
    matrix(548, 352, "C", 4, 1, &multi, stored, "texel (i, j): one thread");
    code(372, "C.xyzw ="), code(390, "accum"), code(406, "+A0 * B.xxxx"),
        code(422, "+A1 * B.yyyy"), code(438, "+A2 * B.zzzz");
    code(454, "+A3 * B.wwww");
    note(484, "B used 4 times,"), note(501, "A once, and the"), note(518, "partial sum once");
    for (int i = 0; i < 2; i++) {
        svg_text(274, 168 + i * 282, 18, "middle", BLACK, "×");
        svg_text(518, 168 + i * 282, 18, "middle", BLACK, "+=");
    }
    svg_end();
    return 0;
}
