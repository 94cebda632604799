/* SPDX-License-Identifier: MIT */
/** @file ladder_gemm.h
 * The result of steps 18, 19 and 21 for other programs: the products of cublasSgemm and
 * cublasDgemm, by whichever method is fastest on this GPU at the shape. example.c, beside
 * this file, calls it; tuner.c finds plans for many shapes and reports how good they are.
 *
 *     ladder_gemm_t gemm;
 *     ladder_gemm_create(&gemm, "plans.txt");
 *     ladder_sgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
 *                  &alpha, A, lda, B, ldb, &beta, C, ldc);
 *     ladder_gemm_destroy(gemm);
 *
 * What a call returns:
 *   0                   success
 *   1, 2, ... 14        this argument is wrong (the handle is the first); nothing was done
 *   LADDER_GEMM_CUDA    a CUDA call failed,   ladder_gemm_message() says which and why;
 *   LADDER_GEMM_CUBLAS  a cuBLAS call failed, what is in C is then not defined
 *   LADDER_GEMM_NO_MEMORY    ladder_gemm_create() and ladder_gemm_plan() alone
 *   LADDER_GEMM_UNSUPPORTED  ladder_gemm_set_math_mode() alone
 * Too little memory is no failure: a method that needs less runs, or blocks of C are computed
 * one after another, or in the end cuBLAS, which needs none. ladder_gemm_last() tells which.
 *
 * A handle belongs to the device that is current when it is made; calls may come with any
 * device current. Only one host thread at a time may use a handle. Several threads, or several
 * devices, have handles of their own, which are independent. With a NULL handle the products,
 * ladder_gemm_prepare(), _plan() and _outlook() return 1, ladder_gemm_destroy() does nothing,
 * and ladder_gemm_message() is allowed; the other functions need a handle.
 */
#ifndef STEPS_20_LIBRARY_LADDER_GEMM_H
#define STEPS_20_LIBRARY_LADDER_GEMM_H

#include <stdint.h>

#include <cublas_v2.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LADDER_GEMM_VERSION_MAJOR 1
#define LADDER_GEMM_VERSION_MINOR 1

typedef struct ladder_gemm *ladder_gemm_t;

enum {
    LADDER_GEMM_CUDA = -1,
    LADDER_GEMM_CUBLAS = -2,
    LADDER_GEMM_NO_MEMORY = -3,
    LADDER_GEMM_UNSUPPORTED = -4
};

/**
 * The version of the library that the program runs with; that of this header is
 * LADDER_GEMM_VERSION_MAJOR and _MINOR.
 * @return 100 times the major number, plus the minor number
 */
int ladder_gemm_version(void);

/**
 * Makes a handle. `tuning_file` holds the plans found so far and gets those found from now on;
 * it need not exist. With a file the first product of each shape is measured. NULL: nothing is
 * measured unless ladder_gemm_measure() or ladder_gemm_plan() asks for it, and plans are kept
 * in memory only, until ladder_gemm_destroy().
 *
 * The file is replaced as a whole, under a lock beside it (`tuning_file`.lock), together with
 * what others have written since: several processes may use one file. If the name is a symbolic
 * link, the file behind it is replaced. A file of another GPU, another cuBLAS or another
 * version of this library is not used and not changed; a line that cannot be read is left out.
 * Both are said on stderr and by ladder_gemm_message(), and the handle works all the same.
 * @param tuning_file a path, or NULL
 * @param handle gets the handle
 * @return 0; LADDER_GEMM_CUDA, LADDER_GEMM_CUBLAS or LADDER_GEMM_NO_MEMORY (of the host)
 *         without a handle, *handle is then NULL and ladder_gemm_message(NULL) says why; 1 when
 *         `handle` is NULL
 */
int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file);

/**
 * Ends a handle and frees its workspace. NULL is allowed.
 *
 * As cublasDestroy(), which it calls, it must not run while another thread captures a stream
 * with cudaStreamCaptureModeGlobal: it would break that capture. Handles may be made, and
 * products queued, beside such a capture.
 * @param handle of ladder_gemm_create()
 */
void ladder_gemm_destroy(ladder_gemm_t handle);

