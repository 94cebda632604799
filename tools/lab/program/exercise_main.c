/* SPDX-License-Identifier: MIT */
/** @file exercise_main.c
 * main() of an exercise: measures it as every step is measured, with the tables that it was
 * compiled into, and reports the result to the lab through its channel (channel.h). Without a
 * channel, as in a debugger, it is a program like every step's.
 *
 * For the simulated GPU only the counting build is made; it serves for plain runs, too: it is
 * fast enough at an exercise's sizes, compiles once instead of twice, and finds faults
 * in every run. */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "common/device/libraries/vendor.h"
#include "common/measure/measure.h"
#include "common/measure/report.h"
#include "device.h"
#include "diagnose.h"
#include "exercises/apart.h"
#include "tools/lab/mistakes/explain.h"
#include "common/device/worker.h"
#include "tools/lab/process/seal.h"
#include "simgpu/include/simgpu/hooks.h"
#include "simgpu/simgpu.h"

extern const struct step step_f32 __attribute__((weak));
extern const struct step step_f64 __attribute__((weak));
extern const struct step step_f32_traced __attribute__((weak));
extern const struct step step_f64_traced __attribute__((weak));

extern void simgpu_get_totals(struct simgpu_totals *totals) __attribute__((weak));
extern void simgpu_guard_host(void *frame) __attribute__((weak));
extern void simgpu_report_file(FILE *out, const char *file) __attribute__((weak));

/* The listener needs it: the report must be taken before the next variant counts. */
static FILE *channel;

/* Reports a fact. */
static void tell(const char *name, const char *text)
{
    struct json json = json_begin(channel);
    json_text(&json, name, text);
    json_end(&json);
}

static void say_note(FILE *out, const void *step)
{
    fputs(((const struct step *)step)->note(), out);
}

/* Writes what the note counts: "products=7". A run that is wrong may end before it is stored;
   a simulated GPU's process knows it all the same. */
static void tell_note(const struct options *o, const struct result *r)
{
    char note[sizeof r->note];
    bool late = !*r->note && (!worker_is_there() || backend.simulated) && o->step->note;
    const char *seen = late ? witness_of_exercises.ends("") : "";
    snprintf(note, sizeof note, "%s",
             !late   ? r->note
             : *seen ? seen
                     : device_text(say_note, o->step));
    for (char *word = strtok(note, " ,"); word; word = strtok(NULL, " ,")) {
        char *sign = strchr(word, '=');
        if (sign && sign > word && sign[1] && !strchr(sign + 1, '=')) {
            *sign = '\0';
            tell(word, sign + 1);
        }
    }
}

static void get_totals(void *what) { simgpu_get_totals(what); }

static void tell_result(const struct options *o, const struct result *r)
{
    struct json json = json_begin(channel), *j = &json;
    report_fields(j, o, r);
    json_whole(j, "bytes_of_a", (double)matrix_bytes(o->precision, o->m, o->k + o->ld_extra));
    json_whole(j, "bytes_of_b", (double)matrix_bytes(o->precision, o->k, o->n + o->ld_extra));
    json_whole(j, "bytes_of_c", (double)matrix_bytes(o->precision, o->m, o->n + o->ld_extra));
    json_whole(j, "bytes_outside", (double)r->outside);
    json_number_if(j, apart_made_elsewhere(), "made_elsewhere", 1);
    if (r->counts.transactions >= 0 && simgpu_get_totals) {
        struct simgpu_totals totals;
        device_call(get_totals, &totals, sizeof totals);
        json_whole(j, "barriers", (double)totals.barriers);
        /* Of a single access: an average of the line would fall with others in it. */
        json_number_if(j, totals.shared_requests > 0, "conflict",
                       (double)totals.shared_conflict);
    }
    /* Another shape is tried last, if all is right on the one asked for. */
    json_whole(j, "right_at_its_size", r->verdict.passed || (r->judged & JUDGED_SHAPE) != 0);
    json_end(j);
    tell_note(o, r);
}

