/* SPDX-License-Identifier: MIT */
#include "common/command/options.h"
#include "common/command/letters.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/host.h"
#include "common/matrix/npy.h"
#include "common/sizes.h"

enum { MAX_DIMENSION = 1 << 20, MAX_ACTIONS = 8, MAX_RUNS = 100000 };

bool is_chosen(const struct options *o, const struct variant *v)
{
    return o->variant ? is_listed(o->variant, v->name) : v->role == MAIN_LINE;
}

/** Prints an error. Returns false, for the caller to return. */
static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool complain(const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    say(stderr, "%s", text);
    return false;
}

/** The programs that know an option: all; those with leaves (--levels); those whose leaves fuse
 * sums (--unfused); those on the simulated GPU (--report). */
enum scope { EVERYWHERE, RECURSIVE, FUSING, SIMULATED };

enum kind {
    FLAG,   /**< sets a bool */
    NUMBER, /**< a long from `min` to `max`; without an argument it becomes 1 */
    COUNT,  /**< the same, or `all`: as many as the program may use processors */
    TEXT,   /**< keeps the argument */
    CHOICE, /**< one of `max` names, kept as its position */
    ACTION  /**< does row `min` of the step's actions */
};

#define AT(field) offsetof(struct options, field)
static const char *const gpu_names[] = {"c1060", "modern"};

/** An option. */
struct row {
    const char *name;
    const char *argument; /**< as --help shows it; NULL: it takes none */
    enum scope scope;
    enum kind kind;
    size_t target; /**< where in struct options it goes */
    long min, max;
    const char *help;
    const char *const *names; /**< of a choice */
};

static const struct row common_rows[] = {
    {"n", "N", EVERYWHERE, NUMBER, AT(n), 1, MAX_DIMENSION,
     "columns of B and C; given alone, also m and k"},
    {"m", "M", EVERYWHERE, NUMBER, AT(m), 1, MAX_DIMENSION, "rows of A and C"},
    {"k", "K", EVERYWHERE, NUMBER, AT(k), 1, MAX_DIMENSION, "columns of A, rows of B"},
    {"variant", "NAME", EVERYWHERE, TEXT, AT(variant), 0, 0,
     "run only this variant, or several: A,B (--list names them)"},
    {"list", NULL, EVERYWHERE, FLAG, AT(list), 0, 0, "name the variants and leaves, and stop"},
    {"precision", "P", EVERYWHERE, CHOICE, AT(precision), 0, PRECISIONS,
     "f32, f64 or i32, if the step has it (default: the first it has)", precision_names},
    {"input", "I", EVERYWHERE, CHOICE, AT(input), 0, INPUTS,
     "the numbers in A and B: uniform (default), integers, positive, scaled,\n"
     "                      kaporin, kaporin-f32, identity or zeros; or file:A,B, two .npy "
     "files",
     input_names},
    {"output", "file:C", EVERYWHERE, TEXT, AT(output), 0, 0,
     "write C into this .npy file if it is right; needs one --variant"},
    {"seed", "S", EVERYWHERE, NUMBER, AT(seed), 0, LONG_MAX,
     "seed of the random inputs (default 1)"},
    {"reps", "R", EVERYWHERE, NUMBER, AT(reps), 0, MAX_RUNS,
     "timed runs (default: as many as fit into two seconds; 0: one checked run)"},
    {"untimed", NULL, EVERYWHERE, FLAG, AT(untimed), 0, 0,
     "do the exact checks and one run; no timed runs, no check on another shape"},
    {"warmup", "W", EVERYWHERE, NUMBER, AT(warmup), 0, MAX_RUNS,
     "untimed runs before the timed ones (default 1)"},
    {"threads", "T", EVERYWHERE, COUNT, AT(threads), 1, 1024,
     "host threads, also for OpenBLAS (default 1; all: one per usable processor)"},
    {"ld-extra", "E", EVERYWHERE, NUMBER, AT(ld_extra), 0, MAX_DIMENSION,
     "make every leading dimension E elements larger"},
    {"levels", "L", RECURSIVE, NUMBER, AT(levels), 0, 20, "levels of recursion"},
    {"tau1", "T", RECURSIVE, NUMBER, AT(tau1), 1, MAX_DIMENSION,
     "recurse while min(m, n, k) > T"},
    {"tau2", "T", RECURSIVE, NUMBER, AT(tau2), 1, MAX_DIMENSION,
     "recurse without fused kernels while min(m, n, k) > T"},
    {"unfused", NULL, FUSING, FLAG, AT(unfused), 0, 0,
     "use separate kernels for the sums of the last level, too"},
    {"leaf", "NAME", RECURSIVE, TEXT, AT(leaf), 0, 0,
     "the product at the end of the recursion (--list names them)"},
    {"count", NULL, SIMULATED, FLAG, AT(count), 0, 0,
     "count memory transactions (default where that is quick)"},
    {"no-count", NULL, SIMULATED, FLAG, AT(no_count), 0, 0, "count no memory transactions"},
    {"report", NULL, SIMULATED, FLAG, AT(counting.report), 0, 0,
     "print memory accesses and bank conflicts for each source line"},
    {"gpu", "MODEL", SIMULATED, CHOICE, AT(counting.rules), 0, GPU_RULES,
     "count by the rules of this GPU: c1060 (default) or modern", gpu_names},
    {"shuffle", "S", SIMULATED, NUMBER, AT(counting.shuffle), 0, LONG_MAX,
     "run blocks and threads in an order shuffled by S"},
    {"addresses", "F:L", SIMULATED, TEXT, AT(counting.addresses), 0, 0,
     "print the addresses that a half-warp touches in file F, line L; or in all"},
    {"picture", "F:L", SIMULATED, TEXT, AT(counting.picture), 0, 0,
     "draw what a half-warp touches in file F, line L, over time, into F-L.svg"},
    {"calls", NULL, SIMULATED, FLAG, AT(counting.calls), 0, 0,
     "print each launch, and each wait of a stream, as it is made"},
    {"json", NULL, EVERYWHERE, FLAG, AT(json), 0, 0,
     "print one JSON object for each variant, and nothing else"},
    {"quiet", NULL, EVERYWHERE, FLAG, AT(quiet), 0, 0, "print only the verdict"},
    {"help", NULL, EVERYWHERE, FLAG, AT(help), 0, 0, "this text"},
};
enum {
    COMMON = sizeof common_rows / sizeof *common_rows,
    MOST = COMMON + MAX_SETTINGS + MAX_ACTIONS,
    ID_ROW = 256 /**< what getopt returns for the first row; letters are below */
};

