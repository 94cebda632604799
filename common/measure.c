#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "depth.h"
#include "host.h"
#include "sizes.h"
#include "pad.h"
#include "workspace.h"

enum { LONG_MS = 4000 }; /* a run so long is its own warm-up, and one will do */

/* What the variants are tried on. */
struct trial {
    const struct options *options;
    const struct step *traced;
    const struct listener *listener;
    struct outcome *outcome;
    struct matrix a, b, c;
    struct matrix vendor_c;
    struct workspace workspace; /* of the variant that is being tried */
    struct reference reference;
    int magnitude;               /* of the integers; 0: none would stay exact */
    bool rejected[MAX_VARIANTS]; /* failed on the integers */
};

static void progress(const struct trial *trial, const struct result *r, const char *what)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %s ...", r->variant->name, what);
    if (trial->listener->progress)
        trial->listener->progress(trial->options, text);
}

size_t leaf_workspace(const struct problem *p)
{
    return p->leaf && p->leaf->workspace ? p->leaf->workspace(p) : 0;
}

/* A trial's problem for one variant, computing into `c`. */
static struct problem problem_for(const struct trial *trial, const struct result *result,
                                  const struct matrix *c)
{
    const struct options *o = trial->options;
    const struct variant *leaves = o->step->leaves;
    return (struct problem){.m = o->m,
                            .n = o->n,
                            .k = o->k,
                            .a = trial->a.device,
                            .lda = o->k + o->ld_extra, /* asked before the matrices are there */
                            .b = trial->b.device,
                            .ldb = o->n + o->ld_extra,
                            .c = c->device,
                            .ldc = o->n + o->ld_extra,
                            .levels = result->levels,
                            .fused = depth_of(o).fused,
                            .leaf = !leaves   ? NULL
                                    : o->leaf ? find_variant(leaves, o->leaf)
                                              : leaves,
                            .threads = (int)o->threads,
                            .parameter = o->parameter};
}

/* The variant's own model; memory is modelled for f32 by the c1060's rules only. */
static struct cost cost_of(const struct variant *v, const struct problem *p,
                           const struct options *o)
{
    struct cost plain = {2.0 * (double)p->m * (double)p->n * (double)p->k, -1, -1};
    struct cost cost = v->cost ? v->cost(p) : plain;
    if (o->precision != PRECISION_F32 || o->counting.rules != GPU_C1060)
        cost.transactions = cost.volume = -1;
    if (o->precision != PRECISION_F32)
        cost.texture_fetches = cost.texture_bytes = 0;
    return cost;
}

/* Which variants run: the one asked for, or all that are not broken on purpose. */
static void choose_variants(struct trial *trial)
{
    const struct options *o = trial->options;
    struct outcome *out = trial->outcome;
    for (const struct variant *v = o->step->variants; v->name && out->count < MAX_VARIANTS; v++) {
        if (o->variant ? !is_listed(o->variant, v->name) : v->broken)
            continue;
        struct result *r = &out->results[out->count++];
        struct depth depth = depth_of(o);
        *r = (struct result){.variant = v, .levels = depth.levels, .counts = {-1, -1}};
        struct problem p = problem_for(trial, r, &trial->c);
        if (v->levels)
            p.levels = r->levels = v->levels(&p);
        r->workspace_bytes = pad_workspace(v, &p) * precision_bytes(o->precision);
        r->padded = pad_needed(v, &p);
        r->shape = pad_shape(v, &p);
        r->cost = cost_of(v, &r->shape, o);
    }
}

/* Keeps why nothing can be measured, and the exit status that goes with it. */
static void give_up(struct trial *trial, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void give_up(struct trial *trial, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->outcome->message, sizeof trial->outcome->message, format, arguments);
    va_end(arguments);
    trial->outcome->status = status;
}

/* False when the leaf asked for cannot run here. */
static bool leaf_is_there(struct trial *trial)
{
    const struct variant *leaf = problem_for(trial, trial->outcome->results, &trial->c).leaf;
    const char *missing = leaf && leaf->missing ? leaf->missing() : NULL;
    if (missing)
        give_up(trial, EXIT_RESOURCE, "--leaf %s: %s", leaf->name, missing);
    return !missing;
}

