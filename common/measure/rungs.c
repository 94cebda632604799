/* SPDX-License-Identifier: MIT */
#include "common/measure/rungs.h"

#include <string.h>

#include "common/device/backend.h"
#include "common/precision.h"

double rung_gflops(struct product p, double ms)
{
    return 2e-6 * (double)p.c.rows * (double)p.c.cols * (double)p.a.cols / ms;
}

struct json rung_line(const struct options *o, const char *variant, const char *leaf,
                      struct product p, int levels)
{
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", o->step->name);
    json_text(j, "variant", variant);
    if (!leaf || *leaf)
        json_text(j, "leaf", leaf);
    json_text(j, "backend", backend.name);
    json_text(j, "device", backend.device());
    json_text(j, "precision", precision_names[o->precision]);
    json_whole(j, "m", (double)p.c.rows);
    json_whole(j, "n", (double)p.c.cols);
    json_whole(j, "k", (double)p.a.cols);
    json_whole(j, "levels", levels);
    return json;
}

void rung_times(struct json *j, struct product p, struct timing own, struct timing vendor,
                double ratio, int threads)
{
    json_whole(j, "reps", own.reps);
    json_number(j, "ms_median", own.median);
    json_number(j, "ms_min", own.min);
    json_number(j, "ms_max", own.max);
    json_number(j, "gflops", rung_gflops(p, own.median));
    json_text(j, "reference", backend.vendor(threads));
    json_number(j, "reference_ms_median", vendor.median);
    json_number(j, "ratio", ratio);
}

int measure_rungs_of(const struct options *o, const struct rung_data *d, struct rung *rungs,
                     int count, const struct rung_table *table)
{
    struct contestant contestants[MOST_RUNGS] = {{0}};
    size_t most = 1;
    double round_ms = 0;
    int status = EXIT_RIGHT;
    for (int i = 0; i < count; i++) {
        const struct rung *r = &rungs[i];
        size_t elements =
            r->variant && r->variant->workspace
                ? r->variant->workspace(r->run.context, r->run.product, r->run.levels)
                : 0;
        most = elements > most ? elements : most;
    }
    size_t bytes = most * precision_bytes(o->precision);
    void *workspace = backend.allocate(bytes);
    if (!workspace) {
        fprintf(stderr, "--rungs: no memory for %.1f GB of workspace at n = %ld\n",
                (double)bytes * 1e-9, d->n);
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        rungs[i].run.workspace = workspace;
        if (!table->check(&rungs[i], d, table->what))
            status = EXIT_WRONG;
        contestants[i].run = time_variant, contestants[i].what = &rungs[i].run;
        round_ms += time_variant(&rungs[i].run);
    }
    time_in_turn(contestants, count,
                 rounds_within(table->budget_ms, round_ms, 3, table->most_rounds));
    for (int i = 0; i < count; i++)
        table->report(o, &rungs[i], contestants[i].timing, contestants[0].timing);
    backend.release(workspace);
    return status;
}
