#include "matrix.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

/* A guard cell is a NaN with this payload: reading one spoils a result, writing one shows. */
static const uint32_t guard_f32 = 0x7fc0ded1u;
static const uint64_t guard_f64 = 0x7ff8decade0ded1ull;
static const int32_t guard_i32 = INT_MIN + 0xded1;

static const void *guard_pattern(enum precision precision)
{
    return precision == PRECISION_F32   ? (const void *)&guard_f32
           : precision == PRECISION_F64 ? (const void *)&guard_f64
                                        : (const void *)&guard_i32;
}

/* Cells of the block: guards before the first row, rows * ld, guards after the last. */
static size_t block_cells(long rows, long ld)
{
    return (size_t)rows * (size_t)ld + 2 * (size_t)backend.guard_cells;
}

size_t matrix_bytes(enum precision precision, long rows, long cols, long ld)
{
    (void)cols;
    return block_cells(rows, ld) * precision_bytes(precision);
}

bool matrix_create(struct matrix *matrix, enum precision precision, long rows, long cols, long ld)
{
    size_t size = precision_bytes(precision);
    *matrix = (struct matrix){.precision = precision, .rows = rows, .cols = cols, .ld = ld};
    matrix->bytes = matrix_bytes(precision, rows, cols, ld);
    matrix->host_block = aligned_alloc(64, (matrix->bytes + 63) / 64 * 64);
    if (!matrix->host_block)
        return false;
    char *cell = matrix->host_block;
    for (size_t i = 0; i < matrix->bytes / size; i++)
        memcpy(cell + i * size, guard_pattern(precision), size);
    matrix->host = cell + (size_t)backend.guard_cells * size;
    matrix->device = matrix->host;
    if (!backend.shares_host_memory) {
        matrix->device_block = backend.allocate(matrix->bytes);
        if (!matrix->device_block) {
            matrix_destroy(matrix);
            return false;
        }
        matrix->device = (char *)matrix->device_block + (size_t)backend.guard_cells * size;
    }
    return true;
}

void matrix_destroy(struct matrix *matrix)
{
    free(matrix->host_block);
    if (matrix->device_block)
        backend.release(matrix->device_block);
    *matrix = (struct matrix){0};
}

double matrix_get(const struct matrix *matrix, long i, long j)
{
    long at = i * matrix->ld + j;
    switch (matrix->precision) {
    case PRECISION_F32: return ((const float *)matrix->host)[at];
    case PRECISION_F64: return ((const double *)matrix->host)[at];
    default: return ((const int32_t *)matrix->host)[at];
    }
}

void matrix_set(struct matrix *matrix, long i, long j, double value)
{
    long at = i * matrix->ld + j;
    switch (matrix->precision) {
    case PRECISION_F32: ((float *)matrix->host)[at] = (float)value; break;
    case PRECISION_F64: ((double *)matrix->host)[at] = value; break;
    default: ((int32_t *)matrix->host)[at] = isnan(value) ? INT_MIN : (int32_t)value; break;
    }
}

/* By one thread: this stands before every timed run, which threads that wait for work would disturb. */
void matrix_poison(struct matrix *matrix)
{
    size_t size = precision_bytes(matrix->precision), row = (size_t)matrix->cols * size;
    for (long i = 0; i < matrix->rows; i++) {
        if (matrix->precision != PRECISION_I32) /* all bits set are a NaN */
            memset((char *)matrix->host + (size_t)(i * matrix->ld) * size, 0xff, row);
        for (long j = 0; matrix->precision == PRECISION_I32 && j < matrix->cols; j++)
            matrix_set(matrix, i, j, NAN);
    }
}

void matrix_upload(const struct matrix *matrix)
{
    if (!backend.shares_host_memory)
        backend.upload(matrix->device_block, matrix->host_block, matrix->bytes);
}

void matrix_download(struct matrix *matrix)
{
    if (!backend.shares_host_memory)
        backend.download(matrix->host_block, matrix->device_block, matrix->bytes);
}

/* True when cells [from, to) of the block still hold the guard pattern; else *at is the first. */
static bool guards_in(const struct matrix *matrix, size_t from, size_t to, size_t *at)
{
    size_t size = precision_bytes(matrix->precision);
    for (size_t i = from; i < to; i++)
        if (memcmp((const char *)matrix->host_block + i * size, guard_pattern(matrix->precision),
                   size) != 0) {
            *at = i;
            return false;
        }
    return true;
}

bool matrix_guards_intact(const struct matrix *matrix, char *where, size_t where_size)
{
    size_t guard = (size_t)backend.guard_cells, at = 0;
    size_t cells = matrix->bytes / precision_bytes(matrix->precision);
    if (!guards_in(matrix, 0, guard, &at)) {
        snprintf(where, where_size, "%zu cells before the first row", guard - at);
        return false;
    }
    for (long i = 0; i < matrix->rows; i++) {
        size_t row = guard + (size_t)(i * matrix->ld);
        if (!guards_in(matrix, row + (size_t)matrix->cols, row + (size_t)matrix->ld, &at)) {
            snprintf(where, where_size, "row %ld, column %zu of a matrix of %ld columns", i,
                     at - row, matrix->cols);
            return false;
        }
    }
    if (!guards_in(matrix, cells - guard, cells, &at)) {
        snprintf(where, where_size, "%zu cells after the last row", at - (cells - guard));
        return false;
    }
    return true;
}

uint64_t matrix_hash(const struct matrix *matrix)
{
    /* FNV-1a over words, in four independent lanes so that it runs at memory speed. */
    uint64_t lane[4] = {1, 2, 3, 4};
    const char *byte = matrix->host_block;
    size_t i = 0;
    for (; i + 32 <= matrix->bytes; i += 32)
        for (int l = 0; l < 4; l++) {
            uint64_t word;
            memcpy(&word, byte + i + 8 * l, 8);
            lane[l] = (lane[l] ^ word) * 0x100000001b3ull;
        }
    for (; i < matrix->bytes; i++)
        lane[0] = (lane[0] ^ (unsigned char)byte[i]) * 0x100000001b3ull;
    return lane[0] ^ lane[1] * 3 ^ lane[2] * 5 ^ lane[3] * 7;
}