/**
 * C = alpha op(A) op(B) + beta C, with the arguments of cublasSgemm and their meaning.
 *
 * All matrices are column-major: element (i, j) of C is C[i + j * ldc]. op(A) is m x k, op(B)
 * k x n, C m x n; op(X) is X for CUBLAS_OP_N and its transpose for CUBLAS_OP_T and CUBLAS_OP_C.
 * A, B and C are device pointers, aligned to an element, and C overlaps neither A nor B; alpha
 * and beta are host pointers, or device pointers after ladder_gemm_device_scalars(). lda is at
 * least max(1, m), with a transposed A max(1, k); ldb at least max(1, k), transposed max(1, n);
 * ldc at least max(1, m). Any m, n, k >= 0 are allowed.
 *
 * As in BLAS: m = 0 or n = 0 does nothing; with k = 0 or alpha = 0 A and B are not read; with
 * beta = 0 C is not read and may hold anything. The exception is an alpha on the device, whose
 * value the call does not know: if the plan is cuBLAS, then cuBLAS decides whether a NaN in A
 * or B reaches C although alpha = 0.
 *
 * Winograd's variant adds blocks of A, and of B, before it multiplies. So its errors are
 * relative to the largest elements of A and B, not to those that an element of C is made of;
 * and an infinity, a NaN or a sum that overflows reaches elements of C that it would not reach
 * in cublasSgemm.
 *
 * Subnormal numbers are kept, and alpha multiplies the finished sum, unless the plan is cuBLAS.
 * There cuBLAS decides when it multiplies by alpha: cuBLAS 13.1 on an H100 multiplies the
 * elements of one factor by alpha first. Where such a product is subnormal it is rounded by up
 * to 2^-150 (2^-1075 in double), and that error is multiplied by an element of the other
 * factor. So for alpha other than 1 and -1, C(i, j) may be wrong by 2^-150 times the sum of
 * |op(B)(l, j)| over those l for which alpha op(A)(i, l) is subnormal, or the same with A and B
 * exchanged, whichever is more, on top of the ordinary errors.
 *
 * Fastest are pointers aligned to four elements with leading dimensions that are multiples of
 * 4, op N, and alpha = 1 and beta = 0 on the host. Everything else costs a copy of the matrix
 * (of the product), unless the plan is cuBLAS.
 *
 * The work is queued in the handle's stream, and the call returns without waiting, except the
 * first call of a shape if it is measured, and calls that allocate or free workspace. A shape
 * that has not been measured follows the plan of the nearest known shape, or else the one with
 * the least predicted time.
 *
 * Calls may be captured into a CUDA graph; nothing is measured then. Each capture gets its own
 * workspace, which its products share, so the graph may run while the handle multiplies in
 * other streams. When the graph and all that was instantiated from it are destroyed, the
 * handle's next call frees that workspace; ladder_gemm_destroy() frees it in any case, so no
 * such graph may run after that. Only with the caller's
 * workspace (ladder_gemm_set_workspace()) graph and products share it, and must not run at the
 * same time.
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return 0; the number of a wrong argument; LADDER_GEMM_CUDA or LADDER_GEMM_CUBLAS
 */
int ladder_sgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const float *alpha, const float *A, int lda,
                 const float *B, int ldb, const float *beta, float *C, int ldc);

/**
 * The same in double precision.
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return as ladder_sgemm()
 */
int ladder_dgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const double *alpha, const double *A, int lda,
                 const double *B, int ldb, const double *beta, double *C, int ldc);

/**
 * The same for row-major matrices: element (i, j) of C is C[i * ldc + j]. lda is at least
 * max(1, k), with a transposed A max(1, m); ldb at least max(1, n), transposed max(1, k); ldc
 * at least max(1, n).
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one row of A to the next
 * @param B device memory, read only
 * @param ldb elements from one row of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one row of C to the next
 * @return as ladder_sgemm()
 */
int ladder_sgemm_row_major(ladder_gemm_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *A, int lda, const float *B, int ldb, const float *beta,
                           float *C, int ldc);

/**
 * The same in double precision.
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one row of A to the next
 * @param B device memory, read only
 * @param ldb elements from one row of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one row of C to the next
 * @return as ladder_sgemm()
 */
int ladder_dgemm_row_major(ladder_gemm_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *A, int lda, const double *B, int ldb,
                           const double *beta, double *C, int ldc);

