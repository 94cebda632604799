/* SPDX-License-Identifier: MIT */
/** @file ptx.c
 * Inline PTX: an asm statement becomes a block of C++ with one call for each instruction. The
 * table below has the instructions that the simulator knows; include/simgpu/ptx.h has the
 * functions. Registers that the text declares become variables, predicates become conditions,
 * and labels stay labels.
 */
#include "rewrite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An instruction, part by part: `x?` may be missing, `x|y` is one of several. What follows the
   call's name in brackets are template arguments. `d` in `arguments` is the result; `a` is an
   argument and `_` one that is left out; after `*` there may be further arguments, left out,
   and after `+` further ones. */
struct form {
    const char *parts, *call, *arguments;
};

#define SHARED "shared|shared::cta|shared::cluster?"
static const struct form forms[] = {
    {"mbarrier init " SHARED " b64", "mbarrier_init", "aa"},
    {"mbarrier inval " SHARED " b64", "mbarrier_inval", "a"},
    {"mbarrier arrive release|relaxed? cta|cluster? " SHARED " b64", "mbarrier_arrive", "_a+"},
    {"mbarrier arrive expect_tx release|relaxed? cta|cluster? " SHARED " b64",
     "mbarrier_arrive_expect", "_aa"},
    {"mbarrier expect_tx relaxed? cta|cluster? " SHARED " b64", "mbarrier_expect", "aa"},
    {"mbarrier try_wait parity acquire|relaxed? cta|cluster? " SHARED " b64",
     "mbarrier_try_wait", "daa*"},
    {"mbarrier test_wait parity acquire|relaxed? cta|cluster? " SHARED " b64",
     "mbarrier_test_wait", "daa"},
    {"fence mbarrier_init release cluster", "nothing", ""},
    {"fence proxy async shared::cta|shared::cluster|global?", "proxy_fence", ""},
    {"fence acq_rel|sc? cta", "fence<1>", ""},
    {"fence acq_rel|sc? cluster|gpu", "fence<2>", ""},
    {"fence acq_rel|sc? sys", "fence<3>", ""},
    {"mapa shared::cluster? u32", "mapa", "daa"},
    {"barrier cluster arrive release? aligned?", "cluster_arrive", ""},
    {"barrier cluster arrive relaxed aligned?", "cluster_arrive", ""},
    {"barrier cluster wait acquire? aligned?", "cluster_wait", ""},
    {"cp async bulk shared::cluster|shared::cta global mbarrier::complete_tx::bytes "
     "L2::cache_hint?",
     "copy_bulk", "aaaa*"},
    {"cp async bulk shared::cluster global mbarrier::complete_tx::bytes multicast::cluster "
     "L2::cache_hint?",
     "copy_bulk_to_many", "aaaaa*"},
    {"setmaxnreg inc sync aligned u32", "nothing", "_"},
    {"setmaxnreg dec sync aligned u32", "nothing", "_"},
    {"wgmma fence sync aligned", "wgmma_fence", ""},
    {"wgmma commit_group sync aligned", "wgmma_commit", ""},
    {"wgmma wait_group sync aligned", "wgmma_wait", "a"},
    {"cp async cg|ca shared|shared::cta global L2::128B|L2::256B?", "copy_async", "aaa+"},
    {"cp async commit_group", "copies_commit", ""},
    {"cp async wait_group", "copies_wait", "a"},
    {"cp async wait_all", "copies_wait_all", ""},
    {"ldmatrix sync aligned m8n8 x1 shared|shared::cta b16", "load_matrices<1, false>", "da"},
    {"ldmatrix sync aligned m8n8 x2 shared|shared::cta b16", "load_matrices<2, false>", "da"},
    {"ldmatrix sync aligned m8n8 x4 shared|shared::cta b16", "load_matrices<4, false>", "da"},
    {"ldmatrix sync aligned m8n8 x1 trans shared|shared::cta b16", "load_matrices<1, true>",
     "da"},
    {"ldmatrix sync aligned m8n8 x2 trans shared|shared::cta b16", "load_matrices<2, true>",
     "da"},
    {"ldmatrix sync aligned m8n8 x4 trans shared|shared::cta b16", "load_matrices<4, true>",
     "da"},
    {"mma sync aligned m16n8k16 row col f32 f16 f16 f32", "mma<16, simgpu_half>", "daaa"},
    {"mma sync aligned m16n8k8 row col f32 f16 f16 f32", "mma<8, simgpu_half>", "daaa"},
    {"mma sync aligned m16n8k16 row col f32 bf16 bf16 f32", "mma<16, simgpu_bfloat16>", "daaa"},
    {"mma sync aligned m16n8k8 row col f32 bf16 bf16 f32", "mma<8, simgpu_bfloat16>", "daaa"},
    {"mma sync aligned m16n8k32 row col satfinite? s32 s8 s8 s32", "mma<32, simgpu_int8>",
     "daaa"},
    {"mma sync aligned m16n8k16 row col satfinite? s32 s8 s8 s32", "mma<16, simgpu_int8>",
     "daaa"},
    {"mov u32|b32|s32", "move<unsigned>", "da"},
    {"mov u64|b64", "move<unsigned long long>", "da"},
    {"setp ne b32|u32|s32", "differs", "daa"},
    {"setp eq b32|u32|s32", "equals", "daa"},
    {"nanosleep u32", "nothing", "_"},
};

