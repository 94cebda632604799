/* SPDX-License-Identifier: MIT */
#include "common/measure/lines.h"

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
