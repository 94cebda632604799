/* SPDX-License-Identifier: MIT */
/** @file score.c
 * ./ladder lab score: the progress of one student, or of a folder of students, for people and
 * for graders. */
#include <dirent.h>
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
    dev_t device; /* identify the file, by the kernel's numbers */
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
    bool link = lab->students &&
                (is_somebody_elses(lab->students, text("%s/%s", lab->students, s->name)) ||
                 is_link(lab->folder) || is_link(text("%s/%s", lab->folder, row->exercise)) ||
                 is_link(file));
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

enum { ALIKE_PERCENT = 90, LONG_ANSWER = 150, MOST_WORDS = 512, MOST_COMPARED = 24 << 10 };

/* The code as it is compared: macros are expanded, and i++ is i += 1. */
static const char *comparable(const struct lab *lab, const char *own, const char *folder)
{
    char *rest = text("%s", own);
    struct stream lines;
    stream_begin(&lines);
    for (char *line; strstr(own, "define") && (line = next_line(&rest));)
        if (line[strspn(line, " \t")] != '#' || !strstr(line, "include"))
            fprintf(lines.out, "%s\n", line);
    const char *code = stream_end(&lines);
    if (*code) {
        char *argv[] = {
            text("%s", setting(lab, "CC")), "-E", "-P", "-w", "-nostdinc", "one.c", NULL};
        write_file(text("%s/one.c", folder), code);
        struct ended ended =
            process_run(argv, &(struct limits){.seconds = 5,
                                               .data = (size_t)1 << 30,
                                               .processes = true,
                                               .folder = folder,
                                               .readable = readable_places(lab)});
        own = ended.status == 0 ? ended.out : own;
    }
    char *result = buffer(3 * strlen(own) + 1), *to = result;
    for (const char *c = own; *c; c++) {
        bool step = (*c == '+' || *c == '-') && c[1] == *c;
        const char *name = step ? c + 2 + strspn(c + 2, " ") : c;
        size_t length = word_length(name);
        if (step)
            to += sprintf(to, "%.*s %c= 1", (int)length, name, *c);
        else
            *to++ = *c;
        c = !step ? c : length ? name + length - 1 : c + 1;
    }
    *to = '\0';
    return result;
}

/* The next word, number or sign; "" at the end. */
static char *next_token(const char **code)
{
    for (size_t skip = 1; skip; *code += skip) {
        const char *c = *code, *end = begins_with(c, "/*") ? strstr(c, "*/") : NULL;
        skip = end                    ? (size_t)(end + 2 - c)
               : begins_with(c, "//") ? strcspn(c, "\n")
                                      : strspn(c, " \t\n");
    }
    size_t length = word_length(*code);
    length = length || !**code ? length : 1;
    *code += length;
    return text("%.*s", (int)length, *code - length);
}

/* Whether two long answers differ at most in names, each of which stands for the same one. */
static bool is_renamed(const char *x, const char *y)
{
    static char *names[2][MOST_WORDS];
    int count = 0, tokens = 0;
    for (;; tokens++) {
        char *a = next_token(&x), *b = next_token(&y);
        if (!*a || !*b)
            return !*a && !*b && tokens >= LONG_ANSWER;
        bool words = word_length(a) && word_length(b);
        int at = 0;
        while (at < count && strcmp(names[0][at], a) != 0 && strcmp(names[1][at], b) != 0)
            at++;
        if (words && at == MOST_WORDS)
            return false;
        if (words && at == count)
            names[0][count] = a, names[1][count++] = b;
        if (words ? strcmp(names[0][at], a) != 0 || strcmp(names[1][at], b) != 0
                  : strcmp(a, b) != 0)
            return false;
    }
}

/* Runs similarity-tester's sim_c on the answers to one exercise, each without the stub's lines
 * and comments; the last one is our solution. Reports pairs that are alike, except those that
 * are equally like our solution: there are few ways to write a short answer. A long one that is
 * our solution under other names is reported, too. */
