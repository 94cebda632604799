/* SPDX-License-Identifier: MIT */
/** @file kernel.c
 * The micro-kernel and the packing for one instruction set:
 * the build compiles this file once for each (KERNEL is the name of the result).
 *
 * Vectors are GCC's and clang's own (vector_size): a type of 64 bytes is one AVX-512 register,
 * of 32 bytes an AVX register, of 16 bytes an SSE or NEON register; + and * work lane by lane.
 * On a processor without them the compiler does the same with scalars.
 */
#include "kernel.h"

#include <stdint.h>
#include <string.h>

/* A tile holds 2 mr vectors of C; two vectors of B and one broadcast element of A join them: 2
   mr + 3 registers. Every element loaded is used nr or mr times, and the 2 mr independent sums
   hide the latency of a fused multiply-add (4 cycles on 2 units ask for 8). */
#if defined __AVX512F__
#define NAME "AVX-512"
enum { VECTOR_BYTES = 64, MR = 14, REGISTERS = 32 };
#elif defined __AVX2__
#define NAME "AVX2"
enum { VECTOR_BYTES = 32, MR = 6, REGISTERS = 16 };
#elif defined __aarch64__
#define NAME "NEON"
enum { VECTOR_BYTES = 16, MR = 12, REGISTERS = 32 };
#else
#define NAME "portable"
enum { VECTOR_BYTES = 16, MR = 6, REGISTERS = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), NR = 2 * LANES };
_Static_assert(2 * MR + 3 <= REGISTERS,
               "a tile of C, two vectors of B and one of A fill the registers");

typedef real vec __attribute__((vector_size(VECTOR_BYTES)));

