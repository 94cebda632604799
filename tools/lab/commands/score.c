/* SPDX-License-Identifier: MIT */
/** @file score.c
 * ./ladder lab score: the progress of one student, or of a folder of students, for people and
 * for graders. */
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/device/timer.h"
#include "common/measure/json.h"
#include "common/device/host.h"
#include "tools/lab/judge/compile.h"
#include "tools/lab/lab.h"
#include "tools/lab/process/process.h"

enum { MOST_STUDENTS = 10000, MOST_ANSWER = 256 << 10, STUDENT_SECONDS = 600 };

/* One student's result in one exercise. */
struct row {
    const char *exercise;
    struct state_of state;
    struct points points;
    bool graded;                /* the points are known: checked again, or passed */
    const char *reason;         /* why it is not passed; "" if it is, or was never begun */
    const char *file, *content; /* what was handed in; NULL: nothing readable */
    size_t size;
    uint64_t code; /* compiled_code(); 0: it was not compiled */
    dev_t device;  /* identify the file, by the kernel's numbers */
    ino_t number;
};

/* One student and all results. */
struct student {
    const char *name;  /* the folder's; NULL: the only one */
    const char *shown; /* the same as printable UTF-8, for every output */
    int count, passed, started, points;
    struct row rows[MAX_EXERCISES];
};

/* ---- finding out ---- */

/* A class takes minutes: shows on a terminal, in one line, which check is running. Without an
 * exercise it erases the line. */
static void tell_progress(const char *student, const char *exercise)
{
    if (terminal_is_live(stderr))
        fprintf(stderr, exercise ? "\r\033[K%s%s%s ..." : "\r\033[K",
                student ? make_printable(text("%s", student)) : "", student ? ": " : "",
                exercise);
}

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

/* Whether a folder in `students` is a link to another student's folder. */
static bool is_somebody_elses(const char *students, const char *folder)
{
    char *all = realpath(students, NULL), *one = realpath(folder, NULL);
    size_t length = all ? strlen(all) : 0;
    bool below = all && one && strncmp(all, one, length) == 0 && one[length] == '/';
    free(all), free(one);
    return is_link(folder) && below;
}

/* Opens what was handed in. Does not follow a link: it may lead to another student's work. */
static void open_answer(const struct lab *lab, const struct student *s, struct row *row)
{
    struct stat info = {0};
    const char *file = work_file(lab, row->exercise);
    const char *whole = lab->students ? text("%s/%s", lab->students, s->name) : "";
    bool link = is_link(file) || is_link(text("%s/%s", lab->folder, row->exercise)) ||
                (*whole && (is_link(lab->folder) || is_somebody_elses(lab->students, whole)));
    row->state = (struct state_of){0};
    row->reason = "";
    if (!exists(file) && !is_link(file))
        return; /* only the file counts: without it the result is "never begun" */
    row->state.state = STARTED;
    row->file = file;
    if (!link && stat(file, &info) == 0 && info.st_size <= MOST_ANSWER)
        row->content = read_file(file, &row->size);
    if (link)
        row->reason = "a link, which is not followed: the file itself is to be handed in";
    else if (!row->content) /* one unreadable file must not end the grading of a class */
        row->reason = "no file that can be read (or larger than 256 KiB)";
    else
        row->device = info.st_dev, row->number = info.st_ino;
}

/* The lab for one student: a class that ends with / gives each student other variants. */
static struct lab lab_for(const struct lab *lab, const struct student *s)
{
    struct lab one = *lab;
    size_t length = lab->class_seed ? strlen(lab->class_seed) : 0;
    if (s->name && length && lab->class_seed[length - 1] == '/')
        one.class_seed = text("%s%s", lab->class_seed, s->name);
    return one;
}

/* Reads a student's files before anyone's code runs. */
static void look_at(const struct lab *lab, struct student *s)
{
    struct state_of states[MAX_EXERCISES] = {0};
    if (!lab->students || !is_link(text("%s/progress", lab->folder)))
        read_states(lab, states);
    s->count = lab->count;
    for (int i = 0; i < lab->count; i++) {
        struct row *row = &s->rows[i];
        *row = (struct row){.exercise = lab->names[i],
                            .reason = "",
                            .points = exercise_points(lab, lab->names[i], false),
                            .graded = lab->recheck};
        if (lab->recheck || lab->students)
            open_answer(lab, s, row);
        if (lab->recheck && !row->file)
            continue;
        row->state = states[i];
        if (lab->recheck)
            row->state.state = STARTED;
        else
            row->reason = states[i].state == STARTED ? "started, not passed" : "";
    }
}