static void tell_alike(const struct lab *lab, const struct student *all, int students,
                       int exercise)
{
    static bool told; /* that the tool is missing */
    const char *name = lab->names[exercise], *folder = empty_folder("alike");
    char **argv = (void *)buffer((size_t)(students + 8) * sizeof *argv);
    int *like_ours = (void *)buffer((size_t)students * sizeof *like_ours);
    int count = split_words(text("sim_c -p -e -t %d", ALIKE_PERCENT), argv, 5), answers = 0;
    const char *ours =
        comparable(lab, own_lines(lab, name, exercise_source(lab, name, SOLUTION)), folder);
    memset(like_ours, 0, (size_t)students * sizeof *like_ours);
    for (int i = 0; i <= students; i++) {
        const char *content = i == students ? exercise_source(lab, name, SOLUTION)
                                            : all[i].rows[exercise].content;
        struct lab one = i == students ? *lab : lab_for(lab, &all[i]);
        const char *own = content ? own_lines(&one, name, content) : "";
        if (!own[strspn(own, " \n")])
            continue;
        own = i < students ? comparable(lab, own, folder) : ours;
        /* A long one could use up the time for all. */
        if (i < students && strlen(own) > MOST_COMPARED) {
            fprintf(stderr, "lab: %s: %s is too long to be compared with others\n", name,
                    all[i].shown);
            continue;
        }
        answers += i < students;
        if (i < students && is_renamed(own, ours))
            fprintf(stderr, "lab: %s: %s handed in our solution, perhaps with other names\n",
                    name, all[i].shown);
        write_file(text("%s/%d", folder, i + 1), own);
        argv[count++] = text("%d", i + 1);
    }
    argv[count] = NULL;
    if (answers < 2 || told)
        return;
    struct ended ended = process_run(argv, &(struct limits){.seconds = 60,
                                                            .data = (size_t)1 << 30,
                                                            .folder = folder,
                                                            .readable = readable_places(lab)});
    if (ended.status == 127) {
        told = true;
        fputs("lab: answers were not compared with each other: install similarity-tester\n",
              stderr);
        return;
    }
    if (ended.status != 0)
        fprintf(stderr, "lab: %s: the comparison of answers failed: %.200s\n", name, ended.err);
    for (int pass = 0; pass < 2; pass++) {
        char *rest = text("%s", ended.out);
        for (char *line; (line = next_line(&rest));) {
            int a, b, percent;
            if (sscanf(line, "%d consists for %d %% of %d material", &a, &percent, &b) != 3 ||
                a < 1 || b < 1 || a > students || b > students + 1 || percent < ALIKE_PERCENT)
                continue;
            if (!pass && b > students)
                like_ours[a - 1] = percent;
            if (pass && b <= students &&
                (percent > like_ours[a - 1] || percent > like_ours[b - 1]))
                fprintf(stderr, "lab: %s: %s and %s are alike (%d %%)\n", name,
                        all[a - 1].shown, all[b - 1].shown, percent);
        }
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
        all[i] = (struct student){.name = lab->students ? names[i] : NULL, .shown = ""};
        if (lab->students)
            all[i].shown = make_printable(text("%s", names[i]));
        if (lab->students)
            one.folder = folder_of(lab, names[i]);
        if (lab->recheck && (lab->students || getenv("LADDER_LAB")))
            tell_empty(&one, lab->students ? names[i] : one.folder);
        look_at(&one, &all[i]);
    }
    for (int i = 0; i < lab->count && lab->students; i++) {
        const void *mark = texts_mark();
        tell_shared(all, students, i);
        tell_alike(lab, all, students, i);
        texts_release(mark);
    }
    printf("%s%s", format->begin, lab->students ? format->begin_many : "");
    for (int i = 0; i < students; i++) {
        grade(lab, &all[i]);
        fputs(i ? format->between : "", stdout);
        format->print(&all[i]);
        behind += all[i].passed < require;
    }
    fputs(lab->students ? format->end_many : "", stdout);
    if (behind && lab->students)
        die(NOT_PASSED, "%d of %d students passed fewer than %ld exercises", behind, students,
            require);
    if (behind)
        die(NOT_PASSED, "%d exercises are passed, %ld are required", all[0].passed, require);
}
