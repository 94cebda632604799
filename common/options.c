#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

enum { MAX_DIMENSION = 1 << 20, MAX_ACTIONS = 8 };

enum id {
    ID_M = 256,
    ID_N,
    ID_K,
    ID_VARIANT,
    ID_LIST,
    ID_PRECISION,
    ID_INPUT,
    ID_SEED,
    ID_REPS,
    ID_WARMUP,
    ID_LEVELS,
    ID_TAU1,
    ID_TAU2,
    ID_LEAF,
    ID_THREADS,
    ID_LD_EXTRA,
    ID_JSON,
    ID_QUIET,
    ID_HELP,
    ID_COUNT,
    ID_NO_COUNT,
    ID_REPORT,
    ID_GPU,
    ID_SHUFFLE,
    ID_ADDRESSES,
    ID_PARAMETER,
    ID_ACTION
};

/** Which programs know an option: a CPU step has no --report, a step without leaves no --levels. */
enum scope { EVERYWHERE, RECURSIVE, SIMULATED };

static const struct {
    const char *name;
    int id;
    const char *argument;
    enum scope scope;
    const char *help;
} known[] = {
    {"n", ID_N, "N", EVERYWHERE, "columns of B and C; alone, all three dimensions"},
    {"m", ID_M, "M", EVERYWHERE, "rows of A and C"},
    {"k", ID_K, "K", EVERYWHERE, "columns of A, rows of B"},
    {"variant", ID_VARIANT, "NAME", EVERYWHERE, "only this variant, or several: A,B (see --list)"},
    {"list", ID_LIST, NULL, EVERYWHERE, "list the variants and leaves, and end"},
    {"precision", ID_PRECISION, "P", EVERYWHERE, "f32, f64 or i32, where the step has it (default: the first)"},
    {"input", ID_INPUT, "I", EVERYWHERE, "uniform (default), integers, positive, scaled, kaporin, identity, zeros"},
    {"seed", ID_SEED, "S", EVERYWHERE, "seed of the random inputs (default 1)"},
    {"reps", ID_REPS, "R", EVERYWHERE, "timed runs (default: what two seconds hold; 0: one run, checked only)"},
    {"warmup", ID_WARMUP, "W", EVERYWHERE, "untimed runs before them (default 1)"},
    {"threads", ID_THREADS, "T", EVERYWHERE, "host threads, also for OpenBLAS (default 1)"},
    {"ld-extra", ID_LD_EXTRA, "E", EVERYWHERE, "make every leading dimension E elements wider"},
    {"levels", ID_LEVELS, "L", RECURSIVE, "levels of recursion"},
    {"tau1", ID_TAU1, "T", RECURSIVE, "recurse while min(m, n, k) > T"},
    {"tau2", ID_TAU2, "T", RECURSIVE, "recurse without fused kernels while min(m, n, k) > T"},
    {"leaf", ID_LEAF, "NAME", RECURSIVE, "what multiplies when the recursion ends (see --list)"},
    {"count", ID_COUNT, NULL, SIMULATED, "count memory transactions (default while quick)"},
    {"no-count", ID_NO_COUNT, NULL, SIMULATED, "do not count"},
    {"report", ID_REPORT, NULL, SIMULATED, "print the accesses of every source line"},
    {"gpu", ID_GPU, "MODEL", SIMULATED, "whose counting rules: c1060 (default) or modern"},
    {"shuffle", ID_SHUFFLE, "S", SIMULATED, "run blocks and threads in an order shuffled by S"},
    {"addresses", ID_ADDRESSES, "F:L", SIMULATED, "print what a half warp touches at file F, line L"},
    {"json", ID_JSON, NULL, EVERYWHERE, "one JSON object a variant on standard output"},
    {"quiet", ID_QUIET, NULL, EVERYWHERE, "print the verdict only"},
    {"help", ID_HELP, NULL, EVERYWHERE, "this text"},
};
enum { KNOWN = sizeof known / sizeof *known };

static bool in_scope(enum scope scope, const struct step *step)
{
    switch (scope) {
    case RECURSIVE: return step->leaves != NULL;
    case SIMULATED: return backend.simulated;
    default: return true;
    }
}

static void print_help(const struct step *step)
{
    printf("%s: %s\n\nusage: %s [options]\n\n", step->name, step->idea, step->name);
    for (int i = 0; i < KNOWN; i++)
        if (in_scope(known[i].scope, step))
            printf("  --%-10s %-6s %s\n", known[i].name, known[i].argument ? known[i].argument : "",
                   known[i].help);
    if (step->parameter)
        printf("  --%-10s %-6s %s (%ld to %ld, default %ld)\n", step->parameter, "N",
               step->parameter_help, step->parameter_min, step->parameter_max,
               step->parameter_default);
    for (const struct action *a = step->actions; a && a->name; a++)
        if (a->run)
            printf("  --%-17s %s\n", a->name, a->help);
    printf("\nDefault size: n = %ld. Without --variant every variant runs.\n"
           "Exit status: 0 right, 1 wrong result, 2 bad usage, 3 a resource is missing, 77 skipped.\n",
           step->default_n);
}