/* Special registers, as expressions. */
static const struct {
    const char *name, *value;
} registers[] = {
    {"laneid", "SIMGPU_PTX_laneid"},
    {"warpid", "SIMGPU_PTX_warpid"},
    {"globaltimer", "SIMGPU_PTX_globaltimer"},
    {"clock", "SIMGPU_PTX_clock"},
    {"clock64", "SIMGPU_PTX_clock64"},
    {"tid.x", "threadIdx.x"},
    {"ctaid.x", "blockIdx.x"},
    {"cluster_ctarank", "simgpu_cluster_rank()"},
    {"cluster_nctarank", "simgpu_cluster_size()"},
};

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
        while (i < s->close - 1 && (r->text[i] != ':' || part == 3)) {
            size_t after = skip_literal(r, i);
            i = after != i ? after : strchr("([{", r->text[i]) ? skip_brackets(r, i) : i + 1;
        }
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
            put(t, "\001%.*s\001", (int)(end - from), r->text + from);
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
        return known && (list || count == 1);
    }
    if (a[0] == '%' && !isdigit((unsigned char)a[1])) {
        const char *name = a + 1 + (a[1] == '%');
        for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
            if (strcmp(registers[i].name, name) == 0) {
                put(&output, "%s", registers[i].value);
                return true;
            }
        return false;
    }
    size_t digits = strspn(a + 1, "0123456789");
    if (*a == '%' && digits > 0) {
        put(&output, "simgpu_o[%.*s]", (int)digits, a + 1);
        char *rest = trimmed(a + 1 + digits);
        put(&output, "%s", *rest ? " " : "");
        return !*rest || (*rest == '+' && (put(&output, "%s", rest), true));
    }
    if (isdigit((unsigned char)*a) || *a == '-') {
        put(&output, "%s", a);
        return true;
    }
    bool known = is_word(*a);
    for (size_t i = 0; i < length; i++)
        known &= is_word(a[i]);
    put(&output, "ptx_%s", a);
    return known;
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

/** Writes one instruction; false if it is not known. */
static bool put_instruction(char *s)
{
    char *name = s;
    if (*s == '@') {
        bool not = s[1] == '!';
        name = s + 1 + not ;
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
    if (put_product(name, rest))
        return true;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (!has_parts(forms[f].parts, name))
            continue;
        int count = split(rest, arguments, 8), i = 0;
        const char *kind = forms[f].arguments;
        bool first = true;
        if (*kind == 'd' && count > 0) {
            bool list = *arguments[0] == '{';
            if (list)
                put(&output, "::simgpu::ptx::results");
            if (!put_argument(arguments[i++]))
                return false;
            put(&output, " = ");
            kind++;
        }
        put(&output, "::simgpu::ptx::%s(", forms[f].call);
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
    const char *type = strncmp(s, ".pred", length) == 0 ? "bool"
                       : strncmp(s, ".b32", length) == 0 || strncmp(s, ".u32", length) == 0
                           ? "unsigned"
                       : strncmp(s, ".b64", length) == 0 || strncmp(s, ".u64", length) == 0
                           ? "unsigned long long"
                           : NULL;
    int count = split(s + length, names, 8);
    for (int i = 0; type && i < count; i++)
        put(&output, "%s ptx_%s = 0; ", type, names[i]);
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
    read_text(r, s.from[0], s.to[0], &text);
    if (!text.length) {
        free(text.data);
        return false;
    }
    put(&output, "do { ");
    put_labels(text.data);
    put(&output, "const ::simgpu::operand simgpu_o[] = {");
    put_operands(r, s.from[1], s.to[1]);
    put_operands(r, s.from[2], s.to[2]);
    put(&output, "{}}; (void)simgpu_o; ");
    const char *unknown = put_text(text.data);
    if (unknown) {
        output.length = begin;
        put(&output, "SIMGPU_NO_PTX(\"%s\")", unknown);
    } else {
        put(&output, "} while (0)");
    }
    for (size_t i = r->at; i < s.close; i++)
        if (r->text[i] == '\n')
            put(&output, "\n");
    r->at = s.close;
    free(text.data);
    return true;
}
