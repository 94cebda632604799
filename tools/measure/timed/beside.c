/* SPDX-License-Identifier: MIT */
/** @file beside.c
 * Times variants of a step in turn with the vendor's library. Large products take seconds here;
 * the step's program, which checks more, takes a minute. On a GPU, matrices are made and
 * checked on the GPU. This is main() of NN-name.beside, which is the step's program with this
 * file instead of tools/lab/step_main.c. It takes the same options; seed, input, warmup and
 * ld-extra do nothing.
 *
 * Every element is compared with a product in double. A result is right if the mean error is
 * below the limit for the root mean square of random errors (common/check/verify.h), and no
 * error is twenty times as large: the error of a wrong element would be far larger.
 *
 * On the processor each side is timed alone, too: the variants first, while OpenBLAS is not yet
 * loaded and has no threads, and then OpenBLAS.
 */
#include <math.h>
#include <stdio.h>

#include "common/check/pad.h"
#include "common/check/verify.h"
#include "common/command/depth.h"
#include "common/command/options.h"
#include "common/device/backend.h"
#include "common/device/host.h"
#include "common/precision.h"
#include "steps/18-modern/rungs.h"

extern const struct step step_f32 __attribute__((weak));
extern const struct step step_f64 __attribute__((weak));

static void wait_for_idle_cores(void)
{
    if (backend.shares_host_memory)
        let_threads_sleep();
}

static double run_variant(void *what)
{
    wait_for_idle_cores();
    return time_variant(what);
}

static double run_vendor(void *what)
{
    const struct product *p = what;
    wait_for_idle_cores();
    backend.start();
    backend.vendor_multiply(sizeof(real) == sizeof(float) ? PRECISION_F32 : PRECISION_F64, *p);
    return backend.stop();
}

/* Medians of each side alone; 0 if it was not timed. */
struct alone {
    double own, vendor;
};

static bool print_result(const struct options *o, const struct variant *v, int levels,
                         const struct contestant both[2], struct alone alone,
                         const double error[2][2])
{
    struct timing own = both[0].timing, vendor = both[1].timing;
    double unit = sizeof(real) == sizeof(float) ? 0x1p-24 : 0x1p-53;
    double allowed = average_error(&v->bound, levels, o->k, unit);
    bool passed = error[0][0] <= allowed && error[0][1] <= 20 * allowed;
    const char *leaf = o->leaf ? o->leaf : o->step->leaves ? o->step->leaves->name : NULL;
    struct product p = product_of_size(o->m, o->n, o->k);
    struct json json = rung_line(o, v->name, leaf, p, levels), *j = &json;
    json_whole(j, "threads", (double)o->threads);
    rung_times(j, p, own, vendor, vendor.median / own.median, (int)o->threads);
    if (alone.own > 0) {
        json_number(j, "alone_ms", alone.own);
        json_number(j, "reference_alone_ms", alone.vendor);
        json_number(j, "alone_over_turn", alone.own / own.median);
        json_number(j, "reference_alone_over_turn", alone.vendor / vendor.median);
    }
    json_number(j, "mean_error", error[0][0]);
    json_number(j, "max_error", error[0][1]);
    json_number(j, "reference_mean_error", error[1][0]);
    json_number(j, "allowed_mean_error", allowed);
    json_bool(j, "passed", passed);
    json_text(j, "note", o->step->note ? o->step->note() : NULL);
    json_end(j);
    fflush(stdout);
    return passed;
}

enum { ROUNDS = 5, MS = 3000 };

/* A variant and its workspace. If it cannot run, `workspace` is NULL and `status` says why. */
struct prepared {
    struct context ctx;
    struct timed_variant run;
    int status;
};

static struct prepared prepare(const struct options *o, const struct variant *v,
                               struct product p)
{
    struct prepared ready = {.ctx = context_of(o), .status = EXIT_RIGHT};
    struct depth depth = depth_of(o);
    ready.ctx.fused = depth.fused, ready.ctx.variant = v;
    int levels = v->levels ? v->levels(&ready.ctx, p, depth.levels) : depth.levels;
    ready.run = (struct timed_variant){v->multiply, NULL, p, levels, NULL, v->simple};
    if (pad_needed(v, p, levels)) {
        fprintf(stderr, "%s: this size would be padded; the step's own program does it\n",
                v->name);
        ready.status = EXIT_USAGE;
        return ready;
    }
    size_t elements = v->workspace ? v->workspace(&ready.ctx, p, levels) : 0;
    ready.run.workspace = backend.allocate((elements ? elements : 1) * sizeof(real));
    if (!ready.run.workspace) {
        fprintf(stderr, "%s: no memory\n", v->name);
        ready.status = EXIT_RESOURCE;
    }
    return ready;
}

