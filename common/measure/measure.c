/* SPDX-License-Identifier: MIT */
#include "common/measure/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/check/trial.h"
#include "common/measure/report.h"
#include "common/device/timer.h"
#include "common/device/host.h"
#include "common/matrix/npy.h"
#include "common/sizes.h"
#include "common/check/tiers.h"

enum { LONG_MS = 4000 }; /* a run this long is timed once, without a warm-up */

/* One call of measure(). */
struct session {
    struct trial trial; /* on the chosen product */
    void (*take)(const struct options *options, struct result *result); /* or NULL */
    struct outcome *outcome;
    struct matrix vendor_c;
    int magnitude;               /* of the integers; 0 if no variant stays exact */
    bool rejected[MAX_VARIANTS]; /* wrong on an exact tier */
};

static void progress(const struct session *s, const struct result *r, const char *what)
{
    report_progress(s->trial.options, "%s: %s ...", r->variant->name, what);
}

static double bytes_of_matrices(const struct options *o, enum precision precision)
{
    return (double)matrix_bytes(precision, o->m, o->k + o->ld_extra) +
           (double)matrix_bytes(precision, o->k, o->n + o->ld_extra) +
           (double)matrix_bytes(precision, o->m, o->n + o->ld_extra);
}

/* Whether a variant is left out because its workspace is far larger than the matrices (one that
   pads to a cube) or than memory. Variants chosen by name are never left out. */
static bool is_too_large(const struct options *o, const struct result *r)
{
    const double large = 64 << 20, times = 64;
    double bytes = (double)r->workspace_bytes, matrices = bytes_of_matrices(o, o->precision);
    double free_bytes = (double)backend.memory_free();
    return !o->variant && ((bytes > large && bytes > times * matrices) ||
                           (matrices < free_bytes && bytes > free_bytes));
}

/* Chooses the variants that run: those given by name, or the main line. */
static void choose_variants(struct session *s)
{
    const struct options *o = s->trial.options;
    struct outcome *out = s->outcome;
    for (const struct variant *v = o->step->variants; v->name && out->count < MAX_VARIANTS;
         v++) {
        struct result *r = &out->results[out->count];
        if (!is_chosen(o, v))
            continue;
        trial_describe(&s->trial, r, v);
        if (!is_too_large(o, r))
            out->count++;
        else
            report_skip(o, r, bytes_of_matrices(o, o->precision));
    }
}

/* Stores why nothing can be measured, and the exit status. Returns false. */
static bool give_up(struct session *s, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool give_up(struct session *s, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->outcome->message, sizeof s->outcome->message, format, arguments);
    va_end(arguments);
    s->outcome->status = status;
    return false;
}

/* A question to the step: what its setup is, or what a leaf lacks. */
struct question {
    const char *(*ask)(void);
    char answer[256];
};

static void ask(void *question)
{
    struct question *q = question;
    const char *answer = q->ask();
    snprintf(q->answer, sizeof q->answer, "%s", answer ? answer : "");
}

/* The answer, from the worker if there is one; "" if there is none, or no question. */
static struct question answer_to(const char *(*question)(void))
{
    struct question q = {.ask = question};
    if (question)
        worker_call(ask, &q, sizeof q, NULL, 0);
    q.answer[sizeof q.answer - 1] = '\0';
    return q;
}

/* The largest magnitude of integers with which a variant stays exact; 0 if there is none. */
static int magnitude_for(const struct session *s, const struct result *r)
{
    const struct options *o = s->trial.options;
    return integer_magnitude(r->variant->bound.scheme, r->levels, o->k, o->precision);
}

/* The largest magnitude that is exact for every variant, apart from those that have none. */
static int magnitude_for_all(const struct session *s)
{
    int magnitude = 0;
    for (int i = 0; i < s->outcome->count; i++) {
        int fits = magnitude_for(s, &s->outcome->results[i]);
        magnitude = fits && (!magnitude || fits < magnitude) ? fits : magnitude;
    }
    return magnitude;
}

/* False if something is missing that is known before a run: a folder for --output, memory for
   any workspace, a variant's function, the leaf's library, or a shape and input that all take.
 */
