/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "common/device/host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A right answer writes a few pages of its stack and of printf's. */
enum { RUN_SECONDS = 5, GPU_RUN_SECONDS = 10, FEW_BYTES = 12 << 10 };

/* ---- points ---- */

/* The parts; from GOALS on one for each goal. */
enum { COMPILES, SQUARES, SHAPES, NO_FAULT, GOALS };

struct points exercise_points(const struct lab *lab, const char *exercise, bool given)
{
    struct points p = {.count = GOALS,
                       .parts = {[COMPILES] = {"it compiles", 0, 1},
                                 [SQUARES] = {"right on squares", 0, 3},
                                 [SHAPES] = {"right on all shapes", 0, 2},
                                 [NO_FAULT] = {"no fault", 0, 1}}};
    char *rest = exercise_part(lab, exercise, "Goals"), *words[64];
    for (char *line; (line = next_line(&rest));) {
        int count = *line == '#' ? 0 : split_words(line, words, 64), at = GOALS;
        if (count < 3 || (!begins_with(words[0], "at-") && strcmp(words[0], "exactly") != 0))
            continue;
        const char *what = in_words(words[1]);
        while (at < p.count && strcmp(p.parts[at].what, what) != 0)
            at++;
        if (at == p.count && at < MOST_PARTS)
            p.parts[p.count++] = (struct part){what, 0, 1};
    }
    for (int i = 0; i < p.count && given; i++)
        p.parts[i].got = p.parts[i].most;
    return p;
}

int points_sum(const struct points *p, bool given)
{
    int sum = 0;
    for (int i = 0; i < p->count; i++)
        sum += given ? p->parts[i].got : p->parts[i].most;
    return sum;
}

/* Takes a part's points away. */
static void lose(struct check *c, int part) { c->result.points.parts[part].got = 0; }

/* Whether a run's m, n and k are equal. */
static bool is_square(const char *options)
{
    const char *n = last_option(options, "--n"), *m = last_option(options, "--m"),
               *k = last_option(options, "--k");
    return n && (!m || strcmp(m, n) == 0) && (!k || strcmp(k, n) == 0);
}

/* Whether the last run was worse than wrong: it did not end, or touched memory it must not. */
static bool had_a_fault(const struct check *c)
{
    const char *reason = fact(&c->facts, "reason");
    return c->ended.timed_out || !c->ended.said || strstr(c->ended.err, "fault: ") ||
           (reason && (strstr(reason, "fault: ") || strstr(reason, "was written outside")));
}

/* Takes away the points that a failed run costs. */
static void lose_run(struct check *c, const char *options)
{
    const char *here = fact(&c->facts, "right_at_its_size");
    lose(c, SHAPES);
    if (is_square(options) && !(here && atof(here) > 0))
        lose(c, SQUARES);
    if (had_a_fault(c))
        lose(c, NO_FAULT);
}

/* Whether the check goes on after a mistake: yes for points, but not after a run without an
 * end. */
static bool goes_on(const struct check *c)
{
    return c->lab->give_points && !c->ended.timed_out;
}

/* Prints a line under a headline; lines of source, of a map and of a table stay whole. */
static void print_line(FILE *out, const char *line)
{
    const char *asked = getenv("COLUMNS");
    if (strstr(line, " | ") || strstr(line, "|  "))
        fprintf(out, "      %s\n", line);
    else
        say_within(out, asked && atoi(asked) >= 40 ? atoi(asked) : 100, "      %s\n", line);
}

/* Prints "not yet: HEADLINE" and the lines of the explanation under it, for the first mistake
 * only. Always false. */
static bool failed(struct check *c, const char *headline, const char *explanation)
{
    if (*c->result.headline)
        return false;
    snprintf(c->result.headline, sizeof c->result.headline, "%s",
             make_printable(text("%s", headline)));
    fprintf(c->out, "  %snot yet:%s %s\n", colour(RED), colour(PLAIN), c->result.headline);
    char *rest = make_printable(with_known_path(&c->job, explanation));
    for (char *line; (line = next_line(&rest));)
        print_line(c->out, line);
    return false;
}

/* Prints a row of the table of what went well. */
static void fine(struct check *c, const char *what, const char *answer)
{
    fprintf(c->out, "  %-62s %s%s%s\n", what, colour(GREEN), answer, colour(PLAIN));
}