/** All options of a program: the common ones, then the step's settings, then its actions. */
struct reader {
    const struct step *step;
    struct row rows[MOST];
    char ranges[MAX_SETTINGS + MAX_ACTIONS][96]; /**< of the settings, for --help */
    int count;
    bool given[MOST];
};

static struct reader reader_of(const struct step *step)
{
    struct reader r = {.step = step, .count = COMMON};
    memcpy(r.rows, common_rows, sizeof common_rows);
    for (int i = 0; step->settings && i < MAX_SETTINGS && step->settings[i].name; i++) {
        const struct setting *t = &step->settings[i];
        size_t target = AT(settings) + (size_t)i * sizeof(long);
        r.rows[r.count] = (struct row){t->name, t->argument, EVERYWHERE, NUMBER, target,
                                       t->min,  t->max,      t->help,    NULL};
        if (t->argument)
            snprintf(r.ranges[i], sizeof *r.ranges, " (%ld to %ld, default %ld)", t->min,
                     t->max, t->standard);
        r.count++;
    }
    for (int i = 0; step->actions && i < MAX_ACTIONS && step->actions[i].name; i++) {
        const struct action *a = &step->actions[i];
        r.rows[r.count++] =
            (struct row){a->name, NULL, EVERYWHERE, ACTION, 0, i, 0, a->help, NULL};
    }
    return r;
}

/** True if a leaf of the step has kernels with a level's sums fused into them. */
static bool fuses(const struct step *step)
{
    for (const struct leaf *leaf = step->leaves; leaf && leaf->name; leaf++)
        if (leaf->kernels)
            return true;
    return false;
}

static bool in_scope(enum scope scope, const struct step *step)
{
    return scope == EVERYWHERE || (scope == RECURSIVE && step->leaves) ||
           (scope == FUSING && fuses(step)) || (scope == SIMULATED && backend.simulated);
}

/** True for a common option that does nothing in this step. */
static bool lacks(const struct step *step, const struct row *row)
{
    return step->lacks && is_listed(step->lacks, row->name);
}