static double bytes_of_matrices(const struct options *o, enum precision precision)
{
    return (double)matrix_bytes(precision, o->m, o->k, o->k + o->ld_extra) +
           (double)matrix_bytes(precision, o->k, o->n, o->n + o->ld_extra) +
           (double)matrix_bytes(precision, o->m, o->n, o->n + o->ld_extra);
}

/* False when the memory that will be asked for is not there. */
static bool memory_is_there(struct trial *trial)
{
    const struct options *o = trial->options;
    bool vendor = trial->outcome->vendor != NULL;
    double c_bytes = (double)matrix_bytes(o->precision, o->m, o->n, o->n + o->ld_extra);
    double device = bytes_of_matrices(o, o->precision) + (vendor ? c_bytes : 0);
    double checking = (double)o->m * (double)o->n * 8, workspace = 0;
    for (int i = 0; i < trial->outcome->count; i++)
        workspace = fmax(workspace, (double)trial->outcome->results[i].workspace_bytes);
    device += fmax(workspace, vendor ? bytes_of_matrices(o, PRECISION_F64) : 0);
    double host = backend.shares_host_memory
                      ? device + checking
                      : bytes_of_matrices(o, o->precision) + c_bytes + checking +
                            (vendor ? bytes_of_matrices(o, PRECISION_F64) : 0);
    double host_free = (double)host_memory_available();
    if (host > host_free) {
        give_up(trial, EXIT_RESOURCE,
                "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free", host,
                readable_bytes(host), host_free, readable_bytes(host_free));
        return false;
    }
    if (!backend.shares_host_memory && device > (double)backend.memory_free()) {
        double device_free = (double)backend.memory_free();
        give_up(trial, EXIT_RESOURCE,
                "not enough memory on %s: %.0f bytes (%s) are needed, %.0f (%s) are free",
                backend.device(), device, readable_bytes(device), device_free,
                readable_bytes(device_free));
        return false;
    }
    return true;
}

static bool create_matrices(struct trial *trial)
{
    const struct options *o = trial->options;
    long extra = o->ld_extra;
    return matrix_create(&trial->a, o->precision, o->m, o->k, o->k + extra) &&
           matrix_create(&trial->b, o->precision, o->k, o->n, o->n + extra) &&
           matrix_create(&trial->c, o->precision, o->m, o->n, o->n + extra) &&
           (!trial->outcome->vendor ||
            matrix_create(&trial->vendor_c, o->precision, o->m, o->n, o->n + extra));
}

static void destroy_matrices(struct trial *trial)
{
    matrix_destroy(&trial->a);
    matrix_destroy(&trial->b);
    matrix_destroy(&trial->c);
    matrix_destroy(&trial->vendor_c);
    reference_destroy(&trial->reference);
}

static void fill_inputs(struct trial *trial, enum input input, int magnitude)
{
    input_fill(&trial->a, input, OPERAND_A, trial->options->seed, magnitude);
    input_fill(&trial->b, input, OPERAND_B, trial->options->seed, magnitude);
    matrix_upload(&trial->a);
    matrix_upload(&trial->b);
}

/* Fills C with NaN on the device, before every run and off the clock: whoever does not write every
   element each time is found out. */
static void poison_output(struct matrix *c)
{
    matrix_poison(c);
    matrix_upload(c);
}

