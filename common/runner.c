#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "host.h"
#include "input.h"
#include "options.h"
#include "pad.h"
#include "report.h"
#include "timer.h"
#include "verify.h"

enum { MAX_VARIANTS = 64, MAX_REPS = 51, MUCH_PADDING = 64 };

/** What one program run works with. */
struct bench {
    struct options options;
    const struct step *traced;
    const char *vendor;
    struct matrix a, b, c;
    struct matrix vendor_c;
    struct reference reference;
    int magnitude; /**< of the integers; 0: none would stay exact */
    int used;      /**< variants that run */
    struct result results[MAX_VARIANTS];
    bool rejected[MAX_VARIANTS]; /**< failed on the integers */
};

size_t leaf_workspace(const struct problem *p)
{
    return p->leaf && p->leaf->workspace ? p->leaf->workspace(p) : 0;
}

/* A bench's problem for one variant, computing into `c`. */
static struct problem problem_for(const struct bench *bench, const struct result *result,
                                  const struct matrix *c)
{
    const struct options *o = &bench->options;
    const struct variant *leaves = o->step->leaves;
    return (struct problem){.m = o->m,
                            .n = o->n,
                            .k = o->k,
                            .a = bench->a.device,
                            .lda = o->k + o->ld_extra, /* asked before the matrices are there */
                            .b = bench->b.device,
                            .ldb = o->n + o->ld_extra,
                            .c = c->device,
                            .ldc = o->n + o->ld_extra,
                            .levels = result->levels,
                            .fused = options_depth(o).fused,
                            .leaf = !leaves   ? NULL
                                    : o->leaf ? find_variant(leaves, o->leaf)
                                              : leaves,
                            .threads = o->threads,
                            .parameter = o->parameter};
}

static int print_list(const struct options *o)
{
    for (const struct variant *v = o->step->variants; v->name; v++)
        printf("%-22s %s%s\n", v->name, v->sentence, v->broken ? " (wrong on purpose)" : "");
    if (o->step->leaves)
        printf("\nleaves:\n");
    for (const struct variant *v = o->step->leaves; v && v->name; v++)
        printf("%-22s %s\n", v->name, v->sentence);
    return EXIT_RIGHT;
}

/* The variant's own model; memory is modelled for f32 by the c1060's rules only. */
static struct cost cost_of(const struct variant *v, const struct problem *p,
                           const struct options *o)
{
    struct cost plain = {2.0 * (double)p->m * (double)p->n * (double)p->k, -1, -1};
    struct cost cost = v->cost ? v->cost(p) : plain;
    if (o->precision != PRECISION_F32 || o->modern)
        cost.transactions = cost.volume = -1;
    if (o->precision != PRECISION_F32)
        cost.texture_fetches = cost.texture_bytes = 0;
    return cost;
}

/* Which variants run: the one asked for, or all that are not broken on purpose. */
static void choose_variants(struct bench *bench)
{
    const struct options *o = &bench->options;
    for (const struct variant *v = o->step->variants; v->name && bench->used < MAX_VARIANTS; v++) {
        if (o->variant ? !is_listed(o->variant, v->name) : v->broken)
            continue;
        struct result *r = &bench->results[bench->used++];
        struct depth depth = options_depth(o);
        *r = (struct result){.variant = v, .levels = depth.levels, .counts = {-1, -1}};
        struct problem p = problem_for(bench, r, &bench->c);
        if (v->levels)
            p.levels = r->levels = v->levels(&p);
        r->workspace_bytes = pad_workspace(v, &p) * precision_bytes(o->precision);
        r->padded = pad_needed(v, &p);
        r->shape = pad_shape(v, &p);
        r->cost = cost_of(v, &r->shape, o);
    }
}

/* Says so and returns false when the leaf asked for cannot run here. */
static bool leaf_is_there(const struct bench *bench)
{
    const struct variant *leaf = problem_for(bench, bench->results, &bench->c).leaf;
    const char *missing = leaf && leaf->missing ? leaf->missing() : NULL;
    if (missing)
        fprintf(stderr, "--leaf %s: %s\n", leaf->name, missing);
    return !missing;
}

static double bytes_of_matrices(const struct options *o, enum precision precision)
{
    return (double)matrix_bytes(precision, o->m, o->k, o->k + o->ld_extra) +
           (double)matrix_bytes(precision, o->k, o->n, o->n + o->ld_extra) +
           (double)matrix_bytes(precision, o->m, o->n, o->n + o->ld_extra);
}