static void print_help(const struct reader *r)
{
    const struct step *step = r->step;
    say(stdout, "%s: %s\n\nusage: %s [options]\n\n", step->name, step->idea, step->name);
    for (int i = 0; i < r->count; i++) {
        const struct row *row = &r->rows[i];
        if (!in_scope(row->scope, step) || lacks(step, row) ||
            (row->kind == ACTION && !step->actions[row->min].run))
            continue;
        say(stdout, "  --%-*s %-*s%s%s%s\n", row->argument ? 10 : 17, row->name,
            row->argument ? 6 : 0, row->argument ? row->argument : "", row->argument ? " " : "",
            row->help, i < COMMON ? "" : r->ranges[i - COMMON]);
    }
    printf(
        "\n-n, -m, -k and -h are short for --n, --m, --k and --help. Default size: n = %ld.\n"
        "Without --variant every variant runs.\n"
        "If an option is repeated, the last one wins.\n"
        "Exit status: 0 right, 1 wrong result, 2 bad usage, 3 a resource is missing, 77 "
        "skipped.\n",
        step->default_n);
}

/** Reads a whole number; prints the range, and another word, when it is no number or out of
 * range. */
static bool read_number(const char *option, const char *other, const char *text, long min,
                        long max, long *value)
{
    char *end = NULL;
    errno = 0;
    long v = strtol(text, &end, 10);
    bool begins_well = *text == '-' || isdigit((unsigned char)*text); /* no blank, no + */
    if (errno || !begins_well || end == text || *end || v < min || v > max)
        return complain("--%s takes %sa whole number from %ld to %ld, not '%s'\n", option,
                        other, min, max, text);
    *value = v;
    return true;
}

/** The name with which row `i` of a table begins. */
static const char *name_at(const void *table, size_t row, int i)
{
    return *(const char *const *)((const char *)table + (size_t)i * row);
}

/** The number of the row whose name is the first `length` characters of `name`. If there is
 * none, prints all names and returns -1. The table ends after `most` rows or with a row without
 * a name. */
static int find_name(const char *option, const void *table, size_t row, int most,
                     const char *name, int length)
{
    int count = 0;
    for (; count < most && name_at(table, row, count); count++) {
        const char *known = name_at(table, row, count);
        if ((int)strlen(known) == length && strncmp(known, name, (size_t)length) == 0)
            return count;
    }
    char names[1024] = "";
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " or "
                                                  : ", ",
                                 name_at(table, row, i));
    say(stderr, "--%s takes %s, not '%.*s'\n", option, names, length, name);
    return -1;
}

/** Prints an error and returns false if a name in the list, separated by commas, is unknown. */
static bool check_variants(const struct variant *table, const char *list)
{
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += item != list;
        if (find_name("variant", table, sizeof *table, INT_MAX, item, (int)strcspn(item, ",")) <
            0)
            return false;
    }
    return true;
}

/* The functions below that return bool print an error before they return false. */

/** True for a file and a line, such as "kernels.cuh:23", and for no text. */
static bool is_place(const char *option, const char *text)
{
    if (!text)
        return true;
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    if (line >= 1 && line <= INT_MAX && colon > text && !*end)
        return true;
    return complain("--%s takes FILE:LINE, such as kernels.cuh:23, not '%s'\n", option, text);
}

static const char file_prefix[] = "file:";

/** --input file:A,B: keeps both names. */
static bool take_files(struct options *o, const char *text)
{
    const char *a = text + strlen(file_prefix), *comma = strchr(a, ',');
    if (!comma || comma == a || !comma[1] || strlen(text) >= sizeof o->input_a)
        return complain(
            "--input file:A,B takes two .npy files with a comma between, not '%s'\n", text);
    snprintf(o->input_a, sizeof o->input_a, "%.*s", (int)(comma - a), a);
    snprintf(o->input_b, sizeof o->input_b, "%s", comma + 1);
    o->input = INPUT_FILE;
    return true;
}

/** Takes one size from a file. It must agree with the command line. */
static bool take_size(const char *option, const char *path, long given, long *size)
{
    if (*size && *size != given)
        return complain("--%s %ld: %s says %ld; leave --%s out, the file gives the size\n",
                        option, *size, path, given, option);
    *size = given;
    return true;
}

/** Takes the sizes of the product from the files. */
static bool take_shapes(struct options *o)
{
    struct npy a, b;
    const char *why = npy_look(o->input_a, &a);
    why = why ? why : npy_look(o->input_b, &b);
    if (why)
        return complain("--input %s\n", why);
    if (a.cols != b.rows)
        return complain(
            "--input: A is %ld x %ld and B is %ld x %ld; A needs as many columns as B has "
            "rows\n",
            a.rows, a.cols, b.rows, b.cols);
    return take_size("m", o->input_a, a.rows, &o->m) &&
           take_size("k", o->input_a, a.cols, &o->k) &&
           take_size("n", o->input_b, b.cols, &o->n);
}