/**
 * A batch of products, with the arguments of cublasSgemmStridedBatched and their meaning:
 * matrix i of A begins i * stride_a elements after the first, and so on. A batch has a plan of
 * its own, since cuBLAS computes small products at the same time: its products run one after
 * another in one workspace, or all by cublasSgemmStridedBatched. Where a stride is no multiple
 * of four elements, every matrix is copied, unless the plan is cuBLAS. A stride of 0 is allowed
 * for A and B.
 * @param handle of ladder_gemm_create()
 * @param transa whether all A are transposed
 * @param transb whether all B are transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of an A to the next
 * @param stride_a elements from one A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of a B to the next
 * @param stride_b elements from one B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of a C to the next
 * @param stride_c elements from one C to the next: they do not overlap
 * @param count products, 0 or more
 * @return as ladder_sgemm(), with the arguments numbered as they stand here: 8 is lda
 */
int ladder_sgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const float *alpha, const float *A, int lda,
                                 long long stride_a, const float *B, int ldb,
                                 long long stride_b, const float *beta, float *C, int ldc,
                                 long long stride_c, int count);

/**
 * The same in double precision, with the arguments of cublasDgemmStridedBatched.
 * @param handle of ladder_gemm_create()
 * @param transa whether all A are transposed
 * @param transb whether all B are transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of an A to the next
 * @param stride_a elements from one A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of a B to the next
 * @param stride_b elements from one B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of a C to the next
 * @param stride_c elements from one C to the next: they do not overlap
 * @param count products, 0 or more
 * @return as ladder_sgemm_strided_batched()
 */
int ladder_dgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const double *alpha, const double *A, int lda,
                                 long long stride_a, const double *B, int ldb,
                                 long long stride_b, const double *beta, double *C, int ldc,
                                 long long stride_c, int count);

/**
 * ladder_sgemm() with sizes of 64 bits. Sizes that all fit into an int are multiplied by
 * ladder_sgemm(); larger products by cublasSgemm_64, without a plan.
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return as ladder_sgemm()
 */
int ladder_sgemm_64(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const float *alpha, const float *A,
                    int64_t lda, const float *B, int64_t ldb, const float *beta, float *C,
                    int64_t ldc);

/**
 * ladder_dgemm() with sizes of 64 bits. Sizes that all fit into an int are multiplied by
 * ladder_dgemm(); larger products by cublasDgemm_64, without a plan.
 * @param handle of ladder_gemm_create()
 * @param transa whether A is transposed
 * @param transb whether B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return as ladder_sgemm()
 */
int ladder_dgemm_64(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const double *alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, const double *beta, double *C,
                    int64_t ldc);

/**
 * ladder_sgemm_strided_batched() with sizes of 64 bits, as ladder_sgemm_64().
 * @param handle of ladder_gemm_create()
 * @param transa whether each A is transposed
 * @param transb whether each B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param stride_a elements from one A to the next; 0: all products have the same
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param stride_b elements from one B to the next; 0: all products have the same
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @param stride_c elements from one C to the next
 * @param count how many products
 * @return as ladder_sgemm_strided_batched()
 */
int ladder_sgemm_strided_batched_64(ladder_gemm_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const float *alpha, const float *A, int64_t lda,
                                    long long stride_a, const float *B, int64_t ldb,
                                    long long stride_b, const float *beta, float *C,
                                    int64_t ldc, long long stride_c, int64_t count);

/**
 * ladder_dgemm_strided_batched() with sizes of 64 bits, as ladder_dgemm_64().
 * @param handle of ladder_gemm_create()
 * @param transa whether each A is transposed
 * @param transb whether each B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param stride_a elements from one A to the next; 0: all products have the same
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param stride_b elements from one B to the next; 0: all products have the same
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @param stride_c elements from one C to the next
 * @param count how many products
 * @return as ladder_dgemm_strided_batched()
 */
int ladder_dgemm_strided_batched_64(ladder_gemm_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const double *alpha, const double *A, int64_t lda,
                                    long long stride_a, const double *B, int64_t ldb,
                                    long long stride_b, const double *beta, double *C,
                                    int64_t ldc, long long stride_c, int64_t count);

/** A matrix that has been split for the tensor cores: see ladder_gemm_prepare(). */
typedef struct ladder_prepared *ladder_prepared_t;

