/* SPDX-License-Identifier: MIT */
#include "common/measure/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "common/device/timer.h"
#include "common/device/host.h"
#include "common/device/worker.h"
#include "common/measure/json.h"

enum { MUCH_PADDING = 64 };

static double gflops_of(const struct options *o, double ms)
{
    return 2e-6 * (double)o->m * (double)o->n * (double)o->k / ms;
}

/* False on the simulated GPU: its times say nothing about a GPU. */
static bool is_timed(const struct result *r) { return r->timing.reps && !backend.simulated; }

/* True if the variant says when its time begins and ends; in a worker the checker does. */
static bool has_own_clock(const struct result *r)
{
    return is_timed(r) && r->variant->own_clock && !worker_is_there();
}

/* The vendor's time divided by ours: above 1 we are faster. Negative if there is no ratio. */
static double ratio_of(const struct result *r)
{
    return is_timed(r) && r->reference_timing.reps && r->timing.median > 0
               ? r->reference_timing.median / r->timing.median
               : -1;
}

/* True if another program must have slowed most runs: half of them took more than twice as long
   as the fastest. */
static bool is_scattered(const struct timing *t) { return t->median > 2 * t->min; }

/* The ratio for a reader; negative also if the vendor's times scatter. */
static double shown_ratio(const struct result *r)
{
    return is_scattered(&r->reference_timing) ? -1 : ratio_of(r);
}

/* The checks that judged a result, separated by commas. */
static const char *judges_of(const struct result *r)
{
    static const struct {
        unsigned judged;
        const char *name;
    } judges[] = {{JUDGED_INTEGERS, "integers"}, {JUDGED_BITS, "bits"},
                  {JUDGED_BOUND, "bound"},       {JUDGED_RUNS, "runs"},
                  {JUDGED_SHAPE, "shape"},       {JUDGED_FREIVALDS, "freivalds"},
                  {JUDGED_GUARDS, "guards"},     {JUDGED_COUNTS, "counts"}};
    static char text[64];
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof judges / sizeof *judges; i++)
        if (r->judged & judges[i].judged)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                                     judges[i].name);
    return text;
}

/* True on a terminal too narrow for the table; each variant is then printed on several lines.
 */
static bool is_narrow(void)
{
    enum { TABLE_COLUMNS = 93 };
    int columns = terminal_columns(stdout);
    return columns > 0 && columns < TABLE_COLUMNS;
}

static const char *verdict_of(const struct result *r)
{
    return r->verdict.passed ? "right" : "WRONG";
}

/* Where the options ask for more than is done. */
static void warn_of_cuts(const struct options *o)
{
    if (o->reps > TIMING_MOST)
        say(stderr, "--reps %ld: at most %d runs are timed\n", o->reps, TIMING_MOST);
    int levels = depth_of(o).levels;
    if (o->step->leaves && o->levels > levels)
        say(stderr, "--levels %ld: at most %d: a dimension is then 1\n", o->levels, levels);
}

static void introduce(const struct options *o, const char *vendor, const char *note)
{
    const char *none = o->precision == PRECISION_I32
                           ? "no vendor library (none multiplies integers)"
                           : "no vendor library (none found)";
    say(stdout, "%s: %s\n", o->step->name, o->step->idea);
    printf("C (%ld x %ld) = A (%ld x %ld) * B (%ld x %ld), %s, ", o->m, o->n, o->m, o->k, o->k,
           o->n, precision_names[o->precision]);
    if (o->input == INPUT_FILE)
        printf("A from %s, B from %s\n", o->input_a, o->input_b);
    else
        printf("%s input, seed %ld\n", input_names[o->input], o->seed);
    if (o->step->in_reports)
        o->step->in_reports->introduce(o);
    else if (backend.simulated)
        printf("on %s, which counts accesses to memory and has no times\n", backend.device());
    else
        say(stdout, "on %s, %ld host thread%s; compared with %s\n", backend.device(),
            o->threads, o->threads == 1 ? "" : "s", vendor ? vendor : none);
    if (*note)
        say(stdout, "%s\n", note);
    putchar('\n');
    if (!is_narrow()) {
        printf("%-22s %2s ", "variant", "L");
        if (!backend.simulated)
            printf("%10s %9s %8s ", "ms", "GFLOP/s", "x vendor");
        printf("%10s %9s %9s  %s\n", "workspace", "max error", "allowed", "verdict");
    }
    fflush(stdout); /* for pipes: the first result may take minutes */
}

