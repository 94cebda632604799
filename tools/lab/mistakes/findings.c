/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include <stdarg.h>
#include <stdio.h>

void suggest(struct findings *f, int fitting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (fitting && !f->count)
        vsnprintf(f->sentence, sizeof f->sentence, format, arguments);
    va_end(arguments);
    f->count += fitting;
}

/* The smallest box with all elements whose flag is `value`. */
struct box {
    long top, bottom, left, right, count;
};

static struct box box_of(marks_function *marks, const void *of, bool value, long m, long n)
{
    struct box b = {.top = m, .bottom = -1, .left = n, .right = -1};
    for (long at = 0; at < m * n; at++) {
        long i = at / n, j = at % n;
        if (marks(of, i, j) != value)
            continue;
        b.count++;
        b.top = i < b.top ? i : b.top, b.bottom = i;
        b.left = j < b.left ? j : b.left, b.right = j > b.right ? j : b.right;
    }
    return b;
}

static bool is_full(const struct box *b)
{
    return b->count == (b->bottom - b->top + 1) * (b->right - b->left + 1);
}

bool place_of_marked(char *text, size_t size, marks_function *marks, const void *of, long m,
                     long n)
{
    struct box in = box_of(marks, of, true, m, n), out = box_of(marks, of, false, m, n);
    bool inverse = !is_full(&in) && out.count >= FEWEST && is_full(&out);
    const struct box *b = inverse ? &out : &in;
    int length = snprintf(text, size, "%s",
                          inverse      ? "all but "
                          : is_full(b) ? ""
                                       : "some of ");
    length += b->top == b->bottom
                  ? snprintf(text + length, size - (size_t)length, "row %ld, ", b->top)
                  : snprintf(text + length, size - (size_t)length, "rows %ld to %ld, ", b->top,
                             b->bottom);
    if (b->left == b->right)
        snprintf(text + length, size - (size_t)length, "column %ld", b->left);
    else
        snprintf(text + length, size - (size_t)length, "columns %ld to %ld", b->left, b->right);
    return (inverse || is_full(b) || 2 * in.count < m * n) &&
           (b->bottom - b->top + 1 < m || b->right - b->left + 1 < n);
}