/** --output file:C: keeps the name. */
static bool take_output(struct options *o)
{
    if (strncmp(o->output, file_prefix, strlen(file_prefix)) != 0 || !o->variant ||
        strchr(o->variant, ','))
        return complain("--output takes file:C.npy, and needs exactly one --variant\n");
    o->output += strlen(file_prefix);
    if (!*o->output || strlen(o->output) >= PATH_MAX - 32)
        return complain("--output file:C.npy needs a file's name, not '%.80s'\n", o->output);
    const char *why = npy_may_write(o->output);
    if (why)
        say(stderr, "--output %s\n", why);
    return !why;
}

/** Takes the option of a row. */
static bool take(struct options *o, const struct step *step, const struct row *row,
                 const char *text)
{
    void *target = (char *)o + row->target;
    const struct action *before = o->action;
    if (lacks(step, row))
        return complain("--%s does nothing in %s: leave it out; see --help\n", row->name,
                        step->name);
    if (row->target == AT(input) && strncmp(text, file_prefix, strlen(file_prefix)) == 0)
        return take_files(o, text);
    switch (row->kind) {
    case FLAG:
        *(bool *)target = true;
        return true;
    case TEXT:
        *(const char **)target = text;
        return true;
    case ACTION:
        o->action = &step->actions[row->min];
        if (!before || before == o->action)
            return true;
        return complain("--%s and --%s: give one of them\n", before->name, row->name);
    case COUNT:
        if (strcmp(text, "all") == 0) {
            *(long *)target = smaller(host_processors(), row->max);
            return true;
        }
        return read_number(row->name, "all or ", text, row->min, row->max, target);
    case NUMBER:
        return read_number(row->name, "", row->argument ? text : "1", row->min, row->max,
                           target);
    default:
        *(int *)target = find_name(row->name, row->names, sizeof *row->names, (int)row->max,
                                   text, (int)strlen(text));
        return *(int *)target >= 0;
    }
}

/** Takes the action from the table of the chosen precision. */
static bool find_action(struct options *o)
{
    for (const struct action *a = o->step->actions; a && a->name; a++)
        if (strcmp(a->name, o->action->name) == 0 && a->run) {
            o->action = a;
            return true;
        }
    return complain("--%s does not go with --precision %s\n", o->action->name,
                    precision_names[o->precision]);
}

/** Refuses an option that has no effect together with another one. */
static bool leave_out(const char *option, const char *beside)
{
    return complain("--%s does nothing with --%s: leave it out\n", option, beside);
}

/** Refuses options that have no effect with an action, or with --list. */
static bool action_heeds(const struct reader *r, const struct options *o)
{
    const char *action = o->list     ? "list"
                         : o->action ? o->action->name
                                     : NULL,
               *heeds = o->list     ? "list"
                        : o->action ? o->action->heeds
                                    : NULL;
    if (o->list && o->action)
        return leave_out(o->action->name, "list");
    for (int i = 0; i < r->count && heeds; i++)
        if (r->given[i] && r->rows[i].kind != ACTION &&
            !is_listed("precision,help,json", r->rows[i].name) &&
            !is_listed(heeds, r->rows[i].name))
            return leave_out(r->rows[i].name, action);
    if (action && o->json && !(o->action && o->action->json))
        return complain("--%s prints no JSON: leave --json out\n", action);
    return true;
}

/** Refuses options about counts in a run without counts, and options about times in a run
 * without times. */
static bool run_heeds(const struct reader *r, const struct options *o)
{
    static const char counts[] = "count,report,shuffle,addresses,picture,calls",
                      times[] = "reps,warmup";
    for (int i = 0; i < COMMON; i++) {
        if (r->given[i] && o->no_count && is_listed(counts, r->rows[i].name))
            return complain("--%s counts, and --no-count does not: give one of them\n",
                            r->rows[i].name);
        if (r->given[i] && o->untimed && is_listed(times, r->rows[i].name))
            return leave_out(r->rows[i].name, "untimed");
    }
    return true;
}

