/* SPDX-License-Identifier: MIT */
/** @file score.c
 * ./ladder lab score: how far somebody is, or a folder of students, for people and
 * for graders. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/measure/json.h"
#include "common/command/terminal.h"
#include "lab.h"

enum { MOST_STUDENTS = 2000 };

/* One exercise of one student's. */
struct row {
    const char *exercise;
    struct state_of state;
    const char *reason; /* why it is not passed; "" where it is, or was never begun */
};

/* One student's. */
struct student {
    const char *name; /* NULL: the only one */
    int count, passed, started;
    struct row rows[MAX_EXERCISES];
};

/* What is asked for. */
struct request {
    const char *format; /* table, json, junit, csv */
    bool recheck;
    const char *students;
    int require; /* -1: none */
};

/* ---- finding out ---- */

/* A class takes minutes: one line on a terminal says where the check is. Without an exercise:
 * the line goes. */
static void tell_progress(const char *student, const char *exercise)
{
    if (terminal_is_live(stderr))
        fprintf(stderr, exercise ? "\r\033[K%s%s%s ..." : "\r\033[K",
                student ? make_printable(text("%s", student)) : "", student ? ": " : "",
                exercise);
}

/* Checks what is there, whatever the records say. Only the file counts: without it nothing was
 * done. */
static void recheck(const struct lab *lab, const char *student, struct row *row,
                    const struct state_of *recorded)
{
    const char *work = work_file(lab, row->exercise);
    row->state = (struct state_of){0};
    if (!exists(work))
        return;
    if (!read_file(work, NULL)) { /* one such file must not end the grading of a class */
        row->state = *recorded;
        row->state.state = STARTED;
        *row->state.passed = '\0';
        row->reason = "no file that can be read (or larger than 16 MiB)";
        return;
    }
    prepare(lab, row->exercise);
    tell_progress(student, row->exercise);
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        die(RESOURCE, "/dev/null cannot be written");
    struct checked checked = check_file(lab, row->exercise, work, nowhere);
    fclose(nowhere);
    tell_progress(NULL, NULL);
    row->state = *recorded;
    row->state.state = checked.passed ? DONE : STARTED;
    if (!checked.passed)
        *row->state.passed = '\0';
    row->reason = text("%s", checked.headline);
}

static void look_at(const struct lab *lab, const struct request *request, struct student *s)
{
    struct state_of states[MAX_EXERCISES];
    read_states(lab, states);
    s->count = lab->count;
    for (int i = 0; i < lab->count; i++) {
        struct row *row = &s->rows[i];
        *row = (struct row){lab->names[i], states[i],
                            states[i].state == STARTED ? "started, not passed" : ""};
        if (request->recheck)
            recheck(lab, s->name, row, &states[i]);
        s->passed += row->state.state == DONE;
        s->started += row->state.state == STARTED;
    }
}

static const char *state_word(enum state state)
{
    return state == DONE ? "passed" : state == STARTED ? "started" : "new";
}

/* ---- formats ---- */

static void print_table(const struct student *s)
{
    if (s->name)
        printf("%s\n", make_printable(text("%s", s->name)));
    printf("%-24s %-8s %6s %6s  %s\n", "exercise", "state", "checks", "hints", "passed");
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        char *line = text("%-24s %-8s %6d %6d  %s%s", r->exercise, state_word(r->state.state),
                          r->state.checks, r->state.hints, r->state.passed,
                          r->state.peeked ? "  (after the solution)" : "");
        size_t length = strlen(line);
        while (length && line[length - 1] == ' ')
            line[--length] = '\0';
        puts(line);
    }
    printf("%d of %d passed\n", s->passed, s->count);
}

static void print_json(const struct student *s)
{
    printf("{");
    if (s->name) { /* the writer's own quoting, without its end of the object */
        char *quoted = NULL;
        size_t size;
        FILE *out = open_memstream(&quoted, &size);
        if (!out)
            die(RESOURCE, "memory ran out");
        struct json json = json_begin(out);
        json_text(&json, "student", s->name);
        fclose(out);
        printf("%s,", quoted + 1);
        free(quoted);
    }
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
        json_end(j);
    }
    printf("],\"passed\":%d,\"started\":%d,\"total\":%d}\n", s->passed, s->started, s->count);
}

/* A text between XML's quotes. */
static const char *for_xml(const char *s)
{
    char *result = buffer(6 * strlen(s) + 1), *to = result;
    for (; *s; s++) {
        const char *name = *s == '&'   ? "&amp;"
                           : *s == '<' ? "&lt;"
                           : *s == '>' ? "&gt;"
                           : *s == '"' ? "&quot;"
                                       : NULL;
        if (name)
            to += sprintf(to, "%s", name);
        else
            *to++ = (unsigned char)*s < ' ' ? ' ' : *s;
    }
    *to = '\0';
    return result;
}

