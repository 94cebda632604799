/* SPDX-License-Identifier: MIT */
/** @file arrays.c
 * What the learner's shared arrays hold.
 *
 * In the coded run the elements of A, row by row, are 1, 2, 3 ..., and those of B go on from
 * there. So each number in a shared array says which element was stored there, unless it is a
 * sum.
 */
#include "device.h"
#include "diagnose.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 4 };

void write_codes(struct trial *t)
{
    double code = 0;
    struct matrix *operands[] = {&t->a, &t->b};
    for (int o = 0; o < 2; o++) {
        for (long i = 0; i < operands[o]->rows; i++)
            for (long j = 0; j < operands[o]->cols; j++)
                matrix_set(operands[o], i, j, ++code);
        matrix_upload(operands[o]);
    }
}

/* What a cell holds: an element of A or B ('A', 'B'), 0 ('0'), nothing yet ('-'), or something
 * else ('?'). */
struct stored {
    char what;
    long row, column;
};

/* One array, and in what order it seems to hold which matrix. */
struct tile {
    const struct trial *t;
    struct simgpu_kept_shared kept;
    long rows, columns;
    char matrix;
    bool turned;             /* columns of the matrix are rows of the tile */
    long row_of_a, col_of_b; /* where the block's elements of C begin */
};

