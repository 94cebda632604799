/* SPDX-License-Identifier: MIT */
#include "common/step.h"

#include <string.h>

void variant_multiply(const struct variant *v, const struct context *ctx, struct product p,
                      int levels, real *workspace)
{
    if (v->simple)
        v->simple(p.a, p.b, p.c);
    else
        v->multiply(ctx, p, levels, workspace);
}

const struct variant *find_variant(const struct variant *table, const char *name)
{
    for (; table && table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *item = list; item; item = strchr(item, ',')) {
        item += item != list; /* after the comma */
        if (strncmp(item, name, length) == 0 && (item[length] == ',' || !item[length]))
            return true;
    }
    return false;
}

const struct leaf *find_leaf(const struct leaf *table, const char *name)
{
    for (; name && table && table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return name ? NULL : table;
}

size_t leaf_workspace(const struct context *ctx, struct product p)
{
    return ctx->leaf && ctx->leaf->workspace ? ctx->leaf->workspace(ctx, p, 0) : 0;
}