/* Checks what was handed in, whatever the progress file says. */
static void recheck(const struct lab *lab, struct student *s, struct row *row)
{
    if (row->content) {
        prepare(lab, row->exercise);
        tell_progress(s->name, row->exercise);
        FILE *nowhere = fopen("/dev/null", "w");
        if (!nowhere)
            die(RESOURCE, "/dev/null cannot be written");
        const void *mark = texts_mark();
        struct checked checked =
            check_content(lab, row->exercise, row->file, row->content, row->size, nowhere);
        texts_release(mark);
        fclose(nowhere);
        tell_progress(NULL, NULL);
        row->state.state = checked.passed ? DONE : STARTED;
        row->code = checked.points.parts[0].got ? compiled_code() : 0;
        for (int i = 0; i < row->points.count; i++)
            row->points.parts[i].got = checked.points.parts[i].got;
        row->reason = text("%s", checked.headline);
    }
    if (row->state.state != DONE)
        *row->state.passed = '\0';
}

static void grade(const struct lab *all, struct student *s)
{
    struct lab one = lab_for(all, s), *lab = &one;
    const char *budget = getenv("LADDER_LAB_STUDENT_SECONDS");
    double end = timer_now() + 1000 * (budget ? atof(budget) : STUDENT_SECONDS);
    for (int i = 0; i < s->count; i++) {
        if (lab->recheck && timer_now() > end && s->rows[i].content) {
            s->rows[i].content = NULL;
            s->rows[i].reason = "not checked: the answers before it took all the time";
        }
        if (lab->recheck)
            recheck(lab, s, &s->rows[i]);
        struct row *row = &s->rows[i];
        if (row->state.state == DONE)
            row->points = exercise_points(lab, row->exercise, true);
        row->graded = row->graded || row->state.state != STARTED;
        s->passed += row->state.state == DONE;
        s->started += row->state.state == STARTED;
        s->points += points_sum(&row->points, true);
    }
}

static const char *state_word(enum state state)
{
    return state == DONE ? "passed" : state == STARTED ? "started" : "new";
}

/* ---- formats ---- */

/* "4/9"; "-/9" if it was not checked again. */
static const char *points_of(const struct row *r)
{
    int most = points_sum(&r->points, false);
    return r->graded ? text("%d/%d", points_sum(&r->points, true), most) : text("-/%d", most);
}

static void print_table(const struct student *s)
{
    if (s->name)
        puts(s->shown);
    printf("%-24s %-8s %6s %6s %7s  %s\n", "exercise", "state", "checks", "hints", "points",
           "passed");
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        char *line =
            text("%-24s %-8s %6d %6d %7s  %s%s", r->exercise, state_word(r->state.state),
                 r->state.checks, r->state.hints, points_of(r), r->state.passed,
                 r->state.peeked ? "  (after the solution)" : "");
        size_t length = strlen(line);
        while (length && line[length - 1] == ' ')
            line[--length] = '\0';
        puts(line);
        for (int p = 0; p < r->points.count && r->graded && r->state.state == STARTED; p++)
            printf("    %-28s %d/%d\n", r->points.parts[p].what, r->points.parts[p].got,
                   r->points.parts[p].most);
    }
    printf("%d of %d passed\n", s->passed, s->count);
}

static void print_json(const struct student *s)
{
    struct json all = json_begin(stdout);
    if (s->name)
        json_text(&all, "student", s->shown), putchar(',');
    printf("\"exercises\":[\n");
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        putchar(i ? ',' : ' ');
        struct json json = json_begin(stdout), *j = &json;
        json_text(j, "exercise", r->exercise);
        json_whole(j, "step", atoi(r->exercise));
        json_text(j, "state", state_word(r->state.state));
        json_whole(j, "checks", r->state.checks);
        json_whole(j, "hints", r->state.hints);
        json_bool(j, "solution_seen_before_pass", r->state.peeked);
        json_text(j, "passed_at", *r->state.passed ? r->state.passed : NULL);
        json_text(j, "reason", *r->reason ? r->reason : NULL);
        json_number_if(j, r->graded, "points", points_sum(&r->points, true));
        json_whole(j, "points_possible", points_sum(&r->points, false));
        json_end(j);
    }
    printf("],\"passed\":%d,\"started\":%d,\"total\":%d}\n", s->passed, s->started, s->count);
}

