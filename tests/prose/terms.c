/* SPDX-License-Identifier: MIT */
/* terms GLOSSARY PAGE...: where each term of the glossary is introduced, the pages being given
 * in the order in which they are read. Prints a Markdown table of the terms that the pages use.
 * A term is introduced where it is emphasised, *half-warp*, or linked to the glossary.
 *
 * Exit status: 0, or 1 if a page uses a term that no page up to there introduces; 2 bad usage,
 * 3 a file that cannot be read.
 */
#include <ctype.h>
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
    int fenced = 0;
    for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
        int fence = !strncmp(line + blanks, "```", 3);
        const char *reference = *line == '[' ? strstr(line, "]: ") : NULL; /* [name]: file */
        fenced ^= fence;
        if ((reference && reference < line + strcspn(line, " ")) || fence || fenced ||
            !strncmp(line, "<!--", 4) || !strncmp(line, "#", 1) || !strncmp(line, "←", 3) ||
            !strncmp(line, "![", 2) || !strncmp(line, "[the ladder]", 12))
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

static void read_page(const char *name)
{
    char *text = read_file(name), *end;
    leave_prose(text);
    end = text + strlen(text);
    for (struct term *t = terms; t < terms + term_count; t++)
        for (const char *at = text; (at = find(at, end, t->name)); at += strlen(t->name)) {
            if (!t->used.line)
                t->used = (struct where){name, line_of(text, at)};
            if (!t->introduced.line && introduces(text, at, strlen(t->name)))
                t->introduced = (struct where){name, line_of(text, at)};
        }
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
    int faults = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: terms GLOSSARY.md PAGE.md...\n");
        return 2;
    }
    read_glossary(argv[1]);
    for (int i = 2; i < argc; i++)
        read_page(argv[i]);
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