static bool can_begin(struct session *s)
{
    const struct options *o = s->trial.options;
    const struct leaf *leaf = context_of(o).leaf;
    char why[256];
    if (o->output && npy_has_folder(o->output))
        return give_up(s, EXIT_RESOURCE, "--output %s", npy_has_folder(o->output));
    if (!s->outcome->count)
        return give_up(s, EXIT_RESOURCE, "not enough memory for any variant's workspace");
    for (int i = 0; i < s->outcome->count; i++) {
        const struct variant *v = s->outcome->results[i].variant;
        if (!v->simple == !v->multiply)
            return give_up(s, EXIT_USAGE,
                           "variant %s: its row in the step's table sets %s of 'simple' and "
                           "'multiply'; set one of them",
                           v->name, v->simple ? "both" : "none");
    }
    struct question lacks = answer_to(leaf ? leaf->missing : NULL);
    if (*lacks.answer)
        return give_up(s, EXIT_RESOURCE, "--leaf %s: %s", leaf->name, lacks.answer);
    for (int i = 0; i < s->outcome->count; i++)
        if (!input_is_promised(o, &s->outcome->results[i], why, sizeof why))
            return give_up(s, EXIT_USAGE, "%s", why);
    return true;
}

/* False if there is too little memory. */
static bool memory_is_there(struct session *s)
{
    const struct options *o = s->trial.options;
    bool vendor = s->outcome->vendor != NULL;
    double c_bytes = (double)matrix_bytes(o->precision, o->m, o->n + o->ld_extra);
    double device = bytes_of_matrices(o, o->precision) + (vendor ? c_bytes : 0);
    double checking = 2 * (double)o->m * (double)o->n * 8, workspace = 0; /* two references */
    for (int i = 0; i < s->outcome->count; i++)
        workspace = fmax(workspace, (double)s->outcome->results[i].workspace_bytes);
    device += fmax(workspace, vendor ? bytes_of_matrices(o, PRECISION_F64) : 0);
    double host =
        backend.shares_host_memory
            ? device + checking
            : bytes_of_matrices(o, o->precision) + c_bytes + checking +
                  (vendor && !backend.product_in_double ? bytes_of_matrices(o, PRECISION_F64)
                                                        : 0);
    double host_free = (double)host_memory_available();
    if (host > host_free)
        return give_up(s, EXIT_RESOURCE,
                       "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free; "
                       "take smaller matrices (--n)",
                       host, readable_bytes(host), host_free, readable_bytes(host_free));
    if (!backend.shares_host_memory && device > (double)backend.memory_free()) {
        double device_free = (double)backend.memory_free();
        return give_up(
            s, EXIT_RESOURCE,
            "not enough memory on %s: %.0f bytes (%s) are needed, %.0f (%s) are free; "
            "take smaller matrices (--n)",
            backend.device(), device, readable_bytes(device), device_free,
            readable_bytes(device_free));
    }
    return true;
}

/* Runs a wrong variant once more in the counting build, which sees races, accesses out of
   bounds and reads of unwritten memory. */
static void look_closer(struct session *s, struct result *r, enum input input)
{
    trial_add_launch(&r->verdict);
    const double most = 1024.0 * 1024 * 1024; /* half a minute */
    if (!backend.count_start || !s->trial.traced ||
        (double)r->shape.c.rows * (double)r->shape.c.cols * (double)r->shape.a.cols > most)
        return;
    progress(s, r, "wrong: looking at every access");
    trial_fill(&s->trial, input, s->magnitude);
    struct counts before = r->counts;
    trial_count(&s->trial, r);
    r->counts = before; /* counts of a wrong result are meaningless */
    trial_add_fault(&r->verdict);
}

/* Runs a variant on the current inputs, judges it, and looks closer if it is wrong. Returns the
   run's milliseconds; INFINITY if a fault stopped the device. */
static double run_and_judge(struct session *s, struct result *r, enum input input,
                            const char *when)
{
    struct tolerance tolerance = trial_tolerance(&s->trial, r, input);
    double ms = trial_run(&s->trial, r);
    if (isinf(ms)) {
        r->verdict = trial_lost();
        return ms;
    }
    r->verdict = trial_judge(&s->trial, &tolerance, when);
    if (!r->verdict.passed)
        look_closer(s, r, input);
    return ms;
}

/* The exact tiers: runs every variant once on small integers, if they stay exact, and once on
   numbers that use all bits, unless it is wrong on purpose (see time_and_judge()). */