/** Reads a whole number; says what the option takes when it is not one or out of range. */
static bool read_number(const char *option, const char *text, long min, long max, long *value)
{
    char *end = NULL;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (errno || end == text || *end || v < min || v > max) {
        fprintf(stderr, "--%s takes a whole number from %ld to %ld, not '%s'\n", option, min, max,
                text);
        return false;
    }
    *value = v;
    return true;
}

/** Reads one of several names into its position; says which there are when it is none of them. */
static bool read_name(const char *option, const char *text, const char *const names[], int count,
                      int *value)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *value = i;
            return true;
        }
    fprintf(stderr, "--%s takes", option);
    for (int i = 0; i < count; i++)
        fprintf(stderr, "%s%s", i == 0 ? " " : i == count - 1 ? " or " : ", ", names[i]);
    fprintf(stderr, ", not '%s'\n", text);
    return false;
}

const struct variant *find_variant(const struct variant *table, const char *name)
{
    for (; table && table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += item != list; /* behind the comma */
        if (strncmp(item, name, length) == 0 && (item[length] == ',' || !item[length]))
            return true;
    }
    return false;
}

/** Says what the option takes when `name`, which need not end where it stops, is in no row. */
static bool check_variant(const char *option, const struct variant *table, const char *name,
                          int length)
{
    for (const struct variant *v = table; v && v->name; v++)
        if ((int)strlen(v->name) == length && strncmp(v->name, name, (size_t)length) == 0)
            return true;
    fprintf(stderr, "--%s takes", option);
    for (const struct variant *v = table; v->name; v++)
        fprintf(stderr, "%s%s", v == table ? " " : v[1].name ? ", " : " or ", v->name);
    fprintf(stderr, ", not '%.*s'\n", length, name);
    return false;
}

/** The same for every name of a list with commas. */
static bool check_variants(const char *option, const struct variant *table, const char *list)
{
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += item != list;
        if (!check_variant(option, table, item, (int)strcspn(item, ",")))
            return false;
    }
    return true;
}

/** "kernels.cuh:23": a file and a line; false after a message. */
static bool is_place(const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    if (line >= 1 && line <= INT_MAX && colon > text && !*end)
        return true;
    fprintf(stderr, "--addresses takes FILE:LINE, such as kernels.cuh:23, not '%s'\n", text);
    return false;
}

/** Takes one option; false after a message. */
static bool take(struct options *o, int id, const char *text, const struct step *step)
{
    static const char *const gpus[] = {"c1060", "modern"};
    long value = 0;
    int choice = 0;
    bool ok = true;
    switch (id) {
    case ID_M: return read_number("m", text, 1, MAX_DIMENSION, &o->m);
    case ID_N: return read_number("n", text, 1, MAX_DIMENSION, &o->n);
    case ID_K: return read_number("k", text, 1, MAX_DIMENSION, &o->k);
    case ID_VARIANT: o->variant = text; break;
    case ID_LEAF: o->leaf = text; break;
    case ID_LIST: o->list = true; break;
    case ID_JSON: o->json = true; break;
    case ID_QUIET: o->quiet = true; break;
    case ID_HELP: o->help = true; break;
    case ID_COUNT: o->count = 1; break;
    case ID_NO_COUNT: o->count = 0; break;
    case ID_REPORT: o->report = true; break;
    case ID_ADDRESSES:
        ok = is_place(text);
        o->addresses = text;
        break;
    case ID_PRECISION:
        ok = read_name("precision", text, precision_names, PRECISIONS, &choice);
        o->precision = (enum precision)choice;
        break;
    case ID_INPUT:
        ok = read_name("input", text, input_names, INPUTS, &choice);
        o->input = (enum input)choice;
        o->input_given = true;
        break;
    case ID_GPU:
        ok = read_name("gpu", text, gpus, 2, &choice);
        o->modern = choice == 1;
        break;
    case ID_SEED:
        ok = read_number("seed", text, 0, 0x7fffffffffffffff, &value);
        o->seed = (uint64_t)value;
        break;
    case ID_SHUFFLE:
        ok = read_number("shuffle", text, 0, 0x7fffffffffffffff, &value);
        o->shuffle = (uint64_t)value;
        break;
    case ID_REPS:
        ok = read_number("reps", text, 0, 100000, &value);
        o->reps = value ? (int)value : CHECK_ONCE;
        break;
    case ID_WARMUP:
        ok = read_number("warmup", text, 0, 100000, &value);
        o->warmup = (int)value;
        break;
    case ID_LEVELS:
        ok = read_number("levels", text, 0, 20, &value);
        o->levels = (int)value;
        break;
    case ID_THREADS:
        ok = read_number("threads", text, 1, 1024, &value);
        o->threads = (int)value;
        break;
    case ID_TAU1: return read_number("tau1", text, 1, MAX_DIMENSION, &o->tau1);
    case ID_TAU2: return read_number("tau2", text, 1, MAX_DIMENSION, &o->tau2);
    case ID_LD_EXTRA: return read_number("ld-extra", text, 0, MAX_DIMENSION, &o->ld_extra);
    case ID_PARAMETER:
        return read_number(step->parameter, text, step->parameter_min, step->parameter_max,
                           &o->parameter);
    default: o->action = &step->actions[id - ID_ACTION]; break;
    }
    return ok;
}

