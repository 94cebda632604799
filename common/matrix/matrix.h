/* SPDX-License-Identifier: MIT */
/** @file matrix.h
 * Row-major matrices with a leading dimension, guard cells around them, and a place on the
 * device.
 */
#ifndef COMMON_MATRIX_MATRIX_H
#define COMMON_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/precision.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A rows x cols matrix. Element (i, j) is host[i * ld + j]. Guard cells are before the first
 * row, after the last one (more than a row of them each), and in the ld - cols cells at the end
 * of each row. */
struct matrix {
    enum precision precision;
    long rows, cols, ld;
    void *host;   /**< element (0, 0) in host memory */
    void *device; /**< element (0, 0) where the step computes; equals host for CPU steps */
    void *host_block, *device_block; /**< the allocated blocks, with guard cells */
    size_t bytes;                    /**< size of a block */
};

/** Bytes that matrix_create() will take on the host.
 * @param precision of the elements
 * @param rows 1 or more
 * @param ld elements from one row to the next
 * @return bytes, guard cells included */
size_t matrix_bytes(enum precision precision, long rows, long ld);

/** Allocates host and device memory and fills all of it with guard cells.
 * @param matrix overwritten
 * @param precision of the elements
 * @param rows,cols 1 or more
 * @param ld elements from one row to the next, at least cols
 * @return false without enough memory on the host or the device; matrix_destroy() is then still
 * allowed */
bool matrix_create(struct matrix *matrix, enum precision precision, long rows, long cols,
                   long ld);

/** The same for an operand or a result of worker_call().
 * @param matrix overwritten
 * @param precision of the elements
 * @param rows,cols 1 or more
 * @param ld elements from one row to the next, at least cols
 * @return as matrix_create() */
bool matrix_create_for_calls(struct matrix *matrix, enum precision precision, long rows,
                             long cols, long ld);

/** Frees both blocks.
 * @param matrix created, or all zeros */
void matrix_destroy(struct matrix *matrix);

/** Element (i, j) of the host copy as a double (exact for all three types).
 * @param matrix created
 * @param i,j row and column, from 0
 * @return the element */
double matrix_get(const struct matrix *matrix, long i, long j);

/** Sets element (i, j) of the host copy, rounded to the matrix's precision.
 * @param matrix created
 * @param i,j row and column, from 0
 * @param value any number */
void matrix_set(struct matrix *matrix, long i, long j, double value);

/** Fills the elements of the host copy with NaN (the smallest int for integers).
 * @param matrix created; its guard cells stay */
void matrix_poison(struct matrix *matrix);

/** Copies a row of the host copy, as doubles.
 * @param matrix created
 * @param i row, from 0
 * @param row gets an element for each column */
void matrix_get_row(const struct matrix *matrix, long i, double *row);

/** @{ */
/** Copies the whole block, with guard cells, from host to device, or back, unless they share
 * it.
 * @param matrix created */
void matrix_upload(const struct matrix *matrix);
void matrix_download(struct matrix *matrix);
/** @} */

/** Writes guard cells: different NaNs (for integers large negative numbers), so that both
 * copying another guard cell over one and arithmetic on one are noticed.
 * @param precision,count of the cells
 * @param cells host memory, filled
 * @param address in bytes where the first cell will be; it determines the contents */
void guards_write(enum precision precision, void *cells, size_t count, uintptr_t address);

/** Whether the cells are still as guards_write() wrote them.
 * @param precision,count of the cells
 * @param cells host memory
 * @param address the same as for guards_write()
 * @param at gets the number of the first changed cell, from 0
 * @return true if none has changed */
bool guards_hold(enum precision precision, const void *cells, size_t count, uintptr_t address,
                 size_t *at);

/** Looks for guard cells of the host copy that were written.
 * @param matrix its host copy, already downloaded
 * @return where the first one is, until the next call; NULL if there is none */
const char *matrix_written_outside(const struct matrix *matrix);

/** @{ */
/** A hash of every byte of the host block, or of the elements without the guard cells, to see
 * whether they changed.
 * @param matrix its host copy
 * @return equal for equal bytes */
uint64_t matrix_hash(const struct matrix *matrix);
uint64_t matrix_elements_hash(const struct matrix *matrix);
/** @} */

/* ---- Workspace ---- */

/** The workspace that the runner gives to a variant: filled with NaN, with guard cells on both
 * sides. */
struct workspace {
    enum precision precision;
    size_t bytes; /**< that the variant needs */
    void *start;  /**< where it begins on the device; NULL if bytes is 0 */
    void *block;  /**< the allocated block, with guard cells */
};

/** Allocates and fills it.
 * @param workspace overwritten
 * @param precision of its elements
 * @param bytes that the variant needs, or 0
 * @return false without enough device memory */
bool workspace_create(struct workspace *workspace, enum precision precision, size_t bytes);

/** Looks for guard cells that were written.
 * @param workspace created
 * @return where the first one is, until the next call; NULL if there is none */
const char *workspace_written_outside(const struct workspace *workspace);

/** @{ */
/** Frees it; or fills everything except the guard cells with NaN again.
 * @param workspace created, or, to be freed, all zeros */
void workspace_destroy(struct workspace *workspace);
void workspace_poison(const struct workspace *workspace);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
