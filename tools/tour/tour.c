/* SPDX-License-Identifier: MIT */
/** @file tour.c
 * Runs every step with --json and prints the ladder. ./ladder tour builds the steps and calls
 * it: tour BUILD OUT PLOT [N]
 *
 *   BUILD  the build folder; its steps.tsv names the steps and the size of each on the tour
 *   OUT    a folder that gets tour.jsonl, tour.txt and tour.svg
 *   PLOT   gnuplot's commands, tour.gp
 *   N      this size in every step
 *
 * The exit status is the worst of the steps'.
 */
#include "tour.h"

#include "common/device/host.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WRONG = 1, USAGE = 2, RESOURCE = 3, SKIPPED = 77, MAX_STEPS = 99, MAX_WORDS = 64 };

struct tour {
    char bin[4096];     /**< the folder of the programs */
    char scratch[4096]; /**< the folder for incomplete results, the current folder */
    char *size;         /**< --n for every step; NULL: each step's default */
    int count;          /**< steps in all */
    bool live;          /**< progress can be shown: a terminal that can clear a line */
    int columns;        /**< the terminal's width */
    bool own_policy;    /**< the user has set how threads wait */
    enum { UNKNOWN, ABSENT, PRESENT } gpu;
};

static volatile sig_atomic_t stopped_by; /* the signal that ended the tour */

static void stop(int number) { stopped_by = number; }

/* Results are kept even if the reader of our output goes away (./ladder tour | head). */
static void ignore(int number) { (void)number; }

/* ---- the scratch folder ---- */

/* Empties and removes the current folder. */
static void remove_scratch(const struct tour *tour)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlink(entry->d_name); /* fails for . and .., as it should */
    if (folder)
        closedir(folder);
    if (chdir("..") == 0)
        rmdir(tour->scratch);
}

static void finish(const struct tour *tour, int status)
{
    remove_scratch(tour);
    exit(status);
}

/* Results collect in a folder inside OUT and move up when they are complete. */
static bool enter_scratch(struct tour *tour, const char *out)
{
    snprintf(tour->scratch, sizeof tour->scratch, "%s/.tour.%ld", out, (long)getpid());
    if (mkdir(tour->scratch, 0777) != 0 || chdir(tour->scratch) != 0)
        return false;
    char *path = realpath(".", NULL); /* OUT may be relative to the old folder */
    snprintf(tour->scratch, sizeof tour->scratch, "%s", path ? path : ".");
    free(path);
    return true;
}

static void keep(const char *name)
{
    char place[64];
    snprintf(place, sizeof place, "../%s", name);
    rename(name, place);
}

