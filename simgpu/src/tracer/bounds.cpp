/* SPDX-License-Identifier: MIT */
/** @file bounds.cpp
 * Reports an index outside its array. `ladder sim` also compiles with -fsanitize=bounds-strict,
 * which calls the function below. The tracer does not see local arrays, which live in registers
 * or on the stack, so only this call reports their overruns. For other arrays the tracer sees
 * the address and judges better: tile[0][20] of a shared 16 x 16 tile is still inside it.
 */
#include "src/launch/blocks.h"

#include <cctype>

namespace simgpu
{

namespace
{

/* The compiler's layout. */
struct TypeName {
    uint16_t kind, info; /* of an integer: its sign, and the logarithm of its number of bits */
    char text[1];        /* "'float [4][8]'" */
};
struct Overrun {
    const char *file;
    uint32_t line, column; /* GCC: of the bracket that closes the index; Clang: of the beginning
                              of the expression */
    const TypeName *array, *index;
};

/** The array's name in the source, and the variable that it is part of. */
struct Named {
    std::string array, variable;
    bool row = false;  /* it is a row of an array with several dimensions */
    bool sure = false; /* the index certainly belongs to this array */
};

size_t word_begin(const std::string &text, size_t end)
{
    while (end > 0 && (isalnum((unsigned char)text[end - 1]) || text[end - 1] == '_'))
        end--;
    return end;
}

size_t word_end(const std::string &text, size_t begin)
{
    while (begin < text.size() && (isalnum((unsigned char)text[begin]) || text[begin] == '_'))
        begin++;
    return begin;
}

/** Finds the opening bracket that matches the one before `end`; 0 if it is on another line. */
size_t opened(const std::string &text, size_t end)
{
    int depth = 0;
    while (end-- > 0) {
        depth += (text[end] == ']') - (text[end] == '[');
        if (depth == 0)
            return end;
    }
    return 0;
}

/** Finds the closing bracket that matches the one at `begin`, or the end of the line. */
size_t closed(const std::string &text, size_t begin)
{
    int depth = 0;
    for (size_t at = begin; at < text.size(); at++) {
        depth += (text[at] == '[') - (text[at] == ']');
        if (depth == 0)
            return at + 1;
    }
    return text.size();
}

size_t skip_indices(const std::string &text, size_t end, bool *any)
{
    for (*any = false; end > 0 && text[end - 1] == ']'; *any = true)
        end = opened(text, end);
    return end;
}

/** Reads the name backwards from the bracket that closes the index (GCC). */
Named named_before(const std::string &text, size_t bracket)
{
    Named n;
    n.sure = true;
    bool indexed;
    size_t end = skip_indices(text, opened(text, bracket + 1), &n.row);
    size_t begin = word_begin(text, end);
    n.array = n.variable = text.substr(begin, end - begin);
    while (begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '>')) {
        end = skip_indices(text, begin - (text[begin - 1] == '.' ? 1 : 2), &indexed);
        begin = word_begin(text, end);
        n.variable = text.substr(begin, end - begin);
    }
    return n;
}

/** Reads the name from the beginning of the expression (Clang). Clang does not say which index
 * it means: that is sure only if there is one array. */
Named named_behind(const std::string &text, size_t begin, int dimensions)
{
    Named n;
    int arrays = 0;
    n.variable = text.substr(begin, word_end(text, begin) - begin);
    for (;;) {
        size_t end = word_end(text, begin);
        std::string name = text.substr(begin, end - begin);
        int indices = 0;
        for (; end < text.size() && text[end] == '['; indices++)
            end = closed(text, end);
        if (indices > 0 && ++arrays == 1) {
            n.array = name;
            n.row = dimensions < indices;
        }
        if (end < text.size() && text[end] == '.')
            begin = end + 1;
        else if (text.compare(end, 2, "->") == 0)
            begin = end + 2;
        else
            break;
    }
    n.sure = arrays == 1;
    if (!n.sure) {
        n.array = "an array";
        n.row = false;
    }
    return n;
}

/** The array of this overrun; empty if a macro or parentheses hide it. */
Named named(const Overrun &at)
{
    std::string text = source_text(at.file, (int)at.line, true);
    const char *type = at.array->text;
    if (at.column == 0 || at.column > text.size())
        return Named();
    return text[at.column - 1] == ']'
               ? named_before(text, at.column - 1)
               : named_behind(text, at.column - 1,
                              (int)std::count(type, type + strlen(type), '['));
}

/** Does the tracer see the accesses of this variable? */
bool is_traced(Worker *w, const std::string &variable)
{
    std::lock_guard<std::mutex> lock(w->launch->shared_mutex);
    for (const SharedArray &array : w->launch->shared_arrays)
        if (variable == array.name)
            return true;
    for (auto &[begin, site] : w->file_scope_shared)
        if (variable == site->name)
            return true;
    return alias_named(variable);
}

} // namespace

} // namespace simgpu

using namespace simgpu;

extern "C" void __ubsan_handle_out_of_bounds(const Overrun *at, uintptr_t value)
{
    Worker *w = tracing_worker;
    if (!w)
        return;
    Untraced quiet;
    Named n = named(*at);
    bool member = n.array != n.variable && !n.row && n.sure; /* another member follows it */
    if (n.variable.empty() || (!member && is_traced(w, n.variable)))
        return;
    const char *bracket = strchr(at->array->text, '[');
    long long elements = bracket ? atoll(bracket + 1) : 0;
    /* struct { int n; float data[1]; } is as long as its memory */
    if (member && elements <= 1)
        return;
    unsigned unused = 64 - std::min(64u, 1u << (at->index->info >> 1));
    long long index = at->index->info & 1 ? (long long)((uint64_t)value << unused) >> unused
                                          : (long long)value;
    note_stray(w, SIMGPU_OUT_OF_BOUNDS_ARRAY, at_line(at->file, (int)at->line),
               n.row ? "asks for element %lld of a row of %s; a row has %lld"
                     : "asks for element %lld of %s, which has %lld",
               index, n.array.c_str(), elements);
    leave_block(w);
}
