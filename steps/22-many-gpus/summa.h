/**
 * @file summa.h
 * The panels in which SUMMA goes through k.
 */
#ifndef STEPS_22_MANY_GPUS_SUMMA_H
#define STEPS_22_MANY_GPUS_SUMMA_H

#include "plan.h"

/** Inner indices [from, to), and the column and the row of the grid that own them in A and in
 * B. */
struct panel {
    long from, to;
    int column, row;
};

struct panel summa_panel(const struct plan *plan, long from);

#endif
