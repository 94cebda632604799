/* SPDX-License-Identifier: MIT */
/** @file step.h
 * What a step sees of the common library: the problem it is given, and the table of variants it
 * gives back.
 *
 * A step is written once for every precision: it says `real`, and the build compiles its source
 * once with -DLADDER_F32, once with -DLADDER_F64 (and, where a step has it, with -DLADDER_I32).
 * Each pass exports one object, STEP, under a name of its own. Everything else in a step is
 * static.
 */
#ifndef COMMON_STEP_H
#define COMMON_STEP_H

#include <stdbool.h>
#include <stddef.h>

#ifdef LADDER_TRACED /* the simulated GPU's second, counting build of a CUDA step */
#define LADDER_SYMBOL(precision) step_##precision##_traced
#else
#define LADDER_SYMBOL(precision) step_##precision
#endif

#if defined(LADDER_F32)
typedef float real;
#define STEP LADDER_SYMBOL(f32)
#elif defined(LADDER_F64)
typedef double real;
#define STEP LADDER_SYMBOL(f64)
#elif defined(LADDER_I32)
typedef int real;
#define STEP LADDER_SYMBOL(i32)
#else
typedef void real; /* the library serves every precision and never looks at an element */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// [product]
/** A rows x cols block of a row-major matrix: element (i, j) is at[i * ld + j]. */
struct block {
    real *at;
    long rows, cols, ld;
};

/** One multiplication: C = A * B, with A m x k, B k x n and C m x n. A and B are only read,
 * whatever their type says. C arrives filled with NaN and must be overwritten. For a CUDA step
 * the pointers are device pointers. */
struct product {
    struct block a, b, c;
    int accumulate; /**< C = C + A * B instead (asked of leaves only; C then holds numbers) */
};

enum { MAX_SETTINGS = 8 };

/**
 * What all products of a run have in common. It goes down a recursion unchanged; a function
 * that needs another one below (another stream, say) passes on a changed copy.
 */
struct context {
    int threads;             /**< host threads a CPU step may use */
    const struct leaf *leaf; /**< what multiplies when no level is left; NULL: no recursion */
    real *leaf_workspace;    /**< the leaf's, shared by all its products; NULL: none */
    int fused;               /**< the last level may fuse its sums into the leaf's products */
    long settings[MAX_SETTINGS]; /**< the step's own numbers, in the order of its table */
    /* For methods that work in several streams of a GPU and fill these in by themselves. */
    struct CUstream_st *stream; /**< where the work goes: a cudaStream_t, 0 the default one */
    const struct gpu *gpu;      /**< the handle, and what happens when a call fails */
    struct rank *rank;          /**< one of several that multiply together, see
                                   common/check/world.h; NULL: there is no other */
};

/**
 * Every function that multiplies: a step's variants, the leaves under a recursion, one level of
 * it.
 * @param ctx what all products of the run have in common
 * @param p C is overwritten, or added to if it accumulates
 * @param levels     levels of recursion still to do
 * @param workspace  the part that is still free, as many elements as the workspace function
 *                   asked for, aligned to 64 bytes
 */
typedef void multiplication(const struct context *ctx, struct product p, int levels,
                            real *workspace);

/** The simple form, for a function that needs the three blocks alone: C = A * B. */
typedef void simple_multiplication(struct block A, struct block B, struct block C);
/// [product]

/**
 * The product of these sizes, for what depends on sizes alone: no pointers, no gaps.
 * @param m rows of A and C
 * @param n columns of B and C
 * @param k columns of A, rows of B
 * @return contiguous blocks, which must not be read or written
 */
static inline struct product product_of_size(long m, long n, long k)
{
    struct product p = {{NULL, m, k, k}, {NULL, k, n, n}, {NULL, m, n, n}, 0};
    return p;
}

/** What a product costs by the step's own formulas; a negative figure means "not modelled". */
struct cost {
    double flops;           /**< multiplications and additions */
    double transactions;    /**< device-memory transactions, compute capability 1.3 rules */
    double volume;          /**< bytes those transactions move */
    double texture_fetches; /**< texels fetched; 0: none, or not modelled */
    double texture_bytes;   /**< size of these texels */
    int in_f64;             /**< what moves is said for f64; otherwise for f32 alone */
};

/** Which theorem bounds the round-off error (Higham, Accuracy and Stability, ch. 3 and 23).
 * What depends on it is a switch without default, so that the compiler names each place that a
 * further one needs. */
enum bound_kind { BOUND_CLASSICAL, BOUND_STRASSEN, BOUND_WINOGRAD };

/** The error that a variant may make. */
struct error_bound {
    enum bound_kind kind;
    /** For variants that round the factors first: the error that this makes in one of the k
     * terms, relative to max|A| max|B|. 0: the factors are multiplied as they are. */
    double split;
};

/** The shapes that a variant takes. Zeros: every shape with m, n, k >= 1. */
struct shapes {
    /** The variant takes only m = n = k, or only multiples of `multiple` times 2^levels. The
     * runner refuses all other shapes. */
    int square;
    long multiple;
    /** The runner pads m, n and k with zeros to multiples of these times 2^levels. Leading
     * dimensions are then multiples of 4. */
    long pad_m, pad_n, pad_k;
    /** The variant peels or pads by itself: its levels divide a product whose m, n and k are
     * multiples of this times 2^levels. 0: of 2^levels. */
    long core;
    /** The variant pads to a cube of a power of two and goes down to 2 x 2, where it writes out
     * one more level in numbers. */
    int to_numbers;
};