static struct stored stored_at(const struct tile *tile, long row, long column)
{
    const struct matrix *a = &tile->t->a, *b = &tile->t->b;
    size_t size = tile->kept.element;
    const char *at =
        (const char *)tile->kept.bytes + (size_t)row * tile->kept.row + (size_t)column * size;
    static const unsigned char unwritten[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    float f32;
    double value;
    if (memcmp(at, unwritten, size) == 0)
        return (struct stored){'-', 0, 0};
    if (size == sizeof f32) {
        memcpy(&f32, at, size);
        value = f32;
    } else {
        memcpy(&value, at, size);
    }
    long of_a = a->rows * a->cols, all = of_a + b->rows * b->cols;
    if (value == 0)
        return (struct stored){'0', 0, 0};
    if (!(value >= 1 && value <= (double)all && value == floor(value)))
        return (struct stored){'?', 0, 0};
    long at_a = (long)value - 1, at_b = at_a - of_a;
    return at_a < of_a ? (struct stored){'A', at_a / a->cols, at_a % a->cols}
                       : (struct stored){'B', at_b / b->cols, at_b % b->cols};
}

/* What it holds there if it is the block's first tile of its matrix: 0 outside. */
static struct stored wanted_at(const struct tile *tile, long row, long column)
{
    bool a = tile->matrix == 'A';
    const struct matrix *x = a ? &tile->t->a : &tile->t->b;
    struct stored wanted = {tile->matrix, (tile->turned ? column : row) + a * tile->row_of_a,
                            (tile->turned ? row : column) + !a * tile->col_of_b};
    return wanted.row < x->rows && wanted.column < x->cols ? wanted
                                                           : (struct stored){'0', 0, 0};
}

static bool is_same(struct stored x, struct stored y)
{
    return x.what == y.what && x.row == y.row && x.column == y.column;
}

/* Finds the matrix, and the order: half of the row and column numbers are those of the place,
 * or the whole first row or column is. False if neither is clear. */
static bool find_order(struct tile *tile)
{
    long a = 0, b = 0, others = 0, fitting[2] = {0}, in_row[2] = {0}, in_column[2] = {0};
    for (long i = 0; i < tile->rows * tile->columns; i++) {
        char what = stored_at(tile, i / tile->columns, i % tile->columns).what;
        a += what == 'A';
        b += what == 'B';
        others += what == '?';
    }
    tile->matrix = a >= b ? 'A' : 'B';
    for (int turned = 0; turned < 2; turned++)
        for (long i = 0; i < tile->rows; i++)
            for (long j = 0; j < tile->columns; j++) {
                struct stored is = stored_at(tile, i, j);
                tile->turned = turned;
                struct stored wanted = wanted_at(tile, i, j);
                if (is.what == tile->matrix)
                    fitting[turned] += (is.row == wanted.row) + (is.column == wanted.column);
                bool same = is_same(is, wanted) || is.what == '-';
                in_row[turned] += i == 0 && same;
                in_column[turned] += j == 0 && same;
            }
    for (int turned = 0; turned < 2; turned++) {
        tile->turned = turned;
        if (fitting[turned] >= fitting[!turned] &&
            (fitting[turned] >= (a >= b ? a : b) || in_row[turned] == tile->columns ||
             in_column[turned] == tile->rows))
            return a + b > 3 * others;
    }
    return false;
}

/* Appends a row of the window, as it is or as it is wanted. */
static void say_row(struct diagnosis *d, const struct tile *tile, long row, long first,
                    bool wanted)
{
    for (long j = first; j < first + WINDOW && j < tile->columns; j++) {
        struct stored s = wanted ? wanted_at(tile, row, j) : stored_at(tile, row, j);
        char name[64] = {s.what};
        if (s.what == 'A' || s.what == 'B')
            snprintf(name, sizeof name, "%c[%ld][%ld]", s.what, s.row, s.column);
        diagnosis_say(d->tile, "%-*s",
                      wanted && (j == first + WINDOW - 1 || j == tile->columns - 1) ? 1 : 10,
                      name);
    }
}

/* The array around the first cell that differs from the tile; nothing if none does. */
static bool say_difference(struct diagnosis *d, const struct tile *tile)
{
    for (long i = 0; i < tile->rows; i++)
        for (long j = 0; j < tile->columns; j++) {
            struct stored is = stored_at(tile, i, j);
            if (is.what == '-' || is_same(is, wanted_at(tile, i, j)))
                continue;
            long row = i - 1, column = j - 1;
            row = row > tile->rows - WINDOW ? tile->rows - WINDOW : row;
            row = row < 0 ? 0 : row;
            column = column > tile->columns - WINDOW ? tile->columns - WINDOW : column;
            column = column < 0 ? 0 : column;
            bool a = tile->matrix == 'A';
            diagnosis_say(
                d->tile,
                "%sAt the barrier in line %d block (%ld,%ld) has this in %s, from "
                "%s[%ld][%ld] on; on the right is the tile that begins with %c[%ld][%ld]%s:",
                *d->tile ? "\n" : "", tile->kept.barrier, d->block_x, d->block_y,
                tile->kept.name, tile->kept.name, row, column, tile->matrix, a * tile->row_of_a,
                !a * tile->col_of_b, tile->turned ? ", transposed" : "");
            for (long y = row; y < row + WINDOW && y < tile->rows; y++) {
                diagnosis_say(d->tile, "\n  ");
                say_row(d, tile, y, column, false);
                diagnosis_say(d->tile, "|  ");
                say_row(d, tile, y, column, true);
            }
            return true;
        }
    return false;
}

/* How many of its rows, or columns, were written. */
static long extent_of(const struct tile *tile, bool of_rows)
{
    long extent = 0;
    for (long i = 0; i < tile->rows; i++)
        for (long j = 0; j < tile->columns; j++) {
            long at = (of_rows ? i : j) + 1;
            if (stored_at(tile, i, j).what != '-' && at > extent)
                extent = at;
        }
    return extent;
}

/* Looks at the arrays that were kept of block (d->block_x, d->block_y). */
void look_at_arrays(const struct trial *t, struct diagnosis *d)
{
    const struct options *o = t->options;
    struct tile tile = {
        .t = t, .row_of_a = d->block_y * d->side[0], .col_of_b = d->block_x * d->side[1]};
    bool all = true;
    *d->tile = '\0';
    for (int i = 0; device_get_kept_shared(i, &tile.kept); i++) {
        size_t size = precision_bytes(t->a.precision);
        tile.columns = (long)(tile.kept.row / size);
        tile.rows = tile.kept.row ? (long)(tile.kept.size / tile.kept.row) : 0;
        bool known = tile.kept.element == size && tile.rows > 1 && find_order(&tile);
        bool differs = known && say_difference(d, &tile);
        all = all && known && !differs;
        d->differs = d->differs || differs;
        if (!known || differs)
            continue;
        bool a = tile.matrix == 'A';
        d->side[!a] = extent_of(&tile, a != tile.turned);
        d->side[2 + !a] = extent_of(&tile, a == tile.turned);
        diagnosis_say(d->tile,
                      "%sAt the barrier in line %d block (%ld,%ld) has %c[i][j] in %s[%s].",
                      *d->tile ? "\n" : "", tile.kept.barrier, d->block_x, d->block_y,
                      tile.matrix, tile.kept.name, tile.turned ? "j][i" : "i][j");
    }
    d->tiles_right = all && o->m <= d->side[0] && o->n <= d->side[1] && o->k <= d->side[2] &&
                     o->k <= d->side[3];
}
