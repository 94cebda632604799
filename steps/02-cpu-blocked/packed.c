/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

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

/* 512 steps of k, so that reading and writing C between them takes little of the time: a panel
   of B then is about as large as L1. Half of L2 for the block of A and half of L3 for B; the
   other halves are for what streams past. Beyond 4096 columns B only costs memory. Many threads
   take their panels of B from one L3: shorter and narrower panels were faster with 16 threads
   in both series of measurements on one Xeon, and no faster with one thread. */
enum { FEW_THREADS = 8 };
struct blocks default_blocks(int threads)
{
    const struct kernel *kernel = chosen_kernel();
    long bytes = (long)sizeof(real), l2 = (long)host_cache_bytes(2),
         l3 = (long)host_cache_bytes(3);
    struct blocks s;
    long most_cols = threads > FEW_THREADS ? 2048 : 4096;
    s.kc = threads > FEW_THREADS ? 384 : 512;
    s.mc = larger(kernel->mr, l2 / 2 / (s.kc * bytes) / kernel->mr * kernel->mr);
    s.mr = kernel->mr;
    s.nc = larger(kernel->nr,
                  smaller(most_cols, l3 / 2 / (s.kc * bytes)) / kernel->nr * kernel->nr);
    return s;
}

bool blocks_file(char *path, size_t size)
{
    const char *folder = host_cache_folder();
    if (folder)
        snprintf(path, size, "%sblocks-%s-%s.txt", folder, sizeof(real) == 4 ? "f32" : "f64",
                 chosen_kernel()->name);
    return folder != NULL;
}