/* Shows what the learner's code printed: in the first run that did, or in the failed one. */
static void show_print(struct check *c, bool failing)
{
    const char *printed = what_it_printed(c, failing ? 40 : 20);
    if (!*printed || (c->shown && !failing))
        return;
    c->shown = true;
    fprintf(c->out, "      Your code printed%s:\n%s", failing ? "" : " (shown once)", printed);
}

/* Reports that a run gave something else than A * B. Always false. */
static bool wrong(struct check *c, const char *options)
{
    lose_run(c, options);
    if (*c->result.headline) /* only the first mistake is explained */
        return false;
    snprintf(c->result.options, sizeof c->result.options, "%s", options);
    const char *here = fact(&c->facts, "right_at_its_size"),
               *reason = fact(&c->facts, "reason");
    bool elsewhere = here && atof(here) > 0 && reason && begins_with(reason, "with m, n, k = ");
    if (elsewhere)
        look_at_other_shape(c);
    if (!c->lab->give_points) /* nobody reads it then, and it takes seconds */
        find_evidence(c);
    failed(c,
           text(c->ended.timed_out ? "does not end on %s"
                : c->ended.signal  ? "crashes on %s"
                : elsewhere        ? "right on %s, wrong on another shape"
                                   : "wrong on %s",
                shape_of(options)),
           explain_run(c));
    show_print(c, true);
    return false;
}

static bool check_run(struct check *c, const char *options)
{
    const char *all = text("--variant yours --warmup 0 --reps 1 %s %s", c->counting, options);
    bool right = run_exercise(c, compiled_program(), all);
    if (right) {
        fine(c, text("right on %s", shape_of(options)), "yes");
        show_print(c, false);
        return true;
    }
    return wrong(c, options);
}

/* ---- numbers drawn ---- */

/* The generator of Park and Miller, which gives the same numbers on every machine. */
static double next_number(double *state)
{
    double product = *state * 16807;
    *state = product - 2147483647.0 * (double)(long long)(product / 2147483647.0);
    return *state;
}

static long draw(double *state, long low, long high)
{
    return low + (long)(next_number(state) / 2147483647 * (double)(high - low + 1));
}

/* `draw COUNT LOW..HIGH [x UNIT] [OPTIONS]`, or `square LOW..HIGH [x UNIT] [OPTIONS]`. */
struct draw {
    bool square;
    long runs, low, high, unit;
    const char *options;
};

static char *joined(char **words, int count)
{
    char *result = text("%s", "");
    for (int i = 0; i < count; i++)
        result = text("%s%s%s", result, i ? " " : "", words[i]);
    return result;
}

/* Whether a word is a whole number from 1 on; *end is what follows it. */
static bool is_whole(const char *word, long *number, const char **end)
{
    *end = word + strspn(word, "0123456789");
    *number = atol(word);
    return *number > 0;
}

static bool read_draw(struct draw *d, char **words, int count)
{
    const char *end = "";
    *d = (struct draw){.square = strcmp(words[0], "square") == 0, .runs = 1, .unit = 1};
    words++, count--;
    if (!d->square && count-- > 0 && (!is_whole(*words++, &d->runs, &end) || *end))
        return false;
    if (count < 1 || !is_whole(words[0], &d->low, &end))
        return false;
    d->high = d->low;
    if (begins_with(end, "..") && !is_whole(end + 2, &d->high, &end))
        return false;
    if (*end || d->high < d->low)
        return false;
    words++, count--;
    if (count > 0 && strcmp(words[0], "x") == 0) {
        if (count < 2 || !is_whole(words[1], &d->unit, &end) || *end)
            return false;
        words += 2, count -= 2;
    }
    d->options = count ? text(" %s", joined(words, count)) : "";
    return true;
}

