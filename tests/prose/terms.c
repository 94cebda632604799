/* SPDX-License-Identifier: MIT */
/* terms GLOSSARY PAGE...: where each term of the glossary is introduced, the pages being given
 * in the order in which they are read. Prints a Markdown table of the terms that the pages use.
 * A term is introduced where it is emphasised, *half-warp*, or linked to the glossary.
 *
 * terms --short MINUTES GLOSSARY PAGE...: the same for the short climb. Of each page counts
 * what stands above the first heading, and the sections that the paragraph "**[The short
 * climb]..." there names, each to its end or to the line "*The short climb leaves ...". The
 * paragraph says how many minutes that takes, and links to the next page; all pages take
 * MINUTES at most. The paragraph "You should know: ..." names what other chapters introduce,
 * and is not searched.
 *
 * Exit status: 0, or 1 if a page uses a term that no page up to there introduces, or is wrong
 * about the short climb; 2 bad usage, 3 a file that cannot be read.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 200, TERM = 40, MOST_TEXT = 1 << 20 };

struct where {
    const char *file;
    int line; /* 0: nowhere so far */
};
static struct term {
    char name[TERM];  /* in small letters, as it is searched */
    char shown[TERM]; /* in small letters, except for an abbreviation */
    struct where used, introduced;
} terms[MOST_TERMS];
static int term_count;

static char *read_file(const char *name)
{
    static char text[MOST_TEXT];
    FILE *file = fopen(name, "r");
    if (!file) {
        fprintf(stderr, "terms: %s cannot be read; run it from the repository's root\n", name);
        exit(3);
    }
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* "**Grid, thread block, thread.** A launch ..." has three terms. */
static void read_glossary(const char *name)
{
    char *line = read_file(name);
    for (; line; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, "**", 2))
            continue;
        char heads[200];
        snprintf(heads, sizeof heads, "%.*s", (int)strcspn(line + 2, ".*\n"), line + 2);
        for (char *head = strtok(heads, ","); head && term_count < MOST_TERMS;
             head = strtok(NULL, ",")) {
            struct term *t = &terms[term_count++];
            head += *head == ' ';
            for (int i = 0; head[i] && i < TERM - 1; i++) {
                t->name[i] = (char)tolower((unsigned char)head[i]);
                t->shown[i] = isupper((unsigned char)head[1]) ? head[i] : t->name[i];
            }
        }
    }
}

static int is_letter(char c) { return isalnum((unsigned char)c) || (unsigned char)c >= 0x80; }

/* The term as a word of its own, also in the plural and over the end of a line. */
static const char *find(const char *text, const char *end, const char *term)
{
    size_t length = strlen(term);
    for (const char *at = text; at + length <= end; at++) {
        size_t i = 0;
        while (i < length &&
               (tolower((unsigned char)at[i]) == term[i] || (term[i] == ' ' && at[i] == '\n')))
            i++;
        if (i < length || (at > text && is_letter(at[-1])))
            continue;
        const char *after = at + length;
        after += *after == 's';
        after += !strncmp(after, "es", 2) && !is_letter(after[2]) ? 2 : 0;
        if (!is_letter(*after) && !(at > text && (at[-1] == '-' || at[-1] == '`')))
            return at;
    }
    return NULL;
}

