/* SPDX-License-Identifier: MIT */
/** @file plans.c
 * The plans of a handle, and the file that keeps them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

/* The library's own methods, then those of later steps. NULL if there is no such method. */
const struct method *method_of(int method)
{
    if (method < METHODS)
        return method < 0 ? NULL : &ladder_methods[method];
    for (int i = METHODS; ladder_added[i - METHODS]; i++)
        if (i == method)
            return ladder_added[i - METHODS];
    return NULL;
}

static bool has_method(const struct ladder_gemm *h, const struct typed_methods *of, int method)
{
    if (method < METHODS)
        return method >= 0 && (!of || of->has[method]);
    return (!of || (of == &ladder_f64) == method_of(method)->wide) &&
           !method_of(method)->instead_of && h->added >> (method - METHODS) & 1;
}

int math_of(const struct ladder_gemm *h, const struct typed_methods *of)
{
    int mode = of == &ladder_f64 ? h->double_math : h->math;
    for (int i = METHODS; mode && method_of(i); i++)
        if (method_of(i)->math == mode && has_method(h, of, i))
            return mode;
    return 0;
}

/* A method of this mode; NULL without a mode, or if the library has none. */
static const struct method *method_for(const struct typed_methods *of, int math)
{
    for (int i = 0; math && ladder_added[i]; i++)
        if (ladder_added[i]->math == math && ladder_added[i]->wide == (of == &ladder_f64))
            return ladder_added[i];
    return NULL;
}

char letter_of(const struct typed_methods *of, int math)
{
    const struct method *method = method_for(of, math);
    return method ? method->letter : of == &ladder_f64 ? 'd' : 0;
}

bool excludes_cublas(const struct gemm_call *x)
{
    const struct method *method = method_for(x->of, x->math);
    return method && method->always;
}

static int method_named(const char *name)
{
    int i = 0;
    while (method_of(i) && strcmp(method_of(i)->name, name) != 0)
        i++;
    return method_of(i) ? i : -1;
}

struct method_plan plan_of(const char *name, int levels, long parameter)
{
    return (struct method_plan){method_named(name), levels, parameter};
}

struct method_plan plain_cublas(void) { return (struct method_plan){CUBLAS, 0, 0}; }

bool is_plan(const struct ladder_gemm *h, struct method_plan plan,
             const struct typed_methods *of)
{
    if (!has_method(h, of, plan.method))
        return false;
    const struct method *method = method_of(plan.method);
    return plan.levels >= method->least && plan.levels <= method->most &&
           (method->beside ? plan.parameter >= 0 : plan.parameter == 0);
}

struct ladder_plan public_plan(struct method_plan plan)
{
    struct ladder_plan out = {"", plan.levels, plan.parameter};
    strncpy(out.variant, method_of(plan.method)->name, sizeof out.variant - 1);
    return out;
}

/* Whether a method has a plan with this many levels for the call. A leaf's rows are columns of
   the caller's C, and must fit its grid: at most 65535 tiles of 128 rows. */
static bool is_candidate(const struct ladder_gemm *h, const struct gemm_call *x, int method,
                         int levels)
{
    enum { LEAF_ROWS = 128, MOST_DOWN = 65535 };
    const struct method *with = method_of(method);
    long longest = larger(larger(x->m, x->n), x->k),
         smallest = smaller(smaller(x->m, x->n), x->k);
    bool is_small = smallest >> levels < h->smallest_leaf && (levels || !excludes_cublas(x));
    return !is_small && has_method(h, x->of, method) && with->math == x->math &&
           levels >= with->least && levels <= with->most &&
           (levels == 0 || x->k >> levels >= with->least_terms) &&
           (!with->longest_edge || longest <= with->longest_edge) &&
           pieces_of(round_up(x->n, 4L << levels) >> levels, LEAF_ROWS) <= MOST_DOWN;
}

int candidates(const struct ladder_gemm *h, const struct gemm_call *x,
               struct method_plan *plans)
{
    int count = 0;
    plans[count++] = plain_cublas();
    for (int levels = 0; levels <= h->most_levels; levels++)
        for (int i = 1; method_of(i); i++) {
            bool beside = method_of(i)->beside;
            for (int blocks = 1; is_candidate(h, x, i, levels) && blocks <= (beside ? 3 : 1);
                 blocks++)
                if (count < MOST_CANDIDATES)
                    plans[count++] = (struct method_plan){
                        i, levels, beside ? (long)blocks * h->gpu.multiprocessors : 0};
        }
    return count;
}

bool is_key(const struct key *x, const struct key *y)
{
    return x->m == y->m && x->n == y->n && x->k == y->k && x->count == y->count &&
           memcmp(x->how, y->how, sizeof x->how) == 0;
}