/* The text with names in the place of signs, in one line. */
static const char *escaped(const char *s, const char *signs, const char *const names[])
{
    struct stream made;
    stream_begin(&made);
    for (; *s; s++) {
        const char *sign = strchr(signs, *s);
        if (sign)
            fputs(names[sign - signs], made.out);
        else
            fputc((unsigned char)*s < ' ' ? ' ' : *s, made.out);
    }
    return stream_end(&made);
}

/* A text for use between XML's quotes. */
static const char *for_xml(const char *s)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    return escaped(s, "&<>\"", names);
}

static void print_junit(const struct student *s)
{
    printf("<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n",
           s->name ? for_xml(s->shown) : "strassen-ladder", s->count, s->started,
           s->count - s->passed - s->started);
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        printf("  <testcase classname=\"exercises\" name=\"%s\">", r->exercise);
        if (r->state.state == STARTED)
            printf("<failure message=\"%s\"/>", for_xml(r->reason));
        if (r->state.state == NEW)
            printf("<skipped message=\"not started\"/>");
        puts("</testcase>");
    }
    puts("</testsuite>");
}

/* A CSV field, changed so that it cannot begin like a formula. */
static const char *for_csv(const char *s)
{
    static const char *const quotes[] = {"\"\""};
    s = text("%s%s", *s && strchr("=+-@\t", *s) ? "'" : "", s);
    return s[strcspn(s, ",\"\n\r")] ? text("\"%s\"", escaped(s, "\"", quotes)) : s;
}

static void print_csv(const struct student *s)
{
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        printf("%s,%s,%d,%s,%d,%d,%s,%s,%s,%s,%d\n", for_csv(s->shown), r->exercise,
               atoi(r->exercise), state_word(r->state.state), r->state.checks, r->state.hints,
               r->state.peeked ? "yes" : "no", for_csv(r->state.passed), for_csv(r->reason),
               r->graded ? text("%d", points_sum(&r->points, true)) : "",
               points_sum(&r->points, false));
    }
}

/* Each part of each exercise's points is one test. The fields' names are the service's
 * (docs/classroom/formats.md). */
static void print_gradescope(const struct student *s)
{
    printf("{\"score\":%d,\"output\":\"%d of %d exercises passed\",\"tests\":[\n", s->points,
           s->passed, s->count);
    for (int i = 0, written = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        const char *reason = r->reason; /* of the first part that is not reached */
        for (int p = 0; p < r->points.count; p++) {
            const struct part *part = &r->points.parts[p];
            putchar(written++ ? ',' : ' ');
            struct json json = json_begin(stdout), *j = &json;
            json_text(j, "name", text("%s: %s", r->exercise, part->what));
            json_whole(j, "score", part->got);
            json_whole(j, "max_score", part->most);
            json_text(j, "status", part->got == part->most ? "passed" : "failed");
            if (*reason && part->got < part->most) {
                json_text(j, "output", reason);
                reason = "";
            }
            json_end(j);
        }
    }
    printf("]}\n");
}

/* A format, and what comes before all students and after them; `many`: only with --students. */
static const struct format {
    const char *name;
    void (*print)(const struct student *);
    const char *begin, *begin_many, *between, *end_many;
} formats[] = {
    {"--gradescope", print_gradescope, "", "", "", ""},
    {"--json", print_json, "", "{\"students\":[\n", ",\n", "]}\n"},
    {"--junit", print_junit, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "<testsuites>\n",
     "", "</testsuites>\n"},
    {"--csv", print_csv,
     "student,exercise,step,state,checks,hints,solution_seen_before_pass,passed_at,"
     "reason,points,points_possible\n",
     "", "", ""},
    {NULL, print_table, "", "", "", ""},
};

static const struct format *format_of(const char *name)
{
    const struct format *f = formats;
    while (f->name && (!name || strcmp(f->name, name) != 0))
        f++;
    return f;
}

/* ---- the command ---- */

/* Lists the folders in a folder, one for each student. */
static int find_students(const char *folder, char *names[MOST_STUDENTS])
{
    struct dirent **entries;
    int all = scandir(folder, &entries, NULL, alphasort), count = 0;
    if (all < 0)
        die(USAGE, "--students: there is no folder %s", folder);
    for (int i = 0; i < all; i++) {
        struct stat info;
        const char *name = text("%s", entries[i]->d_name);
        free(entries[i]);
        if (*name == '.' || stat(text("%s/%s", folder, name), &info) != 0 ||
            !S_ISDIR(info.st_mode))
            continue;
        if (count == MOST_STUDENTS)
            die(USAGE, "--students: more than %d entries in %s", MOST_STUDENTS, folder);
        names[count++] = (char *)name;
    }
    free(entries);
    if (!count)
        die(USAGE, "--students: there is no folder in %s; each student's work is a folder",
            folder);
    return count;
}

