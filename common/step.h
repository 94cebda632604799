/**
 * @file step.h
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
#endif /* without any of them `real` is not there: the runner never looks at an element */

#ifdef __cplusplus
extern "C" {
#endif

struct variant;

/**
 * One multiplication C = A * B as the runner hands it to a step, row-major: element (i, j) of A
 * is element i * lda + j of `a`. A is m x k, B is k x n, C is m x n. C arrives filled with NaN
 * and must be overwritten; A and B must not change. For a CUDA step the pointers are device
 * pointers.
 *
 * The runner serves every precision, so the pointers have no type. Where a step is entered it
 * turns the problem into a product and a context (product_of() and context_of() in block.h) and
 * passes those on.
 */
struct problem {
    long m, n, k;
    const void *a;
    long lda; /**< elements from one row of A to the next, >= k */
    const void *b;
    long ldb; /**< >= n */
    void *c;
    long ldc; /**< >= n */

    int accumulate; /**< C = C + A * B (asked of leaves only; C then holds numbers) */
    int levels;     /**< levels of recursion still to do; see depth_of() */
    int fused; /**< the last of these levels may use kernels that fuse sums into products */
    const struct variant *leaf; /**< the product at the end of the recursion, or NULL */
    int threads;                /**< host threads a CPU variant may use */
    long parameter;             /**< the value of the step's own numeric option */
};

/** What a product costs by the step's own formulas; a negative figure means "not modelled". */
struct cost {
    double flops;           /**< multiplications and additions */
    double transactions;    /**< device-memory transactions, compute capability 1.3 rules */
    double volume;          /**< bytes those transactions move */
    double texture_fetches; /**< texels fetched; 0: none, or not modelled */
    double texture_bytes;   /**< size of these texels */
};

/** Which theorem bounds the rounding error (Higham, Accuracy and Stability, ch. 3 and 23). */
enum bound_kind { BOUND_CLASSICAL, BOUND_STRASSEN, BOUND_WINOGRAD };

/** The shapes that a variant promises to take. Zeros: every shape with m, n, k >= 1. The runner
 * refuses all others, and also tries the variant on a shape that the runner chooses within the
 * promise. */
struct shapes {
    int square;    /**< m = n = k */
    long multiple; /**< m, n and k must be multiples of it, times two for each level; 0: any */
};

/** One row of a step's table: a way to multiply. */
struct variant {
    const char *name;     /**< what --variant takes */
    const char *sentence; /**< what --list prints */
    /** Computes p->c; `workspace` has as many elements as workspace() asked for, aligned to 64.
     */
    void (*multiply)(const struct problem *p, void *workspace);
    /** Elements of `real` needed beside A, B and C; NULL: none. The leaf's need is included. */
    size_t (*workspace)(const struct problem *p);
    /** The cost model; NULL: 2mnk flops, nothing else modelled. */
    struct cost (*cost)(const struct problem *p);
    enum bound_kind bound;
    /** For variants that round the factors first: the error that this makes in one of the k
     * terms, relative to max|A| max|B|. 0: the factors are multiplied as they are. */
    double split;
    /** How many levels it does on this problem; NULL: as many as --levels says. */
    int (*levels)(const struct problem *p);
    /** Says what this computer lacks to run it, or returns NULL. NULL: it needs nothing
     * special. */
    const char *(*missing)(void);
    /** What m, n and k must be multiples of (at the leaves of a recursion); 0: nothing. The
     * runner pads with zeros. Leading dimensions are then multiples of 4. */
    long multiple_m, multiple_n, multiple_k;
    /** For a variant that peels or pads by itself: its levels divide a product whose m, n and k
     * are multiples of this times 2^levels. 0: of 2^levels. */
    long core;
    /** The shapes it takes, if it does not take all. Nothing is padded for it. */
    struct shapes shapes;
    /** It pads to a cube of a power of two and goes down to 2 x 2, where one level more than
     * `levels` is written out in numbers. */
    int to_numbers;
    /** It calls backend.start() and stop() around a part of its work. A variant that calls them
     * without saying so here is wrong. */
    int own_clock;
    /** A variant that is wrong on purpose (a document's bug kept to be found): run by name
     * only. */
    int broken;
    int by_name; /**< not on the step's main line: run by name only, too */
};

struct options;

/** An option of one step alone that does something other than multiply (--tune, --order ...).
 * On the simulated GPU it comes from the counting build, if there is one. */
struct action {
    const char *name; /**< without the dashes */
    const char *help; /**< one line for --help */
    int (*run)(
        const struct options *); /**< returns the exit status; NULL: not in this precision */
    int json;          /**< with --json it prints JSON; otherwise --json is refused beside it */
    const char *lacks; /**< common options, with commas between, that do nothing beside it:
                          refused there */
};

enum { MAX_SETTINGS = 8 };

/** A further option of one step alone: a number, or a flag, which is 0 or 1. */
struct setting {
    const char *name;     /**< without the dashes */
    const char *argument; /**< as --help shows it; NULL: a flag */
    const char *help;     /**< one line for --help */
    long min, max, standard;
};

/** A step: its name, its idea and its table. Tables end with an empty row. */
struct step {
    const char *name;               /**< "01-cpu-naive" */
    const char *idea;               /**< one sentence */
    const struct variant *variants; /**< at least one */
    const struct variant
        *leaves; /**< what --leaf may name, the default first; NULL: no recursion */
    const struct action *actions; /**< NULL: none */
    long default_n;               /**< n when no size is given */
    long default_tau1; /**< where the recursion stops without --levels or --tau1; >= 1 */
    const char *(*note)(void);  /**< a line about how it is set up, for reports; NULL: none */
    const char *parameter;      /**< name of the numeric option, NULL: none */
    const char *parameter_help; /**< its line in --help */
    long parameter_min, parameter_max, parameter_default; /**< 0 or more */
    const struct setting *settings; /**< more numbers, MAX_SETTINGS at most; NULL: none */
    /** Runs and judges the variants instead of the runner and returns the exit status: for a
     * step whose matrices no process holds as a whole. NULL: the runner does. */
    int (*run)(const struct options *options);
    const char *lacks; /**< common options, with commas between, that do nothing in it: refused,
                          and not in --help */
};

#if defined(LADDER_F32) || defined(LADDER_F64) || defined(LADDER_I32)
extern const struct step STEP;
#endif

/** Exit statuses of every program (README, "Exit status"). */
enum { EXIT_RIGHT = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_RESOURCE = 3, EXIT_SKIPPED = 77 };

/** Elements the leaf of `p` needs for the sub-problem `p` itself; 0 without a leaf. */
size_t leaf_workspace(const struct problem *p);

/** True if this name is in a list of names with commas between them. */
bool is_listed(const char *list, const char *name);

/** The variant of that name in a table, or NULL. */
const struct variant *find_variant(const struct variant *table, const char *name);

#ifdef __cplusplus
}
#endif
#endif
