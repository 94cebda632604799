#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

const char *readable_bytes(double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    static char text[2][32];
    static int which;
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    which = !which;
    snprintf(text[which], sizeof text[which], unit ? "%.2f %s" : "%.0f %s", bytes, units[unit]);
    return text[which];
}

static double gflops_of(const struct options *o, double ms)
{
    return 2.0 * (double)o->m * (double)o->n * (double)o->k / (ms * 1e6);
}

/* Vendor's time over ours: above 1 we are faster. Negative where it does not apply. */
static double ratio_of(const struct result *r)
{
    return r->timing.reps && r->reference_timing.reps && r->timing.median > 0
               ? r->reference_timing.median / r->timing.median
               : -1;
}

void report_start(const struct options *o, const char *vendor)
{
    if (o->json || o->quiet)
        return;
    printf("%s: %s\n", o->step->name, o->step->idea);
    printf("C (%ld x %ld) = A (%ld x %ld) * B (%ld x %ld), %s, %s input, seed %llu\n", o->m, o->n,
           o->m, o->k, o->k, o->n, precision_names[o->precision], input_names[o->input],
           (unsigned long long)o->seed);
    printf("on %s, %d host thread%s; compared with %s\n", backend.device(), o->threads,
           o->threads == 1 ? "" : "s", vendor ? vendor : "no vendor library (none found)");
    if (o->step->note)
        printf("%s\n", o->step->note());
    printf("\n%-22s %2s %10s %9s %8s %10s %9s %9s  %s\n", "variant", "L", "ms", "GFLOP/s",
           "x vendor", "workspace", "max error", "allowed", "verdict");
}

