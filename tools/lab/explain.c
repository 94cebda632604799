/* SPDX-License-Identifier: MIT */
/** @file explain.c
 * From what a run told to what the learner can do about it.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "check.h"
#include "source.h"

/* An explanation that grows by lines. */
struct lines {
    char *all;
};

static void say(struct lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct lines *l, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    l->all = text("%s%s\n", l->all, line);
}

static void say_how_it_ended(struct lines *l, const struct check *c)
{
    if (c->ended.timed_out)
        say(l,
            "Stopped after %g s. Does every loop come to its end, every recursion to its leaf?",
            c->seconds);
    else if (c->ended.signal == SIGXFSZ)
        say(l, "Stopped: it wrote a file, and a large one. An exercise writes none.");
    else if (c->ended.signal)
        say(l,
            "The program crashed (signal %d): an index far outside, or a recursion without an "
            "end.",
            c->ended.signal);
    if (c->ended.signal == SIGSEGV && c->job.place == ON_CPU &&
        counts_workspace(c->lab, c->exercise))
        say(l,
            "(Its stack has %d bytes: what it needs is to be in the workspace, which is "
            "counted.)",
            LITTLE_STACK);
    else if (!c->ended.said && !c->ended.signal && !c->ended.timed_out)
        say(l, "The program ended (status %d) before the check did: nothing was judged.",
            c->ended.status);
}

/* Takes a part out of a text that begins with `start` and goes up to `end`, which stays. */
static void cut_before(char *s, const char *start, const char *end)
{
    char *from = strstr(s, start), *to = from ? strstr(from + strlen(start), end) : NULL;
    if (to)
        memmove(from, to, strlen(to) + 1);
}

/* The same, and `end` goes, too. */
static void cut(char *s, const char *start, const char *end)
{
    char *from = strstr(s, start);
    cut_before(s, start, end);
    if (from && strncmp(from, end, strlen(end)) == 0)
        memmove(from, from + strlen(end), strlen(from + strlen(end)) + 1);
}

/* "file:line: fault: kind", or without the place where it is not known. */
static bool names_fault(const char *line)
{
    return strncmp(line, "fault: ", 7) == 0 || strstr(line, ": fault: ");
}

static int count_faults(const char *err)
{
    char *rest = text("%s", err);
    int count = 0;
    for (char *line; (line = next_line(&rest));)
        count += names_fault(line);
    return count;
}

/* The simulated GPU's diagnosis, which names the line: the first one; of a program that ended
   in the middle the last one, which it ended with, and what was said after it. True when there
   is one. */
static bool say_fault(struct lines *l, const struct check *c)
{
    char *rest = text("%s", c->ended.err);
    int faults = 0, chosen = c->ended.said ? 1 : count_faults(rest);
    for (char *line; (line = next_line(&rest)) && faults <= chosen;) {
        bool fault = names_fault(line);
        faults += fault;
        if (chosen && faults == chosen &&
            (fault || *line == ' ' || (*line && !c->ended.said))) {
            cut(line, " allocated at common/", ")"); /* by the checker: nothing to look at */
            say(l, "%s", line);
        }
    }
    return faults > 0;
}

/* Calls of cuBLAS that were refused, each once. True when there are some. */
static bool say_cublas(struct lines *l, const struct check *c)
{
    char *rest = text("%s", c->ended.err);
    const char *seen = "";
    int count = 0;
    for (char *line; (line = next_line(&rest)) && count < 3;)
        if (strncmp(line, "cublas", 6) == 0 && !strstr(seen, line)) {
            say(l, "%s", line);
            seen = text("%s%s\n", seen, line);
            count++;
        }
    if (strstr(seen, "INVALID_VALUE"))
        say(l, "To cuBLAS a matrix lies by columns: no leading dimension may be smaller than "
               "its number of rows.");
    return count > 0;
}

