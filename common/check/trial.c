/* SPDX-License-Identifier: MIT */
#include "common/check/trial.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/matrix/npy.h"
#include "common/matrix/random.h"
#include "common/scheme.h"
#include "common/check/pad.h"
#include "common/sizes.h"

/* 64 unpredictable random bits. */
static uint64_t fresh_secret(void)
{
    uint64_t bits;
    if (getentropy(&bits, sizeof bits) != 0) { /* cannot happen for 8 bytes */
        perror("getentropy");
        abort();
    }
    return bits;
}

static struct context context_of_trial(const struct trial *trial, const struct variant *v)
{
    struct context ctx = context_of(trial->options);
    ctx.variant = v;
    ctx.fused = depth_of(trial->options).fused;
    return ctx;
}

struct product trial_product(const struct trial *trial, const struct matrix *c)
{
    const struct options *o = trial->options;
    long extra = o->ld_extra, apart = o->ld_apart;
    return (struct product){.a = {trial->a.device, o->m, o->k, o->k + extra},
                            .b = {trial->b.device, o->k, o->n, o->n + extra + apart},
                            .c = {c->device, o->m, o->n, o->n + extra + 2 * apart}};
}

static bool is_modelled(struct cost cost, const struct options *o)
{
    return o->precision == (cost.in_f64 ? PRECISION_F64 : PRECISION_F32);
}

/* Why memory traffic is not modelled; NULL if it is. */
static const char *reason_for_no_model(const struct variant *v, struct cost cost,
                                       const struct options *o)
{
    return cost.transactions >= 0           ? NULL
           : !v->cost                       ? "this variant has none"
           : !is_modelled(cost, o)          ? "it is for f32"
           : o->counting.rules != GPU_C1060 ? "it is for the rules of the c1060"
                                            : "it does not cover these sizes";
}

/* The parts of a variant's cost that apply; memory is modelled only for the c1060's rules. */
static struct cost modelled(struct cost cost, const struct options *o)
{
    if (!is_modelled(cost, o) || o->counting.rules != GPU_C1060)
        cost.transactions = cost.volume = -1;
    if (!is_modelled(cost, o))
        cost.texture_fetches = cost.texture_bytes = 0;
    return cost;
}

/* What a variant says about a product before it multiplies. */
struct claims {
    const struct variant *variant;
    struct context ctx;
    struct product product;
    int levels;
    size_t workspace;
    struct cost cost;
};

static void claim(void *what)
{
    struct claims *c = what;
    const struct variant *v = c->variant;
    if (v->levels)
        c->levels = v->levels(&c->ctx, c->product, c->levels);
    c->workspace = pad_workspace(v, &c->ctx, c->product, c->levels);
    if (v->cost)
        c->cost = v->cost(&c->ctx, pad_shape(v, c->product, c->levels), c->levels);
}

void trial_describe(const struct trial *trial, struct result *r, const struct variant *v)
{
    *r = (struct result){
        .variant = v, .levels = depth_of(trial->options).levels, .counts = {-1, -1}};
    struct product p = trial_product(trial, &trial->c);
    struct claims c = {v, context_of_trial(trial, v), p, r->levels, 0, {-1, -1, -1, 0, 0, 0}};
    worker_call(claim, &c, sizeof c, NULL, 0);
    r->levels = c.levels;
    r->workspace_bytes = c.workspace * precision_bytes(trial->options->precision);
    r->padded = pad_needed(v, p, r->levels);
    r->shape = pad_shape(v, p, r->levels);
    if (!v->cost)
        c.cost.flops =
            2.0 * (double)r->shape.c.rows * (double)r->shape.c.cols * (double)r->shape.a.cols;
    r->cost = modelled(c.cost, trial->options);
    r->unmodelled = reason_for_no_model(v, r->cost, trial->options);
}

bool trial_create(struct trial *trial)
{
    const struct product p = trial_product(trial, &trial->c);
    enum precision precision = trial->options->precision;
    return matrix_create_for_calls(&trial->a, precision, p.a.rows, p.a.cols, p.a.ld) &&
           matrix_create_for_calls(&trial->b, precision, p.b.rows, p.b.cols, p.b.ld) &&
           matrix_create_for_calls(&trial->c, precision, p.c.rows, p.c.cols, p.c.ld);
}