/**
 * Splits a matrix once that will be the left factor of many products, such as the weights of a
 * neural network: ladder_sgemm_prepared() leaves out the two passes over it. In row-major terms
 * it is the right factor: of Y = X W, prepare W as an A without transposition (its leading
 * dimension is the columns of W), and multiply with X as B.
 *
 * The handle's math mode decides how it is split: LADDER_GEMM_TENSOR or
 * LADDER_GEMM_TENSOR_FAST. The levels are those of the plan for products with n columns
 * (ladder_gemm_plan() or a known one before, or a guess), none where that plan is cuBLAS.
 *
 * A prepared matrix takes about as many bytes as A, 7/4 of that with one level and 49/16 with
 * two; and a copy more if A does not suit the methods (ladder_sgemm() says when). This does not
 * count as workspace. The call waits until it is done. From then on any handle of the same
 * device may use the matrix, in any stream, several at a time, and in captures; no call changes
 * it. A must stay as it is until ladder_gemm_end_prepared(): numbers that a half cannot hold
 * are read from it again.
 * @param handle of ladder_gemm_create(); its stream must not be captured
 * @param prepared gets the matrix
 * @param transa whether A is transposed
 * @param m rows of op(A), 1 or more
 * @param k columns of op(A), 1 or more
 * @param A device memory, complete in the handle's stream
 * @param lda elements from one column of A to the next
 * @param n columns of the products that will follow, about; 1 or more
 * @return 0; the number of a wrong argument; LADDER_GEMM_UNSUPPORTED without a math mode, or in
 *         a capture; LADDER_GEMM_NO_MEMORY; LADDER_GEMM_CUDA or LADDER_GEMM_CUBLAS. On failure
 *         *prepared is NULL, and ladder_gemm_message() says why
 */
int ladder_gemm_prepare(ladder_gemm_t handle, ladder_prepared_t *prepared,
                        cublasOperation_t transa, int m, int k, const float *A, int lda, int n);

/**
 * C = alpha op(A) op(B) + beta C with a prepared A: the same bits as ladder_sgemm() in the mode
 * and with the levels that A was split for. The workspace is smaller, since A is not in it. If
 * there is no room for that, this is ladder_sgemm() in the handle's own math mode.
 * @param handle of ladder_gemm_create(), on the device of `prepared`
 * @param prepared of ladder_gemm_prepare()
 * @param transb whether B is transposed
 * @param n columns of op(B) and C, 0 or more
 * @param alpha one number
 * @param B device memory, read only
 * @param ldb elements from one column of B to the next
 * @param beta one number
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return as ladder_sgemm(), with the arguments numbered as they stand here: 2 is `prepared`,
 * if it is NULL or of another device
 */
int ladder_sgemm_prepared(ladder_gemm_t handle, ladder_prepared_t prepared,
                          cublasOperation_t transb, int n, const float *alpha, const float *B,
                          int ldb, const float *beta, float *C, int ldc);

/**
 * Frees a prepared matrix, once the device is done with it. NULL is allowed. It may outlive the
 * handle that made it.
 * @param prepared of ladder_gemm_prepare()
 */
void ladder_gemm_end_prepared(ladder_prepared_t prepared);

/**
 * Sets the stream of all further calls; by default NULL, the default stream. They wait for the
 * handle's products in the stream before that worked in its workspace (unless one of the two
 * streams is being captured: then the caller must order them). Products that need no workspace
 * are ordered by their streams alone, as cuBLAS's are.
 * @param handle of ladder_gemm_create()
 * @param stream of the handle's device, or NULL
 */
void ladder_gemm_set_stream(ladder_gemm_t handle, cudaStream_t stream);

/**
 * 1: alpha and beta are device pointers from now on. 0, the default: host pointers.
 * @param handle of ladder_gemm_create()
 * @param on 0 or 1
 */
void ladder_gemm_device_scalars(ladder_gemm_t handle, int on);

/**
 * Makes the handle use the caller's workspace, on the device and aligned to 256 bytes: nothing
 * is allocated from now on. NULL: the handle's own workspace again.
 *  @return 0, or 2 when it is not aligned
 * @param handle of ladder_gemm_create()
 * @param workspace device memory, or NULL
 * @param bytes of the workspace
 */
int ladder_gemm_set_workspace(ladder_gemm_t handle, void *workspace, size_t bytes);

/** How to multiply a shape. */
struct ladder_plan {
    char variant[16]; /**< "cublas", or a variant of step 18, 19 or 21 */
    int levels;     /**< of Winograd's method, 0 to 6; of Strassen's, 0 to 2, on tensor cores */
    long parameter; /**< for "beside": blocks that a kernel of sums may have; otherwise 0 */
};

