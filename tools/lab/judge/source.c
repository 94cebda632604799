/* SPDX-License-Identifier: MIT */
/** @file source.c
 * Makes the stub and the solution from one annotated source, and checks that a learner's file
 * differs from the stub only where it may.
 *
 * The annotated source (source.c or source.cu in the exercise's folder) is the solution as it
 * compiles. Between the marks YOUR CODE and END are the solution's lines, and comments STUB
 * with the lines that the stub has there instead.
 */
#include "compile.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const char begin_mark[] = "/* YOUR CODE", end_mark[] = "/* END */",
                  stub_mark[] = "/* STUB:";

bool begins_region(const char *line) { return strstr(line, begin_mark) != NULL; }
bool ends_region(const char *line) { return strstr(line, end_mark) != NULL; }

/* The line of the stub in a comment STUB, with the comment's indentation and that after the
   first blank; NULL if the line is no such comment. */
static const char *stub_line(const char *line)
{
    const char *mark = strstr(line, stub_mark), *end = strstr(line, "*/");
    if (!mark || !end)
        return NULL;
    const char *content = mark + strlen(stub_mark);
    if (*content == ' ')
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
    char *source = exercise_text(lab, exercise, text("source.%s", suffix));
    if (!source)
        die(RESOURCE, "%s has no source.%s", exercise, suffix);
    return source;
}

char *exercise_source(const struct lab *lab, const char *exercise, enum made made)
{
    char *rest = annotated(lab, exercise);
    bool inside = false;
    struct stream result;
    stream_begin(&result);
    for (char *line; (line = next_line(&rest));) {
        const char *replacement = inside ? stub_line(line) : NULL;
        inside = inside && !ends_region(line);
        if (replacement ? made != SOLUTION : made == SOLUTION || !inside)
            fprintf(result.out, "%s\n", replacement && made == STUB ? replacement : line);
        inside = inside || begins_region(line);
    }
    return stream_end(&result);
}

/* Joins the lines of a mark that a formatter has broken. The lines after it become empty, so
   that all others keep their numbers. */
static void join_marks(char *content)
{
    for (char *mark = content; (mark = strstr(mark, begin_mark)); mark++) {
        char *end = strstr(mark, "*/"), *to;
        int lines = 0;
        if (!end)
            return;
        for (char *c = to = mark; c < end + 2; c++) {
            bool broken = *c == '\n';
            lines += broken;
            if (broken) /* and the blanks or the asterisk that the next line begins with */
                while (c + 1 < end && strchr(" \t*", c[1]))
                    c++;
            *to++ = *c;
            to[-1] = broken ? ' ' : *c;
        }
        while (lines-- > 0)
            *to++ = '\n';
        if (to < end + 2)
            memmove(to, end + 2, strlen(end + 2) + 1);
    }
}

char *normalised(const char *content)
{
    char *result = text("%s\n", content), *to = result;
    const char *from = begins_with(content, "\xef\xbb\xbf") ? content + 3 : content;
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
    join_marks(result);
    return result;
}

/* ---- what is outside the regions ---- */

/* The lines outside regions, marks included, empty ones left out. */
struct frame {
    char **lines;
    int count, regions;
    const char *wrong; /* what is wrong with the marks; NULL: nothing */
};

/* A line of the frame. The words after YOUR CODE in a mark's comment may be changed; a line
 * with more than a mark may not. */
static char *frame_line(char *line)
{
    size_t length = strlen(line);
    const char *mark = line + strspn(line, " \t"), *end = strstr(mark, "*/");
    bool alone = begins_with(mark, begin_mark) && end && end == line + length - 2;
    return alone ? text("%s */", begin_mark) : line;
}