static bool check_exactly(struct session *s, struct result *r)
{
    struct trial *trial = &s->trial;
    double ms = 0;
    if (magnitude_for(s, r) && trial->options->input != INPUT_INTEGERS) {
        progress(s, r, "exact check on integers");
        if (!workspace_create(&trial->workspace, trial->options->precision, r->workspace_bytes))
            return false;
        ms = run_and_judge(s, r, INPUT_INTEGERS, "on integers: ");
        workspace_destroy(&trial->workspace);
        r->judged |= JUDGED_INTEGERS;
        if (!r->verdict.passed)
            return true;
    }
    progress(s, r, "exact check on numbers that use all bits");
    return r->variant->role == WRONG_ON_PURPOSE || tier_bits(trial, r, ms > LONG_MS);
}

static bool check_all_exactly(struct session *s)
{
    struct trial *trial = &s->trial;
    bool enough = true;
    for (int i = 0; i < s->outcome->count && enough; i++) {
        struct result *r = &s->outcome->results[i];
        r->verdict.passed = true;
        trial_fill(trial, INPUT_INTEGERS,
                   s->magnitude); /* the last variant had other numbers, or changed them */
        enough = (i > 0 || reference_create(&trial->reference, &trial->a, &trial->b)) &&
                 check_exactly(s, r);
        s->rejected[i] = !r->verdict.passed;
    }
    reference_destroy(&trial->reference);
    return enough;
}

int timed_runs(const struct options *o, double first_ms)
{
    if (o->reps >= 0)
        return (int)smaller(o->reps, TIMING_MOST);
    if (backend.simulated || first_ms > LONG_MS)
        return 1;
    return rounds_within(2000, first_ms, 3, 21);
}

/* A variant whose runs are timed. */
struct timed {
    struct session *session;
    const struct result *result;
    struct again again;
    int run, runs; /* 0 runs: warming up */
};

/* Only the CPU backend leaves threads that may still be busy. */
static void wait_for_idle_cores(void)
{
    if (backend.shares_host_memory)
        let_threads_sleep(0);
}

static double timed_run(void *what)
{
    struct timed *t = what;
    char text[64];
    wait_for_idle_cores();
    if (!t->runs)
        return trial_run(&t->session->trial, t->result);
    snprintf(text, sizeof text, "timed run %d of %d", ++t->run, t->runs);
    progress(t->session, t->result, text);
    return again_run(&t->again, t->run == t->runs);
}

static double timed_vendor_run(void *what)
{
    const struct timed *t = what;
    struct session *s = t->session;
    const struct options *o = s->trial.options;
    struct product p = trial_product(&s->trial, &s->vendor_c);
    matrix_poison(&s->vendor_c); /* caches are then as before a variant's run */
    matrix_upload(&s->vendor_c);
    wait_for_idle_cores();
    backend.start();
    backend.vendor_multiply(o->precision, p);
    return backend.stop();
}

/* Times a variant and the vendor's library in turn, so that both see the same clocks, and
   judges each of the variant's runs. */
static void time_result(struct session *s, struct result *r, double first_ms)
{
    struct timed timed = {.session = s, .result = r};
    struct contestant contestants[] = {{timed_run, &timed}, {timed_vendor_run, &timed}};
    int count = s->outcome->vendor && !backend.simulated ? 2 : 1;
    bool judged = again_begin(&timed.again, &s->trial, r, magnitude_for(s, r));
    if (first_ms < LONG_MS)
        warm_up_in_turn(contestants, count, (int)s->trial.options->warmup);
    timed.runs = timed_runs(s->trial.options, first_ms);
    time_in_turn(contestants, count, timed.runs);
    r->timing = contestants[0].timing;
    r->reference = s->outcome->vendor;
    if (count == 2)
        r->reference_timing = contestants[1].timing;
    if (!timed.again.verdict
             .passed) /* if right, keep the errors of the first run, on the chosen inputs */
        r->verdict = timed.again.verdict;
    r->judged |= judged && timed.runs > 0 ? JUDGED_RUNS : 0;
    trial_fill(&s->trial, s->trial.options->input, s->magnitude);
}

/* Why a variant is not counted, or NULL. By default it is counted up to n = 256, which takes at
   most a second or two, unless levels pad the operands far beyond that. */
