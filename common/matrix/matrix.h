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

/**
 * A rows x cols matrix. Element (i, j) is host[i * ld + j]. Guard cells stand before the first
 * row, after the last one, and in the ld - cols cells at the end of each row. Before and after
 * the matrix there is more than a row of them.
 */
struct matrix {
    enum precision precision;
    long rows, cols, ld;
    void *host;   /**< element (0, 0) in host memory */
    void *device; /**< element (0, 0) where the step computes; equals host for CPU steps */
    void *host_block, *device_block; /**< what was allocated, guard cells included */
    size_t bytes;                    /**< size of a block */
};

/** Bytes that matrix_create() will take on the host. */
size_t matrix_bytes(enum precision precision, long rows, long cols, long ld);

/** Allocates host and device memory and fills all of it with guard cells. false: not enough
 * memory. */
bool matrix_create(struct matrix *matrix, enum precision precision, long rows, long cols,
                   long ld);

/** Frees both blocks. */
void matrix_destroy(struct matrix *matrix);

/** Element (i, j) of the host copy as a double (exact for all three types). */
double matrix_get(const struct matrix *matrix, long i, long j);

/** Sets element (i, j) of the host copy, rounded to the matrix's precision. */
void matrix_set(struct matrix *matrix, long i, long j, double value);

/** Fills the elements of the host copy with NaN (the smallest int for integers). */
void matrix_poison(struct matrix *matrix);

/** Copies a row of the host copy into `row`, as doubles. */
void matrix_get_row(const struct matrix *matrix, long i, double *row);

/** A hash of the elements of the host copy, without the guard cells. */
uint64_t matrix_elements_hash(const struct matrix *matrix);

/** Copies the whole block, guard cells included, between host and device. */
void matrix_upload(const struct matrix *matrix);
void matrix_download(struct matrix *matrix);

/**
 * Writes guard cells that will stand at `address`: each a NaN of its own (for integers a large
 * negative number), so that neither a copy of another guard nor arithmetic on it goes unseen.
 */
void guards_write(enum precision precision, void *cells, size_t count, uintptr_t address);

/** True if the cells are as guards_write() left them; otherwise *at is the first one that
 * changed. */
bool guards_hold(enum precision precision, const void *cells, size_t count, uintptr_t address,
                 size_t *at);

/** True if no guard cell of the host copy was written; otherwise `where` says which one was. */
bool matrix_guards_intact(const struct matrix *matrix, char *where, size_t where_size);

/** A hash of every byte of the host block: equal hashes before and after mean "unchanged". */
uint64_t matrix_hash(const struct matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