static void write_costs(FILE *out);

/* The launches from the learner's file, each once, in the simulated GPU's words. */
static char own_launches[2048];

static void write_launches(FILE *out, const void *none)
{
    (void)none;
    fputs(own_launches, out);
}

static struct counting reported; /* where the device is */

static void set_reported(void *counting) { reported = *(struct counting *)counting; }

static void write_report(FILE *out, const void *none)
{
    (void)none;
    backend.report(&reported, out);
    fputc('\n', out);
    if (simgpu_report_file)
        simgpu_report_file(out, "exercise.cu");
    write_costs(out);
}

/* Writes the simulated GPU's report of the last count, each line after "| ". */
static void tell_report(const struct options *o)
{
    struct counting counting = o->counting;
    device_call(set_reported, &counting, sizeof counting);
    char *rest = device_text(write_report, NULL);
    for (char *line; (line = strsep(&rest, "\n"));)
        fprintf(channel, "| %s\n", line);
}

static void take_result(const struct options *o, struct result *r)
{
    if (strcmp(r->variant->name, "yours") == 0) {
        tell_result(o, r);
        if (r->counts.transactions >= 0 && o->counting.report)
            tell_report(o);
        const char *launches = backend.simulated ? device_text(write_launches, NULL) : "";
        if (*launches)
            tell("launches", launches);
        if (!r->verdict.passed) {
            static struct diagnosis d; /* too large for the stack */
            diagnose(o, &r->verdict, &d);
            const char *const facts[][2] = {{d.nan ? "nan" : "map", d.text},
                                            {"written", d.written},
                                            {"probe", d.probe},
                                            {"tile", d.tile},
                                            {"tiles_right", d.tiles_right ? "1" : ""}};
            for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
                if (*facts[i][1])
                    tell(facts[i][0], facts[i][1]);
        }
    } else if (r->timing.reps > 0) {
        struct json json = json_begin(channel);
        json_number(&json, "before_ms", r->timing.median);
        json_end(&json);
    }
}

static void tell_caller_of_fault(void *none);

/* Measures, and reports to the lab; returns the status. */
static int measure_for_the_lab(int argc, char **argv,
                               const struct step *const steps[PRECISIONS],
                               const struct step *const traced[PRECISIONS])
{
    static struct outcome outcome; /* too large for the stack */
    struct options options;
    int status;
    if (!options_read(&options, argc, argv, steps, &status))
        return status;
    options.explainer = &explainer_of_mistakes;
    options.witness = &witness_of_exercises;
    options.quiet = true; /* the lab prints */
    if (backend.missing()) {
        tell("message", backend.missing());
        return EXIT_RESOURCE;
    }
    limit_threads();
    if (getenv(SHOW_VARIABLE))
        return show_matrices(channel, &options);
    measure(&options, traced[options.precision], take_result, &outcome);
    if (*outcome.message)
        tell("message", outcome.message);
    if (backend.simulated)
        device_call(tell_caller_of_fault, NULL, 0);
    bool faults = backend.finish && backend.finish() > 0;
    return faults && outcome.status == EXIT_RIGHT ? EXIT_WRONG : outcome.status;
}

/* ---- a crash, or a run without an end ---- */

static bool serves; /* this process runs the learner's code, and another one checks */
static char handler_stack[1 << 16];
static const char *stack_top;

/* The offset of an address in the program's file; 0 if it is elsewhere. */
static long in_program(const void *address)
{
    extern const char __executable_start;
    long at = (const char *)address - &__executable_start;
    return at > 0 && at < 1 << 28 ? at : 0;
}