static struct frame frame_of(const char *content)
{
    struct frame frame = {0};
    char *rest = text("%s", content);
    size_t most = 2;
    for (const char *c = content; *c; c++)
        most += *c == '\n';
    frame.lines = (char **)(void *)buffer(most * sizeof *frame.lines);
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

/* The text between the marks of region `number`, from 0; NULL: there are fewer. */
static char *region_of(const char *content, int number)
{
    char *rest = text("%s", content), *result = text("%s\n", content), *to = result;
    int at = -1;
    bool inside = false;
    for (char *line; (line = next_line(&rest));) {
        inside = inside && !ends_region(line);
        if (inside && at == number)
            to += sprintf(to, "%s\n", line);
        at += begins_region(line);
        inside = inside || begins_region(line);
    }
    *to = '\0';
    return number <= at ? result : NULL;
}

/* The text below region `number`, from 0. */
static const char *below_region(const char *content, int number)
{
    for (; number >= 0 && content; number--)
        content = (content = strstr(content, begin_mark)) ? strstr(content, end_mark) : NULL;
    return content ? content : "";
}

/* The end of a comment, a string or a character that begins there; NULL for anything else. */
static const char *end_of_token(const char *c)
{
    const char *end = NULL;
    if (c[0] == '/' && c[1] == '*')
        return (end = strstr(c + 2, "*/")) ? end + 2 : c + strlen(c);
    if (c[0] == '/' && c[1] == '/')
        return c + strcspn(c, "\n");
    if (*c != '"' && *c != '\'')
        return NULL;
    for (end = c + 1; *end && *end != *c; end++)
        end += *end == '\\' && end[1];
    return *end ? end + 1 : end;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The code with neighbouring #include lines in alphabetical order, as formatters put them. */
static char *with_sorted_includes(char *code)
{
    enum { MOST = 32 };
    char *includes[MOST];
    struct stream sorted;
    stream_begin(&sorted);
    int count = 0;
    for (char *line; (line = next_line(&code)) || count;) {
        bool include = line && begins_with(line, "#include");
        if (include && count < MOST)
            includes[count++] = line;
        if (include && count < MOST)
            continue;
        qsort(includes, (size_t)count, sizeof *includes, by_text);
        for (int i = 0; i < count; i++)
            fprintf(sorted.out, "%s\n", includes[i]);
        count = 0;
        if (line && !include)
            fprintf(sorted.out, "%s\n", line);
        if (!line)
            break;
    }
    return stream_end(&sorted);
}

static char *lines_of(const struct frame *frame)
{
    struct stream all;
    stream_begin(&all);
    for (int i = 0; i < frame->count; i++)
        fprintf(all.out, "%s\n", frame->lines[i]);
    return stream_end(&all);
}

/* A frame's code without what editors change when they format a file: comments, blanks, and the
   order of headers. The marks remain, and blanks and the end of the line in directives. */
static char *code_of(const struct frame *frame)
{
    const char *all = lines_of(frame);
    char *result = buffer(2 * strlen(all)), *to = result;
    bool in_directive = false, line_begins = true;
    for (const char *c = all, *end; *c; c = end) {
        bool comment = c[0] == '/' && (c[1] == '*' || c[1] == '/');
        end = end_of_token(c) ? end_of_token(c) : c + 1;
        if (*c == '\n') {
            line_begins = true;
        } else if (comment ? begins_with(c, begin_mark) || begins_with(c, end_mark)
                           : !isspace((unsigned char)*c)) {
            if (line_begins && (in_directive || *c == '#'))
                *to++ = '\n';
            in_directive = line_begins ? *c == '#' : in_directive;
            line_begins = false;
            bool joined = *c == '"' && to > result && to[-1] == '"'; /* "ab" is "a" "b" */
            to -= joined;
            bool begins = begins_with(c, begin_mark); /* whatever it says */
            to += begins ? sprintf(to, "%s */", begin_mark)
                         : sprintf(to, "%.*s", (int)(end - c) - joined, c + joined);
        } else if (in_directive && !line_begins && to[-1] != ' ') {
            *to++ = ' ';
        }
    }
    *to = '\0';
    return with_sorted_includes(result);
}

static const char *compare_frames(const char *stub, const char *content, char **detail)
{
    struct frame wanted = frame_of(stub), found = frame_of(content);
    int at = 0;
    while (at < wanted.count && at < found.count &&
           strcmp(wanted.lines[at], found.lines[at]) == 0)
        at++;
    if (!content[strspn(content, " \t\r\n")])
        return "the file is empty";
    if (found.wrong) {
        *detail = text("%s Leave the marks as they were: one YOUR CODE and one END each.",
                       found.wrong);
        return "changed outside the marked regions";
    }
    if (found.regions > wanted.regions) {
        *detail = text("There are %d regions marked YOUR CODE; the exercise has %d. What you "
                       "need goes into\nthe one that is there.",
                       found.regions, wanted.regions);
        return "a second marked region";
    }
    if ((at == wanted.count && at == found.count) ||
        strcmp(code_of(&wanted), code_of(&found)) == 0)
        return NULL;
    const char *line = at < found.count ? found.lines[at] : "(the end of the file)";
    *detail = text("Change only what is between YOUR CODE and END, and leave these marks in. "
                   "Expected (<)\nand found (>):\n< %s\n> %s%s",
                   at < wanted.count ? wanted.lines[at] : "(the end of the file)", line,
                   begins_with(line, "#include") ? "\nA header may be included below YOUR CODE."
                                                 : "");
    return "changed outside the marked regions";
}

/* ---- what is inside ---- */

/* The code with continued lines joined, as the compiler does before anything else. It accepts
 * any blanks after the backslash. */
static char *joined(const char *code)
{
    char *result = text("%s", code), *to = result;
    for (const char *c = code; *c; c++) {
        size_t blanks = *c == '\\' ? strspn(c + 1, " \t\r\f\v") : 0;
        if (*c == '\\' && c[1 + blanks] == '\n')
            c += 1 + blanks;
        else
            *to++ = *c;
    }
    *to = '\0';
    return result;
}

/* The length of a number, whose digits may be separated in C++: 1'000'000. */
static size_t number_length(const char *c)
{
    size_t length = 1;
    while (word_length(c + length) || c[length] == '.' ||
           (c[length] == '\'' && word_length(c + length + 1)))
        length++;
    return length;
}

/* Which of the beginnings, a list that ends with NULL, the text has; NULL: none. */
static const char *beginning(const char *s, const char *const starts[])
{
    while (*starts && strncmp(s, *starts, strlen(*starts)) != 0)
        starts++;
    return *starts;
}

static const char *const pragmas[] = {"omp",       "unroll",         "nounroll", "region",
                                      "endregion", "nv_diag",        "STDC",     "GCC unroll",
                                      "GCC ivdep", "GCC diagnostic", NULL};

/* The end of ("GCC ivdep") after _Pragma; NULL if it is something else. */
static const char *end_of_pragma(const char *c)
{
    c += strspn(c, " \t");
    const char *text = *c == '(' ? c + 1 + strspn(c + 1, " \t") : c;
    const char *end = *text == '"' && beginning(text + 1, pragmas)
                          ? text + 1 + strcspn(text + 1, "\\\"\n")
                          : "";
    return end[0] == '"' && end[1] == ')' ? end + 1 : NULL;
}

/* The code without comments and the contents of strings, with continued lines joined.
 * *wrong gets a message if the compiler could read it differently. */
static char *bare_code(const char *code, bool cuda, const char **wrong)
{
    char *result = joined(code), *to = result;
    code = text("%s", result);
    for (const char *c = code; *c; c++) {
        if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            *to++ = ' ';
            if (!end) {
                *wrong = "A comment begins there that does not end in the same region.";
                break;
            }
            c = end + 1;
        } else if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n") - 1;
        } else if (*c == '"' || *c == '\'') {
            char quote = *c;
            *to++ = quote;
            for (c++; *c && *c != quote && *c != '\n'; c++)
                c += *c == '\\' && c[1];
            *to++ = *c == '\n' ? '\n' : quote;
            if (!*c)
                break;
        } else if (word_length(c)) {
            size_t length = isdigit((unsigned char)*c) ? number_length(c) : word_length(c);
            const char *end = has_word("_Pragma", text("%.*s", (int)length, c))
                                  ? end_of_pragma(c + length)
                                  : NULL;
            if (end) {
                c = end;
                continue;
            }
            if (!cuda && memchr(c, '\'', length))
                *wrong = "In C a number has its digits without a ' between them.";
            memcpy(to, c, length);
            to += length, c += length - 1;
        } else {
            *to++ = *c;
        }
    }
    *to = '\0';
    return result;
}