static int count_lines(const char *name)
{
    FILE *file = fopen(name, "r");
    int lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

/* ---- running a program ---- */

/* Replaces the terminal's last line by this one, cut to its width. */
static void show(const struct tour *tour, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void show(const struct tour *tour, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\r\033[K%.*s", tour->columns - 1, text);
}

/* Starts a program without input; its output goes to the end of two files (NULL: nowhere). */
static pid_t start(char *const words[], const char *out, const char *err)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    int in = open("/dev/null", O_RDONLY);
    int to = open(out ? out : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0666);
    int errors = open(err ? err : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (in < 0 || to < 0 || errors < 0 || dup2(in, 0) < 0 || dup2(to, 1) < 0 ||
        dup2(errors, 2) < 0)
        _exit(RESOURCE);
    execvp(words[0], words);
    _exit(127);
}

/* Runs a program to its end and shows its progress after `label` on a terminal (NULL:
 * nothing). Returns its exit status, 128 + N if signal N ended it. A signal to us ends it. */
static int run(const struct tour *tour, const char *label, char *const words[], const char *out,
               const char *err)
{
    const struct timespec pause = {0, 20000000};
    time_t begun = time(NULL), shown = begun;
    int status, before = label ? count_lines(out) : 0;
    pid_t child = start(words, out, err), ended = 0;
    while (child > 0 && (ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (stopped_by) {
            kill(child, SIGTERM);
            if (stopped_by == SIGINT)
                fputc('\n', stderr);
            finish(tour, 128 + stopped_by);
        }
        if (label && tour->live && time(NULL) != shown) {
            shown = time(NULL);
            show(tour, "%s ... %d variants done, %ld s", label, count_lines(out) - before,
                 (long)(shown - begun));
        }
        nanosleep(&pause, NULL);
    }
    if (child < 0 || ended < 0)
        return RESOURCE;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- a step ---- */

/* A step, from its line of steps.tsv (which cmake/steps.cmake writes). */
struct step {
    char name[64];
    char options[256];           /**< on the tour */
    char simulated_options[256]; /**< the same on the simulated GPU */
};

static bool is_program(const char *path) { return access(path, X_OK) == 0; }

/* Finds the program of a step that can run here: the one for a GPU, or the simulated GPU's if
 * the first finds no GPU (status 3 on the smallest problem). The first answer is used for all
 * steps. Returns false if none was built. */
static bool find_program(struct tour *tour, const char *step, char *path, size_t size)
{
    char simulated[4096];
    tour_fit(path, size, "%s/%s", tour->bin, step);
    tour_fit(simulated, sizeof simulated, "%s.sim", path);
    if (is_program(path) && is_program(simulated) && tour->gpu == UNKNOWN) {
        char *words[] = {path, "--n", "1", "--quiet", NULL};
        tour->gpu = run(tour, NULL, words, NULL, NULL) == RESOURCE ? ABSENT : PRESENT;
    }
    if (is_program(simulated) && (!is_program(path) || tour->gpu == ABSENT))
        tour_fit(path, size, "%s", simulated);
    return is_program(path);
}

/* The sentence after the step's name at the beginning of --help, up to the empty line: it may
   be broken over several lines. */
static void find_idea(const struct tour *tour, struct row *row, char *program)
{
    char line[sizeof row->idea] = "", *words[] = {program, "--help", NULL};
    remove("now.help");
    run(tour, NULL, words, "now.help", NULL);
    FILE *help = fopen("now.help", "r");
    while (help && fgets(line, sizeof line, help) && line[0] != '\n') {
        size_t used = strlen(row->idea);
        const char *part = used ? line : strchr(line, ':');
        line[strcspn(line, "\n")] = '\0';
        if (part)
            snprintf(row->idea + used, sizeof row->idea - used, "%s%s", used ? " " : "",
                     part + strspn(part, ": "));
    }
    if (help)
        fclose(help);
}

/* Splits the step's options into words after `used` others, with the chosen size. */
static int split(const struct tour *tour, char *options, char *words[], int used)
{
    for (char *word = strtok(options, " "); word && used < MAX_WORDS - 2;
         word = strtok(NULL, " ")) {
        bool is_size = used > 0 && strcmp(words[used - 1], "--n") == 0;
        words[used++] = is_size && tour->size ? tour->size : word;
    }
    return used;
}

/* Runs one step of the tour, fills its row from its lines, the next ones of `json`, and returns
   its status. */
static int visit(struct tour *tour, const struct step *step, int position, FILE *json,
                 struct row *row)
{
    char path[4096], label[256], options[256], errors[512], *words[MAX_WORDS] = {path};
    int status = SKIPPED;
    time_t begun = time(NULL);
    memset(row, 0, sizeof *row);
    tour_fit(row->step, sizeof row->step, "%s", step->name);
    tour_fit(label, sizeof label, "[%d/%d] %s", position, tour->count, step->name);
    snprintf(errors, sizeof errors, "not built on this machine");
    bool there = find_program(tour, step->name, path, sizeof path);
    if (there) {
        const char *program = strrchr(path, '/') + 1;
        bool simulated = strcmp(program, step->name) != 0;
        snprintf(options, sizeof options, "%s",
                 simulated ? step->simulated_options : step->options);
        /* Simulated steps are not timed: threads that wait leave their cores to the others. */
        if (!tour->own_policy && simulated)
            setenv("OMP_WAIT_POLICY", "passive", 1);
        else if (!tour->own_policy)
            unsetenv("OMP_WAIT_POLICY");
        int used = split(tour, options, words, 1);
        words[used] = "--json";
        used = snprintf(label, sizeof label, "[%d/%d] %s", position, tour->count, program);
        if (words[1] && strcmp(words[1], "--n") == 0)
            snprintf(label + used, sizeof label - used, " (n = %s)", words[2]);
        find_idea(tour, row, path);
        if (tour->live)
            show(tour, "%s ...", label);
        else
            fprintf(stderr, "%s ... ", label);
        remove("now.err");
        status = run(tour, label, words, "tour.jsonl", "now.err");
        host_read(errors, sizeof errors, "", "now.err");
        errors[strcspn(errors, "\n")] = '\0';
    }
    clearerr(json); /* more may follow what was its end */
    tour_summarise(row, json, errors, status);
    if (tour->live)
        fputs("\r\033[K", stderr);
    if (tour->live || !there)
        fprintf(stderr, "%s ... ", label);
    fputs(row->verdict, stderr);
    if (there)
        fprintf(stderr, " (%ld s)", (long)(time(NULL) - begun));
    fputc('\n', stderr);
    return status;
}

/* ---- the tour ---- */

static int read_steps(const char *build, struct step *steps)
{
    char path[4096], line[2048];
    int count = 0;
    snprintf(path, sizeof path, "%s/steps.tsv", build);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "ladder: cannot read %s; ./ladder setup makes it\n", path);
        exit(RESOURCE);
    }
    while (count < MAX_STEPS && fgets(line, sizeof line, file)) {
        struct step *step = &steps[count++];
        sscanf(line, "%63[^\t]\t%*[^\t]\t%*[^\t]\t%255[^\t]\t%*[^\t]\t%255[^\t\n]", step->name,
               step->options, step->simulated_options);
        if (strcmp(step->options, "-") == 0) /* an empty field */
            step->options[0] = '\0';
        if (strcmp(step->simulated_options, "-") == 0)
            step->simulated_options[0] = '\0';
    }
    fclose(file);
    return count;
}

/* Runs gnuplot if it is installed and a step was timed; true if there is a picture. */
static bool draw(const struct tour *tour, const struct row *rows, char *plot)
{
    const char *device = NULL;
    for (int i = 0; i < tour->count && !device; i++)
        if (rows[i].gflops > 0)
            device = rows[i].device;
    if (!device || tour_write_plot_data(rows, tour->count) <= 0)
        return false;
    char *words[] = {"gnuplot", "-c", plot, (char *)device, NULL};
    run(tour, NULL, words, NULL, "gnuplot.log");
    struct stat made;
    return stat("tour.svg", &made) == 0 && made.st_size > 0;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_handler = ignore; /* not SIG_IGN, which the steps would inherit */
    sigaction(SIGPIPE, &action, NULL);
}

int main(int argc, char **argv)
{
    static struct step steps[MAX_STEPS];
    static struct row rows[MAX_STEPS];
    struct tour tour = {.size = argc == 5 ? argv[4] : NULL,
                        .own_policy = getenv("OMP_WAIT_POLICY")};
    int worst = 0;
    if (argc != 4 && argc != 5) {
        fputs("usage: tour BUILD OUT PLOT [N]; ./ladder tour calls it\n", stderr);
        return USAGE;
    }
    const char *build = argv[1], *out = argv[2];
    char *plot = argv[3];
    tour.count = read_steps(build, steps);
    tour.live = terminal_is_live(stderr);
    tour.columns = terminal_columns(stderr) > 0 ? terminal_columns(stderr) : 80;
    char *path = realpath(build, NULL);
    snprintf(tour.bin, sizeof tour.bin, "%s/bin", path ? path : build);
    free(path);
    setbuf(stderr, NULL);
    catch_signals();
    FILE *lines = enter_scratch(&tour, out) ? fopen("tour.jsonl", "w+") : NULL;
    if (!lines) {
        fprintf(stderr, "ladder: --out: cannot write results into the folder '%s'\n", out);
        return RESOURCE;
    }
    for (int i = 0; i < tour.count; i++) {
        int status = visit(&tour, &steps[i], i + 1, lines, &rows[i]);
        if (status > RESOURCE && status != SKIPPED)
            status = WRONG; /* it crashed */
        if (status != SKIPPED && status > worst)
            worst = status;
    }
    FILE *text = fopen("tour.txt", "w");
    if (text)
        tour_print(text, rows, tour.count, 0);
    bool written = text && fclose(lines) == 0 && fclose(text) == 0;
    fputc('\n', stderr);
    tour_print(stdout, rows, tour.count, terminal_columns(stdout));
    if (!written) {
        fprintf(stderr,
                "ladder: the results could not be written into '%s'; is the disk full?\n", out);
        finish(&tour, RESOURCE);
    }
    keep("tour.txt");
    keep("tour.jsonl");
    if (draw(&tour, rows, plot)) {
        keep("tour.svg");
        printf("Results: %s/tour.jsonl, tour.txt and tour.svg\n", out);
    } else {
        printf(
            "Results: %s/tour.jsonl and tour.txt (no plot: no gnuplot, or no times to draw)\n",
            out);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr,
                "ladder: standard output cannot be written; %s/tour.txt has the ladder\n", out);
        finish(&tour, RESOURCE);
    }
    finish(&tour, worst);
}
