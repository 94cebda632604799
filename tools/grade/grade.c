/* SPDX-License-Identifier: MIT */
/** @file grade.c
 * Grades products in double. It decides which kind of multiplication a program does, and
 * whether its error is as small as that of the triple loop, element by element. ./ladder grade
 * builds the programs and calls it:
 *
 *     grade [--json] [cpu|gpu]           the programs of the table below
 *     grade [--json] PROGRAM OPTIONS...  one of the folder of this program, such as
 *                                        04-cpu-strassen --variant two --levels 1
 *
 * It only sees products: the program reads A and B from files, and writes C. The questions
 * follow Demmel, Li, Langou, Pereira, Gates and Rubio Gonzalez (2024); NVIDIA's gemm_grading
 * describes tests for the same three kinds. The matrices here are our own.
 *
 * All errors are divided by 2^-53 (|A| |B|)(i, j). The triple loop's are then at most n.
 *
 *   uniform   numbers from [-1, 1): the largest error, and how it grows with n
 *   lines     some rows of A and columns of B are 2^40 times as large as the others. The triple
 *             loop uses one row and one column for an element. Strassen's method adds
 *             different rows before it multiplies, so small rows lose their last bits
 *   terms     the columns of A are multiplied by powers of two, and the rows of B by the
 *             inverses, so products of large and small numbers decide. Fixed-point numbers lose
 *             the small ones
 *   outlier   one large number in A. If its error reaches most other rows, then all rows had to
 *             share one fixed point; Strassen's method takes it to a few rows
 */
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/matrix/matrix.h"
#include "common/matrix/npy.h"
#include "common/matrix/random.h"
#include "common/measure/json.h"
#include "common/step.h"

enum { SIZES = 4, FIRST_SIZE = 32, LARGEST = FIRST_SIZE << (SIZES - 1), WORDS = 40 };

enum test { UNIFORM, LINES, TERMS, OUTLIER, TESTS };

/* A way to multiply: a program with options, and what was found. */
struct column {
    const char *name, *where, *command;
    char device[128], backend[16];
    double error[TESTS][SIZES]; /* the largest; -1: not asked */
    double reached;             /* of the elements of an outlier, as a part of 1 */
    bool is_there;
};

static struct column table[] = {
    {"01-ikj", "cpu", "01-cpu-naive.f64 --variant ikj"},
    {"02-packed", "cpu", "02-cpu-blocked.f64 --variant packed"},
    {"03-accumulate", "cpu", "03-cpu-divide-conquer.f64 --variant accumulate --tau1 16"},
    {"04-seven", "cpu", "04-cpu-strassen.f64 --variant seven --levels 2"},
    {"05-figure3", "cpu", "05-cpu-winograd.f64 --variant figure3 --levels 2"},
    {"OpenBLAS", "cpu", "04-cpu-strassen.f64 --variant seven --levels 0 --leaf openblas"},
    {"23-exact", "cpu", "23-exact.sim --no-count --variant residues-plain --levels 1"},
    {"23-safe", "cpu", "23-exact.sim --no-count --variant residues-plain --levels 1 --safe"},
    {"cublasDgemm", "gpu", "18-modern.f64 --variant one-pass --levels 0"},
    {"18-one-level", "gpu", "18-modern.f64 --variant one-pass --levels 1"},
    {"23-fewer", "gpu", "23-exact --variant fewer"},
    {"23-exact", "gpu", "23-exact --variant exact"},
    {"23-two-levels", "gpu", "23-exact --variant residues --levels 2"},
    {"23-more", "gpu", "23-exact --variant more"},
    {"23-safe", "gpu", "23-exact --variant safe"},
};

/* ---- A product by another program ---- */

static char bin[PATH_MAX], folder[PATH_MAX]; /* of the programs; of the matrices */

static const char *path_of(const char *file)
{
    static char path[2][PATH_MAX + 32];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, file);
    return path[next];
}

