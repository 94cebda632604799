/* SPDX-License-Identifier: MIT */
/** @file explain.c
 * Explains what a run reported, in terms of what the learner can do about it.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "compile.h"

/* Where the program was when a signal came (exercise_main.c): "crash ADDRESS
   stack|closed|elsewhere|A|B|C|workspace PC PC ...", where a name means memory after it.
   Returns the learner's innermost line, and the helper called there; "" if it is not known.
   `again`: a call is there more than once, and its line is returned. */
static const char *where_it_was(const struct check *c, bool *stack, bool *closed, bool *again,
                                const char **address, const char **after)
{
    char *rest = text("%s", c->ended.err), *words[24];
    for (char *line; (line = next_line(&rest));) {
        int count = begins_with(line, "crash ") ? split_words(line, words, 24) : 0;
        if (count < 4)
            continue;
        *address = words[1];
        *stack = strcmp(words[2], "stack") == 0;
        *closed = strcmp(words[2], "closed") == 0;
        *after = strcmp(words[2], "workspace") == 0 ? "your workspace"
                 : strlen(words[2]) == 1            ? words[2]
                                                    : "";
        for (int i = 4; i < count && *stack; i++)
            if ((*again = strcmp(words[i], words[i - 1]) == 0))
                return line_of(&c->job, words + i, 1);
        return line_of(&c->job, words + 3, count - 3);
    }
    return "";
}

static void say_how_it_ended(FILE *out, const struct check *c)
{
    bool stack = false, closed = false, again = false;
    const char *address = "", *after = "",
               *where = where_it_was(c, &stack, &closed, &again, &address, &after);
    if (c->ended.timed_out)
        fprintf(out, "%sIt had not come to its end after %g s, and was stopped%s.\n", where,
                c->seconds, *where ? " here" : "");
    else if (c->ended.signal == SIGXFSZ)
        fprintf(out, "Stopped: it wrote a file, and a large one. An exercise writes none.\n");
    else if (c->ended.signal && stack)
        fprintf(out, "%sIts stack is full (%s).%s\n", where, strsignal(c->ended.signal),
                again ? " The function calls itself in this line." : "");
    else if (c->ended.signal == SIGSEGV && closed)
        fprintf(
            out,
            "%sIt used an element of A, B, C or the workspace. Here only the functions that "
            "are counted may do that.\n",
            where);
    else if (c->ended.signal == SIGSEGV && *after)
        fprintf(out, "%sIt used memory after the end of %s, where it has none.\n", where,
                after);
    else if (c->ended.signal == SIGSEGV && *where)
        fprintf(out, "%sIt used the address %s, where it has no memory.\n", where, address);
    else if (c->ended.signal)
        fprintf(out, "%sThe program crashed (signal %d: %s).\n", where, c->ended.signal,
                strsignal(c->ended.signal));
    else if (!c->ended.said && !c->ended.timed_out)
        fprintf(out,
                "The program ended (status %d) before the check did: nothing was judged.\n",
                c->ended.status);
}

/* Removes the part of a text from `start` up to `end`, which may stay. */
static void cut(char *s, const char *start, const char *end, bool stays)
{
    char *from = strstr(s, start), *to = from ? strstr(from + strlen(start), end) : NULL;
    if (to)
        to += stays ? 0 : strlen(end), memmove(from, to, strlen(to) + 1);
}

/* Whether exercise_main.c wrote the line, for where_it_was() and called_at(). */
static bool is_ours(const char *line)
{
    return begins_with(line, "crash ") || begins_with(line, "called ");
}

/* Whether a line is "file:line: fault: kind", or the same without an unknown place. */
static bool names_fault(const char *line)
{
    return begins_with(line, "fault: ") || strstr(line, ": fault: ");
}

static int count_faults(const char *err)
{
    char *rest = text("%s", err);
    int count = 0;
    for (char *line; (line = next_line(&rest));)
        count += names_fault(line);
    return count;
}

/* The learner's line that called a helper whose kernel has the first fault: "called PC PC ..."
   (exercise_main.c); "" if a line of the learner's launched the kernel. */
