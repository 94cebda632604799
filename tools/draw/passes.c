/* SPDX-License-Identifier: MIT */
/* draw-07: draws the passes of NV Multi, as SVG, from what one half-warp fetches and stores in
 * each:
 *
 *     07-gpu-streams.sim --variant multi --n 16 --calls --addresses all | draw-07
 *
 * In the workspace lie the textures of A, B, c[0] and c[1] one behind the other, all of the
 * same size here. */
#include <string.h>

#include "log.h"
#include "svg.h"

enum { N = 16, TEXEL = 16, HIGH = 4, TEXTURE = N * HIGH * TEXEL, MOST = 8 };
enum { A, B, C0, C1, TEXTURES };

/* Of each pass: what columns of A (rows of B) it reads, and which c it reads back and which it
 * stores. */
struct pass {
    int launch, first_a, count_a, first_b, count_b, back, stored;
};
static struct pass passes[MOST];
static int pass_count;

static int texture_of(long offset)
{
    if (offset >= TEXTURES * TEXTURE)
        log_fail("an access beyond the textures");
    return (int)(offset / TEXTURE);
}

static void widen(int at, int *first, int *count)
{
    if (*count == 0)
        *first = at;
    *count = at + 1 - *first > *count ? at + 1 - *first : *count;
}

static void look(const struct log *log, struct pass *p)
{
    p->back = p->stored = -1;
    for (int i = 0; i < log->request_count; i++) {
        const struct log_request *r = &log->requests[i];
        if (r->launch != p->launch)
            continue;
        for (int l = 0; l < r->lanes; l++) {
            int texture = texture_of(r->of[l].offset),
                texel = (int)(r->of[l].offset % TEXTURE / TEXEL);
            if (!strcmp(r->op, "store"))
                p->stored = texture - C0;
            else if (texture == A)
                widen(texel % N, &p->first_a, &p->count_a);
            else if (texture == B) /* a texel is four rows high */
                widen(texel / N * 4, &p->first_b, &p->count_b),
                    widen(texel / N * 4 + 3, &p->first_b, &p->count_b);
            else
                p->back = texture - C0;
        }
    }
    if (p->back < 0 || p->stored < 0 || p->back == p->stored || !p->count_a || !p->count_b)
        log_fail("a pass does not read one c and store the other");
}

static void arrow(double x, double from, double to)
{
    double tip = to > from ? -8 : 8;
    svg_line(x, from, x, to + tip / 2, GREY, 1.3);
    printf("<path d=\"M%g %gl-4 %gh8z\" fill=\"%s\"/>\n", x, to, tip, GREY);
}

static void draw_pass(const struct pass *p, int number)
{
    const double side = 76, cell = side / N, middle = 114 + number * 208.0;
    svg_bold(middle, 56, 14, "middle", BLACK, "pass %d", number);
    svg_text(middle - 46, 76, 12, "middle", BLACK, "A");
    svg_box(middle - 84, 82, side, side, PALE, "#9a9a9a", 1);
    svg_box(middle - 84 + p->first_a * cell, 82, p->count_a * cell, side, PALE_BLUE, "#444444",
            1.4);
    svg_text(middle + 48, 76, 12, "middle", BLACK, "B");
    svg_box(middle + 10, 82, side, side, PALE, "#9a9a9a", 1);
    svg_box(middle + 10, 82 + p->first_b * cell, side, p->count_b * cell, PALE_ORANGE,
            "#444444", 1.4);
    svg_text(middle + 1, 126, 14, "middle", BLACK, "×");
    svg_text(middle, 180, 12, "middle", GREY, "c[%d] = c[%d] + %d columns × %d rows", p->stored,
             p->back, p->count_a, p->count_b);
    for (int c = 0; c < 2; c++) {
        double y = c ? 312 : 210;
        int stored = c == p->stored;
        svg_box(middle - 38, y, side, 62, stored ? PALE_GREEN : "#fdf3dc",
                stored ? "#444444" : "#9a9a9a", stored ? 1.6 : 0.9);
        svg_styled(middle, y + 28, 13, "middle", BLACK, stored ? SVG_BOLD : "", "c[%d]", c);
        svg_text(middle, y + 46, 12, "middle", GREY, "%s", stored ? "written" : "read back");
    }
    if (p->stored)
        arrow(middle, 274, 308);
    else
        arrow(middle, 310, 276);
}

int main(void)
{
    struct log log = log_read(stdin);
    for (int i = 0; i < log.call_count; i++)
        if (!strncmp(log.calls[i].kernel, "kernel", 6) ||
            strstr(log.calls[i].kernel, "multi")) {
            if (pass_count == MOST)
                log_fail("too many passes");
            passes[pass_count].launch = log.calls[i].launch;
            look(&log, &passes[pass_count++]);
        }
    if (pass_count == 0)
        log_fail("no pass of NV Multi");
    svg_begin(28 + pass_count * 208, 406,
              "The passes of NV Multi: each reads back what the pass before has written");
    svg_bold(16, 26, 15, "start", BLACK,
             "NV Multi, k = %d, --unroll 1: %d passes, each a launch", N, pass_count);
    for (int i = 0; i < pass_count; i++)
        draw_pass(&passes[i], i);
    svg_text(30, 396, 12.5, "start", GREY,
             "c[0] starts as zeros. A pass cannot write the texture it reads, so the two "
             "change places; the last one written is C.");
    svg_end();
    log_free(&log);
    return 0;
}
