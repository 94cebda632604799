/* SPDX-License-Identifier: MIT */
/** @file search-cases.c
 * The search for a plan with a clock and times that the test sets, recorded ones and bad ones.
 * The plan must be nearly the best, and the search must take no longer than 20 products.
 * search-cases RECORDED.jsonl[+MORE.jsonl]...
 */
#include <math.h>

#include "cases.h"
#include "library.h"

enum { MOST_RECORDS = 512 };
static const double BYTES_PER_MS = 4e9; /* an H200's memory, about */
static const double MOST_PRODUCTS = 20, MOST_MS = 3000, SHORT_MS = 0.5, SHORT_TIE = 0.95;

/* A row of a step's rungs. */
static struct record {
    char variant[16];
    int n, levels;
    double ms, cublas_ms;
} records[MOST_RECORDS];
static int record_count;

static int by_size(const void *x, const void *y)
{
    return ((const struct record *)x)->n - ((const struct record *)y)->n;
}

/* A field of a row, as common/measure/json.h writes it; "" if there is none. */
static const char *field(const char *line, const char *name)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : "";
}

static void read_file(const char *file)
{
    char line[4096];
    FILE *in = fopen(file, "r");
    EXPECT(in, "%s cannot be read", file);
    while (in && fgets(line, sizeof line, in)) {
        struct record *r = &records[record_count];
        if (sscanf(field(line, "variant"), "\"%15[^\"]", r->variant) != 1 ||
            strncmp(field(line, "precision"), "\"f32\"", 5) != 0 ||
            record_count == MOST_RECORDS - 1)
            continue;
        r->n = atoi(field(line, "n")), r->levels = atoi(field(line, "levels"));
        r->ms = strtod(field(line, "ms_median"), NULL);
        r->cublas_ms = strtod(field(line, "reference_ms_median"), NULL);
        record_count++;
    }
    if (in)
        fclose(in);
}

/* The rows of files of one GPU, with '+' between their names, in the order of their sizes. */
static void read_records(const char *files)
{
    char names[1024];
    record_count = 0;
    snprintf(names, sizeof names, "%s", files);
    for (char *name = strtok(names, "+"); name; name = strtok(NULL, "+"))
        read_file(name);
    qsort(records, (size_t)record_count, sizeof records[0], by_size);
    EXPECT(record_count > 20, "%s: %d rows", files, record_count);
}

/* A GPU that takes the recorded times, and a clock that its runs advance. */
struct player {
    struct gemm_call call;
    double cublas_ms;
    double clock;
    double slower;      /* plans without a record take at most this times their prediction */
    double noise;       /* of a run, as a fraction of its time */
    double load_ms;     /* added to a plan's first run */
    double first_ms;    /* the same for cuBLAS */
    int too_large_from; /* from this number of levels on memory is too small */
    unsigned runs, seen[256];
};

static double random_part(unsigned number)
{
    return (random_uniform(random_bits((number + 1) * RANDOM_STEP)) + 1) / 2;
}

static double time_of(const struct player *x, struct method_plan plan)
{
    const char *name = method_of(plan.method)->name;
    unsigned number = (unsigned)(plan.method * 100 + plan.levels * 10);
    if (plan.method == CUBLAS)
        return x->cublas_ms;
    for (int i = 0; i < record_count; i++)
        if (records[i].n == x->call.n && records[i].levels == plan.levels &&
            strcmp(records[i].variant, name) == 0)
            return records[i].ms;
    return predicted_ms(&x->call, plan, x->cublas_ms, BYTES_PER_MS) *
           (1.2 + (x->slower - 1.2) * random_part(number));
}

static double predict(void *what, struct method_plan plan, double cublas_ms)
{
    const struct player *x = what;
    return predicted_ms(&x->call, plan, cublas_ms, BYTES_PER_MS);
}

static double run(void *what, struct method_plan plan)
{
    struct player *x = what;
    unsigned *seen = &x->seen[(plan.method * 8 + plan.levels) % 256];
    if (plan.levels >= x->too_large_from)
        return -1;
    double ms = time_of(x, plan) * (1 + x->noise * (2 * random_part(x->runs++) - 1));
    if (!(*seen)++)
        ms += plan.method == CUBLAS ? x->first_ms : x->load_ms;
    x->clock += ms;
    return ms;
}

static double now(void *what) { return ((struct player *)what)->clock; }

static const struct ladder_gemm settings = {.gpu = {.multiprocessors = 132},
                                            .smallest_leaf = SMALLEST_LEAF,
                                            .most_levels = MOST_LEVELS};

