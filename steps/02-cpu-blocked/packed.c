/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/device/host.h"

/* ---- The kernel
 * -------------------------------------------------------------------------------- */

/// [choose]
/* What there is, the best first, and whether this processor can run it. */
static const struct kernel *kernel_number(int i, const char **name, bool *runs)
{
#ifdef LADDER_X86_KERNELS
    __builtin_cpu_init();
    switch (i) {
    case 0:
        *name = "avx512";
        *runs = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
        return &kernel_avx512;
    case 1:
        *name = "avx2";
        *runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        return &kernel_avx2;
    }
    i -= 2;
#endif
    *name = "portable";
    *runs = true;
    return i == 0 ? &kernel_portable : NULL;
}

const struct kernel *chosen_kernel(void)
{
    static const struct kernel *chosen;
    const char *wish = getenv("LADDER_KERNEL"), *name;
    bool runs;
    for (int i = 0; !chosen; i++) {
        const struct kernel *kernel = kernel_number(i, &name, &runs);
        if (!kernel)
            wish = NULL, i = -1; /* no such name, or not here: the best */
        else if (runs && (!wish || strcmp(wish, name) == 0))
            chosen = kernel;
    }
    return chosen;
}
/// [choose]

/* ---- Block sizes
 * ------------------------------------------------------------------------------- */

/* Bytes of the data or unified cache of level 1, 2 or 3 of one core; a usual size if unknown.
 */
static size_t cache_bytes(int level)
{
    static const size_t usual[] = {0, 32 << 10, 512 << 10, 8 << 20};
    long bytes = -1;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[] = {0, _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                _SC_LEVEL3_CACHE_SIZE};
    bytes = sysconf(names[level]);
#endif
    return bytes > 0 ? (size_t)bytes : usual[level];
}

/* 512 steps of k, so that reading and writing C between them takes little of the time: a panel
   of B then is about as large as L1. Half of L2 for the block of A and half of L3 for B; the
   other halves are for data that streams past. Beyond 4096 columns B only costs memory. Many
   threads take their panels of B from one L3: shorter and narrower panels were faster with 16
   threads in both series of measurements on one Xeon, and no faster with one thread. */
enum { FEW_THREADS = 8 };
struct blocks default_blocks(int threads)
{
    const struct kernel *kernel = chosen_kernel();
    long bytes = (long)sizeof(real), l2 = (long)cache_bytes(2), l3 = (long)cache_bytes(3);
    struct blocks s;
    long most_cols = threads > FEW_THREADS ? 2048 : 4096;
    s.kc = threads > FEW_THREADS ? 384 : 512;
    s.mc = larger(kernel->mr, l2 / 2 / (s.kc * bytes) / kernel->mr * kernel->mr);
    s.mr = kernel->mr;
    s.nc = larger(kernel->nr,
                  smaller(most_cols, l3 / 2 / (s.kc * bytes)) / kernel->nr * kernel->nr);
    return s;
}

/* The smallest block, a multiple of `unit`, that cuts `size` into no more pieces than `block`
   does: 1000 by 400 gives 334, 334, 332 instead of 400, 400, 200. */
static long even_out(long size, long block, long unit)
{
    long pieces = pieces_of(size, round_up(block, unit));
    return round_up(pieces_of(size, pieces), unit);
}

/* ---- The plan
 * ---------------------------------------------------------------------------------- */

/// [threads that pay]
/* How many threads to take, at most `limit`. One thread needs about mnk / nr cycles: a step of
   k takes mr cycles on a tile of mr x nr. On t threads that is the t-th part, but to call a
   helper costs the caller some cycles, so the time is cycles / t + call (t - 1). It is least
   where t^2 = cycles / call. A helper that sleeps needs WAKE cycles to start. LADDER_CALL sets
   the price of a call; with 0 all threads are taken. */
enum { WAKE = 100000 };