/** Fills getopt's table with the options this program has. */
static void make_table(struct option *table, const struct step *step)
{
    int used = 0;
    for (int i = 0; i < KNOWN; i++)
        if (in_scope(known[i].scope, step))
            table[used++] = (struct option){
                known[i].name, known[i].argument ? required_argument : no_argument, NULL,
                known[i].id};
    if (step->parameter)
        table[used++] = (struct option){step->parameter, required_argument, NULL, ID_PARAMETER};
    for (int i = 0; step->actions && step->actions[i].name && i < MAX_ACTIONS; i++)
        table[used++] = (struct option){step->actions[i].name, no_argument, NULL, ID_ACTION + i};
    table[used] = (struct option){0};
}

/** The same action of the step as it is in the precision asked for; false after a message. */
static bool find_action(struct options *o)
{
    for (const struct action *a = o->step->actions; a && a->name; a++)
        if (strcmp(a->name, o->action->name) == 0 && a->run) {
            o->action = a;
            return true;
        }
    fprintf(stderr, "--%s does not go with --precision %s\n", o->action->name,
            precision_names[o->precision]);
    return false;
}

/** What can only be judged when the whole line is read; false after a message. */
static bool check_together(struct options *o, const char *program)
{
    if (!o->step_by_precision[o->precision]) {
        fprintf(stderr, "--precision %s: %s does not have it\n", precision_names[o->precision],
                program);
        return false;
    }
    o->step = o->step_by_precision[o->precision];
    if (o->parameter < 0)
        o->parameter = o->step->parameter_default;
    if (o->action && !find_action(o))
        return false;
    long given = o->n ? o->n : o->m ? o->m : o->k ? o->k : o->step->default_n;
    o->n = o->n ? o->n : given;
    o->m = o->m ? o->m : given;
    o->k = o->k ? o->k : given;
    if (!check_variants("variant", o->step->variants, o->variant) ||
        (o->leaf && !check_variant("leaf", o->step->leaves, o->leaf, (int)strlen(o->leaf))))
        return false;
    if (o->levels >= 0 && (o->tau1 || o->tau2)) {
        fprintf(stderr, "--levels and --tau1/--tau2 both say where to stop: give one of them\n");
        return false;
    }
    if (o->tau1 && o->tau2 && o->tau2 < o->tau1) {
        fprintf(stderr, "--tau2 %ld is smaller than --tau1 %ld\n", o->tau2, o->tau1);
        return false;
    }
    if (o->input == INPUT_KAPORIN && !(o->m == o->n && o->n == o->k)) {
        fprintf(stderr, "--input kaporin takes square matrices (give --n alone)\n");
        return false;
    }
    if (o->precision == PRECISION_I32 && !o->input_given)
        o->input = INPUT_INTEGERS;
    if (o->precision == PRECISION_I32 && o->input != INPUT_INTEGERS && o->input != INPUT_IDENTITY &&
        o->input != INPUT_ZEROS) {
        fprintf(stderr, "--precision i32 takes --input integers, identity or zeros\n");
        return false;
    }
    return true;
}

bool options_read(struct options *o, int argc, char **argv,
                  const struct step *const steps[PRECISIONS], int *status)
{
    enum precision precision = PRECISION_F32; /* by default the first that the step has */
    while (!steps[precision])
        precision++;
    const struct step *step = steps[precision];
    struct option table[KNOWN + MAX_ACTIONS + 2];
    make_table(table, step);
    *o = (struct options){.precision = precision,
                          .seed = 1,
                          .warmup = 1,
                          .levels = -1,
                          .threads = 1,
                          .count = -1,
                          .parameter = -1};
    memcpy(o->step_by_precision, steps, sizeof o->step_by_precision);
    *status = EXIT_USAGE;
    opterr = 0;
    for (int id; (id = getopt_long(argc, argv, ":", table, NULL)) != -1;) {
        const char *word = argv[optind - 1];
        if (id == ':') {
            fprintf(stderr, "%s wants a value\n", word);
            return false;
        }
        if (id == '?') {
            fprintf(stderr, "%s: no such option, or a value it does not take; see %s --help\n",
                    word, step->name);
            return false;
        }
        if (!take(o, id, optarg, step))
            return false;
    }
    if (optind < argc) {
        fprintf(stderr, "'%s' is no option; see %s --help\n", argv[optind], step->name);
        return false;
    }
    if (o->help) {
        print_help(step);
        *status = EXIT_RIGHT;
        return false;
    }
    return check_together(o, step->name);
}

struct depth options_depth(const struct options *o)
{
    long smallest = o->m < o->n ? o->m : o->n;
    smallest = o->k < smallest ? o->k : smallest;
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
    if (!given && depth.levels == 0 && smallest > 1) /* a step shows its idea */
        depth.levels = depth.fused = 1;
    return depth;
}
