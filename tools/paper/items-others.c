/* SPDX-License-Identifier: MIT */
/** @file items-others.c
 * The figures and tables of Fatahalian et al. (2004) and of Musella, and the counts of the
 * optimisation study.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "paper.h"
#include "tools/paper/numbers.h"

/* ---- Fatahalian et al. (2004); GB are of 2^30 bytes ---- */

enum { N = 1024 };

/* The same program on our GPU; instead of ATLAS, cuBLAS. */
static double streams_ms(const char *row, long n)
{
    const char *variant = strstr(row, "Single") ? "single" : "multi";
    if (strstr(row, "ATLAS"))
        return kept_number("07-gpu", "reference_ms_median", "n=%ld", n);
    return kept_number("07-gpu", "ms_median", "variant=%s n=%ld", variant, n);
}

static double gflops_of(const char *row, long n)
{
    return 2.0 * (double)n * (double)n * (double)n / streams_ms(row, n) / 1e6;
}

/* What reaches the program: the fetches without the arithmetic, for the library as if each of
   its 2n^3 operands came from memory. */
static double input_gb_s(const char *row, long n)
{
    if (strstr(row, "ATLAS"))
        return 2.0 * (double)n * (double)n * (double)n * 4 / streams_ms(row, n) * 1e3 / 0x1p30;
    return kept_number("07-bandwidth", "gib_per_s", "variant=%s n=%ld unroll=1",
                       strstr(row, "Single") ? "single" : "multi", n);
}

static double micro(const char *variant, const char *field)
{
    return kept_number("07-microbenchmarks", field, "variant=%s", variant);
}

static double table_1(const char *row, const char *column)
{
    if (strcmp(column, "seconds") == 0)
        return streams_ms(row, N) / 1000;
    return strcmp(column, "GFLOP/s") == 0 ? gflops_of(row, N) : input_gb_s(row, N);
}

static double table_2(const char *row, const char *column)
{
    if (strcmp(row, "Pentium 4") == 0)
        return NAN;
    if (strcmp(row, "four textures") == 0)
        return strcmp(column, "cache GB/s")
                   ? NAN
                   : kept_number("07-several", "gib_per_s", "variant=texture-several");
    if (strcmp(column, "GFLOP/s") == 0)
        return micro("multiply-add", "gflops");
    return micro(strcmp(column, "cache GB/s") == 0 ? "texture-one" : "texture-sequential",
                 "gib_per_s");
}

/* What section 2 tried without success: several render targets, and an order forced on the
 * fragments. */
static double tuning(const char *row, const char *column)
{
    const char *variant = strcmp(row, "one target") == 0     ? "single"
                          : strcmp(row, "four targets") == 0 ? "targets"
                                                             : "rectangles";
    return kept_number("07-tricks", "gflops", "variant=%s n=%s", variant, column);
}

/* How many multiply-adds of four components and how many floats a clock, and operations a
 * float. */
static double analysis(const char *column, double gflops, double gb_s, double mhz)
{
    double floats = gb_s * 0x1p30 / 4 / (mhz * 1e6), mads = gflops * 1e3 / 8 / mhz;
    if (strcmp(column, "clock MHz") == 0)
        return mhz;
    if (strcmp(column, "mads a clock") == 0)
        return mads;
    return strcmp(column, "floats a clock") == 0 ? floats : 8 * mads / floats;
}

static double their_analysis(const char *row, const char *column)
{
    const char *item = "fatahalian-table-2";
    return analysis(column, paper_value(item, row, "GFLOP/s"),
                    paper_value(item, row, "cache GB/s"), paper_value(item, row, "clock MHz"));
}

static double our_analysis(const char *row, const char *column)
{
    (void)row;
    return analysis(column, micro("multiply-add", "gflops"), micro("texture-one", "gib_per_s"),
                    micro("multiply-add", "clock_mhz"));
}

static double their_figure_1(const char *row, const char *column)
{
    return strcmp(column, "1024") == 0 ? paper_value("fatahalian-table-1", row, "GFLOP/s")
                                       : (double)NAN;
}

