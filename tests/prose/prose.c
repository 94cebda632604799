/* SPDX-License-Identifier: MIT */
/* prose FILE...: holds the chapters and pages to the measure they are written to, and the hints
 * of an exercise, which stand in its source.
 *
 * Printed for each fault is FILE:LINE: what is wrong and what to do about it. Exit status: 0
 * none, 1 some, 2 bad usage, 3 a file that cannot be read.
 *
 * - In every file: a sentence of more than 35 words; a table whose rows do not have the cells
 *   of its headline (usually an unescaped |); a link or a picture to a file that is not there.
 * - In a chapter, steps/NN-xx/README.md: 1,200 to 3,000 words of prose; the seven headings in
 *   their order; above them "You should know" and the time; a last paragraph that links to the
 *   next chapter, where there is one; no table of more than eight rows or six columns; no code
 * of more than forty lines in one piece.
 *
 * - In a step's files: a table of counts by the rules of 2008 is followed by one by today's.
 *
 * A long sentence, table or piece of code that is meant to be so has
 * `<!-- long: the reason -->` on the line before its paragraph.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SENTENCE = 35,
    FEWEST = 1200,
    MOST = 3000, /* words of prose in a chapter */
    ROWS = 8,
    COLUMNS = 6, /* of a table in a chapter */
    CODE = 40,   /* lines in one piece */
    HEADINGS = 7
};
static const char *const headings[HEADINGS] = {
    "The idea",           "Picture",  "What it should cost", "The code", "What it does cost",
    "Why the difference", "Exercises"};

struct reader {
    const char *file;
    int chapter; /* held to a chapter's measure as well */
    int line, faults, words, headings_seen, before, allowed;
    char paragraph[65536];
    size_t length;
    int starts;       /* the paragraph's first line */
    char last[65536]; /* the last paragraph that was complete */
    int cells, rows, table_starts;
    int fenced, code_starts;
    int counted; /* the line of a table of counts that waits for the one by today's rules */
};

static void fault(struct reader *r, int line, const char *what, const char *detail)
{
    printf("%s:%d: %s%s%s\n", r->file, line, what, *detail ? ": " : "", detail);
    r->faults++;
}

static void fault_number(struct reader *r, int line, const char *format, int number)
{
    char text[200];
    snprintf(text, sizeof text, format, number);
    fault(r, line, text, "");
}

/* Leaves of Markdown what is read aloud: a link's words, and one word for a piece of code. */
static void plain(const char *from, char *to)
{
    while (*from) {
        if (*from == '`') {
            const char *end = strchr(from + 1, '`');
            if (end) {
                *to++ = 'X';
                from = end + 1;
                continue;
            }
        }
        if (from[0] == ']' && (from[1] == '(' || from[1] == '[')) {
            const char *end = strchr(from + 2, from[1] == '(' ? ')' : ']');
            if (end) {
                from = end + 1;
                continue;
            }
        }
        if (strchr("[]*!", *from) && !(*from == '!' && from[1] != '[')) {
            from++;
            continue;
        }
        *to++ = *from++;
    }
    *to = 0;
}

static int is_abbreviation(const char *word)
{
    static const char *const known[] = {"al.",  "e.g.", "i.e.", "vs.",
                                        "Fig.", "No.",  "Alg.", "St."};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i]))
            return 1;
    return 0;
}

/* Whether a sentence ends with `word`, the next one being `next` (or NULL). */
static int ends(const char *word, const char *next)
{
    size_t length = strlen(word);
    while (length && strchr(")\"'", word[length - 1]))
        length--;
    if (!length || !strchr(".!?", word[length - 1]) || is_abbreviation(word))
        return 0;
    return !next || isupper((unsigned char)*next) || isdigit((unsigned char)*next) ||
           strchr("(\"'", *next) || (unsigned char)*next >= 0x80;
}

static int is_word(const char *word)
{
    for (; *word; word++)
        if (isalnum((unsigned char)*word))
            return 1;
    return 0;
}