void report_progress(const struct options *o, const char *format, ...)
{
    if ((o && (o->json || o->quiet)) || !isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
}

/* "name":value, or null when the value is not finite or its condition fails. */
static void json_number(const char *name, double value, bool known)
{
    if (known && isfinite(value))
        printf(",\"%s\":%.10g", name, value);
    else
        printf(",\"%s\":null", name);
}

static void json_text(const char *before, const char *name, const char *text)
{
    printf("%s\"%s\":", before, name);
    if (!text) {
        printf("null");
        return;
    }
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    putchar('"');
}

static void print_json(const struct options *o, const struct result *r)
{
    bool timed = r->timing.reps > 0;
    json_text("{", "step", o->step->name);
    json_text(",", "variant", r->variant->name);
    json_text(",", "backend", backend.name);
    json_text(",", "device", backend.device());
    json_text(",", "precision", precision_names[o->precision]);
    json_text(",", "leaf", o->leaf ? o->leaf : o->step->leaves ? o->step->leaves->name : NULL);
    json_text(",", "input", input_names[o->input]);
    printf(",\"m\":%ld,\"n\":%ld,\"k\":%ld,\"levels\":%d", o->m, o->n, o->k, r->levels);
    json_number("padded_m", (double)r->shape.m, r->padded);
    json_number("padded_n", (double)r->shape.n, r->padded);
    json_number("padded_k", (double)r->shape.k, r->padded);
    json_number("tau1", (double)o->tau1, o->tau1 > 0);
    json_number("tau2", (double)o->tau2, o->tau2 > 0);
    json_number("threads", o->threads, true);
    if (o->step->parameter)
        json_number(o->step->parameter, (double)o->parameter, true);
    json_number("reps", r->timing.reps, timed);
    json_number("ms_median", r->timing.median, timed);
    json_number("ms_min", r->timing.min, timed);
    json_number("ms_max", r->timing.max, timed);
    json_number("gflops", gflops_of(o, r->timing.median), timed && !backend.simulated);
    json_text(",", "reference", r->reference);
    json_number("reference_ms_median", r->reference_timing.median, r->reference_timing.reps > 0);
    json_number("ratio", ratio_of(r), ratio_of(r) > 0);
    json_number("max_error", r->verdict.max_error, true);
    json_number("mean_error", r->verdict.mean_error, true);
    json_number("mean_magnitude", r->verdict.mean_magnitude, true);
    json_number("error_bound", r->verdict.bound, true);
    printf(",\"passed\":%s", r->verdict.passed ? "true" : "false");
    json_text(",", "reason", r->verdict.passed ? NULL : r->verdict.reason);
    json_text(",", "note", o->step->note ? o->step->note() : NULL);
    json_number("workspace_bytes", (double)r->workspace_bytes, true);
    json_number("transactions", r->counts.transactions, r->counts.transactions >= 0);
    json_number("volume_bytes", r->counts.volume, r->counts.volume >= 0);
    json_number("texture_fetches", r->counts.texture_fetches, r->counts.transactions >= 0);
    json_number("texture_bytes", r->counts.texture_bytes, r->counts.transactions >= 0);
    json_number("model_flops", r->cost.flops, r->cost.flops >= 0);
    json_number("model_transactions", r->cost.transactions, r->cost.transactions >= 0);
    json_number("model_volume_bytes", r->cost.volume, r->cost.volume >= 0);
    json_number("model_texture_fetches", r->cost.texture_fetches, r->cost.texture_fetches > 0);
    json_number("model_texture_bytes", r->cost.texture_bytes, r->cost.texture_fetches > 0);
    puts("}");
}

/* The counts under a row, the model beside them. */
static void print_counts(const struct result *r)
{
    if (r->counts.transactions >= 0)
        printf("%-22s    counted %.0f transactions, %.0f bytes\n", "", r->counts.transactions,
               r->counts.volume);
    if (r->cost.transactions >= 0)
        printf("%-22s    model   %.0f transactions, %.0f bytes%s\n", "", r->cost.transactions,
               r->cost.volume,
               r->counts.transactions < 0 ? ""
               : r->counts.transactions == r->cost.transactions && r->counts.volume == r->cost.volume
                   ? " (equal)"
                   : " (they differ)");
    if (r->counts.texture_fetches > 0)
        printf("%-22s    counted %.0f texture fetches, %.0f bytes\n", "",
               r->counts.texture_fetches, r->counts.texture_bytes);
    if (r->cost.texture_fetches > 0)
        printf("%-22s    model   %.0f texture fetches, %.0f bytes%s\n", "",
               r->cost.texture_fetches, r->cost.texture_bytes,
               r->counts.transactions < 0                             ? ""
               : r->counts.texture_fetches == r->cost.texture_fetches &&
                       r->counts.texture_bytes == r->cost.texture_bytes
                   ? " (equal)"
                   : " (they differ)");
}

static void print_row(const struct options *o, const struct result *r)
{
    printf("%-22s %2d ", r->variant->name, r->levels);
    if (r->timing.reps)
        printf("%10.3f ", r->timing.median);
    else
        printf("%10s ", "-");
    if (r->timing.reps && !backend.simulated)
        printf("%9.2f ", gflops_of(o, r->timing.median));
    else
        printf("%9s ", "-");
    if (ratio_of(r) > 0)
        printf("%8.3f ", ratio_of(r));
    else
        printf("%8s ", "-");
    printf("%10s %9.2e %9.2e  %s\n", readable_bytes((double)r->workspace_bytes),
           r->verdict.max_error, r->verdict.bound, r->verdict.passed ? "right" : "WRONG");
    if (r->padded)
        printf("%-22s    padded to m = %ld, n = %ld, k = %ld\n", "", r->shape.m, r->shape.n,
               r->shape.k);
    print_counts(r);
    if (!r->verdict.passed)
        printf("    %s\n", r->verdict.reason);
}

void report_result(const struct options *o, const struct result *r)
{
    report_progress(o, "%s", "");
    if (o->json)
        print_json(o, r);
    else if (!o->quiet)
        print_row(o, r);
    else if (!r->verdict.passed)
        printf("%s: %s\n", r->variant->name, r->verdict.reason);
    fflush(stdout);
}

void report_end(const struct options *o, int right, int wrong)
{
    if (o->json)
        return;
    if (wrong)
        printf("%s%s: WRONG: %d of %d variants\n", o->quiet ? "" : "\n", o->step->name, wrong,
               right + wrong);
    else
        printf("%s%s: right: %d of %d variants\n", o->quiet ? "" : "\n", o->step->name, right,
               right);
}