static void print_junit(const struct student *s)
{
    printf("<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n",
           s->name ? for_xml(s->name) : "strassen-ladder", s->count, s->started,
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

/* A field of a table with commas, in which nothing begins as a formula does. */
static const char *for_csv(const char *s)
{
    s = make_printable(text("%s%s", *s && strchr("=+-@\t", *s) ? "'" : "", s));
    if (!s[strcspn(s, ",\"\n\r")])
        return s;
    char *result = buffer(2 * strlen(s) + 3), *to = result;
    *to++ = '"';
    for (; *s; s++) {
        if (*s == '"')
            *to++ = '"';
        *to++ = *s;
    }
    *to++ = '"';
    *to = '\0';
    return result;
}

static void print_csv(const struct student *s)
{
    for (int i = 0; i < s->count; i++) {
        const struct row *r = &s->rows[i];
        printf("%s,%s,%d,%s,%d,%d,%s,%s,%s\n", for_csv(s->name ? s->name : ""), r->exercise,
               atoi(r->exercise), state_word(r->state.state), r->state.checks, r->state.hints,
               r->state.peeked ? "yes" : "no", for_csv(r->state.passed), for_csv(r->reason));
    }
}

static void print_student(const struct student *s, const char *format)
{
    if (strcmp(format, "json") == 0)
        print_json(s);
    else if (strcmp(format, "junit") == 0)
        print_junit(s);
    else if (strcmp(format, "csv") == 0)
        print_csv(s);
    else
        print_table(s);
}

/* What stands before all students, or after them. */
static void print_frame(const struct request *r, bool begin)
{
    if (strcmp(r->format, "junit") == 0) {
        if (begin)
            puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        if (r->students)
            puts(begin ? "<testsuites>" : "</testsuites>");
    } else if (strcmp(r->format, "csv") == 0 && begin) {
        puts("student,exercise,step,state,checks,hints,solution_seen_before_pass,passed_at,"
             "reason");
    } else if (strcmp(r->format, "json") == 0 && r->students) {
        puts(begin ? "{\"students\":[" : "]}");
    }
}

/* ---- the command ---- */

static struct request read_request(int count, char **words)
{
    struct request r = {.format = "table", .require = -1};
    const char *chosen = NULL;
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], "--recheck") == 0) {
            r.recheck = true;
        } else if (strcmp(words[i], "--students") == 0) {
            r.students = words[++i];
        } else if (strcmp(words[i], "--require") == 0) {
            char *end;
            r.require = (int)strtol(words[++i], &end, 10);
            if (*end || end == words[i] || r.require < 0 || r.require > MAX_EXERCISES)
                die(USAGE, "--require takes a whole number from 0 to %d, not '%s'",
                    MAX_EXERCISES, words[i]);
        } else if (strncmp(words[i], "--", 2) == 0) {
            if (chosen && strcmp(chosen, words[i]) != 0)
                die(USAGE, "score prints one format: %s or %s, not both", chosen, words[i]);
            chosen = words[i];
            r.format = words[i] + 2;
        } else {
            die(USAGE, "score takes options only, not '%s'", words[i]);
        }
    }
    return r;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The folders in a folder, each a student's. */
static int find_students(const char *folder, char *names[MOST_STUDENTS])
{
    int count = 0;
    DIR *all = opendir(folder);
    if (!all)
        die(USAGE, "--students: there is no folder %s", folder);
    for (struct dirent *entry; (entry = readdir(all)) && count < MOST_STUDENTS;) {
        struct stat info;
        if (*entry->d_name != '.' && stat(text("%s/%s", folder, entry->d_name), &info) == 0 &&
            S_ISDIR(info.st_mode))
            names[count++] = text("%s", entry->d_name);
    }
    closedir(all);
    if (!count)
        die(USAGE, "--students: there is no folder in %s; each student's work is a folder",
            folder);
    qsort(names, (size_t)count, sizeof *names, by_text);
    return count;
}

/* A folder that is laid out otherwise would look as if nothing had been done. */
static void tell_empty(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->count; i++)
        if (exists(work_file(lab, lab->names[i])))
            return;
    fprintf(stderr, "lab: %s: no answer found; one would be %s\n",
            make_printable(text("%s", name)), shown_path(lab, work_file(lab, lab->names[0])));
}

/* Where a student's exercises lie: in the student's folder, or in lab/ there if it was handed
 * in whole. */
static const char *folder_of(const struct request *request, const char *name)
{
    const char *whole = text("%s/%s/lab", request->students, name);
    return exists(whole) ? whole : text("%s/%s", request->students, name);
}

void command_score(struct lab *lab, int count, char **words)
{
    static char *names[MOST_STUDENTS];
    static struct student student;
    struct request request = read_request(count, words);
    if (request.recheck && !request.students && getenv("LADDER_LAB") && !exists(lab->folder))
        die(USAGE, "there is no folder %s (LADDER_LAB)", lab->folder);
    int students = request.students ? find_students(request.students, names) : 1, behind = 0;
    print_frame(&request, true);
    for (int i = 0; i < students; i++) {
        struct lab one = *lab;
        student = (struct student){.name = request.students ? names[i] : NULL};
        if (request.students)
            one.folder = folder_of(&request, names[i]);
        if (request.recheck && (request.students || getenv("LADDER_LAB")))
            tell_empty(&one, request.students ? names[i] : one.folder);
        look_at(&one, &request, &student);
        if (i && strcmp(request.format, "json") == 0)
            puts(",");
        print_student(&student, request.format);
        behind += student.passed < request.require;
    }
    print_frame(&request, false);
    if (behind) {
        if (request.students)
            die(NOT_PASSED, "%d of %d students passed fewer than %d exercises", behind,
                students, request.require);
        die(NOT_PASSED, "%d exercises are passed, %d are required", student.passed,
            request.require);
    }
}