static void warn_of_padding(const struct options *o, const struct outcome *outcome)
{
    for (int i = 0; i < outcome->count; i++) {
        const struct result *r = &outcome->results[i];
        double times = (double)r->shape.c.rows / (double)o->m *
                       ((double)r->shape.c.cols / (double)o->n) *
                       ((double)r->shape.a.cols / (double)o->k);
        if (r->levels > 0 && times >= MUCH_PADDING) {
            say(stderr,
                "%s: %d %s m, n, k to %ld, %ld, %ld, which is %.0f times the work; fewer "
                "levels pad less\n",
                r->variant->name, r->levels, r->levels == 1 ? "level pads" : "levels pad",
                r->shape.c.rows, r->shape.c.cols, r->shape.a.cols, times);
            return; /* once is enough */
        }
    }
}

void report_start(const struct options *o, const struct outcome *outcome, const char *note)
{
    if (!o->json && !o->quiet)
        introduce(o, outcome->vendor, note);
    if (!o->quiet)
        warn_of_cuts(o), warn_of_padding(o, outcome);
}

void report_size(const struct options *o)
{
    const double quick = 1024.0 * 1024 * 1024;
    if (backend.simulated && !o->quiet && (double)o->m * (double)o->n * (double)o->k > quick)
        say(stderr,
            "%ld x %ld x %ld may take the simulated GPU minutes or hours; take --n 256 to "
            "see its counts\n",
            o->m, o->n, o->k);
}

void report_skip(const struct options *o, const struct result *r, double matrix_bytes)
{
    double bytes = (double)r->workspace_bytes;
    if (*r->note && (!o->quiet || o->variant))
        say(stderr, "%s %s\n", r->variant->name, r->note);
    else if (!*r->note && !o->quiet)
        say(stderr,
            "%s is left out: it takes %.0f bytes (%s) of workspace for matrices of %s; "
            "--variant %s "
            "runs it anyway\n",
            r->variant->name, bytes, readable_bytes(bytes), readable_bytes(matrix_bytes),
            r->variant->name);
}

void report_progress(const struct options *o, const char *format, ...)
{
    if ((o && (o->json || o->quiet)) || !terminal_is_live(stderr))
        return;
    va_list arguments;
    va_start(arguments, format);
    char text[256];
    int columns = terminal_columns(stderr);
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "\r\033[K%.*s", columns > 1 ? columns - 1 : (int)sizeof text, text);
    fflush(stderr);
    va_end(arguments);
}

void report_fields(struct json *j, const struct options *o, const struct result *r)
{
    bool timed = is_timed(r), counted = r->counts.transactions >= 0;
    const struct cost *model = &r->cost;
    json_text(j, "step", o->step->name);
    json_text(j, "variant", r->variant->name);
    json_text(j, "backend", backend.name);
    json_text(j, "device", backend.device());
    json_text(j, "precision", precision_names[o->precision]);
    json_text(j, "leaf", o->leaf ? o->leaf : o->step->leaves ? o->step->leaves->name : NULL);
    json_text(j, "input", input_names[o->input]);
    json_whole(j, "m", (double)o->m);
    json_whole(j, "n", (double)o->n);
    json_whole(j, "k", (double)o->k);
    if (o->step->in_reports)
        o->step->in_reports->json_before(o, j); /* a plan, with its levels */
    else
        json_whole(j, "levels", r->levels);
    json_number_if(j, r->padded, "padded_m", (double)r->shape.c.rows);
    json_number_if(j, r->padded, "padded_n", (double)r->shape.c.cols);
    json_number_if(j, r->padded, "padded_k", (double)r->shape.a.cols);
    json_number_if(j, o->tau1 > 0, "tau1", (double)o->tau1);
    json_number_if(j, o->tau2 > 0, "tau2", (double)o->tau2);
    json_number(j, "threads", (double)o->threads);
    for (const struct setting *s = o->step->settings; s && s->name && !o->step->in_reports; s++)
        json_number(j, s->name, (double)o->settings[s - o->step->settings]);
    json_number_if(j, r->timing.reps > 0, "reps", r->timing.reps);
    json_number_if(j, timed, "ms_median", r->timing.median);
    json_number_if(j, timed, "ms_min", r->timing.min);
    json_number_if(j, timed, "ms_max", r->timing.max);
    json_number_if(j, has_own_clock(r), "own_clock", 1);
    json_number_if(j, timed, "gflops", gflops_of(o, r->timing.median));
    json_text(j, "reference", r->reference);
    json_number_if(j, r->reference_timing.reps > 0, "reference_ms_median",
                   r->reference_timing.median);
    json_number_if(j, ratio_of(r) > 0, "ratio", ratio_of(r));
    json_number(j, "max_error", r->verdict.max_error);
    json_number(j, "mean_error", r->verdict.mean_error);
    json_number_if(j, input_is_kaporin(o->input), "mean_error_f32", r->verdict.mean_error_f32);
    json_number(j, "mean_magnitude", r->verdict.mean_magnitude);
    json_number(j, "error_bound", r->verdict.bound);
    json_bool(j, "passed", r->verdict.passed);
    json_text(j, "judged_by", judges_of(r));
    json_number_if(j, r->verdict.unjudged > 0, "not_judged", (double)r->verdict.unjudged);
    json_text(j, "reason", r->verdict.passed ? NULL : r->verdict.reason);
    json_text(j, "note", o->step->note ? r->note : NULL);
    json_number(j, "workspace_bytes", (double)r->workspace_bytes);
    json_number_if(j, counted, "transactions", r->counts.transactions);
    json_number_if(j, r->counts.volume >= 0, "volume_bytes", r->counts.volume);
    json_number_if(j, counted, "bank_conflicts", r->counts.conflicts);
    json_number_if(j, counted, "texture_fetches", r->counts.texture_fetches);
    json_number_if(j, counted, "texture_bytes", r->counts.texture_bytes);
    json_number_if(j, model->flops >= 0, "model_flops", model->flops);
    json_number_if(j, model->transactions >= 0, "model_transactions", model->transactions);
    json_number_if(j, model->volume >= 0, "model_volume_bytes", model->volume);
    json_number_if(j, model->texture_fetches > 0, "model_texture_fetches",
                   model->texture_fetches);
    json_number_if(j, model->texture_fetches > 0, "model_texture_bytes", model->texture_bytes);
    if (o->step->in_reports)
        o->step->in_reports->json_after(o, j);
}

