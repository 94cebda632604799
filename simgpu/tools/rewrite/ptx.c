/* SPDX-License-Identifier: MIT */
/** @file ptx.c
 * Inline PTX: an asm statement becomes a block of C++ with one call for each instruction. The
 * table below has the instructions that the simulator knows; include/simgpu/device/ptx.h has
 * the functions. Registers that the text declares become variables, predicates become
 * conditions, and labels stay labels.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An instruction, the call that it becomes, and what its arguments are (ptx.txt). */
struct form {
    const char *parts, *call, *arguments;
};

#define FORM(parts, call, arguments) {parts, call, arguments},
#define REGISTER(name, value)
static const struct form forms[] = {
#include "ptx.txt"
};
#undef FORM
#undef REGISTER

/* The types that loads and stores move: their bits do not change. */
static const struct {
    const char *names, *bits;
} moved_types[] = {{"b8|u8", "unsigned char"},      {"s8", "signed char"},
                   {"b16|u16", "unsigned short"},   {"s16", "short"},
                   {"b32|u32|s32|f32", "unsigned"}, {"b64|u64|s64|f64", "unsigned long long"}};

/* Special registers, as expressions. */
#define FORM(...)
#define REGISTER(name, value) {name, value},
static const struct {
    const char *name, *value;
} registers[] = {
#include "ptx.txt"
};

/** Names of the registers and predicates that the statement's text declares, with a blank
 * before and after each. */
static struct text declared;

/** Is this one of the words between bars? */
static bool is_one_of(const char *words, const char *one, size_t length)
{
    for (size_t n; *words; words += n + (words[n] != '\0')) {
        n = strcspn(words, "|");
        if (n == length && strncmp(words, one, n) == 0)
            return true;
    }
    return false;
}

/** Does the instruction's name have the parts of a form? */
static bool has_parts(const char *parts, const char *name)
{
    while (*parts) {
        size_t length = strcspn(parts, " ");
        bool may_miss = parts[length - 1] == '?', found = false;
        size_t word = strcspn(name, ".");
        for (const char *one = parts; one < parts + length - may_miss && !found;) {
            size_t n = strcspn(one, "| ?");
            found = n == word && strncmp(one, name, n) == 0;
            one += n + 1;
        }
        if (found)
            name += word + (name[word] == '.');
        else if (!may_miss)
            return false;
        parts += length + (parts[length] == ' ');
    }
    return !*name;
}

/* ---- the statement's text ---- */

/** Where the statement's parts are: the text, the results, the operands, what it changes. */
struct statement {
    size_t from[4], to[4];
    size_t close; /* after the last bracket */
};

/** Finds the parts. r->at is after the word asm; false if this is none that can be read. */
static bool find_parts(const struct reader *r, struct statement *s)
{
    size_t i = skip_space(r, r->at), to = word_end(r, i);
    while (to > i) { /* volatile */
        i = skip_space(r, to);
        to = word_end(r, i);
    }
    if (!starts(r, i, "("))
        return false;
    s->close = skip_brackets(r, i);
    for (int part = 0; part < 4; part++) {
        s->from[part] = ++i;
        while (i < s->close - 1 && (r->text[i] != ':' || part == 3))
            i = skip_part(r, i);
        s->to[part] = i;
        if (i == s->close - 1)
            i--; /* the parts that follow are empty */
    }
    return true;
}

/** The text of the instructions: literals are put together, and a macro's name stays, between
 * two bytes 1. */
static void read_text(const struct reader *r, size_t from, size_t to, struct text *t)
{
    while ((from = skip_space(r, from)) < to) {
        if (r->text[from] == '"') {
            size_t end = skip_literal(r, from);
            for (size_t i = from + 1; i < end - 1; i++) {
                char c = r->text[i];
                if (c == '\\') {
                    c = r->text[++i];
                    c = c == 'n' || c == 't' || c == 'r' ? '\n' : c;
                }
                append(t, &c, 1);
            }
            from = end;
        } else {
            size_t end = word_end(r, from);
            if (end == from)
                end++;
            put(t, "\001%.*s\001", PART(r, from, end));
            from = end;
        }
    }
}

