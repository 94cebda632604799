/* SPDX-License-Identifier: MIT */
/** @file tables.cu
 * --tables: Tables 1 and 2 of Fatahalian et al. (2004) with this GPU's numbers under the
 * document's, and its analysis redone with them. The simulated GPU has no times: there the
 * document's tables alone.
 */
#include "microbenchmarks.cuh"

#include <stdio.h>
#include <string.h>

#include "bandwidth.cuh"
#include "common/device/backend.h"
#include "common/measure/measure.h"
#include "docs/documents/numbers.h"

#ifdef LADDER_F32 /* textures hold floats */

static const struct result *result_of(const struct outcome *outcome, const char *variant)
{
    for (int i = 0; i < outcome->count; i++)
        if (strcmp(outcome->results[i].variant->name, variant) == 0)
            return &outcome->results[i];
    return NULL;
}

static double gflops_named(const struct rate *rates, const char *name)
{
    const struct rate *r = rate_of(rates, name);
    return r->flops / r->timing.median / 1e6;
}

static double gb_s_of(const struct rate *rates, const char *name)
{
    const struct rate *r = rate_of(rates, name);
    return gib_per_s(r->bytes, r->timing.median);
}

/* ms, GFLOP/s, and with an input bandwidth: that, and the shares of Figure 2. */
static void table_1_row(const char *name, double ms, double gflops, double gb_s, double peak,
                        double cached)
{
    printf("  %-22s %10.3f %10.2f", name, ms, gflops);
    if (gb_s > 0)
        printf(" %10.2f %8.1f %8.1f\n", gb_s, 100 * gflops / peak, 100 * gb_s / cached);
    else
        printf(" %10s %8.1f\n", "", 100 * gflops / peak);
}

static const char *const table_1 = "fatahalian-table-1", *const table_2 = "fatahalian-table-2";

/* The card that a row of Table 1 ran on, as Table 2 calls it. */
static const char *card_of(const char *product)
{
    static const char *const cards[] = {"NV 5900", "NV 6800", "ATI 9800", "ATI X800"};
    for (int i = 0; i < 4; i++)
        if (strncmp(product, cards[i], strlen(cards[i])) == 0)
            return cards[i];
    return "Pentium 4";
}

static void print_table_1_of_document(void)
{
    printf("\nTable 1 of Fatahalian et al. (2004): C = AB, n = 1024; GB of 2^30 bytes\n"
           "  %-22s %10s %10s %10s %8s %8s\n",
           "", "ms", "GFLOP/s", "GB/s in", "% peak", "% cache");
    for (const struct paper_number *n = paper_numbers; n->item; n++) {
        if (strcmp(n->item, table_1) != 0 || strcmp(n->column, "seconds") != 0)
            continue;
        const char *card = card_of(n->row);
        table_1_row(n->row, 1e3 * paper_value(table_1, n->row, "seconds"),
                    paper_value(table_1, n->row, "GFLOP/s"),
                    paper_value(table_1, n->row, "GB/s"), paper_value(table_2, card, "GFLOP/s"),
                    paper_value(table_2, card, "cache GB/s"));
    }
}

/* Our rows: the whole run, the fetches alone, and the vendor's library. */
static int print_table_1_of_ours(const struct options *o, const struct outcome *outcome,
                                 const struct rate *rates)
{
    double peak = gflops_named(rates, "multiply-add"), cached = gb_s_of(rates, "texture-one");
    double flops = 2.0 * o->m * o->n * o->k;
    const struct result *vendor = NULL;
    int right = 1;
    printf("  %s, m = %ld, n = %ld, k = %ld, --unroll %ld\n", backend.device(), o->m, o->n,
           o->k, o->settings[SET_UNROLL]);
    for (const struct fetching *f = fetchings; f->variant; f++) {
        const struct result *r = result_of(outcome, f->variant);
        if (!r)
            continue;
        char name[32];
        snprintf(name, sizeof name, "NV %s", f->variant);
        struct fetched fetched = measure_fetches(o, f, product_of_size(o->m, o->n, o->k));
        right = right && fetched.right;
        table_1_row(name, r->timing.median, flops / r->timing.median / 1e6,
                    gib_per_s(fetched.bytes, fetched.timing.median), peak, cached);
        vendor = r->reference_timing.reps ? r : vendor;
    }
    if (vendor)
        table_1_row(
            vendor->reference, vendor->reference_timing.median,
            flops / vendor->reference_timing.median / 1e6,
            gib_per_s(4 * flops, vendor->reference_timing.median), peak,
            gb_s_of(rates, "load-own")); /* as ATLAS: as if all 2n^3 operands were loaded */
    if (!right)
        printf("  WRONG: not every fetch was made when the arithmetic was removed\n");
    return right;
}

static void table_2_row(const char *name, double gflops, double cached, double sequential)
{
    printf("  %-22s %10.1f %10.1f", name, gflops, cached);
    if (sequential > 0)
        printf(" %10.1f\n", sequential);
    else
        printf(" %10s\n", "-");
}