/** When a variant runs. */
enum role {
    MAIN_LINE,       /**< whenever no variant is named */
    BY_NAME,         /**< by name only */
    WRONG_ON_PURPOSE /**< by name only: it shows a mistake, such as a document's */
};

/** One row of a step's table: a way to multiply. */
struct variant {
    const char *name;     /**< what --variant takes */
    const char *sentence; /**< what --list prints */
    /** What multiplies: exactly one of the two forms, the other is NULL. */
    simple_multiplication *simple;
    multiplication *multiply;
    /** Elements of `real` needed beside A, B and C; NULL: none. The leaf's need is included.
     * Here and below the product may have sizes alone. */
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /** The cost model; NULL: 2mnk flops, nothing else modelled. */
    struct cost (*cost)(const struct context *ctx, struct product p, int levels);
    struct error_bound bound;
    /** How many of these levels it does on this product; NULL: all. */
    int (*levels)(const struct context *ctx, struct product p, int levels);
    struct shapes shapes;
    /** It calls backend.start() and stop() around a part of its work. A variant that calls them
     * without saying so here is wrong. */
    int own_clock;
    enum role role;
};

/** One row of the table that --leaf chooses from: what multiplies at the end of a recursion. */
struct leaf {
    const char *name, *sentence;
    /** As a variant's. A simple one cannot add to C, so it suits methods that never ask that.
     */
    simple_multiplication *simple;
    multiplication *multiply;
    /** As a variant's; levels is 0. */
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /** Says what this computer lacks to run it, or returns NULL. NULL: it needs nothing
     * special. */
    const char *(*missing)(void);
    /** The leaf's kernels with a level's sums fused into them; NULL: it fuses none. */
    const struct fused_kernels *kernels;
};

struct options;

/** An option of one step alone that does something other than multiply (--tune, --order ...).
 * On the simulated GPU it comes from the counting build, if there is one. */
struct action {
    const char *name; /**< without the dashes */
    const char *help; /**< one line for --help */
    /** Returns the exit status; NULL: not in this precision. */
    int (*run)(const struct options *);
    int json;          /**< with --json it prints JSON; otherwise --json is refused beside it */
    const char *heeds; /**< common options and settings, with commas between, that change what
                          it does; any other one but --precision is refused beside it. NULL: all
                          of them do */
};

/** A further option of one step alone: a number, or a flag, which is 0 or 1. */
struct setting {
    const char *name;        /**< without the dashes */
    const char *argument;    /**< as --help shows it; NULL: a flag */
    const char *help;        /**< one line for --help */
    long min, max, standard; /**< 0 or more; `standard` is the value when it is not given */
};

/** For a step whose matrices lie spread over ranks: no process holds them as a whole. */
struct on_ranks {
    const struct world *world; /**< what the runner asks of them, see common/check/world.h */
};

/** A step: its name, its idea and its tables, each of which ends with an empty row. */
struct step {
    const char *name;               /**< "01-cpu-naive" */
    const char *idea;               /**< one sentence */
    const struct variant *variants; /**< at least one */
    const struct leaf *leaves;      /**< the default first; NULL: no recursion */
    const struct action *actions;   /**< NULL: none */
    const struct setting *settings; /**< MAX_SETTINGS at most; NULL: none */
    long default_n;                 /**< n when no size is given */
    long default_tau1; /**< where the recursion stops without --levels or --tau1; >= 1 */
    const char *(*note)(void); /**< a line about how it is set up, for reports; NULL: none */
    const struct on_ranks *on_ranks; /**< NULL: one process runs it */
    const char *lacks; /**< common options, with commas between, that do nothing in it: refused,
                          and not in --help; NULL: none */
};

#if defined(LADDER_F32) || defined(LADDER_F64) || defined(LADDER_I32)
extern const struct step STEP;
#endif

/** Exit statuses of every program (README, "Exit status"). */
enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_RESOURCE = 3, EXIT_SKIPPED = 77 };

/**
 * Elements that the context's leaf needs for the product `p` itself; 0 without a leaf.
 * @param ctx its leaf counts
 * @param p sizes alone count
 * @return elements of `real`
 */
size_t leaf_workspace(const struct context *ctx, struct product p);

/**
 * The levels that mix blocks of an operand, and with them round-off errors.
 * @param kind of a variant's bound
 * @param levels that it does
 * @return levels, or 0 for the classical product, whose levels only change the order
 */
int mixing_levels(enum bound_kind kind, int levels);

/**
 * Multiplies by a variant's function, in the form that its row has.
 * @param v the row; a simple function gets the blocks alone
 * @param ctx as for every function that multiplies, like all that follow
 * @param p C is overwritten
 * @param levels of recursion
 * @param workspace as large as the row asks for
 */
void variant_multiply(const struct variant *v, const struct context *ctx, struct product p,
                      int levels, real *workspace);

/**
 * True if this name is in a list of names with commas between them.
 * @param list names with commas between them, no blanks
 * @param name one name
 * @return whether it is one of them
 */
bool is_listed(const char *list, const char *name);

/**
 * The variant of that name in a table, or NULL.
 * @param table ends with an empty row
 * @param name as --variant takes it
 * @return the row of the table; NULL: none has the name
 */
const struct variant *find_variant(const struct variant *table, const char *name);

/**
 * The leaf of that name in a table, or NULL; without a name the first one.
 * @param table ends with an empty row; NULL: no leaves
 * @param name as --leaf takes it; NULL: the first
 * @return the row of the table; NULL: none has the name
 */
const struct leaf *find_leaf(const struct leaf *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
