/* SPDX-License-Identifier: MIT */
/** @file bench.c
 * Measures what this machine can do, for ./ladder bench:
 *
 * - `bench [--source SOURCE] [--build BUILD] [--out FOLDER] [--revision NAME]` builds every
 *   step's programs in BUILD/bin and times them at three sizes, into FOLDER/MACHINE.jsonl
 *   (SOURCE/results/bench). Results of this revision (git's name of SOURCE) that are there
 *   already are kept.
 * - `bench --compare A B` shows two results files, or revisions of one, side by side.
 * - `bench --index FOLDER` says what is measured where.
 *
 * Exit status: 0, 1 where a result was wrong, 2 bad usage, 3 where nothing can be measured or
 * written.
 */
#include "bench.h"
#include "common/device/host.h"
#include "common/measure/json.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 512, WORDS = 32 };
/* two sets of five that do not overlap are no chance: 1 in 126 */
static const char repetitions[] = "5";

/** One call of one program. */
struct item {
    char program[96];
    char command[512]; /**< the program and its options */
    double n;
    double seconds; /**< that it took; NAN: not yet */
    bool kept;      /**< measured by an earlier call */
};

static struct item items[MOST];
static int count;
static volatile sig_atomic_t stopped;

static void stop(int number) { stopped = number; }

/* ---- other programs ---- */

/* Reads what a program prints until its end; a stop is passed on to the program. */
static void collect(int from, pid_t child, char **text, size_t *length)
{
    FILE *collected = open_memstream(text, length);
    char part[4096];
    for (ssize_t got; collected && (got = read(from, part, sizeof part)) != 0;) {
        if (got > 0)
            fwrite(part, 1, (size_t)got, collected);
        else if (errno == EINTR && stopped && child > 0)
            kill(child, SIGTERM);
        else if (errno != EINTR)
            break;
    }
    if (collected)
        fclose(collected);
}

/* Runs a program. With `text`, which the caller frees, its output goes there and its messages
 * are dropped. Returns its exit status, 128 + N where signal N ended it. */
static int call(const char *const words[], char **text, size_t *length)
{
    int ends[2], status = 0;
    if (text && pipe(ends) != 0)
        return BENCH_RESOURCE;
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 0);
        if (text) {
            dup2(ends[1], 1), dup2(nothing, 2);
            close(ends[0]), close(ends[1]);
        }
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    if (text) {
        close(ends[1]);
        collect(ends[0], child, text, length);
        close(ends[0]);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (stopped)
            kill(child, SIGTERM);
    return child < 0             ? BENCH_RESOURCE
           : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                 : WEXITSTATUS(status);
}

/* ---- the measurements ---- */

static bool runs_here(const char *bin, const char *program)
{
    char path[4096 + 128], *text = NULL;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", bin, program);
    if (access(path, X_OK) != 0)
        return false;
    int status = call((const char *[]){path, "--n", "1", "--quiet", NULL}, &text, &length);
    free(text);
    return status != BENCH_RESOURCE; /* there is no GPU here */
}

/* The tour's options without --n, --reps and --warmup, which we set; `n` gets the value of --n.
 */
static void other_options(char *options, char *kept, size_t size, long *n)
{
    kept[0] = '\0';
    for (char *word = strtok(options, " "); word; word = strtok(NULL, " ")) {
        bool ours = strcmp(word, "--n") == 0 || strcmp(word, "--reps") == 0 ||
                    strcmp(word, "--warmup") == 0;
        char *value = strtok(NULL, " ");
        if (strcmp(word, "--n") == 0 && value)
            *n = atol(value);
        if (!ours)
            snprintf(kept + strlen(kept), size - strlen(kept), " %s%s%s", word,
                     value ? " " : "", value ? value : "");
    }
}

/* Half the tour's size, the same and twice it, in each precision that has a program here. */
static void add_step(const char *bin, char *line)
{
    char *field[4] = {strtok(line, "\t\n"), strtok(NULL, "\t\n"), strtok(NULL, "\t\n"),
                      strtok(NULL, "\t\n")};
    char options[256], kept[256], precisions[64];
    long n = 1024;
    if (!field[3])
        return;
    snprintf(options, sizeof options, "%s", field[3]);
    snprintf(precisions, sizeof precisions, "%s", field[2]);
    other_options(options, kept, sizeof kept, &n);
    bool first = true;
    char *rest = NULL;
    for (char *precision = strtok_r(precisions, " ", &rest); precision;
         precision = strtok_r(NULL, " ", &rest), first = false) {
        char program[96];
        snprintf(program, sizeof program, "%s%s%s", field[0], first ? "" : ".",
                 first ? "" : precision);
        if (strcmp(precision, "i32") == 0 || !runs_here(bin, program))
            continue;
        for (long size = n / 2; size <= 2 * n && count < MOST; size *= 2) {
            struct item *item = &items[count++];
            snprintf(item->program, sizeof item->program, "%s", program);
            snprintf(item->command, sizeof item->command, "%s --n %ld%s --reps %s --json",
                     program, size, kept, repetitions);
            item->n = (double)size;
            item->seconds = NAN;
        }
    }
}