static void print_table_2_of_document(void)
{
    printf(
        "\nTable 2 of Fatahalian et al. (2004): peak arithmetic, cached and sequential fetch\n"
        "  %-22s %10s %10s %10s\n",
        "", "GFLOP/s", "cache GB/s", "seq GB/s");
    for (const struct paper_number *n = paper_numbers; n->item; n++)
        if (strcmp(n->item, table_2) == 0 && strcmp(n->column, "GFLOP/s") == 0)
            table_2_row(n->row, paper_value(table_2, n->row, "GFLOP/s"),
                        paper_value(table_2, n->row, "cache GB/s"),
                        paper_value(table_2, n->row, "sequential GB/s"));
}

static void print_table_2_of_ours(const struct rate *rates)
{
    double peak = gflops_named(rates, "multiply-add");
    printf("  %s\n", backend.device());
    table_2_row("through textures", peak, gb_s_of(rates, "texture-one"),
                gb_s_of(rates, "texture-sequential"));
    table_2_row("through loads", peak, gb_s_of(rates, "load-own"),
                gb_s_of(rates, "load-sequential"));
    printf("\nAll of the microbenchmarks\n");
    print_rates(rates);
}

/// [blocking]
/** A block of rows x columns of C in registers: it fetches rows + columns floats per step of k.
 */
struct blocking {
    const char *name;
    int rows, columns;
};
static const struct blocking blockings[] = {
    {"none (step 06)", 1, 1},      {"NV Multi, but for C", 4, 1},
    {"GPU8 (step 10)", 16, 1},     {"NV Single", 2, 2},
    {"the wish of 2004", 6, 6},    {"a square of today", 8, 8},
    {"step 19's own leaf", 16, 8}, {0},
};

static double flops_per_float(const struct blocking *b)
{
    return 2.0 * b->rows * b->columns / (b->rows + b->columns);
}
/// [blocking]

/* What blocking in registers needs and allows: the rate of fetching times the operations on
   each float, up to the peak. */
static void print_blockings(const struct rate *rates)
{
    static const char *const paths[] = {"texture-one", "load-own", "shared-own"};
    printf("\nBlocks of C in registers\n  %-22s %8s %12s", "", "block", "flops/float");
    for (int i = 0; rates && i < 3; i++)
        printf(" %14s", paths[i]);
    printf("%s\n", rates ? "  GFLOP/s at most" : "");
    for (const struct blocking *b = blockings; b->name; b++) {
        printf("  %-22s %5dx%-2d %12.2f", b->name, b->rows, b->columns, flops_per_float(b));
        for (int i = 0; rates && i < 3; i++) {
            double most = gb_s_of(rates, paths[i]) * (1 << 30) / 4 * flops_per_float(b) / 1e9;
            double peak = gflops_named(rates, "multiply-add");
            printf(" %14.0f", most < peak ? most : peak);
        }
        putchar('\n');
    }
}

static void analysis_row(const char *name, double gflops, double gb_s, double mhz)
{
    double floats_s = gb_s * (1 << 30) / 4;
    printf("  %-22s %14.1f %14.1f %12.1f\n", name, gflops * 1e3 / 2 / mhz,
           floats_s / (mhz * 1e6), gflops * 1e9 / floats_s);
}

static void print_analysis(const struct rate *rates)
{
    double peak = gflops_named(rates, "multiply-add"), mhz = clock_mhz();
    printf("\nAnalysis: how many operations on each float keep the arithmetic busy\n"
           "  %-22s %14s %14s %12s\n  %-22s %14s %14s %12s\n",
           "", "multiply-adds", "floats fetched", "operations", "", "a clock", "a clock",
           "a float");
    static const char *const theirs[] = {"NV 6800", "ATI X800"};
    for (int i = 0; i < 2; i++)
        analysis_row(theirs[i], paper_value(table_2, theirs[i], "GFLOP/s"),
                     paper_value(table_2, theirs[i], "cache GB/s"),
                     paper_value(table_2, theirs[i], "clock MHz"));
    printf("  %s (%.0f MHz)\n", backend.device(), mhz);
    static const char *const paths[] = {"texture-one", "shared-own", "load-own", "load-middle",
                                        "load-sequential"};
    for (int i = 0; i < 5; i++)
        analysis_row(paths[i], peak, gb_s_of(rates, paths[i]), mhz);
    print_blockings(rates);
}

int run_tables(const struct options *o)
{
    static struct outcome outcome; /* large, and there is one */
    int status = run_variants(o, backend.count_start ? &STEP : NULL, &outcome);
    if (status != EXIT_RIGHT || o->json || o->quiet)
        return status;
    if (backend.simulated) {
        print_table_1_of_document();
        print_table_2_of_document();
        print_blockings(NULL);
        printf("The simulated GPU has no times to compare with the document's.\n"
               "--bandwidth counts the fetches.\n");
        return EXIT_RIGHT;
    }
    struct rate rates[MICROBENCHMARKS];
    int right = measure_all_micro(o, rates);
    print_table_1_of_document();
    right = print_table_1_of_ours(o, &outcome, rates) && right;
    print_table_2_of_document();
    print_table_2_of_ours(rates);
    print_analysis(rates);
    return right ? EXIT_RIGHT : EXIT_WRONG;
}

#endif
