/**
 * @file source.c
 * From one annotated source to what the learner starts from, and to the solution; and what of a
 * learner's file may differ.
 *
 * The annotated source (source.c or source.cu in the exercise's folder) is the solution as it
 * compiles. Between the marks YOUR CODE and END stand lines of the solution, and comments STUB,
 * which are the lines that the stub has there instead.
 */
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char begin_mark[] = "/* YOUR CODE", end_mark[] = "/* END */", stub_mark[] = "/* STUB:";

bool begins_region(const char *line)
{
    return strstr(line, begin_mark) != NULL;
}
bool ends_region(const char *line)
{
    return strstr(line, end_mark) != NULL;
}

/* The line of the stub that a comment STUB stands for, with the comment's indentation; NULL when
   the line is none. */
static const char *stub_line(const char *line)
{
    const char *mark = strstr(line, stub_mark), *end = strstr(line, "*/");
    if (!mark || !end)
        return NULL;
    const char *content = mark + strlen(stub_mark);
    while (*content == ' ')
        content++;
    while (end > content && end[-1] == ' ')
        end--;
    return content == end
               ? ""
               : text("%.*s%.*s", (int)(mark - line), line, (int)(end - content), content);
}

static char *annotated(const struct lab *lab, const char *exercise)
{
    const char *suffix = exercise_suffix(lab, exercise);
    char *source = read_file(exercise_file(lab, exercise, text("source.%s", suffix)), NULL);
    if (!source)
        die(RESOURCE, "%s has no source.%s", exercise, suffix);
    return source;
}

/* The annotated source as a stub, or as the solution. */
static char *derive(const struct lab *lab, const char *exercise, bool stub)
{
    char *rest = annotated(lab, exercise), *result = room(strlen(rest) + 1);
    bool inside = false;
    char *to = result;
    for (char *line; (line = next_line(&rest));) {
        const char *replacement = inside ? stub_line(line) : NULL;
        inside = inside && !ends_region(line);
        if (replacement ? stub : !(stub && inside))
            to += sprintf(to, "%s\n", replacement ? replacement : line);
        inside = inside || begins_region(line);
    }
    return result;
}

char *exercise_stub(const struct lab *lab, const char *exercise)
{
    return derive(lab, exercise, true);
}

char *exercise_solution(const struct lab *lab, const char *exercise)
{
    return derive(lab, exercise, false);
}