static const char *called_at(const struct check *c)
{
    char *rest = text("%s", c->ended.err), *words[24];
    for (char *line; (line = next_line(&rest));) {
        if (!begins_with(line, "called "))
            continue;
        int count = split_words(line, words, 24);
        const char *where = line_of(&c->job, words + 1, count - 1);
        return text("%.*s", (int)strcspn(where, ",") - (strchr(where, ',') ? 0 : 2), where);
    }
    return "";
}

/* "the 1024 bytes allocated at common/..." is memory of the checker: A, B, C or the workspace.
   Says which one if their sizes differ, and otherwise nothing. */
static char *with_owner(const struct check *c, const char *line)
{
    const char *at = strstr(line, " bytes allocated at common/"), *end = at ? at : line;
    static const char *const names[] = {"A", "B", "C"};
    const char *sizes[] = {fact(&c->facts, "bytes_of_a"), fact(&c->facts, "bytes_of_b"),
                           fact(&c->facts, "bytes_of_c"), fact(&c->facts, "workspace_bytes")};
    const char *name = NULL, *called = goal_words(c->lab, c->exercise, "workspace");
    int found = 0;
    if (!at)
        return text("%s", line);
    while (end > line && strchr("0123456789", end[-1]))
        end--;
    for (int i = 0; i < 4; i++)
        if (sizes[i] && atof(sizes[i]) == atof(end) && found++ == 0)
            name = i < 3                         ? names[i]
                   : fact(&c->facts, "padded_m") ? "the padded matrices and the workspace"
                   : called                      ? called
                                                 : "your workspace";
    const char *rest = at + strcspn(at, ":") + 1;
    rest += strspn(rest, "0123456789");
    if (begins_with(rest, " (")) /* the name of the checker's variable */
        rest += strcspn(rest, ")") + 1;
    const char *before = end - line >= 4 && begins_with(end - 4, "the ") ? end - 4 : end;
    if (found != 1)
        return text("%.*s%s%.*s bytes%s", (int)(before - line), line,
                    before < end ? "an allocation of " : "", (int)(at - end), end, rest);
    return text("%.*s%s of %.0f bytes%s", (int)(before - line), line, name, atof(end), rest);
}

/* A line of source: "   12 | text". */
static bool is_source(const char *line)
{
    line += strspn(line, " ");
    return begins_with(line + strspn(line, "0123456789"), " | ");
}

/* The first line under a fault says what happened, a later one where the other access is. */
static bool is_fact(const char *line, int number)
{
    static const char *const facts[] = {"The other access is at ",
                                        "The kernel comes there from ",
                                        "The kernel was launched at ",
                                        "Seen ",
                                        "In line ",
                                        "Line ",
                                        "(For file"};
    bool known = *line != ' ' || is_source(line) || number == 1;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        known = known || begins_with(line + strspn(line, " "), facts[i]);
    return known;
}

/* The learner's line of this number, without its margin; "" if there is none. `yours`, which
   may be NULL, gets whether it is between the marks. */
static const char *source_line(const struct check *c, int number, bool *yours)
{
    char *rest = text("%s", c->job.content);
    bool inside = false;
    for (char *line; number > 0 && (line = next_line(&rest));
         inside = (inside && !ends_region(line)) || begins_region(line))
        if (--number == 0) {
            if (yours)
                *yours = inside;
            return line + strspn(line, " \t");
        }
    return "";
}

/* What is said of one fault, line by line. */
struct telling {
    char *lines[24];
    int count;
};

static void add_line(struct telling *t, char *line)
{
    if (t->count < (int)(sizeof t->lines / sizeof *t->lines))
        t->lines[t->count++] = line;
}

/* The number of the line that begins with `start` and names one of the learner's; 0: none. */
static int line_with_place(const struct telling *t, const char *start)
{
    for (int i = 1; i < t->count; i++)
        if (begins_with(t->lines[i] + strspn(t->lines[i], " "), start) &&
            strstr(t->lines[i], "exercise.cu:"))
            return i;
    return 0;
}

/* The number of the line by which a line of a given function is reached from between the marks;
   0: there is none. */
