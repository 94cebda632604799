/* SPDX-License-Identifier: MIT */
/* draw-16 offset|strips: draws where step 16's textures begin and how it cuts factors that are
 * larger than a texture may be, as SVG, from the textures that the step makes and from what its
 * kernels fetch and store.
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

#include "capture.h"
#include "svg.h"

/* ---- Where a texture begins ---- */

enum { ALIGNMENT = 512, OFFSET_M = 32, OFFSET_K = 384, OFFSET_N = 512 };

static void draw_offset(long first_byte, long begin)
{
    const double left = 40, scale = 720.0 / (2 * OFFSET_K * 4), y = 84;
    const long row = OFFSET_K * 4L, end = first_byte + row / 2;
    svg_begin(
        800, 262,
        "A texture begins at an aligned place in front of the quadrant that it is made for");
    svg_text(20, 22, 12.5, "start", GREY,
             "A has %d columns: its rows are %ld bytes, and quadrant 12 begins %ld bytes into "
             "the first one.",
             OFFSET_K, row, first_byte);
    svg_text(36, 50, 12, "start", GREY,
             "bytes from the start of A; a texture may begin at every %dth", ALIGNMENT);
    svg_box(left, y, 2 * row * scale, 34, PALE, "#888888", 0.8);
    for (int r = 0; r < 2; r++) {
        svg_box(left + (r * row + first_byte) * scale, y, row / 2 * scale, 34, "#bfdcee",
                "#888888", 0.8);
        svg_text(left + (r * row + (first_byte + end) / 2.0) * scale, y + 22, 12, "middle",
                 BLACK, "quadrant 12, row %d", r);
    }
    svg_text(left + (row + first_byte / 2.0) * scale, y + 22, 12, "middle", GREY,
             "quadrant 11, row 1");
    for (long byte = 0; byte <= 2 * row; byte += ALIGNMENT) {
        printf("<path d=\"M%g 76V126\" stroke=\"#888888\" stroke-dasharray=\"3 3\"/>\n",
               left + byte * scale);
        svg_text(left + byte * scale, 70, 12, "middle", GREY, "%ld", byte);
    }
    double x = left + first_byte * scale, aligned = left + begin * scale;
    printf("<path d=\"M%g %gH%gV%gH%g\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.5\"/>\n",
           left + 2 * row * scale, y + 3, aligned, y + 31, left + 2 * row * scale, RED);
    svg_line(x, y + 34, x, 148, BLUE, 1.5);
    svg_text(x + 6, 146, 12.5, "start", BLUE, "x.at: the quadrant begins at byte %ld",
             first_byte);
    svg_line(aligned, y + 31, aligned, 176, RED, 1.5);
    svg_text(aligned + 6, 174, 12.5, "start", "#b24700",
             "x.at − elements_before(x): the texture begins at byte %ld", begin);
    svg_line(aligned, 192, x, 192, BLACK, 1.5);
    svg_line(aligned, 187, aligned, 197, BLACK, 1.5), svg_line(x, 187, x, 197, BLACK, 1.5);
    svg_text(x + 8, 196, 12.5, "start", BLACK,
             "%ld elements between: %ld texels of one float, or %ld of four",
             (first_byte - begin) / 4, (first_byte - begin) / 4, (first_byte - begin) / 16);
    svg_text(20, 228, 12.5, "start", BLACK,
             "Element i of the quadrant is texel (elements between) + i or, four at once, that "
             "divided by 4.");
    svg_text(20, 246, 12.5, "start", GREY,
             "The texture ends with the quadrant’s last element. What lies between its rows is "
             "in it and is never fetched.");
    svg_end();
}

/* ---- Strips ---- */

enum { MOST_STRIPS = 8, GPU8_ROWS = 16, GPU8_COLUMNS = 128, GPU8_DEPTH = 64, STRIPS = 3 };

struct strips {
    int count, first[MOST_STRIPS]; /* rows of the factor that is cut */
    int result[MOST_STRIPS];       /* the first row of C that the strip's kernel stores */
    int reads_c[MOST_STRIPS];
    char kernel[MOST_STRIPS][64];
};