static int threads_that_pay(long m, long n, long k, int limit)
{
    static double call = -1;
    if (call < 0)
        call = getenv("LADDER_CALL") ? fabs(atof(getenv("LADDER_CALL"))) : 3000;
    double cycles = (double)m * (double)n * (double)k / chosen_kernel()->nr;
    double best = fmin(sqrt(cycles / call), limit);
    return best < 2 || (call > 0 && cycles < WAKE) ? 1 : (int)best;
}
/// [threads that pay]

/* Cycles for one step of k on the largest of down x across pieces of a block, with tiles of mr
   rows. A tile takes mr cycles (two vectors of fused multiply-adds in each), at least four (the
   latency of one), and a little for the code around them. Every row and column of the piece
   must also be fetched once. */
static double cycles_of(const struct plan *p, long m, int mr, long down, long across)
{
    long rows = pieces_of(pieces_of(m, mr), down),
         cols = pieces_of(p->blocks.nc, p->kernel->nr);
    cols = pieces_of(cols, across);
    return (double)(rows * cols) * fmax(mr + 0.5, 4) +
           0.5 * (double)(rows * mr + cols * p->kernel->nr);
}

/* The grid of pieces and the height of the tiles that keep the largest piece small. */
static void choose_grid(struct plan *p, long m, int pieces, int most_rows)
{
    double best = INFINITY;
    for (int across = 1; across <= pieces; across++)
        for (int mr = most_rows; mr >= 1 && pieces % across == 0; mr--) {
            double cycles = cycles_of(p, m, mr, pieces / across, across);
            if (cycles < best) {
                best = cycles;
                p->mr = mr;
                p->down = pieces / across;
                p->across = across;
            }
        }
}

/* At most eight pieces per thread, each of at least sixteen tiles. Other threads can then take
 * the pieces of a thread that is late or interrupted. Smaller pieces cost more to begin than
 * they save. */
static int pieces_for_each(const struct plan *p, long m, int most_rows)
{
    enum { PIECES = 8, TILES = 16 };
    long tiles = pieces_of(m, most_rows) * pieces_of(p->blocks.nc, p->kernel->nr);
    return p->threads == 1 ? 1 : (int)larger(1, smaller(PIECES, tiles / p->threads / TILES));
}

struct plan plan_for(long m, long n, long k, int threads, struct blocks wish)
{
    struct plan p = {chosen_kernel(), m, n, k, threads_that_pay(m, n, k, threads)};
    p.blocks.kc = even_out(k, smaller(wish.kc, MOST_KC), STEPS);
    p.blocks.nc = even_out(n, wish.nc, p.kernel->nr);
    /* a block of A for each thread's L2 */
    long rows = pieces_of(m, pieces_of(m, p.threads * larger(wish.mc, wish.mr)));
    choose_grid(&p, rows, p.threads * pieces_for_each(&p, rows, wish.mr), wish.mr);
    p.blocks.mc = round_up(rows, p.mr);
    return p;
}

/* ---- The workspace: panels of B, then blocks of A, each from a cache line on
 * ------------------- */

static long panel_elements(const struct plan *p)
{
    return round_up(p->blocks.kc * p->blocks.nc, 16);
}

static long block_elements(const struct plan *p)
{
    return round_up(p->blocks.mc * p->blocks.kc, 16);
}

/* While some threads still read a buffer, others may fill the next one. A single thread needs
   no second one. */
static int buffers_of(int threads) { return threads > 1 ? 2 : 1; }

/* Of the plan's panels and blocks, at most. */
static size_t workspace_of_plan(long m, long n, long k, int threads, struct blocks wish)
{
    const struct kernel *kernel = chosen_kernel();
    long kc = smaller(round_up(smaller(wish.kc, MOST_KC), STEPS), round_up(k, STEPS));
    long nc = smaller(round_up(wish.nc, kernel->nr), round_up(n, kernel->nr));
    long mc = smaller(m, threads * larger(wish.mc, wish.mr)) + kernel->mr;
    return (size_t)(buffers_of(threads) * (round_up(kc * nc, 16) + round_up(mc * kc, 16)));
}

