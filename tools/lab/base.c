/* SPDX-License-Identifier: MIT */
#include "lab.h"

#include "common/device/host.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every text that text() made, newest first. */
struct kept {
    struct kept *next;
    char content[];
};
static struct kept *texts;

char *buffer(size_t bytes)
{
    struct kept *kept = malloc(sizeof *kept + bytes + 1);
    if (!kept)
        die(RESOURCE, "memory ran out");
    kept->content[0] = kept->content[bytes] = '\0';
    kept->next = texts;
    texts = kept;
    return kept->content;
}

char *text(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *result = buffer((size_t)length);
    vsnprintf(result, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return result;
}

void stream_begin(struct stream *s)
{
    s->out = open_memstream(&s->bytes, &s->size);
    if (!s->out)
        die(RESOURCE, "memory ran out");
}

char *stream_end(struct stream *s)
{
    if (fclose(s->out) != 0)
        die(RESOURCE, "memory ran out");
    char *result = memcpy(buffer(s->size), s->bytes, s->size);
    free(s->bytes);
    return result;
}

const void *texts_mark(void) { return texts; }

void texts_release(const void *mark)
{
    while (texts && texts != mark) {
        struct kept *next = texts->next;
        free(texts);
        texts = next;
    }
}

/* ---- temporary files ---- */

static char folder[PATH_MAX]; /* "": none is made yet */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

void remove_scratch(void)
{
    if (*folder)
        nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    *folder = '\0';
}

const char *empty_folder(const char *name)
{
    const char *path = text("%s/%s", scratch(), name);
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    make_folders(path);
    return path;
}

const char *scratch(void)
{
    const char *parent = getenv("TMPDIR");
    if (*folder)
        return folder;
    parent = parent && *parent ? parent : "/tmp";
    snprintf(folder, sizeof folder, "%s/lab.XXXXXX", parent);
    if (!mkdtemp(folder)) {
        int reason = errno;
        *folder = '\0';
        die(RESOURCE, "no room for temporary files in %s: %s", parent, strerror(reason));
    }
    atexit(remove_scratch);
    return folder;
}

/* ---- messages and the end ---- */

void die(int status, const char *format, ...)
{
    char message[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "lab: %s\n", make_printable(message));
    exit(status);
}

const char *colour(enum colour colour)
{
    static const char *const codes[] = {"\033[0m", "\033[32m", "\033[31m"};
    const char *no = getenv("NO_COLOR");
    return terminal_is_live(stdout) && !(no && *no) ? codes[colour] : "";
}

/* ---- files ---- */

bool exists(const char *path) { return access(path, F_OK) == 0; }

char *read_file(const char *path, size_t *size)
{
    struct stat info; /* asked for first: opening a pipe waits for somebody who writes */
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > 1 << 24)
        return NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *content = buffer((size_t)info.st_size);
    size_t got = fread(content, 1, (size_t)info.st_size, file);
    bool failed = ferror(file);
    fclose(file);
    content[got] = '\0';
    if (size)
        *size = got;
    return failed ? NULL : content;
}

void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    bool written = file && fputs(content, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        die(RESOURCE, "cannot write %s: %s", path, strerror(errno));
}

void make_folders(const char *path)
{
    char *part = text("%s", path);
    int why = 0;
    for (size_t i = 0; part[i]; i++)
        if (i > 0 && part[i] == '/') {
            part[i] = '\0';
            if (mkdir(part, 0777) != 0 && errno != EEXIST && !why)
                why = errno; /* the first folder that fails says more than those inside it */
            part[i] = '/';
        }
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
        die(RESOURCE, "cannot write into %s: %s", path, strerror(why ? why : errno));
}

const char *shown_path(const struct lab *lab, const char *path)
{
    size_t length = strlen(lab->root);
    bool inside = strncmp(path, lab->root, length) == 0 && path[length] == '/';
    return make_printable(text("%s", inside ? path + length + 1 : path));
}

const char *setting(const struct lab *lab, const char *name)
{
    char *rest = read_file(text("%s/lab/settings", lab->build), NULL);
    size_t length = strlen(name);
    for (char *line; (line = next_line(&rest));)
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            return line + length + 1;
    return "";
}

/* ---- words and lines ---- */

long whole_number(const char *option, const char *word, long least, long most)
{
    size_t digits = strspn(word, "0123456789");
    if (!digits || digits > 9 || word[digits] || (digits > 1 && *word == '0') ||
        atol(word) < least || atol(word) > most)
        die(USAGE, "%s takes a whole number from %ld to %ld, not '%s'", option, least, most,
            word);
    return atol(word);
}

size_t word_length(const char *s)
{
    return strspn(s, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
}

int split_words(char *line, char *words[], int most)
{
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word && count < most;
         word = strtok_r(NULL, " \t\r\n", &rest))
        words[count++] = word;
    return count;
}

char *next_line(char **rest)
{
    char *line = *rest, *end;
    if (!line || !*line)
        return NULL;
    end = strchr(line, '\n');
    if (end)
        *end++ = '\0';
    *rest = end;
    return line;
}

/* Bytes of the character that begins there; 0: it is not UTF-8. */
static size_t character_length(const unsigned char *c)
{
    size_t length = *c < 0x80   ? 1
                    : *c < 0xc2 ? 0
                    : *c < 0xe0 ? 2
                    : *c < 0xf0 ? 3
                    : *c < 0xf5 ? 4
                                : 0;
    for (size_t i = 1; i < length; i++)
        if (c[i] < 0x80 || c[i] > 0xbf)
            return 0;
    return length;
}

char *make_printable(char *s)
{
    for (unsigned char *c = (unsigned char *)s; *c;) {
        size_t length = character_length(c);
        bool control = length == 1 ? (*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f
                                   : length == 2 && c[0] == 0xc2 && c[1] < 0xa0;
        /* U+202A to U+202E and U+2066 to U+2069 change the direction of writing; U+200B to
           U+200F have no width. */
        bool turns = length == 3 && c[0] == 0xe2 &&
                     ((c[1] == 0x80 &&
                       ((c[2] >= 0xaa && c[2] <= 0xae) || (c[2] >= 0x8b && c[2] <= 0x8f))) ||
                      (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
        if (!length || control || turns)
            memset(c, '?', length ? length : 1);
        c += length ? length : 1;
    }
    return s;
}