static int reached_from_yours(const struct check *c, const struct telling *t, int number)
{
    const char *start = text("Line %d is reached from ", number);
    int at = line_with_place(t, start);
    bool yours = false;
    if (at)
        source_line(c, atoi(strstr(t->lines[at], "exercise.cu:") + strlen("exercise.cu:")),
                    &yours);
    return yours ? at : 0;
}

/* The learner's line that led to a fault in a helper, "exercise.cu:19"; "" if the fault is in a
   line of the learner's, or none is known. */
static const char *leading_line(const struct check *c, struct telling *t)
{
    const char *mine = strstr(t->lines[0], "exercise.cu:"),
               *fault = strstr(t->lines[0], ": fault: ");
    if (!fault)
        return "";
    bool given = mine && mine < fault, yours = false;
    int number = given ? atoi(mine + strlen("exercise.cu:")) : 0;
    if (given)
        source_line(c, number, &yours);
    int at = yours   ? 0
             : given ? reached_from_yours(c, t, number)
                     : line_with_place(t, "The kernel comes there from ");
    if (given && !at)
        return "";
    if (!at)
        return line_with_place(t, "The kernel was launched at ") ? "" : called_at(c);
    const char *place = strstr(t->lines[at], "exercise.cu:");
    place = text("%.*s", (int)strlen(place) - 1, place); /* without the colon at its end */
    int gone = 1 + (at + 1 < t->count && is_source(t->lines[at + 1]));
    t->count -= gone;
    memmove(t->lines + at, t->lines + at + gone, (size_t)(t->count - at) * sizeof *t->lines);
    return place;
}

/* Prints a fault. One in a helper is reported at the learner's line that calls the helper: that
   line comes first, and the helper's after what happened there. */
static void say_telling(FILE *out, const struct check *c, struct telling *t)
{
    const char *lead = leading_line(c, t);
    int next = 0;
    if (*lead) {
        char *what = strstr(t->lines[0], ": fault: ");
        int number = atoi(strchr(lead, ':') + 1);
        fprintf(out, "%s%s\n", lead, what);
        fprintf(out, "    %5d | %s\n", number, source_line(c, number, NULL));
        bool shown = t->count > 1 && is_source(t->lines[1]);
        next = shown ? 2 : 1;
        if (next < t->count)
            fprintf(out, "%s\n", t->lines[next++]);
        *what = '\0';
        char *slash = strrchr(t->lines[0], '/');
        fprintf(out, "    This happens in %s%s\n", slash ? slash + 1 : t->lines[0],
                shown ? ":" : ".");
        if (shown)
            fprintf(out, "%s\n", t->lines[1]);
    }
    for (; next < t->count; next++)
        fprintf(out, "%s\n", t->lines[next]);
}

/* Prints the simulated GPU's first diagnosis, which names the line. If the program ended early,
   prints the last one, with which it ended, and what followed. The advice fits most faults of
   its kind but not all, so it is left out unless it was proven (evidence.c). True if there is a
   diagnosis. */
static bool say_fault(FILE *out, const struct check *c)
{
    char *rest = text("%s", c->ended.err);
    int faults = 0, chosen = c->ended.said ? 1 : count_faults(rest), told = 0;
    struct telling t = {.count = 0};
    for (char *line; (line = next_line(&rest)) && faults <= chosen;) {
        bool fault = names_fault(line);
        faults += fault;
        told += *line == ' ' && !is_source(line);
        if (fault)
            told = 0;
        bool advised = c->proven && strcmp(line + strspn(line, " "), c->proven) == 0;
        if (chosen && faults == chosen && !is_ours(line) &&
            (fault || *line == ' ' || (*line && !c->ended.said)) &&
            (fault || advised || is_fact(line, told)))
            add_line(&t, with_owner(c, line));
    }
    if (t.count)
        say_telling(out, c, &t);
    return faults > 0;
}

/* Prints the calls of cuBLAS that were refused, each once. True if there are any. */
static bool say_cublas(FILE *out, const struct check *c)
{
    char *rest = text("%s", c->ended.err);
    const char *seen = "";
    int count = 0;
    for (char *line; (line = next_line(&rest)) && count < 3;)
        if (begins_with(line, "cublas") && !strstr(seen, line)) {
            fprintf(out, "%s\n", line);
            seen = text("%s%s\n", seen, line);
            count++;
        }
    return count > 0;
}