static bool check_together(const struct reader *r, struct options *o)
{
    if (!o->step_by_precision[o->precision])
        return complain("--precision %s: %s does not have it\n", precision_names[o->precision],
                        r->step->name);
    o->step = o->step_by_precision[o->precision];
    for (int i = COMMON; i < r->count && r->rows[i].kind != ACTION; i++)
        if (!r->given[i])
            o->settings[i - COMMON] = o->step->settings[i - COMMON].standard;
    if ((o->action && !find_action(o)) || !action_heeds(r, o) || !run_heeds(r, o))
        return false;
    if (o->input == INPUT_FILE && !take_shapes(o))
        return false;
    if (o->output && !take_output(o))
        return false;
    long given = o->n ? o->n : o->m ? o->m : o->k ? o->k : o->step->default_n;
    o->n = o->n ? o->n : given;
    o->m = o->m ? o->m : given;
    o->k = o->k ? o->k : given;
    if (!check_variants(o->step->variants, o->variant) ||
        (o->leaf && find_name("leaf", o->step->leaves, sizeof *o->step->leaves, INT_MAX,
                              o->leaf, (int)strlen(o->leaf)) < 0))
        return false;
    if (o->levels >= 0 && (o->tau1 || o->tau2))
        return complain(
            "--levels and --tau1/--tau2 both say where to stop: give only one of them\n");
    if (o->tau1 && o->tau2 && o->tau2 < o->tau1)
        return complain("--tau2 %ld is smaller than --tau1 %ld: it must be at least as large\n",
                        o->tau2, o->tau1);
    const char *addresses = o->counting.addresses;
    const bool all = addresses && strcmp(addresses, "all") == 0;
    if (!is_place("picture", o->counting.picture) ||
        (!all && !is_place("addresses", addresses)))
        return false;
    if (o->input == INPUTS) /* none was given */
        o->input = o->precision == PRECISION_I32 ? INPUT_INTEGERS : INPUT_UNIFORM;
    if (input_is_kaporin(o->input) && !(o->m == o->n && o->n == o->k))
        return complain("--input kaporin makes square matrices only: give --n alone\n");
    if (o->precision == PRECISION_I32 && o->input != INPUT_INTEGERS &&
        o->input != INPUT_IDENTITY && o->input != INPUT_ZEROS)
        return complain("--precision i32 takes --input integers, identity or zeros\n");
    return true;
}

/** The option that `name` misspells, with one or two wrong letters; NULL if there is none. */
static const char *similar_option(const struct reader *r, const char *name)
{
    const char *best = NULL;
    int least = strlen(name) > 4 ? 3 : strlen(name) > 2 ? 2 : 1;
    for (int foreign = 0; foreign <= 1; foreign++) /* this program's options first */
        for (const struct row *row = r->rows; row < r->rows + r->count; row++)
            if (in_scope(row->scope, r->step) != foreign &&
                letters_between(name, row->name) < least) {
                least = letters_between(name, row->name);
                best = row->name;
            }
    return best;
}

/** Why a common option is not one of this program's; a general reason for all others. */
static const char *reason_for_none(const struct reader *r, const char *name)
{
    for (const struct row *row = r->rows; row < r->rows + COMMON; row++)
        if (strcmp(row->name, name) == 0 && !in_scope(row->scope, r->step))
            return row->scope == RECURSIVE ? "only steps that recurse take it"
                   : row->scope == FUSING  ? "only steps whose last level may be fused take it"
                   : strcmp(backend.name, "cuda") == 0
                       ? "only the simulated GPU takes it, the program .sim"
                       : "only the simulated GPU takes it, from step 06 on";
    return "no such option, or a value it does not take";
}

/** Refuses an unknown option, and names the programs that accept it or the option that was
 * meant; and a word that is no option, such as 64, n=64, report or ikj. */
static void refuse(const struct reader *r, const char *word, const char *called)
{
    char name[64], meant[160] = "";
    bool is_option = *word == '-';
    const char *bare = word + strspn(word, "-"), *value = word + strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(bare, "="), bare);
    const char *similar = isdigit((unsigned char)*word) ? NULL : similar_option(r, name);
    if (is_option) {
        bool one_dash = word[1] != '-' && strlen(name) > 1; /* -variant */
        if (similar && (one_dash || strcmp(similar, name) != 0))
            say(stderr, "%s: no such option; did you mean --%s? See %s --help\n", word, similar,
                called);
        else
            say(stderr, "%s: %s; see %s --help\n", word, reason_for_none(r, name), called);
        return;
    }
    if (*word && strspn(word, "0123456789") == strlen(word))
        snprintf(meant, sizeof meant, "--n %.20s", word);
    else if (find_variant(r->step->variants, word))
        snprintf(meant, sizeof meant, "--variant %.99s", word);
    else if (similar)
        snprintf(meant, sizeof meant, "--%s%.99s", similar, value);
    if (*meant)
        say(stderr, "'%s' is not an option; did you mean %s? See %s --help\n", word, meant,
            called);
    else
        say(stderr, "'%s' is not an option; see %s --help\n", word, called);
}