static const char *reason_not_to_count(const struct trial *trial, const struct result *r)
{
    const struct options *o = trial->options;
    if (!backend.count_start)
        return "";
    if (!trial->traced)
        return "only the step's first precision is counted";
    if (o->no_count)
        return "--no-count";
    const double most = 256.0 * 256 * 256;
    if (o->count || o->counting.report || o->counting.shuffle || o->counting.addresses ||
        o->counting.picture || o->counting.calls ||
        ((double)o->m * (double)o->n * (double)o->k <= most &&
         (double)r->shape.c.rows * (double)r->shape.c.cols * (double)r->shape.a.cols <=
             4 * most))
        return NULL;
    return "above 256 x 256 x 256 only with --count, which takes seconds to minutes";
}

/* Checks that a step's kernels move exactly what its model predicts. Exceptions are gaps
   between rows, which change their alignment, and inputs of zeros, which save a kernel work. */
static void hold_to_model(const struct options *o, struct result *r)
{
    const struct cost *model = &r->cost;
    const struct counts *counted = &r->counts;
    bool same =
        (model->transactions < 0 || counted->transactions == model->transactions) &&
        (model->volume < 0 || counted->volume == model->volume) &&
        (model->texture_fetches <= 0 || (counted->texture_fetches == model->texture_fetches &&
                                         counted->texture_bytes == model->texture_bytes));
    if (same || o->ld_extra || o->input == INPUT_ZEROS || r->variant->role == WRONG_ON_PURPOSE)
        return;
    r->verdict.passed = false;
    snprintf(r->verdict.reason, sizeof r->verdict.reason,
             "C is right, but the counted traffic differs from the step's model; --report "
             "shows the traffic of each source line");
}

static void say_if_uncounted(struct result *r)
{
    if (r->counts.transactions < 0)
        r->uncounted = "cuBLAS is called, whose accesses the simulated GPU does not see";
}

/* Counts and judges if the program contains only the counting build. */
static void count_alone(struct session *s, struct result *r)
{
    struct tolerance tolerance = trial_tolerance(&s->trial, r, s->trial.options->input);
    if (!trial_count(&s->trial, r)) {
        r->verdict = trial_lost();
    } else {
        r->verdict = trial_judge(&s->trial, &tolerance, "");
        trial_add_fault(&r->verdict); /* a fault counts even if the result is right */
        say_if_uncounted(r);
    }
    if (!r->verdict.passed)
        /* counts of a wrong result are meaningless */
        r->counts = (struct counts){-1, -1, 0, 0};
}

static void count_accesses(struct session *s, struct result *r)
{
    struct again again;
    again_begin(&again, &s->trial, r, magnitude_for(s, r));
    again_count(&again, r);
    say_if_uncounted(r);
    trial_add_fault(&again.verdict);
    r->verdict.passed = again.verdict.passed; /* the errors stay those of the first run */
    memcpy(r->verdict.reason, again.verdict.reason, sizeof r->verdict.reason);
    if (r->verdict.passed)
        hold_to_model(s->trial.options, r);
    trial_fill(&s->trial, s->trial.options->input, s->magnitude);
}

/* Times a variant and tries it on another product. A variant that is wrong on purpose is only
   timed, since readers search for inputs that hide its mistake. Returns false without memory.
 */
static bool time_and_judge(struct session *s, struct result *r, double first_ms)
{
    time_result(s, r, first_ms);
    memcpy(r->note, s->trial.note, sizeof r->note); /* before it runs on another input */
    if (!r->verdict.passed || r->variant->role == WRONG_ON_PURPOSE)
        return true;
    progress(s, r, "checked on another product");
    return tier_other_shape(&s->trial, r);
}

/* The most levels for which the variant's bound is meaningful; -1 if there are none. */
static int deepest_judged(const struct session *s, struct tolerance tolerance)
{
    while (tolerance.levels >= 0 && !tolerance_says_something(&s->trial.reference, &tolerance,
                                                              s->trial.options->precision))
        tolerance.levels--;
    return tolerance.levels;
}

/* Makes sure that some check judges a variant. If a C of zeros would pass the bound, the exact
   tiers must have judged it, or do so now on a small product. Returns false without memory, or
   if no check applies; the outcome then says so. */
static bool can_be_judged(struct session *s, struct result *r)
{
    const struct options *o = s->trial.options;
    struct tolerance tolerance = trial_tolerance(&s->trial, r, o->input);
    if (tolerance_says_something(&s->trial.reference, &tolerance, o->precision)) {
        r->judged |= JUDGED_BOUND | (o->input == INPUT_INTEGERS ? JUDGED_INTEGERS : 0);
        return true;
    }
    if (!(r->judged & (JUDGED_INTEGERS | JUDGED_BITS)) && !tier_bits(&s->trial, r, true))
        return false;
    if (!r->verdict.passed || r->judged & (JUDGED_INTEGERS | JUDGED_BITS))
        return true;
    int deepest = deepest_judged(s, tolerance);
    return give_up(
        s, EXIT_USAGE,
        "%s: with %d levels the allowed error is so large that zeros would pass; at most "
        "%d levels can be judged here",
        r->variant->name, r->levels, (int)larger(deepest, 0));
}