bool put_constraint(const struct reader *r, size_t from, size_t to)
{
    size_t i = from + 1;
    bool result = r->text[i] == '=' || r->text[i] == '+', reads = r->text[i] != '=';
    i += result;
    i += r->text[i] == '&';
    if (i + 2 != to || !strchr("hrlqfdbnC", r->text[i]) || !starts(r, skip_space(r, to), "("))
        return false;
    put(&output, "::simgpu::ptx_%s", !result ? "value" : reads ? "both" : "result");
    return true;
}

/** Writes operands in one line, without comments, and a comma after them. */
static void put_operands(const struct reader *r, size_t from, size_t to)
{
    bool any = false;
    while (from < to) {
        size_t end = skip_literal(r, from);
        bool literal = end != from, blank = !literal && isspace((unsigned char)r->text[from]);
        if (!literal)
            end = from + 1;
        if (blank || (literal && r->text[from] == '/'))
            put(&output, " ");
        else if (r->text[from] != '"' || !put_constraint(r, from, end))
            append(&output, r->text + from, end - from);
        any |= !blank;
        from = end;
    }
    if (any)
        put(&output, ", ");
}

/** Whether a statement has operands, and all of them are a GPU's. */
static bool has_operands(const struct reader *r, const struct statement *s)
{
    size_t begin = output.length;
    bool any = false, known = true;
    for (int part = 1; part < 3; part++)
        for (size_t i = s->from[part], end; i < s->to[part]; i = end) {
            end = skip_literal(r, i);
            if (r->text[i] == '"')
                any = true, known &= put_constraint(r, i, end);
            end += end == i;
        }
    output.length = begin;
    return any && known;
}

/* ---- instructions ---- */

static char *trimmed(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t end = strlen(s);
    while (end > 0 && isspace((unsigned char)s[end - 1]))
        end--;
    s[end] = '\0';
    return s;
}

/** Splits arguments at commas outside brackets. */
static int split(char *s, char *arguments[], int most)
{
    int count = 0, depth = 0;
    s = trimmed(s);
    if (!*s)
        return 0;
    arguments[count++] = s;
    for (; *s; s++) {
        depth += strchr("{[", *s) ? 1 : strchr("}]", *s) ? -1 : 0;
        if (*s == ',' && depth == 0 && count < most) {
            *s = '\0';
            arguments[count++] = s + 1;
        }
    }
    for (int i = 0; i < count; i++)
        arguments[i] = trimmed(arguments[i]);
    return count;
}

static bool is_declared(const char *name, size_t length)
{
    for (const char *at = declared.data; at && (at = strchr(at, ' ')); at++)
        if (length && strncmp(at + 1, name, length) == 0 && at[1 + length] == ' ')
            return true;
    return false;
}

/** Writes an argument; false if it has a form that is not known. */
static bool put_argument(char *a)
{
    size_t length = strlen(a);
    if (*a == '[' || *a == '{') {
        char *parts[8];
        bool list = *a == '{', known = true;
        a[length - 1] = '\0';
        int count = split(a + 1, parts, 8);
        if (list)
            put(&output, "{");
        for (int i = 0; i < count; i++) {
            put(&output, i ? ", " : "");
            known &= put_argument(parts[i]);
        }
        if (list)
            put(&output, "}");
        return known && (list || count == 1 || (count == 2 && *parts[1] == '{'));
    }
    if (a[0] == '%' && !isdigit((unsigned char)a[1])) {
        a += strspn(a, "%");
        size_t dot = strcspn(a, ".");
        bool part = a[dot] != '\0';
        for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
            if (strlen(registers[i].name) == dot && strncmp(registers[i].name, a, dot) == 0) {
                put(&output, "%s%s", registers[i].value, a + dot);
                return !part || (a[dot + 1] >= 'x' && a[dot + 1] <= 'z' && !a[dot + 2]);
            }
        length = strlen(a);
    }
    size_t digits = strspn(a + 1, "0123456789");
    if (*a == '%' && digits > 0) {
        put(&output, "simgpu_o[%.*s]", (int)digits, a + 1);
        char *rest = trimmed(a + 1 + digits);
        put(&output, "%s", *rest ? " " : "");
        return !*rest || (*rest == '+' && (put(&output, "%s", rest), true));
    }
    if (isdigit((unsigned char)*a) || *a == '-') {
        if (a[0] == '0' && a[1] &&
            strchr("fFdD", a[1])) /* the bits of a floating-point number */
            return false;
        put(&output, "%s", a);
        return true;
    }
    size_t word = 0;
    while (is_word(a[word]))
        word++;
    put(&output, "ptx_%.*s", (int)word, a);
    char *rest = trimmed(a + word);
    put(&output, "%s%s", *rest ? " " : "", rest);
    return is_declared(a, word) && (!*rest || *rest == '+');
}

