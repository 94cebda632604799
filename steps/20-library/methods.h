/* SPDX-License-Identifier: MIT */
/** @file methods.h
 * The methods of steps 18 and 19 for the library's C files: without element types.
 */
#ifndef STEPS_20_LIBRARY_METHODS_H
#define STEPS_20_LIBRARY_METHODS_H

#include <cublas_v2.h>
#include <stdbool.h>

#include "common/step.h"
#include "ladder_gemm.h"
#include "steps/18-modern/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A call of ladder_sgemm or ladder_dgemm: column-major matrices. */
struct gemm_call {
    const struct typed_methods *of;
    int m, n, k;
    bool ta, tb;
    const void *a, *b;
    int lda, ldb;
    void *c;
    int ldc;
    const void *alpha, *beta;
    bool on_device; /**< alpha and beta are on the device */
    int math;       /**< the math mode if this GPU has methods for it; otherwise 0 */
    int count;      /**< of a batch; 0 or 1: no batch */
    long long stride_a, stride_b, stride_c; /**< of a batch */
    const struct ladder_prepared *prepared; /**< A, already split; or NULL */
    bool accurate; /**< methods with `instead_of` run, where the library has them */
};

/** C = A B, row-major, dimensions multiples of 4 * 2^levels, as in struct variant. NULL for
 * cuBLAS. */
struct method_functions {
    multiplication *multiply;
    size_t (*workspace)(const struct context *ctx, struct product p, int levels);
};

/** The right factor of row-major products, made once; see ladder_gemm_prepare(). `math` is the
 * mode. Both pieces of memory are counted in bytes, and aligned to 256. */
struct prepared_functions {
    size_t (*kept)(struct product p, int levels, int math);
    void (*prepare)(const struct context *ctx, struct product p, int levels, int math,
                    void *kept);
    size_t (*workspace)(struct product p, int levels, int math);
    void (*multiply)(const struct context *ctx, struct product p, int levels, int math,
                     void *kept, void *workspace);
};

/** A method: how many levels it can do, and how many of them are one launch of the leaf. */
struct method {
    const char *name;
    int least, most, at_once;
    bool beside;      /**< has a parameter: blocks of sums */
    double quadrants; /**< that the sums of each level above the last launch move */

    /* Only for methods of later steps. */
    int math;          /**< the math mode that a caller must have asked for */
    const char *mode;  /**< its name, for 20-tuner --mode */
    char letter;       /**< its letter in a plan's key */
    unsigned settings; /**< bit i: LADDER_GEMM_TENSOR=i asks for it */
    bool always;       /**< in this mode cuBLAS multiplies no product, however small */
    double speed;      /**< estimate relative to cuBLAS's float products, for predictions */
    long longest_edge; /**< the longest edge that it can do */
    /** Terms in an element of the smallest products: with fewer, levels may cost accuracy. */
    int least_terms;
    const char *(*missing)(void); /**< what the current GPU lacks, or NULL */
    struct method_functions functions;
    void (*load)(const struct context *ctx);
    struct prepared_functions prepared;
    bool wide; /**< in double instead of float */
    /** The library's own method whose place this one takes in accurate calls, or NULL. Such a
     * method has no plans of its own. */
    const char *instead_of;
    /** Elements that are moved in addition to the products, in units of a third of the elements
     * of A, B and C; NULL: follows from quadrants and at_once. */
    double (*moved)(int levels);
    int launches;     /**< of kernels; 0: follows from the levels */
    double sure_gain; /**< see guess_plan(); 0: the library's own */
};
enum { METHODS = 8, MOST_LEVELS = 6, CUBLAS = 0 };
extern const struct method ladder_methods[METHODS];

/** The methods of later steps, then NULL. CMake writes the list: see
 * ladder_gemm_add() in CMakeLists.txt. Their numbers follow the library's own. */
extern const struct method *const ladder_added[];

/** The library's own methods in one precision. */
struct typed_methods {
    size_t size; /**< bytes of an element */
    bool has[METHODS];
    struct method_functions functions[METHODS];
    const struct leaf *leaf; /**< cuBLAS's product, as the leaf of their contexts */
    /** cuBLAS's own product, or all products of a batch. */
    void (*gemm)(const struct context *ctx, const struct gemm_call *c);
    /** Copies rows x cols elements of a row-major `from`, or of its transpose, and writes
     * zeros up to long_rows x long_cols. */
    void (*copy)(const struct context *ctx, const void *from, int ld, bool transposed, int rows,
                 int cols, void *to, long long_rows, long long_cols);
    /** C = alpha product + beta C; the product is read only if alpha is not 0. A NULL alpha on
     * the device means 0. */
    void (*finish)(const struct context *ctx, const struct gemm_call *c, const void *product,
                   long ld);
    /** Random full-mantissa numbers in [-1, 1), to measure on: a GPU is faster on zeros. */
    void (*fill)(const struct context *ctx, void *to, size_t elements, unsigned seed);
    /** Whether a host scalar is this number. */
    bool (*is)(const void *scalar, double number);
    /** Loads the kernels, which CUDA otherwise does at their first launch. */
    void (*load)(const struct context *ctx);
};
extern const struct typed_methods ladder_f32, ladder_f64;

/* ---- complex.cu and methods.cu: for ladder_zgemm() and ladder_dsyrk() ---- */

/** Writes the real parts of a complex matrix, the imaginary parts and their sums. */
void ladder_split_complex(const struct context *ctx, const void *from, int ld, int rows,
                          int cols, bool conjugate, double *to, long to_ld);
/** C = alpha op(A) op(B) + beta C from the three products; NULL: C = beta C. */
void ladder_join_complex(const struct context *ctx, const struct gemm_call *c,
                         const double *products, long ld);
void ladder_cublas_zgemm(const struct context *ctx, const struct gemm_call *c,
                         cublasOperation_t transa, cublasOperation_t transb);
/** C is n x n, and `ta` says whether A is transposed. */
void ladder_cublas_dsyrk(const struct context *ctx, const struct gemm_call *c, bool lower);

struct lanes *ladder_make_lanes(const struct context *ctx);
void ladder_free_lanes(struct lanes *lanes);

#ifdef __cplusplus
}
#endif
#endif