/* The checker's reason, which mentions quadrants and tiles, without those that the exercise
 * does not have. */
static char *reason_for(const struct check *c, const char *reason, bool nan_is_explained)
{
    char *result = text("%s", reason);
    const char *stub = exercise_source(c->lab, c->exercise, STUB);
    bool quadrants = strstr(stub, "quadrant") || strstr(stub, "strassen_scheme") ||
                     strstr(stub, "winograd_scheme");
    bool tiles = strstr(stub, "[16]") || strstr(stub, "(16, 16)");
    if (!quadrants && !tiles)
        cut(result, " (quadrant C", ")", false);
    else if (!quadrants)
        cut(result, "quadrant C", ", ", false);
    else if (!tiles)
        cut(result, ", 16x16 tile ", ")", true);
    if (nan_is_explained) { /* the diagnosis knows which of the two it is */
        cut(result, " No element of C was ever", "NaN.", false);
        char *unwritten = strstr(result, " never written, or became NaN: "), *end;
        if (unwritten && (end = strchr(unwritten, '.'))) {
            while (unwritten > result && !begins_with(unwritten, ". "))
                unwritten--;
            memmove(unwritten, end, strlen(end) + 1);
        }
    }
    return result;
}

/* Says which of the learner's launches has fewer threads in x or y than C has columns or rows,
   if a thread may be meant for each element. */
static bool say_launches(FILE *out, const struct check *c)
{
    const char *launches = fact(&c->facts, "launches"), *rows = fact(&c->facts, "m"),
               *columns = fact(&c->facts, "n");
    char *rest = text("%s", launches ? launches : "");
    bool any = false;
    for (char *line; !fact(&c->facts, "padded_m") && (line = next_line(&rest));) {
        long m = atol(rows), n = atol(columns), grid[2] = {1, 1}, block[2] = {1, 1};
        const char *at = strstr(line, "exercise.cu:");
        if (!at || sscanf(strstr(line, " with "), " with %ld x %ld", grid, grid + 1) < 1 ||
            sscanf(strstr(line, " of "), " of %ld x %ld", block, block + 1) < 1)
            continue;
        long x = grid[0] * block[0], y = grid[1] * block[1];
        if (y == 1 ? x >= m * n : x >= n && y >= m)
            continue;
        any = true;
        if (y == 1)
            fprintf(out, "%s: %ld x %ld = %ld threads are launched, and C has %ld elements.\n",
                    at, grid[0], block[0], x, m * n);
        else
            fprintf(out,
                    "%s: %ld x %ld blocks of %ld x %ld threads are launched: %ld in x and %ld "
                    "in y. "
                    "C has %ld columns and %ld rows.%s\n",
                    at, grid[0], grid[1], block[0], block[1], x, y, n, m,
                    x >= m && y >= n ? " With x and y exchanged the threads would cover it."
                                     : "");
    }
    return any;
}

/* Prints a reason: first what the wrong numbers have in common, then how many there are. */
static void say_reason(FILE *out, const char *reason, bool after_fault)
{
    const char *value = strstr(reason, ", allowed error "),
               *why = value ? strstr(value, ". ") : NULL;
    if (why && after_fault && !strstr(why, "never written")) /* the values follow from it */
        fprintf(out, "%.*s.\n", (int)(why - reason), reason);
    else if (why)
        fprintf(out, "%s\n%.*s.\n", why + 2, (int)(why - reason), reason);
    else
        fprintf(out, "%s\n", reason);
}

/* Where only the functions of counted.h reach C, none of them sets it to zero. */
static const char *advice_for(const struct check *c, const char *nan)
{
    const char *zero = nan ? strstr(nan, " Set C to zero first") : NULL;
    return !zero || !strstr(c->job.content, "exercises/counted.h")
               ? nan
               : text("%.*s The first product of a part of C must be stored or copied there, "
                      "not added.",
                      (int)(zero - nan), nan);
}

