/* SPDX-License-Identifier: MIT */
/** @file step.h
 * The interface between a step and the common library: the product that a step must compute,
 * and the table of variants that it provides.
 *
 * A step is written once for every precision, with the type `real`. The build compiles its
 * source once with -DLADDER_F32, once with -DLADDER_F64 (and, if a step has it, with
 * -DLADDER_I32). Each compilation exports one object, STEP, under a different name. Everything
 * else in a step is static.
 */
#ifndef COMMON_STEP_H
#define COMMON_STEP_H

#include <stdbool.h>
#include <stddef.h>

/* LADDER_TRACED: the simulated GPU's second, counting build of a CUDA step. */
#if defined(LADDER_F32)
typedef float real;
#ifdef LADDER_TRACED
#define STEP step_f32_traced
#else
#define STEP step_f32
#endif
#elif defined(LADDER_F64)
typedef double real;
#ifdef LADDER_TRACED
#define STEP step_f64_traced
#else
#define STEP step_f64
#endif
#elif defined(LADDER_I32)
typedef int real;
#define STEP step_i32
#else
typedef void real; /* the library serves every precision and never looks at an element */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A rows x cols block of a row-major matrix: element (i, j) is at[i * ld + j]. */
struct block {
    real *at;
    long rows, cols, ld;
};

/** One multiplication: C = A * B, with A m x k, B k x n and C m x n. A and B must not be
 * changed, although their type has no const. C is filled with NaN and must be overwritten. In a
 * CUDA step the pointers are device pointers. */
struct product {
    struct block a, b, c;
    int accumulate; /**< 1: C = C + A * B; only leaves get this */
};

enum { MAX_SETTINGS = 8 };

/** The settings of all multiplications of a run. A recursion passes it down unchanged; a
 * function that needs other settings below (another stream, for example) passes a changed
 * copy. */
struct context {
    int threads;             /**< host threads a CPU step may use */
    const struct leaf *leaf; /**< multiplies when no level is left; NULL without recursion */
    real *leaf_workspace;    /**< shared by all calls of the leaf, or NULL */
    int fused;               /**< the last level may fuse its sums into the leaf's products */
    long settings[MAX_SETTINGS]; /**< the step's own numbers, in the order of its table */
    /* Set by methods that work in several streams of a GPU. */
    struct CUstream_st *stream;    /**< a cudaStream_t; 0: the default stream */
    const struct gpu *gpu;         /**< the handle, and what to do when a call fails */
    struct rank *rank;             /**< this rank, if several multiply together (step 22);
                                      otherwise NULL */
    const struct variant *variant; /**< the row of the step's table that is called */
};

/**
 * The type of every function that multiplies: a step's variants, the leaves of a recursion, one
 * level of it.
 * @param ctx the settings of the run
 * @param p C is overwritten, or added to if it accumulates
 * @param levels     levels of recursion still to do
 * @param workspace  the part that is still free, as many elements as the workspace function
 *                   asked for, aligned to 64 bytes
 */
typedef void multiplication(const struct context *ctx, struct product p, int levels,
                            real *workspace);

/** The simple form, for a function that needs only the three blocks: C = A * B. */
typedef void simple_multiplication(struct block A, struct block B, struct block C);

/** A product without data, for functions that use only the sizes.
 * @param m rows of A and C
 * @param n columns of B and C
 * @param k columns of A, rows of B
 * @return contiguous blocks with NULL pointers */
static inline struct product product_of_size(long m, long n, long k)
{
    struct product p = {{NULL, m, k, k}, {NULL, k, n, n}, {NULL, m, n, n}, 0};
    return p;
}

/** The cost of a product by the step's formulas; a negative number means "not modelled". */
struct cost {
    double flops;           /**< multiplications and additions */
    double transactions;    /**< device-memory transactions, compute capability 1.3 rules */
    double volume;          /**< bytes those transactions move */
    double texture_fetches; /**< texels fetched; 0: none, or not modelled */
    double texture_bytes;   /**< size of these texels */
    int in_f64;             /**< 1: transactions and volume are those of f64; 0: of f32 */
};

/** The tables of two methods; common/scheme.h says what is in them. */
extern const struct scheme strassen_scheme, winograd_scheme;

/** The error bound of a variant (Higham, Accuracy and Stability, ch. 3 and 23). */
struct error_bound {
    const struct scheme *scheme; /**< the method of its levels; NULL: the classical one */
    /** For variants that round the factors first: the resulting error of one of the k terms,
     * relative to max|A| max|B|. 0: the factors are not rounded. */
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
    /** The variant pads to a cube of a power of two and recurses down to 2 x 2, where it
     * applies one more level to single numbers. */
    int to_numbers;
};