/** wgmma.mma_async: its name has the shape and the types, and the sums are a list. */
static bool put_product(const char *name, char *rest)
{
    static const char *const types[][2] = {{".f32.f16.f16", "simgpu_half"},
                                           {".f32.bf16.bf16", "simgpu_bfloat16"},
                                           {".f32.tf32.tf32", "simgpu_float"},
                                           {".s32.s8.s8", "simgpu_int8"},
                                           {".s32.u8.u8", "simgpu_uint8"}};
    static const char before[] = "wgmma.mma_async.sync.aligned.m64n";
    char *end, *arguments[9];
    if (strncmp(name, before, sizeof before - 1) != 0)
        return false;
    long n = strtol(name + sizeof before - 1, &end, 10);
    long k = *end == 'k' ? strtol(end + 1, &end, 10) : 0;
    const char *type = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(end, types[i][0]) == 0)
            type = types[i][1];
    int count = split(rest, arguments, 9);
    if (!type || n < 8 || n > 256 || n % 8 || count < 4 || *arguments[0] != '{')
        return false;
    char *list = arguments[0] + 1, *mark = strchr(list, '\001');
    list[strlen(list) - 1] = '\0';
    put(&output, "static_assert(::simgpu::are_operands(");
    if (mark) /* a macro's text, which only the compiler knows */
        for (char *at = list; (at = strtok(at, "\001")); at = NULL)
            put(&output, isalpha((unsigned char)*at) || *at == '_' ? " %s " : " \"%s\"", at);
    else {
        for (char *c = list; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        put(&output, "\"%s\"", list);
    }
    put(&output, ", %ld), \"simgpu: the sums of wgmma are not %%0 to %%%ld\"); ", n / 2,
        n / 2 - 1);
    put(&output, "::simgpu::ptx::product<%ld, %ld, %s>(simgpu_o", n, k, type);
    for (int i = 1; i < count; i++) {
        put(&output, ", ");
        if (!put_argument(arguments[i]))
            return false;
    }
    put(&output, ");");
    return true;
}

/** Instructions with two results, `value|predicate`: the predicate may be missing, and one of
 * them may be `_`. */
static bool put_pair(const char *name, char *rest)
{
    static const char *const pairs[][3] = {
        {"elect.sync", "leader", "is_leader"},
        {"shfl.sync.up.b32", "shuffle<'u'>", "in_segment<'u'>"},
        {"shfl.sync.down.b32", "shuffle<'d'>", "in_segment<'d'>"},
        {"shfl.sync.bfly.b32", "shuffle<'b'>", "in_segment<'b'>"},
        {"shfl.sync.idx.b32", "shuffle<'i'>", "in_segment<'i'>"}};
    const char *const *calls = NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(name, pairs[i][0]) == 0)
            calls = pairs[i];
    char *arguments[6];
    int count = calls ? split(rest, arguments, 6) : 0;
    if (count < 2)
        return false;
    char *predicate = strchr(arguments[0], '|');
    if (predicate)
        *predicate++ = '\0';
    char *results[] = {NULL, trimmed(arguments[0]), predicate ? trimmed(predicate) : "_"};
    bool known = true;
    put(&output, "{ ");
    for (int k = 2; k > 0; k--) { /* the value may replace an operand */
        if (strcmp(results[k], "_") == 0)
            continue;
        known &= put_argument(results[k]);
        put(&output, " = ::simgpu::ptx::%s", calls[k]);
        for (int i = 1; i < count; i++) {
            put(&output, i > 1 ? ", " : "(");
            known &= put_argument(arguments[i]);
        }
        put(&output, "); ");
    }
    put(&output, "}");
    return known;
}