/* Searches on n x n, and returns the time, without the first product of cuBLAS. */
static struct method_plan search(struct player *x, int n, double cublas_ms)
{
    struct method_plan plans[MOST_CANDIDATES];
    struct search s = {x, predict, run, now};
    x->call = (struct gemm_call){.of = &ladder_f32, .m = n, .n = n, .k = n};
    x->cublas_ms = cublas_ms;
    struct method_plan plan = search_plans(&s, plans, candidates(&settings, &x->call, plans));
    double bound =
        fmin(MOST_PRODUCTS * cublas_ms * (1 + x->noise), fmax(MOST_MS, 2 * cublas_ms));
    EXPECT(x->clock <= bound + cublas_ms + x->load_ms + x->first_ms,
           "%d: the search took %.1f of cuBLAS's products", n, x->clock / cublas_ms);
    return plan;
}

/* With the rungs' measured times: the plan's time is within 2 % of the best known one, or of
 * cuBLAS, and within 6 % where products are short. Also when cuBLAS's first run takes long
 * because it loads kernels. */
static void recorded(const char *files, double first_ms)
{
    read_records(files);
    for (int i = 0, last = 0; i < record_count; last = records[i++].n) {
        int n = records[i].n;
        if (n == last)
            continue;
        struct player x = {.slower = 2.5,
                           .noise = 0.005,
                           .load_ms = 0.1,
                           .first_ms = first_ms,
                           .too_large_from = 99};
        struct method_plan plan = search(&x, n, records[i].cublas_ms), all[MOST_CANDIDATES];
        double best = x.cublas_ms, got = time_of(&x, plan);
        int count = candidates(&settings, &x.call, all);
        for (int p = 0; p < count; p++)
            best = fmin(best, time_of(&x, all[p]));
        printf(
            "%5d: %s with %d levels, %.3f ms; best %.3f; cuBLAS %.3f; %u runs, %.1f products\n",
            n, method_of(plan.method)->name, plan.levels, got, best, x.cublas_ms, x.runs,
            x.clock / x.cublas_ms);
        if (x.cublas_ms > MOST_MS / 10) /* there is time for one or two others only */
            best = fmin(x.cublas_ms, time_of(&x, plan));
        double most = x.cublas_ms < SHORT_MS ? 1 / SHORT_TIE + 0.01 : 1.02;
        EXPECT(got <= most * best, "%d: %.3f ms, the best takes %.3f", n, got, best);
    }
}

/* A plan that is a little faster than cuBLAS is chosen if the product is long only. */
static void little_gain(void)
{
    for (int is_long = 0; is_long < 2; is_long++) {
        struct player x = {.slower = 2.5, .too_large_from = 99};
        double cublas_ms = is_long ? 2 * SHORT_MS : SHORT_MS / 2;
        records[0] = (struct record){"two-levels", 2048, 2, 0.965 * cublas_ms, cublas_ms};
        record_count = 1;
        struct method_plan plan = search(&x, 2048, cublas_ms);
        EXPECT((plan.method != CUBLAS) == is_long, "%.2f ms: %s", cublas_ms,
               method_of(plan.method)->name);
    }
}

/* If every method is slower than predicted, by a factor of up to `slower` (up to 2 for large
 * products, which no launches delay), the bound holds, and no plan is slower than cuBLAS. */
static void slow(double slower)
{
    static const double times[] = {0.02, 0.35, 2.7, 21.5, 168, 1330};
    record_count = 0;
    for (int i = 0; i < 6; i++) {
        struct player x = {.slower = times[i] > 100 ? fmin(slower, 2) : slower,
                           .noise = 0.02,
                           .too_large_from = 99};
        struct method_plan plan = search(&x, 1024 << i, times[i]);
        EXPECT(time_of(&x, plan) <= 1.02 * times[i], "%s with %d levels",
               method_of(plan.method)->name, plan.levels);
    }
}

static void without_room(const char *files)
{
    read_records(files);
    for (int levels = 1; levels < 5; levels++) {
        struct player x = {.slower = 2.5, .too_large_from = levels};
        struct method_plan plan = search(&x, 8192, 21.5);
        EXPECT(plan.levels < levels, "%d levels have no room", plan.levels);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        recorded(argv[i], 0), recorded(argv[i], 35);
    for (double slower = 1.2; slower < 12; slower *= 1.07)
        slow(slower);
    little_gain();
    if (argc > 1)
        without_room(argv[1]);
    printf("%d mistakes\n", mistakes);
    return mistakes > 0 || argc < 2;
}