/* Blanks out what is no prose: code, generated tables, comments, the addresses of links. */
static void leave_prose(char *text)
{
    int fenced = 0, generated = 0;
    for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
        int fence = !strncmp(line + blanks, "```", 3);
        const char *reference = *line == '[' ? strstr(line, "]: ") : NULL; /* [name]: file */
        fenced ^= fence;
        generated = !strncmp(line, "<!-- table ", 11) ||
                    (generated && strncmp(line, "<!-- end", 8) != 0);
        if ((reference && reference < line + strcspn(line, " ")) || fence || fenced ||
            generated || !strncmp(line, "<!--", 4) || !strncmp(line, "#", 1) ||
            !strncmp(line, "←", 3) || !strncmp(line, "![", 2) ||
            !strncmp(line, "[the ladder]", 12))
            memset(line, ' ', length);
        for (char *at = line; at < line + length; at++)
            if (*at == '[' &&
                /* [09 – Register blocking](...): a chapter's name */
                isdigit((unsigned char)at[1]))
                for (; at < line + length && *at != ']'; at++)
                    *at = ' ';
            else if (*at == '`')
                for (at++; at < line + length && *at != '`'; at++)
                    *at = ' ';
    }
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Emphasised, or the words of a link to the glossary: `at` stands between *...* or
 * [...](...glossary.md). */
static int introduces(const char *text, const char *at, size_t length)
{
    const char *end = at + length;
    end += strspn(end, "abcdefghijklmnopqrstuvwxyz");
    for (const char *c = end; *c && c < end + 24; c++)
        if (*c == '*' || *c == ']') {
            const char *open = at;
            while (open > text && open > at - 24 && !strchr("*[\n", open[-1]))
                open--;
            if (open == text || !strchr("*[", open[-1]))
                return 0;
            if (*c == '*') /* once: bold words are no introduction */
                return open[-1] == '*' && c[1] != '*' && (open < text + 2 || open[-2] != '*');
            const char *glossary = strstr(c, "glossary.md");
            return glossary && glossary < c + 30;
        } else if (*c == '\n' && c[1] == '\n')
            break;
    return 0;
}

/* What is read in a minute; docs/ways.md says so, too. */
static const double WORDS_A_MINUTE = 80, CODE_LINES_A_MINUTE = 5, TABLE_ROWS_A_MINUTE = 10;

static int faults;

static void fault(const char *file, const char *what)
{
    fprintf(stderr, "%s: the short climb: %s\n", file, what);
    faults++;
}

/* How long a line takes; `code` says whether the lines around it are code. */
static double minutes_of(const char *line, size_t length, int *code)
{
    int words = 0;
    const char *reference = *line == '[' ? strstr(line, "]: ") : NULL;
    if (!strncmp(line + strspn(line, " "), "```", 3)) {
        *code = !*code;
        return 0;
    }
    if (*code)
        return length ? 1 / CODE_LINES_A_MINUTE : 0;
    if (*line == '|')
        return 1 / TABLE_ROWS_A_MINUTE;
    if (!strncmp(line, "<!--", 4) || (reference && reference < line + strcspn(line, " ")))
        return 0;
    for (const char *at = line; at < line + length; at++)
        words += *at != ' ' && (at == line || at[-1] == ' ');
    return words / WORDS_A_MINUTE;
}

/* Blanks out what the short climb leaves out. Returns the minutes that what is left takes, and
 * compares them with what the page says. `next` is the page to which it must lead, or NULL. */