struct plan_entry *find_entry(struct ladder_gemm *h, struct key key)
{
    for (size_t i = 0; i < h->found.count; i++) {
        struct plan_entry *x = &h->found.entries[i];
        if (is_key(&x->key, &key) && x->plan.levels <= h->most_levels &&
            h->most_levels <= x->most)
            return x;
    }
    return NULL;
}

/* The plan that was found for the same key under the same limit. */
static struct plan_entry *same_entry(const struct plan_list *list, const struct plan_entry *of)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_key(&list->entries[i].key, &of->key) && list->entries[i].most == of->most)
            return &list->entries[i];
    return NULL;
}

void forget_limited(struct ladder_gemm *h)
{
    struct plan_list *list = &h->found;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!list->entries[i].limited)
            list->entries[kept++] = list->entries[i];
    list->count = kept;
}

/* If the host has no memory, the plan is dropped and will be found again. */
void keep_entry(struct plan_list *list, struct plan_entry entry)
{
    struct plan_entry *known = same_entry(list, &entry);
    if (!known && list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        void *more = realloc(list->entries, capacity * sizeof *list->entries);
        if (!more)
            return;
        list->entries = more, list->capacity = capacity;
    }
    *(known ? known : &list->entries[list->count++]) = entry;
}

/* ---- The tuning file
 * ------------------------------------------------------------------------------ */

/* "ladder_gemm plans: GPU, cuBLAS version, ladder_gemm version", then a line for each plan: m n
   k how variant levels parameter, and the limit of levels if that was less than MOST_LEVELS.
   The letters of `how` are followed by the count of a batch. If a shape and limit occur twice,
   the last line wins. */
static const char file_says[] = "ladder_gemm plans: ";

/* The count of a batch, 2 or more. */
static bool read_count(const char *text, int *count)
{
    int end = 0;
    return sscanf(text, "%9d%n", count, &end) == 1 && !text[end] && *count > 1;
}

static bool read_plan(const struct ladder_gemm *h, const char *line, struct plan_entry *entry)
{
    char how[16], name[17];
    const struct method *mode = NULL;
    struct key *key = &entry->key;
    memset(entry, 0, sizeof *entry);
    entry->most = MOST_LEVELS;
    /* The line ends after the parameter, or after the limit of levels. */
    int end = 0, end_of_bound = 0;
    int fields =
        sscanf(line, "%d %d %d %15s %16s %d %ld %n%d %n", &key->m, &key->n, &key->k, how, name,
               &entry->plan.levels, &entry->plan.parameter, &end, &entry->most, &end_of_bound);
    size_t length = strcspn(how, "0123456789");
    key->count = 1;
    if (fields < 7 || line[fields == 7 ? end : end_of_bound] || length < 3 || length > 4 ||
        (how[length] && !read_count(how + length, &key->count)) || entry->most < 0 ||
        entry->most > MOST_LEVELS)
        return false;
    how[length] = 0;
    strcpy(key->how, how);
    for (int i = 0; how[3] && ladder_added[i]; i++)
        if (ladder_added[i]->letter == how[3])
            mode = ladder_added[i];
    bool wide = mode ? mode->wide : how[3] == 'd';
    entry->plan.method = method_named(name);
    return (mode || !how[3] || wide) && key->m > 0 && key->n > 0 && key->k > 0 &&
           strchr("ntNT", how[0]) && strchr("ntNT", how[1]) && strchr("psPS", how[2]) &&
           entry->plan.levels <= entry->most &&
           is_plan(h, entry->plan, wide ? &ladder_f64 : &ladder_f32) &&
           (entry->plan.method == CUBLAS ||
            method_of(entry->plan.method)->math == (mode ? mode->math : 0));
}

/* Stops reading and writing the file. */
static void drop_file(struct ladder_gemm *h)
{
    free(h->file);
    h->file = NULL;
}

/* Whether the file's first line says that its plans are for this GPU. If not, prints so. */
static bool is_ours(struct ladder_gemm *h, const char *line)
{
    const char *whose = line + sizeof file_says - 1;
    bool others = strncmp(line, file_says, sizeof file_says - 1) == 0;
    if (others && strcmp(whose, h->gpu_name) == 0)
        return true;
    snprintf(h->message, sizeof h->message, "%.160s: %s%.300s; it is not used", h->file,
             others ? "its plans are for " : "not a tuning file", others ? whose : "");
    tell(h, true);
    return false;
}

/* Reads the file's plans into the handle. A plan that this handle has found is newer, and
   stays. Returns false if there is no file, or if it belongs to another GPU. */
