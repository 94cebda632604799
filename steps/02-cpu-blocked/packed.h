/**
 * @file packed.h
 * Packing and a micro-kernel, on one thread or several; later steps use it as their leaf.
 *
 *   for jc in steps of nc         columns of B and C
 *     for pc in steps of kc       the inner dimension
 *       pack B[pc.., jc..]        kc x nc: stays in the L3 cache, all threads share it
 *       for ic in steps of mc     rows of A and C, shared out among the threads
 *         pack A[ic.., pc..]      mc x kc: stays in the L2 cache, each thread has its own
 *         for j in steps of nr    a panel of B, kc x nr: stays in the L1 cache while
 *           for i in steps of mr  the panels of A, mr x kc, stream past it from L2
 *             micro-kernel        a tile of C, mr x nr: stays in registers for kc steps
 */
#ifndef LADDER_PACKED_H
#define LADDER_PACKED_H

#include <stdio.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/host.h"
#include "common/sizes.h"
#include "microkernel.h"

/** A panel of B, kc x nc, is packed for the L3 cache; a block of A, mc x kc, for the L2 cache. */
struct blocks {
    long mc, kc, nc;
};

/** Block sizes from the sizes of the caches: one half for what is to stay, the other for what
 *  streams past. Fewer than 256 steps would read and write C too often; beyond 4096 columns a
 *  panel of B only costs memory. */
static inline struct blocks default_blocks(void)
{
    long bytes = (long)sizeof(real), l1 = (long)host_cache_bytes(1),
         l2 = (long)host_cache_bytes(2), l3 = (long)host_cache_bytes(3);
    struct blocks s;
    s.kc = larger(256, l1 / 2 / (NR * bytes));
    s.mc = larger(MR, l2 / 2 / (s.kc * bytes) / MR * MR);
    s.nc = larger(NR, smaller(4096, l3 / 2 / (s.kc * bytes)) / NR * NR);
    return s;
}

/** The file in which --tune keeps its result for this precision; false when there is no place. */
static inline bool blocks_file(char *path, size_t size)
{
    const char *folder = host_cache_folder();
    if (folder)
        snprintf(path, size, "%sblocks-%s-%d.txt", folder, sizeof(real) == 4 ? "f32" : "f64",
                 VECTOR_BYTES);
    return folder != NULL;
}

/** What --tune found on this processor, otherwise what the cache sizes suggest. Read once. */
static inline struct blocks chosen_blocks(bool *tuned)
{
    static struct blocks blocks;
    static bool is_tuned;
    char path[600], line[256];
    if (!blocks.mc) {
        struct blocks found;
        FILE *file = blocks_file(path, sizeof path) ? fopen(path, "r") : NULL;
        is_tuned = file && fgets(line, sizeof line, file) &&
                   strncmp(line, host_processor(), strlen(host_processor())) == 0 &&
                   fscanf(file, "%ld %ld %ld", &found.mc, &found.kc, &found.nc) == 3 &&
                   found.mc > 0 && found.kc > 0 && found.nc > 0;
        blocks = is_tuned ? found : default_blocks();
        if (file)
            fclose(file);
    }
    if (tuned)
        *tuned = is_tuned;
    return blocks;
}

/* The smallest block, a multiple of `unit`, that cuts `size` into no more pieces than `block` does:
   1000 by 400 gives 334, 334, 332 instead of 400, 400, 200. */
static inline long even_out(long size, long block, long unit)
{
    long pieces = pieces_of(size, round_up(block, unit));
    return round_up(pieces_of(size, pieces), unit);
}

/* The blocks for this problem: every thread gets as many blocks of rows as the others. */
static inline struct blocks fit_blocks(const struct problem *p, struct blocks wish, int threads)
{
    return (struct blocks){even_out(pieces_of(p->m, threads), wish.mc, MR), even_out(p->k, wish.kc, 1),
                           even_out(p->n, wish.nc, NR)};
}

/* The workspace: the panel of B, then a block of A for each thread, each on its own cache line. */
static inline long panel_elements(struct blocks s) { return round_up(s.kc * s.nc, 16); }
static inline long block_elements(struct blocks s) { return round_up(s.mc * s.kc, 16); }

/* An upper bound that a smaller problem never exceeds: recursions share one workspace among
   products of several shapes. */
static inline size_t workspace_of_blocks(const struct problem *p, struct blocks wish, int threads)
{
    struct blocks s = {round_up(smaller(wish.mc, pieces_of(p->m, threads)), MR),
                       smaller(wish.kc, p->k), round_up(smaller(wish.nc, p->n), NR)};
    return (size_t)(panel_elements(s) + threads * block_elements(s));
}