/* Writes " PC PC ...", as offsets in the program's file. A return address is after its call. */
static void tell_frames(void *const frames[], int count, bool first_is_exact)
{
    for (int i = 0; i < count; i++)
        if (in_program(frames[i]))
            dprintf(STDERR_FILENO, " %lx",
                    (unsigned long)in_program(frames[i]) - !(first_is_exact && i == 0));
    dprintf(STDERR_FILENO, "\n");
}

/* Reports to the lab where the program is (explain.c reads it): "crash ADDRESS WHERE PC PC
 * ...". The signal comes again after the return, and then ends the program. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    void *frames[16];
    const char *address = info->si_addr;
    int count = backtrace(frames, 16);
    bool stack = signal == SIGSEGV && address < stack_top && stack_top - address < 1 << 28;
    static const char *const blocks[] = {"elsewhere", "A", "B", "C", "workspace"};
    int after = serves && signal == SIGSEGV ? worker_is_after(address) + 1 : 0;
    dprintf(STDERR_FILENO, "crash %#lx %s", signal == SIGALRM ? 0 : (unsigned long)address,
            stack                              ? "stack"
            : serves && worker_closed(address) ? "closed"
                                               : blocks[after < 5 ? after : 0]);
    tell_frames(frames + 2, count - 2, true); /* without this function and the kernel's frame */
}

/* The simulated GPU comes first with separate handlers, and hands on what no kernel did. */
static void watch_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    void *frames[1];
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    stack_top = (const char *)__builtin_frame_address(0);
    backtrace(frames, 1); /* loads its library while files may still be opened */
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- who launched the kernel that has the first fault ---- */

void __real_simgpu_launch(const struct simgpu_launch_desc *desc) __attribute__((weak));
void __wrap_simgpu_launch(const struct simgpu_launch_desc *desc);
extern int simgpu_fault_count(void) __attribute__((weak));

static void *launched_by[16];
static int launchers; /* 0: already reported, or no launch yet */

/* Writes "called PC PC ..." (explain.c reads it): helpers launch kernels for the learner, and
   the fault names only the helper's line. */
static void tell_caller_of_fault(void *none)
{
    (void)none;
    if (launchers <= 0 || simgpu_fault_count() == 0)
        return;
    dprintf(STDERR_FILENO, "called");
    tell_frames(launched_by + 1, launchers - 1, false);
    launchers = -1;
}

/* ---- what each line costs ---- */

/* What the launches from one place have moved. */
static struct cost_of_calls {
    void *frames[16];
    int count;
    uint64_t transactions, bytes;
} costs[64];
static int cost_count;

/* Adds the cost of a launch from the place in `launched_by`. */
static void add_cost(uint64_t transactions, uint64_t bytes)
{
    size_t size = (size_t)launchers * sizeof *launched_by;
    int i = 0;
    if (transactions == 0) /* not counted */
        return;
    while (i < cost_count &&
           (costs[i].count != launchers || memcmp(costs[i].frames, launched_by, size) != 0))
        i++;
    if (i == sizeof costs / sizeof *costs)
        return;
    cost_count += i == cost_count;
    memcpy(costs[i].frames, launched_by, size);
    costs[i].count = launchers;
    costs[i].transactions += transactions;
    costs[i].bytes += bytes;
}

/* Writes "cost launch TRANSACTIONS BYTES PC PC ..." for each place. */
static void write_costs(FILE *out)
{
    for (int i = 0; i < cost_count; i++) {
        const struct cost_of_calls *c = &costs[i];
        fprintf(out, "cost launch %llu %llu", (unsigned long long)c->transactions,
                (unsigned long long)c->bytes);
        for (int f = 1; f < c->count; f++)
            if (in_program(c->frames[f]))
                fprintf(out, " %lx", (unsigned long)in_program(c->frames[f]) - 1);
        fputc('\n', out);
    }
    cost_count = 0;
}

/* The linker calls this in place of the simulated GPU's function. A fault may end the run, so
   the callers are noted before the launch. */