static bool merge_file(struct ladder_gemm *h, bool aloud)
{
    char line[512];
    bool ours = true;
    FILE *in = fopen(h->file, "r");
    size_t own = h->found.count;
    for (int number = 1; in && ours && fgets(line, sizeof line, in); number++) {
        line[strcspn(line, "\n")] = 0;
        struct plan_entry entry, *known;
        if (number == 1) {
            ours = is_ours(h, line);
        } else if (read_plan(h, line, &entry)) {
            known = same_entry(&h->found, &entry);
            if (!known || known >= h->found.entries + own)
                keep_entry(&h->found, entry);
        } else if (*line && aloud) {
            snprintf(h->message, sizeof h->message, "%.300s:%d: not a plan: '%.80s'", h->file,
                     number, line);
            tell(h, true);
        }
    }
    if (in)
        fclose(in);
    return ours;
}

/* The list holds plans of several GPUs, each after a first line like a tuning file's. Plans of
   any cuBLAS version are read, since they are used only to guess. */
void read_shipped_plans(struct ladder_gemm *h)
{
    struct plan_entry entry;
    size_t gpu = strcspn(h->gpu_name, ",");
    bool ours = false;
    for (int i = 0; ladder_shipped_plans[i]; i++) {
        const char *line = ladder_shipped_plans[i];
        const char *whose = line + sizeof file_says - 1;
        if (strncmp(line, file_says, sizeof file_says - 1) == 0)
            ours = strcspn(whose, ",") == gpu && strncmp(whose, h->gpu_name, gpu) == 0;
        else if (ours && read_plan(h, line, &entry))
            keep_entry(&h->shipped, entry);
    }
}

static char *file_behind(const char *name)
{
    struct stat there;
    if (lstat(name, &there) != 0 || !S_ISLNK(there.st_mode))
        return strdup(name);
    int made = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644); /* a link to no file yet */
    if (made >= 0)
        close(made);
    char *file = realpath(name, NULL);
    return file ? file : strdup(name);
}

void read_plans(struct ladder_gemm *h, const char *name)
{
    h->file = file_behind(name);
    if (h->file && !merge_file(h, true))
        drop_file(h);
}

static bool print_plans(const struct ladder_gemm *h, FILE *out)
{
    fprintf(out, "%s%s\n", file_says, h->gpu_name);
    for (size_t i = 0; i < h->found.count; i++) {
        const struct plan_entry *x = &h->found.entries[i];
        if (x->limited)
            continue;
        fprintf(out, "%d %d %d %s", x->key.m, x->key.n, x->key.k, x->key.how);
        if (x->key.count > 1)
            fprintf(out, "%d", x->key.count);
        fprintf(out, " %s %d %ld", method_of(x->plan.method)->name, x->plan.levels,
                x->plan.parameter);
        if (x->most < MOST_LEVELS)
            fprintf(out, " %d", x->most);
        fprintf(out, "\n");
    }
    return fflush(out) == 0 && fsync(fileno(out)) == 0;
}

/* Writes a new file in the same folder, then renames it, so that readers never see half a file.
 */
static bool replace_file(const struct ladder_gemm *h)
{
    char name[4096];
    int length = snprintf(name, sizeof name, "%s.XXXXXX", h->file);
    int made = length < (int)sizeof name ? mkstemp(name) : -1;
    FILE *out = made >= 0 ? fdopen(made, "w") : NULL;
    bool right = out && print_plans(h, out) && fchmod(made, 0644) == 0;
    if (out)
        right = fclose(out) == 0 && right;
    else if (made >= 0)
        close(made);
    struct stat there; /* replace only files, not /dev/null */
    right = right && (stat(h->file, &there) != 0 || S_ISREG(there.st_mode)) &&
            rename(name, h->file) == 0;
    if (made >= 0 && !right)
        unlink(name);
    return right;
}

void write_plan(struct ladder_gemm *h, const struct plan_entry *entry)
{
    char lock_name[4096];
    if (!h->file)
        return;
    snprintf(lock_name, sizeof lock_name, "%s.lock", h->file);
    int lock = open(lock_name, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    bool locked = lock >= 0 && flock(lock, LOCK_EX) == 0;
    keep_entry(&h->found, *entry);
    bool ours = !locked || merge_file(h, false); /* what others have written since */
    if (locked && ours && !replace_file(h))
        locked = false;
    if (lock >= 0)
        close(lock); /* and unlocks */
    if (!locked) {
        snprintf(h->message, sizeof h->message,
                 "%.300s: cannot be written; plans are kept in memory", h->file);
        tell(h, true);
    }
    if (!locked || !ours)
        drop_file(h);
}
