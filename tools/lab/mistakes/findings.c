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