static void end_paragraph(struct reader *r)
{
    static char text[65536];
    char beginning[80] = "", *word, *next;
    int words = 0;
    if (!r->length)
        return;
    r->paragraph[r->length] = 0;
    memcpy(r->last, r->paragraph, r->length + 1);
    if (!strncmp(r->paragraph, "You should know: ", 17))
        r->before = strstr(r->paragraph, "minutes.") || strstr(r->paragraph, "hour");
    plain(r->paragraph, text);
    for (word = strtok(text, " \t\n"); word; word = next) {
        next = strtok(NULL, " \t\n");
        if (is_word(word)) {
            words++;
            r->words++;
        }
        if (strlen(beginning) + strlen(word) + 2 < sizeof beginning && words <= 8)
            strcat(strcat(beginning, *beginning ? " " : ""), word);
        if (next && !ends(word, next))
            continue;
        if (words > SENTENCE && !r->allowed) {
            char what[80];
            snprintf(what, sizeof what, "a sentence of %d words; make two of it", words);
            fault(r, r->starts, what, beginning);
        }
        words = 0;
        *beginning = 0;
    }
    r->length = 0;
    r->allowed = 0;
}

static void add_to_paragraph(struct reader *r, const char *line)
{
    size_t length = strlen(line);
    if (!r->length)
        r->starts = r->line;
    if (r->length + length + 2 >= sizeof r->paragraph)
        return;
    memcpy(r->paragraph + r->length, line, length);
    r->length += length;
    r->paragraph[r->length++] = '\n';
}

static void end_table(struct reader *r)
{
    int rows = r->rows - 2; /* without the headline and the line below it */
    if (r->cells && r->chapter && !r->allowed) {
        if (rows > ROWS)
            fault_number(r, r->table_starts,
                         "a table of %d rows; more than 8 go to appendix.md", rows);
        if (r->cells > COLUMNS)
            fault_number(r, r->table_starts,
                         "a table of %d columns; more than 6 go to appendix.md", r->cells);
    }
    if (r->cells)
        r->allowed = 0;
    r->cells = r->rows = 0;
}

static void table_row(struct reader *r, const char *line)
{
    int cells = -1;
    for (const char *at = line; *at; at++)
        if (*at == '|' && (at == line || at[-1] != '\\'))
            cells++;
    if (!r->cells) {
        r->cells = cells;
        r->table_starts = r->line;
    } else if (cells != r->cells) {
        char detail[100];
        snprintf(detail, sizeof detail,
                 "%d cells, the headline has %d; write a | that is no border as \\|", cells,
                 r->cells);
        fault(r, r->line, "a row of a table", detail);
    }
    r->rows++;
}

static void heading(struct reader *r, const char *text)
{
    for (int i = 0; i < HEADINGS; i++)
        if (!strcmp(text, headings[i])) {
            if (i != r->headings_seen)
                fault(r, r->line, "a heading out of order", text);
            if (i == 0 && !r->before)
                fault(r, r->line,
                      "no \"You should know: ... About N minutes.\" above this heading", "");
            r->headings_seen = i + 1;
        }
}

static int fence(struct reader *r, const char *line)
{
    if (strncmp(line + strspn(line, " "), "```", 3))
        return r->fenced;
    end_paragraph(r);
    end_table(r);
    if (!r->fenced)
        r->code_starts = r->line;
    else if (r->chapter && r->line - r->code_starts - 1 > CODE && !r->allowed)
        fault_number(r, r->code_starts, "%d lines of code in one piece; 40 are the most",
                     r->line - r->code_starts - 1);
    if (r->fenced)
        r->allowed = 0;
    r->fenced = !r->fenced;
    return 1;
}

/* Links and pictures: [words](file#place), relative to the page. */
static void check_links(struct reader *r, const char *line)
{
    for (const char *at = line; (at = strstr(at, "](")); at += 2) {
        const char *target = at + 2, *slash = strrchr(r->file, '/');
        size_t length = strcspn(target, "#) ");
        char path[4096];
        if (!length || !strncmp(target, "http", 4) || !strncmp(target, "mailto:", 7))
            continue;
        snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - r->file) + 1 : 0, r->file,
                 (int)length, target);
        if (access(path, F_OK) != 0)
            fault(r, r->line, "a link to a file that is not there", path);
    }
}

/* A mark of tools/chapters; "" at the end of the file. */
static void table_mark(struct reader *r, const char *mark)
{
    if (r->counted && !strstr(mark, " today"))
        fault(r, r->counted, "no table by today's rules follows",
              "<!-- table docs/results/simulated/today.jsonl today step=NN-name -->");
    r->counted = strstr(mark, " counts") && strstr(r->file, "steps/") ? r->line : 0;
}

