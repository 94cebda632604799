/* SPDX-License-Identifier: MIT */
#include "common/matrix/matrix.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/worker.h"
#include "common/matrix/random.h"
#include "common/sizes.h"

/* The guard cell at an address. Its bits are a random function of the address, so all guard
   cells differ: writing A's guard cells over C's is noticed. It is a signalling NaN, which
   arithmetic makes quiet, so adding to a guard cell is noticed, too. For integers it is a large
   negative number. */
static uint64_t guard_at(enum precision precision, uintptr_t address)
{
    uint64_t bits = random_bits((uint64_t)address + RANDOM_STEP);
    switch (precision) {
    case PRECISION_F32:
        return 0x7f800000u | (bits & 0x803fffffu) | 1;
    case PRECISION_F64:
        return 0x7ff0000000000000ull | (bits & 0x8007ffffffffffffull) | 1;
    default:
        return 0x80000000u | (bits & 0x0fffffffu);
    }
}

void guards_write(enum precision precision, void *cells, size_t count, uintptr_t address)
{
    size_t size = precision_bytes(precision);
    enum { LARGE = 1 << 16 };
    /* In parallel, except on the CPU backend. Assumes little-endian words, as all hosts of CUDA
       have. */
#pragma omp parallel for if (!backend.shares_host_memory && count > LARGE)
    for (size_t i = 0; i < count; i++) {
        uint64_t guard = guard_at(precision, address + i * size);
        memcpy((char *)cells + i * size, &guard, size);
    }
}

bool guards_hold(enum precision precision, const void *cells, size_t count, uintptr_t address,
                 size_t *at)
{
    size_t size = precision_bytes(precision);
    for (size_t i = 0; i < count; i++) {
        uint64_t guard = guard_at(precision, address + i * size);
        if (memcmp((const char *)cells + i * size, &guard, size) != 0) {
            *at = i;
            return false;
        }
    }
    return true;
}

/* Guard cells on each side: more than a row, so that a loop that runs one row too far stays
   within the block; and a multiple of the backend's least number, so that the first row is
   aligned. */
static size_t guard_cells(long ld)
{
    return backend.guard_cells ? (size_t)round_up(ld + backend.guard_cells, backend.guard_cells)
                               : 0;
}

size_t matrix_bytes(enum precision precision, long rows, long ld)
{
    return ((size_t)(rows * ld) + 2 * guard_cells(ld)) * precision_bytes(precision);
}

static bool create(struct matrix *matrix, enum precision precision, long rows, long cols,
                   long ld, void *(*allocate)(size_t alignment, size_t bytes))
{
    size_t size = precision_bytes(precision);
    *matrix = (struct matrix){.precision = precision, .rows = rows, .cols = cols, .ld = ld};
    matrix->bytes = matrix_bytes(precision, rows, ld);
    /* A page can be pinned only once, so pinned matrices start at a page. */
    size_t unit = backend.pin ? 4096 : 64;
    matrix->host_block = allocate(unit, (size_t)round_up((long)matrix->bytes, (long)unit));
    if (!matrix->host_block)
        return false;
    char *cell = matrix->host_block;
    guards_write(precision, cell, matrix->bytes / size, (uintptr_t)cell);
    matrix->host = cell + guard_cells(ld) * size;
    matrix->device = matrix->host;
    if (!backend.shares_host_memory) {
        matrix->device_block = backend.allocate(matrix->bytes);
        if (!matrix->device_block) {
            matrix_destroy(matrix);
            return false;
        }
        matrix->device = (char *)matrix->device_block + guard_cells(ld) * size;
    }
    if (backend.pin)
        backend.pin(matrix->host_block, matrix->bytes);
    return true;
}

bool matrix_create(struct matrix *matrix, enum precision precision, long rows, long cols,
                   long ld)
{
    return create(matrix, precision, rows, cols, ld, aligned_alloc);
}

bool matrix_create_for_calls(struct matrix *matrix, enum precision precision, long rows,
                             long cols, long ld)
{
    return create(matrix, precision, rows, cols, ld, worker_allocate);
}

void matrix_destroy(struct matrix *matrix)
{
    if (backend.unpin && matrix->host_block)
        backend.unpin(matrix->host_block);
    worker_release(matrix->host_block);
    if (matrix->device_block)
        backend.release(matrix->device_block);
    *matrix = (struct matrix){0};
}

double matrix_get(const struct matrix *matrix, long i, long j)
{
    long at = i * matrix->ld + j;
    switch (matrix->precision) {
    case PRECISION_F32:
        return ((const float *)matrix->host)[at];
    case PRECISION_F64:
        return ((const double *)matrix->host)[at];
    default:
        return ((const int32_t *)matrix->host)[at];
    }
}

void matrix_set(struct matrix *matrix, long i, long j, double value)
{
    long at = i * matrix->ld + j;
    switch (matrix->precision) {
    case PRECISION_F32:
        ((float *)matrix->host)[at] = (float)value;
        break;
    case PRECISION_F64:
        ((double *)matrix->host)[at] = value;
        break;
    default:
        ((int32_t *)matrix->host)[at] = isnan(value) ? INT_MIN : (int32_t)value;
        break;
    }
}