/* Where NaN comes from, by what the program tried (diagnose.c). */
static void say_nan(struct lines *l, const char *cause)
{
    static const struct {
        const char *cause, *sentence;
    } known[] = {
        {"not-cleared", "C arrives filled with NaN, and yours adds to it: set C to zero first "
                        "(with C = 0 it is right)."},
        {"never-written", "C arrives filled with NaN, and none of it was ever written."},
        {"beyond", "NaN came in from outside A or B, which hold none: a loop runs beyond k (or "
                   "m, n), or a row of\n"
                   "A or B is taken for longer than it is."},
        {"leading-dimension", "Without gaps between the rows it is right: element (i, j) of C "
                              "is c[i * ldc + j], and so with lda\n"
                              "and ldb; each of them may be larger than a row is long."},
        {"part", "A part of C was never written, and still holds the NaN it arrived with: the "
                 "loops end before m\n"
                 "or n, or the grid has too few blocks."},
        {"workspace", "The workspace arrives filled with NaN, too, and something in it was "
                      "used before it was written."},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(cause, known[i].cause) == 0)
            say(l, "%s", known[i].sentence);
}

/* The checker's reason, which speaks of quadrants and tiles, without those that the exercise
 * has not. */
static char *reason_for(const struct check *c, const char *reason, bool nan_is_explained)
{
    char *result = text("%s", reason);
    const char *stub = exercise_stub(c->lab, c->exercise);
    bool quadrants = strstr(stub, "quadrant") || strstr(stub, "BOUND_STRASSEN") ||
                     strstr(stub, "BOUND_WINOGRAD");
    bool tiles = strstr(stub, "[16]") || strstr(stub, "(16, 16)");
    if (!quadrants && !tiles)
        cut(result, " (quadrant C", ")");
    else if (!quadrants)
        cut(result, "quadrant C", ", ");
    else if (!tiles)
        cut_before(result, ", 16x16 tile ", ")");
    if (nan_is_explained)
        cut(result, " No element of C was ever", "NaN.");
    return result;
}

char *explain_run(const struct check *c)
{
    struct lines lines = {text("%s", "")}, *l = &lines;
    say_how_it_ended(l, c);
    bool fault = say_fault(l, c), cublas = say_cublas(l, c);
    const char *reason = fact(&c->facts, "reason"), *message = fact(&c->facts, "message");
    const char *nan = fact(&c->facts, "nan");
    if (reason)
        reason = reason_for(c, reason, nan != NULL);
    if (reason && !strstr(reason, ": fault: "))
        say(l, "%s", reason);
    else if (reason && strchr(reason, '\n') &&
             strstr(reason, ": fault: ") > strchr(reason, '\n'))
        say(l, "%.*s", (int)strcspn(reason, "\n"),
            reason); /* the fault under it was said already */
    if (nan && !fault && !cublas)
        say_nan(l, nan);
    if (reason && strstr(reason, "right the first time, wrong"))
        say(l, "It leaves something behind that the next call trips over.");
    if (message && *message)
        say(l, "%s", message);
    if (strstr(c->ended.err, "invalid configuration argument"))
        say(l, "The launch was refused: a grid without blocks, or too many threads. Which "
               "sizes does it get?");
    if (!fault && !reason) {
        char *rest = text("%s", c->ended.err);
        int count = 0;
        for (char *line; (line = next_line(&rest)) && count < 6;)
            if (*line) {
                say(l, "%s", line);
                count++;
            }
    }
    say(l, "With the same numbers again: ./ladder lab check %s --seed %ld", c->exercise,
        c->drawn);
    return lines.all;
}

/* ---- missed goals, from the simulated GPU's report ---- */

/* A line of the report about global memory. */
struct access {
    const char *place, *op;
    double requests, transactions, each, bytes, useful;
};

/* The next line of that kind; false at the end. The learner's own lines come before those of
 * helpers. */
static bool next_access(char **rest, struct access *a)
{
    for (char *line; (line = next_line(rest));) {
        char *w[8];
        if (split_words(line, w, 8) < 7)
            continue;
        bool known = strcmp(w[1], "load") == 0 || strcmp(w[1], "store") == 0 ||
                     strcmp(w[1], "atomic") == 0;
        if (!known || w[4][strspn(w[4], "0123456789.")])
            continue;
        *a = (struct access){w[0],       w[1],       atof(w[2]), atof(w[3]),
                             atof(w[4]), atof(w[5]), atof(w[6])};
        return true;
    }
    return false;
}

/* Whether the line is of the learner's file. */
static bool is_own(const struct check *c, const struct access *a)
{
    (void)c;
    return strstr(a->place, "exercise.cu:") != NULL;
}