char *normalised(const char *content)
{
    char *result = text("%s\n", content), *to = result;
    const char *from = strncmp(content, "\xef\xbb\xbf", 3) == 0 ? content + 3 : content;
    for (; *from; from++) {
        if (*from == '\n' || (*from == '\r' && from[1] == '\n')) {
            while (to > result && (to[-1] == ' ' || to[-1] == '\t'))
                to--;
            from += *from == '\r';
        }
        *to++ = *from;
    }
    while (to > result && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r'))
        to--;
    if (to > result && to[-1] != '\n')
        *to++ = '\n';
    *to = '\0';
    return result;
}

/* ---- what is outside the regions ---- */

/* The lines outside regions, marks included, empty ones left out. */
struct frame {
    char **lines;
    int count, regions;
    const char *wrong; /* what is the matter with the marks, NULL: nothing */
};

/* A line of the frame. What a mark YOUR CODE says in its comment is free; a line with more than a
 * mark is not. */
static char *frame_line(char *line)
{
    size_t length = strlen(line);
    const char *mark = line + strspn(line, " \t"), *end = strstr(mark, "*/");
    bool alone =
        strncmp(mark, begin_mark, strlen(begin_mark)) == 0 && end && end == line + length - 2;
    return alone ? text("%s */", begin_mark) : line;
}

static struct frame frame_of(const char *content)
{
    struct frame frame = {0};
    char *rest = text("%s", content);
    size_t most = 2;
    for (const char *c = content; *c; c++)
        most += *c == '\n';
    frame.lines = (char **)(void *)room(most * sizeof *frame.lines);
    bool inside = false;
    for (char *line; (line = next_line(&rest));) {
        if (inside && begins_region(line))
            frame.wrong = "There is a mark YOUR CODE inside a marked region.";
        inside = inside && !ends_region(line);
        if (!inside && line[strspn(line, " \t")])
            frame.lines[frame.count++] = frame_line(line);
        if (!inside && begins_region(line)) {
            frame.regions++;
            inside = true;
        }
    }
    if (inside)
        frame.wrong = "The mark END is missing.";
    return frame;
}

/* What stands between the marks, region after region, a mark's line before each. */
static char *regions_of(const char *content)
{
    char *rest = text("%s", content), *result = text("%s\n", content), *to = result;
    bool inside = false;
    for (char *line; (line = next_line(&rest));) {
        inside = inside && !ends_region(line);
        if (inside)
            to += sprintf(to, "%s\n", line);
        if (begins_region(line)) {
            inside = true;
            *to++ = '\f'; /* a new region */
        }
    }
    *to = '\0';
    return result;
}

static const char *compare_frames(const char *stub, const char *content, char **detail)
{
    struct frame wanted = frame_of(stub), found = frame_of(content);
    int at = 0;
    while (at < wanted.count && at < found.count && strcmp(wanted.lines[at], found.lines[at]) == 0)
        at++;
    if (found.wrong) {
        *detail =
            text("%s Leave the marks as they were: one YOUR CODE and one END each.", found.wrong);
        return "changed outside the marked regions";
    }
    if (found.regions > wanted.regions) {
        *detail = text(
            "There are %d regions marked YOUR CODE; the exercise has %d. What you need goes into\n"
            "the one that is there.",
            found.regions, wanted.regions);
        return "a second marked region";
    }
    if (at == wanted.count && at == found.count)
        return NULL;
    *detail = text(
        "Change only what is between YOUR CODE and END, and leave these marks in. Expected (<)\n"
        "and found (>):\n< %s\n> %s",
        at < wanted.count ? wanted.lines[at] : "(the end of the file)",
        at < found.count ? found.lines[at] : "(the end of the file)");
    return "changed outside the marked regions";
}

/* ---- what is inside ---- */

/* The code without comments, without what texts hold, and with continued lines joined. */
static char *bare_code(const char *code)
{
    char *result = text("%s", code), *to = result;
    for (const char *c = code; *c; c++) {
        if (c[0] == '\\' && c[1] == '\n') {
            c++;
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            *to++ = ' ';
            if (!end)
                break;
            c = end + 1;
        } else if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n") - 1;
        } else if (*c == '"' || *c == '\'') {
            char quote = *c;
            *to++ = quote;
            for (c++; *c && *c != quote && *c != '\n'; c++)
                c += *c == '\\' && c[1];
            *to++ = quote;
            if (!*c)
                break;
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
    return result;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool has_word(const char *code, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = code; (at = strstr(at, word)); at += length)
        if ((at == code || !is_word_character(at[-1])) && !is_word_character(at[length]))
            return true;
    return false;
}

static const char *const standard_headers[] = {
    "assert.h", "complex.h", "ctype.h",  "errno.h",   "float.h",  "inttypes.h", "limits.h",
    "math.h",   "omp.h",     "stdarg.h", "stdbool.h", "stddef.h", "stdint.h",   "stdio.h",
    "stdlib.h", "string.h",  "tgmath.h", "time.h",    NULL};

/* "#  include <stdio.h>": whether it is a header of the standard library. */
static bool is_standard_include(const char *line)
{
    const char *open = strchr(line, '<'), *close = open ? strchr(open, '>') : NULL;
    for (int i = 0; close && standard_headers[i]; i++)
        if ((size_t)(close - open - 1) == strlen(standard_headers[i]) &&
            strncmp(open + 1, standard_headers[i], (size_t)(close - open - 1)) == 0)
            return true;
    return false;
}

/* The word after the # of a directive, "" for other lines; *rest is what follows it. */
static const char *directive(const char *line, const char **rest)
{
    line += strspn(line, " \t");
    if (*line == '#')
        line++;
    else if (strncmp(line, "%:", 2) == 0) /* the same in another spelling */
        line += 2;
    else
        return "";
    line += strspn(line, " \t");
    size_t length = 0;
    while (is_word_character(line[length]))
        length++;
    *rest = line + length + strspn(line + length, " \t");
    return text("%.*s", (int)length, line);
}

static bool is_one_of(const char *word, const char *list)
{
    return *word && has_word(list, word);
}

/* One directive of a region; *depth counts open #if. `frame` is what is outside. */
static const char *check_directive(const char *line, const char *frame, bool open, int *depth,
                                   char **detail)
{
    const char *rest = "", *word = directive(line, &rest);
    if (is_one_of(word, "if ifdef ifndef"))
        ++*depth;
    if (is_one_of(word, "else elif endif") && *depth == 0)
        *detail = text("This #%s belongs to no #if of the same region.", word);
    if (strcmp(word, "endif") == 0)
        --*depth;
    if (*detail)
        return "a directive that reaches outside the marked region";
    if (strcmp(word, "include") == 0 && !open && !is_standard_include(rest)) {
        *detail = text(
            "%s\nOf headers only those of the standard library may be added, as <stdio.h>.", line);
        return "an #include inside a marked region";
    }
    if (is_one_of(word, "define undef")) {
        size_t length = 0;
        while (is_word_character(rest[length]))
            length++;
        char *name = text("%.*s", (int)length, rest);
        if (has_word(frame, name)) {
            *detail = text("%s is used outside the region: choose another name.", name);
            return "a macro that changes what is outside the marked region";
        }
    }
    if (strcmp(word, "line") == 0 ||
        (strcmp(word, "pragma") == 0 && !is_one_of(rest, "once") && strncmp(rest, "omp", 3) != 0 &&
         strncmp(rest, "unroll", 6) != 0 && strncmp(rest, "GCC unroll", 10) != 0 &&
         strncmp(rest, "GCC ivdep", 9) != 0)) {
        *detail = text("%s", line);
        return "a directive that reaches outside the marked region";
    }
    return NULL;
}

/* Ways around the compiler, by which code gets in that nobody sees. */
static const char *check_words(const char *bare, char **detail)
{
    static const char *const hidden[] = {"asm",
                                         "__asm",
                                         "__asm__",
                                         "_Pragma",
                                         "__pragma", /* anywhere */
                                         "ifunc",
                                         "__ifunc__",
                                         "alias",
                                         "__alias__",
                                         "section",
                                         "__section__",
                                         "init_priority",
                                         "no_sanitize",
                                         "__no_sanitize__",
                                         "no_sanitize_thread",
                                         "__no_sanitize_thread__",
                                         "no_instrument_function",
                                         "optimize",
                                         NULL};
    static const char *const early[] = {"constructor", "__constructor__", "destructor",
                                        "__destructor__", NULL};
    bool attributes = strstr(bare, "__attribute") || strstr(bare, "[[");
    for (int i = 0; early[i]; i++)
        if (attributes && has_word(bare, early[i])) {
            *detail = text("It runs before or after the check (%s): only what is called counts.",
                           early[i]);
            return "code outside the run";
        }
    for (int i = 0; hidden[i]; i++)
        if (has_word(bare, hidden[i]) && (attributes || i < 5)) {
            *detail = text("It is to be written without %s.", hidden[i]);
            return "not plain C";
        }
    if (strstr(bare, "##") || strstr(bare, "%:%:") || strstr(bare, "R\"")) {
        *detail = text("It is to be written without pasted names and raw texts.");
        return "not plain C";
    }
    return NULL;
}

const char *check_regions(const struct lab *lab, const char *exercise, const char *content,
                          char **detail)
{
    *detail = NULL;
    const char *stub = exercise_stub(lab, exercise);
    const char *headline = compare_frames(stub, content, detail);
    if (headline)
        return headline;
    struct frame wanted = frame_of(stub);
    char *frame = text("%s", "");
    for (int i = 0; i < wanted.count; i++)
        frame = text("%s%s\n", frame, wanted.lines[i]);
    frame = bare_code(frame);
    char *inside = regions_of(content), *bare = bare_code(inside), *words[32];
    bool open = goal_words(lab, exercise, "open") != NULL;
    if ((headline = check_words(bare, detail)))
        return headline;
    const char *forbidden = goal_words(lab, exercise, "forbid");
    int count = split_words(text("%s", forbidden ? forbidden : ""), words, 32);
    for (int i = 0; i < count; i++)
        if (has_word(bare, words[i])) {
            *detail = text("It is to be written without %s.", words[i]);
            return "somebody else multiplies";
        }
    int depth = 0;
    char *rest = inside; /* what an #include names stands in < >, which bare_code() keeps */
    for (char *line; (line = next_line(&rest));) {
        if (*line == '\f') {
            line++;
            if (depth)
                break;
        }
        if ((headline = check_directive(line, frame, open, &depth, detail)))
            return headline;
    }
    if (depth) {
        *detail = text("An #if has no #endif in the same region.");
        return "a directive that reaches outside the marked region";
    }
    return NULL;
}

char *without_standard_includes(const char *content, char **headers)
{
    char *rest = text("%s", content), *body = text("%s\n", content), *to = body;
    bool inside = false;
    *headers = text("%s", "");
    for (char *line; (line = next_line(&rest));) {
        const char *after = "";
        inside = inside && !ends_region(line);
        if (inside && strcmp(directive(line, &after), "include") == 0 &&
            is_standard_include(after)) {
            const char *name = strchr(after, '<') + 1;
            *headers = text("%s -include %.*s", *headers, (int)strcspn(name, ">"), name);
            line = "";
        }
        inside = inside || begins_region(line);
        to += sprintf(to, "%s\n", line);
    }
    *to = '\0';
    return body;
}