/** When a variant runs. */
enum role {
    MAIN_LINE,       /**< by default, without --variant */
    BY_NAME,         /**< only by name */
    WRONG_ON_PURPOSE /**< only by name: it shows a mistake, such as a document's */
};

/** One row of a step's table: a way to multiply. */
struct variant {
    const char *name;     /**< for --variant */
    const char *sentence; /**< for --list */
    /** The function that multiplies: one of the two forms; the other is NULL. */
    simple_multiplication *simple;
    multiplication *multiply;
    /** Returns the workspace in elements of `real`, including the leaf's; NULL: none is needed.
     * This function and those below may use only the sizes of the product. */
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /** The cost model; NULL: 2mnk flops, nothing else is modelled. */
    struct cost (*cost)(const struct context *ctx, struct product p, int levels);
    struct error_bound bound;
    /** Returns how many of the levels it uses on this product; NULL: all. */
    int (*levels)(const struct context *ctx, struct product p, int levels);
    struct shapes shapes;
    /** 1: it calls backend.start() and stop() around a part of its work. A variant that calls
     * them must set this. On the processor they do not change its time. */
    int own_clock;
    enum role role;
};

/** One row of the table that --leaf chooses from: a product for the end of a recursion. */
struct leaf {
    const char *name, *sentence;
    /** As a variant's. A simple one cannot add to C, so methods that accumulate cannot use it.
     */
    simple_multiplication *simple;
    multiplication *multiply;
    /** As a variant's; levels is 0. */
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
    /** Returns what this computer lacks to run it, or NULL. The pointer is NULL if the leaf
     * runs everywhere. */
    const char *(*missing)(void);
    /** The leaf's kernels with a level's sums fused into them, or NULL. */
    const struct fused_kernels *kernels;
};

struct options;

/** An option of one step that does something other than multiply (--tune, --order ...). On the
 * simulated GPU the counting build runs it, if there is one. */
struct action {
    const char *name; /**< without the dashes */
    const char *help; /**< one line for --help */
    /** Returns the exit status; NULL: not in this precision. */
    int (*run)(const struct options *);
    int json; /**< 1: it can print JSON; 0: --json is refused with it */
    const char
        *heeds; /**< the common options and settings that it uses, separated by commas; all
                   others except --precision are refused with it. NULL: it uses all */
};

/** A further option of one step: a number, or a flag, which is 0 or 1. */
struct setting {
    const char *name;        /**< without the dashes */
    const char *argument;    /**< as --help shows it; NULL: a flag */
    const char *help;        /**< one line for --help */
    long min, max, standard; /**< 0 or more; `standard` is the default value */
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
    const char *(*note)(void); /**< a line about its setup, for reports; NULL: none */
    /** Measures the variants that the options ask for, and returns the exit status; NULL:
     * measure() does. Step 22 runs them on several ranks. */
    int (*run)(const struct options *);
    const struct report_more *in_reports; /**< what it adds to reports, or NULL */
    const char *lacks; /**< common options, separated by commas, that do nothing in it: refused,
                          and not in --help; NULL: none */
};

#if defined(LADDER_F32) || defined(LADDER_F64) || defined(LADDER_I32)
extern const struct step STEP;
#endif

/** Exit statuses of every program (docs/commands.md, "Exit status"). */
enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_RESOURCE = 3, EXIT_SKIPPED = 77 };

/** The workspace that the context's leaf needs for the product `p`; 0 without a leaf.
 * @param ctx only its leaf is used
 * @param p only its sizes are used
 * @return elements of `real` */
size_t leaf_workspace(const struct context *ctx, struct product p);

/** Multiplies by a variant's function, in the form that its row has.
 * @param v the row; a simple function gets only the blocks
 * @param ctx as for every function that multiplies, like all parameters below
 * @param p C is overwritten
 * @param levels of recursion
 * @param workspace as large as the row asks for */
void variant_multiply(const struct variant *v, const struct context *ctx, struct product p,
                      int levels, real *workspace);

/** True if a list contains a name.
 * @param list names separated by commas, without blanks
 * @param name one name
 * @return whether it is one of them */
bool is_listed(const char *list, const char *name);

/** Finds a variant by its name.
 * @param table ends with an empty row
 * @param name as --variant takes it
 * @return the row of the table, or NULL */
const struct variant *find_variant(const struct variant *table, const char *name);

/** Finds a leaf by its name.
 * @param table ends with an empty row, or NULL
 * @param name as --leaf takes it; NULL: the first leaf
 * @return the row of the table, or NULL */
const struct leaf *find_leaf(const struct leaf *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
