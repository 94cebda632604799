/* SPDX-License-Identifier: MIT */
/** @file run.c
 * A step's whole program: reads the command line, measures the step's variants, and prints the
 * results.
 */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/device/host.h"
#include "common/device/worker.h"
#include "common/measure/measure.h"
#include "common/measure/report.h"

static int print_list(const struct options *o)
{
    static const char *const roles[] = {[BY_NAME] = " (by name only)",
                                        [WRONG_ON_PURPOSE] = " (wrong on purpose)",
                                        [MAIN_LINE] = ""};
    for (const struct variant *v = o->step->variants; v->name; v++)
        say(stdout, "%-22s %s%s\n", v->name, v->sentence, roles[v->role]);
    if (o->step->leaves)
        printf("\nleaves:\n");
    for (const struct leaf *v = o->step->leaves; v && v->name; v++)
        say(stdout, "%-22s %s\n", v->name, v->sentence);
    return EXIT_RIGHT;
}

static void show_result(const struct options *o, struct result *r)
{
    report_result(o, r);
    if (r->counts.transactions >= 0)
        r->shown = backend.report(&o->counting, o->json ? stderr : stdout);
}

/* Measures the variants that the options ask for, and prints the results and the verdict. */
static int run_variants(const struct options *o, const struct step *traced)
{
    static struct outcome outcome; /* too large for the stack */
    report_size(o);
    measure(o, traced, show_result, &outcome);
    if (*outcome.message) {
        report_progress(o, "%s", "");
        say(stderr, "%s\n", outcome.message);
    } else {
        report_end(o, &outcome);
    }
    bool shown = !o->counting.addresses && !o->counting.picture;
    for (int i = 0; i < outcome.count; i++)
        shown = shown || outcome.results[i].shown;
    return outcome.status == EXIT_RIGHT && !shown ? EXIT_USAGE : outcome.status;
}

/* Runs the step's own option, from the counting build if there is one. */
static int run_action(const struct options *o, const struct step *traced)
{
    for (const struct action *a = traced ? traced->actions : NULL; a && a->name; a++)
        if (strcmp(a->name, o->action->name) == 0)
            return a->run(o);
    return o->action->run(o);
}

/* The exit status once all memory is freed: any fault on the simulated GPU makes it wrong. */
static int with_faults(int status)
{
    bool faults = backend.finish && backend.finish() > 0;
    return faults && status == EXIT_RIGHT ? EXIT_WRONG : status;
}

/* The given option that needs a counting build, or NULL. */
static const char *asked_to_count(const struct options *o)
{
    return o->counting.report      ? "--report"
           : o->counting.shuffle   ? "--shuffle"
           : o->counting.addresses ? "--addresses"
           : o->counting.picture   ? "--picture"
           : o->counting.calls     ? "--calls"
           : o->count              ? "--count"
                                   : NULL;
}

/* Keeps freed memory for the program's next blocks: getting hundreds of megabytes from the
   system page by page takes longer than the product on a GPU. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

void limit_threads(void)
{
#ifdef _OPENMP
    enum { MOST_THREADS = 1024 }; /* with many more, the OpenMP library's stack overflows */
    if (omp_get_max_threads() > MOST_THREADS)
        omp_set_num_threads(host_processors());
#endif
}

/* The whole program, except the last check of standard output. */
static int run_program(int argc, char **argv, const struct step *const steps[PRECISIONS],
                       const struct step *const traced[PRECISIONS],
                       const struct explainer *explainer)
{
    struct options options;
    int status;
    if (!options_read(&options, argc, argv, steps, &status))
        return status;
    options.explainer = explainer;
    limit_threads();
    if (!backend.shares_host_memory && !backend.simulated)
        keep_memory();
    if (options.list)
        return print_list(&options);
    if (backend.missing()) {
        say(stderr, "%s: %s\n", options.step->name, backend.missing());
        return EXIT_RESOURCE;
    }
    bool own = options.action || options.step->run; /* measured by the step itself */
    /* A call in the worker takes some microseconds more or less, and its memory is cold: times
       of small products would be wrong. */
    if (backend.shares_host_memory && !own && options.reps == 0 && !worker_start()) {
        say(stderr, "no memory for a second process, in which the variants run\n");
        return EXIT_RESOURCE;
    }
    const struct step *counting = traced[options.precision];
    const char *wanted = counting ? NULL : asked_to_count(&options);
    if (wanted) {
        say(stderr, "%s: the accesses of %s are not counted in %s; leave --precision out\n",
            wanted, options.step->name, precision_names[options.precision]);
        return EXIT_USAGE;
    }
    return with_faults(options.action      ? run_action(&options, counting)
                       : options.step->run ? options.step->run(&options)
                                           : run_variants(&options, counting));
}

int run_step(int argc, char **argv, const struct step *const steps[PRECISIONS],
             const struct step *const traced[PRECISIONS], const struct explainer *explainer)
{
    signal(SIGPIPE, SIG_IGN); /* if the reader has gone, a write fails */
    int status = run_program(argc, argv, steps, traced, explainer);
    bool failed = fflush(stdout) != 0;
    if (!failed && !ferror(stdout))
        return status;
    say(stderr, "standard output cannot be written: the output is incomplete\n");
    return EXIT_RESOURCE;
}