/** A shape, column-major, to plan ahead. `scaled`: alpha or beta will be other than 1 and 0, or
 * on the device. Pointers are assumed to be aligned. */
struct ladder_shape {
    int is_double;
    cublasOperation_t transa, transb;
    int m, n, k, lda, ldb, ldc;
    int scaled;
};

/**
 * Finds the plan of a shape before its first product, on random matrices of its own, whether or
 * not the handle measures.
 *
 * Finding a plan, here or in the first product, takes at most 20 times as long as cuBLAS's
 * product, and at most 3 s or two products of cuBLAS. On top come the product itself, workspace
 * to allocate, and kernels of cuBLAS that a first run loads. So only products longer than
 * about 1 ms are bounded by 21 of them. Shorter ones take a fixed time: on an H200 at most 84
 * ms, for the first shape of a process. `library-cases first-products` measures it.
 * @param handle of ladder_gemm_create()
 * @param shape what will be multiplied
 * @param plan      what was found or is known; may be NULL
 * @param workspace bytes that the plan works in; may be NULL
 * @return as ladder_sgemm(); 2 when the shape is wrong; LADDER_GEMM_NO_MEMORY where there is no
 *         room for the matrices: there is no plan then
 */
int ladder_gemm_plan(ladder_gemm_t handle, const struct ladder_shape *shape,
                     struct ladder_plan *plan, size_t *workspace);

/**
 * The plan that a product of the shape would follow now: a known one, or a guess. Nothing is
 * measured, and nothing runs.
 * @param handle of ladder_gemm_create()
 * @param shape what would be multiplied
 * @param plan      gets the plan; may be NULL
 * @param workspace gets the bytes that the plan works in; may be NULL
 * @return 0; 1 or 2 for a wrong handle or shape
 */
int ladder_gemm_outlook(ladder_gemm_t handle, const struct ladder_shape *shape,
                        struct ladder_plan *plan, size_t *workspace);

/** What the last product did. */
struct ladder_done {
    struct ladder_plan ran;  /**< variant "none" where there was nothing to multiply */
    struct ladder_plan plan; /**< what it would have done with enough workspace */
    size_t workspace_bytes;  /**< that it used */
    int fell_back; /**< 1: the workspace did not suffice for the plan, or for one of the
                        candidates when it was measured */
    int measured;  /**< 1: it was the first of its shape */
};

/**
 * What the last product of a handle did.
 * @param handle of ladder_gemm_create()
 * @return variant "none" before the first product
 */
struct ladder_done ladder_gemm_last(ladder_gemm_t handle);

/**
 * In how many pieces the last product of a handle ran: blocks of C, one after another, each of
 * which works in ladder_gemm_last().workspace_bytes. More than 1 where a math mode had no room
 * for all of C at once.
 * @param handle of ladder_gemm_create()
 * @return 0 where nothing was multiplied
 */
int ladder_gemm_pieces(ladder_gemm_t handle);

/**
 * The last message, in one line; "" when there was none. It is valid as long as the handle
 * exists.
 * @param handle of ladder_gemm_create(); NULL: why this thread's last ladder_gemm_create() gave
 *               no handle
 * @return a line without a newline
 */
const char *ladder_gemm_message(ladder_gemm_t handle);

/**
 * Bounds the bytes of workspace that the handle may hold, and those for each capture; SIZE_MAX,
 * no bound, by default. While the first product of a shape is measured with beta != 0, a C to
 * measure on comes on top, of no more bytes than that. A size that the GPU could not give is
 * asked for again when the GPU has more free memory than it had then, or after this call.
 * @param handle of ladder_gemm_create()
 * @param bytes at most, 0 for none
 */
void ladder_gemm_limit_workspace(ladder_gemm_t handle, size_t bytes);

/**
 * Bounds a product's levels, each of which costs accuracy; 6 by default. A plan also holds for
 * lower bounds than that it was found under, as long as they are not below its levels; for any
 * other bound the shape's plan is found anew, and the file keeps both.
 * @param handle of ladder_gemm_create()
 * @param levels 0 or more
 */
void ladder_gemm_most_levels(ladder_gemm_t handle, int levels);