/* Checks, counts, times and checks again. Returns false without memory. */
static bool measure_variant(struct session *s, struct result *r)
{
    const struct options *o = s->trial.options;
    r->verdict.passed = true; /* until a check fails */
    s->trial.outside = 0;
    if (!can_be_judged(s, r))
        return false;
    if (!r->verdict.passed)
        return true;
    if (!workspace_create(&s->trial.workspace, o->precision, r->workspace_bytes))
        return false;
    bool counts = !(r->uncounted = reason_not_to_count(&s->trial, r)),
         first = !counts || s->trial.traced != o->step;
    double first_ms = 0;
    if (first) { /* otherwise the program contains only the counting build, which runs first */
        progress(s, r, "first run, checked");
        first_ms = run_and_judge(s, r, o->input, "");
    }
    if (r->verdict.passed && counts) {
        progress(s, r, "counting accesses");
        first ? count_accesses(s, r) : count_alone(s, r);
    }
    memcpy(r->note, s->trial.note, sizeof r->note);
    bool enough =
        !r->verdict.passed || o->untimed || o->reps == 0 || time_and_judge(s, r, first_ms);
    if (r->verdict.passed && o->output) /* the counted and timed runs had other operands */
        run_and_judge(s, r, o->input, "for --output: ");
    r->outside = s->trial.outside;
    workspace_destroy(&s->trial.workspace);
    if (!r->verdict.passed) /* the variant may have changed the inputs */
        trial_fill(&s->trial, o->input, s->magnitude);
    return enough;
}

/* Measures every variant. Returns false without memory, or if C cannot be written. */
static bool run_all(struct session *s)
{
    const struct options *o = s->trial.options;
    struct outcome *out = s->outcome;
    if (o->reps != 0 && !check_all_exactly(s))
        return false;
    trial_fill(&s->trial, o->input, s->magnitude);
    if (!reference_create(&s->trial.reference, &s->trial.a, &s->trial.b))
        return false;
    for (int i = 0; i < out->count; i++) {
        struct result *r = &out->results[i];
        if (!s->rejected[i] && !measure_variant(s, r))
            return false;
        *(r->verdict.passed ? &out->right : &out->wrong) += 1;
        if (s->take)
            s->take(o, r);
        const char *why =
            o->output && r->verdict.passed ? npy_write(o->output, &s->trial.c) : NULL;
        if (why)
            return give_up(s, EXIT_RESOURCE, "--output %s", why);
    }
    out->status = out->wrong ? EXIT_WRONG : EXIT_RIGHT;
    return true;
}

void measure(const struct options *o, const struct step *traced,
             void (*take)(const struct options *options, struct result *result),
             struct outcome *outcome)
{
    struct session s = {
        .trial = {.options = o, .traced = traced}, .take = take, .outcome = outcome};
    long vendor_ld = o->n + o->ld_extra;
    memset(outcome, 0, offsetof(struct outcome, results)); /* results are set one by one */
    if (o->precision != PRECISION_I32)
        outcome->vendor = backend.vendor((int)o->threads);
    choose_variants(&s);
    s.magnitude = magnitude_for_all(&s);
    if (!can_begin(&s) || !memory_is_there(&s))
        return;
    const char *why = o->input == INPUT_FILE ? trial_read(&s.trial) : NULL;
    if (why) {
        give_up(&s, EXIT_RESOURCE, "--input %s", why);
        trial_destroy(&s.trial);
        return;
    }
    bool enough =
        trial_create(&s.trial) &&
        (!outcome->vendor || matrix_create(&s.vendor_c, o->precision, o->m, o->n, vendor_ld));
    if (enough)
        report_start(o, outcome, answer_to(o->step->note).answer);
    if ((!enough || !run_all(&s)) && !*outcome->message)
        give_up(&s, EXIT_RESOURCE, "memory ran out although enough was free at the start");
    trial_destroy(&s.trial);
    matrix_destroy(&s.vendor_c);
}