const char *trial_read(struct trial *trial)
{
    const struct options *o = trial->options;
    if (!matrix_create(&trial->file_a, o->precision, o->m, o->k, o->k) ||
        !matrix_create(&trial->file_b, o->precision, o->k, o->n, o->n))
        return "not enough memory for the matrices in the files";
    const char *wrong = npy_read(o->input_a, &trial->file_a);
    return wrong ? wrong : npy_read(o->input_b, &trial->file_b);
}

void trial_destroy(struct trial *trial)
{
    matrix_destroy(&trial->file_a);
    matrix_destroy(&trial->file_b);
    workspace_destroy(&trial->workspace);
    matrix_destroy(&trial->a);
    matrix_destroy(&trial->b);
    matrix_destroy(&trial->c);
    reference_destroy(&trial->reference);
}

static void copy_elements(struct matrix *to, const struct matrix *from)
{
    for (long i = 0; i < to->rows; i++)
        for (long j = 0; j < to->cols; j++)
            matrix_set(to, i, j, matrix_get(from, i, j));
}

/* Both operands on the host, from a seed. */
static void fill(struct trial *trial, enum input input, int magnitude, long seed)
{
    if (input == INPUT_FILE) {
        copy_elements(&trial->a, &trial->file_a);
        copy_elements(&trial->b, &trial->file_b);
        return;
    }
    input_fill(&trial->a, input, OPERAND_A, (uint64_t)seed, magnitude);
    input_fill(&trial->b, input, OPERAND_B, (uint64_t)seed, magnitude);
}

/* Multiplies each element by a factor from (1/2, 1] and a random sign. */
static void scale(struct matrix *x, enum operand operand, long seed)
{
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++) {
            double factor = random_uniform(random_at((uint64_t)seed, operand, i, j));
            matrix_set(x, i, j, matrix_get(x, i, j) * (factor + (factor < 0 ? -1 : 1)) / 2);
        }
}

static void upload_operands(const struct trial *trial)
{
    matrix_upload(&trial->a);
    matrix_upload(&trial->b);
}

void trial_fill(struct trial *trial, enum input input, int magnitude)
{
    fill(trial, input, magnitude, trial->options->seed);
    upload_operands(trial);
}

/* Fills A and B from another seed than the options'. Inputs that do not depend on a seed are
   multiplied, element by element, by random factors. */
static void fill_anew(struct trial *trial, enum input input, int magnitude, long seed)
{
    fill(trial, input, magnitude, seed);
    if (!input_has_seed(input)) {
        scale(&trial->a, OPERAND_A, seed);
        scale(&trial->b, OPERAND_B, seed);
    }
    upload_operands(trial);
}

/* Rounds all elements to multiples of the same power of two. */
static void shorten(struct matrix *x, int bits)
{
    double largest = 0;
    int exponent;
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            largest = fmax(largest, fabs(matrix_get(x, i, j)));
    if (largest == 0 || !isfinite(largest))
        return;
    frexp(largest, &exponent);
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++) {
            double scaled = ldexp(matrix_get(x, i, j), bits - exponent);
            matrix_set(x, i, j, ldexp(nearbyint(scaled), exponent - bits));
        }
}

static void shorten_both(struct trial *trial, int bits)
{
    shorten(&trial->a, bits);
    shorten(&trial->b, bits);
    upload_operands(trial);
}

/* Fills C and the workspace with NaN before every run, untimed. If a variant leaves an element
   of C unwritten, or reads stale workspace, its result then contains NaN. */
static void poison(struct trial *trial)
{
    workspace_poison(&trial->workspace);
    matrix_poison(&trial->c);
    matrix_upload(&trial->c);
}

/* One call of a variant; a fault on the simulated GPU ends it early. */
struct call {
    const struct variant *variant;
    struct context ctx;
    struct product product;
    int levels;
    enum precision precision;
    void *workspace;
    bool timed;
    struct trial *direct; /* its C is looked at before the clock stops; NULL in a worker */
    double ms;
    bool rounding_changed, clock_touched;
    bool done; /* no fault has ended it */
};