/**
 * Sets how exact float products must be, as cublasSetMathMode() does for cuBLAS. Tensor cores
 * are used only if a caller asks for them here. double has modes of its own:
 * ladder_gemm_set_double_mode().
 *
 * LADDER_GEMM_FLOAT        the default: every product and sum is a float's
 * LADDER_GEMM_TENSOR       tensor cores; each factor is split into two halves (FP16), 22 bits
 * LADDER_GEMM_TENSOR_FAST  tensor cores; a half and two bytes (INT8), 19 bits, faster
 *
 * Errors. Let P be the product op(A) op(B) before alpha and beta, L the levels of the plan (0
 * to 2; TENSOR_FAST 0 or 1), a the largest absolute value in row i of op(A), and b the same in
 * column j of op(B). With levels, these are the largest in any of the 2^L rows, or columns,
 * that lie m'/2^L, or n'/2^L, from each other, since the levels add them; m' and n' are m and n
 * rounded up to multiples of 4 * 2^L. Then, for any k below 2^21,
 *
 *     |error of P(i, j)|  <=  8^L k (2^-18 + k 2^-30) a b + (4^L + L) 2^-150     TENSOR
 *                         <=  8^L k (2^-15 + k 2^-33) a b + (4^L + L) 2^-150     TENSOR_FAST
 *
 * where cublasSgemm's bound is about k 2^-24 times the sum of |op(A)(i, l) op(B)(l, j)| over l.
 * The appendix of chapter 21 proves them for a tensor core that cuts every addend off 2 bits
 * below the 24 of the largest, as errors measured on an H100 say; on other GPUs that is
 * assumed. So an element that is small beside the others of its row of A and its column of B is
 * less exact than cublasSgemm's. Rows may differ from each other by any power of two, and
 * columns too.
 *
 * Measured on an H100 against cuBLAS 13.1 without levels, on numbers uniform in [-1, 1] and in
 * [0, 1), normal, ReLU-like and softmax-like ones (docs/results/h100/21-data.jsonl): at six
 * shapes with edges from 1024 on TENSOR's mean and largest error were below cublasSgemm's; with
 * only 128 rows its mean was 1.09 times as large. TENSOR_FAST's mean was at most 0.212 times
 * cublasSgemm's on numbers in [0, 1) (3072^3), 4.52 times on those in [-1, 1] (128 x 4096 x
 * 4096), 10.4 times on normal ones, and its largest up to 13 times (softmax-like). A level
 * makes TENSOR's mean up to 1.48 times as large, TENSOR_FAST's 2.76 times: then it may be above
 * cublasSgemm's. Where op(B)'s columns have mostly one sign their means are taken out first.
 *
 * Range. Each row of A and column of B is scaled by a power of two, so this bound holds for all
 * numbers that a float can be. Rows and columns with an infinity, a NaN or numbers near the
 * largest float are computed separately, in double: correctly, but the more of them there are
 * the slower.
 *
 * The result has the same bits every time with the same plan, on GPUs with the same number of
 * multiprocessors, as long as C is computed in the same pieces (ladder_gemm_pieces()). Products
 * may be captured, and do not wait, as without the mode; plans are found, and kept in the file,
 * for each mode separately. If there is no room for the workspace, blocks of C that have room
 * are computed one after another, without levels; if not even a small block has room, cuBLAS's
 * float product runs.
 * @param handle of ladder_gemm_create()
 * @param mode LADDER_GEMM_FLOAT, LADDER_GEMM_TENSOR or LADDER_GEMM_TENSOR_FAST
 * @return 0; 2 when there is no such mode; LADDER_GEMM_UNSUPPORTED on a GPU without the
 *         methods: everything is then as with LADDER_GEMM_FLOAT, and ladder_gemm_message() says
 *         why
 */
int ladder_gemm_set_math_mode(ladder_gemm_t handle, int mode);

enum { LADDER_GEMM_FLOAT = 0, LADDER_GEMM_TENSOR = 1, LADDER_GEMM_TENSOR_FAST = 2 };