static void clean_up(void)
{
    static const char *const files[] = {"A.npy", "B.npy", "C.npy", "line", "errors"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(path_of(files[i]));
    rmdir(folder);
}

static void stop_without(const char *what)
{
    fprintf(stderr, "grade: %s\n", what);
    exit(EXIT_RESOURCE);
}

/* Runs words[0] with its output in two files; returns its exit status. */
static int run(char *const words[])
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        int out = open(path_of("line"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        int errors = open(path_of("errors"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (dup2(out, 1) >= 0 && dup2(errors, 2) >= 0)
            execv(words[0], words);
        _exit(EXIT_RESOURCE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return EXIT_RESOURCE;
    return WEXITSTATUS(status);
}

static void read_line(const char *file, char *line, int size)
{
    FILE *from = fopen(path_of(file), "r");
    if (!from || !fgets(line, size, from))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (from)
        fclose(from);
}

/* Reads C of the matrices in the files. Returns false, and says why, if the program makes none.
   A program that is not built is one of those that this computer lacks. */
static bool multiply(struct column *of, struct matrix *c)
{
    char command[1024], program[PATH_MAX + 64], input[2 * PATH_MAX + 64], output[PATH_MAX + 64],
        line[4096], *words[WORDS];
    int count = 0;
    snprintf(command, sizeof command, "%s", of->command);
    for (char *word = strtok(command, " "); word && count < WORDS - 10;
         word = strtok(NULL, " "))
        words[count++] = word;
    snprintf(program, sizeof program, "%s/%s", bin, words[0]);
    snprintf(input, sizeof input, "file:%s/A.npy,%s/B.npy", folder, folder);
    snprintf(output, sizeof output, "file:%s/C.npy", folder);
    char *const more[] = {"--precision", "f64",      "--reps", "0",      "--input",
                          input,         "--output", output,   "--json", NULL};
    words[0] = program;
    memcpy(words + count, more, sizeof more);
    unlink(path_of("C.npy"));
    if (access(program, X_OK) != 0) {
        fprintf(stderr, "%s is not built here\n", program);
        return false;
    }
    int status = run(words);
    if (status != EXIT_RIGHT || !npy_read(path_of("C.npy"), c, line, sizeof line)) {
        char reason[1024];
        read_line(status == EXIT_WRONG ? "line" : "errors", line, sizeof line);
        if (json_get_text(line, "reason", reason, sizeof reason))
            snprintf(line, sizeof line, "%s", reason);
        fprintf(stderr, "%s: no product (status %d): %s\n", of->command, status, line);
        return false;
    }
    read_line("line", line, sizeof line);
    json_get_text(line, "device", of->device, sizeof of->device);
    json_get_text(line, "backend", of->backend, sizeof of->backend);
    return true;
}

/* ---- The questions ---- */

static double uniform(long number)
{
    return random_uniform(random_bits((uint64_t)(number + 1) * RANDOM_STEP));
}

/* One of `count` numbers, from 0; different for each i and kind of line. */
static int choice(long i, int kind, int count)
{
    return (int)(random_bits((uint64_t)(2 * i + kind + 1000003) * RANDOM_STEP) % count);
}

/* The scale of term l in a row or column with this span: 2^-span to 2^span. */
static double of_term(long l, long line, int kind)
{
    static const int spans[] = {4, 12, 40, 200};
    int span = spans[choice(line, kind, 4)];
    return ldexp(1, (kind ? -1 : 1) * (choice(l, 2, 2 * span + 1) - span));
}

static void fill(enum test test, struct matrix *a, struct matrix *b)
{
    long n = a->rows;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double x = uniform(i * n + j), y = uniform((n + i) * n + j);
            if (test == LINES)
                x *= ldexp(1, 40 * choice(i, 0, 2)), y *= ldexp(1, 40 * choice(j, 1, 2));
            if (test == TERMS)
                x *= of_term(j, i, 0), y *= of_term(i, j, 1);
            if (test == OUTLIER && i == 0 && j == 0)
                x = 0x1p60;
            matrix_set(a, i, j, x), matrix_set(b, i, j, y);
        }
}

/* An element in long double, and the sum of its terms' magnitudes. */
struct element {
    long double value, size;
};

static struct element *exact_product(const struct matrix *a, const struct matrix *b)
{
    long n = a->rows;
    struct element *c = calloc((size_t)(n * n), sizeof *c);
    for (long i = 0; c && i < n; i++)
        for (long l = 0; l < n; l++) {
            long double x = matrix_get(a, i, l);
            const double *row = (const double *)b->host + l * b->ld;
            for (long j = 0; j < n; j++) {
                long double term = x * row[j];
                c[i * n + j].value += term, c[i * n + j].size += fabsl(term);
            }
        }
    return c;
}

/* Sets a column's answer: the largest error, and how many elements have more than n. An
 * outlier's own row may have a large error. */
static void judge(struct column *of, enum test test, int size, const struct matrix *c,
                  const struct element *exact)
{
    long n = c->rows, beyond = 0;
    double most = 0;
    for (long i = test == OUTLIER; i < n; i++)
        for (long j = 0; j < n; j++) {
            const struct element *e = &exact[i * n + j];
            double error = (double)(fabsl(matrix_get(c, i, j) - e->value) / e->size * 0x1p53L);
            error = isnan(error) ? INFINITY : error;
            most = fmax(most, error), beyond += error > n;
        }
    of->error[test][size] = most;
    of->reached = (double)beyond / (double)(n * n);
}

/* A question is asked at every size if it is UNIFORM, otherwise at every second one. */
static bool is_asked(const struct column *of, enum test test, int size)
{
    if (!of->is_there || (test != UNIFORM && size % 2 == 0))
        return false;
    return test != OUTLIER || of->error[LINES][size] > FIRST_SIZE << size;
}

static void ask(enum test test, int size, struct column *columns, int count)
{
    struct matrix a, b, c;
    long n = FIRST_SIZE << size;
    char why[256];
    if (!matrix_create(&a, PRECISION_F64, n, n, n) ||
        !matrix_create(&b, PRECISION_F64, n, n, n) ||
        !matrix_create(&c, PRECISION_F64, n, n, n))
        stop_without("no memory");
    fill(test, &a, &b);
    if (!npy_write(path_of("A.npy"), &a, why, sizeof why) ||
        !npy_write(path_of("B.npy"), &b, why, sizeof why))
        stop_without(why);
    struct element *exact = exact_product(&a, &b);
    if (!exact)
        stop_without("no memory");
    for (int i = 0; i < count; i++)
        if (is_asked(&columns[i], test, size)) {
            columns[i].is_there = multiply(&columns[i], &c);
            if (columns[i].is_there)
                judge(&columns[i], test, size, &c, exact);
        }
    free(exact);
    matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c);
}

/* ---- The answers ---- */

/* The largest error of a test, relative to n. */
static double worst(const struct column *c, enum test test)
{
    double most = 0;
    for (int s = 0; s < SIZES; s++)
        most = fmax(most, c->error[test][s] / (FIRST_SIZE << s));
    return most;
}

static const char *kind_of(const struct column *c)
{
    if (worst(c, UNIFORM) > 1)
        return "fewer bits than a double";
    if (worst(c, LINES) > 1)
        return c->reached > 0.5 ? "fixed-point, shared" : "Strassen-like";
    return worst(c, TERMS) > 1 ? "fixed-point" : "conventional";
}

/* The slope of log(error) over log(n): at most 1 if the error grows at most like n. */
static double growth(const struct column *c)
{
    double x = 0, y = 0, xy = 0, xx = 0;
    for (int s = 0; s < SIZES; s++) {
        double error = log2(c->error[UNIFORM][s]);
        x += s, y += error, xy += s * error, xx += s * s;
    }
    return (SIZES * xy - x * y) / (SIZES * xx - x * x);
}

static bool is_safe(const struct column *c)
{
    return strcmp(kind_of(c), "conventional") == 0 && growth(c) <= 1;
}

static void print_line(const struct column *c, bool as_json)
{
    if (!as_json) {
        printf("%-16s%-26s%9.1f%8.2f%10.2g%10.2g  %s\n", c->name, kind_of(c),
               c->error[UNIFORM][SIZES - 1], growth(c), worst(c, LINES), worst(c, TERMS),
               is_safe(c) ? "A, safe" : "unsafe");
        return;
    }
    struct json json = json_begin(stdout), *j = &json;
    json_text(j, "step", "grade"), json_text(j, "variant", c->name);
    json_text(j, "program", c->command), json_text(j, "backend", c->backend);
    json_text(j, "device", c->device), json_text(j, "kind", kind_of(c));
    json_whole(j, "n", LARGEST), json_number(j, "error", c->error[UNIFORM][SIZES - 1]);
    json_number(j, "growth", growth(c)), json_number(j, "lines", worst(c, LINES));
    json_number(j, "terms", worst(c, TERMS)), json_bool(j, "safe", is_safe(c));
    json_end(j);
}

static void grade(struct column *columns, int count, bool as_json)
{
    static const struct {
        enum test test;
        int size;
    } questions[] = {{UNIFORM, 0}, {UNIFORM, 1}, {LINES, 1}, {TERMS, 1}, {OUTLIER, 1},
                     {UNIFORM, 2}, {UNIFORM, 3}, {LINES, 3}, {TERMS, 3}, {OUTLIER, 3}};
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
        ask(questions[q].test, questions[q].size, columns, count);
    if (!as_json)
        printf("%-16s%-26s%9s%8s%10s%10s  grade\n", "", "kind", "error", "growth", "lines",
               "terms");
    for (int i = 0; i < count; i++)
        if (columns[i].is_there)
            print_line(&columns[i], as_json);
    if (!as_json)
        printf(
            "error: the largest at n = %d, in 2^-53 (|A| |B|)(i, j), and its growth, a power "
            "of n;\nlines, terms: the largest with scaled lines and terms, divided by n; A: "
            "all at most n, growth at most 1\n",
            LARGEST);
}

int main(int argc, char **argv)
{
    struct column columns[sizeof table / sizeof *table];
    char command[1024] = "";
    int count = 0, first = 1;
    bool as_json = argc > 1 && strcmp(argv[1], "--json") == 0;
    first += as_json;
    if (argc > first && strcmp(argv[argc - 1], "--json") == 0)
        as_json = true, argc--;
    const char *where = argc > first ? argv[first] : "cpu";
    bool is_program = strcmp(where, "cpu") != 0 && strcmp(where, "gpu") != 0;
    snprintf(bin, sizeof bin, "%s", dirname(argv[0]));
    for (int i = first; is_program && i < argc; i++)
        snprintf(command + strlen(command), sizeof command - strlen(command), "%s%s",
                 i > first ? " " : "", argv[i]);
    if (is_program)
        columns[count++] = (struct column){.name = "this program", .command = command};
    for (size_t i = 0; !is_program && i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].where, where) == 0)
            columns[count++] = table[i];
    for (int i = 0; i < count; i++)
        columns[i].is_there = true;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ladder-grade.XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        stop_without("no folder for temporary files");
    atexit(clean_up);
    grade(columns, count, as_json);
    int there = 0;
    for (int i = 0; i < count; i++)
        there += columns[i].is_there;
    return there ? EXIT_RIGHT : EXIT_RESOURCE;
}
