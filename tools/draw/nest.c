/* SPDX-License-Identifier: MIT */
/* draw-05-nest: draws the loop nest of the packed product three times, as SVG, with the places
 * where the sums of one level happen. The part about `packed-both` comes from a run: step 05's
 * packing.c and step 02's packed.c are linked with a kernel that packs and multiplies nothing,
 * and counts the calls.
 */
#include <stdlib.h>
#include <string.h>

#include "steps/02-cpu-blocked/kernel.h"
#include "steps/05-cpu-winograd/packing.h"
#include "step_run.h"
#include "svg.h"

enum { N = 64, HALF = N / 2, PRODUCTS = 7 };

/* Of each product: the quadrants that were read and written, as "A11 + A22". */
static char packed_a[PRODUCTS][40], packed_b[PRODUCTS][40], written[PRODUCTS][40];
static int product, terms_a, terms_b, places_c;
static real a[N * N], b[N * N], c[N * N];

static void describe(const struct sum *sum, char matrix, const real *base, char *text)
{
    for (int t = 0; t < sum->count; t++) {
        long offset = sum->term[t].at - base;
        const char *sign = sum->term[t].sign < 0 ? "−" : t ? "+" : "";
        text += sprintf(text, "%s%s%s%c%ld%ld", t ? " " : "", sign, t ? " " : "", matrix,
                        offset / N / HALF + 1, offset % N / HALF + 1);
    }
}

static void count_a(const struct sum *sum, long i, long l, long rows, long kc, int mr,
                    real *packed)
{
    (void)i, (void)l, (void)rows, (void)kc, (void)mr, (void)packed;
    describe(sum, 'A', a, packed_a[product]);
    terms_a += sum->count;
}

static void count_b(const struct sum *sum, long l, long j, long first, long last, long kc,
                    long cols, real *packed)
{
    (void)l, (void)j, (void)first, (void)last, (void)kc, (void)cols, (void)packed;
    describe(sum, 'B', b, packed_b[product]);
    terms_b += sum->count;
}

static void count_c(long rows, long cols, long kc, int mr, const real *x, const real *y,
                    const struct sum *to, long i, long j, bool first, bool last,
                    real *collected)
{
    (void)rows, (void)cols, (void)kc, (void)mr, (void)x, (void)y, (void)i, (void)j, (void)first,
        (void)last;
    (void)collected;
    describe(to, 'C', c, written[product++]);
    places_c += to->count;
}

/* packed.c is compiled for this kernel alone. So small a product is one panel of B and one
 * block of A. */
const struct kernel kernel_portable = {"portable", 6, 16, count_a, count_b, count_c};

/* A loop or a stage: a box that begins at x, and whose right side and foot are those of its
 * column. */
static void stage(double x, double y, double right, double foot, const char *text,
                  const char *sums)
{
    svg_box(x, y, right - x, foot - y, sums ? PALE_ORANGE : PALE, "#888888", 1);
    svg_styled(x + 8, y + 17, 12, "start", BLACK, sums ? SVG_BOLD : "", "%s", text);
    if (sums)
        svg_text(x + 8, y + 33, 11.5, "start", "#8a3c00", "%s", sums);
}

enum { WIDTH = 330, TOP = 66, GAP = 14 };

/* One way: what happens before the nest, at each packing, at the micro-kernel, and after the
 * nest. NULL: no sums. */
static void column(int number, const char *name, const char *before, const char *pack_b,
                   const char *pack_a, const char *tile, const char *after)
{
    double x = GAP + number * (WIDTH + GAP), right = x + WIDTH, y = TOP;
    svg_bold(x, TOP - 12, 14, "start", BLACK, "%s", name);
    stage(x, y, right, y + 42,
          before ? "memory: sums of A and B into workspace" : "memory: A and B as they are",
          before);
    y += 54;
    svg_text(x + 2, y + 8, 11.5, "start", GREY, "for each of the seven products");
    y += 16;
    stage(x, y, right, y + 268, "for jc, for pc: a panel of B, for the L3 cache", NULL);
    stage(x + 12, y + 26, right - 8, y + 68, "pack B", pack_b);
    stage(x + 12, y + 76, right - 8, y + 260, "for ic: a block of A, for the L2 cache", NULL);
    stage(x + 24, y + 102, right - 16, y + 144, "pack A", pack_a);
    stage(x + 24, y + 152, right - 16, y + 252, "for j, for i: a tile of C, in registers",
          NULL);
    stage(x + 36, y + 178, right - 24, y + 212, "multiply, kc times", NULL);
    svg_box(x + 36, y + 212, right - 24 - x - 36, 34, tile ? PALE_ORANGE : PALE, "#888888", 1);
    svg_text(x + 44, y + 233, tile ? 11.5 : 12, "start", tile ? "#8a3c00" : BLACK, "%s",
             tile ? tile : "the tile to one place of memory");
    y += 280;
    stage(x, y, right, y + 42, after ? "memory: sums of products into C" : "memory: C is done",
          after);
}

int main(void)
{
    char pack_a[80], pack_b[80], tile[80];
    struct step_run p = whole_run(N, N, N, a, b, c);
    p.levels = 1;
    real *workspace =
        malloc(workspace_packed_both(&p.context, p.product, p.levels) * sizeof(real));
    if (!workspace)
        return 1;
    multiply_packed_both(&p.context, p.product, p.levels, workspace);
    free(workspace);
    if (product != PRODUCTS) {
        fprintf(stderr, "draw-05-nest: %d calls of the kernel for one level, not %d\n", product,
                PRODUCTS);
        return 1;
    }
    sprintf(pack_b, "reads %s", packed_b[0]);
    sprintf(pack_a, "reads %s", packed_a[0]);
    sprintf(tile, "the tile to %s", written[0]);
    for (char *plus = strstr(tile, "+"); plus; plus = strstr(plus, "+"))
        *plus = '&';
    char *amp = strstr(tile, "&");
    if (amp) { /* "C11 and C22" */
        char rest[40];
        strcpy(rest, amp + 1);
        sprintf(amp, "and%s", rest);
    }
    svg_begin(3 * (WIDTH + GAP) + GAP, 540,
              "Three places for the sums around the packed product");
    svg_bold(GAP, 24, 15, "start", BLACK, "Where the sums of one level happen: orange");
    column(0, "figure3: one sum at a time", "8 passes, each reads two blocks, writes one", NULL,
           NULL, NULL, "7 passes of the same kind");
    column(1, "fused: sums in passes", "2 passes, each reads 4 blocks, writes 4", NULL, NULL,
           NULL, "1 pass; three products are added to C");
    column(2, "packed-both: sums in the packing", NULL, pack_b, pack_a, tile, NULL);
    svg_text(GAP, 500, 12, "start", GREY,
             "packed-both, all seven products: %d quadrants of A read, %d of B, %d times a "
             "quadrant of C written. Shown: the first product.",
             terms_a, terms_b, places_c);
    svg_text(GAP, 520, 12, "start", GREY,
             "packed-sums differs in one place: a tile waits in one block of memory until all "
             "of k is done, and goes to its places of C then.");
    svg_end();
    return 0;
}