/* A vector at any address: memcpy of a constant size becomes one instruction. */
static inline vec load(const real *from)
{
    vec v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(real *to, vec v) { memcpy(to, &v, sizeof v); }

/* Loops over the rows and vectors of a tile are unrolled: `sum` can only live in registers when
   every index is a constant. The functions below become constant by being inlined. */
#define UNROLLED _Pragma("GCC unroll 16")
#define INLINE   static inline __attribute__((always_inline))
#define SEPARATE __attribute__((noinline)) /* its registers are its own */

/* Elements of a cache line; and how far ahead of its use A travels from L2 to L1. */
enum { LINE = 64 / sizeof(real), AHEAD = 8 * LINE };

/// [micro-kernel]
/* A tile of the product, `rows` rows of `vectors` vectors, into `out`. `a` is a packed panel of
   A, kc columns of `rows`; `b` has kc rows, ldb apart: nr in a packed panel. One step of k is
   an outer product, a column times a row: rows * vectors fused multiply-adds for rows + vectors
   loads. The tile will be added to the places of C, `at` elements from where each begins; with
   `more`, it is added to what `out` holds. */
INLINE void tile(const int rows, const int vectors, const bool more, long kc, const real *a,
                 const real *b, const long ldb, const struct sum *c, long at, real *out)
{
    vec sum[MR][2];
    UNROLLED for (int i = 0; i < rows; i++) UNROLLED for (int v = 0; v < vectors; v++)
        sum[i][v] = more ? load(out + i * NR + v * LANES) : (vec){0};

    int row = 0, place = 0;
    for (const real *end = a + kc * rows; a < end; a += STEPS * rows, b += STEPS * ldb) {
        /* C is needed after the loop. Its rows are requested one at a time, because a core
           waits when more than a dozen cache lines are on their way. A row that starts inside a
           line has three. */
        if (place < c->count) {
            const real *wanted = c->term[place].at + at + row * c->ld;
            __builtin_prefetch(wanted);
            __builtin_prefetch(wanted + LANES);
            __builtin_prefetch(wanted + vectors * LANES - 1);
            row = row < rows - 1 ? row + 1 : 0;
            place += row == 0;
        }
        UNROLLED for (int x = 0; x < STEPS * rows; x += LINE) __builtin_prefetch(a + AHEAD + x);
        /// [steps of k]
        UNROLLED for (int s = 0; s < STEPS; s++)
        {
            vec bl[2];
            UNROLLED for (int v = 0; v < vectors; v++) bl[v] = load(b + s * ldb + v * LANES);
            UNROLLED for (int i = 0; i < rows; i++)
            {
                vec ail = a[s * rows + i] - (vec){0}; /* the same element in every lane */
                UNROLLED for (int v = 0; v < vectors; v++) sum[i][v] += ail * bl[v];
            }
        }
        /// [steps of k]
    }
    UNROLLED for (int i = 0; i < rows; i++) UNROLLED for (int v = 0; v < vectors; v++)
        store(out + i * NR + v * LANES, sum[i][v]);
}
/// [micro-kernel]

/* tile() with a constant number of rows. */
INLINE void tile_of_rows(int rows, const int vectors, const bool more, long kc, const real *a,
                         const real *b, const long ldb, const struct sum *c, long at, real *out)
{
    switch (rows) {
    case 1:
        tile(1, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 2:
        tile(2, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 3:
        tile(3, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 4:
        tile(4, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 5:
        tile(5, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 6:
        tile(6, vectors, more, kc, a, b, ldb, c, at, out);
        break;
#if defined __AVX512F__ || defined __aarch64__
    case 7:
        tile(7, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 8:
        tile(8, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 9:
        tile(9, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 10:
        tile(10, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 11:
        tile(11, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 12:
        tile(12, vectors, more, kc, a, b, ldb, c, at, out);
        break;
#endif
#ifdef __AVX512F__
    case 13:
        tile(13, vectors, more, kc, a, b, ldb, c, at, out);
        break;
    case 14:
        tile(14, vectors, more, kc, a, b, ldb, c, at, out);
        break;
#endif
    }
}

/* A tile of one vector a row, of two, and of two from a B that is not packed, where a few steps
   of k follow each other. In packed B the distance of rows is known here. */
static SEPARATE void tile_narrow(int rows, long kc, const real *a, const real *b,
                                 const struct sum *c, long at, real *out)
{
    tile_of_rows(rows, 1, false, kc, a, b, NR, c, at, out);
}

static SEPARATE void tile_wide(int rows, long kc, const real *a, const real *b,
                               const struct sum *c, long at, real *out)
{
    tile_of_rows(rows, 2, false, kc, a, b, NR, c, at, out);
}

static SEPARATE void tile_unpacked(int rows, long kc, const real *a, const real *b, long ldb,
                                   real *out)
{
    static const struct sum nowhere;
    tile_of_rows(rows, 2, true, kc, a, b, ldb, &nowhere, 0, out);
}

/* The part of a tile at row i, column j that a place has. */
static long rows_of(const struct term *place, long i, long rows)
{
    return larger(0, smaller(rows, place->rows - i));
}

static long cols_of(const struct term *place, long j, long cols)
{
    return larger(0, smaller(cols, place->cols - j));
}

/* True if the whole tile is inside all places. */
static bool is_whole(const struct sum *c, long i, long j, int rows, int cols)
{
    for (int p = 0; p < c->count; p++)
        if (i + rows > c->term[p].rows || j + cols > c->term[p].cols)
            return false;
    return true;
}

/// [places]
/* A finished tile goes to row i, column j of every place of C: all of it, or what the place has
   room for at its right and lower edges. */
INLINE void put(const real *tile, int rows, int cols, const struct sum *c, long i, long j,
                bool whole, bool first)
{
    for (int p = 0; p < c->count; p++) {
        const struct term *place = &c->term[p];
        long height = whole ? rows : rows_of(place, i, rows), ld = c->ld;
        long width = whole ? cols : cols_of(place, j, cols);
        real *to = place->at + i * ld + j, sign = place->sign;
        bool set = first && place->set;
        for (long y = 0; y < height; y++, to += ld)
            if (whole)
                for (int x = 0; x < cols; x += LANES) {
                    vec v = load(tile + y * NR + x) * sign;
                    store(to + x, set ? v : load(to + x) + v);
                }
            else
                for (long x = 0; x < width; x++)
                    to[x] = (set ? 0 : to[x]) + sign * tile[y * NR + x];
    }
}
/// [places]

/// [macro-kernel]
/* Panels of A times panels of B: the two innermost loops of the nest. A product that is
   collected keeps its tiles one after another until the last panel of k. */
static void multiply(long rows, long cols, long kc, int mr, const real *a, const real *b,
                     const struct sum *c, long i, long j, bool first, bool last,
                     real *collected)
{
    static const struct sum nowhere;
    real out[MR * NR] __attribute__((aligned(64)));
    for (long y = 0; y < cols; y += NR) {
        int width = cols - y > LANES ? NR : LANES;
        for (long x = 0; x < rows; x += mr) {
            real *kept = collected ? collected + y * rows + x * NR : NULL;
            const struct sum keep = {1, NR, {{kept, mr, NR, 1, true}}};
            bool inside = is_whole(c, i + x, j + y, mr, width);
            const struct sum *places = kept && !last ? &keep : inside ? c : &nowhere;
            for (long e = 0; kept && last && !first && e < mr * NR; e += LINE)
                __builtin_prefetch(kept + e, 0, 2); /* to L2: wanted after the tile */
            long at = places == c ? (i + x) * c->ld + j + y : 0;
            if (width == NR)
                tile_wide(mr, kc, a + x * kc, b + y * kc, places, at, out);
            else
                tile_narrow(mr, kc, a + x * kc, b + y * kc, places, at, out);
            if (kept && !last) {
                put(out, mr, width, &keep, 0, 0, true, first);
                continue;
            }
            if (kept && !first) {
                const struct sum sum = {1, NR, {{out, mr, NR, 1, false}}};
                put(kept, mr, width, &sum, 0, 0, true, false);
            }
            if (inside)
                put(out, mr, width, c, i + x, j + y, true, first || kept);
            else
                put(out, mr, width, c, i + x, j + y, false, first || kept);
        }
    }
}
/// [macro-kernel]

/* Panels of A, up to FLAT_TILES of them, times whole tiles of a B that is not packed. To go
   down a panel of B would read two cache lines of each row, every one on another page. So a
   strip of tiles is kept near, and SLAB rows of B at a time are added to it: SLAB sequential
   streams. */
enum { SLAB = 32, KEPT_TILES = 8 * FLAT_TILES };

static void multiply_unpacked(long rows, long cols, long kc, int mr, const real *a,
                              const real *b, long ldb, const struct sum *c, long i, long j,
                              bool first)
{
    real kept[KEPT_TILES][MR * NR] __attribute__((aligned(64)));
    long strip = KEPT_TILES / larger(1, rows / mr) * NR; /* a piece may be empty */
    for (long left = 0; left < cols; left += strip) {
        long right = smaller(left + strip, cols);
        memset(kept, 0, sizeof kept);
        for (long l = 0; l < kc; l += SLAB)
            for (long y = left, t = 0; y < right; y += NR)
                for (long x = 0; x < rows; x += mr, t++)
                    tile_unpacked(mr, smaller(SLAB, kc - l), a + x * kc + l * mr,
                                  b + l * ldb + y, ldb, kept[t]);
        for (long y = left, t = 0; y < right; y += NR)
            for (long x = 0; x < rows; x += mr, t++)
                put(kept[t], mr, NR, c, i + x, j + y, is_whole(c, i + x, j + y, mr, NR), first);
    }
}

/* ---- Packing
 * ----------------------------------------------------------------------------------- */

/* Four elements of a row, of which there may be sums; four rows of them become four columns. */
typedef real four __attribute__((vector_size(4 * sizeof(real))));

#ifdef LADDER_F64
typedef int64_t indices __attribute__((vector_size(sizeof(four)))); /* of a shuffle */
#else
typedef int32_t indices __attribute__((vector_size(sizeof(four))));
#endif

/* Columns of no elements, for the rows that a term lacks. */
static const real zeros[MOST_KC];

/// [pack-a]
/* Four rows become four columns. GCC makes sixteen shuffles of the form that Clang gets; these
   are eight. */
INLINE void transpose(const four x[4], four column[4])
{
#ifdef __clang__
    for (int j = 0; j < 4; j++)
        column[j] = (four){x[0][j], x[1][j], x[2][j], x[3][j]};
#else
    const indices low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, left = {0, 1, 4, 5},
                  right = {2, 3, 6, 7};
    four low01 = __builtin_shuffle(x[0], x[1], low), low23 = __builtin_shuffle(x[2], x[3], low);
    four high01 = __builtin_shuffle(x[0], x[1], high),
         high23 = __builtin_shuffle(x[2], x[3], high);
    column[0] = __builtin_shuffle(low01, low23, left);
    column[1] = __builtin_shuffle(low01, low23, right);
    column[2] = __builtin_shuffle(high01, high23, left);
    column[3] = __builtin_shuffle(high01, high23, right);
#endif
}

/* Columns [l, l + 4) of four rows of a sum, of `terms` terms; row[t][i] is where row i of term
   t begins. They are stored as columns, mr elements apart. */
INLINE void pack_four(const int terms, const struct sum *a, const real *row[TERMS][4], long l,
                      int mr, real *packed)
{
    four x[4];
    UNROLLED for (int i = 0; i < 4; i++)
    {
        x[i] = (four){0};
        for (int t = 0; t < terms; t++) {
            four more;
            memcpy(&more, row[t][i] + l, sizeof more);
            x[i] += more * a->term[t].sign;
        }
    }
    four column[4];
    transpose(x, column);
    UNROLLED for (int j = 0; j < 4; j++) memcpy(packed + j * mr, &column[j], sizeof column[j]);
}
/// [pack-a]

/* One element of a sum; beyond the edge of a term it adds nothing. */
static real sum_element(const struct sum *x, long i, long j)
{
    real sum = 0;
    for (int t = 0; t < x->count; t++)
        if (i < x->term[t].rows && j < x->term[t].cols)
            sum += x->term[t].sign * x->term[t].at[i * x->ld + j];
    return sum;
}

/* Four rows of a panel, from row i of the sum on, columns [l, l + kc). */
INLINE void pack_rows(const int terms, const struct sum *a, long i, long l, long kc, int mr,
                      real *packed)
{
    const real *row[TERMS][4];
    long whole = kc; /* columns that all terms have */
    for (int t = 0; t < terms; t++) {
        const struct term *x = &a->term[t];
        whole = smaller(whole, larger(0, x->cols - l));
        for (int y = 0; y < 4; y++)
            row[t][y] = i + y < x->rows ? x->at + (i + y) * a->ld + l : zeros;
    }
    long c = 0;
    for (; c + 4 <= whole; c += 4) {
        if (c % LINE == 0) /* the next four rows are too short to be foreseen */
            for (int t = 0; t < terms; t++)
                for (int y = 0; y < 4; y++)
                    __builtin_prefetch(row[t][y] + 4 * a->ld + c);
        pack_four(terms, a, row, c, mr, packed + c * mr);
    }
    for (; c < kc; c++)
        for (int y = 0; y < 4; y++)
            packed[c * mr + y] = sum_element(a, i + y, l + c);
}

static void pack_a(const struct sum *a, long i, long l, long rows, long kc, int mr,
                   real *packed)
{
    for (long x = 0; x < rows; x += mr, packed += mr * kc) {
        if (mr < 4)
            for (long c = 0; c < kc; c++)
                for (int y = 0; y < mr; y++)
                    packed[c * mr + y] = sum_element(a, i + x + y, l + c);
        /* Four rows at a time; the last four may repeat some of those before. */
        for (int y = 0; y < mr && mr >= 4; y += 4) {
            int from = y + 4 > mr ? mr - 4 : y;
            switch (a->count) { /* constants, so that the sums are unrolled */
            case 1:
                pack_rows(1, a, i + x + from, l, kc, mr, packed + from);
                break;
            case 2:
                pack_rows(2, a, i + x + from, l, kc, mr, packed + from);
                break;
            case 4:
                pack_rows(4, a, i + x + from, l, kc, mr, packed + from);
                break;
            default:
                pack_rows(a->count, a, i + x + from, l, kc, mr, packed + from);
            }
        }
    }
}

/* `rows` rows of one panel of B: nr columns of a sum, stored row by row. A sum has more streams
   than a processor foresees, so they are requested PACK_AHEAD elements before their use. */
enum { PACK_AHEAD = 16 * LINE };
INLINE void pack_whole(const int terms, const struct sum *b, long l, long j, long rows,
                       real *packed)
{
    for (long y = 0; y < rows; y++)
        UNROLLED for (int v = 0; v < NR; v += LANES)
        {
            long at = (l + y) * b->ld + j + v;
            for (int t = 0; t < terms; t++)
                __builtin_prefetch(b->term[t].at + at + PACK_AHEAD);
            vec sum = load(b->term[0].at + at) * b->term[0].sign;
            for (int t = 1; t < terms; t++)
                sum += load(b->term[t].at + at) * b->term[t].sign;
            store(packed + y * NR + v, sum);
        }
}

/* Eight rows at a time read eight streams of each term; a whole panel at a time would read a
   few elements of every row, each on another page. */
enum { PACK_ROWS = 8 };

/* How many of the rows [l, last) all terms have, at most PACK_ROWS; where some
   lack a row, one. */
static long rows_at_once(const struct sum *b, long l, long last)
{
    long rows = smaller(PACK_ROWS, last - l);
    for (int t = 0; t < b->count; t++)
        rows = smaller(rows, larger(1, b->term[t].rows - l));
    return rows;
}

static void pack_b(const struct sum *b, long l, long j, long first, long last, long kc,
                   long cols, real *packed)
{
    for (long from = first, rows; from < last; from += rows) {
        rows = rows_at_once(b, l + from, l + last);
        for (long x = 0; x < cols; x += NR) {
            real *to = packed + x * kc + from * NR;
            if (!is_whole(b, l + from, j + x, (int)rows, NR))
                for (long y = 0; y < rows; y++)
                    for (long c = 0; c < NR; c++)
                        to[y * NR + c] = sum_element(b, l + from + y, j + x + c);
            else if (b->count == 1)
                pack_whole(1, b, l + from, j + x, rows, to);
            else if (b->count == 2)
                pack_whole(2, b, l + from, j + x, rows, to);
            else if (b->count == 4)
                pack_whole(4, b, l + from, j + x, rows, to);
            else
                pack_whole(b->count, b, l + from, j + x, rows, to);
        }
    }
}

const struct kernel KERNEL = {NAME, MR, NR, pack_a, pack_b, multiply, multiply_unpacked};