/* What follows the word where it is there first, not as a part of another one; NULL: nowhere.
 */
static const char *after_word(const char *code, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = code; (at = strstr(at, word)); at += length)
        if ((at == code || !word_length(at - 1)) && !word_length(at + length))
            return at + length;
    return NULL;
}

bool has_word(const char *code, const char *word) { return after_word(code, word); }

/* Whether the word is there with a ( after it. */
static bool calls(const char *code, const char *word)
{
    while ((code = after_word(code, word)))
        if (code[strspn(code, " \t\n")] == '(')
            return true;
    return false;
}

/* The name in <stdio.h>, if that is what follows #include; NULL for a file in a folder, which
 * could be the repository's. */
static const char *system_header(const char *rest)
{
    size_t length = begins_with(rest, "<sys/") ? strlen("<sys/") : 1;
    while (*rest && (word_length(rest + length) || rest[length] == '.'))
        length++;
    return *rest == '<' && length > 1 && rest[length] == '>'
               ? text("%.*s", (int)length - 1, rest + 1)
               : NULL;
}

/* On a GPU the libraries that multiply have headers with functions of their own, and the
 * simulated one does not see the memory that a processor's vector instructions read. */
static bool may_include(const char *header, bool cuda, bool open)
{
    bool library = (begins_with(header, "cu") && !begins_with(header, "cuda")) ||
                   strcmp(header, "mma.h") == 0;
    return !cuda ||
           !((library && !open) || strstr(header, "intrin") || begins_with(header, "arm_"));
}

