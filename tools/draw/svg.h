/* SPDX-License-Identifier: MIT */
/** @file svg.h
 * The few shapes that the pictures are made of, written to standard output.
 */
#ifndef TOOLS_DRAW_SVG_H
#define TOOLS_DRAW_SVG_H

#include <stdarg.h>
#include <stdio.h>

#define BLACK       "#222222"
#define BLUE        "#0072B2"
#define RED         "#D55E00"
#define GREEN       "#007A5A"
#define GREY        "#666666"
#define PALE        "#f6f6f6"
#define PALE_BLUE   "#cfe6f5"
#define PALE_ORANGE "#fbe3b0"
#define PALE_GREEN  "#cdeadf"

static inline void svg_begin(int width, int height, const char *title)
{
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
           "height=\"%d\" font-family=\"sans-serif\" font-size=\"13\" "
           "fill=\"#222222\">\n<title>%s</title>\n"
           "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
           width, height, width, height, title, width, height);
}

static inline void svg_end(void) { printf("</svg>\n"); }

static inline void svg_box(double x, double y, double w, double h, const char *fill,
                           const char *stroke, double width)
{
    printf("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"%s\" "
           "stroke-width=\"%g\"/>\n",
           x, y, w, h, fill, stroke, width);
}

static inline void svg_line(double x0, double y0, double x1, double y1, const char *stroke,
                            double width)
{
    printf(
        "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" stroke=\"%s\" stroke-width=\"%g\"/>\n",
        x0, y0, x1, y1, stroke, width);
}

/* anchor: "start", "middle" or "end"; extra: more attributes, or ""; then as printf() takes
 * them. */
__attribute__((format(printf, 7, 8))) static inline void
svg_styled(double x, double y, double size, const char *anchor, const char *fill,
           const char *extra, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("<text x=\"%g\" y=\"%g\" font-size=\"%g\" text-anchor=\"%s\" fill=\"%s\"%s>", x, y,
           size, anchor, fill, extra);
    vprintf(format, arguments);
    va_end(arguments);
    printf("</text>\n");
}

#define SVG_BOLD " font-weight=\"bold\""
#define svg_text(x, y, size, anchor, fill, ...)                                                \
    svg_styled(x, y, size, anchor, fill, "", __VA_ARGS__)
#define svg_bold(x, y, size, anchor, fill, ...)                                                \
    svg_styled(x, y, size, anchor, fill, SVG_BOLD, __VA_ARGS__)

#endif
