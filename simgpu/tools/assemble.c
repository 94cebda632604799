/* SPDX-License-Identifier: MIT */
/** @file assemble.c
 * Assembles a traced source, in place of `as`: the compiler finds it by -B. Before each access
 * to memory it adds a call of simgpu_access_comes (unseen.cpp), which sees what the compiler
 * has not announced to the tracer: structures passed by value, arguments of variadic functions,
 * code of functions that are not sanitized. Accesses at a fixed distance from the stack pointer
 * are left out; with an index they may lead anywhere. It also notes where the source's
 * variables are, for simgpu_guard_host().
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static bool begins(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

static bool ends(const char *s, const char *end)
{
    size_t length = strlen(s), most = strlen(end);
    return length >= most && strcmp(s + length - most, end) == 0;
}

static bool begins_with_one_of(const char *s, const char *const starts[])
{
    while (*starts && !begins(s, *starts))
        starts++;
    return *starts != NULL;
}

/* Functions of the C library that the compiler may call, and those that look first. */
static const char *const functions[][2] = {
    {"memcpy", "simgpu_seen_memcpy"},   {"__memcpy_chk", "simgpu_seen_memcpy"},
    {"memmove", "simgpu_seen_memmove"}, {"__memmove_chk", "simgpu_seen_memmove"},
    {"memset", "simgpu_seen_memset"},   {"__memset_chk", "simgpu_seen_memset"},
    {"mempcpy", "simgpu_seen_mempcpy"}, {"__mempcpy_chk", "simgpu_seen_mempcpy"},
    {"memcmp", "simgpu_seen_memcmp"},   {"bcmp", "simgpu_seen_memcmp"},
    {"memchr", "simgpu_seen_memchr"},   {"strlen", "simgpu_seen_strlen"},
    {"malloc", "simgpu_seen_malloc"},   {"calloc", "simgpu_seen_calloc"},
    {"realloc", "simgpu_seen_realloc"}, {"free", "simgpu_seen_free"},
    {"_Znwm", "simgpu_seen_new"},       {"_Znam", "simgpu_seen_new_array"},
    {"_ZdlPv", "simgpu_seen_delete"},   {"_ZdaPv", "simgpu_seen_delete_array"},
    {"_ZdlPvm", "simgpu_seen_delete"},  {"_ZdaPvm", "simgpu_seen_delete_array"},
    {"printf", "simgpu_seen_printf"},   {"fprintf", "simgpu_seen_fprintf"},
    {"vprintf", "simgpu_seen_vprintf"}, {"vfprintf", "simgpu_seen_vfprintf"},
    {"fputs", "simgpu_seen_fputs"},     {"fflush", "simgpu_seen_fflush"}};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* Which of them the source defines: its own operator new, for example. */
static bool is_own[FUNCTIONS];

static void find_own(const char *text)
{
    char label[64];
    for (size_t i = 0; i < FUNCTIONS; i++) {
        snprintf(label, sizeof label, "\n%s:", functions[i][0]);
        is_own[i] = strstr(text, label) != NULL;
    }
}

/* Writes a line, with other names for these functions in instructions and tables of pointers.
 */
static void write_line(FILE *out, const char *line)
{
    bool names = *line == '\t' && (line[1] != '.' || begins(line, "\t.quad"));
    while (*line) {
        size_t length = 0;
        const char *name = NULL;
        while (isalnum((unsigned char)line[length]) ||
               (line[length] && strchr("_.$", line[length])))
            length++;
        for (size_t i = 0; names && i < FUNCTIONS; i++)
            if (!is_own[i] && length == strlen(functions[i][0]) &&
                strncmp(line, functions[i][0], length) == 0)
                name = functions[i][1];
        length = length ? length : 1;
        fprintf(out, "%.*s", name ? (int)strlen(name) : (int)length, name ? name : line);
        line += length;
    }
    fputc('\n', out);
}