/* With one thread: this runs before every timed run, and waiting threads would disturb it. */
void matrix_poison(struct matrix *matrix)
{
    size_t size = precision_bytes(matrix->precision), row = (size_t)matrix->cols * size;
    for (long i = 0; i < matrix->rows; i++) {
        if (matrix->precision != PRECISION_I32) /* a NaN with all bits set */
            memset((char *)matrix->host + (size_t)(i * matrix->ld) * size, 0xff, row);
        for (long j = 0; matrix->precision == PRECISION_I32 && j < matrix->cols; j++)
            matrix_set(matrix, i, j, NAN);
    }
}

void matrix_get_row(const struct matrix *matrix, long i, double *row)
{
    const float *f32 = (const float *)matrix->host + i * matrix->ld;
    const double *f64 = (const double *)matrix->host + i * matrix->ld;
    const int32_t *i32 = (const int32_t *)matrix->host + i * matrix->ld;
    for (long j = 0; j < matrix->cols; j++)
        row[j] = matrix->precision == PRECISION_F32   ? (double)f32[j]
                 : matrix->precision == PRECISION_F64 ? f64[j]
                                                      : i32[j];
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

/* True if cells [from, to) of the block are unchanged; otherwise *at is the first changed one.
 */
static bool guards_in(const struct matrix *matrix, size_t from, size_t to, size_t *at)
{
    const char *cells =
        (const char *)matrix->host_block + from * precision_bytes(matrix->precision);
    bool hold = guards_hold(matrix->precision, cells, to - from, (uintptr_t)cells, at);
    *at += from;
    return hold;
}

const char *matrix_written_outside(const struct matrix *matrix)
{
    static char where[128];
    size_t guard = guard_cells(matrix->ld), at = 0;
    size_t cells = matrix->bytes / precision_bytes(matrix->precision);
    if (!guards_in(matrix, 0, guard, &at)) {
        snprintf(where, sizeof where, "cell %zu before the first row", guard - at);
        return where;
    }
    for (long i = 0; i < matrix->rows; i++) {
        size_t row = guard + (size_t)(i * matrix->ld);
        if (!guards_in(matrix, row + (size_t)matrix->cols, row + (size_t)matrix->ld, &at)) {
            snprintf(where, sizeof where, "row %ld, column %zu of a matrix of %ld columns", i,
                     at - row, matrix->cols);
            return where;
        }
    }
    if (guards_in(matrix, cells - guard, cells, &at))
        return NULL;
    snprintf(where, sizeof where, "cell %zu after the last row", at - (cells - guard) + 1);
    return where;
}

/* Mixes a word into a lane. Multiplication moves bits only upwards: a changed top bit would
   stay there, and a second one would cancel it, so two changed signs would give the same hash.
   So the high bits are mixed back into the low ones. */
static uint64_t stir(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * 0x9e3779b97f4a7c15ull;
    return lane ^ lane >> 32;
}

/* Uses four independent lanes to run at memory speed. */
static uint64_t hash_of(const char *byte, size_t bytes)
{
    uint64_t lane[4] = {1, 2, 3, 4};
    size_t i = 0;
    for (; i + 32 <= bytes; i += 32)
        for (int l = 0; l < 4; l++) {
            uint64_t word;
            memcpy(&word, byte + i + 8 * l, 8);
            lane[l] = stir(lane[l], word);
        }
    for (; i < bytes; i++)
        lane[0] = stir(lane[0], (unsigned char)byte[i]);
    return lane[0] ^ lane[1] * 3 ^ lane[2] * 5 ^ lane[3] * 7;
}

uint64_t matrix_elements_hash(const struct matrix *matrix)
{
    size_t size = precision_bytes(matrix->precision);
    uint64_t hash = 0;
    for (long i = 0; i < matrix->rows; i++)
        hash = stir(hash, hash_of((const char *)matrix->host + (size_t)(i * matrix->ld) * size,
                                  (size_t)matrix->cols * size));
    return hash;
}

/* Hashes parts in parallel, except on the CPU backend. */
uint64_t matrix_hash(const struct matrix *matrix)
{
    const size_t part = 1 << 20;
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash) if (!backend.shares_host_memory)
    for (size_t from = 0; from < matrix->bytes; from += part) {
        size_t left = matrix->bytes - from;
        hash += stir(from + 1, hash_of((const char *)matrix->host_block + from,
                                       left < part ? left : part));
    }
    return hash;
}

/* ---- Workspace ---- */

/* On each side: the workspace stays aligned as the backend aligns it. */
enum { GUARD_BYTES = 4096 };

static size_t guard_bytes(void) { return backend.guard_cells ? GUARD_BYTES : 0; }

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
        backend.upload(place, cells, guards);
    }
    workspace_poison(w);
    return true;
}

void workspace_poison(const struct workspace *w)
{
    if (w->start)
        backend.poison(w->start, w->bytes);
}

const char *workspace_written_outside(const struct workspace *w)
{
    static char where[64];
    size_t size = precision_bytes(w->precision), cells = guard_bytes() / size, at = 0;
    for (int side = 0; side < 2 && w->start && cells; side++) {
        char found[GUARD_BYTES], *place = guards_of(w, side);
        backend.download(found, place, GUARD_BYTES);
        if (guards_hold(w->precision, found, cells, (uintptr_t)place, &at))
            continue;
        snprintf(where, sizeof where,
                 side ? "element %zu after its last" : "element %zu before its first",
                 side ? at + 1 : cells - at);
        return where;
    }
    return NULL;
}

void workspace_destroy(struct workspace *w)
{
    if (w->block)
        backend.release(w->block);
    *w = (struct workspace){0};
}