/* Says so and returns false when the memory that will be asked for is not there. */
static bool memory_is_there(const struct bench *bench)
{
    const struct options *o = &bench->options;
    double c_bytes = (double)matrix_bytes(o->precision, o->m, o->n, o->n + o->ld_extra);
    double device = bytes_of_matrices(o, o->precision) + (bench->vendor ? c_bytes : 0);
    double checking = (double)o->m * (double)o->n * 8, workspace = 0;
    for (int i = 0; i < bench->used; i++)
        workspace = fmax(workspace, (double)bench->results[i].workspace_bytes);
    device += fmax(workspace, bench->vendor ? bytes_of_matrices(o, PRECISION_F64) : 0);
    double host = backend.shares_host_memory
                      ? device + checking
                      : bytes_of_matrices(o, o->precision) + c_bytes + checking +
                            (bench->vendor ? bytes_of_matrices(o, PRECISION_F64) : 0);
    double host_free = (double)host_memory_available();
    if (host > host_free) {
        fprintf(stderr, "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free\n", host,
                readable_bytes(host), host_free, readable_bytes(host_free));
        return false;
    }
    if (!backend.shares_host_memory && device > (double)backend.memory_free()) {
        double device_free = (double)backend.memory_free();
        fprintf(stderr, "not enough memory on %s: %.0f bytes (%s) are needed, %.0f (%s) are free\n",
                backend.device(), device, readable_bytes(device), device_free,
                readable_bytes(device_free));
        return false;
    }
    return true;
}

static bool create_matrices(struct bench *bench)
{
    const struct options *o = &bench->options;
    long extra = o->ld_extra;
    return matrix_create(&bench->a, o->precision, o->m, o->k, o->k + extra) &&
           matrix_create(&bench->b, o->precision, o->k, o->n, o->n + extra) &&
           matrix_create(&bench->c, o->precision, o->m, o->n, o->n + extra) &&
           (!bench->vendor ||
            matrix_create(&bench->vendor_c, o->precision, o->m, o->n, o->n + extra));
}

static void destroy_matrices(struct bench *bench)
{
    matrix_destroy(&bench->a);
    matrix_destroy(&bench->b);
    matrix_destroy(&bench->c);
    matrix_destroy(&bench->vendor_c);
    reference_destroy(&bench->reference);
}

static void fill_inputs(struct bench *bench, enum input input, int magnitude)
{
    input_fill(&bench->a, input, OPERAND_A, bench->options.seed, magnitude);
    input_fill(&bench->b, input, OPERAND_B, bench->options.seed, magnitude);
    matrix_upload(&bench->a);
    matrix_upload(&bench->b);
}

/* Fills C with NaN on the device; whoever does not write every element is found out. */
static void poison_output(struct bench *bench)
{
    matrix_poison(&bench->c);
    matrix_upload(&bench->c);
}

/* Brings everything back from the device and checks it; `when` opens a failure's reason. */
static struct verdict judge(struct bench *bench, const struct result *r, enum input input,
                            const char *when)
{
    struct tolerance tolerance = {.exact = input == INPUT_INTEGERS || input == INPUT_ZEROS ||
                                           bench->options.precision == PRECISION_I32,
                                  .kind = r->variant->bound,
                                  .levels = r->levels,
                                  .against_identity = input == INPUT_KAPORIN};
    matrix_download(&bench->c);
    matrix_download(&bench->a);
    matrix_download(&bench->b);
    struct verdict v = verify(&bench->c, &bench->a, &bench->b, &bench->reference, &tolerance);
    if (!v.passed) {
        char found[sizeof v.reason];
        memcpy(found, v.reason, sizeof found);
        snprintf(v.reason, sizeof v.reason, "%s%.280s", when, found);
    }
    return v;
}

/* The workspace of one variant, filled with NaN. NULL with *enough false: no memory. */
static void *poisoned_workspace(const struct result *r, bool *enough)
{
    *enough = true;
    if (!r->workspace_bytes)
        return NULL;
    void *workspace = backend.allocate(r->workspace_bytes);
    *enough = workspace != NULL;
    if (workspace)
        backend.poison(workspace, r->workspace_bytes);
    return workspace;
}

/* Runs a variant once and returns milliseconds. */
static double run_once(struct bench *bench, const struct result *r, void *workspace)
{
    const struct variant *v = r->variant;
    struct problem p = problem_for(bench, r, &bench->c);
    if (v->prepare)
        v->prepare(&p, workspace);
    backend.start();
    pad_multiply(v, &p, bench->options.precision, workspace);
    double ms = backend.stop();
    if (v->finish)
        v->finish(&p, workspace);
    return ms;
}

static double run_vendor_once(struct bench *bench, const struct result *r)
{
    struct problem p = problem_for(bench, r, &bench->vendor_c);
    backend.start();
    backend.vendor_multiply(bench->options.precision, &p);
    return backend.stop();
}

