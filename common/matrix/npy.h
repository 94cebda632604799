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

/* Each function returns NULL, or what is wrong: a text until this thread's next call. */

/** Checks a file's header, and whether all elements are there.
 * @param path of the file
 * @param npy gets the header
 * @return also wrong: a format or element type that is not supported */
const char *npy_look(const char *path, struct npy *npy);

/** Reads the elements into the host copy of a matrix of that size, rounded to its precision.
 * @param path of the file
 * @param matrix created with the file's rows and columns
 * @return NULL, or what is wrong */
const char *npy_read(const char *path, struct matrix *matrix);

/** @{ */
/** Checks that this name is free, or names a file that can be replaced; or that its folder
 * exists and can be written into.
 * @param path of the file
 * @return NULL, or what is wrong */
const char *npy_may_write(const char *path);
const char *npy_has_folder(const char *path);
/** @} */

/** Writes the host copy into a new file and renames it, so that no incomplete file remains.
 * @param path of the file
 * @param matrix its host copy; f32 or f64
 * @return NULL, or what is wrong; a file of this name is then unchanged */
const char *npy_write(const char *path, const struct matrix *matrix);

#endif