/* Whether the counts are the model's, in words; nothing if there are no counts. */
static const char *agreement(const struct result *r, bool equal)
{
    return r->counts.transactions < 0 ? "" : equal ? " (equal)" : " (they differ)";
}

/* Prints the counts and the model below a row. */
static void print_counts(const struct result *r)
{
    if (r->counts.transactions >= 0)
        printf("%-22s    counted %.0f transaction%s, %.0f bytes\n", "", r->counts.transactions,
               r->counts.transactions == 1 ? "" : "s", r->counts.volume);
    if (backend.simulated && r->verdict.passed && r->uncounted)
        say(stdout, "%-22s    not counted: %s\n", "", r->uncounted);
    if (backend.simulated && r->counts.transactions >= 0 && r->unmodelled)
        say(stdout, "%-22s    no model: %s\n", "", r->unmodelled);
    if (r->counts.conflicts > 0)
        printf("%-22s    counted %.0f bank conflict%s\n", "", r->counts.conflicts,
               r->counts.conflicts == 1 ? "" : "s");
    if (r->cost.transactions >= 0)
        printf("%-22s    model   %.0f transactions, %.0f bytes%s\n", "", r->cost.transactions,
               r->cost.volume,
               agreement(r, r->counts.transactions == r->cost.transactions &&
                                r->counts.volume == r->cost.volume));
    if (r->counts.texture_fetches > 0)
        printf("%-22s    counted %.0f texture fetches, %.0f bytes\n", "",
               r->counts.texture_fetches, r->counts.texture_bytes);
    if (r->cost.texture_fetches > 0)
        printf("%-22s    model   %.0f texture fetches, %.0f bytes%s\n", "",
               r->cost.texture_fetches, r->cost.texture_bytes,
               agreement(r, r->counts.texture_fetches == r->cost.texture_fetches &&
                                r->counts.texture_bytes == r->cost.texture_bytes));
}

static void print_narrow(const struct options *o, const struct result *r)
{
    printf("%s, %d level%s\n", r->variant->name, r->levels, r->levels == 1 ? "" : "s");
    if (is_timed(r))
        printf("    %.3f ms, %.2f GFLOP/s", r->timing.median, gflops_of(o, r->timing.median));
    if (shown_ratio(r) > 0)
        printf(", %.3f x vendor", shown_ratio(r));
    printf("%s    %s of workspace, error %.2e (limit %.2e)\n", is_timed(r) ? "\n" : "",
           readable_bytes((double)r->workspace_bytes), r->verdict.max_error, r->verdict.bound);
    printf("    %s\n", verdict_of(r));
}

/* Time, speed and ratio; the simulated GPU has none, and no columns for them. */
static void print_times(const struct options *o, const struct result *r)
{
    if (is_timed(r))
        printf("%10.3f %9.2f ", r->timing.median, gflops_of(o, r->timing.median));
    else
        printf("%10s %9s ", "-", "-");
    if (shown_ratio(r) > 0)
        printf("%8.3f ", shown_ratio(r));
    else
        printf("%8s ", "-");
}

static void print_wide(const struct options *o, const struct result *r)
{
    printf("%-22s %2d ", r->variant->name, r->levels);
    if (!backend.simulated)
        print_times(o, r);
    printf("%10s ", readable_bytes((double)r->workspace_bytes));
    if (r->verdict.passed && isnan(r->verdict.max_error)) /* unknown on ranks */
        printf("%9s ", "-");
    else
        printf("%9.2e ", r->verdict.max_error);
    printf("%9.2e  %s\n", r->verdict.bound, verdict_of(r));
}