/* Brings everything back from the device and checks it; `when` opens a failure's reason. */
static struct verdict judge(struct trial *trial, const struct result *r, enum input input,
                            const char *when)
{
    struct tolerance tolerance = {.exact = input == INPUT_INTEGERS || input == INPUT_ZEROS ||
                                           trial->options->precision == PRECISION_I32,
                                  .kind = r->variant->bound,
                                  .levels = r->levels,
                                  .split = r->variant->split,
                                  .against_identity = input == INPUT_KAPORIN};
    matrix_download(&trial->c);
    matrix_download(&trial->a);
    matrix_download(&trial->b);
    struct verdict v = verify(&trial->c, &trial->a, &trial->b, &trial->reference, &tolerance);
    char where[64];
    if (v.passed && !workspace_guards_intact(&trial->workspace, where, sizeof where)) {
        v.passed = false;
        snprintf(v.reason, sizeof v.reason, "the workspace was written outside: %s", where);
    }
    if (!v.passed) {
        char found[sizeof v.reason];
        memcpy(found, v.reason, sizeof found);
        snprintf(v.reason, sizeof v.reason, "%s%.*s", when, (int)(sizeof found - 64), found);
    }
    return v;
}

/* One call of a variant, which the simulated GPU may have to leave in the middle. */
struct call {
    const struct variant *variant;
    struct problem problem;
    enum precision precision;
    void *workspace;
    double ms;
};

static void timed_call(void *what)
{
    struct call *call = what;
    backend.start();
    pad_multiply(call->variant, &call->problem, call->precision, call->workspace);
    call->ms = backend.stop();
}

/* Runs a variant once and returns milliseconds; INFINITY when a fault lost the device. */
static double run_once(struct trial *trial, const struct result *r)
{
    struct call call = {r->variant, problem_for(trial, r, &trial->c), trial->options->precision,
                        trial->workspace.start, INFINITY};
    poison_output(&trial->c);
    if (!backend.attempt)
        timed_call(&call);
    else if (!backend.attempt(timed_call, &call))
        return INFINITY;
    return call.ms;
}

static double run_vendor_once(struct trial *trial, const struct result *r)
{
    struct problem p = problem_for(trial, r, &trial->vendor_c);
    poison_output(&trial->vendor_c); /* the caches then are as before a variant's run */
    backend.start();
    backend.vendor_multiply(trial->options->precision, &p);
    return backend.stop();
}

static void counted_call(void *what)
{
    const struct call *call = what;
    pad_multiply(call->variant, &call->problem, call->precision, call->workspace);
}

/* Elements of C count as never written: who adds to them without clearing them is named. */
static void forget_output(const struct matrix *c)
{
    size_t size = precision_bytes(c->precision);
    for (long i = 0; i < c->rows; i++)
        backend.poison((char *)c->device + (size_t)(i * c->ld) * size, (size_t)c->cols * size);
}

/* Runs the same variant from the counting build of the step and keeps what it counted. */
static bool run_counted(struct trial *trial, struct result *r)
{
    struct problem p = problem_for(trial, r, &trial->c);
    if (p.leaf)
        p.leaf = find_variant(trial->traced->leaves, p.leaf->name);
    struct call call = {find_variant(trial->traced->variants, r->variant->name), p,
                        trial->options->precision, trial->workspace.start, 0};
    poison_output(&trial->c);
    forget_output(&trial->c);
    backend.count_start(&trial->options->counting);
    bool done = backend.attempt(counted_call, &call);
    r->counts = backend.count_stop();
    return done;
}

/* What the simulated GPU found since it was last asked becomes the reason, or is added to it. */
static void add_fault(struct verdict *v)
{
    const char *fault = backend.fault ? backend.fault() : NULL;
    if (!fault)
        return;
    v->passed = false;
    size_t length = strlen(v->reason);
    snprintf(v->reason + length, sizeof v->reason - length, "%s%s", length ? "\n" : "", fault);
}

/* The verdict after a run that was left in the middle. */
static void judge_lost(struct verdict *v)
{
    *v = (struct verdict){.max_error = NAN, .mean_error = NAN};
    add_fault(v);
    if (!*v->reason)
        snprintf(v->reason, sizeof v->reason, "the device was lost");
}

/* Beside elements that nobody wrote: the grid that should have covered them. */
static void add_launch(struct verdict *v)
{
    const char *launch = v->unwritten && backend.last_launch ? backend.last_launch() : NULL;
    size_t length = strlen(v->reason);
    if (launch)
        snprintf(v->reason + length, sizeof v->reason - length,
                 " The last launch was %s: do its threads cover C?", launch);
}