/* The parts that k is cut into where C has fewer tiles than there are threads; each part's own
   C and workspace. A C of so few tiles has `side` rows and columns at most. */
static long parts_of_k(long k, int threads, struct blocks wish)
{
    return smaller(threads, k / smaller(wish.kc, MOST_KC));
}

static size_t workspace_of_part(long m, long n, long k, struct blocks wish)
{
    return (size_t)round_up(m * n, 16) + workspace_of_plan(m, n, k, 1, wish);
}

size_t workspace_of_blocks(long m, long n, long k, int threads, struct blocks wish)
{
    const struct kernel *kernel = chosen_kernel();
    long parts = parts_of_k(k, threads, wish), side = threads * larger(kernel->mr, kernel->nr);
    size_t plan = workspace_of_plan(m, n, k, threads, wish), deep = 0;
    if (threads > 1 && parts > 1) /* tiles: at most one row or column of `threads` */
        deep = (size_t)parts * workspace_of_part(smaller(m, side), smaller(n, side), k, wish);
    return deep > plan ? deep : plan;
}

size_t collected_elements(long m, long n, struct blocks wish)
{
    const struct kernel *kernel = chosen_kernel();
    long nc = smaller(round_up(wish.nc, kernel->nr), round_up(n, kernel->nr));
    return (size_t)((m + kernel->mr) * nc);
}

/* ---- The product
 * ------------------------------------------------------------------------------- */

/* The first of `part` when `whole` is shared out among `parts`. */
static long share(long whole, long part, long parts) { return whole * part / parts; }

/* The rows of a block of A and the columns of a panel of B, from (ic, jc) on, and the steps of
   k that both have. */
struct area {
    long ic, mc, jc, nc, pc, kc;
};

/* Two pieces per thread and operand; any thread may pack any piece. A piece of B has some
   eight rows at least (kernel.c packs eight at a time), one of A a row of tiles. */
static void pack(struct worker *w, const struct sum *a, const struct sum *b, struct area x,
                 real *block, real *panel)
{
    const struct plan *p = w->plan;
    long tiles = x.mc / p->mr, most = p->threads > 1 ? 2 * p->threads : 1;
    long of_a = smaller(most, tiles),
         of_b = panel && !p->reads_b ? smaller(most, pieces_of(x.kc, 8)) : 0;
    for (long i; (i = team_take(&w->member, of_a + of_b)) >= 0; team_finish(&w->member))
        if (i < of_b) {
            p->kernel->pack_b(b, x.pc, x.jc, share(x.kc, i, of_b), share(x.kc, i + 1, of_b),
                              x.kc, x.nc, panel);
        } else {
            long from = share(tiles, i - of_b, of_a) * p->mr,
                 to = share(tiles, i - of_b + 1, of_a) * p->mr;
            p->kernel->pack_a(a, x.ic + from, x.pc, to - from, x.kc, p->mr,
                              block + from * x.kc);
        }
}

/* The grid's pieces, one after the other along the rows of tiles. */
static void multiply_pieces(struct worker *w, const struct sum *b, const struct sum *c,
                            struct area x, const real *block, const real *panel)
{
    const struct plan *p = w->plan;
    const real *at = b->term[0].at + x.pc * b->ld + x.jc; /* in B itself */
    long tiles = x.mc / p->mr, panels = pieces_of(x.nc, p->kernel->nr), nr = p->kernel->nr;
    for (long i; (i = team_take(&w->member, p->down * p->across)) >= 0;
         team_finish(&w->member)) {
        long row = i / p->across, col = i % p->across;
        long top = share(tiles, row, p->down) * p->mr,
             end = share(tiles, row + 1, p->down) * p->mr;
        long left = share(panels, col, p->across) * nr,
             right = smaller(x.nc, share(panels, col + 1, p->across) * nr);
        real *collected = w->collected;
        if (collected) /* this piece's own: the rows above it, then the columns left of it */
            collected += (x.ic + top) * round_up(x.nc, nr) + (end - top) * left;
        if (p->reads_b)
            p->kernel->multiply_unpacked(end - top, right - left, x.kc, p->mr,
                                         block + top * x.kc, at + left, b->ld, c, x.ic + top,
                                         x.jc + left, x.pc == 0);
        else
            p->kernel->multiply(end - top, right - left, x.kc, p->mr, block + top * x.kc,
                                panel + left * x.kc, c, x.ic + top, x.jc + left, x.pc == 0,
                                x.pc + x.kc >= p->k, collected);
    }
}