static bool check_draws(struct check *c, char **words, int count)
{
    struct draw d;
    read_draw(&d, words, count);
    if (d.square && c->job.place == ON_SIM)
        c->counting = "--count --report";
    double state = (double)(c->drawn + 7919 * ++c->lines) * 7919 + 12345;
    bool right = true;
    next_number(&state), next_number(&state);
    for (; d.runs > 0; d.runs--) {
        long m = d.unit * draw(&state, d.low, d.high), n = d.unit * draw(&state, d.low, d.high);
        long k = d.unit * draw(&state, d.low, d.high), seed = draw(&state, 2, 1000000);
        const char *options = d.square
                                  ? text("--n %ld --seed %ld%s", m, seed, d.options)
                                  : text("--m %ld --n %ld --k %ld --seed %ld --ld-extra %ld%s",
                                         m, n, k, seed, draw(&state, 0, 7), d.options);
        right = check_run(c, options) && right;
        if (!right && !goes_on(c))
            return false;
        if (right && c->run_count < MOST_RUNS)
            c->runs[c->run_count++] = options;
    }
    return right;
}

/* ---- goals ---- */

static bool check_options(struct check *c, char **words, int count)
{
    return check_run(c, joined(words + 1, count - 1));
}

static bool check_time(struct check *c, char **words, int count)
{
    const char *options = joined(words + 1, count - 1);
    return run_exercise(c, compiled_program(), text("--warmup 1 --reps 5 %s", options)) ||
           wrong(c, options);
}

/* at-most FIELD EXPRESSION, at-least, exactly: compares facts of the run before. */
static bool check_goal(struct check *c, char **words, int count)
{
    const char *how = words[0], *field = words[1], *expression = joined(words + 2, count - 2);
    const char *value = fact(&c->facts, field);
    double got = value ? atof(value) : 0, limit;
    if (!value || !evaluate(&c->facts, expression, &limit))
        return failed(c, text("the goal '%s %s %s' cannot be judged", how, field, expression),
                      text("%s or '%s' is not known after: %s", field, expression, c->options));
    bool most = strcmp(how, "at-most") == 0, least = strcmp(how, "at-least") == 0;
    bool met = most ? got <= limit * 1.000001 : least ? got >= limit : got == limit;
    const char *outside = fact(&c->facts, "bytes_outside");
    if (strcmp(field, "workspace_bytes") == 0 && outside && atof(outside) > FEW_BYTES)
        return failed(
            c, "memory outside the workspace",
            text("A run wrote %s bytes of memory outside A, B, C and its workspace. "
                 "What it needs\nmust be in the workspace, which is counted.%s",
                 outside,
                 *what_it_printed(c, 1) ? " Printing takes memory, too: leave it out." : ""));
    if (met && strcmp(field, "multiplications") == 0 && fact(&c->facts, "made_elsewhere"))
        return failed(c, "a product that is not counted",
                      "C does not consist of sums of the products that were counted, each of a "
                      "sum of blocks\nof A and one of B.");
    const char *name = in_words(field);
    char *goal = text("%s %s", how, plain(limit));
    if (strchr(how, '-'))
        goal[strlen("at")] = ' ';
    if (met) {
        fine(c, text("%s: %s", name, plain(got)), goal);
        return true;
    }
    return failed(c, text("right, but %s %s; the goal is %s", plain(got), name, goal),
                  explain_goal(c, field));
}

static bool show_facts(struct check *c, char **words, int count)
{
    for (int i = 1; i < count; i++) {
        const char *value = fact(&c->facts, words[i]);
        fine(c,
             text("%s: %s", in_words(words[i]), value ? plain(atof(value)) : "not known here"),
             "");
    }
    return true;
}

/* Shows a count that is larger than it need be. It is no goal, so the check goes on. */
static bool check_remark(struct check *c, char **words, int count)
{
    const char *value = fact(&c->facts, words[1]);
    double limit;
    if (value && evaluate(&c->facts, joined(words + 2, count - 2), &limit) &&
        atof(value) > limit * 1.000001)
        fine(c, text("%s, of all threads: %s", in_words(words[1]), plain(atof(value))),
             text("%s would do", plain(limit)));
    return true;
}