/* Cuts the left factor (allocation 1) or the right one (2), of k or n columns. */
static struct strips strips_of(const char *variant, int allocation, long m, long n, long k,
                               long limit)
{
    struct strips s = {0};
    struct step_run *p = capture_open(variant, m, n, k);
    p->context.settings[0] = limit;
    struct log log = capture_half_warp(0, 0);
    for (int c = 0; c < log.call_count; c++) {
        if (s.count == MOST_STRIPS)
            log_fail("too many strips");
        s.first[s.count] = s.result[s.count] = -1;
        strcpy(s.kernel[s.count], log.calls[c].kernel);
        for (const struct log_request *r = log.requests; r < log.requests + log.request_count;
             r++) {
            if (r->launch != log.calls[c].launch || !strcmp(r->space, "shared"))
                continue;
            long at = r->of[0].offset / 4;
            if (!strcmp(r->op, "fetch") && r->of[0].allocation == allocation &&
                s.first[s.count] < 0)
                s.first[s.count] = (int)(at / (allocation == 1 ? k : n));
            if (!strcmp(r->op, "store") && r->of[0].allocation == 3 && s.result[s.count] < 0)
                s.result[s.count] = (int)(at / n);
            s.reads_c[s.count] |= !strcmp(r->op, "load") && r->of[0].allocation == 3;
        }
        if (s.first[s.count] < 0 || s.result[s.count] < 0)
            log_fail("a strip is not fetched through a texture");
        s.count++;
    }
    log_free(&log);
    capture_close();
    if (s.count != STRIPS)
        log_fail("another number of strips than expected");
    return s;
}

static const char *shade(int strip) { return strip % 2 ? "#e3eff7" : "#bfdcee"; }

/* A matrix, cut where its strips begin (in rows of `rows`); `across`: at the same places of its
 * columns. */
static void strip_box(double x, double y, double w, double h, const char *name,
                      const int *first, int rows, int across, const char *label)
{
    svg_box(x, y, w, h, PALE, "#888888", 0.8);
    svg_bold(x + w / 2, y - 8, 14, "middle", BLACK, "%s", name);
    for (int i = 0; first && i < STRIPS; i++) {
        double from = (double)first[i] / rows,
               to = i + 1 < STRIPS ? (double)first[i + 1] / rows : 1;
        if (across)
            svg_box(x + from * w, y, (to - from) * w, h, shade(i), "#888888", 0.8);
        else
            svg_box(x, y + from * h, w, (to - from) * h, shade(i), "#888888", 0.8);
        svg_text(across ? x + (from + to) / 2 * w : x + w / 2,
                 across ? y + h / 2 + 5 : y + (from + to) / 2 * h + 4, 12, "middle", BLACK,
                 "%s%d", label, i + 1);
    }
}

/* "mulAdd" of "mulAdd_kernel", "mul" of "gpu8". */
static const char *short_name(char *kernel)
{
    const char *name = kernel_name(kernel);
    if (strncmp(name, "mul", 3))
        log_fail("a strip's kernel is no product");
    char *tail = strchr(kernel, '_');
    if (tail)
        *tail = 0;
    return name;
}