/// [rounds]
/* A thread that has no piece left to multiply packs the next ones into the other buffers, and
 * waits only then. */
void multiply_sums(struct worker *w, const struct sum *a, const struct sum *b,
                   const struct sum *c)
{
    const struct plan *p = w->plan;
    struct blocks s = p->blocks;
    real *blocks = w->workspace + buffers_of(p->threads) * panel_elements(p);
    int other = p->threads > 1;
    for (long jc = 0; jc < p->n; jc += s.nc)
        for (long pc = 0; pc < p->k; pc += s.kc) {
            real *panel = w->workspace + (w->turn_b ^= other) * panel_elements(p);
            for (long ic = 0; ic < p->m; ic += s.mc) {
                struct area x = {ic, smaller(s.mc, round_up(p->m - ic, p->mr)),
                                 jc, smaller(s.nc, p->n - jc),
                                 pc, smaller(s.kc, round_up(p->k - pc, STEPS))};
                real *block = blocks + (w->turn_a ^= other) * block_elements(p);
                pack(w, a, b, x, block, ic == 0 ? panel : NULL);
                team_wait(&w->member);
                multiply_pieces(w, b, c, x, block, panel);
            }
        }
}
/// [rounds]

/* What the threads of one product get. */
struct packed_job {
    struct plan plan;
    struct product product;
    real *workspace;
};

static void run_packed(struct member *member, const void *what)
{
    const struct packed_job *job = what;
    struct product p = job->product;
    struct sum a = sum_of(p.a, false), b = sum_of(p.b, false), c = sum_of(p.c, !p.accumulate);
    struct worker worker = {*member, &job->plan, job->workspace};
    multiply_sums(&worker, &a, &b, &c);
    *member = worker.member;
}

/* One product by one plan. */
static void multiply_by_plan(const struct context *ctx, struct product p, struct blocks wish,
                             bool reads_b, real *workspace)
{
    struct packed_job job = {plan_for(p.c.rows, p.c.cols, p.a.cols, ctx->threads, wish), p,
                             workspace};
    job.plan.reads_b = reads_b;
    team_run(job.plan.threads, run_packed, &job, sizeof job);
}

/* If C has few rows of tiles, each element of B is used only a few times, and packing B would
 * take longer than it saves. So B is read in place, in whole tiles and steps; the last inner
 * indices and the last columns are packed as usual. */
static void multiply_flat(const struct context *ctx, struct product p, struct blocks wish,
                          real *workspace)
{
    long nr = chosen_kernel()->nr, n = p.c.cols / nr * nr, k = p.a.cols / STEPS * STEPS;
    long m = p.c.rows, last_n = p.c.cols - n, last_k = p.a.cols - k;
    multiply_by_plan(ctx,
                     (struct product){part(p.a, 0, 0, m, k), part(p.b, 0, 0, k, n),
                                      part(p.c, 0, 0, m, n), p.accumulate},
                     wish, true, workspace);
    if (last_k)
        multiply_by_plan(ctx,
                         (struct product){part(p.a, 0, k, m, last_k),
                                          part(p.b, k, 0, last_k, n), part(p.c, 0, 0, m, n), 1},
                         wish, false, workspace);
    if (last_n)
        multiply_by_plan(ctx,
                         (struct product){p.a, part(p.b, 0, n, p.a.cols, last_n),
                                          part(p.c, 0, n, m, last_n), p.accumulate},
                         wish, false, workspace);
}

