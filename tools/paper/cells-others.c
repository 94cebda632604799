/* SPDX-License-Identifier: MIT */
/** @file cells-others.c
 * The cells of the figures and tables of Fatahalian et al. (2004), the optimisation study and
 * Musella, from kept results.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "common/documents/numbers.h"
#include "paper.h"

static bool is(const char *word, const char *other) { return strcmp(word, other) == 0; }

/* ---- Fatahalian et al. (2004); GB are of 2^30 bytes ---- */

enum { N = 1024 };

/* The same program on our GPU; instead of ATLAS, cuBLAS. ATI Multi is NV Multi unrolled three
 * to six times, whichever was fastest: six here. */
static double streams_ms(const char *row, long n)
{
    const char *variant = strstr(row, "Single") ? "single" : "multi";
    if (strstr(row, "ATLAS"))
        return kept_number("06-17-gpu:07-gpu-streams", "reference_ms_median", "n=%ld", n);
    if (strstr(row, "ATI"))
        return kept_number("07-streams:unrolled", "ms_median", "variant=multi levels=0 n=%ld",
                           n);
    return kept_number("06-17-gpu:07-gpu-streams", "ms_median", "variant=%s n=%ld", variant, n);
}

static double gflops_of(const char *row, long n)
{
    return 2.0 * (double)n * (double)n * (double)n / streams_ms(row, n) / 1e6;
}

/* The bandwidth that a program sees: of the fetches without the arithmetic; of the library, as
   if each of its 2n^3 operands came from memory. */
static double input_gb_s(const char *row, long n)
{
    if (strstr(row, "ATLAS"))
        return 2.0 * (double)n * (double)n * (double)n * 4 / streams_ms(row, n) * 1e3 / 0x1p30;
    if (strstr(row, "ATI"))
        return kept_number("07-streams:unrolled", "gib_per_s", "variant=multi n=%ld", n);
    return kept_number("07-streams:bandwidth", "gib_per_s", "variant=%s n=%ld unroll=1",
                       strstr(row, "Single") ? "single" : "multi", n);
}

static double micro(const char *variant, const char *field)
{
    return kept_number("07-microbenchmarks", field, "variant=%s", variant);
}

static double streams(const struct place *at)
{
    if (is(at->column, "seconds"))
        return streams_ms(at->row, N) / 1000;
    return is(at->column, "GFLOP/s") ? gflops_of(at->row, N) : input_gb_s(at->row, N);
}

static double rates(const struct place *at)
{
    bool cache = is(at->column, "cache GB/s");
    if (is(at->row, "four textures") && cache)
        return kept_number("07-streams:several", "gib_per_s", "variant=texture-several");
    if (is(at->row, "four textures") || is(at->row, "Pentium 4"))
        return NAN;
    return is(at->column, "GFLOP/s")
               ? micro("multiply-add", "gflops")
               : micro(cache ? "texture-one" : "texture-sequential", "gib_per_s");
}

/* Ideas that section 2 tried without success: several render targets, and an order forced on
 * the fragments. */
static double tuning(const struct place *at)
{
    const char *variant = is(at->row, "one target")     ? "single"
                          : is(at->row, "four targets") ? "targets"
                                                        : "rectangles";
    return kept_number("07-streams:tricks", "gflops", "variant=%s n=%s", variant, at->column);
}

/* Multiply-adds of four components per clock, floats fetched per clock, and operations per
 * float. */
static double analysis(const struct place *at)
{
    const char *t2 = "fatahalian-table-2";
    double gflops =
        at->ours ? micro("multiply-add", "gflops") : paper_value(t2, at->row, "GFLOP/s");
    double gb_s =
        at->ours ? micro("texture-one", "gib_per_s") : paper_value(t2, at->row, "cache GB/s");
    double mhz =
        at->ours ? micro("multiply-add", "clock_mhz") : paper_value(t2, at->row, "clock MHz");
    double floats = gb_s * 0x1p30 / 4 / (mhz * 1e6), mads = gflops * 1e3 / 8 / mhz;
    return is(at->column, "clock MHz")        ? mhz
           : is(at->column, "mads a clock")   ? mads
           : is(at->column, "floats a clock") ? floats
                                              : 8 * mads / floats;
}