static bool read_steps(const char *build)
{
    char path[4096], bin[4096], line[2048];
    snprintf(path, sizeof path, "%s/steps.tsv", build);
    snprintf(bin, sizeof bin, "%s/bin", build);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "ladder: cannot read %s; ./ladder setup makes it\n", path);
        return false;
    }
    while (fgets(line, sizeof line, file))
        add_step(bin, line);
    fclose(file);
    return true;
}

/* ---- the machine and its file ---- */

/* "AMD EPYC, NVIDIA H100" as amd-epyc-nvidia-h100. */
static void machine_name(char *name, size_t size)
{
    char words[512] = "", gpu[256] = "";
    FILE *smi = popen("nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null", "r");
    if (smi && !fgets(gpu, sizeof gpu, smi))
        gpu[0] = '\0';
    bool there = smi && pclose(smi) == 0;
    snprintf(words, sizeof words, "%s %s", host_processor(), there ? gpu : "");
    size_t used = 0;
    for (const char *c = words; *c && used + 1 < size; c++) {
        if (isalnum((unsigned char)*c))
            name[used++] = (char)tolower((unsigned char)*c);
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

/* Marks what the file has of this revision as measured. The seconds that are kept there
 * estimate how long the rest will take. */
static void read_kept(const char *path, const char *revision)
{
    char *line = NULL, command[512], made_by[64];
    size_t size = 0;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &size, file) > 0) {
        const char *conditions = json_find(line, "conditions");
        if (!conditions || !json_get_text(conditions, "call", command, sizeof command))
            continue;
        json_get_text(conditions, "revision", made_by, sizeof made_by);
        for (int i = 0; i < count; i++)
            if (strcmp(items[i].command, command) == 0) {
                items[i].seconds = json_get_number(conditions, "seconds");
                items[i].kept = items[i].kept || strcmp(made_by, revision) == 0;
            }
    }
    free(line);
    if (file)
        fclose(file);
}

/* ---- progress ---- */

/* Seconds that an item takes: as before, or as the same program at another size, by n^3. */
static double expected(const struct item *item)
{
    double total = 0;
    int known = 0;
    if (!isnan(item->seconds))
        return item->seconds;
    for (const struct item *other = items; other < items + count; other++) {
        if (isnan(other->seconds))
            continue;
        if (strcmp(other->program, item->program) == 0)
            return other->seconds * pow(item->n / other->n, 3);
        total += other->seconds, known++;
    }
    return known ? total / known : NAN;
}

static void duration(double seconds, char *text, size_t size)
{
    if (isnan(seconds))
        snprintf(text, size, "unknown");
    else if (seconds < 100)
        snprintf(text, size, "%.0f s", seconds);
    else
        snprintf(text, size, "%.0f min", seconds / 60);
}

static double left(int from)
{
    double total = 0;
    for (int i = from; i < count; i++)
        if (!items[i].kept)
            total += expected(&items[i]);
    return total;
}

/* ---- one measurement ---- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Runs an item and collects what it prints; its exit status. */
static int run(const char *bin, const struct item *item, char **text, size_t *length)
{
    char path[4096 + 128], command[sizeof item->command];
    const char *words[WORDS];
    int used = 0;
    snprintf(command, sizeof command, "%s", item->command);
    for (char *word = strtok(command, " "); word && used < WORDS - 1; word = strtok(NULL, " "))
        words[used++] = word;
    words[used] = NULL;
    snprintf(path, sizeof path, "%s/%s", bin, words[0]);
    words[0] = path;
    return call(words, text, length);
}

/* Appends a measurement in one piece. */
static bool keep(const char *path, const struct item *item, const char *revision,
                 const char *text)
{
    char date[16], device[128] = "";
    time_t today = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&today));
    json_get_text(text, "device", device, sizeof device);
    FILE *file = fopen(path, "a");
    if (!file)
        return false;
    fprintf(
        file,
        "{\"conditions\":{\"device\":\"%s\",\"driver\":null,\"toolkit\":null,\"date\":\"%s\","
        "\"command\":[\"%s\"],\"call\":\"%s\",\"revision\":\"%s\",\"seconds\":%.3f}}\n%s",
        device, date, item->command, item->command, revision, item->seconds, text);
    return fclose(file) == 0;
}