/* The word that begins there. */
static const char *first_word(const char *at) { return text("%.*s", (int)word_length(at), at); }

/* The word after the # of a directive, "" for other lines; *rest is what follows it. */
static const char *directive(const char *line, const char **rest)
{
    static const char blanks[] = " \t\r\f\v";
    line += strspn(line, blanks);
    if (*line == '#')
        line++;
    else if (begins_with(line, "%:")) /* the same in another spelling */
        line += 2;
    else
        return "";
    line += strspn(line, blanks);
    const char *word = first_word(line);
    *rest = line + strlen(word);
    *rest += strspn(*rest, blanks);
    return word;
}

static bool is_one_of(const char *word, const char *list)
{
    return *word && has_word(list, word);
}

/* What the frame, or a macro that it uses, may expand to: STEP is step_f32, a failed call
 * gpu_failed(). Looks into the headers, because cudaCheck is a name like any other. */
static bool is_name_of_the_frame(const char *name, const char *headers)
{
    static const char *const starts[] = {"step_", "LADDER_", "model_", "gpu_", "simgpu",
                                         "cuda",  "cublas",  "SIMGPU", NULL};
    return (*name == '_' && (name[1] == '_' || isupper((unsigned char)name[1]))) ||
           (beginning(name, starts) && has_word(headers, name));
}