static void draw_strips(void)
{
    const int m = STRIPS * GPU8_ROWS, k = STRIPS * GPU8_DEPTH;
    /* Texels so that one strip fits and two do not: the left factor is read by four, the right
     * one by one. */
    struct strips left = strips_of("tstrassen", 1, m, GPU8_COLUMNS, GPU8_DEPTH,
                                   (GPU8_ROWS * GPU8_DEPTH + 128) / 4);
    struct strips right = strips_of("twinograd-b", 2, GPU8_ROWS, GPU8_COLUMNS, k,
                                    GPU8_DEPTH * GPU8_COLUMNS + 128);
    char text[120];
    svg_begin(800, 330,
              "A product whose factors are larger than a texture may be, in strips of A's rows "
              "or of B's rows");
    svg_bold(20, 24, 14, "start", BLACK,
             "the left factor in strips: each strip gives rows of C");
    strip_box(60, 60, 110, 96, "C", left.result, m, 0, "rows ");
    svg_text(190, 113, 16, "middle", BLACK, "=");
    strip_box(210, 60, 110, 96, "A", left.first, m, 0, "texture ");
    svg_text(335, 113, 18, "middle", BLACK, "·");
    strip_box(350, 60, 110, 96, "B", NULL, 1, 0, "");
    svg_text(485, 90, 12.5, "start", "#444444", "a multiple of %d rows, GPU8’s tile",
             left.first[1]);
    svg_text(485, 110, 12.5, "start", "#444444", "one %s for each strip",
             short_name(left.kernel[0]));
    svg_text(485, 130, 12.5, "start", "#444444", "as many transactions as without strips");
    svg_bold(20, 194, 14, "start", BLACK,
             "the right factor in strips: each strip adds to all of C");
    strip_box(60, 226, 110, 84, "C", NULL, 1, 0, "");
    svg_text(115, 273, 14, "middle", "#444444", "+=");
    svg_text(190, 273, 16, "middle", BLACK, "=");
    strip_box(210, 226, 110, 84, "A", right.first, k, 1, "");
    svg_text(335, 273, 18, "middle", BLACK, "·");
    strip_box(350, 226, 110, 84, "B", right.first, k, 0, "texture ");
    svg_text(485, 252, 12.5, "start", "#444444", "a multiple of %d rows, GPU8’s step in k",
             right.first[1]);
    sprintf(text, "%s for the first strip, ", short_name(right.kernel[0]));
    sprintf(text + strlen(text), "%s for the others", short_name(right.kernel[1]));
    svg_text(485, 272, 12.5, "start", "#444444", "%s", text);
    for (int i = 0; i < STRIPS; i++)
        if (right.result[i] != 0 || right.reads_c[i] != (i > 0) || left.reads_c[i])
            log_fail("the strips do not read and write C as the picture says");
    svg_text(485, 292, 12.5, "start", "#444444", "each further strip reads and writes C again");
    svg_end();
}

/* The linker (--wrap) sends every call that makes a texture through this function. */
static uintptr_t begins[64];
static int made;
#define TEXTURE_PARAMETERS                                                                     \
    cudaTextureObject_t *object, const struct cudaResourceDesc *r,                             \
        const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *v,                 \
        const char *file, int line
cudaError_t __real_simgpu_create_texture(TEXTURE_PARAMETERS);
cudaError_t __wrap_simgpu_create_texture(TEXTURE_PARAMETERS);
cudaError_t __wrap_simgpu_create_texture(TEXTURE_PARAMETERS)
{
    if (made < 64)
        begins[made++] = (uintptr_t)r->res.linear.devPtr;
    return __real_simgpu_create_texture(object, r, t, v, file, line);
}

/* Winograd multiplies A12 as it is: where its texture begins, and which byte of A is fetched
 * first. */
static void find_offset(void)
{
    struct step_run *p = capture_open("twinograd", OFFSET_M, OFFSET_N, OFFSET_K);
    p->levels = 1, p->context.fused = 1;
    struct log log = capture_half_warp(0, 0);
    long first = -1, begin = -1;
    for (const struct log_request *r = log.requests; r < log.requests + log.request_count; r++)
        for (int i = 0; i < r->lanes && !strcmp(r->op, "fetch"); i++) {
            long at = r->of[i].offset;
            if (r->of[i].allocation == 1 && at < OFFSET_K * 4L && at >= OFFSET_K * 2L &&
                (first < 0 || at < first))
                first = at;
        }
    for (int i = 0; i < made; i++) {
        long at = (long)(begins[i] - (uintptr_t)p->product.a.at);
        if (at > 0 && at < OFFSET_K * 4L)
            begin = at;
    }
    log_free(&log);
    capture_close();
    if (first < 0 || begin < 0 || begin % ALIGNMENT || first - begin >= ALIGNMENT)
        log_fail("no texture over A12 that begins at an aligned place");
    draw_offset(first, begin);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "offset"))
        find_offset();
    else if (argc == 2 && !strcmp(argv[1], "strips"))
        draw_strips();
    else {
        fprintf(stderr, "usage: draw-16 offset|strips >picture.svg\n");
        return 2;
    }
    return 0;
}