/** The row that getopt has found: a letter is the short form of a name of one letter; -h is
 * --help. */
static int row_of(int id)
{
    int i = id - ID_ROW;
    for (int row = 0; row < COMMON && id < ID_ROW; row++)
        if (strcmp(common_rows[row].name, id == 'h' ? "help" : (char[]){(char)id, '\0'}) == 0)
            i = row;
    return i;
}

struct context context_of(const struct options *o)
{
    struct context ctx = {.threads = (int)o->threads,
                          .leaf = find_leaf(o->step->leaves, o->leaf),
                          .rank = o->rank};
    memcpy(ctx.settings, o->settings, sizeof ctx.settings);
    return ctx;
}

/* The depth without --unfused. */
static struct depth depth_by_thresholds(const struct options *o)
{
    long smallest = smaller(smaller(o->m, o->n), o->k);
    struct depth depth = {0, 1};
    if (!o->step->leaves)
        return depth;
    if (o->levels >= 0) {
        for (; depth.levels < o->levels && smallest > 1; smallest /= 2)
            depth.levels++;
        return depth;
    }
    bool given = o->tau1 || o->tau2;
    long tau1 = o->tau1 ? o->tau1 : o->tau2 ? o->tau2 / 2 : o->step->default_tau1;
    long tau2 = o->tau2 ? o->tau2 : 2 * tau1;
    for (; smallest > tau2 && smallest > 1; smallest /= 2)
        depth.levels++;
    depth.fused = smallest > tau1 && smallest > 1;
    depth.levels += depth.fused;
    if (!given && depth.levels == 0 && smallest > 1) /* a step shows at least one level */
        depth.levels = depth.fused = 1;
    return depth;
}

struct depth depth_of(const struct options *o)
{
    struct depth depth = depth_by_thresholds(o);
    depth.fused = depth.fused && !o->unfused;
    return depth;
}

bool options_read(struct options *o, int argc, char **argv,
                  const struct step *const steps[PRECISIONS], int *status)
{
    enum precision precision = PRECISION_F32; /* by default the first that the step has */
    while (!steps[precision])
        precision++;
    struct reader r = reader_of(steps[precision]);
    struct option table[MOST + 1] = {{0}};
    for (int i = 0, used = 0; i < r.count; i++)
        if (in_scope(r.rows[i].scope, r.step))
            table[used++] = (struct option){
                r.rows[i].name, r.rows[i].argument ? required_argument : no_argument, NULL,
                ID_ROW + i};
    const char *called = getenv("LADDER_CALLED"); /* ./ladder run says how */
    called = called && *called ? called : argv[0];
    *o = (struct options){.argv = argv,
                          .precision = precision,
                          .input = INPUTS,
                          .seed = 1,
                          .reps = -1,
                          .warmup = 1,
                          .levels = -1,
                          .threads = 1};
    memcpy(o->step_by_precision, steps, sizeof o->step_by_precision);
    *status = EXIT_USAGE;
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":hn:m:k:", table, NULL)) != -1;) {
        const char *word = argv[optind - 1];
        if (id == ':')
            return complain("%s needs a value\n", word);
        if (id == '?') {
            char letter[] = {'-', (char)optopt, '\0'};
            bool is_letter = optopt > 0 && optopt < ID_ROW;
            bool goes_on = is_letter && optind < argc && argv[optind][0] == '-' &&
                           argv[optind][1] != '-' && strchr(argv[optind], optopt);
            refuse(&r,
                   goes_on     ? argv[optind] /* -variant */
                   : is_letter ? letter
                               : word,
                   called);
            return false;
        }
        int row = row_of(id);
        if (!take(o, r.step, &r.rows[row], optarg))
            return false;
        r.given[row] = true;
    }
    if (optind < argc) {
        refuse(&r, argv[optind], called);
        return false;
    }
    if (o->help) {
        print_help(&r);
        *status = EXIT_RIGHT;
        return false;
    }
    return check_together(&r, o);
}