/**
 * Sets how exact double products must be: on tensor cores, by step 23's exact products of bytes
 * modulo small numbers, where a plan says that they are faster than cublasDgemm. Without a
 * measurement that is assumed from edges of about 5000 on.
 *
 * LADDER_GEMM_DOUBLE        the default: every product and sum is a double's
 * LADDER_GEMM_DOUBLE_EXACT  14 moduli: errors like cublasDgemm's
 * LADDER_GEMM_DOUBLE_MORE   16 moduli: most elements are correctly rounded
 * LADDER_GEMM_DOUBLE_FEWER  13 moduli: faster, errors 8 to 16 times as large as EXACT's
 *
 * Errors. Let P be the product op(A) op(B) before alpha and beta, |a| the norm (2-norm) of row
 * i of op(A), and |b| that of column j of op(B). With any number of levels
 *
 *     |error of P(i, j)|  <=  c sqrt(k) |a| |b| + 2^-53 |P(i, j)| + 2^-1075,
 *
 * where c is 2^-53.5 in EXACT, 2^-59.4 in MORE and 2^-49.7 in FEWER: chapter 23 proves it. An
 * element that is small compared with |a| |b| is less exact than cublasDgemm's, whose bound is
 * by the sum of its terms.
 *
 * Short rows of op(A) and columns of op(B), with at most 16 numbers other than zero, are
 * computed apart, more exactly than by cublasDgemm; only below the normal numbers is each of
 * their terms rounded. So products with a permutation or a diagonal matrix are exact wherever
 * cublasDgemm's are. So are, with any number of levels, products of integers whose sums have at
 * most 53 bits, if no row and no column has a norm above 2^54 in EXACT, 2^60 in MORE and 2^50
 * in FEWER. Beyond that they may be rounded: a row 2^52, 1, ..., 1 times a column of 17 ones in
 * FEWER, or a row 2^60, 1, ..., 1 times a column 0, 1, ..., 1 in EXACT.
 *
 * Rows and columns with an infinity or a NaN give the infinities and NaNs that sums of doubles
 * give. Workspace, plans and captures are as in the float modes.
 *
 * Same bits. Unless the plan is cuBLAS, P depends on op(A), op(B) and the mode alone: the same
 * bits come out every time, with any number of levels, and for a block of C that is computed by
 * itself from all of k, on any GPU of compute capability 9.0.
 * @param handle of ladder_gemm_create()
 * @param mode one of these four
 * @return 0; 2 when there is no such mode; LADDER_GEMM_UNSUPPORTED on a GPU without the
 * methods, which are for compute capability 9.0: everything is then as with LADDER_GEMM_DOUBLE,
 *         and ladder_gemm_message() says why
 */
int ladder_gemm_set_double_mode(ladder_gemm_t handle, int mode);

enum {
    LADDER_GEMM_DOUBLE = 0,
    LADDER_GEMM_DOUBLE_EXACT = 1,
    LADDER_GEMM_DOUBLE_MORE = 2,
    LADDER_GEMM_DOUBLE_FEWER = 3
};

/**
 * Sets whether the first product of a shape is measured, which takes about 20 products. The
 * default is 1 with a tuning file and 0 without.
 * @param handle of ladder_gemm_create()
 * @param on 0 or 1
 */
void ladder_gemm_measure(ladder_gemm_t handle, int on);

/**
 * 1: prints a line on stderr for every fall back; 2: for every run of planning, too; 0, the
 * default: nothing.
 * @param handle of ladder_gemm_create()
 * @param on 0, 1 or 2
 */
void ladder_gemm_verbose(ladder_gemm_t handle, int on);

/* ---- For tuners and tests */

/**
 * Plans whose leaves have an edge smaller than this are no candidates; 128 until then.
 * @param handle of ladder_gemm_create()
 * @param edge elements, 1 or more
 */
void ladder_gemm_smallest_leaf(ladder_gemm_t handle, int edge);

/**
 * Writes the first `most` plans that a float product of the shape could have, in the math mode
 * that is set, into `plans`, cublas first.
 *  @return how many there are in all
 * @param handle of ladder_gemm_create()
 * @param m rows of the product
 * @param n columns of the product
 * @param k inner dimension
 * @param plans gets up to `most` plans
 * @param most of the plans, 0 or more
 */
int ladder_gemm_candidates(ladder_gemm_t handle, int m, int n, int k, struct ladder_plan *plans,
                           int most);

/**
 * Makes all calls follow this plan; NULL: each follows its own again.
 *  @return 0, or 2 when there is no such plan
 * @param handle of ladder_gemm_create()
 * @param plan one that ladder_gemm_candidates() knows, or NULL
 */
int ladder_gemm_force(ladder_gemm_t handle, const struct ladder_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
