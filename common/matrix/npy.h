/* SPDX-License-Identifier: MIT */
/** @file npy.h
 * Reads and writes matrices in NumPy's .npy format (numpy.save() and numpy.load()). Only
 * two-dimensional arrays of little-endian float32 or float64, stored by rows, can be read.
 *
 * A file begins with the bytes 93 4e 55 4d 50 59 ("\x93NUMPY"), a version (1, 2 or 3, and 0),
 * the length of a text in two bytes (four from version 2 on), and the text: {'descr': '<f4',
 * 'fortran_order': False, 'shape': (rows, columns), }, followed by blanks and the end of the
 * line. Then come the elements, row by row.
 */
#ifndef COMMON_MATRIX_NPY_H
#define COMMON_MATRIX_NPY_H

#include <stdbool.h>
#include <stddef.h>

#include "common/matrix/matrix.h"

/** The contents of a file's header. */
struct npy {
    long rows, cols;
    enum precision precision; /**< PRECISION_F32 or PRECISION_F64 */
    long offset;              /**< where the elements begin */
};

/**
 * Checks a file's header, and whether all elements are there.
 * @param path of the file
 * @param npy gets the header
 * @param why gets the reason of a failure
 * @param size bytes of `why`
 * @return false if the file or some of its elements are missing, or if its format or element
 * type is not supported
 */
bool npy_look(const char *path, struct npy *npy, char *why, size_t size);

/**
 * Reads the elements into the host copy of a matrix of that size, rounded to its precision.
 * @param path of the file
 * @param matrix created with the file's rows and columns
 * @param why gets the reason of a failure
 * @param size bytes of `why`
 * @return false if the file cannot be read, or has another size
 */
bool npy_read(const char *path, struct matrix *matrix, char *why, size_t size);

/**
 * Whether this name is free, or names a file that can be replaced.
 * @param path of the file
 * @param why gets the reason if not
 * @param size bytes of `why`
 * @return whether it may be written
 */
bool npy_may_write(const char *path, char *why, size_t size);

/**
 * Whether the file's folder exists and can be written into.
 * @param path of the file
 * @param why gets the reason if not
 * @param size bytes of `why`
 * @return whether a file can be made there
 */
bool npy_has_folder(const char *path, char *why, size_t size);

/**
 * Writes the host copy into a new file and renames it, so that no incomplete file remains.
 * @param path of the file
 * @param matrix its host copy; f32 or f64
 * @param why gets the reason of a failure
 * @param size bytes of `why`
 * @return false on failure; a file of this name is then unchanged
 */
bool npy_write(const char *path, const struct matrix *matrix, char *why, size_t size);

#endif