static void print_row(const struct options *o, const struct result *r)
{
    if (is_narrow())
        print_narrow(o, r);
    else
        print_wide(o, r);
    if (r->verdict.passed && r->judged != JUDGED_ALL && r->judged != JUDGED_ALL_ON_RANKS)
        say(stdout, "%-22s    judged only by these checks: %s\n", "", judges_of(r));
    if (r->verdict.passed && r->verdict.unjudged)
        say(stdout,
            "%-22s    %ld of %ld elements not judged: they may overflow, or depend on NaN or "
            "Inf\n",
            "", r->verdict.unjudged, o->m * o->n);
    if (r->padded)
        printf("%-22s    padded to m = %ld, n = %ld, k = %ld\n", "", r->shape.c.rows,
               r->shape.c.cols, r->shape.a.cols);
    if (is_timed(r) && is_scattered(&r->timing))
        say(stdout, "%-22s    unsteady: the median is %.1f times the fastest run, %.3f ms\n",
            "", r->timing.median / r->timing.min, r->timing.min);
    if (has_own_clock(r))
        say(stdout, "%-22s    own clock: the variant says which part of its work is timed\n",
            "");
    if (input_is_kaporin(o->input))
        say(stdout, "%-22s    mean error %.3g, summed in single precision %.3g\n", "",
            r->verdict.mean_error, r->verdict.mean_error_f32);
    print_counts(r);
    if (o->step->in_reports)
        o->step->in_reports->row(o, r);
    if (!r->verdict.passed)
        say(stdout, "    %s\n", r->verdict.reason);
}

void report_result(const struct options *o, const struct result *r)
{
    report_progress(o, "%s", "");
    if (o->json) {
        struct json json = json_begin(stdout);
        report_fields(&json, o, r);
        json_end(&json);
    } else if (!o->quiet)
        print_row(o, r);
    else if (!r->verdict.passed)
        say(stdout, "%s: %s\n", r->variant->name, r->verdict.reason);
    fflush(stdout);
}

/* If several right variants were counted: the transactions and bytes of each, relative to the
   best. */
static void print_comparison(const struct outcome *outcome)
{
    double transactions = INFINITY, bytes = INFINITY;
    int counted = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && counted < 2)
            return;
        if (pass == 1)
            printf("\n%-22s %14s %14s %14s\n", "counted", "transactions", "bytes",
                   "bank conflicts");
        for (int i = 0; i < outcome->count; i++) {
            const struct result *r = &outcome->results[i];
            if (!r->verdict.passed || !(r->counts.transactions > 0))
                continue;
            if (pass == 1) {
                printf("%-22s %12.2f x %12.2f x %14.0f\n", r->variant->name,
                       r->counts.transactions / transactions, r->counts.volume / bytes,
                       r->counts.conflicts);
                continue;
            }
            transactions = fmin(transactions, r->counts.transactions);
            bytes = fmin(bytes, r->counts.volume);
            counted++;
        }
    }
    printf(
        "x: relative to the best of these variants; bank conflicts: the passes through shared\n"
        "memory beyond the one that each access takes\n");
}

static void print_legend(void)
{
    if (!is_narrow())
        printf("L: levels of recursion that the variant claims; %s"
               "allowed: the largest error of a\nright result with these levels\n",
               backend.simulated
                   ? ""
                   : "GFLOP/s: 2mnk / time;\nx vendor: speed relative to the vendor; ");
}

/* Each variant is timed in turn with the vendor's library. If that took much longer next to one
   variant than next to another, the column of ratios compares nothing. */
static void warn_of_vendor(const struct outcome *outcome)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < outcome->count; i++) {
        const struct result *r = &outcome->results[i];
        if (shown_ratio(r) <= 0)
            continue;
        least = fmin(least, r->reference_timing.median);
        most = fmax(most, r->reference_timing.median);
    }
    if (most > 1.5 * least)
        say(stdout,
            "The vendor's library took %.3f ms next to one variant and %.3f ms next to "
            "another: "
            "something else used the processor. Do not compare the ratios of this table.\n",
            least, most);
}

void report_end(const struct options *o, const struct outcome *outcome)
{
    int right = outcome->right, wrong = outcome->wrong;
    if (o->json)
        return;
    if (!o->quiet && outcome->count)
        print_legend(), warn_of_vendor(outcome), print_comparison(outcome);
    printf("%s%s: %s: %d of %d variants", o->quiet ? "" : "\n", o->step->name,
           wrong ? "WRONG" : "right", wrong ? wrong : right, right + wrong);
    if (outcome->left_out)
        printf("; %d left out", outcome->left_out);
    putchar('\n');
}