static double our_figure_1(const char *row, const char *column)
{
    return gflops_of(row, strtol(column, NULL, 10));
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

static double their_figure_2(const char *row, const char *column)
{
    bool peak = strcmp(column, "% of peak") == 0;
    const char *t1 = "fatahalian-table-1", *t2 = "fatahalian-table-2";
    return 100 * paper_value(t1, row, peak ? "GFLOP/s" : "GB/s") /
           paper_value(t2, card_of(row), peak ? "GFLOP/s" : "cache GB/s");
}

static double our_figure_2(const char *row, const char *column)
{
    if (strcmp(column, "% of peak") == 0)
        return 100 * gflops_of(row, N) / micro("multiply-add", "gflops");
    return strstr(row, "ATLAS") ? NAN
                                : 100 * input_gb_s(row, N) / micro("texture-one", "gib_per_s");
}

#define STREAMS                                                                                \
    "07-gpu 07-gpu-streams --n 1024 --reps 5 -- 07-gpu-streams --n 2048 --reps 5 -- "          \
    "07-gpu-streams --n 4096 --reps 5 -- 07-gpu-streams --n 8192 --reps 5 ; "                  \
    "07-bandwidth 07-gpu-streams --bandwidth --n 1024 ; "                                      \
    "07-microbenchmarks 07-gpu-streams --microbenchmarks"

const struct item fatahalian_items[] = {
    ITEM("fatahalian-table-1", "Table 1", "section 3",
         "products of 1024 x 1024 matrices: time, GFLOP/s and input bandwidth, on six cards "
         "and a Pentium 4",
         MEASURED_H100,
         "The same program on each row but the last, 125 to 1450 times as fast today. The last "
         "row has cuBLAS in the place of ATLAS, 3560 times as fast. Its time changes from run "
         "to run, from 0.066 to 0.134 ms in the results kept; this is the one beside NV "
         "Single. The library's bandwidth, reckoned as if all 2n^3 operands came from memory, "
         "is more than any cache of the GPU delivers.",
         .from = "07-gpu 07-bandwidth",
         .code = "steps/07-gpu-streams/07-gpu-streams.cu [single]", .measure = "gpu " STREAMS,
         CELLS("fatahalian-table-1", table_1)),
    ITEM("fatahalian-table-2", "Table 2", "section 3",
         "peak arithmetic, cached and sequential fetch", MEASURED_H100,
         "Arithmetic grew 2.4 times (NV 5900) to 4 times (ATI 9800) as much as the cached "
         "bandwidth through textures. The document fetched from several textures in turn, ours "
         "from one: four make no difference.",
         .from = "07-microbenchmarks 07-several",
         .code = "steps/07-gpu-streams/microbenchmarks.cu [walks]", .measure = "gpu " STREAMS,
         CELLS("fatahalian-table-2", table_2),
         .grid.rows = "NV 5900;NV 6800;ATI 9800;ATI X800;Pentium 4;four textures",
         .grid.columns = "GFLOP/s;cache GB/s;sequential GB/s"),
    ITEM("fatahalian-figure-1", "Figure 1", "section 3", "GFLOP/s over n", MEASURED_H100,
         "The picture's curves are lost; Table 1 has their points at 1024. On an H100 every "
         "program is still gaining at 4096.",
         .from = "07-gpu", .code = "docs/results/performance.svg", .measure = "gpu " STREAMS,
         .grid.ours = our_figure_1, .grid.rows = "NV 6800 Single;NV 6800 Multi;P4 ATLAS",
         .grid.columns = "1024;2048;4096;8192", .grid.theirs = their_figure_1,
         LOG_AXES("n", "GFLOP/s")),
    ITEM("fatahalian-figure-2", "Figure 2", "section 3",
         "percent of peak arithmetic and of cached bandwidth, n = 1024", MEASURED_H100,
         "Computed from Tables 1 and 2. NV Single still takes nearly all the bandwidth, and a "
         "smaller share of the arithmetic than in 2004.",
         .from = "07-gpu 07-bandwidth 07-microbenchmarks", .measure = "gpu " STREAMS,
         .grid.ours = our_figure_2,
         .grid.rows = "NV 5900 Single;NV 5900 Multi;NV 6800 Single;NV 6800 Multi;ATI 9800 "
                      "Multi;ATI X800 Multi;P4 ATLAS",
         .grid.columns = "% of peak;% of cache", .grid.theirs = their_figure_2),
    ITEM("fatahalian-analysis", "the analysis", "section 3",
         "operations on each fetched float that keep the arithmetic busy", MEASURED_H100,
         "Both cards of 2004 need more than 8 operations a float; an H100 needs more than 30.",
         .from = "07-microbenchmarks", .code = "steps/07-gpu-streams/tables.cu [blocking]",
         .measure = "gpu " STREAMS, .grid.ours = our_analysis, .grid.rows = "NV 6800;ATI X800",
         .grid.columns = "clock MHz;mads a clock;floats a clock;operations a float",
         .grid.theirs = their_analysis),
    ITEM("fatahalian-tuning", "the tuning", "section 2",
         "GFLOP/s of NV Single with several render targets, and in rectangles", MEASURED_H100,
         "The document has no numbers: several targets were unsatisfactory, and no order was "
         "better than the card's own. On an H100 four targets are twice as fast as one, and a "
         "launch for each rectangle costs more than half of the speed.",
         .from = "07-tricks", .code = "steps/07-gpu-streams/tricks.cu [targets]",
         .measure = "paper/measure documents", .grid.ours = tuning,
         .grid.rows = "one target;four targets;rectangles", .grid.columns = "1024;2048;4096"),
    {0},
};

/* ---- The optimisation study ---- */

static const char *whole(double x)
{
    static char texts[4][32];
    static int next;
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%.10g", x);
    return isnan(x) ? NULL : text;
}

static const char *memory_text(const char *row, const char *column)
{
    const char *variant = strstr(row, "all") ? "seven" : "one";
    double bytes = kept_number("04-cpu-strassen-plans", "workspace_bytes",
                               "variant=%s n=1024 levels=%d", variant, atoi(column));
    return whole(bytes / 4 / 1024 / 1024);
}

static const char *order_text(const char *row, const char *column)
{
    const char *method = strncmp(row, "Winograd", 8) == 0 ? "Winograd" : "Strassen";
    char field[32];
    snprintf(field, sizeof field, "%ss", column);
    return whole(kept_number("05-order", field, "method=%s order=%s", method,
                             strstr(row, "before") ? "in-turn" : "fewest"));
}

static const char *count_text(const char *row, const char *column)
{
    return whole(kept_number("05-order", column, "method=%s order=by-definition", row));
}

#define ORDER "05-order 05-cpu-winograd --order"

const struct item study_items[] = {
    ITEM("study-counts", "the counts", "\"Strassen's\" and \"Winograd's algorithm\"",
         "multiplications and additions of blocks a level", EXACT,
         "Eight products and four sums, seven and eighteen, seven and fifteen.",
         .from = "05-order", .measure = ORDER, .grid.numbers = "study-counts",
         .grid.our_text = count_text),
    ITEM("study-memory", "the memory", "\"Strassen's algorithm\"",
         "workspace in units of n^2, all products at once and one at a time", EXACT,
         "Byte for byte what steps 04's plans `seven` and `one` ask for.",
         .from = "04-cpu-strassen-plans",
         .code = "steps/04-cpu-strassen/04-cpu-strassen.c [one]",
         .measure = "04-cpu-strassen-plans 04-cpu-strassen --n 1024 --levels 1 --leaf openblas "
                    "--reps 0 -- 04-cpu-strassen --n 1024 --levels 2 --leaf openblas --reps 0 "
                    "--variant seven,one",
         .grid.numbers = "study-memory", .grid.our_text = memory_text),
    ITEM("study-order", "the order", "\"Strassen's algorithm\"",
         "set and add operations of Strassen's products, in turn and ordered", EXACT,
         "All 5040 orders are tried; the fewest operations are the study's.",
         .from = "05-order", .code = "steps/05-cpu-winograd/order.c", .measure = ORDER,
         .grid.numbers = "study-order", .grid.our_text = order_text),
    ITEM("study-winograd", "Winograd's order", "\"Winograd's algorithm\"",
         "set and add operations of Winograd's variant in 3/4 n^2", EXACT,
         "Variant `study` of step 05 runs with these operations and one buffer each for S, T "
         "and M.",
         .from = "05-order", .code = "steps/05-cpu-winograd/study.c [schedule]",
         .measure = ORDER, .grid.numbers = "study-winograd", .grid.our_text = order_text),
    {0},
};

/* ---- Musella ---- */

static double table_21(const char *row, const char *column)
{
    bool naive = strcmp(row, "naive") == 0;
    const char *variant = naive                          ? "ijk"
                          : strstr(row, "one workspace") ? "appendix"
                                                         : "appendix-malloc";
    return kept_number("musella-cpu", "ms_median", "variant=%s precision=i32 n=%s", variant,
                       column) /
           1000;
}

/* Figure 2.3: the better of the two, which is what the document's threshold makes. */
static double their_23(const char *row, const char *column)
{
    double naive = paper_value("musella-table-2.1", "naive", column);
    double strassen = paper_value("musella-table-2.1", "Strassen", column);
    return strcmp(row, "naive") == 0 ? naive : atoi(column) < 1024 ? naive : strassen;
}

static double our_23(const char *row, const char *column)
{
    bool naive = strcmp(row, "naive") == 0;
    if (naive)
        return table_21(row, column);
    return kept_number("musella-cpu", "ms_median", "variant=one leaf=ijk precision=i32 n=%s",
                       column) /
           1000;
}

static double hybrid_ms(const char *row, const char *column, const char *leaf)
{
    bool alone = strcmp(row, "Strassen") != 0;
    return kept_number("11-tables", alone ? "leaf_ms" : "hybrid_ms", "leaf=%s n=%s", leaf,
                       column);
}
static double table_501(const char *row, const char *column)
{
    return hybrid_ms(row, column, "tile16");
}
static double table_502(const char *row, const char *column)
{
    return hybrid_ms(row, column, "cublas");
}

#define CPU_RUNS(n)                                                                            \
    "01-cpu-naive.i32 --n " n " --variant ijk --reps 3 -- "                                    \
    "04-cpu-strassen.i32 --n " n " --variant appendix-malloc,appendix --reps 3 -- "            \
    "04-cpu-strassen.i32 --n " n " --variant one --leaf ijk --tau1 512 --reps 3"
#define CPU                                                                                    \
    "musella-cpu " CPU_RUNS("256") " -- " CPU_RUNS("512") " -- " CPU_RUNS(                     \
        "1000") " -- " CPU_RUNS("1024")
#define TABLES "gpu 11-tables 11-strassen-over-cublas --tables"

const struct item musella_items[] = {
    ITEM("musella-table-2.1", "Table 2.1", "section 2.1",
         "seconds on one core, int: the naive product against Strassen down to 2 x 2",
         MEASURED_HERE,
         "The crossing at 1024 is a cache effect: the naive product jumps there by more than "
         "the eight times that the work grows, and at n = 1000 it does not.",
         .from = "musella-cpu", .code = "steps/04-cpu-strassen/musella.c [appendix]",
         .measure = CPU, CELLS("musella-table-2.1", table_21),
         .grid.rows = "naive;Strassen;Strassen in one workspace",
         .grid.columns = "256;512;1000;1024;2048;4096", LOG_AXES("n", "seconds")),
    ITEM("musella-figure-2.1", "Figure 2.1", "chapter 2", "the tree of recursion", DRAWING,
         "Seven branches a node; step 04 draws its products and its memory.",
         .code = "steps/04-cpu-strassen/04-seven-products.svg"),
    ITEM("musella-figure-2.2", "Figure 2.2", "section 2.1", "plot of Table 2.1", MEASURED_HERE,
         "The naive line bends upwards at a power of two, where a column of B falls into few "
         "cache sets.",
         .from = "musella-cpu", .measure = CPU, CELLS("musella-table-2.1", table_21),
         .grid.columns = "256;512;1000;1024;2048;4096", LOG_AXES("n", "seconds")),
    ITEM("musella-figure-2.3", "Figure 2.3", "section 2.1.1",
         "plot of the hybrid on one core, n0 = 1024", MEASURED_HERE,
         "The hybrid is the naive product up to n0; the document's curve is taken from Table "
         "2.1.",
         .from = "musella-cpu", .measure = CPU, .grid.ours = our_23,
         .grid.rows = "naive;hybrid", .grid.columns = "256;512;1000;1024;2048;4096",
         .grid.theirs = their_23, LOG_AXES("n", "seconds")),
    ITEM("musella-figure-2.4", "Figure 2.4", "section 2.2.1", "a buffer for M1 at each level",
         DRAWING, "Step 11 takes the buffers of a level off the front of one workspace.",
         .code = "steps/11-strassen-over-cublas/11-strassen-over-cublas.cu [buffers]"),
    ITEM("musella-table-5.0.1", "the table of section 5.0.1", "section 5.0.1",
         "milliseconds over a hand-written kernel, n0 = 512", MEASURED_H100,
         "The document gains from 1024 on; on an H100 the library calls for the sums cost more "
         "than an eighth of the product saves.",
         .from = "11-tables", .measure = TABLES, CELLS("musella-table-5.0.1", table_501)),
    ITEM("musella-figure-5.1", "Figure 5.1", "section 5.0.1", "plot of that table",
         MEASURED_H100,
         "Parallel lines: the document's hybrid lies below its kernel, ours meets it at 8192.",
         .from = "11-tables", .measure = TABLES, CELLS("musella-table-5.0.1", table_501),
         LOG_AXES("n", "milliseconds")),
    ITEM("musella-table-5.0.2", "the table of section 5.0.2", "section 5.0.2",
         "milliseconds over cuBLAS, n0 = 1024", MEASURED_H100,
         "The document gains from 4096 on. With the same n0 our hybrid loses everywhere: "
         "products of 1024 are too small for an H100.",
         .from = "11-tables", .measure = TABLES, CELLS("musella-table-5.0.2", table_502)),
    ITEM("musella-figure-5.2", "Figure 5.2", "section 5.0.2", "plot of that table",
         MEASURED_H100,
         "The closer the leaf is to the hardware's peak, the less a level can save.",
         .from = "11-tables", .measure = TABLES, CELLS("musella-table-5.0.2", table_502),
         LOG_AXES("n", "milliseconds")),
    {0},
};

const struct document documents[] = {
    {"Li et al. (2011)", li_items},
    {"Fatahalian et al. (2004)", fatahalian_items},
    {"The optimisation study", study_items},
    {"Musella", musella_items},
    {0},
};
