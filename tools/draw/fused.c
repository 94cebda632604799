/* SPDX-License-Identifier: MIT */
/* draw-19-fused: draws the seven products of step 19's fused level, as SVG, from the table that
 * its kernel works by. What the registers and C hold after each product is worked out, and
 * checked: in the end C must be A times B.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps/19-own-leaf/recipes.h"
#include "svg.h"

enum { PRODUCTS = 7, QUADRANTS = 4, COUNT = sizeof recipes / sizeof *recipes };

/* M1 to M7 as chapter 13 names them: coefficients of the quadrants 11, 12, 21, 22. */
static const struct {
    int a[QUADRANTS], b[QUADRANTS];
} named[PRODUCTS] = {
    {{-1, 0, 1, 1}, {1, -1, 0, 1}}, {{1, 0, 0, 0}, {1, 0, 0, 0}},
    {{0, 1, 0, 0}, {0, 0, 1, 0}},   {{1, 0, -1, 0}, {0, -1, 0, 1}},
    {{0, 0, 1, 1}, {-1, 1, 0, 0}},  {{1, 1, -1, -1}, {0, 0, 0, 1}},
    {{0, 0, 0, 1}, {1, -1, -1, 1}},
};
static const char *const quadrant[QUADRANTS] = {"11", "12", "21", "22"};

/* How often each product is in a sum. */
struct sum {
    int of[PRODUCTS];
};

static void fail(const char *what)
{
    fprintf(stderr, "draw-19-fused: %s\n", what);
    exit(1);
}

/* 1 if x is y, -1 if it is -y, 0 otherwise. */
static int same(const int *x, const int *y)
{
    int plus = 1, minus = 1;
    for (int i = 0; i < QUADRANTS; i++)
        plus &= x[i] == y[i], minus &= x[i] == -y[i];
    return plus ? 1 : minus ? -1 : 0;
}

/* The number of a recipe's product, from 0; its sign. */
static int product_of(const struct recipe *r, int *sign)
{
    for (int i = 0; i < PRODUCTS; i++)
        if ((*sign = same(r->a, named[i].a) * same(r->b, named[i].b)))
            return i;
    fail("a product that chapter 13 does not have");
    return 0;
}

static struct sum plus(struct sum x, struct sum y)
{
    for (int i = 0; i < PRODUCTS; i++)
        x.of[i] += y.of[i];
    return x;
}

/* "M5 + U3", with U2 = M1 + M2 and U3 = U2 + M4. */
static void name_of(struct sum x, char *text)
{
    const char *extra = NULL;
    if (x.of[0] == 1 && x.of[1] == 1) {
        extra = x.of[3] == 1 ? "U3" : "U2";
        x.of[0] = x.of[1] = 0;
        if (x.of[3] == 1)
            x.of[3] = 0;
    }
    *text = 0;
    static const int order[PRODUCTS] = {4, 5, 2, 1, 0, 3, 6}; /* as they are made */
    for (int minus = 0; minus < 2; minus++) {
        for (int i = 0; i < PRODUCTS; i++)
            if (x.of[order[i]] == (minus ? -1 : 1))
                sprintf(text + strlen(text), "%sM%d",
                        minus   ? " − "
                        : *text ? " + "
                                : "",
                        order[i] + 1);
        if (!minus && extra)
            sprintf(text + strlen(text), "%s%s", *text ? " + " : "", extra);
    }
}

/* C's quadrants are sums of products; are they A times B? */
static void check(const struct sum *c)
{
    for (int q = 0; q < QUADRANTS; q++)
        for (int i = 0; i < QUADRANTS; i++)
            for (int j = 0; j < QUADRANTS; j++) {
                int count = 0;
                for (int p = 0; p < PRODUCTS; p++)
                    count += c[q].of[p] * named[p].a[i] * named[p].b[j];
                if (count != (i / 2 == q / 2 && j % 2 == q % 2 && i % 2 == j / 2))
                    fail("what the table makes of C is not A times B");
            }
}