char *explain_run(const struct check *c)
{
    struct stream lines;
    stream_begin(&lines);
    FILE *out = lines.out;
    say_how_it_ended(out, c);
    bool fault = say_fault(out, c), cublas = say_cublas(out, c);
    const char *said = fact(&c->facts, "reason"), *message = fact(&c->facts, "message");
    const char *nan = advice_for(c, fact(&c->facts, "nan")), *map = fact(&c->facts, "map"),
               *tile = fact(&c->facts, "tile");
    char *reason = said ? reason_for(c, said, nan != NULL) : NULL;
    const char *probe = fact(&c->facts, "probe");
    bool known = strstr(c->smallest, ", too: "); /* at a smaller size the cause is known */
    if (known)
        fprintf(out, "%s\n", strrchr(text("\n%s", c->smallest), '\n') + 1);
    if (probe && !fault && !cublas && !known)
        fprintf(out, "%s\n", probe);
    if (nan && !fault && !cublas)
        fprintf(out, "%s\n", nan);
    char *last = reason ? strstr(reason, " The last launch was ") : NULL;
    if (reason && !nan &&
        (strstr(reason, "never written") || strstr(reason, "elements are 0") ||
         strstr(reason, " of C are 0")) &&
        say_launches(out, c) && last)
        *last = '\0';
    if (fact(&c->facts, "written"))
        fprintf(out, "%s\n", fact(&c->facts, "written"));
    if (reason && !strstr(reason, ": fault: "))
        say_reason(out, reason, fault);
    else if (reason && strchr(reason, '\n') &&
             strstr(reason, ": fault: ") > strchr(reason, '\n'))
        say_reason(out, text("%.*s", (int)strcspn(reason, "\n"), reason),
                   true); /* the fault was explained already */
    if (fact(&c->facts, "held") && !fault && !nan)
        fprintf(out, "%s\n", in_words(fact(&c->facts, "held")));
    if (!fault)
        fprintf(out, "%s", c->shadows);
    if (map && !fault && !cublas && !nan)
        fprintf(out, "%s\n", map);
    if (tile && !fault)
        fprintf(out, "%s\n", tile);
    if (*c->smallest && !known)
        fprintf(out, "%s\n", c->smallest);
    if (message && *message)
        fprintf(out, "%s\n", message);
    if (!fault && !reason) {
        char *rest = text("%s", c->ended.err);
        int count = 0;
        for (char *line; (line = next_line(&rest)) && count < 6;)
            if (*line && !is_ours(line)) {
                fprintf(out, "%s\n", line);
                count++;
            }
    }
    if (!c->show) /* `lab run` draws no numbers */
        fprintf(out, "With the same numbers again: ./ladder lab check %s --seed %ld\n",
                c->exercise, c->drawn);
    return stream_end(&lines);
}

/* ---- missed goals, from the simulated GPU's report ---- */

/* A line of the report about global memory. */
struct access {
    const char *place, *op;
    double requests, transactions, each, bytes, useful;
};

/* The next such line; false at the end. The learner's own lines come before those of
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

/* Whether the line is in the learner's file. */
static bool is_own(const struct access *a) { return strstr(a->place, "exercise.cu:") != NULL; }

/* What the learner's lines cost in transactions and bytes. */
struct line_costs {
    struct line_cost {
        int line;
        double cost[2];
    } all[64];
    int count;
    double sum[2]; /* of the lines between the marks */
};

static void add_cost(struct line_costs *costs, int line, double transactions, double bytes)
{
    int i = 0;
    while (i < costs->count && costs->all[i].line != line)
        i++;
    if (i == sizeof costs->all / sizeof *costs->all)
        return;
    costs->count += i == costs->count;
    costs->all[i].line = line;
    costs->all[i].cost[0] += transactions, costs->all[i].cost[1] += bytes;
    costs->sum[0] += transactions, costs->sum[1] += bytes;
}

/* Reads the lines "LINE load TRANSACTIONS BYTES REQUESTS" of the report, which are about
   kernels, or "cost launch TRANSACTIONS BYTES PC PC ...", about the lines that launch them or
   call what does. Lines outside of the marks are left out. */