static struct call call_of(const struct trial *trial, const struct result *r)
{
    return (struct call){.variant = r->variant,
                         .ctx = context_of_trial(trial, r->variant),
                         .product = trial_product(trial, &trial->c),
                         .levels = r->levels,
                         .precision = trial->options->precision,
                         .workspace = trial->workspace.start,
                         .done = true};
}

/* Returns a hash of some elements of C at places that depend on a secret: one per page if the
   host can read C, otherwise a few copied from the device. */
static uint64_t glance(const struct matrix *c, uint64_t secret, bool at_device)
{
    enum { PAGE = 4096, FEW = 16 };
    size_t size = precision_bytes(c->precision), cells = (size_t)(c->rows * c->ld);
    size_t page = PAGE / size, stride = cells / FEW + 1;
    bool copied = at_device && !backend.shares_host_memory;
    if (backend.shares_host_memory && stride > page)
        stride = page;
    uint64_t hash = secret;
    for (size_t first = 0; first < cells; first += stride) {
        uint64_t bits = 0;
        size_t cell = first + random_bits(secret + RANDOM_STEP * first) % stride;
        cell = cell < cells ? cell : first;
        if (copied)
            backend.download(&bits, (const char *)c->device + cell * size, size);
        else
            memcpy(&bits, (const char *)c->host + cell * size, size);
        hash = random_bits(hash + RANDOM_STEP) ^ bits;
    }
    return hash;
}

/* How this thread rounds: bits that differ for each direction, and if tiny ones become 0. As
   the result is volatile, a compiler cannot compute it after a later call. */
static unsigned rounding(void)
{
    volatile float one = 1, tiny = 0x1p-30f, least = FLT_MIN;
    volatile unsigned mode =
        (unsigned)(one + tiny != one) | (unsigned)(one - tiny != one) << 1 |
        (unsigned)(-one - tiny != -one) << 2 | (unsigned)(least / 2 == 0) << 3;
    return mode;
}

/* Calls the variant's function, on padded copies if it needs them. */
static void multiply(void *what)
{
    struct call *call = what;
    real *workspace = call->workspace;
    long calls = backend.clock_calls();
    struct product p =
        pad_begin(call->variant, call->product, call->levels, call->precision, &workspace);
    variant_multiply(call->variant, &call->ctx, p, call->levels, workspace);
    call->clock_touched = backend.clock_calls() != calls && !call->variant->own_clock;
    pad_end(p, call->product, call->precision);
}

/* The same between start() and stop(). */
static void multiply_timed(void *what)
{
    struct call *call = what;
    backend.start();
    multiply(call);
    if (call->direct) /* still timed: work put off until C is read counts, too */
        call->direct->glance = glance(&call->direct->c, call->direct->secret, true);
    call->ms = backend.stop();
}

struct handlers {
    void (*of[NSIG])(int);
};

static struct handlers handlers_now(void)
{
    struct handlers now = {{NULL}};
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action = {.sa_handler = NULL};
        if (sigaction(number, NULL, &action) == 0)
            now.of[number] = action.sa_handler;
    }
    return now;
}

/* One call, in the worker if there is one. It sets back how numbers are rounded. */
static void make_call(void *what)
{
    struct call *call = what;
    fenv_t environment;
    fegetenv(&environment);
    unsigned before = rounding();
    if (backend.attempt)
        call->done = backend.attempt(call->timed ? multiply_timed : multiply, call);
    else
        call->timed ? multiply_timed(call) : multiply(call);
    call->rounding_changed = rounding() != before;
    fesetenv(&environment);
}

/* The step's note, and what it says. It is asked for in another call: while a variant runs
   nothing of this is in its process. */
struct saying {
    const char *(*note)(void);
    char said[sizeof((struct trial *)0)->note];
};

static void say(void *what)
{
    struct saying *s = what;
    snprintf(s->said, sizeof s->said, "%s", s->note());
}

/* Makes a call. What a worker leaves in its copy of it serves to explain, not to judge: time
   and memory are measured here. Returns INFINITY if a fault ended it. */
