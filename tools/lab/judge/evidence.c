/* SPDX-License-Identifier: MIT */
/** @file evidence.c
 * What a check tries out after a failed run, so that it says only what it has tested.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* ---- where a program was ---- */

/* addr2line's answer for one address: name and "file:line" of each function that is inlined
   there, the innermost first. */
static char *lines_at(char *const addresses[], int count)
{
    char *argv[32] = {"addr2line", "-f", "-C", "-i", "-e", text("%s", compiled_program())};
    int words = 6;
    for (int i = 0; i < count && words < 31; i++)
        if (!addresses[i][strspn(addresses[i], "0123456789abcdef")]) /* the learner may print */
            argv[words++] = addresses[i];
    if (words == 6)
        return text("%s", "");
    /* On a busy machine it may have to wait long: without it, no line is told. */
    return process_run(argv, &(struct limits){.seconds = 60}).out;
}

char *line_of(const struct job *job, char *const addresses[], int count)
{
    char *rest = lines_at(addresses, count), *helper = "";
    const char *name = job->place == ON_CPU ? "exercise.c:" : "exercise.cu:";
    for (char *function; (function = next_line(&rest));) {
        char *place = next_line(&rest), *slash = place ? strrchr(place, '/') : NULL;
        if (!place || *place == '?')
            continue;
        const char *file = slash ? slash + 1 : place;
        function = text("%.*s", (int)strcspn(function, "("), function); /* no parameters */
        if (strcmp(function, helper) == 0)
            helper = ""; /* the learner's function, with an inlined line of a header */
        if (begins_with(file, name))
            return text("%s%d%s%s%s: ", name, atoi(file + strlen(name)), *helper ? ", in " : "",
                        helper, *helper ? "()" : "");
        if (!begins_with(function, "simgpu_") && !strstr(function, "simgpu::"))
            helper = function;
    }
    return text("%s", "");
}

/* ---- the advice to insert a barrier ---- */

/* The text with a barrier after line `number`; NULL if none can be there. */
static char *with_barrier(const char *content, int number, const char *barrier)
{
    const char *line = content, *end;
    for (int i = 1; i < number && line; i++)
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    end = line ? strchr(line, '\n') : NULL;
    if (!end || end == line || (end[-1] != ';' && end[-1] != '}'))
        return NULL;
    return text("%.*s %s%s", (int)(end - content), content, barrier, end);
}

/* Whether the run with the barrier there has no race and no other trouble with barriers, and is
   right: two arrays that overlap, for example, need no barrier. */
static bool barrier_cures(const struct check *c, int line, const char *barrier)
{
    struct check tried = *c;
    char *said, *content = with_barrier(c->job.content, line, barrier);
    if (!content)
        return false;
    tried.job.content = content;
    if (compile(&tried.job, &said))
        return false;
    bool right = run_exercise(&tried, compiled_program(), c->options);
    return right && tried.ended.said && !strstr(tried.ended.err, "-race in") &&
           !strstr(tried.ended.err, "fault: barrier-divergence");
}

/* Tests the advice "Put a barrier after line 19, before line 22" on the lines in between. */
static void prove_barrier(struct check *c)
{
    static const char advice[] = "Put a barrier after line ";
    char *rest = text("%s", c->ended.err);
    for (char *line; (line = next_line(&rest));) {
        line += strspn(line, " ");
        if (!begins_with(line, advice))
            continue;
        int after = atoi(line + strlen(advice));
        const char *before = strstr(line, "before line ");
        int last = before ? atoi(before + strlen("before line ")) - 1 : after;
        last = last < after ? after : last > after + 3 ? after + 3 : last;
        const char *barrier =
            strstr(line, "__syncwarp()") ? "__syncwarp();" : "__syncthreads();";
        for (int at = after; at <= last && !c->proven; at++)
            if (barrier_cures(c, at, barrier))
                c->proven = line;
        return;
    }
}

/* ---- another shape ---- */