/* The lines of the goals (docs/teachers.md). */
static const struct form {
    const char *keyword, *form;
    int least;                                               /* the fewest words */
    bool (*check)(struct check *c, char **words, int count); /* NULL: it sets something */
} forms[] = {
    {"draw", "draw COUNT LOW..HIGH [x UNIT] [OPTIONS]", 3, check_draws},
    {"square", "square LOW..HIGH [x UNIT] [OPTIONS]", 2, check_draws},
    {"run", "run OPTIONS", 2, check_options},
    {"time", "time OPTIONS", 2, check_time},
    {"at-most", "at-most FIELD EXPRESSION", 3, check_goal},
    {"at-least", "at-least FIELD EXPRESSION", 3, check_goal},
    {"exactly", "exactly FIELD EXPRESSION", 3, check_goal},
    {"show", "show FIELD ...", 2, show_facts},
    {"remark-above", "remark-above FIELD EXPRESSION", 3, check_remark},
    {"precision", "precision f64", 2, NULL},
    {"allow", "allow WORD", 2, NULL},
    {"forbid", "forbid WORD ...", 2, NULL},
    {"open", "open", 1, NULL},
    {"frame", "frame", 1, NULL},
    {"seconds", "seconds N", 2, NULL},
    {"gpu", "gpu OPTIONS", 2, NULL},
    {"workspace", "workspace NAME", 2, NULL}, /* what messages call it */
    {"vary", "vary OLD NEW NEW ...", 4, NULL},
};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct form *form_of(const char *keyword)
{
    for (int i = 0; i < FORMS; i++)
        if (strcmp(keyword, forms[i].keyword) == 0)
            return &forms[i];
    return NULL;
}

/* A mistake in the goals is the teacher's and is reported before anything is checked: a line
 * that is misread would check nothing. */
static void read_goals(const struct lab *lab, const char *exercise)
{
    char *rest = exercise_part(lab, exercise, "Goals"), *words[64];
    int number = 0;
    for (char *line; (line = next_line(&rest));) {
        const char *whole = text("%s", line);
        int count = *line == '#' ? 0 : split_words(line, words, 64);
        const struct form *form = count ? form_of(words[0]) : NULL;
        struct draw d;
        number++;
        if (!count || (form && count >= form->least &&
                       (form->check != check_draws || read_draw(&d, words, count)) &&
                       (strcmp(words[0], "precision") != 0 || strcmp(words[1], "f64") == 0) &&
                       (strcmp(words[0], "seconds") != 0 || atof(words[1]) > 0)))
            continue;
        die(RESOURCE,
            "%s, line %d of its goals: '%s' is no goal; it may be: %s (see docs/teachers.md)",
            exercise, number, whole,
            form ? form->form
                 : "draw, square, run, time, at-most, at-least, exactly, show, remark-above, "
                   "precision, allow, forbid, open, frame, seconds, gpu, workspace or vary");
    }
}

/* Checks one line of the goals. */
static bool check_line(struct check *c, char **words, int count)
{
    const struct form *form = form_of(words[0]);
    if (!form->check)
        return true;
    c->counting = c->job.place == ON_CPU ? "" : "--no-count";
    return form->check(c, words, count);
}

/* Runs once on a square of a size without tails, with the options of the goals' first draw. If
 * no goal has a square, this finds out whether squares are right before all shapes are. */
static void try_square(struct check *c)
{
    const char *goal = goal_words(c->lab, c->exercise, "draw");
    char *words[64];
    struct draw d;
    if (!goal || !read_draw(&d, words, split_words(text("draw %s", goal), words, 64)))
        return;
    c->counting = c->job.place == ON_CPU ? "" : "--no-count";
    check_run(c, text("%s --n 32 --m 32 --k 32", d.options));
}

/* Whether all goals are met. A goal that follows a run that went wrong is not. */
static bool check_goals(struct check *c)
{
    char *rest = exercise_part(c->lab, c->exercise, "Goals"), *words[64];
    bool met = true, right = true;
    for (char *line; (line = next_line(&rest)) && (met || goes_on(c));) {
        int count = *line == '#' ? 0 : split_words(line, words, 64);
        if (!count)
            continue;
        bool goal = begins_with(words[0], "at-") || strcmp(words[0], "exactly") == 0;
        const char *what = goal ? in_words(words[1]) : "";
        bool ok = (!goal || right) && check_line(c, words, count);
        met = met && ok;
        if (!goal)
            right = ok;
        for (int i = GOALS; i < c->result.points.count && goal && !ok; i++)
            if (strcmp(c->result.points.parts[i].what, what) == 0)
                lose(c, i);
    }
    if (!met && !goes_on(c)) /* no points for what was not checked */
        for (int i = SHAPES; i < c->result.points.count; i++)
            lose(c, i);
    if (!met && c->lab->give_points)
        try_square(c);
    return met;
}

/* ---- on a GPU ---- */