/* Runs the same variant from the counting build of the step and keeps what it counted. */
static void run_counted(struct bench *bench, struct result *r, void *workspace)
{
    struct problem p = problem_for(bench, r, &bench->c);
    if (p.leaf)
        p.leaf = find_variant(bench->traced->leaves, p.leaf->name);
    const struct variant *v = find_variant(bench->traced->variants, r->variant->name);
    if (v->prepare)
        v->prepare(&p, workspace);
    backend.count_start(&bench->options);
    pad_multiply(v, &p, bench->options.precision, workspace);
    r->counts = backend.count_stop();
    if (v->finish)
        v->finish(&p, workspace);
}

/* The exact tier: every variant once on small integers. */
static bool check_on_integers(struct bench *bench)
{
    fill_inputs(bench, INPUT_INTEGERS, bench->magnitude);
    if (!reference_create(&bench->reference, &bench->a, &bench->b))
        return false;
    for (int i = 0; i < bench->used; i++) {
        struct result *r = &bench->results[i];
        bool enough;
        report_progress(&bench->options, "%s: exact check on integers ...", r->variant->name);
        void *workspace = poisoned_workspace(r, &enough);
        if (!enough)
            return false;
        poison_output(bench);
        run_once(bench, r, workspace);
        r->verdict = judge(bench, r, INPUT_INTEGERS, "on integers: ");
        bench->rejected[i] = !r->verdict.passed;
        backend.release(workspace);
        if (!r->verdict.passed) /* it may have spoilt the inputs */
            fill_inputs(bench, INPUT_INTEGERS, bench->magnitude);
    }
    reference_destroy(&bench->reference);
    return true;
}

/* How many timed runs: as asked, or what about two seconds hold. */
static int reps_for(const struct options *o, double first_ms)
{
    if (o->reps)
        return o->reps > MAX_REPS ? MAX_REPS : o->reps;
    if (backend.simulated || first_ms > 4000)
        return 1;
    double fit = 2000 / fmax(first_ms, 1e-3);
    return fit < 3 ? 3 : fit > 21 ? 21 : (int)fit;
}

/* Times a variant and the vendor's library in turn, so that both see the same clocks. */
static void time_variant(struct bench *bench, struct result *r, void *workspace, double first_ms)
{
    const struct options *o = &bench->options;
    double ms[MAX_REPS], vendor_ms[MAX_REPS];
    int reps = reps_for(o, first_ms);
    bool vendor = bench->vendor && !backend.simulated;
    /* A run of seconds is its own warm-up. */
    for (int i = 0; i < o->warmup && first_ms < 4000; i++) {
        run_once(bench, r, workspace);
        if (vendor)
            run_vendor_once(bench, r);
    }
    for (int i = 0; i < reps; i++) {
        report_progress(o, "%s: timed run %d of %d ...", r->variant->name, i + 1, reps);
        ms[i] = run_once(bench, r, workspace);
        if (vendor)
            vendor_ms[i] = run_vendor_once(bench, r);
    }
    r->timing = timing_of(ms, reps);
    r->reference = bench->vendor;
    if (vendor)
        r->reference_timing = timing_of(vendor_ms, reps);
}

/* By default the counting run is made up to n = 256, where it takes a second or two at most,
   and not where levels have padded the operands far beyond that. */
static bool should_count(const struct bench *bench, const struct result *r)
{
    const struct options *o = &bench->options;
    if (!backend.count_start || !bench->traced || o->count == 0)
        return false;
    const double most = 256.0 * 256 * 256;
    return o->count == 1 || o->report || o->addresses ||
           ((double)o->m * (double)o->n * (double)o->k <= most &&
            (double)r->shape.m * (double)r->shape.n * (double)r->shape.k <= 4 * most);
}

/* A right result does not excuse a fault that the simulated GPU has seen. */
static void add_fault(struct verdict *v)
{
    const char *fault = backend.fault();
    if (!fault)
        return;
    v->passed = false;
    snprintf(v->reason, sizeof v->reason, "%s", fault);
}

/* Checks, counts, times and checks again. false: no memory. */
static bool measure(struct bench *bench, struct result *r)
{
    const struct options *o = &bench->options;
    bool enough;
    void *workspace = poisoned_workspace(r, &enough);
    if (!enough)
        return false;
    report_progress(o, "%s: first run, checked ...", r->variant->name);
    poison_output(bench);
    double first_ms = run_once(bench, r, workspace);
    r->verdict = judge(bench, r, o->input, "");
    if (r->verdict.passed && should_count(bench, r)) {
        report_progress(o, "%s: counting accesses ...", r->variant->name);
        poison_output(bench);
        run_counted(bench, r, workspace);
        r->verdict = judge(bench, r, o->input, "when counted: ");
        add_fault(&r->verdict);
    }
    if (r->verdict.passed && o->reps != CHECK_ONCE) {
        poison_output(bench);
        time_variant(bench, r, workspace, first_ms);
        r->verdict = judge(bench, r, o->input, "right the first time, wrong when run again: ");
    }
    backend.release(workspace);
    if (!r->verdict.passed) /* it may have spoilt the inputs */
        fill_inputs(bench, o->input, bench->magnitude);
    return true;
}