static double keep_short_climb(const char *name, char *text, const char *next)
{
    char sign[1000], title[80], what[200];
    const char *begin = strstr(text, "\n**[The short climb]");
    int reading = 1, known = 0, code = 0, named = 0, seen = 0, says = 0;
    double minutes = 0;
    if (!begin) {
        fault(name,
              "no paragraph \"**[The short climb](...)**, N minutes here: *Section* ...\"");
        return 0;
    }
    begin++;
    size_t length = (size_t)(strstr(begin, "\n\n") - begin);
    snprintf(sign, sizeof sign, "%.*s", length < sizeof sign ? (int)length : 999, begin);
    for (const char *star = sign; (star = strchr(star, '*')); star++)
        named++;
    named = (named - 4) / 2;
    const char *number = strstr(sign, "**, ");
    if (!number || sscanf(number, "**, %d minutes", &says) != 1)
        fault(name, "its paragraph does not say how many minutes");
    if (next) {
        const char *end = strrchr(next, '/'), *folder = end;
        while (folder > next && folder[-1] != '/')
            folder--;
        snprintf(title, sizeof title, "(../%.*s/README.md)", (int)(end - folder), folder);
        if (!strstr(sign, title))
            fault(name, "its paragraph does not lead to the next page");
    }
    for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        length = strcspn(line, "\n");
        if (!code && !strncmp(line, "## ", 3)) {
            snprintf(title, sizeof title, "*%.*s*", (int)length - 3, line + 3);
            reading = strstr(sign, title) != NULL;
            seen += reading;
        }
        reading &= strncmp(line, "*The short climb leaves", 23) != 0;
        double takes = minutes_of(line, length, &code);
        minutes += reading ? takes : 0;
        known = length && (known || !strncmp(line, "You should know:", 16));
        if (!reading || known)
            memset(line, ' ', length);
    }
    if (seen != named) {
        snprintf(what, sizeof what, "%d of its %d sections are there", seen, named);
        fault(name, what);
    }
    if (fabs(minutes - says) > 1) {
        snprintf(what, sizeof what, "it says %d minutes, and by its length it is %.1f", says,
                 minutes);
        fault(name, what);
    }
    return minutes;
}

/* `next` is the page after it on the short climb. Returns the minutes there, 0 elsewhere. */
static double read_page(const char *name, int is_short, const char *next)
{
    char *text = read_file(name), *end;
    double minutes = is_short ? keep_short_climb(name, text, next) : 0;
    leave_prose(text);
    end = text + strlen(text);
    for (struct term *t = terms; t < terms + term_count; t++)
        for (const char *at = text; (at = find(at, end, t->name)); at += strlen(t->name)) {
            if (!t->used.line)
                t->used = (struct where){name, line_of(text, at)};
            if (!t->introduced.line && introduces(text, at, strlen(t->name)))
                t->introduced = (struct where){name, line_of(text, at)};
        }
    return minutes;
}

/* "steps/06-gpu-naive/README.md" as "06", "docs/cuda-primer.md" as the primer; a link from
 * docs/. */
static void print_place(struct where w)
{
    if (!strncmp(w.file, "steps/", 6))
        printf("[step %.2s](../%s)", w.file + 6, w.file);
    else
        printf("[the primer](%s)", w.file + 5);
}

int main(int argc, char **argv)
{
    int is_short = argc > 1 && !strcmp(argv[1], "--short");
    double minutes = 0;
    int most = is_short && argc > 2 ? atoi(argv[2]) : 0, pages = is_short ? 4 : 2;
    if (argc <= pages || (is_short && most <= 0)) {
        fprintf(stderr, "usage: terms [--short MINUTES] GLOSSARY.md PAGE.md...\n");
        return 2;
    }
    read_glossary(argv[pages - 1]);
    for (int i = pages; i < argc; i++)
        minutes += read_page(argv[i], is_short, i + 1 < argc ? argv[i + 1] : NULL);
    if (is_short) {
        printf("the short climb: %d pages, %.0f minutes\n\n", argc - pages, minutes);
        if (minutes > most)
            fault(argv[argc - 1], "all pages together take too long");
    }
    printf("| term | introduced in | first used in |\n| --- | --- | --- |\n");
    for (struct term *t = terms; t < terms + term_count; t++) {
        if (!t->used.line)
            continue;
        int missing = !t->introduced.line;
        int late = !missing && (strcmp(t->introduced.file, t->used.file) ||
                                t->introduced.line > t->used.line);
        if (missing || late) {
            fprintf(
                stderr, "%s:%d: \"%s\" is used, but %s\n", t->used.file, t->used.line, t->name,
                missing ? "nowhere introduced (write it as *term*, or link it to the glossary)"
                        : "it is introduced only later");
            faults++;
            continue;
        }
        printf("| %s | ", t->shown);
        print_place(t->introduced);
        printf(" | ");
        print_place(t->used);
        printf(" |\n");
    }
    return faults > 0;
}