static double speeds(const struct place *at)
{
    if (at->ours)
        return gflops_of(at->row, strtol(at->column, NULL, 10));
    return is(at->column, "1024") ? paper_value("fatahalian-table-1", at->row, "GFLOP/s")
                                  : (double)NAN;
}

/* The card that a row of Table 1 ran on, as Table 2 calls it. */
static const char *card_of(const char *row)
{
    static const char *const cards[] = {"NV 5900", "NV 6800", "ATI 9800", "ATI X800"};
    for (int i = 0; i < 4; i++)
        if (strncmp(row, cards[i], strlen(cards[i])) == 0)
            return cards[i];
    return "Pentium 4";
}

static double shares(const struct place *at)
{
    bool peak = is(at->column, "% of peak");
    if (!at->ours)
        return 100 * paper_value("fatahalian-table-1", at->row, peak ? "GFLOP/s" : "GB/s") /
               paper_value("fatahalian-table-2", card_of(at->row),
                           peak ? "GFLOP/s" : "cache GB/s");
    if (peak)
        return 100 * gflops_of(at->row, N) / micro("multiply-add", "gflops");
    return strstr(at->row, "ATLAS")
               ? NAN
               : 100 * input_gb_s(at->row, N) / micro("texture-one", "gib_per_s");
}

/* ---- The optimisation study ---- */

static double memory(const struct place *at)
{
    double bytes =
        kept_number("04-cpu-strassen", "workspace_bytes", "variant=%s n=1024 levels=%d",
                    strstr(at->row, "all") ? "seven" : "one", atoi(at->column));
    return bytes / 4 / 1024 / 1024;
}

static double order(const struct place *at)
{
    const char *method = strncmp(at->row, "Winograd", 8) == 0 ? "Winograd" : "Strassen";
    return kept_number("05-order", text("%ss", at->column), "method=%s order=%s", method,
                       strstr(at->row, "before") ? "in-turn" : "fewest");
}

static double counts(const struct place *at)
{
    return kept_number("05-order", at->column, "method=%s order=by-definition", at->row);
}

/* ---- Musella ---- */

static double processor(const struct place *at)
{
    const char *variant = is(at->row, "naive")               ? "ijk"
                          : is(at->row, "hybrid")            ? "one leaf=ijk"
                          : strstr(at->row, "one workspace") ? "appendix"
                                                             : "appendix-malloc";
    static const char *const files[] = {"musella", "musella-cpu"};
    double ms = NAN;
    for (int i = 0; i < 2 && isnan(ms); i++)
        ms = kept_number(files[i], "ms_median", "variant=%s precision=i32 n=%s", variant,
                         at->column);
    return ms / 1000;
}

/* The exponent of n in the time: the logarithm of the number of products of blocks. */
static const char *complexity(const struct place *at)
{
    return text("n^%.2g", log2(kept_number("05-order", "multiplications",
                                           "method=%s order=by-definition", at->row)));
}

/* Figure 2.3: the better of the two, which is what the document's threshold makes. */
static double their_hybrid(const struct place *at)
{
    bool naive = is(at->row, "naive") || atoi(at->column) < 1024;
    return paper_value("musella-table-2.1", naive ? "naive" : "Strassen", at->column);
}

static double over_leaf(const struct place *at)
{
    return kept_number("11-hybrid:tables", is(at->row, "Strassen") ? "hybrid_ms" : "leaf_ms",
                       "leaf=%s n=%s", at->with, at->column);
}

const struct cell_function other_functions[] = {
    {"streams", streams},
    {"rates", rates},
    {"tuning", tuning},
    {"analysis", analysis},
    {"speeds", speeds},
    {"shares", shares},
    {"memory", memory},
    {"order", order},
    {"counts", counts},
    {"processor", processor},
    {"complexity", .formula = complexity},
    {"hybrid", their_hybrid},
    {"over", over_leaf},
    {0},
};