/* The largest integers with which every variant stays exact. */
static int magnitude_for_all(const struct bench *bench)
{
    int magnitude = 8;
    for (int i = 0; i < bench->used; i++) {
        const struct result *r = &bench->results[i];
        int fits = integer_magnitude(r->variant->bound, r->levels, bench->options.k,
                                     bench->options.precision);
        magnitude = fits < magnitude ? fits : magnitude;
    }
    return magnitude;
}

static int out_of_memory(void)
{
    report_progress(NULL, "%s", "");
    fprintf(stderr, "memory ran out although enough was free at the start\n");
    return EXIT_RESOURCE;
}

/* Levels beyond what the operands have are padded for, which may take very long. */
static void warn_of_padding(const struct bench *bench)
{
    const struct options *o = &bench->options;
    for (int i = 0; i < bench->used && !o->quiet; i++) {
        const struct result *r = &bench->results[i];
        double times = (double)r->shape.m / (double)o->m * ((double)r->shape.n / (double)o->n) *
                       ((double)r->shape.k / (double)o->k);
        if (r->levels > 0 && times >= MUCH_PADDING) {
            fprintf(
                stderr,
                "%s: %d levels pad m, n, k to %ld, %ld, %ld, %.0f times the product asked for\n",
                r->variant->name, r->levels, r->shape.m, r->shape.n, r->shape.k, times);
            return; /* of the first is enough */
        }
    }
}

/* Both tiers for every variant, then the verdict. */
static int run_all(struct bench *bench)
{
    const struct options *o = &bench->options;
    int right = 0, wrong = 0;
    report_start(o, bench->vendor);
    warn_of_padding(bench);
    if (o->input != INPUT_INTEGERS && o->reps != CHECK_ONCE && bench->magnitude > 0 &&
        !check_on_integers(bench))
        return out_of_memory();
    fill_inputs(bench, o->input, bench->magnitude);
    if (!reference_create(&bench->reference, &bench->a, &bench->b))
        return out_of_memory();
    for (int i = 0; i < bench->used; i++) {
        struct result *r = &bench->results[i];
        if (!bench->rejected[i] && !measure(bench, r))
            return out_of_memory();
        *(r->verdict.passed ? &right : &wrong) += 1;
        report_result(o, r);
        if (r->counts.transactions >= 0)
            backend.report(o);
    }
    int status = wrong ? EXIT_WRONG : EXIT_RIGHT;
    const struct step *step = bench->traced ? bench->traced : o->step;
    if (step->epilogue && !wrong && !o->json && !o->quiet)
        status = step->epilogue(o, bench->results, bench->used);
    report_end(o, right, wrong);
    return status;
}

/* The exit status when all memory is freed: a fault that the simulated GPU saw makes it wrong. */
static int with_faults(int status)
{
    bool faults = backend.finish && backend.finish() > 0;
    return faults && status == EXIT_RIGHT ? EXIT_WRONG : status;
}

int run_step(int argc, char **argv, const struct step *const steps[PRECISIONS],
             const struct step *const traced[PRECISIONS])
{
    static struct bench bench; /* large, and there is one */
    int status;
    if (!options_read(&bench.options, argc, argv, steps, &status))
        return status;
    const struct options *o = &bench.options;
    if (o->list)
        return print_list(o);
    if (backend.missing()) {
        fprintf(stderr, "%s: %s\n", o->step->name, backend.missing());
        return EXIT_RESOURCE;
    }
    bench.traced = traced[o->precision];
    if (o->action) {
        const struct action *action = o->action,
                            *counting = bench.traced ? bench.traced->actions : NULL;
        for (; counting && counting->name; counting++)
            if (strcmp(counting->name, o->action->name) == 0)
                action = counting;
        return with_faults(action->run(o));
    }
    bench.vendor = o->precision == PRECISION_I32 ? NULL : backend.vendor(o->threads);
    choose_variants(&bench);
    if (!leaf_is_there(&bench))
        return EXIT_RESOURCE;
    bench.magnitude = magnitude_for_all(&bench);
    if (o->input == INPUT_INTEGERS && bench.magnitude == 0) {
        fprintf(stderr,
                "--input integers: with these levels and k = %ld not every intermediate is "
                "exact in %s; take fewer levels or --precision f64\n",
                o->k, precision_names[o->precision]);
        return EXIT_USAGE;
    }
    if (!memory_is_there(&bench))
        return EXIT_RESOURCE;
    status = create_matrices(&bench) ? run_all(&bench) : out_of_memory();
    destroy_matrices(&bench);
    return with_faults(status);
}
