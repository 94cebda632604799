/* SPDX-License-Identifier: MIT */
/** @file accumulator.cu
 * --accumulator: how many bits of an addend a tensor core keeps. See product.h.
 */
#include <math.h>
#include <stdio.h>

#include "common/command/options.h"
#include "common/device/backend.h"
#include "common/measure/json.h"
#include "product.h"
#include "steps/18-modern/context.cuh"

/// [addends]
/* One instruction adds 16 products: 1 * 1 (or 1.5 * 1.5), a zero, and 14 times 2^-t, where t
   grows from row to row. All of them are exact in halves, and lo is zero everywhere. */
enum { ROWS = 8, COLUMNS = 4, TERMS = 16, ADDENDS = 14, FIRST_T = 21, RULES = 4 };

static void make_addends(float factor, float a[ROWS][TERMS], float b[TERMS][COLUMNS])
{
    for (int l = 0; l < TERMS; l++) {
        for (int i = 0; i < ROWS; i++)
            a[i][l] = l > 1 ? ldexpf(1, 12 - FIRST_T - i) : l == 1 ? -factor : factor;
        for (int j = 0; j < COLUMNS; j++)
            b[l][j] = l > 1 ? 0x1p-12f : l == 1 ? 0 : factor;
    }
}

/* The sum of the small addends, in units of the last of the total's 24 bits, if each keeps
   `bits` below these; the total itself is then cut off. `largest`: the total's exponent. */
static double kept(int t, int bits, int largest)
{
    double addend = ldexp(1, 23 - largest - t);
    return floor((double)ADDENDS * ldexp(floor(ldexp(addend, bits)), -bits));
}
/// [addends]

/* Measures with one of the two hand-written products, prints a table or JSON lines, and returns
   the number of bits that explains all rows: -1 if none does, RULES - 1 for that or more. */
static int measure_leaf(const struct options *o, enum tensor_leaf leaf, const char *name,
                        float factor)
{
    float a[ROWS][TERMS], b[TERMS][COLUMNS], c[ROWS][COLUMNS];
    struct context given = {.threads = 1}, ctx = program_context(&given, NULL);
    struct product p = product_of_size(ROWS, COLUMNS, TERMS);
    size_t elements = workspace_fp16(&ctx, p, 0);
    p.a.at = (real *)backend.allocate(sizeof a), p.b.at = (real *)backend.allocate(sizeof b);
    p.c.at = (real *)backend.allocate(sizeof c);
    real *workspace = (real *)backend.allocate(elements * sizeof(real));
    if (!p.a.at || !p.b.at || !p.c.at || !workspace) {
        fprintf(stderr, "--accumulator: not enough memory\n");
        exit(EXIT_RESOURCE);
    }
    make_addends(factor, a, b);
    backend.upload(p.a.at, a, sizeof a), backend.upload(p.b.at, b, sizeof b);
    multiply_tensor(&ctx, p, 0, workspace, FORMAT_TWO_HALVES, leaf);
    backend.download(c, p.c.at, sizeof c);
    backend.release(p.a.at), backend.release(p.b.at), backend.release(p.c.at);
    backend.release(workspace);

    int fits[RULES] = {1, 1, 1, 1}, found = -1, largest = factor > 1;
    double first = factor * factor, unit = ldexp(1, largest - 23);
    if (!o->json)
        printf("%s: %g + 14 times 2^-t; what is added, in units of the sum's last bit,\n"
               "and what it would be if addends kept 0, 1, 2 or more bits below\n%4s %9s %6s "
               "%6s %6s %6s",
               name, first, "t", "measured", "0", "1", "2", "more");
    for (int i = 0; i < ROWS; i++) {
        double got = (c[i][0] - first) / unit;
        if (!o->json)
            printf("\n%4d %9g", FIRST_T + i, got);
        for (int r = 0; r < RULES; r++) {
            double expected = kept(FIRST_T + i, r, largest);
            fits[r] = fits[r] && got == expected;
            if (!o->json)
                printf(" %6g", expected);
        }
        if (o->json) {
            struct json j = json_begin(stdout);
            json_text(&j, "step", "21-tensor-cores"), json_text(&j, "variant", name);
            json_text(&j, "backend", backend.name), json_text(&j, "device", backend.device());
            json_number(&j, "largest", first), json_whole(&j, "addends", ADDENDS);
            json_whole(&j, "t", FIRST_T + i), json_number(&j, "units", got);
            json_end(&j);
        }
    }
    for (int r = 0; r < RULES; r++)
        found = fits[r] ? r : found;
    if (!o->json)
        printf("\n\n");
    return found;
}

int measure_accumulator(const struct options *o)
{
    static const struct {
        enum tensor_leaf leaf;
        const char *name;
    } leaves[] = {{LEAF_FASTEST, "fp16"}, {LEAF_MMA, "fp16-mma"}};
    int bits[2][2];
    if (leaf_missing()) {
        fprintf(stderr, "--accumulator: %s\n", leaf_missing());
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            bits[i][j] = measure_leaf(o, leaves[i].leaf, leaves[i].name, j ? 1.5f : 1);
    fflush(stdout);
    bool two = bits[0][0] == 2;
    fprintf(o->json ? stderr : stdout,
            "bits kept below the 24 of the largest addend: %d by fp16, %d by fp16-mma\n"
            "the same with 1.5 * 1.5 = 2.25: %d and %d\n"
            "the simulated GPU's rule: %s\n",
            bits[0][0], bits[1][0], bits[0][1], bits[1][1], two ? "right" : "WRONG");
    return two ? EXIT_RIGHT : EXIT_WRONG;
}