static void read_line(struct reader *r, char *line)
{
    line[strcspn(line, "\r\n")] = 0;
    const char *text = line + strspn(line, " ");
    if (fence(r, line))
        return;
    if (*line == '[' && strstr(line, "]: ") && strstr(line, "]: ") < line + strcspn(line, " "))
        return; /* [name]: where a reference leads; see claims.c */
    check_links(r, line);
    if (*text == '|') {
        end_paragraph(r);
        table_row(r, text);
        return;
    }
    end_table(r);
    if (!strncmp(text, "<!--", 4)) {
        end_paragraph(r);
        r->allowed |= !strncmp(text, "<!-- long: ", 11);
        if (!strncmp(text, "<!-- table ", 11))
            table_mark(r, text);
    } else if (!*text || *text == '#') {
        end_paragraph(r);
        if (r->chapter && !strncmp(text, "## ", 3))
            heading(r, text + 3);
    } else {
        int item = !strncmp(text, "* ", 2) || !strncmp(text, "- ", 2);
        const char *digits = text + strspn(text, "0123456789");
        if (item || (digits > text && !strncmp(digits, ". ", 2)))
            end_paragraph(r);
        if (!r->length && !strncmp(text, "![", 2))
            return; /* a picture */
        add_to_paragraph(r, digits > text && *digits == '.' ? digits + 1 : text + 2 * item);
    }
}

/* steps/NN-name/README.md, wherever the repository lies. */
static int is_chapter(const char *file)
{
    const char *steps = strstr(file, "steps/"), *at = steps;
    while (at && (at = strstr(at + 1, "steps/")))
        steps = at;
    return steps && strlen(file) > 10 && !strcmp(file + strlen(file) - 10, "/README.md");
}

/* Writes the link that leads to the next chapter: its folder follows that of `file` in the
 * order of their names. Empty for the last chapter. */
static void next_chapter(const char *file, char *link, size_t size)
{
    const char *end = strrchr(file, '/'), *name = end;
    char steps[4096], own[256], next[256] = "";
    while (name > file && name[-1] != '/')
        name--;
    snprintf(steps, sizeof steps, "%.*s.", (int)(name - file), file);
    snprintf(own, sizeof own, "%.*s", (int)(end - name), name);
    DIR *folder = opendir(steps);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, own) > 0 && (!*next || strcmp(entry->d_name, next) < 0))
            snprintf(next, sizeof next, "%s", entry->d_name);
    if (folder)
        closedir(folder);
    snprintf(link, size, *next ? "(../%s/README.md)" : "%s", next);
}

static int check(const char *name)
{
    static struct reader r;
    static char line[65536];
    char next[512];
    memset(&r, 0, sizeof r);
    r.file = name;
    r.chapter = is_chapter(name);
    FILE *file = fopen(name, "r");
    if (!file) {
        fprintf(stderr, "prose: %s cannot be read; run it from the repository's root\n", name);
        exit(3);
    }
    int source = strstr(name, "/source.c") != NULL, prose = !source;
    while (fgets(line, sizeof line, file)) {
        r.line++;
        prose = prose && !(source && !strcmp(line, "*/\n"));
        if (prose)
            read_line(&r, line);
        prose = prose || !strcmp(line, "/* HINTS\n");
    }
    fclose(file);
    end_table(&r);
    end_paragraph(&r);
    table_mark(&r, "");
    if (r.chapter) {
        if (r.words < FEWEST || r.words > MOST)
            fault_number(&r, 1, "%d words of prose; a chapter has 1200 to 3000", r.words);
        if (r.headings_seen != HEADINGS)
            fault(&r, 1, "the seven headings of a chapter are not all there", "");
        next_chapter(name, next, sizeof next);
        if (!strstr(r.last, next))
            fault(&r, r.line, "the last paragraph does not lead to the next chapter", next);
    }
    return r.faults;
}

int main(int argc, char **argv)
{
    int faults = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: prose FILE.md...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        faults += check(argv[i]);
    printf("%d files, %d faults\n", argc - 1, faults);
    return faults > 0;
}