/* A folder with another layout would look as if nothing had been done: says so. */
static void tell_empty(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->count; i++)
        if (exists(work_file(lab, lab->names[i])))
            return;
    fprintf(stderr, "lab: %s: no answer found; one would be %s\n",
            make_printable(text("%s", name)), shown_path(lab, work_file(lab, lab->names[0])));
}

/* Where a student's exercises are: in the student's folder, or in its folder lab/ if the whole
 * tree was handed in. */
static const char *folder_of(const struct lab *lab, const char *name)
{
    const char *whole = text("%s/%s/lab", lab->students, name);
    return exists(whole) ? whole : text("%s/%s", lab->students, name);
}

/* ---- similar answers ---- */

/* RUN tokens that are the same in two answers are alike. */
enum { ALIKE_PERCENT = 90, LONG_ANSWER = 150, MOST_COMPARED = 24 << 10, RUN = 24 };

/* An answer's tokens, as many as there are from each on: a hash of RUN of them. */
struct tokens {
    uint64_t *runs, *sorted; /* the same in another order */
    int count;               /* of runs */
};

static int by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* All names count as one, and all numbers. */
static struct tokens tokens_of(const char *code)
{
    static const char keywords[] = "if else for while do return break continue switch case";
    size_t size = (strlen(code) + 1) * sizeof(uint64_t), length;
    struct tokens t = {(void *)buffer(size), (void *)buffer(size), 0};
    for (; *(code += strspn(code, " \t\n")); code += length) {
        length = word_length(code) ? word_length(code) : 1;
        const char *token = text("%.*s", (int)length, code);
        if (word_length(token) && !has_word(keywords, token))
            token = *token <= '9' ? "0" : "x";
        for (t.runs[t.count] = 0; *token; token++)
            t.runs[t.count] = t.runs[t.count] * 257 + (unsigned char)*token;
        t.count++;
    }
    t.count = t.count < RUN ? 0 : t.count - RUN + 1;
    for (int i = 0; i < t.count; i++)
        for (int next = 1; next < RUN; next++)
            t.runs[i] = t.runs[i] * 1099511628211u + t.runs[i + next];
    memcpy(t.sorted, t.runs, (size_t)t.count * sizeof *t.runs);
    qsort(t.sorted, (size_t)t.count, sizeof *t.sorted, by_number);
    return t;
}

/* How many in a hundred tokens of x are in a run that y has, too. */
static int percent_alike(const struct tokens *x, const struct tokens *y)
{
    int alike = 0, end = 0, all = x->count + RUN - 1;
    for (int i = 0; i < all && x->count; i++) {
        if (i < x->count &&
            bsearch(&x->runs[i], y->sorted, (size_t)y->count, sizeof *y->sorted, by_number))
            end = i + RUN;
        alike += i < end;
    }
    return 100 * alike / all;
}

static uint64_t code_of_our_solution(const struct lab *lab, const char *name)
{
    struct job job = job_of(lab, name, "", exercise_source(lab, name, SOLUTION));
    char *said;
    return compile(&job, &said) ? 1 : compiled_code();
}

/* Compares the answers to one exercise, each without the stub's lines and comments. Reports
 * pairs that are alike, except those that are equally like our solution: there are few ways to
 * write a short answer. Long ones are reported, too, that compile to the same machine code, or
 * to that of our solution, whatever they look like. */