/* The median of --reps runs, or of as many as fit, after one that is not counted. */
static double time_alone(const struct options *o, struct contestant one)
{
    warm_up_in_turn(&one, 1, 1);
    time_in_turn(&one, 1,
                 o->reps > 0 ? (int)o->reps : rounds_within(MS, one.timing.median, 3, ROUNDS));
    return one.timing.median;
}

/* Times one variant alone; 0 if it cannot run. */
static double time_variant_alone(const struct options *o, const struct variant *v,
                                 struct product p)
{
    struct prepared ready = prepare(o, v, p);
    ready.run.ctx = &ready.ctx;
    if (!ready.run.workspace)
        return 0;
    double ms = time_alone(o, (struct contestant){run_variant, &ready.run});
    backend.release(ready.run.workspace);
    return ms;
}

/* Times and checks one variant on matrices that are already filled. Returns its exit status. */
static int time_beside(const struct options *o, const struct variant *v,
                       const struct rung_data *d, struct alone alone)
{
    struct product p = rung_product(d, d->c), reference = rung_product(d, d->again);
    struct prepared ready = prepare(o, v, p);
    struct timed_variant *run = &ready.run;
    run->ctx = &ready.ctx;
    if (!run->workspace)
        return ready.status;
    struct contestant both[2] = {{run_variant, run}, {run_vendor, &reference}};
    double error[2][2];
    backend.poison(p.c.at, (size_t)(o->m * o->n) * sizeof(real));
    warm_up_in_turn(both, 2, 1);
    double round_ms = both[0].timing.median + both[1].timing.median;
    time_in_turn(both, 2, o->reps > 0 ? (int)o->reps : rounds_within(MS, round_ms, 3, ROUNDS));
    backend.poison(p.c.at, (size_t)(o->m * o->n) * sizeof(real));
    time_variant(run);
    rung_errors(d, d->c, &error[0][0], &error[0][1]);
    rung_errors(d, d->again, &error[1][0], &error[1][1]);
    backend.release(run->workspace);
    return print_result(o, v, run->levels, both, alone, error) ? EXIT_RIGHT : EXIT_WRONG;
}

int main(int argc, char **argv)
{
    const struct step *const steps[PRECISIONS] = {&step_f32, &step_f64, NULL};
    struct options o;
    int status;
    if (!options_read(&o, argc, argv, steps, &status))
        return status;
    host_limit_threads();
    const char *missing = backend.missing();
    bool alone_too = backend.shares_host_memory; /* on a GPU both share the device anyway */
    if (missing) {
        fprintf(stderr, "%s: %s\n", o.step->name, missing);
        return EXIT_RESOURCE;
    }
    struct rung_data d;
    if (!rung_data_make(&d, o.m, o.n, o.k, RUNG_UNIFORM, 0)) {
        fprintf(stderr, "no memory for the matrices\n");
        return EXIT_RESOURCE;
    }
    struct product p = rung_product(&d, d.c), reference = rung_product(&d, d.again);
    enum { MOST_VARIANTS = 64 };
    struct alone alone[MOST_VARIANTS] = {{0}};
    const struct variant *const variants = o.step->variants;
    for (int v = 0; variants[v].name && v < MOST_VARIANTS && alone_too; v++)
        if (is_chosen(&o, &variants[v]))
            alone[v].own = time_variant_alone(&o, &variants[v], p);
    if (!backend.vendor((int)o.threads)) { /* this loads it */
        fprintf(stderr, "%s: there is no library to compare with\n", o.step->name);
        return EXIT_RESOURCE;
    }
    double vendor = alone_too ? time_alone(&o, (struct contestant){run_vendor, &reference}) : 0;
    if (!rung_make_exact(&d, o.m)) {
        fprintf(stderr, "no memory for the matrices\n");
        return EXIT_RESOURCE;
    }
    status = EXIT_RIGHT;
    for (int v = 0; variants[v].name && v < MOST_VARIANTS; v++)
        if (is_chosen(&o, &variants[v])) {
            alone[v].vendor = vendor;
            int one = time_beside(&o, &variants[v], &d, alone[v]);
            status = one == EXIT_RIGHT ? status : one;
        }
    rung_data_free(&d);
    return status;
}