/* The learner's own lines that call a sum or a product of the exercises' headers: "sub in line
   12, add in line 13"; "" without one. */
static const char *helper_calls(const struct check *c)
{
    static const char *const helpers[] = {
        "add",    "sub",       "sum_blocks",  "mul",         "mulIncInc",   "mulIncDec",
        "mulAdd", "mulSubInc", "mulStoreDec", "mulStoreInc", "mulIncIncInc"};
    char *rest = text("%s", c->job.content);
    const char *result = "";
    bool inside = false;
    int number = 0, count = 0;
    for (char *line; (line = next_line(&rest)); inside = inside || begins_region(line)) {
        number++;
        inside = inside && !ends_region(line);
        for (size_t h = 0; inside && h < sizeof helpers / sizeof *helpers; h++)
            if (has_word(line, helpers[h]) && strstr(line, text("%s(", helpers[h])) &&
                count++ < 12)
                result =
                    text("%s%s%s in line %d", result, *result ? ", " : "", helpers[h], number);
    }
    return count > 12 ? text("%s and more", result) : result;
}

/* Where the learner's passes over memory are made by calls of helpers. */
static char *explain_calls(const struct check *c)
{
    const char *calls = helper_calls(c);
    return *calls
               ? text("Each of your calls makes a pass of its own over memory: %s.\nOne that "
                      "could be joined with another, or left out, is a pass too many.\n",
                      calls)
               : text("%s", "");
}

/* Which line moves bytes that nobody wants. */
static char *explain_volume(const struct check *c)
{
    char *rest = text("%s", c->facts.report);
    struct access worst = {0};
    double most = 0;
    for (struct access a; next_access(&rest, &a);) {
        double wasted = a.bytes * (100 - a.useful) / 100 * (is_own(c, &a) ? 1 : 1e-6);
        if (wasted > most)
            most = wasted, worst = a;
    }
    return most ? text("%s: only %g%% of the bytes that this %s moves are wanted.\n",
                       worst.place, worst.useful, worst.op)
                : explain_calls(c);
}

/* Which line makes the traffic, and why. */
static char *explain_transactions(const struct check *c)
{
    char *rest = text("%s", c->facts.report);
    struct access worst = {0}, busy = {0}, helper = {0};
    double most = 0;
    for (struct access a; next_access(&rest, &a);) {
        double excess = a.transactions - a.requests;
        if (is_own(c, &a) && a.each >= 1.9 && a.useful < 60 && excess > most)
            most = excess, worst = a;
        if (is_own(c, &a) && a.transactions > busy.transactions)
            busy = a;
        if (!is_own(c, &a) && a.transactions > helper.transactions)
            helper = a;
    }
    if (most)
        return text("%s: each %s of a half-warp takes %.1f transactions: neighbouring threads "
                    "%s down a column\n"
                    "(%g%% of the bytes moved are wanted).\n",
                    worst.place, worst.op, worst.each,
                    strcmp(worst.op, "load") == 0 ? "read" : "write", worst.useful);
    if (busy.transactions > 0 && busy.transactions >= helper.transactions / 4)
        return text("Most of them at %s: %g times a half-warp comes to this %s. What is "
                    "fetched there could be\n"
                    "used by more threads, or more often by one.\n",
                    busy.place, busy.requests, busy.op);
    if (helper.transactions > 0)
        return explain_calls(c);
    return text("%s", "");
}

char *explain_goal(const struct check *c, const char *field)
{
    const char *at = fact(&c->facts, "conflict_at"), *before = fact(&c->facts, "before_ms");
    const char *example = fact(&c->facts, "example"); /* of the exercise's own note */
    if (strcmp(field, "transactions") == 0)
        return explain_transactions(c);
    if (strcmp(field, "volume_bytes") == 0)
        return explain_volume(c);
    if (strcmp(field, "conflict") == 0)
        return text("%s: lanes of a half-warp want different words of the same bank.\n",
                    at ? at : "");
    if (strcmp(field, "ms_median") == 0 && before)
        return text("Measured in the same run as `before`, which took %s ms.\n",
                    plain(atof(before)));
    if (strcmp(field, "workspace_bytes") == 0)
        return text(
            "More room than the idea needs: which temporaries are never in use together?\n");
    if (example)
        return text("For example: %s.\n", in_words(example));
    return text("%s", "");
}
