/**
 * @file room.h
 * Memory of a rank, with guard cells around it.
 */
#ifndef LADDER_ROOM_H
#define LADDER_ROOM_H

#include "comm.h"
#include "common/options.h"
#include "place.h"

/* Elements between guard cells that nobody may write. */
struct room {
    const struct place *place;
    real *at;
    char *block;
    size_t elements;
};

static const enum precision here = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;

struct room room_open(struct comm *comm, const struct place *place, size_t elements);
bool room_is_whole(const struct room *room);
void poison(struct room *room);

#endif
