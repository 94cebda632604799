/**
 * @file room.h
 * Memory of a rank, with guard cells before and behind it that nobody may write.
 */
#ifndef STEPS_22_MANY_GPUS_ROOM_H
#define STEPS_22_MANY_GPUS_ROOM_H

#include "comm.h"
#include "common/command/options.h"
#include "place.h"

/** The precision of `real`. */
static const enum precision precision_here = sizeof(real) == 4 ? PRECISION_F32 : PRECISION_F64;

struct room {
    const struct place *place; /**< where it lies */
    real *at;                  /**< its first element */
    char *block;               /**< what was allocated, guard cells and all */
    size_t elements;
};

/** Takes memory for so many elements, full of NaN. Where there is too little, the run of all
 * ranks ends. */
struct room room_open(struct comm *comm, const struct place *place, size_t elements);
void room_close(struct room *room);

/** True while the guard cells are as they were. */
bool room_is_whole(const struct room *room);

/** Fills the elements with NaN again. */
void room_poison(struct room *room);

#endif