/* A wrong result is looked at by the counting build, which sees races, bounds and reads of what
   nobody wrote. */
static void look_closer(struct trial *trial, struct result *r, enum input input)
{
    add_launch(&r->verdict);
    const double most = 1024.0 * 1024 * 1024; /* half a minute */
    if (!backend.count_start || !trial->traced ||
        (double)r->shape.m * (double)r->shape.n * (double)r->shape.k > most)
        return;
    progress(trial, r, "wrong: looking at every access");
    fill_inputs(trial, input, trial->magnitude);
    workspace_poison(&trial->workspace);
    struct counts before = r->counts;
    run_counted(trial, r);
    r->counts = before; /* of a wrong result they mean nothing */
    add_fault(&r->verdict);
}

/* The exact tier: every variant once on small integers. */
static bool check_on_integers(struct trial *trial)
{
    fill_inputs(trial, INPUT_INTEGERS, trial->magnitude);
    if (!reference_create(&trial->reference, &trial->a, &trial->b))
        return false;
    for (int i = 0; i < trial->outcome->count; i++) {
        struct result *r = &trial->outcome->results[i];
        progress(trial, r, "exact check on integers");
        if (!workspace_create(&trial->workspace, trial->options->precision, r->workspace_bytes))
            return false;
        if (isinf(run_once(trial, r))) {
            judge_lost(&r->verdict);
        } else {
            r->verdict = judge(trial, r, INPUT_INTEGERS, "on integers: ");
            if (!r->verdict.passed)
                look_closer(trial, r, INPUT_INTEGERS);
        }
        trial->rejected[i] = !r->verdict.passed;
        workspace_destroy(&trial->workspace);
        if (!r->verdict.passed) /* it may have spoilt the inputs */
            fill_inputs(trial, INPUT_INTEGERS, trial->magnitude);
    }
    reference_destroy(&trial->reference);
    return true;
}

/* How many timed runs: as asked, or what about two seconds hold. */
static int reps_for(const struct options *o, double first_ms)
{
    if (o->reps >= 0)
        return (int)smaller(o->reps, BENCH_MOST);
    if (backend.simulated || first_ms > LONG_MS)
        return 1;
    return bench_rounds(2000, first_ms, 3, 21);
}

/* A variant whose runs are timed. */
struct timed {
    struct trial *trial;
    const struct result *result;
    int run, runs; /* for the progress; 0 runs: warming up */
};

static double timed_run(void *what)
{
    struct timed *t = what;
    char text[64];
    snprintf(text, sizeof text, "timed run %d of %d", ++t->run, t->runs);
    if (t->runs)
        progress(t->trial, t->result, text);
    return run_once(t->trial, t->result);
}

static double timed_vendor_run(void *what)
{
    const struct timed *t = what;
    return run_vendor_once(t->trial, t->result);
}

/* Times a variant and the vendor's library in turn, so that both see the same clocks. */
static void time_variant(struct trial *trial, struct result *r, double first_ms)
{
    struct timed timed = {trial, r};
    struct contestant contestants[] = {{timed_run, &timed}, {timed_vendor_run, &timed}};
    int count = trial->outcome->vendor && !backend.simulated ? 2 : 1;
    if (first_ms < LONG_MS)
        bench_warm_up(contestants, count, (int)trial->options->warmup);
    timed.run = 0;
    timed.runs = reps_for(trial->options, first_ms);
    bench(contestants, count, timed.runs);
    r->timing = contestants[0].timing;
    r->reference = trial->outcome->vendor;
    if (count == 2)
        r->reference_timing = contestants[1].timing;
}

/* By default the counting run is made up to n = 256, where it takes a second or two at most,
   and not where levels have padded the operands far beyond that. */
static bool should_count(const struct trial *trial, const struct result *r)
{
    const struct options *o = trial->options;
    if (!backend.count_start || !trial->traced || o->no_count)
        return false;
    const double most = 256.0 * 256 * 256;
    return o->count || o->counting.report || o->counting.addresses ||
           ((double)o->m * (double)o->n * (double)o->k <= most &&
            (double)r->shape.m * (double)r->shape.n * (double)r->shape.k <= 4 * most);
}