/** ld and st: order and scope, space, hints for the caches, a vector, the type. */
static bool put_move(const char *name, char *rest)
{
    static const char *const spaces =
        "shared|shared::cta|shared::cluster|global|const|param|local";
    static const char *const hints =
        "cta|cluster|gpu|sys|nc|weak|ca|cg|cs|cv|lu|wb|wt|L1::evict_normal|L1::evict_first|L1::"
        "evict_last|L1::no_allocate|L2::64B|L2::128B|L2::256B";
    const bool load = strncmp(name, "ld.", 3) == 0;
    if (!load && strncmp(name, "st.", 3) != 0)
        return false;
    const char *order = "plain", *bits = NULL, *pointer = "(void *)(unsigned long long)";
    int vector = 0;
    size_t n;
    for (const char *part = name + 3; *part; part += n + (part[n] == '.')) {
        n = strcspn(part, ".");
        if (bits)
            return false;
        if (is_one_of("volatile|relaxed", part, n))
            order = "relaxed";
        else if (is_one_of("acquire|release", part, n))
            order = "acquire_or_release";
        else if (is_one_of("shared::cluster", part, n))
            pointer = "::simgpu::ptx::cluster_pointer";
        else if (strncmp(part, "shared", 6) == 0)
            pointer = "::simgpu::ptx::shared_pointer";
        else if (is_one_of("v2|v4", part, n))
            vector = part[1] - '0';
        else if (!is_one_of(spaces, part, n) && !is_one_of(hints, part, n)) {
            for (size_t i = 0; i < sizeof moved_types / sizeof *moved_types; i++)
                if (is_one_of(moved_types[i].names, part, n))
                    bits = moved_types[i].bits;
            if (!bits)
                return false;
        }
    }
    char *arguments[3];
    if (!bits || split(rest, arguments, 3) != 2 ||
        (vector && (strcmp(bits, "unsigned") != 0 || strcmp(order, "plain") != 0)))
        return false;
    if (load) {
        put(&output, vector ? "::simgpu::ptx::results" : "");
        if (!put_argument(arguments[0]))
            return false;
        put(&output, " = ");
    }
    if (vector)
        put(&output, "::simgpu::ptx::%s_words<%d>(", load ? "load" : "store", vector);
    else
        put(&output, "%s::simgpu::ptx::%s<%s, ::simgpu::ptx::%s>(", load ? "+" : "",
            load ? "load" : "store", bits, order);
    put(&output, "%s(", pointer);
    bool known = put_argument(arguments[load]);
    put(&output, ")");
    if (!load) {
        put(&output, ", ");
        known &= put_argument(arguments[1]);
    }
    put(&output, ");");
    return known;
}

/** Writes one instruction; false if it is not known. */
static bool put_instruction(char *s)
{
    char *name = s;
    if (*s == '@') {
        bool not = s[1] == '!';
        name = s + 1 + not ;
        name += strspn(name, "%");
        size_t length = strcspn(name, " \n\t");
        put(&output, "if (%sptx_%.*s) ", not ? "!" : "", (int)length, name);
        name = trimmed(name + length);
    }
    char *rest = name + strcspn(name, " \n\t"), *arguments[8];
    if (*rest)
        *rest++ = '\0';
    if (strcmp(name, "bra") == 0 || strcmp(name, "bra.uni") == 0) {
        put(&output, "goto ptx_%s;", trimmed(rest));
        return true;
    }
    if (put_product(name, rest) || put_pair(name, rest) || put_move(name, rest))
        return true;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (!has_parts(forms[f].parts, name))
            continue;
        int count = split(rest, arguments, 8), i = 0;
        const char *kind = forms[f].arguments;
        bool first = true;
        if (*kind == 'd' && count > 0) {
            bool list = *arguments[0] == '{', left_out = strcmp(arguments[0], "_") == 0;
            if (list)
                put(&output, "::simgpu::ptx::results");
            if (!left_out && !put_argument(arguments[i]))
                return false;
            put(&output, left_out ? "" : " = ");
            i++;
            kind++;
        }
        bool of_runtime = strncmp(forms[f].call, "simgpu_", 7) == 0;
        put(&output, "%s%s(", of_runtime ? "::" : "::simgpu::ptx::", forms[f].call);
        for (; i < count && *kind && *kind != '*'; i++, kind += *kind != '+') {
            if (*kind == '_')
                continue;
            put(&output, first ? "" : ", ");
            first = false;
            if (!put_argument(arguments[i]))
                return false;
        }
        put(&output, ");");
        return *kind == '*' || (i == count && (!*kind || *kind == '+'));
    }
    return false;
}