static void arrow(double x, double y, int across)
{
    printf("<path d=\"M%g %g%sm%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\"/>\n", x, y,
           across ? "h30" : "v30", across ? "-6 -4l6 4l-6 4" : "-4 -6l4 6l4 -6",
           across ? BLUE : GREY);
}

static void grid(double x, double y, const int *signs, const char *fill, const char *stroke)
{
    for (int q = 0; q < QUADRANTS; q++) {
        double left = x + q % 2 * 26, top = y + q / 2 * 26;
        svg_box(left, top, 26, 26, signs[q] ? fill : "#ffffff", stroke, 1);
        if (signs[q])
            svg_text(left + 13, top + 18, 14, "middle", BLACK, "%s", signs[q] < 0 ? "−" : "+");
    }
}

int main(void)
{
    const double first = 52, apart = 72, foot = first + COUNT * apart;
    struct sum registers = {{0}}, c[QUADRANTS] = {{{0}}};
    char text[120], name[80];
    int written = 0, read = 0, negative = -1;
    svg_begin(720, (int)foot + 62,
              "The seven products of a fused level: which quadrants of A and B each reads, "
              "with their signs, what then stands in the registers, and which quadrant of C is "
              "written or added to");
    svg_text(82, 34, 13, "middle", GREY, "from A");
    svg_text(190, 34, 13, "middle", GREY, "from B");
    svg_text(250, 34, 13, "start", GREY, "in the registers");
    svg_text(456, 34, 13, "middle", GREY, "C");
    svg_text(510, 34, 13, "start", GREY, "afterwards");
    for (int i = 0; i < COUNT; i++) {
        const struct recipe *r = &recipes[i];
        double y = first + i * apart;
        int sign, product = product_of(r, &sign);
        registers.of[product] += sign;
        if (sign < 0)
            negative = product;
        c[r->c] = r->adds ? plus(c[r->c], registers) : registers;
        written++, read += r->adds;
        svg_text(16, y + 31, 15, "start", BLACK, "M%d", product + 1);
        grid(56, y, r->a, PALE_ORANGE, "#b07d2b");
        svg_text(136, y + 31, 15, "middle", BLACK, "×");
        grid(164, y, r->b, PALE_GREEN, "#3d8b40");
        name_of(registers, name);
        if (!strcmp(name, "U2"))
            strcat(name, " = M1 + M2");
        else if (!strcmp(name, "U3"))
            strcat(name, " = U2 + M4");
        svg_text(250, y + 31, 13, "start", BLACK, "%s", name);
        arrow(386, y + 26, 1);
        for (int q = 0; q < QUADRANTS; q++) {
            svg_box(430 + q % 2 * 26, y + q / 2 * 26, 26, 26, q == r->c ? BLUE : "#ffffff",
                    BLUE, 1);
            if (q == r->c)
                svg_text(443 + q % 2 * 26, y + q / 2 * 26 + 18, r->adds ? 12 : 14, "middle",
                         "#ffffff", "%s", r->adds ? "+=" : "=");
        }
        name_of(c[r->c], name);
        svg_text(510, y + 31, 13, "start", BLACK, "C%s = %s", quadrant[r->c], name);
        if (i == COUNT - 1)
            break;
        if (r->clears) {
            memset(&registers, 0, sizeof registers);
            printf("<path d=\"M240 %gH380\" stroke=\"%s\" stroke-width=\"1.2\" "
                   "stroke-dasharray=\"4 3\"/>\n",
                   y + 62, RED);
        } else
            arrow(262, y + 39, 0);
    }
    check(c);
    svg_text(16, foot + 16, 13, "start", GREY,
             "Grey arrow: the next product goes on with the sums in the registers. Red line: "
             "they begin at 0.");
    sprintf(text,
            "= writes over what stands in C, += adds to it: %d quadrants written, %d read.",
            written, read);
    if (negative >= 0)
        sprintf(text + strlen(text), " M%d takes B's sum with the other sign.", negative + 1);
    svg_text(16, foot + 38, 13, "start", GREY, "%s", text);
    svg_end();
    return 0;
}