/// [pack]
/* A block of A becomes panels of mr rows, each stored column by column: the order in which the
   micro-kernel reads them. Where the last panel has too few rows, the last row fills it up: what
   comes of it is thrown away. */
static inline void pack_a(long mc, long kc, const real *a, long lda, real *restrict packed)
{
    for (long first = 0; first < mc; first += MR) {
        const real *row[MR];
        FOR_EACH_ROW(i)
            row[i] = a + smaller(first + i, mc - 1) * lda;
        for (long l = 0; l < kc; l++)
            FOR_EACH_ROW(i)
                *packed++ = row[i][l];
    }
}

/* Some rows of a panel of B, which becomes panels of nr columns stored row by row, the last filled
   up with zeros. Eight rows at a time read eight streams; a whole panel at a time would read a few
   elements of every row, each on another page. */
enum { PACK_ROWS = 8 };

static inline void pack_b_rows(long rows, long kc, long nc, const real *b, long ldb,
                               real *restrict packed)
{
    for (long j = 0; j < nc; j += NR, packed += NR * kc)
        for (long l = 0; l < rows; l++)
            if (nc - j >= NR)
                memcpy(packed + l * NR, b + l * ldb + j, NR * sizeof(real));
            else
                for (long jr = 0; jr < NR; jr++)
                    packed[l * NR + jr] = j + jr < nc ? b[l * ldb + j + jr] : 0;
}
/// [pack]

/* A tile at the right or lower edge of C: computed whole, of which the part that exists is kept. */
static inline void edge_tile(long rows, long cols, long kc, const real *a, const real *b, real *c,
                             long ldc, bool accumulate)
{
    real tile[MR * NR];
    micro_kernel(kc, a, b, tile, NR, false);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++)
            c[i * ldc + j] = tile[i * NR + j] + (accumulate ? c[i * ldc + j] : 0);
}

/// [macro-kernel]
/* A packed block of A times a packed panel of B: the two innermost loops of the nest. */
static inline void macro_kernel(long mc, long nc, long kc, const real *a, const real *b, real *c,
                                long ldc, bool accumulate)
{
    for (long j = 0; j < nc; j += NR)
        for (long i = 0; i < mc; i += MR) {
            long rows = smaller(MR, mc - i), cols = smaller(NR, nc - j);
            real *tile = c + i * ldc + j;
            if (rows == MR && cols == NR)
                micro_kernel(kc, a + i * kc, b + j * kc, tile, ldc, accumulate);
            else
                edge_tile(rows, cols, kc, a + i * kc, b + j * kc, tile, ldc, accumulate);
        }
}
/// [macro-kernel]

/* One panel of B against all rows of A. Every thread packs some rows of it and waits; then each
   takes blocks of A of its own. */
static inline void multiply_panel(const struct problem *p, struct blocks s, long jc, long pc,
                                  int threads, real *workspace)
{
    long nc = smaller(s.nc, p->n - jc), kc = smaller(s.kc, p->k - pc);
    const real *a = p->a, *b = p->b;
    real *c = p->c, *panel = workspace;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#ifdef _OPENMP
        int thread = omp_get_thread_num();
#else
        int thread = 0;
#endif
        real *block = workspace + panel_elements(s) + thread * block_elements(s);
#pragma omp for
        for (long l = 0; l < kc; l += PACK_ROWS)
            pack_b_rows(smaller(PACK_ROWS, kc - l), kc, nc, b + (pc + l) * p->ldb + jc, p->ldb,
                        panel + l * NR);
#pragma omp for
        for (long ic = 0; ic < p->m; ic += s.mc) {
            long mc = smaller(s.mc, p->m - ic);
            pack_a(mc, kc, a + ic * p->lda + pc, p->lda, block);
            macro_kernel(mc, nc, kc, block, panel, c + ic * p->ldc + jc, p->ldc,
                         pc > 0 || p->accumulate);
        }
    }
}

/** C = A * B with these block sizes, in workspace_of_blocks() elements. */
static inline void multiply_with_blocks(const struct problem *p, struct blocks wish, int threads,
                                        real *workspace)
{
    struct blocks s = fit_blocks(p, wish, threads);
    for (long jc = 0; jc < p->n; jc += s.nc)
        for (long pc = 0; pc < p->k; pc += s.kc)
            multiply_panel(p, s, jc, pc, threads, workspace);
}

/** The packed kernel on p->threads threads: what later steps call as their leaf. */
static inline size_t workspace_packed(const struct problem *p)
{
    return workspace_of_blocks(p, chosen_blocks(NULL), p->threads);
}

static inline void multiply_packed(const struct problem *p, void *workspace)
{
    multiply_with_blocks(p, chosen_blocks(NULL), p->threads, workspace);
}

#endif