static double ms_of(struct trial *trial, struct call call)
{
    const struct matrix *a = &trial->a, *b = &trial->b, *c = &trial->c;
    const struct workspace *w = &trial->workspace;
    size_t guards = w->start ? (size_t)((char *)w->start - (char *)w->block) : 0;
    const struct call_memory memory[] = {{a->host_block, a->bytes},
                                         {b->host_block, b->bytes},
                                         {c->host_block, c->bytes},
                                         {w->block, w->bytes + 2 * guards}};
    bool shared = backend.shares_host_memory;
    const struct witness *witness = trial->options->witness;
    if (witness)
        witness->begins(shared && worker_is_there() ? memory : NULL,
                        trial->once_more && trial->options->reps == 1);
    struct call_used used = worker_call(make_call, &call, sizeof call, memory, shared ? 4 : 0);
    trial->rounding_changed = call.rounding_changed;
    trial->clock_touched = call.clock_touched;
    struct saying s = {trial->options->step->note, ""};
    if (s.note)
        worker_call(say, &s, sizeof s, NULL, 0);
    s.said[sizeof s.said - 1] = '\0';
    snprintf(trial->note, sizeof trial->note, "%s", witness ? witness->ends(s.said) : s.said);
    if (used.outside > trial->outside)
        trial->outside = used.outside;
    return !call.done               ? INFINITY
           : !worker_is_there()     ? call.ms
           : backend.processor_time ? used.processor_ms
                                    : used.ms;
}

double trial_run(struct trial *trial, const struct result *r)
{
    struct call call = call_of(trial, r);
    struct handlers before = {{NULL}}, after = before;
    bool direct = !worker_is_there() && backend.shares_host_memory;
    call.timed = !worker_is_there() || backend.shares_host_memory;
    call.direct = direct ? trial : NULL;
    if (direct)
        before = handlers_now();
    trial->secret = fresh_secret();
    poison(trial);
    double ms = ms_of(trial, call);
    trial->glanced = ms < INFINITY;
    if (!trial->glanced)
        return ms;
    if (direct)
        after = handlers_now();
    else
        trial->glance = glance(&trial->c, trial->secret, true);
    trial->left =
        memcmp(&before, &after, sizeof before) != 0
            ? "a signal handler was set and left: work could be put off until C is read"
        : backend.shares_host_memory ? worker_left()
                                     : NULL;
    return ms;
}

void trial_multiply(struct trial *trial, const struct result *r)
{
    ms_of(trial, call_of(trial, r));
}

/* Marks the elements of C as never written, so that the simulator reports a kernel that adds to
   them without clearing them. */
static void forget_output(const struct matrix *c)
{
    size_t size = precision_bytes(c->precision);
    for (long i = 0; i < c->rows; i++)
        backend.poison((char *)c->device + (size_t)(i * c->ld) * size, (size_t)c->cols * size);
}

bool trial_count(struct trial *trial, struct result *r)
{
    struct call call = call_of(trial, r);
    call.variant = find_variant(trial->traced->variants, r->variant->name);
    if (call.ctx.leaf)
        call.ctx.leaf = find_leaf(trial->traced->leaves, call.ctx.leaf->name);
    trial->glanced = false;
    trial->left = NULL;
    poison(trial);
    forget_output(&trial->c);
    backend.count_start(&trial->options->counting);
    bool done = ms_of(trial, call) < INFINITY;
    r->counts = backend.count_stop();
    return done;
}

struct tolerance trial_tolerance(const struct trial *trial, const struct result *r,
                                 enum input input)
{
    const struct options *o = trial->options;
    bool is_tiny = smaller(o->m, smaller(o->n, o->k)) < 32; /* too small for averages */
    return (struct tolerance){.exact = input == INPUT_INTEGERS || input == INPUT_ZEROS ||
                                       o->precision == PRECISION_I32,
                              .bound = r->variant->bound,
                              .levels = r->levels,
                              .m = r->shape.c.rows,
                              .n = r->shape.c.cols,
                              .k = r->shape.a.cols,
                              .random = input == INPUT_UNIFORM && !is_tiny,
                              .against_identity = input_is_kaporin(input)};
}

/* Whether the last run's time is valid: the variant did not touch the clock and left nothing,
   and C, on the host, has not changed since the clock stopped. It compares some elements of C
   at unpredictable places. */
static bool kept_time(const struct trial *trial)
{
    return !trial->clock_touched && !trial->left && !trial->rounding_changed &&
           (!trial->glanced || glance(&trial->c, trial->secret, false) == trial->glance);
}