static int measure(const char *build, const char *folder, const char *revision)
{
    char machine[160], path[4096 + 200], bin[4096], time_left[32];
    int worst = 0, kept = 0;
    bool live = isatty(STDERR_FILENO);
    if (!read_steps(build))
        return BENCH_RESOURCE;
    machine_name(machine, sizeof machine);
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, machine);
    snprintf(bin, sizeof bin, "%s/bin", build);
    read_kept(path, revision);
    for (int i = 0; i < count; i++)
        kept += items[i].kept;
    if (count == 0) {
        fputs("ladder: nothing here can be timed: no step's program was built\n", stderr);
        return BENCH_RESOURCE;
    }
    fprintf(stderr,
            "%d measurements on this machine; %d of them are there already for revision %s\n",
            count, kept, revision);
    for (int i = 0; i < count; i++) {
        struct item *item = &items[i];
        if (item->kept)
            continue;
        char *text = NULL;
        size_t length = 0;
        duration(left(i), time_left, sizeof time_left);
        fprintf(stderr, "[%d/%d] %s ... (left: %s)%s", i + 1, count, item->command, time_left,
                live ? "" : "\n");
        double began = now();
        int status = run(bin, item, &text, &length);
        item->seconds = now() - began;
        if (stopped) {
            free(text);
            fprintf(stderr, "\nStopped. The same command goes on here: %s\n", path);
            return 128 + stopped;
        }
        if (live)
            fputs("\r\033[K", stderr);
        if (status == BENCH_RESOURCE) {
            fprintf(stderr, "[%d/%d] %s: too large for this machine\n", i + 1, count,
                    item->command);
        } else if (status != 0) {
            fprintf(stderr, "[%d/%d] %s: WRONG (exit status %d); not kept\n", i + 1, count,
                    item->command, status);
            worst = BENCH_WRONG;
        } else if (!keep(path, item, revision, text)) {
            fprintf(stderr, "ladder: cannot write %s: %s\n", path, strerror(errno));
            free(text);
            return BENCH_RESOURCE;
        } else {
            fprintf(stderr, "[%d/%d] %s (%.1f s)\n", i + 1, count, item->command,
                    item->seconds);
        }
        free(text);
    }
    printf("Results: %s\n", path);
    return worst;
}

/* Builds the programs that are timed; the exit status. */
static int build_programs(const char *source, const char *build)
{
    char tool[4096];
    snprintf(tool, sizeof tool, "%s/tools/build", source);
    return call((const char *[]){tool, build, "timed-programs", NULL}, NULL, NULL);
}

/* What git calls the sources, such as 1a2b3c4-dirty. */
static void name_revision(const char *source, char *name, size_t size)
{
    char *text = NULL;
    size_t length;
    int status =
        call((const char *[]){"git", "-C", source, "describe", "--always", "--dirty", NULL},
             &text, &length);
    snprintf(name, size, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
    if (status != 0 || !*name)
        snprintf(name, size, "unknown");
    free(text);
}

static bool can_write(const char *folder)
{
    char *text = NULL;
    size_t length;
    call((const char *[]){"mkdir", "-p", "--", folder, NULL}, &text, &length);
    free(text);
    if (access(folder, W_OK | X_OK) == 0)
        return true;
    fprintf(stderr, "ladder: --out: cannot write results into the folder '%s'\n", folder);
    return false;
}

static int usage(const char *what, const char *word)
{
    fprintf(stderr, "ladder: ");
    fprintf(stderr, what, word);
    fputs("; see ./ladder --help\n", stderr);
    return BENCH_USAGE;
}

int main(int argc, char **argv)
{
    static const struct option table[] = {{"source", required_argument, NULL, 's'},
                                          {"build", required_argument, NULL, 'b'},
                                          {"out", required_argument, NULL, 'o'},
                                          {"revision", required_argument, NULL, 'r'},
                                          {"compare", no_argument, NULL, 'c'},
                                          {"index", required_argument, NULL, 'i'},
                                          {0}};
    struct sigaction action = {.sa_handler = stop}; /* a call that waits ends with EINTR */
    const char *source = ".", *build = "build", *out = NULL, *indexed = NULL, *name = "";
    const char **values[] = {
        ['s'] = &source, ['b'] = &build, ['o'] = &out, ['r'] = &name, ['i'] = &indexed};
    char folder[4096], revision[128];
    bool compare = false;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    opterr = 0;
    for (int option; (option = getopt_long(argc, argv, ":", table, NULL)) != -1;)
        if (option == ':')
            return usage("bench: %s wants a value", argv[optind - 1]);
        else if (option == '?')
            return usage("bench: no option '%s'", argv[optind - 1]);
        else if (option == 'c')
            compare = true;
        else
            *values[option] = optarg;
    if (compare && argc - optind != 2)
        return usage("bench --compare wants two results: %s",
                     "files, folders or FILE@REVISION");
    if (compare)
        return bench_compare(argv[optind], argv[optind + 1]);
    if (argc > optind)
        return usage("bench: '%s' is not understood", argv[optind]);
    if (indexed)
        return bench_index(indexed);
    if (!out)
        snprintf(folder, sizeof folder, "%s/results/bench", source);
    if (!can_write(out ? out : folder)) /* before anything is built */
        return BENCH_RESOURCE;
    int status = build_programs(source, build);
    if (status != 0)
        return stopped ? 128 + stopped : status;
    snprintf(revision, sizeof revision, "%s", name);
    if (!*revision)
        name_revision(source, revision, sizeof revision);
    return measure(build, out ? out : folder, revision);
}