void __wrap_simgpu_launch(const struct simgpu_launch_desc *desc)
{
    struct simgpu_totals before, after;
    if (launchers < 0) {
        __real_simgpu_launch(desc);
        return;
    }
    launchers = backtrace(launched_by, 16);
    simgpu_get_totals(&before);
    __real_simgpu_launch(desc);
    simgpu_get_totals(&after);
    const char *last = backend.last_launch();
    size_t length = strlen(own_launches);
    if (strstr(desc->file, "exercise.cu") && !strstr(own_launches, last))
        snprintf(own_launches + length, sizeof own_launches - length, "%s\n", last);
    add_cost(after.transactions - before.transactions, after.bytes - before.bytes);
    if (launchers > 0)
        tell_caller_of_fault(NULL);
}

/* ---- the beginning ---- */

/* Of the simulated GPU's programs. A page has no processes, and so no helper. */
extern void simgpu_ask_through_helper(void) __attribute__((weak));

/* Starts a library while it may still open files, and gives up most rights. */
static void give_up_rights(void)
{
    volatile int begun = 0;
#pragma omp parallel /* Clang's library keeps a note in shared memory */
    begun = 1;
    (void)begun;
    watch_signals();
    seal_calls();
}

/* Checks, and writes what it finds into the channel; returns the status. */
static int check(int argc, char **argv)
{
    const struct step *const traced[PRECISIONS] = {&step_f32_traced, &step_f64_traced};
    const struct step *const steps[PRECISIONS] = {
        &step_f32_traced ? &step_f32_traced : &step_f32,
        &step_f64_traced ? &step_f64_traced : &step_f64};
    if (!getenv(CHANNEL_VARIABLE))
        return run_step(argc, argv, steps, traced, &explainer_of_mistakes);
    char *answer = NULL;
    size_t size;
    channel = open_memstream(&answer, &size);
    if (!channel)
        return EXIT_RESOURCE;
    int status = measure_for_the_lab(argc, argv, steps, traced);
    fprintf(channel, "status %d\n", status);
    fclose(channel);
    for (size_t sent = 0; sent < size;) {
        ssize_t now = write(CHANNEL_DESCRIPTOR, answer + sent, size - sent);
        if (now <= 0)
            return EXIT_RESOURCE;
        sent += (size_t)now;
    }
    return status;
}

/* Runs before any of the learner's code, even before initialisers of C++ variables: makes the
 * worker, which goes on with the initialisers; the checker never comes to them. A GPU's driver
 * opens and writes many files: with it nothing is closed. */
#ifdef __wasm__
__attribute__((constructor(102))) static void begin(void)
#else
__attribute__((constructor(102))) static void begin(int argc, char **argv)
#endif
{
    if (!getenv(CHANNEL_VARIABLE))
        return;
    launchers = backtrace(launched_by, 1) - 1; /* loads its library */
#ifndef __wasm__
    int which = strcmp(backend.name, "cuda") == 0 ? 1 : worker_fork();
    serves = which == 0;
    if (which < 0)
        _exit(EXIT_RESOURCE);
#endif
#ifdef __wasm__
    if (!backend.simulated)
        return;
#else
    if (worker_is_there()) {
        if (backend.simulated)
            device_connect();
        int status = check(argc, argv);
        fflush(NULL);
        _exit(status);
    }
    if (!serves)
        return;
    close(CHANNEL_DESCRIPTOR);
    if (backend.simulated && simgpu_guard_host)
        simgpu_guard_host(__builtin_frame_address(0)); /* the answer's initialisers come next */
#endif
    if (simgpu_ask_through_helper)
        simgpu_ask_through_helper();
    if (backend.simulated)
        openblas_load(1);
    give_up_rights();
}

int main(int argc, char **argv)
{
    if (serves && simgpu_guard_host)
        simgpu_guard_host(__builtin_frame_address(0));
    if (serves)
        worker_serve();
    return check(argc, argv);
}