/* All headers that a frame may include. */
static const char *headers_of_frames(void)
{
    struct stream all;
    glob_t found;
    stream_begin(&all);
    if (glob(text("%s/{common,exercises,simgpu/include}{,/*,/*/*}/*.{h,cuh}", LADDER_ROOT),
             GLOB_BRACE, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            fprintf(all.out, "%s\n", read_file(found.gl_pathv[i], NULL));
    globfree(&found);
    return stream_end(&all);
}

/* Whether the stub leaves this constant to the region, as in `enum { ROW = 64 };`, and it
 * becomes a number: `#define ROW (64 + 1)`. */
static bool is_own_constant(const char *stub, const char *name, const char *value)
{
    value += strspn(value, " \t");
    bool in_brackets = *value == '(', own = false;
    value += in_brackets;
    value += strspn(value, in_brackets ? "0123456789 +-*" : "0123456789");
    char *code, *line;
    for (int region = 0; value[in_brackets] == '\0' && (code = region_of(stub, region));
         region++)
        while ((line = next_line(&code)))
            own = own || (begins_with(line, "enum {") && has_word(line, name));
    return own && (!in_brackets || *value == ')');
}

/* Names that begin so, and what is said of them; the last ones in a GPU exercise only. With
   those of glibc's macros a function gets a name of any text, and the assembler takes what
   follows a ; there for instructions. */
enum { BEGINNINGS = 12, OF_THE_SIMULATOR = 6 };
static const char *const beginnings[BEGINNINGS] = {
    "apart_", "APART_", "count_product", "__REDIRECT", "__ASMNAME", "__LDBL_REDIR",
    "simgpu", "SIMGPU", "__tsan_",       "__cxa_",     "__gxx_",    "_Unwind"};

/* They last to the end of the region (prepared()). */
static const char *const pragmas_in_c[] = {"GCC optimize", "GCC target", "GCC push_options",
                                           "GCC pop_options", NULL};

/* What a region is checked against: the stub, the code outside of its regions, and the goals.
 */
struct rules {
    const char *stub, *frame, *headers;
    bool cuda, open;
};

/* Checks one directive of a region; *depth counts open #if. */
static const char *check_directive(const char *line, const struct rules *r, int *depth,
                                   char **detail)
{
    static const char outside[] = "a directive that reaches outside the marked region",
                      changes[] = "a macro that changes what is outside the marked region",
                      known[] = "if ifdef ifndef else elif endif include define undef error "
                                "warning pragma";
    const char *rest = "", *word = directive(line, &rest);
    if (is_one_of(word, "if ifdef ifndef"))
        ++*depth;
    if (is_one_of(word, "else elif endif") && *depth == 0) {
        *detail = text("This #%s belongs to no #if of the same region.", word);
        return outside;
    }
    if (strcmp(word, "endif") == 0)
        --*depth;
    const char *header = system_header(rest);
    if (strcmp(word, "include") == 0 && !(header && may_include(header, r->cuda, r->open))) {
        *detail =
            text("%s\nThe system's headers may be added, as <stdio.h>, but no file of the "
                 "repository's, no library that\nmultiplies, and on a GPU no vector "
                 "instructions of the processor's.",
                 line);
        return "an #include inside a marked region";
    }
    const char *name = is_one_of(word, "define undef") ? first_word(rest) : NULL;
    if (name && is_name_of_the_frame(name, r->headers)) {
        *detail =
            text("%s is a name of the checker's or the compiler's: choose another one.", name);
        return changes;
    }
    if (name && has_word(r->frame, name) &&
        !is_own_constant(r->stub, name, rest + strlen(name))) {
        *detail = text("%s is used outside the region: choose another name.", name);
        return changes;
    }
    if ((*word && !is_one_of(word, known)) ||
        (strcmp(word, "pragma") == 0 && !is_one_of(rest, "once") && !beginning(rest, pragmas) &&
         (r->cuda || !beginning(rest, pragmas_in_c)))) {
        *detail = text("%s", line);
        return outside;
    }
    return NULL;
}

/* Words that are refused, in this order; those of the last row on a GPU. */
enum { FIRST_ON_A_GPU = 2 };
static const struct {
    const char *words, *headline, *detail; /* for printf, with the word */
} refused[] = {
    {"LADDER_TRACED LADDER_SIM __SIMGPU__", "code for the check alone",
     "%s tells the build that is checked from the others: both must run the same code."},
    /* Ways around the compiler. What GCC leaves out is seen all the same
       (simgpu/tools/assemble.c), but not with Clang. */
    {"asm __asm __asm__ _Pragma __pragma weakref __weakref__ "
     "no_sanitize __no_sanitize__ no_sanitize_thread __no_sanitize_thread__",
     "not plain C", WITHOUT},
    {"__managed__", "the GPU is to multiply",
     "With %s variables the product could be made by the processor."},
    /* a frame's note calls it, so that the object file cannot tell (inspect.c) */
    {"snprintf __builtin_snprintf", "not plain C", A_GPU_HAS_NO},
};

/* The word, if the code has it or makes it of others by ##; with `longer` one that begins with
 * it. NULL: there is none. */
static const char *makes_word(const char *code, const char *word, bool longer)
{
    /* Some of the system's headers have a macro that does it. */
    static const char *const pasters[] = {"##", "%:%:", "__CONCAT", "_ElfW", "LT__CONC"};
    bool pastes = false;
    for (size_t i = 0; i < sizeof pasters / sizeof *pasters; i++)
        pastes = pastes || strstr(code, pasters[i]);
    bool made[64] = {true}; /* [i]: whether the first i characters of the word can be made */
    for (size_t i = 0; word[i] && i < 63; i++) {
        for (size_t end = i + 1; made[i] && pastes && end <= strlen(word) && end < 64; end++)
            made[end] = made[end] || has_word(code, text("%.*s", (int)(end - i), word + i));
        for (const char *at = code; made[i] && *at; at += word_length(at) ? word_length(at) : 1)
            if (begins_with(at, word + i) && (longer || !word_length(at + strlen(word + i))))
                return text("%.*s%s", (int)i, word, first_word(at));
    }
    return NULL;
}

static const char *check_words(const char *bare, bool cuda, char **detail)
{
    for (int i = 0; i < (cuda ? BEGINNINGS : OF_THE_SIMULATOR); i++) {
        const char *name = makes_word(bare, beginnings[i], true);
        if (name) {
            *detail =
                text(i < OF_THE_SIMULATOR
                         ? "%s is the checker's or the compiler's: an answer does without it."
                         : "%s is the simulated GPU's own, and no other has it.",
                     name);
            return "not plain C";
        }
    }
    for (int i = 0; i < (int)(sizeof refused / sizeof *refused); i++) {
        char *words[64];
        int count = split_words(text("%s", refused[i].words), words, 64);
        for (int w = 0; w < count && (cuda || i < FIRST_ON_A_GPU); w++)
            if (makes_word(bare, words[w], false)) {
                *detail = text(refused[i].detail, words[w]);
                return refused[i].headline;
            }
    }
    /* An attribute's text goes to the assembler as it is. A variable may be named section. */
    static const char *const texts[] = {"section", "__section__", "symver", "__symver__"};
    bool attributes =
        makes_word(bare, "__attribute", true) || strstr(bare, "[[") || strstr(bare, "<:");
    for (size_t i = 0; attributes && i < sizeof texts / sizeof *texts; i++)
        if (makes_word(bare, texts[i], false) &&
            (has_word(bare, "define") || calls(bare, texts[i]))) {
            *detail = text("It is to be written without the attribute %s.", texts[i]);
            return "not plain C";
        }
    if (has_word(bare, "iostream") && strstr(bare, "<<") &&
        (has_word(bare, "cout") || has_word(bare, "cerr"))) {
        *detail = text("Its streams run before main(). Print by printf().");
        return "not plain C";
    }
    if (strstr(bare, "R\"")) {
        *detail = text("It is to be written without raw texts.");
        return "not plain C";
    }
    return NULL;
}

/* The directives of one region's bare code. */
static const char *check_directives(const char *code, const struct rules *r, char **detail)
{
    const char *headline = NULL;
    char *rest = text("%s", code);
    int depth = 0;
    for (char *line; !headline && (line = next_line(&rest));)
        headline = check_directive(line, r, &depth, detail);
    if (headline || !depth)
        return headline;
    *detail = text("An #if has no #endif in the same region.");
    return "a directive that reaches outside the marked region";
}

const char *check_regions(const struct lab *lab, const char *exercise, const char *content,
                          char **detail)
{
    *detail = NULL;
    const char *stub = exercise_source(lab, exercise, STUB);
    const char *headline = compare_frames(stub, content, detail);
    if (headline)
        return headline;
    struct frame wanted = frame_of(stub);
    char *frame = lines_of(&wanted);
    const char *wrong = NULL;
    bool cuda = is_for_gpu(lab, exercise);
    const char *forbidden = goal_words(lab, exercise, "forbid");
    frame = text("%s%s", bare_code(frame, cuda, &wrong), forbidden ? forbidden : "");
    const struct rules rules = {stub, frame, headers_of_frames(), cuda,
                                goal_words(lab, exercise, "open") != NULL};
    char *code, *all = text("%s", ""), *words[64];
    int count = split_words(text("%s", forbidden ? forbidden : ""), words, 64);
    for (int region = 0; (code = region_of(content, region)); region++) {
        code = bare_code(code, cuda, &wrong);
        all = text("%s%s\n", all, code);
        if (wrong) {
            *detail = text("%s", wrong);
            return "not plain C";
        }
        if ((headline = check_directives(code, &rules, detail)))
            return headline;
    }
    if ((headline = check_words(all, cuda, detail)))
        return headline;
    for (int i = 0; i < count; i++)
        if (begins_with(words[i], "__") ? makes_word(all, words[i], false) != NULL
            : word_length(words[i])     ? has_word(all, text("__builtin_%s", words[i]))
                                        : strstr(all, words[i]) != NULL) {
            *detail = text(WITHOUT, words[i]);
            return DOES_WITHOUT;
        }
    return NULL;
}

const char *own_lines(const struct lab *lab, const char *exercise, const char *content)
{
    const char *wrong = NULL;
    char *code, *stub = text("\n%s", normalised(exercise_source(lab, exercise, STUB)));
    struct stream own;
    content = normalised(content);
    stream_begin(&own);
    for (int region = 0; (code = region_of(content, region)); region++)
        for (char *line; (line = next_line(&code));)
            if (!strstr(stub, text("\n%s\n", line)))
                fprintf(own.out, "%s\n", line);
    return bare_code(stream_end(&own), is_for_gpu(lab, exercise), &wrong);
}

char *forbidden_words(const struct lab *lab, const char *exercise, const char *content)
{
    const char *wrong = NULL, *forbidden = goal_words(lab, exercise, "forbid");
    char *code, *all = text("%s", ""), *result = text("%s", ""), *words[64];
    for (int region = 0; (code = region_of(content, region)); region++)
        all = text("%s%s\n", all, bare_code(code, is_for_gpu(lab, exercise), &wrong));
    /* A constant keeps nothing: `static const int order[] = {1, 2};`. A pointer to one may. */
    for (char *at = all; (at = strstr(at, "static const ")); at += 6)
        if (at[strcspn(at, ";*&")] == ';')
            memset(at, ' ', 6);
    int count = split_words(
        text("strassen_scheme winograd_scheme %s", forbidden ? forbidden : ""), words, 64);
    for (int i = 0; i < count; i++)
        if (word_length(words[i]) && makes_word(all, words[i], false))
            result = text("%s%s ", result, words[i]);
    return result;
}

/* The directives that hide words in a region, so that such a name is the region's own there, or
 * that show them again. The line after them has this number. */
static const char *to_hide(const char *words, bool hide, int number)
{
    char *parts[64], *result = text("%s", "");
    int count = split_words(text("%s", words), parts, 64);
    for (int i = 0; i < count; i++)
        if (hide)
            result = text("%s#pragma push_macro(\"%s\")\n#undef %s\n#define %s %s_of_yours\n",
                          result, parts[i], parts[i], parts[i], parts[i]);
        else
            result = text("%s#pragma pop_macro(\"%s\")\n", result, parts[i]);
    return count ? text("%s#line %d\n", result, number) : "";
}

/* The functions that the frame defines below region `number`, from 0. A region's function of
   the same name could answer the frame's calls: it gets another name. */
static const char *defined_below(const char *content, int number)
{
    char *rest = text("%s", below_region(content, number)), *names = text("%s", "");
    bool inside = false;
    for (char *line; (line = next_line(&rest));) {
        char *open = strchr(line, '('), *name = open;
        inside = inside && !ends_region(line);
        while (name > line && word_length(name - 1))
            name--;
        if (!inside && name < open && begins_with(line, "static "))
            names = text("%s%.*s ", names, (int)(open - name), name);
        inside = inside || begins_region(line);
    }
    return names;
}

char *prepared(const char *content, const char *hidden, char **headers)
{
    char *rest = text("%s", content);
    bool inside = false;
    struct stream body, included;
    stream_begin(&body), stream_begin(&included);
    int number = 0, region = 0;
    const char *all = "";
    for (char *line; (line = next_line(&rest));) {
        const char *after = "";
        bool ends = inside && ends_region(line);
        inside = inside && !ends;
        number++;
        if (ends)
            fputs(to_hide(all, false, number), body.out);
        if (ends && (has_word(content, "optimize") || has_word(content, "target")))
            line = "#pragma GCC reset_options"; /* options are the learner's, not the frame's */
        if (inside && strcmp(directive(line, &after), "include") == 0 && system_header(after)) {
            if (strcmp(system_header(after), "iostream") != 0) /* it would run before main() */
                fprintf(included.out, " -include %s", system_header(after));
            line = "";
        }
        fprintf(body.out, "%s\n", line);
        if (!inside && begins_region(line)) {
            inside = true;
            all = text("%s %s", hidden, defined_below(content, region++));
            fputs(to_hide(all, true, number + 1), body.out);
        }
    }
    *headers = stream_end(&included);
    return stream_end(&body);
}