void look_at_other_shape(struct check *c)
{
    enum { MOST_LEVELS = 2 }; /* of the run on another shape (common/check/tiers.c) */
    const char *reason = fact(&c->facts, "reason"), *value = fact(&c->facts, "levels");
    long m, n, k, extra;
    if (strstr(c->ended.err, "fault: ") ||
        sscanf(reason, "with m, n, k = %ld, %ld, %ld and leading dimensions longer by %ld", &m,
               &n, &k, &extra) != 4)
        return;
    const char *levels = value && atol(value) > MOST_LEVELS && strstr(c->options, "--levels")
                             ? text(" --levels %d", MOST_LEVELS)
                             : "";
    struct check tried = *c;
    run_exercise(&tried, compiled_program(),
                 text("%s --m %ld --n %ld --k %ld --ld-extra %ld%s", c->options, m, n, k, extra,
                      levels));
    const char *why = fact(&tried.facts, "reason");
    if (!tried.ended.said || !why || !begins_with(why, "on integers: "))
        return;
    for (int i = 0; i < tried.facts.count; i++)
        if (tried.facts.all[i].value == why)
            tried.facts.all[i].value =
                text("with m, n, k = %ld, %ld, %ld and leading dimensions longer by %ld, %s", m,
                     n, k, extra, why);
    c->facts = tried.facts, c->ended = tried.ended, c->options = tried.options;
}

/* ---- the smallest size that fails ---- */

/* The reason if it is wrong with these options, too; NULL if not, or for another reason.
   `tiles_right`: the tiles in shared memory are all that there is of A and B, and right. */
static char *reason_with(const struct check *c, const char *options, bool *tiles_right)
{
    struct check tried = *c;
    run_exercise(&tried, compiled_program(), options);
    *tiles_right = fact(&tried.facts, "tiles_right");
    const char *reason = fact(&tried.facts, "reason");
    bool here = reason && begins_with(reason, "on integers: "); /* of this size */
    return here && strstr(reason, "elements wrong") ? text("%s", reason) : NULL;
}

/* The part of a reason that describes the wrong values; "" if there is none. */
static const char *values_of(const char *reason)
{
    const char *said = strstr(reason, ", allowed error ");
    said = said ? strstr(said, ". ") : NULL;
    if (said && begins_with(said, ". Wrong quadrants:"))
        said = strstr(said + 2, ". ");
    bool place = said && begins_with(said, ". Wrong in C: ");
    return said && !place && !strstr(said, "NaN") && !strstr(said, " are 0.") ? said + 2 : "";
}

/* Finds the first smaller size that fails, and one whose wrong values are recognised. */
static void find_smallest(struct check *c)
{
    /* The last one is a multiple of what any exercise pads to: padding may hide a cause. */
    static const int sides[] = {1, 2, 3, 4, 8, 16, 32, 128};
    static const char *const names[] = {"m", "n", "k"};
    long size[3], side[3];
    for (int d = 0; d < 3; d++) {
        const char *value = fact(&c->facts, names[d]);
        size[d] = value ? atol(value) : 0;
    }
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        bool smaller = false, whole = sides[s] == 128, padded = fact(&c->facts, "padded_m");
        if (padded && sides[s] != 1 && sides[s] != 8 && !whole)
            continue; /* each takes as long as what it is padded to */
        for (int d = 0; d < 3; d++) {
            smaller = smaller || sides[s] < size[d] || (whole && padded);
            side[d] = sides[s] < size[d] || whole ? sides[s] : size[d];
        }
        const char *sizes = text("--m %ld --n %ld --k %ld", side[0], side[1], side[2]);
        bool tiles_right = false;
        const char *reason =
            smaller ? reason_with(c, text("%s %s", c->options, sizes), &tiles_right) : NULL;
        /* With fewer than 4 rows a half is a single row, and many mistakes look alike. */
        const char *values = reason && sides[s] >= 4 ? values_of(reason) : "";
        if (!reason || (*c->smallest && !*values))
            continue;
        c->smallest =
            text("%s%sIt is wrong on %s, too%s%s%s", c->smallest, *c->smallest ? "\n" : "",
                 shape_of(sizes), *values ? ": " : ".", values,
                 tiles_right && !*values ? " There the first tiles are the only ones, and they "
                                           "are right at that barrier."
                                         : "");
        if (*values)
            return;
    }
}

void find_evidence(struct check *c)
{
    if (c->ended.timed_out || c->ended.signal)
        return;
    if (fact(&c->facts, "map"))
        find_smallest(c);
    else if (c->job.place == ON_SIM)
        prove_barrier(c);
}
