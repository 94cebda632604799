/* SPDX-License-Identifier: MIT */
#include "common/matrix/workspace.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/matrix/matrix.h"

enum {
    GUARD_BYTES = 4096
}; /* on each side: the workspace stays aligned as the backend aligns it */

static size_t guard_bytes(void) { return backend.guard_cells ? GUARD_BYTES : 0; }

static void to_device(void *to, const void *from, size_t bytes)
{
    if (backend.shares_host_memory)
        memcpy(to, from, bytes);
    else
        backend.upload(to, from, bytes);
}

static void from_device(void *to, const void *from, size_t bytes)
{
    if (backend.shares_host_memory)
        memcpy(to, from, bytes);
    else
        backend.download(to, from, bytes);
}

/* Where the guards before (side 0) and after the workspace (side 1) begin. */
static char *guards_of(const struct workspace *w, int side)
{
    return side ? (char *)w->start + w->bytes : w->block;
}

bool workspace_create(struct workspace *w, enum precision precision, size_t bytes)
{
    size_t guards = guard_bytes();
    *w = (struct workspace){.precision = precision, .bytes = bytes};
    if (!bytes)
        return true;
    w->block = backend.allocate(bytes + 2 * guards);
    if (!w->block)
        return false;
    w->start = (char *)w->block + guards;
    for (int side = 0; side < 2 && guards; side++) {
        char cells[GUARD_BYTES], *place = guards_of(w, side);
        guards_write(precision, cells, guards / precision_bytes(precision), (uintptr_t)place);
        to_device(place, cells, guards);
    }
    workspace_poison(w);
    return true;
}

void workspace_poison(const struct workspace *w)
{
    if (w->start)
        backend.poison(w->start, w->bytes);
}

bool workspace_guards_intact(const struct workspace *w, char *where, size_t where_size)
{
    size_t size = precision_bytes(w->precision), cells = guard_bytes() / size, at = 0;
    for (int side = 0; side < 2 && w->start && cells; side++) {
        char found[GUARD_BYTES], *place = guards_of(w, side);
        from_device(found, place, GUARD_BYTES);
        if (guards_hold(w->precision, found, cells, (uintptr_t)place, &at))
            continue;
        if (side)
            snprintf(where, where_size, "element %zu after its last", at + 1);
        else
            snprintf(where, where_size, "element %zu before its first", cells - at);
        return false;
    }
    return true;
}

void workspace_destroy(struct workspace *w)
{
    if (w->block)
        backend.release(w->block);
    *w = (struct workspace){0};
}
