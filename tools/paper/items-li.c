/* SPDX-License-Identifier: MIT */
/** @file items-li.c
 * The 44 figures of Li et al. (2011), and the two of its statements that numbers can test.
 */
#include <stddef.h>

#include "li-cells.h"
#include "model.h"
#include "paper.h"

#define STEP_COMMAND(step, options)  step ".sim --reps 0 --count " options
#define COUNTED(name, step, options) "paper-" name "-counts " STEP_COMMAND(step, options)
#define BOTH_METHODS(figure, options)                                                          \
    COUNTED(figure, "14-strassen-multilevel", options)                                         \
    " -- " STEP_COMMAND("15-winograd-multilevel", options)

/* Figures 14 to 22 but 16 are cells of the model. */
#define MODEL_CELL(figure)                                                                     \
    static const char *cell_##figure(const char *row, const char *column)                      \
    {                                                                                          \
        return model_cell(#figure, row, column);                                               \
    }
MODEL_CELL(11)
MODEL_CELL(14)
MODEL_CELL(15)
MODEL_CELL(17)
MODEL_CELL(18)
MODEL_CELL(19)
MODEL_CELL(20)
MODEL_CELL(21)
MODEL_CELL(22)
#define MODELLED(figure, options)                                                              \
    .code = "common/model/multilevel.c", .measure = BOTH_METHODS(#figure, options),            \
    .grid.numbers = #figure, .grid.our_text = cell_##figure

#define FORMULAS(figure, levels, options)                                                      \
    FIGURE(#figure, "7.1",                                                                     \
           "arithmetic, transactions and volume of " levels " levels, as formulas", EXACT,     \
           "Every formula is the document's. The model adds up the kernels of the schedule; "  \
           "the simulated GPU counts them one by one.",                                        \
           MODELLED(figure, options))

#define PERCENTAGES(figure, levels, options)                                                   \
    FIGURE(#figure, "7.1",                                                                     \
           "percent less arithmetic, transactions and volume than GPU8, " levels, EXACT,       \
           "Every cell is the document's. Volume falls least: the sums move bytes that GPU8 "  \
           "does not.",                                                                        \
           MODELLED(figure, options))

/* Any computer can do n = 2048: the processor's row, and three on the simulated GPU. */
#define ON_SIM(step, options)                                                                  \
    step ".sim --n 2048 --input kaporin-f32 --reps 0 --no-count " options
#define KAPORIN                                                                                \
    "01-kaporin 01-cpu-naive --n 2048 --variant unfused --input kaporin-f32 --reps 0 ; "       \
    "14-kaporin " ON_SIM("10-gpu8", "") " -- " ON_SIM(                                         \
        "14-strassen-multilevel",                                                              \
        "--tau1 1024 --tau2 2048") " -- " ON_SIM("15-winograd-multilevel",                     \
                                                 "--tau1 1024 --tau2 2048")

#define QUANTITIES      "run time;arithmetics;transactions;volume"
#define SIZES           "4096;8192;16384"
#define SIZES_FROM_2048 "2048;" SIZES

/* Whose numbers come from one measurement. */
#define TIMES  .from = "paper-times", .measure = "paper/measure times"
#define DOUBLE .from = "paper-double", .measure = "paper/measure double"
#define SINGLE .from = "paper-single paper-accuracy", .measure = "paper/measure single"

#define REDUCTIONS(figure, method, tau2, sentence)                                             \
    FIGURE(#figure, "8.1.1",                                                                   \
           "percent less run time, arithmetic, transactions and volume than GPU8: " method     \
           ", tau2 = " tau2,                                                                   \
           MEASURED_H100, sentence, TIMES, .grid.ours = our_reduction_##figure,                \
           .grid.rows = QUANTITIES, .grid.columns = SIZES,                                     \
           .grid.theirs = their_reduction_##figure, AXES("n", "percent less than GPU8"))

/* Figures 32 to 35 at n = 16384: no run has levels 1 and 2 with the document's own matrices. */
#define BY_LEVELS                                                                              \
    "Ours with 0, 3 and 4 levels are from an H200 with Kaporin's matrices made in single "     \
    "precision, as the document's (paper-single). Those with 1 and 2 levels are from an H100 " \
    "with the matrices made in double precision and rounded once (paper-accuracy)."

const struct item li_items[] = {
    FIGURE("1", "1", "A, B and C as four blocks each", DRAWING,
           "Step 12 draws the same quadrants with what each kernel reads and writes.",
           .code = "steps/12-strassen-one-level/12-quadrants.svg"),
    FIGURE("2", "1", "Strassen in 25 steps with two temporaries", EXACT,
           "Variant `two` of step 04 is this schedule, line for line.",
           .code = "steps/04-cpu-strassen/04-cpu-strassen.c [two]",
           .measure = "paper-2 04-cpu-strassen --n 256 --levels 2 --variant two --reps 1"),
    FIGURE("3", "1", "Winograd's variant in 22 steps with two temporaries (Douglas et al.)",
           EXACT, "Variant `figure3` of step 05 is this schedule, line for line.",
           .code = "steps/05-cpu-winograd/05-cpu-winograd.c [figure3]",
           .measure = "paper-3 05-cpu-winograd --n 256 --levels 2 --variant figure3 --reps 1"),
    FIGURE("4", "2", "NVIDIA's hardware model: N multiprocessors of M processors", DRAWING,
           "The table of the hardware page has N and M of the C1060, the C2050 and an H100.",
           .code = "docs/hardware.md"),
    FIGURE(
        "5", "2", "the Tesla C1060: 30 multiprocessors of 8 processors", DRAWING,
        "The simulated GPU has this card's rules: half-warps, 16 banks, segments of 128 bytes.",
        .code = "docs/hardware.md"),
    FIGURE("6", "2", "a photograph of a Tesla card", DRAWING,
           "A photograph has no number to compare; the hardware page has the card's data.",
           .code = "docs/hardware.md"),
    FIGURE("7", "4", "update2: 16 elements of c += 16 of a times one b", EXACT,
           "The same loop; the caption's float2 is a slip.",
           .code = "steps/10-gpu8/gpu8.cuh [update]",
           .measure = "paper-7 10-gpu8.sim --n 128 --count --reps 0"),
    FIGURE("8", "4", "GPU8, first part: the tile of A into shared memory", EXACT,
           "As printed it is misaligned; step 10 has it as printed and mended.",
           .code = "steps/10-gpu8/gpu8.cuh [gpu8]",
           .measure = "paper-8 10-gpu8.sim --n 128 --count --reps 0"),
    FIGURE("9", "4", "GPU8, second part: the products and the store", EXACT,
           "The transactions counted are the document's 17n^3/4096 + n^2/16.",
           .code = "steps/10-gpu8/gpu8.cuh [gpu8]",
           .measure = "paper-9 10-gpu8.sim --n 128 --count --reps 0"),
    FIGURE("10", "5", "the kernel that adds two matrices", EXACT,
           "Two neighbours a thread: a half-warp moves 128 bytes at once.",
           .code = "steps/12-strassen-one-level/kernels.cuh [add]",
           .measure = "paper-10 12-strassen-one-level.sim --n 128 --count --reps 0"),
    FIGURE("11", "5", "transactions and volume of the ten kernels", EXACT,
           "Every cell is the document's: seven of the ten kernels add to the product's cost "
           "only what their stores move.",
           .code = "steps/12-strassen-one-level/kernels.cuh [store two]",
           .measure = COUNTED("11", "12-strassen-one-level", "--n 256") " -- " STEP_COMMAND(
               "13-winograd-one-level", "--n 256"),
           .grid.numbers = "11", .grid.our_text = cell_11),
    FIGURE("12", "6.1", "one level of Strassen in seven product kernels and ten sums", EXACT,
           "The kernel calls are the document's, in its order; the numbers are its steps.",
           .code = "steps/12-strassen-one-level/one-level.cuh [figure 12]",
           .measure = COUNTED("12", "12-strassen-one-level", "--n 256")),
    FIGURE("13", "6.2",
           "one level of Winograd's variant in seven product kernels and eight sums", EXACT,
           "The kernel calls are the document's, without its stray comma.",
           .code = "steps/13-winograd-one-level/figure13.cuh [figure 13]",
           .measure = COUNTED("13", "13-winograd-one-level", "--n 256")),
    FIGURE("14", "6.2", "arithmetic, transactions and volume of one level, as formulas", EXACT,
           "Every formula is the document's, computed from the kernels of Figures 12 and 13.",
           .code = "common/model/multilevel.c",
           .measure = COUNTED("14", "12-strassen-one-level", "--n 256") " -- " STEP_COMMAND(
               "13-winograd-one-level", "--n 256"),
           .grid.numbers = "14", .grid.our_text = cell_14),
    PERCENTAGES(15, "one level", "--n 256 --levels 1"),
    FIGURE("16", "7.1", "multilevel Strassen", EXACT,
           "The recursion is the document's, line for line.",
           .code = "steps/14-strassen-multilevel/strassen.cu [figure 16]",
           .measure = COUNTED("16", "14-strassen-multilevel", "--n 512 --levels 2")),
    FORMULAS(17, "two", "--n 512 --levels 2"),
    FORMULAS(18, "three", "--n 1024 --levels 3"),
    FORMULAS(19, "four", "--n 2048 --levels 4 --no-count"),
    PERCENTAGES(20, "two levels", "--n 512 --levels 2"),
    PERCENTAGES(21, "three levels", "--n 1024 --levels 3"),
    PERCENTAGES(22, "four levels", "--n 2048 --levels 4 --no-count"),
    FIGURE("23", "7.2", "multilevel Winograd", EXACT,
           "The recursion is the document's, line for line.",
           .code = "steps/15-winograd-multilevel/winograd.cu [figure 23]",
           .measure = COUNTED("23", "15-winograd-multilevel", "--n 512 --levels 2")),
    FIGURE("24", "8.1.1", "run time in seconds on the C1060, with each method's best tau2",
           MEASURED_H100,
           "On both GPUs the recursive methods are faster than sgemm and GPU8 from n = 4096 "
           "on. The textured ones have tau2 = 2048 here, which was the C1060's best and is not "
           "the H100's.",
           TIMES, CELLS("24", time_cell), LOG_AXES("n", "seconds")),
    FIGURE("25", "8.1.1", "plot of Figure 24", MEASURED_H100,
           "Two bundles of lines with one slope, a factor of about sixty apart.", TIMES,
           CELLS("24", time_cell), LOG_AXES("n", "seconds")),
    REDUCTIONS(26, "Strassen", "4096",
               "On the C1060 the run time lies on the volume. On the H100 it does so at 8192 "
               "alone: at 4096 it lies nearer the arithmetic, and at 16384 GPU8 itself becomes "
               "slow, and a method with smaller products gains more than it saves."),
    REDUCTIONS(27, "Winograd", "4096",
               "As Figure 26, a little higher: Winograd's variant moves less."),
    REDUCTIONS(28, "Strassen", "2048",
               "The document has no times for 4096 and 8192 with this tau2. On the H100 "
               "products of 1024 are too small to fill the GPU: the level more costs time."),
    REDUCTIONS(29, "Winograd", "2048", "As Figure 28, a little higher."),
    FIGURE("30", "8.1.2", "largest errors on Kaporin's matrices, by tau2 and n", MEASURED_H100,
           "The errors are a property of the method, not of the GPU: they come out almost "
           "digit for digit.",
           .from = "paper-single paper-accuracy 14-kaporin 01-kaporin", .measure = KAPORIN,
           CELLS("30", max_error_cell), LOG_AXES("n", "largest error")),
    FIGURE("31", "8.1.2", "average errors on Kaporin's matrices, by tau2 and n", MEASURED_H100,
           "They come out when the average is summed in single precision, as the document must "
           "have done; a sum in double precision is larger at 8192 and 16384.",
           .from = "paper-single paper-accuracy 14-kaporin 01-kaporin", .measure = KAPORIN,
           CELLS("31", mean_error_cell), LOG_AXES("n", "average error")),
    FIGURE("32", "8.1.3", "largest errors at n = 16384, by levels", MEASURED_H100,
           "Winograd is the more accurate with one and two levels, and far behind with "
           "four. " BY_LEVELS,
           SINGLE, CELLS("32", max_error_by_levels), LOG_AXES("levels", "largest error")),
    FIGURE("33", "8.1.3", "plot of Figure 32", MEASURED_H100,
           "Winograd's curve crosses Strassen's after two levels. " BY_LEVELS, SINGLE,
           CELLS("32", max_error_by_levels), LOG_AXES("levels", "largest error")),
    FIGURE("34", "8.1.3", "average errors at n = 16384, by levels", MEASURED_H100,
           "Without levels the document repeats its value for n = 2048; its Figure 31 has "
           "3.3e-8 here. " BY_LEVELS
           " The averages of 0, 3 and 4 levels are summed in single precision as the "
           "document's, those of 1 and 2 in double precision.",
           SINGLE, CELLS("34", mean_error_by_levels), LOG_AXES("levels", "average error")),
    FIGURE("35", "8.1.3", "plot of Figure 34", MEASURED_H100,
           "Winograd's average error is above Strassen's on every level. " BY_LEVELS
           " Figure 34 says how ours are summed.",
           SINGLE, CELLS("34", mean_error_by_levels), LOG_AXES("levels", "average error")),
    FIGURE("36", "8.1.3", "run time at n = 16384, by levels", MEASURED_H100,
           "On both GPUs the plain methods are best with three levels; the textured ones "
           "gained from a fourth on the C1060 alone.",
           TIMES, CELLS("36", time_by_levels), LOG_AXES("levels", "seconds")),
    FIGURE("37", "8.1.3", "percent less time than sgemm and than GPU8 at n = 16384",
           MEASURED_H100,
           "The gain over GPU8 is larger than any saving can explain: at this size GPU8 runs "
           "slowly on an H100.",
           TIMES, CELLS("37", speedup_by_levels), AXES("levels", "percent less time")),
    FIGURE(
        "38", "8.1.3", "plot of Figure 37, against sgemm", MEASURED_H100,
        "On the H100 every curve falls with the fourth level; on the C1060 the textured ones "
        "still rise.",
        TIMES, CELLS("37", speedup_by_levels),
        .grid.rows =
            "Strassen over sgemm;tStrassen over sgemm;Winograd over sgemm;tWinograd over sgemm",
        AXES("levels", "percent less time than sgemm")),
    FIGURE("39", "8.1.3", "plot of Figure 37, against GPU8", MEASURED_H100,
           "On the H100 the curves begin at 31 percent: GPU8 at 16384 is slower than at 8192.",
           TIMES, CELLS("37", speedup_by_levels),
           .grid.rows =
               "Strassen over GPU8;tStrassen over GPU8;Winograd over GPU8;tWinograd over GPU8",
           AXES("levels", "percent less time than GPU8")),
    FIGURE("40", "8.2", "double precision on the C2050: seconds, and percent less than dgemm",
           MEASURED_H100,
           "Today's dgemm runs on tensor cores: at these sizes dStrassen and dWinograd are "
           "slower than it.",
           DOUBLE, CELLS("40", double_cell)),
    FIGURE("41", "8.2", "plot of the times of Figure 40", MEASURED_H100,
           "Both GPUs have one slope; on the H100 dgemm is the lowest line, on the C2050 the "
           "highest.",
           DOUBLE, CELLS("40", double_cell), .grid.rows = "dgemm;dStrassen;dWinograd",
           LOG_AXES("n", "seconds")),
    FIGURE("42", "8.2", "plot of the speedups of Figure 40", MEASURED_H100,
           "Above zero on the C2050, below it on the H100.", DOUBLE, CELLS("40", double_cell),
           .grid.rows = "dStrassen less than dgemm;dWinograd less than dgemm",
           AXES("n", "percent less time than dgemm")),
    FIGURE("43", "8.2", "errors on Kaporin's matrices in double precision, n = 8192",
           MEASURED_H100,
           "They come out; the row of the CPU is an unfused classical product in step 01.",
           .from = "paper-accuracy 01-kaporin", .measure = "paper/measure accuracy",
           CELLS("43", double_max_mean)),
    FIGURE("44", "8.2",
           "errors against a classical product over its mean, random pairs (the document ten, "
           "ours five), n = 8192",
           MEASURED_HERE,
           "The averages come out for inputs from [0, 1], not from [-1, 1] as the text says. "
           "17-figure44 has all elements of five pairs and is what stands here. 17-elements "
           "has a few elements of one pair, so its largest errors are smaller.",
           .from = "17-figure44 17-elements", .measure = "17-elements 17-double.sim --elements",
           CELLS("44", normalised_cell)),
    ITEM("texture-sgemm", "sgemm with a texture", "section 8.1",
         "percent less time for sgemm with A as a texture", MEASURED_H100,
         "The texture hardly matters on either GPU; on the H100 the sign changes with n.",
         .from = "16-sgemm", .code = "steps/16-texture/sgemm.cuh [sgemm]",
         .measure = "paper/measure documents", CELLS("texture-sgemm", texture_sgemm_cell),
         .grid.columns = SIZES_FROM_2048),
    ITEM("hardware", "the hardware", "sections 2 and 3",
         "the C1060 and the C2050, beside an H100", EXACT,
         "A GFLOP/s takes a twentieth of the C1060's power. The H100's column is NVIDIA's data "
         "sheet, with double precision without tensor cores.",
         .code = "docs/hardware.md", .grid.numbers = "hardware"),
    ITEM("conclusion", "the conclusion", "sections 8.1.1 and 9",
         "speedup most closely follows volume: percent less than GPU8", MEASURED_H100,
         "On the C1060 the volume is the closest of the three. On an H100 it is so with two "
         "levels at n = 8192, and there in the mean over one and two. With one level at 4096 "
         "the arithmetic is the closest and the volume the farthest. With more levels the "
         "products are too small to fill the GPU, and the volume is the closest of three that "
         "are all 4 points off or more. At 16384 GPU8 itself slows down, and nothing follows "
         "anything.",
         TIMES, .grid.ours = our_conclusion,
         .grid.rows =
             "Strassen 4096 1;Winograd 4096 1;Strassen 4096 2;Winograd 4096 2;Strassen 8192 "
             "1;Winograd 8192 1;Strassen 8192 2;Winograd 8192 2;Strassen 8192 3;Winograd 8192 "
             "3;Strassen 8192 4;Winograd 8192 4;Strassen 16384 1;Winograd 16384 1;Strassen "
             "16384 2;Winograd 16384 2;Strassen 16384 3;Winograd 16384 3;Strassen 16384 "
             "4;Winograd 16384 4;distance 4096 1;distance 4096 2;distance 8192 2;distance 8192 "
             "4;distance 16384 2;distance 16384 4",
         .grid.columns = QUANTITIES, .grid.theirs = their_conclusion, .grid.scatter = true,
         AXES("percent less by the model", "percent less run time")),
    {0},
};