static bool gpu_is_there(void)
{
    char *argv[] = {"nvidia-smi", "-L", NULL};
    struct ended ended = process_run(argv, &(struct limits){.seconds = 20});
    return begins_with(ended.out, "GPU");
}

/* Checks the same answer on a GPU, if there is one, and compares its speed with cuBLAS. */
static bool check_on_gpu(struct check *c)
{
    if (c->lab->no_gpu || !*setting(c->lab, "NVCC") || c->job.place != ON_SIM)
        return true;
    if (!gpu_is_there()) {
        fine(c, "on the GPU", "skipped: nvidia-smi finds none");
        return true;
    }
    char *said;
    c->job.place = ON_CUDA;
    if (compile(&c->job, &said))
        return failed(c, "it does not compile with nvcc", said);
    const char *gpu = goal_words(c->lab, c->exercise, "gpu");
    const char *size = gpu ? gpu : "--n 2048";
    for (int i = 0; i <= c->run_count; i++) {
        const char *options =
            i < c->run_count ? text("--warmup 0 --reps 1 %s", c->runs[i]) : size;
        if (run_exercise(c, compiled_program(), text("--variant yours %s", options)))
            continue;
        const char *status = fact(&c->facts, "status");
        if (status && atoi(status) == RESOURCE) {
            const char *message = fact(&c->facts, "message");
            fine(c, "on the GPU", text("skipped: %s", message ? message : ""));
            return true;
        }
        return failed(c, text("on the GPU: wrong on %s", shape_of(options)), explain_run(c));
    }
    const char *ms = fact(&c->facts, "ms_median"), *ratio = fact(&c->facts, "ratio");
    fine(c, text("on the GPU, %s", shape_of(size)),
         text("%s ms, %s times the speed of cuBLAS", plain(ms ? atof(ms) : 0),
              plain(ratio ? atof(ratio) : 0)));
    return true;
}

/* ---- a check ---- */

/* The line that a compiler's message is about, if it is of this kind: "FILE:LINE:COLUMN: note:
   ". 0: it is not. */
static int line_of_message(const char *message, const char *kind)
{
    const char *at = strstr(message, kind);
    for (int numbers = 0; at && at > message && numbers < 2; numbers++)
        while (at > message && *--at != ':')
            ;
    return at ? atoi(at + 1) : 0;
}

/* Takes the warnings about a variable that hides another one out of the compiler's output: they
   are worth a line only where the result is wrong. Returns these lines. */
static char *take_shadows(char **said)
{
    static const char of[] = "declaration of ", hides[] = " shadows a ";
    char *rest = *said, *name = NULL, *header = "";
    struct stream others, shadows;
    int number = 0;
    stream_begin(&others), stream_begin(&shadows);
    for (char *line; (line = next_line(&rest));) {
        const char *what = strstr(line, of), *end = what ? strstr(what, hides) : NULL;
        if (strstr(line, ": In ")) {
            header = text("%s\n", line), name = NULL;
        } else if (end) {
            what += strlen(of);
            name = text("%.*s", (int)(end - what), what);
            number = line_of_message(line, ": warning: ");
        } else if (name && line_of_message(line, ": note: ")) {
            fprintf(shadows.out, "Line %d declares a second %s, which hides that of line %d.\n",
                    number, name, line_of_message(line, ": note: "));
        } else if (!name || strstr(line, ": warning: ")) {
            fprintf(others.out, "%s%s\n", header, line);
            header = "", name = NULL;
        }
    }
    *said = stream_end(&others);
    return stream_end(&shadows);
}

static bool check_all(struct check *c)
{
    char *detail = NULL, *said = NULL;
    const char *headline = check_regions(c->lab, c->exercise, c->job.content, &detail);
    if (headline)
        return failed(c, headline, detail ? detail : "");
    headline = compile(&c->job, &said);
    if (headline)
        return failed(c, headline, said);
    c->shadows = take_shadows(&said);
    c->result.points = exercise_points(c->lab, c->exercise, true);
    fine(c, "compiles", *said ? "with warnings" : "yes");
    char *rest = said;
    int lines = 0;
    for (char *line; (line = next_line(&rest)) && lines < 12; lines++)
        fprintf(c->out, "      %s\n", line);
    bool met = check_goals(c);
    const char *own = own_lines(c->lab, c->exercise, c->job.content);
    bool nothing = !own[strspn(own, " \n")]; /* the stub as it was handed out */
    if (!met && goal_words(c->lab, c->exercise, "frame"))
        lose(c, SQUARES);
    if (!c->result.points.parts[SQUARES].got) /* doing nothing is no fault either */
        lose(c, NO_FAULT), lose(c, SHAPES);
    for (int i = 0; nothing && i < c->result.points.count; i++)
        lose(c, i);
    return met && check_on_gpu(c);
}