static void tell_alike(const struct lab *lab, const struct student *all, int students,
                       int exercise)
{
    const char *name = lab->names[exercise];
    struct tokens *of = (void *)buffer((size_t)students * sizeof *of);
    int *like_ours = (void *)buffer((size_t)students * sizeof *like_ours);
    uint64_t *code = (void *)buffer((size_t)students * sizeof *code), our_code = 0;
    const struct tokens ours =
        tokens_of(own_lines(lab, name, exercise_source(lab, name, SOLUTION)));
    for (int i = 0; i < students; i++) {
        const struct row *row = &all[i].rows[exercise];
        struct lab one = lab_for(lab, &all[i]);
        const char *own = row->content ? own_lines(&one, name, row->content) : "";
        bool compared = strlen(own) <= MOST_COMPARED; /* a long one could use up the time */
        if (!compared)
            fprintf(stderr, "lab: %s: %s is too long to be compared with others\n", name,
                    all[i].shown);
        of[i] = tokens_of(compared ? own : "");
        like_ours[i] = percent_alike(&of[i], &ours);
        code[i] = of[i].count >= LONG_ANSWER - RUN ? row->code : 0;
        if (code[i] && !our_code)
            our_code = code_of_our_solution(lab, name);
        if (code[i] && code[i] == our_code)
            fprintf(stderr, "lab: %s: %s compiles to the same code as our solution\n", name,
                    all[i].shown);
    }
    for (int a = 0; a < students; a++)
        for (int b = a + 1; b < students && of[a].count; b++) {
            int percent = percent_alike(&of[a], &of[b]), other = percent_alike(&of[b], &of[a]);
            percent = percent > other ? percent : other;
            if (code[a] && code[a] == code[b] && code[a] != our_code)
                fprintf(stderr, "lab: %s: %s and %s compile to the same code\n", name,
                        all[a].shown, all[b].shown);
            else if (percent >= ALIKE_PERCENT &&
                     (percent > like_ours[a] || percent > like_ours[b]))
                fprintf(stderr, "lab: %s: %s and %s are alike (%d %%)\n", name, all[a].shown,
                        all[b].shown, percent);
        }
}

/* Reports two names of one file: what one student writes there, the other hands in. */
static void tell_shared(const struct student *all, int students, int exercise)
{
    for (int i = 0; i < students; i++)
        for (int j = i + 1; j < students; j++) {
            const struct row *a = &all[i].rows[exercise], *b = &all[j].rows[exercise];
            if (a->content && b->content && a->device == b->device && a->number == b->number)
                fprintf(stderr, "lab: %s: %s and %s handed in one and the same file (a link)\n",
                        a->exercise, all[i].shown, all[j].shown);
        }
}

void command_score(struct lab *lab, int count, char **words)
{
    static char *names[MOST_STUDENTS];
    const struct format *format = format_of(lab->format);
    long require =
        lab->require ? whole_number("--require", lab->require, 0, MAX_EXERCISES) : -1;
    if (count)
        die(USAGE, "score takes options only, not '%s'", words[0]);
    if (lab->students && format->print == print_gradescope)
        die(USAGE, "%s is about one submission: LADDER_LAB says where it is, not --students",
            format->name);
    if (lab->recheck && !lab->students && getenv("LADDER_LAB") && !exists(lab->folder))
        die(USAGE, "there is no folder %s (LADDER_LAB)", lab->folder);
    int students = lab->students ? find_students(lab->students, names) : 1, behind = 0;
    struct student *all = (void *)buffer((size_t)students * sizeof *all);
    struct lab one = *lab;
    lab->give_points = true;
    /* Everything is read before any of it runs. */
    for (int i = 0; i < students; i++) {
        all[i] = (struct student){.name = lab->students ? names[i] : NULL};
        char *shown = lab->students ? make_printable(text("%s", names[i])) : NULL;
        all[i].shown = shown ? shown : "";
        while (shown && (shown = strpbrk(shown, "\n\t"))) /* it could begin one of our lines */
            *shown = '?';
        if (lab->students)
            one.folder = folder_of(lab, names[i]);
        if (lab->recheck && (lab->students || getenv("LADDER_LAB")))
            tell_empty(&one, lab->students ? names[i] : one.folder);
        look_at(&one, &all[i]);
    }
    printf("%s%s", format->begin, lab->students ? format->begin_many : "");
    for (int i = 0; i < students; i++) {
        grade(lab, &all[i]);
        fputs(i ? format->between : "", stdout);
        format->print(&all[i]);
        behind += all[i].passed < require;
    }
    fputs(lab->students ? format->end_many : "", stdout);
    for (int i = 0; i < lab->count && lab->students; i++) {
        const void *mark = texts_mark();
        tell_shared(all, students, i);
        tell_alike(lab, all, students, i);
        texts_release(mark);
    }
    if (behind && lab->students)
        die(NOT_PASSED, "%d of %d students passed fewer than %ld exercises", behind, students,
            require);
    if (behind)
        die(NOT_PASSED, "%d exercises are passed, %ld are required", all[0].passed, require);
}