/** Writes a declaration of registers. */
static bool put_registers(char *s)
{
    char *names[8];
    s = trimmed(s + 4);
    size_t length = strcspn(s, " \n\t");
    const char *type = strncmp(s, ".pred", length) == 0         ? "bool"
                       : is_one_of(".b32|.u32|.s32", s, length) ? "unsigned"
                       : is_one_of(".b64|.u64|.s64", s, length) ? "unsigned long long"
                       : is_one_of(".b16|.u16|.s16", s, length) ? "unsigned short"
                       : is_one_of(".f32", s, length)           ? "float"
                       : is_one_of(".f64", s, length)           ? "double"
                                                                : NULL;
    int count = split(s + length, names, 8);
    for (int i = 0; type && i < count; i++) {
        names[i] += strspn(names[i], "%");
        if (strcmp(type, "bool") == 0)
            put(&output, "bool ptx_%s = 0; ", names[i]);
        else /* its bits: an instruction does not convert */
            put(&output,
                "%s simgpu_%s = 0; "
                "const ::simgpu::operand ptx_%s = ::simgpu::ptx_both(simgpu_%s); ",
                type, names[i], names[i], names[i]);
        put(&declared, " %s ", names[i]);
    }
    return type != NULL;
}

/** Writes the names of the labels, which are the block's own. */
static void put_labels(const char *text)
{
    for (const char *s = text; (s = strchr(s, ':')); s++) {
        const char *from = s;
        while (from > text && is_word(from[-1]))
            from--;
        const char *line = from;
        while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
            line--;
        if (from < s && s[1] != ':' && (line == text || strchr(";\n{}", line[-1])))
            put(&output, "__label__ ptx_%.*s; ", (int)(s - from), from);
    }
}

/** Writes all instructions. Returns null, or the name of one that is not known. */
static const char *put_text(char *text)
{
    for (char *s = text; *(s = s + strspn(s, " \n\t;"));) {
        size_t word = 0;
        while (is_word(s[word]))
            word++;
        if (*s == '{' || *s == '}') {
            put(&output, "%c ", *s++);
        } else if (word && s[word] == ':' && s[word + 1] != ':') {
            put(&output, "ptx_%.*s: ; ", (int)word, s);
            s += word + 1;
        } else {
            char *end = strchr(s, ';');
            if (!end)
                end = s + strlen(s);
            char *next = *end ? end + 1 : end;
            *end = '\0';
            bool known = strncmp(s, ".reg", 4) == 0 ? put_registers(s) : put_instruction(s);
            put(&output, " ");
            if (!known) {
                s[strcspn(s, " \n\t\001")] = '\0';
                return s;
            }
            s = next;
        }
    }
    return NULL;
}

bool rewrite_ptx(struct reader *r)
{
    struct statement s;
    struct text text = {0};
    if (!find_parts(r, &s))
        return false;
    size_t begin = output.length;
    declared.length = 0;
    put(&declared, "%s", "");
    read_text(r, s.from[0], s.to[0], &text);
    if (!text.length && !has_operands(r, &s)) {
        free(text.data);
        return false;
    }
    put(&output, "do { ");
    put_labels(text.length ? text.data : "");
    put(&output, "const ::simgpu::operand simgpu_o[] = {");
    put_operands(r, s.from[1], s.to[1]);
    put_operands(r, s.from[2], s.to[2]);
    put(&output, "{}}; (void)simgpu_o; ");
    const char *unknown = text.length ? put_text(text.data) : NULL;
    if (unknown) {
        output.length = begin;
        put(&output, "SIMGPU_NO_PTX(\"%s\")", unknown);
    } else {
        put(&output, "} while (0)");
    }
    for (size_t i = r->at; i < s.close; i++)
        if (r->text[i] == '\n')
            put(&output, r->in_directive ? "\\\n" : "\n");
    r->at = s.close;
    free(text.data);
    return true;
}
