/**
 * @file ladder_gemm.cu
 * The rungs of modern.cuh behind cublasSgemm's arguments: what ladder_gemm.h promises.
 */
#include "ladder_gemm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cublas.h"
#include "common/gpu.h"
#include "common/sizes.h"

/// [failures]
/* The steps end the program when a call fails. A library must not: it notes the first failure and
   calls nothing more. */
static struct {
    int status;
    char message[256];
} failure;

static void note_failure(int status, const char *call, const char *why)
{
    failure.status = status;
    snprintf(failure.message, sizeof failure.message, "%s: %s", call, why);
}

#undef CUDA_CHECK
#define CUDA_CHECK(call)                                                                           \
    do {                                                                                           \
        cudaError_t status_ = failure.status ? cudaSuccess : (call);                               \
        if (status_ != cudaSuccess)                                                                \
            note_failure(LADDER_GEMM_CUDA, #call, cudaGetErrorString(status_));                    \
    } while (0)
#undef CUBLAS_CHECK
#define CUBLAS_CHECK(call)                                                                         \
    do {                                                                                           \
        cublasStatus_t status_ = failure.status ? CUBLAS_STATUS_SUCCESS : (call);                  \
        if (status_ != CUBLAS_STATUS_SUCCESS)                                                      \
            note_failure(LADDER_GEMM_CUBLAS, #call, cublasGetStatusString(status_));               \
    } while (0)
/// [failures]

static cublasHandle_t cublas_now; /* of the handle that works */
#define gpu_cublas() cublas_now
#include "modern.cuh"

/* ---- The variants a plan may name
 * ----------------------------------------------------------------- */

enum {
    SMALLEST_LEAF = 128, /* a block's tile of the own leaf: smaller products waste it */
    MOST_LEVELS = 6,
    MOST_CANDIDATES = 64,
    MOST_DOWN = 65535 /* tiles that the leaf's grid may have in its y */
};

/// [rows]
/* How many levels a variant may do, and how many of them are one launch of the leaf. Without fused,
   which was slower than cuBLAS wherever it was measured. */
struct row {
    const char *name;
    void (*multiply)(const struct problem *p, void *workspace);
    size_t (*workspace)(const struct problem *p);
    int least, most, at_once;
    bool beside; /* has a parameter: blocks of sums */
};

static const struct row rows[] = {
    {"cublas", NULL, NULL, 0, 0, 0, false},
    {"own", multiply_own, workspace_own, 0, 0, 0, false},
    {"plain", multiply_plain, workspace_plain, 1, MOST_LEVELS, 0, false},
    {"one-pass", multiply_one_pass, workspace_one_pass, 1, MOST_LEVELS, 0, false},
    {"overlapped", multiply_overlapped, workspace_overlapped, 2, MOST_LEVELS, 0, false},
    {"batched", multiply_batched, workspace_batched, 1, MOST_LEVELS, 1, false},
    {"two-levels", multiply_two_levels, workspace_two_levels, 2, MOST_LEVELS, 2, false},
    {"beside", multiply_beside, workspace_beside, 3, MOST_LEVELS, 2, true},
};
enum { ROWS = sizeof rows / sizeof *rows };
/// [rows]

static const struct row *row_named(const char *name)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

struct plan {
    const struct row *row;
    int levels;
    long parameter;
};

static struct plan plan_of(const char *name, int levels, long parameter)
{
    return (struct plan){row_named(name), levels, parameter};
}

static struct plan plain_cublas(void)
{
    return plan_of("cublas", 0, 0);
}

static bool is_plan(struct plan plan)
{
    return plan.row && plan.levels >= plan.row->least && plan.levels <= plan.row->most &&
           (plan.row->beside ? plan.parameter >= 0 : plan.parameter == 0);
}

static struct ladder_plan told(struct plan plan)
{
    struct ladder_plan out = {"", plan.levels, plan.parameter};
    snprintf(out.variant, sizeof out.variant, "%s", plan.row->name);
    return out;
}

/* ---- A call, and what a plan makes of it
 * ---------------------------------------------------------- */

struct call {
    int m, n, k;
    bool ta, tb;
    float alpha, beta;
    const float *a, *b;
    int lda, ldb;
    float *c;
    int ldc;
};

/// [layout]
/* cublasSgemm's C = op(A) op(B), column-major, is C^T = op(B)^T op(A)^T, row-major, in the same
   memory: B is the left factor and A the right one. What does not suit the variants is copied:
   transposed factors, pointers and leading dimensions that are no multiples of four elements, edges
   that are no multiples of 4 * 2^levels. The product is computed apart where C does not suit, and
   where alpha or beta have still to come. */
struct layout {
    struct problem p;                  /* a, b, c only where they are not copied */
    bool copy_left, copy_right, apart; /* which are */
    size_t left, right, product, rest; /* their places in the workspace, the variant's own */
    size_t elements;                   /* all together */
};

static bool suits(const void *matrix, int ld)
{
    return (uintptr_t)matrix % 16 == 0 && ld % 4 == 0;
}

static bool is_scaled(const struct call *x)
{
    return x->alpha != 1 || x->beta != 0;
}

static size_t take(size_t *elements, size_t count)
{
    size_t at = *elements;
    *elements += (count + 63) / 64 * 64;
    return at;
}

/* So that `leaf` of modern.cuh's problems is cublasSgemm with the handle's cuBLAS. */
static void multiply_library(const struct problem *p, void *workspace)
{
    const float one = 1, zero = 0;
    (void)workspace;
    CUBLAS_CHECK(cublasSgemm(cublas_now, CUBLAS_OP_N, CUBLAS_OP_N, (int)p->n, (int)p->m, (int)p->k,
                             &one, (const real *)p->b, (int)p->ldb, (const real *)p->a, (int)p->lda,
                             &zero, (real *)p->c, (int)p->ldc));
}
static const struct variant library = {.name = "cublas", .multiply = multiply_library};

static struct layout layout_of(const struct call *x, struct plan plan)
{
    long multiple = 4L << plan.levels;
    long m = round_up(x->n, multiple), n = round_up(x->m, multiple), k = round_up(x->k, multiple);
    struct layout at;
    memset(&at, 0, sizeof at);
    if (!plan.row->multiply)
        return at;
    at.p.m = m, at.p.n = n, at.p.k = k;
    at.p.a = x->b, at.p.lda = x->ldb;
    at.p.b = x->a, at.p.ldb = x->lda;
    at.p.c = x->c, at.p.ldc = x->ldc;
    at.p.levels = plan.levels, at.p.parameter = plan.parameter, at.p.leaf = &library;
    at.copy_left = x->tb || !suits(x->b, x->ldb) || m != x->n || k != x->k;
    at.copy_right = x->ta || !suits(x->a, x->lda) || n != x->m || k != x->k;
    at.apart = is_scaled(x) || !suits(x->c, x->ldc) || m != x->n || n != x->m;
    if (at.copy_left)
        at.left = take(&at.elements, m * k), at.p.lda = k;
    if (at.copy_right)
        at.right = take(&at.elements, k * n), at.p.ldb = n;
    if (at.apart)
        at.product = take(&at.elements, m * n), at.p.ldc = n;
    at.rest = take(&at.elements, plan.row->workspace(&at.p));
    return at;
}
/// [layout]

/// [copy]
/* rows x cols elements of a row-major `from`, or of its transpose, and zeros up to long_rows x
   long_cols. geam thinks in columns: its matrices are ours transposed. */
static void copy_factor(const float *from, int ld, bool transposed, int rows, int cols, float *to,
                        long long_rows, long long_cols)
{
    const float one = 1, zero = 0;
    CUBLAS_CHECK(cublasSgeam(cublas_now, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, cols,
                             rows, &one, from, ld, &zero, to, (int)long_cols, to, (int)long_cols));
    if (long_cols > cols)
        CUDA_CHECK(cudaMemset2DAsync(to + cols, long_cols * sizeof *to, 0,
                                     (long_cols - cols) * sizeof *to, rows, 0));
    if (long_rows > rows)
        CUDA_CHECK(cudaMemsetAsync(to + rows * long_cols, 0,
                                   (long_rows - rows) * long_cols * sizeof *to, 0));
}

/* C = alpha product + beta C. */
static void finish_product(const struct call *x, const float *product, long ld)
{
    CUBLAS_CHECK(cublasSgeam(cublas_now, CUBLAS_OP_N, CUBLAS_OP_N, x->m, x->n, &x->alpha, product,
                             (int)ld, &x->beta, x->c, x->ldc, x->c, x->ldc));
}
/// [copy]

/* `at` is the plan's layout, and the workspace is large enough for it. */
static void run(const struct call *x, struct plan plan, struct layout at, float *workspace)
{
    if (!plan.row->multiply) {
        CUBLAS_CHECK(cublasSgemm(cublas_now, x->ta ? CUBLAS_OP_T : CUBLAS_OP_N,
                                 x->tb ? CUBLAS_OP_T : CUBLAS_OP_N, x->m, x->n, x->k, &x->alpha,
                                 x->a, x->lda, x->b, x->ldb, &x->beta, x->c, x->ldc));
        return;
    }
    if (at.copy_left) {
        at.p.a = workspace + at.left;
        copy_factor(x->b, x->ldb, x->tb, x->n, x->k, workspace + at.left, at.p.m, at.p.k);
    }
    if (at.copy_right) {
        at.p.b = workspace + at.right;
        copy_factor(x->a, x->lda, x->ta, x->k, x->m, workspace + at.right, at.p.k, at.p.n);
    }
    if (at.apart)
        at.p.c = workspace + at.product;
    plan.row->multiply(&at.p, workspace + at.rest);
    if (at.apart)
        finish_product(x, (const float *)at.p.c, at.p.ldc);
}

/* ---- The handle, its workspace and its plans
 * ------------------------------------------------------ */

/// [key]
/* What a plan is kept for. `how` says of A and B whether they are transposed (t) or not (n), of C
   whether it is the product alone (p) or scaled (s); a capital letter: the pointer or the leading
   dimension does not suit. The variants pay for all of this with copies, cuBLAS hardly. */
struct key {
    int m, n, k;
    char how[4];
};

static struct key key_of(const struct call *x)
{
    struct key key = {x->m, x->n, x->k, ""};
    key.how[0] = suits(x->a, x->lda) ? "nt"[x->ta] : "NT"[x->ta];
    key.how[1] = suits(x->b, x->ldb) ? "nt"[x->tb] : "NT"[x->tb];
    key.how[2] = suits(x->c, x->ldc) ? "ps"[is_scaled(x)] : "PS"[is_scaled(x)];
    return key;
}
/// [key]

struct entry {
    struct key key;
    struct plan plan;
    bool limited; /* candidates had no room when it was found: not for the file */
};

struct ladder_gemm {
    cublasHandle_t cublas;
    cudaEvent_t begun, ended;
    int multiprocessors, smallest_leaf;
    char gpu[320];

    float *workspace;
    size_t held, limit; /* bytes */
    size_t refused;     /* the smallest that could not be had; 0: none yet */

    struct entry *entries;
    size_t count, room;
    char *file;       /* NULL: none, or none to write to */
    bool fresh, torn; /* it has no first line yet; its last line has no end */

    bool measures, verbose, is_forced;
    struct plan forced;
    struct ladder_done done;
    char message[512];
};

static void tell(struct ladder_gemm *h, bool loud)
{
    if (loud)
        fprintf(stderr, "%s\n", h->message);
}

static void free_workspace(struct ladder_gemm *h)
{
    if (h->workspace)
        CUDA_CHECK(cudaFree(h->workspace));
    h->workspace = NULL, h->held = 0;
}

static bool get_workspace(struct ladder_gemm *h, size_t bytes)
{
    if (failure.status || cudaMalloc((void **)&h->workspace, bytes) != cudaSuccess) {
        cudaGetLastError(); /* no failure: the caller does with less */
        h->workspace = NULL;
        return false;
    }
    h->held = bytes;
    return true;
}

/* Sees to it that the workspace has so many elements, if they can be had. */
static bool make_room(struct ladder_gemm *h, size_t elements)
{
    size_t bytes = elements * sizeof(float), before = h->held;
    if (bytes > h->limit)
        return false;
    if (bytes <= h->held)
        return true;
    if (h->refused && bytes >= h->refused)
        return false; /* not asked for again in every call */
    free_workspace(h);
    if (get_workspace(h, bytes))
        return true;
    h->refused = bytes;
    if (before)
        get_workspace(h, before);
    return false;
}

static struct entry *find_entry(struct ladder_gemm *h, struct key key)
{
    for (size_t i = 0; i < h->count; i++) {
        struct key other = h->entries[i].key;
        if (other.m == key.m && other.n == key.n && other.k == key.k &&
            strcmp(other.how, key.how) == 0)
            return &h->entries[i];
    }
    return NULL;
}

/* Without memory on the host the plan is forgotten, and found again. */
static void keep(struct ladder_gemm *h, struct entry entry)
{
    struct entry *known = find_entry(h, entry.key);
    if (!known && h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 64;
        void *more = realloc(h->entries, room * sizeof *h->entries);
        if (!more)
            return;
        h->entries = (struct entry *)more, h->room = room;
    }
    *(known ? known : &h->entries[h->count++]) = entry;
}

/* ---- The tuning file
 * ------------------------------------------------------------------------------ */

/// [file]
/* "ladder_gemm plans: GPU, cuBLAS version", then a line for each plan: m n k how variant levels
   parameter. The last line of a shape holds. */
static const char file_says[] = "ladder_gemm plans: ";

static bool read_plan(const char *line, struct entry *entry)
{
    char how[5], name[17];
    int end = 0;
    struct key *key = &entry->key;
    memset(entry, 0, sizeof *entry);
    if (sscanf(line, "%d %d %d %4s %16s %d %ld %n", &key->m, &key->n, &key->k, how, name,
               &entry->plan.levels, &entry->plan.parameter, &end) != 7 ||
        line[end] || strlen(how) != 3)
        return false;
    strcpy(key->how, how);
    entry->plan.row = row_named(name);
    return key->m > 0 && key->n > 0 && key->k > 0 && strchr("ntNT", how[0]) &&
           strchr("ntNT", how[1]) && strchr("psPS", how[2]) && is_plan(entry->plan);
}

/* Forgets the file: it is neither read on nor written. */
static void drop_file(struct ladder_gemm *h)
{
    free(h->file);
    h->file = NULL;
}

static void read_file(struct ladder_gemm *h)
{
    char line[512];
    FILE *in = fopen(h->file, "r");
    h->fresh = true, h->torn = false;
    for (int number = 1; in && fgets(line, sizeof line, in); number++) {
        size_t length = strcspn(line, "\n");
        h->torn = line[length] != '\n';
        line[length] = 0;
        struct entry entry;
        if (number == 1) {
            h->fresh = false;
            if (strncmp(line, file_says, sizeof file_says - 1) == 0 &&
                strcmp(line + sizeof file_says - 1, h->gpu) == 0)
                continue;
            bool others = strncmp(line, file_says, sizeof file_says - 1) == 0;
            snprintf(h->message, sizeof h->message, "%.160s: %s%.300s; it is not used", h->file,
                     others ? "its plans are for " : "no tuning file",
                     others ? line + sizeof file_says - 1 : "");
            tell(h, true);
            drop_file(h);
            break;
        }
        if (read_plan(line, &entry))
            keep(h, entry);
        else if (*line) {
            snprintf(h->message, sizeof h->message, "%.300s:%d: no plan: '%.80s'", h->file, number,
                     line);
            tell(h, true);
        }
    }
    if (in)
        fclose(in);
}

static void write_plan(struct ladder_gemm *h, const struct entry *entry)
{
    if (!h->file)
        return;
    FILE *out = fopen(h->file, "a");
    bool right = out != NULL;
    if (out) {
        if (h->fresh)
            fprintf(out, "%s%s\n", file_says, h->gpu);
        fprintf(out, "%s%d %d %d %s %s %d %ld\n", h->torn ? "\n" : "", entry->key.m, entry->key.n,
                entry->key.k, entry->key.how, entry->plan.row->name, entry->plan.levels,
                entry->plan.parameter);
        right = fclose(out) == 0;
    }
    h->fresh = h->torn = false;
    if (!right) {
        snprintf(h->message, sizeof h->message,
                 "%.300s: cannot be written; plans are kept in memory", h->file);
        tell(h, true);
        drop_file(h);
    }
}
/// [file]

/* ---- Finding a plan
 * ------------------------------------------------------------------------------- */

/* All plans that a shape could have, cublas first, plans of few levels before those of many. The
   rows of a leaf, columns of the caller's C, must not be too many for its grid. */
static int candidates(const struct ladder_gemm *h, int m, int n, int k, struct plan *plans)
{
    int count = 0, smallest = m < n ? m : n;
    smallest = smallest < k ? smallest : k;
    plans[count++] = plain_cublas();
    for (int levels = 0; levels <= MOST_LEVELS && smallest >> levels >= h->smallest_leaf;
         levels++) {
        if (blocks_for(round_up(n, 4L << levels) >> levels, PANEL) > MOST_DOWN)
            continue;
        for (int i = 1; i < ROWS; i++)
            for (int blocks = 1; blocks <= (rows[i].beside ? 3 : 1); blocks++)
                if (levels >= rows[i].least && levels <= rows[i].most && count < MOST_CANDIDATES)
                    plans[count++] = (struct plan){
                        &rows[i], levels, rows[i].beside ? (long)blocks * h->multiprocessors : 0};
    }
    return count;
}

enum {
    ROUNDS = 7,       /* of those within a tenth of the best */
    FINAL_ROUNDS = 8, /* more, of those within 3 % */
    MOST_SAMPLES = ROUNDS + FINAL_ROUNDS,
    MOST_RUNS = 20 /* in a sample */
};
static const double SAMPLE_MS = 0.3;    /* so long a sample takes at least */
static const double LONG_MS = 20;       /* of runs that long, half the samples must do */
static const double LAUNCH_MS = 0.001;  /* so long a product takes at least */
static const double HOPELESS = 1.5;     /* times the best: not tried, or not again */
static const double CUBLAS_TIE = 0.99;  /* a plan must be below cublas's time times this */
static const double LEVELS_TIE = 1.005; /* and within this of the best; then few levels win */

struct trial {
    struct plan plan;
    int runs, count;
    double samples[MOST_SAMPLES], ms;
};

static double time_of(struct ladder_gemm *h, const struct call *x, struct plan plan, int runs)
{
    float ms = 0;
    struct layout at = layout_of(x, plan);
    CUDA_CHECK(cudaEventRecord(h->begun, 0));
    for (int i = 0; i < runs; i++)
        run(x, plan, at, h->workspace);
    CUDA_CHECK(cudaEventRecord(h->ended, 0));
    CUDA_CHECK(cudaEventSynchronize(h->ended));
    CUDA_CHECK(cudaEventElapsedTime(&ms, h->begun, h->ended));
    return (double)ms / runs;
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void sample(struct ladder_gemm *h, const struct call *x, struct trial *t)
{
    double sorted[MOST_SAMPLES];
    t->samples[t->count++] = time_of(h, x, t->plan, t->runs);
    memcpy(sorted, t->samples, sizeof sorted);
    qsort(sorted, t->count, sizeof *sorted, ascending);
    t->ms = (sorted[(t->count - 1) / 2] + sorted[t->count / 2]) / 2;
}

/// [bound]
/* No plan is faster than this: 7^levels products of an eighth each at 1.1 times cuBLAS's rate here,
   and the launches one after another. */
static double least_ms(const struct call *x, struct plan plan, double cublas_ms)
{
    double share = 1, launches = 1;
    int edges[] = {x->m, x->n, x->k};
    for (int i = 0; i < 3; i++) /* what padding adds */
        share *= (double)round_up(edges[i], 4L << plan.levels) / edges[i];
    for (int i = 0; i < plan.levels; i++) {
        share *= 7.0 / 8;
        launches *= i < plan.levels - plan.row->at_once ? 7 : 1;
    }
    double products = share * cublas_ms / 1.1;
    return launches * LAUNCH_MS > products ? launches * LAUNCH_MS : products;
}
/// [bound]

static double best_of(const struct trial *trials, int count)
{
    double best = trials[0].ms;
    for (int i = 1; i < count; i++)
        best = trials[i].ms < best ? trials[i].ms : best;
    return best;
}

/* Drops what is not within `factor` of the best; cublas, the first, stays. */
static int thin_out(struct trial *trials, int count, double factor)
{
    double best = best_of(trials, count);
    int kept = 1;
    for (int i = 1; i < count; i++)
        if (trials[i].ms <= factor * best)
            trials[kept++] = trials[i];
    return kept;
}

static void sample_in_turn(struct ladder_gemm *h, const struct call *x, struct trial *trials,
                           int count, int rounds)
{
    if (trials[0].ms > LONG_MS)
        rounds = (rounds + 1) / 2;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) /* every second round backwards: who follows whom matters */
            sample(h, x, &trials[round % 2 ? count - 1 - i : i]);
}

/// [measure]
/* Every candidate once to warm up and once or a few times for its time; then those that could be
   the best, in turn; then those that are almost equal, again. */
static struct plan fastest(struct ladder_gemm *h, const struct call *x, bool *limited)
{
    struct plan plans[MOST_CANDIDATES];
    static struct trial trials[MOST_CANDIDATES];
    int all = candidates(h, x->m, x->n, x->k, plans), count = 0;
    *limited = false;
    for (int i = 0; i < all && !failure.status; i++) {
        double best = count ? best_of(trials, count) : 0;
        if (count && least_ms(x, plans[i], trials[0].ms) > HOPELESS * best)
            continue;
        if (!make_room(h, layout_of(x, plans[i]).elements)) {
            *limited = true;
            continue;
        }
        struct trial t;
        memset(&t, 0, sizeof t);
        t.plan = plans[i];
        t.ms = time_of(h, x, t.plan, 1); /* loads the kernels too */
        if (t.ms < LONG_MS)
            t.ms = time_of(h, x, t.plan, 1);
        if (count && t.ms > HOPELESS * best)
            continue;
        double runs = SAMPLE_MS / (t.ms > 1e-4 ? t.ms : 1e-4);
        t.runs = runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : (int)runs + 1;
        if (t.runs > 1)
            t.ms = time_of(h, x, t.plan, t.runs);
        trials[count++] = t;
    }
    count = thin_out(trials, count, 1.1);
    sample_in_turn(h, x, trials, count, ROUNDS);
    count = thin_out(trials, count, 1.03);
    if (count > 1)
        sample_in_turn(h, x, trials, count, FINAL_ROUNDS);

    double best = best_of(trials, count);
    for (int i = 1; i < count; i++) /* in the order of their levels */
        if (trials[i].ms <= LEVELS_TIE * best && trials[i].ms < CUBLAS_TIE * trials[0].ms)
            return trials[i].plan;
    return trials[0].plan;
}
/// [measure]

/* Measures on a C of its own where the call still needs what C holds. false: no room for that. */
static bool measure(struct ladder_gemm *h, const struct call *x, struct entry *entry)
{
    struct call trial = *x;
    float *other = NULL;
    if (x->beta != 0) {
        size_t elements = (size_t)x->ldc * (x->n - 1) + x->m + 4, bytes = elements * sizeof *other;
        if (bytes > h->limit || cudaMalloc((void **)&other, bytes) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        CUDA_CHECK(cudaMemsetAsync(other, 0, bytes, 0));
        trial.c = other + (uintptr_t)x->c / sizeof *other % 4; /* aligned as C is */
    }
    size_t before = h->held;
    entry->plan = fastest(h, &trial, &entry->limited);
    if (other) { /* what it took may be had now */
        CUDA_CHECK(cudaFree(other));
        h->refused = 0;
    }
    size_t elements = layout_of(x, entry->plan).elements;
    if (h->held > before && h->held > elements * sizeof *other) { /* only the others needed it */
        free_workspace(h);
        make_room(h, before / sizeof *other > elements ? before / sizeof *other : elements);
    }
    return true;
}

/* ---- What the header promises
 * --------------------------------------------------------------------- */

static int left_over(struct ladder_gemm *h) /* a call's status, its message */
{
    if (failure.status) { /* the variants stopped half way: nothing of them goes on */
        snprintf(h->message, sizeof h->message, "%s", failure.message);
        cudaDeviceSynchronize();
        cudaGetLastError(); /* or the next call would fail of it */
        cublasSetStream(h->cublas, 0);
        stream = 0, most_sum_blocks = 0;
    }
    return failure.status;
}

static void begin(struct ladder_gemm *h)
{
    failure.status = 0;
    cublas_now = h->cublas;
}

extern "C" int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file)
{
    if (!handle)
        return 1;
    *handle = NULL;
    struct ladder_gemm *h = (struct ladder_gemm *)calloc(1, sizeof *h);
    if (!h)
        return LADDER_GEMM_NO_MEMORY;
    failure.status = 0;
    int device = 0, version = 0;
    cudaDeviceProp properties;
    memset(&properties, 0, sizeof properties);
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    CUBLAS_CHECK(cublasCreate(&h->cublas));
    CUBLAS_CHECK(cublasGetVersion(h->cublas, &version));
    CUDA_CHECK(cudaEventCreate(&h->begun));
    CUDA_CHECK(cudaEventCreate(&h->ended));
    snprintf(h->gpu, sizeof h->gpu, "%s, cuBLAS %d", properties.name, version);
    h->multiprocessors = properties.multiProcessorCount;
    h->smallest_leaf = SMALLEST_LEAF;
    h->limit = SIZE_MAX;
    h->measures = true;
    h->done.ran = h->done.plan = (struct ladder_plan){"none", 0, 0};
    if (!failure.status && tuning_file) {
        h->file = strdup(tuning_file);
        if (h->file)
            read_file(h);
        else
            failure.status = LADDER_GEMM_NO_MEMORY;
    }
    if (failure.status) {
        int status = failure.status;
        ladder_gemm_destroy(h);
        return status;
    }
    *handle = h;
    return 0;
}

extern "C" void ladder_gemm_destroy(ladder_gemm_t h)
{
    if (!h)
        return;
    failure.status = 0;
    free_workspace(h);
    if (h->begun)
        CUDA_CHECK(cudaEventDestroy(h->begun));
    if (h->ended)
        CUDA_CHECK(cudaEventDestroy(h->ended));
    if (h->cublas)
        CUBLAS_CHECK(cublasDestroy(h->cublas));
    free(h->entries);
    free(h->file);
    free(h);
}

static bool is_operation(cublasOperation_t x)
{
    return x == CUBLAS_OP_N || x == CUBLAS_OP_T || x == CUBLAS_OP_C;
}

/* The number of the first wrong argument, or 0. */
static int wrong_argument(const struct ladder_gemm *h, cublasOperation_t transa,
                          cublasOperation_t transb, int m, int n, int k, const float *alpha,
                          const float *A, int lda, const float *B, int ldb, const float *beta,
                          const float *C, int ldc)
{
    if (!h)
        return 1;
    if (!is_operation(transa))
        return 2;
    if (!is_operation(transb))
        return 3;
    if (m < 0 || n < 0 || k < 0)
        return m < 0 ? 4 : n < 0 ? 5 : 6;
    if (!alpha)
        return 7;
    bool written = m > 0 && n > 0, read = written && k > 0 && *alpha != 0;
    if (read && !A)
        return 8;
    if (lda < (int)larger(1, transa == CUBLAS_OP_N ? m : k))
        return 9;
    if (read && !B)
        return 10;
    if (ldb < (int)larger(1, transb == CUBLAS_OP_N ? k : n))
        return 11;
    if (!beta)
        return 12;
    if (written && !C)
        return 13;
    return ldc < (int)larger(1, m) ? 14 : 0;
}

static struct plan choose(struct ladder_gemm *h, const struct call *x)
{
    struct plan plans[MOST_CANDIDATES];
    if (h->is_forced)
        return h->forced;
    struct entry *known = find_entry(h, key_of(x)), found;
    if (known) {
        h->done.fell_back = known->limited;
        return known->plan;
    }
    if (!h->measures || candidates(h, x->m, x->n, x->k, plans) == 1)
        return plain_cublas();
    memset(&found, 0, sizeof found);
    found.key = key_of(x);
    if (!measure(h, x, &found)) {
        found.limited = true;
        found.plan = plain_cublas();
    } else if (!failure.status) {
        h->done.measured = 1;
        keep(h, found);
        if (!found.limited)
            write_plan(h, &found);
    }
    if (found.limited) {
        h->done.fell_back = 1;
        snprintf(h->message, sizeof h->message,
                 "ladder_sgemm: %d x %d x %d: not all candidates had room when it was measured",
                 x->m, x->n, x->k);
        tell(h, h->verbose);
    }
    return found.plan;
}

/// [fall back]
/* The plan, if its workspace can be had; else the same with fewer levels, where these need less;
   else plain with its two temporaries a level; else cublasSgemm, which needs nothing. */
static struct plan within_memory(struct ladder_gemm *h, const struct call *x, struct plan plan)
{
    struct plan less = plan;
    for (; is_plan(less); less.levels--)
        if (make_room(h, layout_of(x, less).elements))
            return less;
    for (less = plan_of("plain", plan.levels, 0); is_plan(less); less.levels--)
        if (make_room(h, layout_of(x, less).elements))
            return less;
    return plain_cublas();
}
/// [fall back]

static void multiply(struct ladder_gemm *h, const struct call *x)
{
    struct plan plan = choose(h, x), ran = within_memory(h, x, plan);
    struct layout at = layout_of(x, ran);
    h->done.plan = told(plan);
    h->done.ran = told(ran);
    h->done.workspace_bytes = at.elements * sizeof(float);
    if (ran.row != plan.row || ran.levels != plan.levels) {
        h->done.fell_back = 1;
        snprintf(h->message, sizeof h->message,
                 "ladder_sgemm: %d x %d x %d: no room for %zu bytes of workspace: %s with %d "
                 "levels instead of %s with %d",
                 x->m, x->n, x->k, layout_of(x, plan).elements * sizeof(float), ran.row->name,
                 ran.levels, plan.row->name, plan.levels);
        tell(h, h->verbose);
    }
    run(x, ran, at, h->workspace);
}

extern "C" int ladder_sgemm(ladder_gemm_t h, cublasOperation_t transa, cublasOperation_t transb,
                            int m, int n, int k, const float *alpha, const float *A, int lda,
                            const float *B, int ldb, const float *beta, float *C, int ldc)
{
    int wrong = wrong_argument(h, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    if (wrong) {
        if (h)
            snprintf(h->message, sizeof h->message, "ladder_sgemm: argument %d is wrong", wrong);
        return wrong;
    }
    begin(h);
    memset(&h->done, 0, sizeof h->done);
    h->done.ran = h->done.plan = (struct ladder_plan){"none", 0, 0};
    struct call x = {
        m,   n, k,  transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, *alpha, *beta, A, B, lda,
        ldb, C, ldc};
    if (m == 0 || n == 0)
        return 0;
    if (k > 0 && *alpha != 0) {
        multiply(h, &x);
    } else if (*beta != 1) {
        x.alpha = 0;
        finish_product(&x, C, ldc); /* with alpha = 0 the product is not read */
    }
    return left_over(h);
}

/* In the same memory a row-major C is the column-major C^T = op(B)^T op(A)^T. */
extern "C" int ladder_sgemm_row_major(ladder_gemm_t h, cublasOperation_t transa,
                                      cublasOperation_t transb, int m, int n, int k,
                                      const float *alpha, const float *A, int lda, const float *B,
                                      int ldb, const float *beta, float *C, int ldc)
{
    static const int ours[] = {0, 1, 3, 2, 5, 4, 6, 7, 10, 11, 8, 9, 12, 13, 14};
    int status = ladder_sgemm(h, transb, transa, n, m, k, alpha, B, ldb, A, lda, beta, C, ldc);
    if (status > 0 && h)
        snprintf(h->message, sizeof h->message, "ladder_sgemm_row_major: argument %d is wrong",
                 ours[status]);
    return status > 0 ? ours[status] : status;
}

extern "C" struct ladder_done ladder_gemm_last(ladder_gemm_t h)
{
    return h->done;
}

extern "C" const char *ladder_gemm_message(ladder_gemm_t h)
{
    return h->message;
}

/* Plans that a smaller limit had shaped are forgotten. */
extern "C" void ladder_gemm_limit_workspace(ladder_gemm_t h, size_t bytes)
{
    size_t kept = 0;
    begin(h);
    h->limit = bytes, h->refused = 0;
    if (h->held > bytes)
        free_workspace(h);
    for (size_t i = 0; i < h->count; i++)
        if (!h->entries[i].limited)
            h->entries[kept++] = h->entries[i];
    h->count = kept;
}

extern "C" void ladder_gemm_measure(ladder_gemm_t h, int on)
{
    h->measures = on != 0;
}

extern "C" void ladder_gemm_verbose(ladder_gemm_t h, int on)
{
    h->verbose = on != 0;
}

extern "C" void ladder_gemm_smallest_leaf(ladder_gemm_t h, int edge)
{
    h->smallest_leaf = edge;
}

extern "C" int ladder_gemm_candidates(ladder_gemm_t h, int m, int n, int k,
                                      struct ladder_plan *plans, int most)
{
    struct plan all[MOST_CANDIDATES];
    int count = candidates(h, m, n, k, all);
    for (int i = 0; i < count && i < most; i++)
        plans[i] = told(all[i]);
    return count;
}

extern "C" int ladder_gemm_force(ladder_gemm_t h, const struct ladder_plan *plan)
{
    struct plan forced = {NULL, 0, 0};
    if (plan) {
        forced = plan_of(plan->variant, plan->levels, plan->parameter);
        if (!is_plan(forced))
            return 2;
    }
    h->is_forced = plan != NULL;
    h->forced = forced;
    return 0;
}
