/* SPDX-License-Identifier: MIT */
/** @file rewrite.h
 * What the parts of the rewriting tool share: the text that is read and the text that is
 * written.
 */
#ifndef SIMGPU_TOOLS_REWRITE_H
#define SIMGPU_TOOLS_REWRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "host_code.h"

struct text {
    char *data;
    size_t length, capacity;
};

enum { MOST_CONDITIONS = 64 };

/** The file being read: its text, the position in it, and the state of the parser. */
struct reader {
    const char *path; /* absolute */
    const char *text;
    size_t at, end;
    int depth;                     /* of braces */
    size_t comments, comments_end; /* the last ones in the output, with only blanks between */
    bool line_start;               /* only blanks since the last newline */
    bool in_directive;             /* inside a preprocessor line */
    struct text after;             /* what to insert after the next semicolon at after_depth */
    int after_depth;
    bool kernel_next;     /* a device function is being declared */
    struct text bound;    /* the argument of its __launch_bounds__(...) */
    struct text cluster;  /* its __cluster_dims__(...), or macros that are one */
    struct text bounded;  /* to be written after its body: the bound of its address */
    bool host_too;        /* it is a function of the host, too */
    size_t shape_end;     /* where the `>>>` of the last launch is */
    size_t arguments_end; /* where the arguments of the last launch end */
    bool explicit_types;  /* its kernel's template arguments are given */
    int renamed[4];       /* for the program's own variables called gridDim and so on: one more
                             than the depth of braces inside which they are */
    int kernel_depth; /* the depth of braces around the device function being defined; or -1 */
    int conditions;   /* #if without its #endif */
    struct {
        int depth, kernel_depth;
        bool kernel_next;
    } before[MOST_CONDITIONS]; /* at each #if: every branch may open a brace of its own */
};

extern struct text output, parameters;
/** Names of the kernels that are called by name, of all kernels so far, and of functions at
 * file scope; each with blanks around it. */
extern struct text called_kernels, defined_kernels, host_functions;
extern struct text cluster_macros; /**< the same: macros that contain __cluster_dims__ */

/** The arguments of "%.*s" for a part of the text that is read. */
#define PART(r, from, to) (int)((to) - (from)), (r)->text + (from)

/* ---- source_text.c ---- */

void *checked(void *memory);
void append(struct text *t, const char *data, size_t length);
void put(struct text *t, const char *format, ...);
/** Writes a #line directive without its end, and escapes the path. */
void put_line(int line, const char *path);
int line_of(const struct reader *r, size_t position);
void fail(const struct reader *r, size_t position, const char *message);
bool is_word(char c);
bool starts(const struct reader *r, size_t i, const char *what);
/** If a comment, string or character literal starts at i, the position after it, else i. */
size_t skip_literal(const struct reader *r, size_t i);
/** The position after the literal, the brackets or the character at i. */
size_t skip_part(const struct reader *r, size_t i);
/** Skips blanks and comments. */
size_t skip_space(const struct reader *r, size_t i);
size_t word_end(const struct reader *r, size_t i);
bool word_is(const struct reader *r, size_t from, size_t to, const char *word);
/** Goes from an opening bracket to the position after the one that closes it. */
size_t skip_brackets(const struct reader *r, size_t i);
/** Goes from the position after a closing bracket back to the one that opens it. */
size_t skip_brackets_back(const char *s, size_t i);
/** Does a comment begin before `end` in its line of the output? */
bool ends_in_comment(size_t end);
/** The position after the last character before `i` that is no blank and no continued line's
 * end. */
size_t blanks_back(const char *s, size_t i);
/** A copy of the text in which line ends are blanks. */
char *on_one_line(const char *text);
char *read_file(const char *path, size_t *length);

/* ---- launches.c ---- */

bool listed(const struct text *names, const char *name, size_t length);
void rewrite_launch(struct reader *r);
/** At the beginning of a kernel with __launch_bounds__, a block may not be larger; and what its
 * __cluster_dims__ says. */
void put_bound(struct reader *r);
/** Is this << or >> a shift in a device function, by something other than a small number? The
 * right side of `a >> b` needs blanks around the sign, so `vector<vector<int>>` is none. */
bool is_shift(const struct reader *r);
/** Is this number the literal 0, alone as an argument of a launch? It may be a null pointer,
 * which it would no longer be once it is passed on as an integer. */
bool null_argument(const struct reader *r, size_t from, size_t to);

/* ---- shared.c ---- */

/** Removes `word` from the end of the output. Returns false if another word is there. */
bool take_back(const char *word);
/** Rewrites a declaration with __shared__. r->at is after that word, or after `extern` for
 * dynamic shared memory. */
void rewrite_shared(struct reader *r, bool dynamic);

/* ---- ptx.c ---- */

/** Rewrites an asm statement with instructions. r->at is after the word asm. */
bool rewrite_ptx(struct reader *r);
/** Writes what the constraint of an operand, a literal before a bracket, becomes; false if it
 * is none. */
bool put_constraint(const struct reader *r, size_t from, size_t to);

/* ---- words.c ---- */

/** Writes `unroll`, `unroll 4` or `unroll(4)`; the text is what follows the word. */
void put_unroll(const char *from, const char *to);
void rewrite_word(struct reader *r);

#endif
