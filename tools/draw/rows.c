/* SPDX-License-Identifier: MIT */
/* draw-11-rows: draws the same memory as rows and as cuBLAS's columns, as SVG, from the calls
 * of cuBLAS that step 11 makes on matrices whose sizes are all different.
 */
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "step_run.h"
#include "svg.h"
#include "wrap.h"

extern const struct step STEP;
enum { M = 4, K = 6, N = 10 };

static double *a, *b, *c;
static struct {
    int rows, columns, ld, seen;
} quadrant; /* A12 as a call of geam names it */
static struct {
    int m, n, k, swapped, seen;
} product;

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", STEP.name, what);
    exit(1);
}

static int inside(const double *x, const double *matrix, int elements)
{
    return x >= matrix && x < matrix + elements;
}

cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS)
{
    if (x == a + K / 2 && transa == CUBLAS_OP_N)
        quadrant.rows = m, quadrant.columns = n, quadrant.ld = ldx, quadrant.seen = 1;
    return __real_cublasDgeam(handle, transa, transb, m, n, alpha, x, ldx, beta, y, ldy, z,
                              ldz);
}

cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS)
{
    product.m = m, product.n = n, product.k = k, product.seen = 1;
    product.swapped |= inside(x, b, K * N) || inside(y, a, M * K);
    if (inside(x, a, M * K) || inside(y, b, K * N) || transa != CUBLAS_OP_N ||
        transb != CUBLAS_OP_N)
        fail("a product does not exchange its factors");
    return __real_cublasDgemm(handle, transa, transb, m, n, k, alpha, x, ldx, y, ldy, beta, z,
                              ldz);
}

static void run(void)
{
    struct step_run p = whole_run(M, N, K, NULL, NULL, NULL);
    const struct variant *v = find_variant(STEP.variants, "no-copies");
    p.levels = 1, p.context.leaf = find_leaf(STEP.leaves, "cublas");
    if (!v || !p.context.leaf)
        fail("there is no variant no-copies over cublas");
    p.product.a.at = a = backend.allocate(sizeof(double) * M * K),
    p.product.b.at = b = backend.allocate(sizeof(double) * K * N);
    p.product.c.at = c = backend.allocate(sizeof(double) * M * N);
    void *workspace = backend.allocate(run_workspace(v, &p) * sizeof(double));
    if (!a || !b || !c || !workspace)
        fail("not enough memory");
    backend.fill(a, 0, sizeof(double) * M * K), backend.fill(b, 0, sizeof(double) * K * N);
    run_variant(v, &p, workspace);
    backend.release(a), backend.release(b), backend.release(c), backend.release(workspace);
    if (!quadrant.seen || !product.seen || !product.swapped)
        fail("no call reads A12, or no product reads A or B");
    if (quadrant.rows != K / 2 || quadrant.columns != M / 2 || quadrant.ld != K)
        fail("A12 is not passed as its transpose");
    if (product.m != N / 2 || product.n != M / 2 || product.k != K / 2)
        fail("gemm does not get n, m, k");
}

static int in_quadrant(int place) { return place / K < M / 2 && place % K >= K / 2; }

static void cell(double x, double y, double side, int place)
{
    svg_box(x, y, side, side, in_quadrant(place) ? "#bfdcee" : PALE, "#888888", 0.8);
    svg_text(x + side / 2, y + side / 2 + 5, 12, "middle", BLACK, "%d", place);
}

static void matrix(double x, double y, double w, double h, const char *fill, const char *name,
                   const char *shape)
{
    svg_box(x, y, w, h, fill, "#888888", 1);
    svg_bold(x + w / 2, y + h / 2 - 1, 14, "middle", BLACK, "%s", name);
    svg_text(x + w / 2, y + h / 2 + 15, 12, "middle", GREY, "%s", shape);
}

int main(void)
{
    const double side = 30, top = 36, right = 500;
    run();
    svg_begin(
        800, 462,
        "The same memory seen as rows and as columns: cuBLAS sees every matrix transposed");
    svg_bold(20, 24, 14, "start", BLACK, "ours: rows, ld = %d", K);
    svg_bold(right, 24, 14, "start", BLACK, "to cuBLAS: columns, ld = %d", quadrant.ld);
    for (int place = 0; place < M * K; place++) {
        cell(20 + place % K * side, top + place / K * side, side, place);
        cell(right + place / K * side, top + place % K * side, side, place);
    }
    svg_box(20 + K / 2 * side, top, K / 2 * side, M / 2 * side, "none", BLUE, 2.5);
    svg_box(right, top + (K - quadrant.rows) * side, quadrant.columns * side,
            quadrant.rows * side, "none", BLUE, 2.5);
    svg_text(20, top + M * side + 22, 13, "start", GREY,
             "quadrant 12: %d rows × %d columns, ld = %d", M / 2, K / 2, K);
    svg_text(right + M * side + 14, top + 3.4 * side, 13, "start", GREY, "the same quadrant:");
    svg_text(right + M * side + 14, top + 3.4 * side + 18, 13, "start", GREY,
             "%d rows × %d columns,", quadrant.rows, quadrant.columns);
    svg_text(right + M * side + 14, top + 3.4 * side + 36, 13, "start", GREY, "ld = %d",
             quadrant.ld);

    const double strip = 26, from = 88, y = 246;
    svg_text(from, y - 8, 13, "start", GREY,
             "the same %d places in memory; ld: from one row (to cuBLAS: column) to the next",
             M * K);
    for (int place = 0; place < M * K; place++)
        cell(from + place * strip, y, strip, place);
    for (int line = 0; line < 2; line++) {
        double x = from + line * K * strip;
        svg_line(x, y + strip, x, y + strip + 14, BLACK, 1.2);
    }
    svg_line(from, y + strip + 9, from + K * strip, y + strip + 9, BLACK, 1.2);
    svg_text(from + K * strip / 2, y + strip + 24, 12, "middle", BLACK, "ld = %d", K);

    const double mid = 384, low = 342; /* C = A B, and what cuBLAS makes of it */
    svg_bold(20, low + 44, 14, "start", BLACK, "ours");
    matrix(70, low, 100, 76, PALE_GREEN, "C", "m × n");
    svg_text(182, low + 44, 16, "middle", BLACK, "=");
    matrix(196, low, 66, 76, PALE_BLUE, "A", "m × k");
    svg_text(273, low + 44, 16, "middle", BLACK, "·");
    matrix(284, low + 13, 100, 50, PALE_ORANGE, "B", "k × n");
    svg_bold(mid + 40, low + 34, 14, "start", BLACK, "cuBLAS");
    svg_text(mid + 40, low + 54, 13, "start", GREY, "gemm(n, m, k,");
    svg_text(mid + 40, low + 71, 13, "start", GREY, "  B, A, C)");
    matrix(530, low - 12, 76, 100, PALE_GREEN, "Cᵀ", "n × m");
    svg_text(617, low + 44, 16, "middle", BLACK, "=");
    matrix(628, low - 12, 50, 100, PALE_ORANGE, "Bᵀ", "n × k");
    svg_text(688, low + 44, 16, "middle", BLACK, "·");
    matrix(698, low + 5, 76, 66, PALE_BLUE, "Aᵀ", "k × m");
    svg_end();
    return 0;
}
