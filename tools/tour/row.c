/* SPDX-License-Identifier: MIT */
/** @file row.c
 * Makes a step's row of the ladder from its JSON lines.
 */
#include "tour.h"

#include "read_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

/* On the simulated GPU the best variant has the fewest transactions, elsewhere it is the
 * fastest. */
static bool better(const char *line, const struct row *best)
{
    double transactions = json_get_number(line, "transactions");
    double gflops = json_get_number(line, "gflops");
    if (best->variant[0] == '\0')
        return true;
    if (strcmp(best->backend, "sim") == 0)
        return !isnan(transactions) &&
               (isnan(best->transactions) || transactions < best->transactions);
    return !isnan(gflops) && (isnan(best->gflops) || gflops > best->gflops);
}

static void take(struct row *row, const char *line)
{
    json_get_text(line, "variant", row->variant, sizeof row->variant);
    json_get_text(line, "reference", row->vendor, sizeof row->vendor);
    row->n = json_get_number(line, "n");
    row->threads = json_get_number(line, "threads");
    row->ms = json_get_number(line, "ms_median");
    row->gflops = json_get_number(line, "gflops");
    row->ratio = json_get_number(line, "ratio");
    row->error = json_get_number(line, "max_error");
    row->transactions = json_get_number(line, "transactions");
    row->bytes = json_get_number(line, "volume_bytes");
    row->fetches = json_get_number(line, "texture_fetches");
    row->vendor_gflops = row->gflops / row->ratio;
    double transactions = json_get_number(line, "model_transactions");
    double bytes = json_get_number(line, "model_volume_bytes");
    const char *model = "";
    if (!isnan(row->transactions) && !isnan(transactions))
        model = row->transactions == transactions && row->bytes == bytes ? "equal" : "differs";
    snprintf(row->model, sizeof row->model, "%s", model);
}

/* Adds a wrong variant's name and reason to the note. */
static void blame(struct row *row, const char *line)
{
    char variant[64], reason[512];
    size_t used = strlen(row->note);
    json_get_text(line, "variant", variant, sizeof variant);
    json_get_text(line, "reason", reason, sizeof reason);
    snprintf(row->note + used, sizeof row->note - used, "%s%s: %s", used ? "; " : "", variant,
             reason);
}

/* A program's error without its name: "10-gpu8.sim: skipped: no device" gives "no device". */
static const char *without_name(const char *errors, const char *step)
{
    size_t length = strlen(step);
    if (strncmp(errors, step, length) == 0) {
        const char *rest = errors + length;
        rest += strncmp(rest, ".sim", 4) == 0 ? 4 : 0;
        if (strncmp(rest, ": ", 2) == 0)
            errors = rest + 2;
    }
    return strncmp(errors, "skipped: ", 9) == 0 ? errors + 9 : errors;
}

void tour_fit(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
}

void tour_summarise(struct row *row, FILE *json, const char *errors, int status)
{
    char *line = NULL;
    size_t size = 0;
    int lines = 0, wrong = 0;
    row->n = row->threads = row->ms = row->gflops = row->vendor_gflops = row->ratio =
        row->error = NAN;
    row->transactions = row->bytes = row->fetches = NAN;
    while (getline(&line, &size, json) > 0) {
        lines++;
        json_get_text(line, "backend", row->backend, sizeof row->backend);
        json_get_text(line, "device", row->device, sizeof row->device);
        if (!json_get_bool(line, "passed")) {
            wrong++;
            blame(row, line);
        } else if (better(line, row)) {
            take(row, line);
        }
    }
    free(line);
    const char *verdict = status == SKIPPED          ? "skipped"
                          : wrong                    ? "WRONG"
                          : status == 0 && lines > 0 ? "right"
                                                     : "failed";
    snprintf(row->verdict, sizeof row->verdict, "%s", verdict);
    if (wrong) {
        char reasons[sizeof row->note - 64];
        tour_fit(reasons, sizeof reasons, "%s", row->note);
        tour_fit(row->note, sizeof row->note, "%d of %d variants: %s", wrong, lines, reasons);
    } else if (strcmp(verdict, "right") != 0) {
        const char *why = without_name(errors, row->step);
        if (*why != '\0' || status == SKIPPED)
            snprintf(row->note, sizeof row->note, "%s", why);
        else if (status > 128)
            snprintf(row->note, sizeof row->note, "ended by signal %d", status - 128);
        else
            snprintf(row->note, sizeof row->note, "ended with status %d", status);
    }
}