/* Puts `when` before the reason. */
static void put_before_reason(struct verdict *v, const char *when)
{
    char found[sizeof v->reason];
    memcpy(found, v->reason, sizeof found);
    snprintf(v->reason, sizeof v->reason, "%s%.*s", when, (int)(sizeof found - 128), found);
}

/* Judges matrices that are already on the host. */
static struct verdict judge_host(const struct trial *trial, const struct tolerance *tolerance,
                                 const char *when)
{
    struct verdict v = verify(&trial->c, &trial->a, &trial->b, &trial->reference, tolerance,
                              trial->options->explainer);
    const char *where = v.passed ? workspace_written_outside(&trial->workspace) : NULL;
    if (where) {
        v.passed = false;
        snprintf(v.reason, sizeof v.reason,
                 "the workspace of %zu bytes was written outside: %s", trial->workspace.bytes,
                 where);
    }
    if (v.passed && trial->options->witness)
        trial->options->witness->judges(&trial->c, &trial->a, &trial->b);
    if (trial->left || (v.passed && !kept_time(trial))) {
        v.passed = false;
        snprintf(v.reason, sizeof v.reason, "%s",
                 trial->clock_touched
                     ? "the clock was stopped or started in the middle of the product, so its "
                       "times are meaningless"
                 : trial->rounding_changed
                     ? "another rounding mode was left, and later calls would be rounded so"
                 : trial->left
                     ? trial->left
                     : "C was still being written after the clock had stopped, so its times "
                       "are meaningless");
    }
    if (!v.passed)
        put_before_reason(&v, when);
    return v;
}

struct verdict trial_judge(struct trial *trial, const struct tolerance *tolerance,
                           const char *when)
{
    matrix_download(&trial->c);
    matrix_download(&trial->a);
    matrix_download(&trial->b);
    return judge_host(trial, tolerance, when);
}

void trial_add_fault(struct verdict *v)
{
    const char *fault = backend.fault ? backend.fault() : NULL;
    if (!fault)
        return;
    v->passed = false;
    size_t length = strlen(v->reason);
    snprintf(v->reason + length, sizeof v->reason - length, "%s%s", length ? "\n" : "", fault);
}

void trial_add_launch(struct verdict *v)
{
    const char *launch = v->unwritten && backend.last_launch ? backend.last_launch() : NULL;
    size_t length = strlen(v->reason);
    if (launch)
        snprintf(v->reason + length, sizeof v->reason - length, " The last launch was %s.",
                 launch);
}

struct verdict trial_lost(void)
{
    struct verdict v = {.max_error = NAN, .mean_error = NAN};
    trial_add_fault(&v);
    if (!*v.reason)
        snprintf(v.reason, sizeof v.reason, "the device was lost");
    return v;
}

/* ---- Again ---- */

bool again_begin(struct again *again, struct trial *trial, const struct result *result,
                 int magnitude)
{
    enum input input = trial->options->input;
    *again = (struct again){.trial = trial,
                            .result = result,
                            .input = input,
                            .magnitude = magnitude,
                            .tolerance = trial_tolerance(trial, result, input),
                            .verdict.passed = true};
    if (again->tolerance.exact || verify_by_signs(NULL, &trial->a, &trial->b, &again->tolerance,
                                                  fresh_secret()) != SIGNS_RIGHT)
        return true;
    if (magnitude == 0)
        return false;
    again->input = INPUT_INTEGERS;
    again->tolerance = trial_tolerance(trial, result, INPUT_INTEGERS);
    return true;
}

/* Writes how the reason of a wrong run begins. */
static void say_when(const struct again *again, char *text, size_t size)
{
    char seed[32] = "";
    if (input_has_seed(again->input))
        snprintf(seed, sizeof seed, ", --seed %ld", again->seed);
    if (again->run)
        snprintf(text, size,
                 "right the first time, wrong when run again (timed run %d, with new "
                 "numbers%s): ",
                 again->run, seed);
    else
        snprintf(text, size, "when counted: ");
}

static bool refuse_run(struct again *again, const char *what)
{
    char when[128];
    say_when(again, when, sizeof when);
    again->verdict.passed = false;
    snprintf(again->verdict.reason, sizeof again->verdict.reason, "%s%s", when, what);
    return false;
}