struct blocks chosen_blocks(int threads, bool *tuned)
{
    static struct blocks blocks;
    static bool was_read, is_tuned;
    char path[600], line[256];
    if (!was_read) {
        struct blocks found;
        FILE *file = blocks_file(path, sizeof path) ? fopen(path, "r") : NULL;
        is_tuned =
            file && fgets(line, sizeof line, file) &&
            strncmp(line, host_processor(), strlen(host_processor())) == 0 &&
            fscanf(file, "%ld %ld %ld %d", &found.mc, &found.kc, &found.nc, &found.mr) == 4 &&
            found.mc > 0 && found.kc > 0 && found.nc > 0 && found.mr > 0 &&
            found.mr <= chosen_kernel()->mr;
        if (is_tuned)
            blocks = found;
        was_read = true;
        if (file)
            fclose(file);
    }
    if (tuned)
        *tuned = is_tuned;
    return is_tuned ? blocks : default_blocks(threads);
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

/// [plan]
/* Cycles for one step of k on the part of the slowest thread, with tiles of mr rows and a grid
   of down x across threads. A tile takes mr cycles (two vectors of fused multiply-adds in
   each), at least four (the latency of one), and a little for what surrounds them. Every row
   and column of the part also has to come from afar once. */
static double cycles_of(const struct plan *p, int mr, long down, long across)
{
    long rows = pieces_of(pieces_of(p->m, mr), down), cols = pieces_of(p->n, p->kernel->nr);
    cols = pieces_of(cols, across);
    return (double)(rows * cols) * fmax(mr + 0.5, 4) +
           0.5 * (double)(rows * mr + cols * p->kernel->nr);
}

/* The grid and the height of the tiles that keep the slowest thread's part small. */
static void choose_grid(struct plan *p, int most_rows)
{
    double best = INFINITY;
    for (int across = 1; across <= p->threads; across++)
        for (int mr = most_rows; mr >= 1 && p->threads % across == 0; mr--) {
            double cycles = cycles_of(p, mr, p->threads / across, across);
            if (cycles < best) {
                best = cycles;
                p->mr = mr;
                p->across = across;
            }
        }
}
/// [plan]

struct plan plan_for(long m, long n, long k, int threads, struct blocks wish)
{
    struct plan p = {chosen_kernel(), m, n, k, threads};
    choose_grid(&p, wish.mr);
    long rows = pieces_of(m, threads / p.across); /* of one row of the grid */
    p.blocks.mc = even_out(rows, larger(wish.mc, p.mr) / p.mr * p.mr, p.mr);
    p.blocks.kc = even_out(k, smaller(wish.kc, MOST_KC), STEPS);
    p.blocks.nc = even_out(n, wish.nc, p.kernel->nr);
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
   no second one, nor does a thread that has a block of A for itself. */
static int panels_of(int threads) { return threads > 1 ? 2 : 1; }
static int blocks_of(int across) { return across > 1 ? 2 : 1; }

/* With fewer rows of threads than threads a block of A may be taller, but it takes
   two of them. */
size_t workspace_of_blocks(long m, long n, long k, int threads, struct blocks wish)
{
    const struct kernel *kernel = chosen_kernel();
    long kc = smaller(round_up(smaller(wish.kc, MOST_KC), STEPS), round_up(k, STEPS));
    long nc = smaller(round_up(wish.nc, kernel->nr), round_up(n, kernel->nr));
    long rows = 2 * pieces_of(m, threads) + 2 + 2 * kernel->mr;
    if (threads == 1)
        rows = m + kernel->mr;
    long mc = smaller(larger(wish.mc, kernel->mr), rows);
    return (size_t)(panels_of(threads) * round_up(kc * nc, 16) +
                    threads * round_up(mc * kc + 16, 16));
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

/* A barrier that lets others run. OpenMP's keeps the processor while it waits, for
   milliseconds; if the thread that it waits for has no processor, because more threads want to
   run than there are processors, that is the time they both lose. So whoever has waited for a
   microsecond or two offers its processor. */
void wait_for_all(struct worker *w)
{
    enum { TURNS = 2000 };
    struct meeting *meeting = w->meeting;
    if (w->plan->threads == 1)
        return;
    int round = atomic_load(&meeting->round);
    if (atomic_fetch_add(&meeting->arrived, 1) == w->plan->threads - 1) {
        atomic_store(&meeting->arrived, 0);
        atomic_store(&meeting->round, round + 1);
        return;
    }
    for (int turns = 0; atomic_load(&meeting->round) == round; turns++)
        if (turns >= TURNS)
            sched_yield();
}

/// [threads]
/* One block of A, packed by the threads that share it, times this thread's columns of the
 * panel. */
static void multiply_block(struct worker *w, const struct sum *a, const struct sum *c, long pc,
                           long kc, long jc, long nc, int block, int blocks, const real *panel)
{
    const struct plan *p = w->plan;
    const struct kernel *kernel = p->kernel;
    int down = p->threads / p->across, row = w->thread / p->across, col = w->thread % p->across;

    /* In tiles: this row of the grid, its part that is this block, and what I pack of that. */
    long tiles = pieces_of(p->m, p->mr);
    long top = share(tiles, row, down), height = share(tiles, row + 1, down) - top;
    long from = top + share(height, block, blocks), to = top + share(height, block + 1, blocks);
    long mine = from + share(to - from, col, p->across),
         end = from + share(to - from, col + 1, p->across);
    int turn = p->across > 1 ? w->turn_a ^= 1 : 0;
    real *packed = w->workspace + panels_of(p->threads) * panel_elements(p) +
                   (row * blocks_of(p->across) + turn) * block_elements(p);
    kernel->pack_a(a, mine * p->mr, pc, (end - mine) * p->mr, kc, p->mr,
                   packed + (mine - from) * p->mr * kc);
    if (block == 0 || p->across > 1)
        wait_for_all(w); /* for the panel of B as well */

    long panels = pieces_of(nc, kernel->nr), left = share(panels, col, p->across) * kernel->nr;
    long right = smaller(nc, share(panels, col + 1, p->across) * kernel->nr);
    long rows = (to - from) * p->mr, whole = round_up(nc, kernel->nr);
    real *collected = w->collected;
    if (collected) /* this part's own: from * mr rows above it, then columns left of it */
        collected += from * p->mr * whole + rows * left;
    kernel->multiply(rows, right - left, kc, p->mr, packed, panel + left * kc, c, from * p->mr,
                     jc + left, pc == 0, pc + kc >= p->k, collected);
}

void multiply_sums(struct worker *w, const struct sum *a, const struct sum *b,
                   const struct sum *c)
{
    const struct plan *p = w->plan;
    int down = p->threads / p->across;
    int blocks = (int)pieces_of(pieces_of(pieces_of(p->m, p->mr), down) * p->mr, p->blocks.mc);
    for (long jc = 0; jc < p->n; jc += p->blocks.nc)
        for (long pc = 0; pc < p->k; pc += p->blocks.kc) {
            long nc = smaller(p->blocks.nc, p->n - jc);
            long kc = smaller(p->blocks.kc, round_up(p->k - pc, STEPS));
            int turn = p->threads > 1 ? w->turn_b ^= 1 : 0;
            real *panel = w->workspace + turn * panel_elements(p);
            p->kernel->pack_b(b, pc, jc, share(kc, w->thread, p->threads),
                              share(kc, w->thread + 1, p->threads), kc, nc, panel);
            for (int block = 0; block < blocks; block++)
                multiply_block(w, a, c, pc, kc, jc, nc, block, blocks, panel);
        }
}
/// [threads]

void multiply_with_blocks(const struct context *x, struct product p, struct blocks wish,
                          real *workspace)
{
    struct sum a = sum_of(p.a, false), b = sum_of(p.b, false), c = sum_of(p.c, !p.accumulate);
    struct meeting meeting = {0};
#pragma omp parallel num_threads(x->threads) if (x->threads > 1)
    {
        int thread = 0, threads = 1;
#ifdef _OPENMP
        thread = omp_get_thread_num(), threads = omp_get_num_threads();
#endif
        struct plan plan = plan_for(p.c.rows, p.c.cols, p.a.cols, threads, wish);
        struct worker worker = {&plan, thread, workspace, .meeting = &meeting};
        multiply_sums(&worker, &a, &b, &c);
        /* OpenMP's barrier, which follows, then has nothing to wait for */
        wait_for_all(&worker);
    }
}

size_t workspace_packed(const struct context *x, struct product p, int levels)
{
    return workspace_of_blocks(p.c.rows, p.c.cols, p.a.cols, x->threads,
                               chosen_blocks(x->threads, NULL));
}

void multiply_packed(const struct context *x, struct product p, int levels, real *workspace)
{
    multiply_with_blocks(x, p, chosen_blocks(x->threads, NULL), workspace);
}

/* ---- The report
 * -------------------------------------------------------------------------------- */

/* Whether threads keep to one processor each. */
static const char *pinning(void)
{
#ifdef _OPENMP
    return omp_get_proc_bind() == omp_proc_bind_false ? "threads not pinned"
                                                      : "threads pinned by OMP_PROC_BIND";
#else
    return "built without OpenMP: one thread";
#endif
}

const char *packed_note(void)
{
    static char text[320];
    char many[80] = "";
    bool tuned;
    struct blocks s = chosen_blocks(1, &tuned), t = chosen_blocks(FEW_THREADS + 1, NULL);
    if (!tuned)
        snprintf(many, sizeof many, "; beyond %d threads mc = %ld, kc = %ld, nc = %ld",
                 FEW_THREADS, t.mc, t.kc, t.nc);
    snprintf(text, sizeof text,
             "%s kernel, tiles of %d x %d; mc = %ld, kc = %ld, nc = %ld (%s%s); %d processors "
             "to run "
             "on, %s",
             chosen_kernel()->name, chosen_kernel()->mr, chosen_kernel()->nr, s.mc, s.kc, s.nc,
             tuned ? "tuned" : "from the cache sizes", many, host_processors(), pinning());
    return text;
}
