/**
 * @file room.c
 * Memory of a rank, with guard cells around it.
 */
#include "room.h"

#include "common/device/host.h"
#include "common/check/verify.h"

enum { GUARD = 64 };

static size_t room_bytes(size_t elements) { return (elements + 2 * GUARD) * sizeof(real); }

static struct block guards_at(real *at) { return (struct block){at, 1, GUARD, GUARD}; }

struct room room_open(struct comm *comm, const struct place *place, size_t elements)
{
    real guards[GUARD];
    double have = place->memory_free(), need = (double)room_bytes(elements);
    struct room room = {place, NULL, place->allocate(room_bytes(elements)), elements};
    if (!room.block)
        comm_abort(comm, "not enough memory: %.0f bytes (%s) are needed, %.0f (%s) are free",
                   need, readable_bytes(need), have, readable_bytes(have));
    room.at = (real *)room.block + GUARD;
    place->poison(room.block, room_bytes(elements));
    guards_write(precision_here, guards, GUARD, 0);
    place->bring(guards_at(room.at - GUARD), guards_at(guards), false);
    place->bring(guards_at(room.at + elements), guards_at(guards), false);
    return room;
}

void room_close(struct room *room) { room->place->release(room->block); }

bool room_is_whole(const struct room *room)
{
    real before[GUARD], after[GUARD];
    size_t at;
    room->place->fetch(guards_at(before), guards_at(room->at - GUARD));
    room->place->fetch(guards_at(after), guards_at(room->at + room->elements));
    return guards_hold(precision_here, before, GUARD, 0, &at) &&
           guards_hold(precision_here, after, GUARD, 0, &at);
}

void room_poison(struct room *room)
{
    room->place->poison(room->at, room->elements * sizeof(real));
}