static void multiply_flat_or_not(const struct context *ctx, struct product p,
                                 struct blocks wish, real *workspace)
{
    const struct kernel *kernel = chosen_kernel();
    if (p.c.rows <= FLAT_TILES * kernel->mr && p.c.cols >= kernel->nr && p.a.cols >= STEPS)
        multiply_flat(ctx, p, wish, workspace);
    else
        multiply_by_plan(ctx, p, wish, false, workspace);
}

/* A product whose C has so few tiles that most threads would have none. */
struct deep_job {
    struct product product;
    struct blocks wish;
    long parts;
    real *workspace;
    size_t each; /* elements of one part: its own C first */
};

/* Each piece is a part of k, multiplied by one thread from the first to the last step; then the
   parts are added up, row by row. */
static void run_deep(struct member *member, const void *what)
{
    const struct deep_job *job = what;
    struct product p = job->product;
    long m = p.c.rows, n = p.c.cols;
    struct context alone = {.threads = 1};
    for (long i; (i = team_take(member, job->parts)) >= 0; team_finish(member)) {
        long from = share(p.a.cols, i, job->parts),
             k = share(p.a.cols, i + 1, job->parts) - from;
        real *own = job->workspace + (size_t)i * job->each;
        struct product part_of_k = {part(p.a, 0, from, m, k), part(p.b, from, 0, k, n),
                                    i ? (struct block){own, m, n, n} : p.c,
                                    i ? 0 : p.accumulate};
        multiply_flat_or_not(&alone, part_of_k, job->wish, own + round_up(m * n, 16));
    }
    team_wait(member);
    for (long row; (row = team_take(member, m)) >= 0; team_finish(member))
        for (long i = 1; i < job->parts; i++)
            for (long j = 0; j < n; j++)
                p.c.at[row * p.c.ld + j] +=
                    job->workspace[(size_t)i * job->each + (size_t)(row * n + j)];
}

/* Returns false if C has enough tiles, or if k is too short. */
static bool multiply_deep(const struct context *ctx, struct product p, struct blocks wish,
                          real *workspace)
{
    const struct kernel *kernel = chosen_kernel();
    long m = p.c.rows, n = p.c.cols, k = p.a.cols;
    int threads = threads_that_pay(m, n, k, ctx->threads);
    struct deep_job job = {p, wish, parts_of_k(k, threads, wish), workspace};
    if (pieces_of(m, kernel->mr) * pieces_of(n, kernel->nr) > threads || job.parts < 2)
        return false;
    job.each = workspace_of_part(m, n, k, wish);
    team_run(threads, run_deep, &job, sizeof job);
    return true;
}

void multiply_with_blocks(const struct context *ctx, struct product p, struct blocks wish,
                          real *workspace)
{
    if (!multiply_deep(ctx, p, wish, workspace))
        multiply_flat_or_not(ctx, p, wish, workspace);
}

size_t workspace_packed(const struct context *ctx, struct product p, int levels)
{
    (void)levels; /* the sizes decide */
    return workspace_of_blocks(p.c.rows, p.c.cols, p.a.cols, ctx->threads,
                               default_blocks(ctx->threads));
}

void multiply_packed(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)levels; /* other variants need more */
    multiply_with_blocks(ctx, p, default_blocks(ctx->threads), workspace);
}

/* ---- The report
 * -------------------------------------------------------------------------------- */

const char *packed_note(void)
{
    static char text[320];
    struct blocks s = default_blocks(1), t = default_blocks(FEW_THREADS + 1);
    snprintf(text, sizeof text,
             "%s kernel, tiles of %d x %d; mc = %ld, kc = %ld, nc = %ld (from the cache sizes; "
             "beyond %d threads mc = %ld, kc = %ld, nc = %ld); %d processors to run on",
             chosen_kernel()->name, chosen_kernel()->mr, chosen_kernel()->nr, s.mc, s.kc, s.nc,
             FEW_THREADS, t.mc, t.kc, t.nc, host_processors());
    return text;
}