static struct line_costs read_costs(const struct check *c, bool of_launches)
{
    struct line_costs costs = {.count = 0};
    char *rest = text("%s", c->facts.report), *w[24];
    for (char *line; (line = next_line(&rest));) {
        bool yours = false, of_launch = begins_with(line, "cost ");
        if (of_launch != of_launches || (!of_launch && !strspn(line, "0123456789")))
            continue;
        int count = split_words(line, w, 24);
        if (count < 4)
            continue;
        const char *place = of_launch ? line_of(&c->job, w + 4, count - 4) : w[0];
        int number = atoi(place + strcspn(place, "0123456789"));
        source_line(c, number, &yours);
        if (yours)
            add_cost(&costs, number, atof(w[2]), atof(w[3]));
    }
    return costs;
}

/* Lists the learner's lines with what they cost, helpers included: transactions (0), or bytes
   (1). The lines of kernels if the learner's kernels cost most of it, else the lines that
   launch kernels. */
static char *explain_lines(const struct check *c, int of)
{
    enum { MOST_LINES = 16 };
    struct line_costs kernels = read_costs(c, false), launches = read_costs(c, true);
    struct line_costs *costs = 2 * kernels.sum[of] >= launches.sum[of] ? &kernels : &launches;
    char *result = text("Your lines, and how many %s each costs:\n",
                        of ? "bytes of device memory" : "transactions");
    int shown = 0;
    for (int line = 1; costs->count && shown < costs->count && shown < MOST_LINES; line++)
        for (int i = 0; i < costs->count; i++)
            if (costs->all[i].line == line) {
                result = text("%s%10.0f  %s:%d | %.64s\n", result, costs->all[i].cost[of],
                              "exercise.cu", line, source_line(c, line, NULL));
                shown++;
            }
    if (costs->count > shown)
        result = text("%s%10d  lines more\n", result, costs->count - shown);
    return costs->count ? result : text("%s", "");
}

/* What is said above the list of lines: which line moves bytes that no thread uses, or makes
   more transactions than it needs. */
static char *explain_traffic(const struct check *c, bool of_bytes)
{
    char *rest = text("%s", c->facts.report);
    struct access worst = {0};
    double most = 0;
    for (struct access a; next_access(&rest, &a);) {
        double excess = of_bytes                         ? a.bytes * (100 - a.useful) / 100
                        : a.each >= 1.9 && a.useful < 60 ? a.transactions - a.requests
                                                         : 0;
        if (is_own(&a) && excess > most)
            most = excess, worst = a;
    }
    if (most && !of_bytes)
        return text("%s: each %s of a half-warp takes %.1f transactions, since its threads %s "
                    "that many segments of memory (%g%% of the bytes moved are wanted).\n",
                    worst.place, worst.op, worst.each,
                    strcmp(worst.op, "load") == 0 ? "read from" : "write into", worst.useful);
    return text("%s%s",
                most ? text("%s: only %g%% of the bytes that this %s moves are wanted.\n",
                            worst.place, worst.useful, worst.op)
                     : "",
                explain_lines(c, of_bytes));
}

/* Says which line has the largest bank conflict. */
static char *explain_conflict(const struct check *c)
{
    char *rest = text("%s", c->facts.report), *w[8];
    const char *place = "";
    double most = 0;
    for (char *line; (line = next_line(&rest));)
        if (split_words(line, w, 8) >= 6 && strcmp(w[1], "shared") == 0 && strchr(w[5], 'x') &&
            atof(w[5]) > most)
            most = atof(w[5]), place = text("%s %s", w[0], w[2]);
    return text("%s: lanes of a half-warp want different words of the same bank.\n", place);
}

char *explain_goal(const struct check *c, const char *field)
{
    const char *before = fact(&c->facts, "before_ms");
    const char *example = fact(&c->facts, "example"); /* from the exercise's own note */
    if (strcmp(field, "transactions") == 0 || strcmp(field, "volume_bytes") == 0)
        return explain_traffic(c, *field == 'v');
    if (strcmp(field, "conflict") == 0)
        return explain_conflict(c);
    if (strcmp(field, "ms_median") == 0 && before)
        return text("Measured in the same run as `before`, which took %s ms.\n",
                    plain(atof(before)));
    if (example)
        return text("For example: %s.\n", in_words(example));
    return text("%s", "");
}