/* The bytes that an instruction accesses; `registers`: its other operands. */
static int size_of(const char *name, const char *registers)
{
    static const char *const eight[] = {"movq",   "vmovq",  "movlp",     "vmovlp",   "movhp",
                                        "vmovhp", "pmovzx", "vcvtph2ps", "cvtps2pd", NULL};
    const char last = name[strlen(name) - 1];
    if (strstr(registers, "%xmm") || strstr(registers, "%ymm") || strstr(registers, "%zmm")) {
        if (ends(name, "ss") || ends(name, "movd") || ends(name, "broadcastd") || last == 'l')
            return 4;
        if (ends(name, "sd") || ends(name, "broadcastq") || begins_with_one_of(name, eight) ||
            (strstr(name, "cvtsi2") && last == 'q'))
            return 8;
        return strstr(registers, "%zmm") ? 64 : strstr(registers, "%ymm") ? 32 : 16;
    }
    if (strlen(name) == 6 && (begins(name, "movz") || begins(name, "movs")))
        return name[4] == 'b' ? 1 : name[4] == 'w' ? 2 : 4;
    if (*name == 'f')
        return last == 't' ? 16 : last == 'l' ? 8 : 4;
    return last == 'q' ? 8 : last == 'l' ? 4 : last == 'w' ? 2 : 1;
}

/* What the call gets; the same in src/tracer/unseen.cpp. */
enum { WRITES = 1, STRING = 2, REPEATED = 4, SIZE = 8 };

/* Whether a return address is found from the stack pointer here, in a function that notes how:
   what moves it must then note that, too, or nobody finds who called the function. */
static struct unwinding {
    bool from_stack_pointer[16]; /* states remembered */
    int depth;
} unwinding;

static void follow_unwinding(const char *line)
{
    bool *now = &unwinding.from_stack_pointer[unwinding.depth];
    const char *cfa = strstr(line, "\t.cfi_def_cfa");
    if (begins(line, "\t.cfi_startproc"))
        unwinding = (struct unwinding){{true}, 0};
    else if (begins(line, "\t.cfi_endproc") || begins(line, "\t.cfi_escape 0xf,"))
        *now = false;
    else if (begins(line, "\t.cfi_remember_state") && unwinding.depth < 15)
        now[1] = now[0], unwinding.depth++;
    else if (begins(line, "\t.cfi_restore_state") && unwinding.depth > 0)
        unwinding.depth--;
    else if (cfa && !begins(cfa, "\t.cfi_def_cfa_offset"))
        *now = atoi(strchr(cfa, ' ')) == 7; /* rsp */
}

/* Writes an instruction that moves the stack pointer by so many bytes. */
static void move_stack_pointer(FILE *out, const char *instruction, int bytes)
{
    fprintf(out, "\t%s\n", instruction);
    if (unwinding.from_stack_pointer[unwinding.depth])
        fprintf(out, "\t.cfi_adjust_cfa_offset %d\n", -bytes);
}

/* Adds a call. It keeps the registers, the flags, and the 128 bytes below the stack pointer,
   which a function may use. */
static void add_call(FILE *out, const char *memory, int code)
{
    char push[32];
    const bool of_thread = begins(memory, "%fs:"); /* relative to the thread's variables */
    memory += of_thread ? strlen("%fs:") : 0;
    sprintf(push, "pushq $%d", code);
    move_stack_pointer(out, "leaq -128(%rsp), %rsp", -128);
    move_stack_pointer(out, "pushq %rdi", -8);
    if (*memory) /* the stack pointer has moved by 136 */
        fprintf(out, "\tleaq %s%s%s, %%rdi\n", strstr(memory, "(%rsp") ? "136+" : "",
                begins(memory, "(%rsp") ? "0" : "", memory);
    if (of_thread) {
        move_stack_pointer(out, "pushq %rax", -8);
        fprintf(out, "\tmovq %%fs:0, %%rax\n\tleaq (%%rdi,%%rax), %%rdi\n");
        move_stack_pointer(out, "popq %rax", 8);
    }
    move_stack_pointer(out, push, -8);
    fprintf(out, "\tcall simgpu_access_comes\n");
    move_stack_pointer(out, "leaq 8(%rsp), %rsp", 8);
    move_stack_pointer(out, "popq %rdi", 8);
    move_stack_pointer(out, "leaq 128(%rsp), %rsp", 128);
}

/* Instructions that access memory without an operand for it, or not as their names say: a GPU
   has none of them. */
static const char *const strange[] = {
    "maskmov", "vmaskmovdq", "movdir", "enqcmd", "clzero", "xlat",   "lods",   "scas", "cmps",
    "fxsave",  "fxrstor",    "xsave",  "xrstor", "tile",   "ldtile", "sttile", NULL};