/* Checks, counts, times and checks again. false: no memory. */
static bool measure_variant(struct trial *trial, struct result *r)
{
    const struct options *o = trial->options;
    if (!workspace_create(&trial->workspace, o->precision, r->workspace_bytes))
        return false;
    progress(trial, r, "first run, checked");
    double first_ms = run_once(trial, r);
    if (isinf(first_ms))
        judge_lost(&r->verdict);
    else
        r->verdict = judge(trial, r, o->input, "");
    if (!r->verdict.passed && !isinf(first_ms))
        look_closer(trial, r, o->input);
    if (r->verdict.passed && should_count(trial, r)) {
        progress(trial, r, "counting accesses");
        if (run_counted(trial, r)) {
            r->verdict = judge(trial, r, o->input, "when counted: ");
            add_fault(&r->verdict); /* a right result does not excuse it */
        } else {
            judge_lost(&r->verdict);
        }
    }
    if (r->verdict.passed && o->reps != 0) {
        time_variant(trial, r, first_ms);
        r->verdict = judge(trial, r, o->input, "right the first time, wrong when run again: ");
    }
    workspace_destroy(&trial->workspace);
    if (!r->verdict.passed) /* it may have spoilt the inputs */
        fill_inputs(trial, o->input, trial->magnitude);
    return true;
}

/* The largest integers with which every variant stays exact. */
static int magnitude_for_all(const struct trial *trial)
{
    int magnitude = 8;
    for (int i = 0; i < trial->outcome->count; i++) {
        const struct result *r = &trial->outcome->results[i];
        int fits = integer_magnitude(r->variant->bound, r->levels, trial->options->k,
                                     trial->options->precision);
        magnitude = fits < magnitude ? fits : magnitude;
    }
    return magnitude;
}

/* Both tiers for every variant. false: no memory. */
static bool run_all(struct trial *trial)
{
    const struct options *o = trial->options;
    struct outcome *out = trial->outcome;
    if (o->input != INPUT_INTEGERS && o->reps != 0 && trial->magnitude > 0 &&
        !check_on_integers(trial))
        return false;
    fill_inputs(trial, o->input, trial->magnitude);
    if (!reference_create(&trial->reference, &trial->a, &trial->b))
        return false;
    for (int i = 0; i < out->count; i++) {
        struct result *r = &out->results[i];
        if (!trial->rejected[i] && !measure_variant(trial, r))
            return false;
        *(r->verdict.passed ? &out->right : &out->wrong) += 1;
        if (trial->listener->result)
            trial->listener->result(o, r);
    }
    out->status = out->wrong ? EXIT_WRONG : EXIT_RIGHT;
    return true;
}

void measure(const struct options *o, const struct step *traced, const struct listener *listener,
             struct outcome *outcome)
{
    struct trial trial = {.options = o, .traced = traced, .listener = listener, .outcome = outcome};
    *outcome = (struct outcome){
        .vendor = o->precision == PRECISION_I32 ? NULL : backend.vendor((int)o->threads)};
    choose_variants(&trial);
    if (!leaf_is_there(&trial))
        return;
    trial.magnitude = magnitude_for_all(&trial);
    if (o->input == INPUT_INTEGERS && trial.magnitude == 0) {
        give_up(
            &trial, EXIT_USAGE,
            "--input integers: with these levels and k = %ld not every intermediate is exact in "
            "%s; take fewer levels or --precision f64",
            o->k, precision_names[o->precision]);
        return;
    }
    if (!memory_is_there(&trial))
        return;
    bool enough = create_matrices(&trial);
    if (enough && listener->begin)
        listener->begin(o, outcome);
    if (!enough || !run_all(&trial))
        give_up(&trial, EXIT_RESOURCE, "memory ran out although enough was free at the start");
    workspace_destroy(&trial.workspace);
    destroy_matrices(&trial);
}
