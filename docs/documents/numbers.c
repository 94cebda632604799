/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *paper_text(const char *item, const char *row, const char *column)
{
    for (const struct paper_number *n = paper_numbers; n->item; n++)
        if (strcmp(n->item, item) == 0 && strcmp(n->row, row) == 0 &&
            strcmp(n->column, column) == 0)
            return n->value;
    return NULL;
}

double paper_value(const char *item, const char *row, const char *column)
{
    const char *text = paper_text(item, row, column);
    return text ? strtod(text, NULL) : (double)NAN;
}