/* Judges C element by element. */
static void judge_fully(struct again *again)
{
    struct trial *trial = again->trial;
    struct reference first = trial->reference;
    char when[128];
    say_when(again, when, sizeof when);
    if (reference_create(&trial->reference, &trial->a, &trial->b)) {
        again->verdict = judge_host(trial, &again->tolerance, when);
        reference_destroy(&trial->reference);
    } else {
        refuse_run(again, "too little memory to find the wrong element");
    }
    trial->reference = first;
}

/* Whether A and B are compared after this run. Copying large ones back from a GPU takes longer
   than the run, so there only one run in four is compared, chosen at random. */
static bool should_look_at_operands(const struct trial *trial, bool last)
{
    const size_t small = 64 << 20;
    return last || backend.shares_host_memory || trial->a.bytes + trial->b.bytes < small ||
           fresh_secret() % 4 == 0;
}

/* The hashes of A and B before a run. */
struct hashes {
    uint64_t a, b;
};

static struct hashes operands_of(const struct trial *trial)
{
    return (struct hashes){matrix_hash(&trial->a), matrix_hash(&trial->b)};
}

/* Judges the last run, whose C is on the device; true if it was right. */
static bool judge(struct again *again, struct hashes before, bool last)
{
    struct trial *trial = again->trial;
    matrix_download(&trial->c);
    if (should_look_at_operands(trial, last)) {
        matrix_download(&trial->a);
        matrix_download(&trial->b);
        if (matrix_hash(&trial->a) != before.a)
            return refuse_run(again, "A was changed: a product must not write to its inputs");
        if (matrix_hash(&trial->b) != before.b)
            return refuse_run(again, "B was changed: a product must not write to its inputs");
    }
    enum signs_verdict by_signs =
        verify_by_signs(&trial->c, &trial->a, &trial->b, &again->tolerance, fresh_secret());
    if (by_signs != SIGNS_RIGHT || last || !kept_time(trial) ||
        matrix_written_outside(&trial->c))
        judge_fully(again);
    if (again->verdict.passed && by_signs == SIGNS_WRONG)
        return refuse_run(
            again, "C times a vector of random signs is not A times (B times that vector)");
    return again->verdict.passed;
}

static bool lost(struct again *again)
{
    again->verdict = trial_lost();
    return false;
}

double again_run(struct again *again, bool last)
{
    if (!again->verdict.passed)
        return -1;
    again->run++;
    again->seed = (long)(fresh_secret() >> 1);
    fill_anew(again->trial, again->input, again->magnitude, again->seed);
    struct hashes before = operands_of(again->trial);
    again->trial->once_more = true;
    double ms = trial_run(again->trial, again->result);
    again->trial->once_more = false;
    bool right = isinf(ms) ? lost(again) : judge(again, before, last);
    return right ? ms : -1;
}

/* How many bits the sums of one level add to the numbers, at both ends. */
static int bits_of_sums(const struct scheme *scheme)
{
    return scheme ? (int)ceil(log2(scheme_largest_sum(scheme))) + scheme_bits(scheme).factors
                  : 0;
}

/* How many bits numbers may have so that multiplying them, or the levels' sums, is exact. Then
   the bits of C depend only on the order of the sums, and not on whether a compiler fuses a
   product and a sum. */
static int short_bits(const struct result *r, enum precision precision)
{
    int bits = (precision == PRECISION_F64 ? 26 : 12) -
               bits_of_sums(r->variant->bound.scheme) * r->levels;
    return bits > 4 ? bits : 4;
}

bool again_count(struct again *again, struct result *result)
{
    struct trial *trial = again->trial;
    trial_fill(trial, again->input, again->magnitude);
    shorten_both(trial, short_bits(result, trial->options->precision));
    struct hashes before = operands_of(trial);
    if (isinf(trial_run(trial, result)))
        return lost(again);
    matrix_download(&trial->c);
    uint64_t bits = matrix_elements_hash(&trial->c);
    if (!trial_count(trial, result))
        return lost(again);
    if (!judge(again, before, false))
        return false;
    return matrix_elements_hash(&trial->c) == bits ||
           refuse_run(again,
                      "the counting build and the timed build give different bits, so they run "
                      "different kernels; does the source test LADDER_TRACED?");
}