/* Adds the call before an instruction with these operands, if it accesses memory. */
static void look_at(FILE *out, const char *name, const char *operands)
{
    static const char *const others[] = {"lea", "nop", "call", "jmp", "prefetch", NULL},
                             *const readers[] = {"cmp",   "test",    "bt",       "push", "mul",
                                                 "imul",  "div",     "idiv",     "fld",  "fild",
                                                 "fadd",  "fmul",    "fsub",     "fdiv", "fcom",
                                                 "fucom", "ldmxcsr", "vldmxcsr", NULL};
    char memory[LONGEST] = "", registers[LONGEST] = "", *to;
    bool is_last = false;
    for (const char *c = operands; *c;) {
        const char *begin = c;
        int depth = 0;
        for (; *c && (depth || *c != ','); c++)
            depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        while (*begin == ' ')
            begin++;
        is_last = memchr(begin, '(', (size_t)(c - begin)) != NULL;
        to = is_last ? memory : registers;
        sprintf(to + (is_last ? 0 : strlen(to)), "%.*s", (int)(c - begin), begin);
        c += *c == ',';
    }
    const char *inside = strchr(memory, '(');
    if (begins_with_one_of(name, strange) && !begins(name, "cmpss") && !begins(name, "cmpsd")) {
        add_call(out, "", STRING + WRITES);
        return;
    }
    if (!inside || begins_with_one_of(name, others) || memory[0] == '*' ||
        begins(memory, ".L") || strcmp(inside, "(%rsp)") == 0 ||
        (memory[0] == '%' && !begins(memory, "%fs:")) ||
        (strchr(memory, '@') && strcmp(inside, "(%rip)") == 0))
        return;
    if (strstr(inside, "mm")) { /* an address in each part of a vector */
        add_call(out, "", STRING);
        return;
    }
    bool writes = is_last && !begins_with_one_of(name, readers) &&
                  !(begins(name, "cvt") || begins(name, "vcom"));
    add_call(out, memory, size_of(name, registers) * SIZE + writes * WRITES);
}

static void look_at_line(FILE *out, char *line)
{
    char name[64] = "", operands[LONGEST] = "";
    bool repeated = false;
    char *comment = strchr(line, '#');
    if (comment)
        *comment = '\0';
    if (line[1] == '{' && strchr(line, '}')) /* {vex}: how it is encoded */
        line = strchr(line, '}') + 1;
    for (;;) {
        *operands = '\0';
        if (sscanf(line, " %63[a-z0-9;] %4000[^\n]", name, operands) < 1)
            return;
        char *end = strchr(name, ';');
        if (end)
            *end = '\0';
        if (!begins(name, "rep") && strcmp(name, "lock") != 0)
            break;
        repeated = *name == 'r';
        line = strstr(line, name) + strlen(name) + (end != NULL);
    }
    if (!*operands &&
        (begins(name, "movs") || begins(name, "stos"))) /* addresses in registers */
        add_call(out, "",
                 size_of(name, "") * SIZE + STRING + repeated * REPEATED +
                     (*name == 's') * WRITES);
    else
        look_at(out, name, operands);
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size = 0, most = 1 << 20, got;
    char *text = file ? malloc(most) : NULL;
    while (text && (got = fread(text + size, 1, most - size - 1, file)) > 0)
        if ((size += got) == most - 1)
            text = realloc(text, most *= 2);
    if (!text)
        return NULL;
    text[size] = '\0';
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[argc - 1] : "";
    char *text = ends(path, ".s") ? read_all(path) : NULL;
    FILE *out = text ? fopen(path, "w") : NULL;
    bool by_hand = false; /* in an asm statement */
    char name[1000], *ranges = NULL;
    size_t bytes;
    long size;
    FILE *own = out ? open_memstream(&ranges, &bytes) : NULL;
    if (text)
        find_own(text);
    for (char *line = text, *end; own && line && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        by_hand = begins(line, "#APP") || (by_hand && !begins(line, "#NO_APP"));
        follow_unwinding(line);
        char *copy = strdup(line);
        if (!by_hand && copy && *copy == '\t' && copy[1] != '.' && strlen(copy) < LONGEST)
            look_at_line(out, copy);
        write_line(out, begins(line, "\t.section\tsimgpu_own") ? "\t.data" : line);
        if (sscanf(line, " .size %999[^,], %ld", name, &size) == 2 ||
            sscanf(line, " .comm %999[^,],%ld", name, &size) == 2)
            fprintf(own, "\t.quad\t%s, %s+%ld\n", name, name, size);
        free(copy);
    }
    if (own && fclose(own) == 0 && *ranges)
        fprintf(out, "\t.section\tsimgpu_own,\"aw\"\n%s", ranges);
    if (text && (!out || fclose(out) != 0)) {
        perror(path);
        return 3;
    }
    argv[0] = (char[]){SIMGPU_AS};
    execvp(argv[0], argv);
    perror(argv[0]);
    return 3;
}