struct checked check_file(const struct lab *lab, const char *exercise, const char *file,
                          FILE *out)
{
    size_t size = 0;
    const char *content = read_file(file, &size);
    if (!content)
        die(USAGE, "there is no file %s that can be read", shown_path(lab, file));
    return check_content(lab, exercise, file, content, size, out);
}

struct checked check_content(const struct lab *lab, const char *exercise, const char *file,
                             const char *content, size_t size, FILE *out)
{
    const char *seconds = goal_words(lab, exercise, "seconds"),
               *slow = getenv("LADDER_LAB_SECONDS");
    read_goals(lab, exercise);
    struct check c = {
        .lab = lab, .exercise = exercise, .out = out, .smallest = "", .shadows = ""};
    c.result.points = exercise_points(lab, exercise, false);
    c.job = job_of(lab, exercise, file, content);
    c.seconds = seconds ? atof(seconds) : c.job.place == ON_SIM ? GPU_RUN_SECONDS : RUN_SECONDS;
    if (slow && atof(slow) > 0)
        c.seconds = atof(slow);
    c.drawn = lab->seed ? atol(lab->seed) : (long)(time(NULL) % 100000 * 10 + getpid() % 10);
    fprintf(out, "%s: %s\n", exercise, shown_path(lab, file));
    if (strlen(content) != size)
        c.result.passed = failed(&c, "no text", "The file holds a zero byte.");
    else
        c.result.passed = check_all(&c);
    fprintf(out, "%s%s%s\n", colour(c.result.passed ? GREEN : RED),
            c.result.passed ? "passed" : "not passed", colour(PLAIN));
    return c.result;
}

bool check_and_remember(const struct lab *lab, const char *exercise)
{
    struct checked checked = check_file(lab, exercise, work_file(lab, exercise), stdout);
    fflush(stdout);
    remember(lab, exercise, checked.passed ? "pass" : "fail", checked.options);
    if (!checked.passed) {
        struct state_of states[MAX_EXERCISES];
        read_states(lab, states);
        if (states[exercise_index(lab, exercise)].hints < 3)
            puts("A hint: ./ladder lab hint");
        return false;
    }
    const char *next = next_exercise(lab, exercise);
    if (!exists(class_file(lab)))
        puts("See how we did it: ./ladder lab solution");
    if (next)
        printf("Next: ./ladder lab start %s\n", next);
    return true;
}

void prepare(const struct lab *lab, const char *exercise)
{
    static bool ready[2]; /* for exercises on the processor, and on a GPU */
    bool gpu = is_for_gpu(lab, exercise);
    if (ready[gpu])
        return;
    ready[gpu] = true;
    if (!exists(text("%s/CMakeCache.txt", lab->build)))
        die(RESOURCE, "%s is not configured; run ./ladder setup", lab->build);
    if (gpu && !*setting(lab, "SIM_LIBRARY"))
        die(RESOURCE,
            "%s needs the simulated GPU, which this build leaves out (LADDER_GPU_STEPS)",
            exercise);
    const char *built = getenv("LADDER_LAB_BUILT"); /* set by a test that has built it */
    if (built && *built)
        return;
    if (!exists(setting(lab, gpu ? "SIM_LIBRARY" : "CPU_LIBRARY")))
        fprintf(stderr, "Building what %s exercises are checked with (once) ...\n",
                gpu ? "GPU" : "CPU");
    char *argv[] = {text("%s/tools/scripts/build", lab->root), text("%s", lab->build),
                    gpu ? "lab_sim_parts" : "lab_cpu_parts", NULL};
    struct ended ended = process_run(argv, &(struct limits){0});
    if (ended.status != 0) {
        fputs(ended.err, stderr);
        die(RESOURCE, "what the lab needs could not be built; see above");
    }
}
