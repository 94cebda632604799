/* SPDX-License-Identifier: MIT */
/** @file ladder_gemm.h
 * Matrix multiplication for other programs, with the arguments of cublasSgemm and cublasDgemm.
 * The library measures which method of steps 18, 19, 21 and 23 is fastest for a shape on this
 * GPU and uses it. example.c in this folder calls it; plans/tuner.c finds plans for many shapes
 * and reports how close each comes to the best.
 *
 *     ladder_gemm_t gemm;
 *     ladder_gemm_create(&gemm, "plans.txt");
 *     ladder_sgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k,
 *                  &alpha, A, lda, B, ldb, &beta, C, ldc);
 *     ladder_gemm_destroy(gemm);
 *
 * What a call returns:
 *   0                   success
 *   1, 2, 3, ...        this argument is wrong (the handle is the first); nothing was done
 *   LADDER_GEMM_CUDA    a CUDA call failed: ladder_gemm_message() says which and why;
 *   LADDER_GEMM_CUBLAS  a cuBLAS call failed: the same; the contents of C are then undefined
 *   LADDER_GEMM_NO_MEMORY    the host or the device has too little memory
 *   LADDER_GEMM_UNSUPPORTED  the GPU, this build or the math mode has no such method
 * An error that an earlier CUDA call of the thread has left makes no call fail, unless the
 * device can no longer be used. As with calls of cuBLAS, cudaGetLastError() still returns it
 * afterwards, except after a call that failed or could not get memory.
 *
 * A product never fails because memory for workspace is short: a method that needs less runs,
 * or C is computed in blocks, one after another, or cuBLAS multiplies, which needs no
 * workspace. ladder_gemm_last() reports what ran.
 *
 * A handle belongs to the device that is current when it is made; later calls may be made with
 * any device current. Only one host thread at a time may use a handle: make one handle per
 * thread and device. They are independent of each other. With a NULL handle the
 * multiplications, ladder_gemm_prepare(), _plan() and _outlook() return 1,
 * ladder_gemm_destroy() does nothing, and ladder_gemm_message() is allowed; the other functions
 * need a handle.
 */
#ifndef STEPS_20_LIBRARY_LADDER_GEMM_H
#define STEPS_20_LIBRARY_LADDER_GEMM_H

#include <stdint.h>

#include <cublas_v2.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LADDER_GEMM_VERSION_MAJOR 2
#define LADDER_GEMM_VERSION_MINOR 0

typedef struct ladder_gemm *ladder_gemm_t;

enum {
    LADDER_GEMM_CUDA = -1,
    LADDER_GEMM_CUBLAS = -2,
    LADDER_GEMM_NO_MEMORY = -3,
    LADDER_GEMM_UNSUPPORTED = -4
};

/** The version of the library that the program runs with. LADDER_GEMM_VERSION_MAJOR and _MINOR
 * give the version of this header.
 * @return 100 times the major number, plus the minor number */
int ladder_gemm_version(void);

/**
 * Makes a handle. Plans are read from `tuning_file`, which need not exist, and new plans are
 * written to it. With a file, the library measures the first product of each shape. Without
 * one, it measures only if ladder_gemm_measure() or ladder_gemm_plan() asks for it, and keeps
 * plans in memory until ladder_gemm_destroy().
 *
 * Several processes may use one file: each takes the lock `tuning_file`.lock, merges its plans
 * with those that others have written since, and replaces the whole file. If the name is a
 * symbolic link, the file that it points to is replaced. A file of another GPU, another cuBLAS
 * or another version of this library is neither used nor changed; a line that cannot be read is
 * skipped. In both cases stderr and ladder_gemm_message() say so, and the handle still works.
 * @param tuning_file a path, or NULL
 * @param handle gets the handle; NULL on failure
 * @return 0; 1 if `handle` is NULL; on failure LADDER_GEMM_CUDA, LADDER_GEMM_CUBLAS or
 *         LADDER_GEMM_NO_MEMORY (of the host), and ladder_gemm_message(NULL) says why
 */
int ladder_gemm_create(ladder_gemm_t *handle, const char *tuning_file);

/** Ends a handle and frees its workspace. NULL is allowed.
 *
 * Do not call it while another thread captures a stream with cudaStreamCaptureModeGlobal: it
 * calls cublasDestroy(), which would break that capture. Making handles and queueing
 * multiplications is allowed during such a capture.
 * @param handle of ladder_gemm_create() */
void ladder_gemm_destroy(ladder_gemm_t handle);

/** C = alpha op(A) op(B) + beta C, with the arguments of cublasSgemm and their meaning.
 *
 * All matrices are column-major: element (i, j) of C is C[i + j * ldc]. op(A) is m x k, op(B) k
 * x n, C m x n; op(X) is X for CUBLAS_OP_N and its transpose for CUBLAS_OP_T and CUBLAS_OP_C.
 * A, B and C are device pointers, aligned to an element, and C overlaps neither A nor B; alpha
 * and beta are host pointers, or device pointers after ladder_gemm_device_scalars(). lda is at
 * least max(1, m), with a transposed A max(1, k); ldb at least max(1, k), transposed max(1, n);
 * ldc at least max(1, m). Any m, n, k >= 0 are allowed.
 *
 * As in BLAS: m = 0 or n = 0 does nothing; with k = 0 or alpha = 0 A and B are not read; with
 * beta = 0 C is not read and may hold anything. The exception is an alpha = 0 on the device,
 * whose value the call does not know: if the plan is cuBLAS, cuBLAS decides whether a NaN in A
 * or B reaches C.
 *
 * The methods with levels add blocks of A, and of B, before they multiply. So their errors are
 * relative to the largest elements of A and B, not to the elements in one row of A and one
 * column of B; ladder_gemm_set_accurate() states how they grow. An infinity, a NaN or a sum
 * that overflows also reaches more elements of C than in cublasSgemm.
 *
 * Subnormal numbers are kept, apart from what ladder_gemm_set_accurate() says, and alpha
 * multiplies the finished sum, unless the plan is cuBLAS. There cuBLAS decides when it
 * multiplies by alpha: cuBLAS 13.1 on an H100 multiplies the elements of one factor by alpha
 * first. Where such a product is subnormal it is rounded by up to 2^-150 (2^-1075 in double),
 * and that error is multiplied by an element of the other factor. So for alpha other than 1 and
 * -1, C(i, j) may be wrong by 2^-150 times the sum of |op(B)(l, j)| over those l for which
 * alpha op(A)(i, l) is subnormal, or the same with A and B exchanged, whichever is more, on top
 * of the ordinary errors.
 *
 * A call is fastest with pointers aligned to four elements, leading dimensions that are
 * multiples of 4, op N, and alpha = 1 and beta = 0 on the host. Unless the plan is cuBLAS, a
 * factor that differs is copied first, and the product is copied at the end.
 *
 * The work is queued in the handle's stream, and the call returns without waiting, except the
 * first call of a shape if it is measured, and calls that allocate or free workspace. A shape
 * that has not been measured follows the plan of the nearest known shape, or else the one with
 * the least predicted time.
 *
 * Calls may be captured into a CUDA graph; nothing is measured then. Each capture gets its own
 * workspace, which its multiplications share, so the graph may run while the handle multiplies
 * in other streams. Once the graph and everything instantiated from it are destroyed, the
 * handle's next call frees that workspace. ladder_gemm_destroy() frees it in any case: run no
 * such graph after that. With a caller's workspace (ladder_gemm_set_workspace()) graphs and
 * multiplications share it, and must not run at the same time.
 * @param handle of ladder_gemm_create()
 * @param transa,transb whether A or B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha,beta one number
 * @param A,B device memory, read only
 * @param lda,ldb,ldc elements from one column of A, B or C to the next
 * @param C device memory
 * @return 0; the number of a wrong argument; LADDER_GEMM_CUDA or LADDER_GEMM_CUBLAS */
int ladder_sgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const float *alpha, const float *A, int lda,
                 const float *B, int ldb, const float *beta, float *C, int ldc);

/** The same in double precision.
 * @copydetails ladder_sgemm */
int ladder_dgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const double *alpha, const double *A, int lda,
                 const double *B, int ldb, const double *beta, double *C, int ldc);

/** The same for row-major matrices: element (i, j) of C is C[i * ldc + j]. lda is at least
 * max(1, k), with a transposed A max(1, m); ldb at least max(1, n), transposed max(1, k); ldc
 * at least max(1, n).
 * @param handle of ladder_gemm_create()
 * @param transa,transb whether A or B is transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha,beta one number
 * @param A,B device memory, read only
 * @param lda,ldb,ldc elements from one row of A, B or C to the next
 * @param C device memory
 * @return as ladder_sgemm() */
int ladder_sgemm_row_major(ladder_gemm_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *A, int lda, const float *B, int ldb, const float *beta,
                           float *C, int ldc);

/** The same in double precision.
 * @copydetails ladder_sgemm_row_major */
int ladder_dgemm_row_major(ladder_gemm_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *A, int lda, const double *B, int ldb,
                           const double *beta, double *C, int ldc);

/** A batch of multiplications, with the arguments of cublasSgemmStridedBatched and their
 * meaning: matrix i of A begins i * stride_a elements after the first, and so on. A batch has a
 * separate plan, since cuBLAS computes small multiplications at the same time: either the
 * multiplications run one after another in one workspace, or one call of
 * cublasSgemmStridedBatched computes all. If a stride is not a multiple of four elements, every
 * matrix is copied, unless the plan is cuBLAS. A stride of 0 is allowed for A and B.
 * @param handle of ladder_gemm_create()
 * @param transa,transb whether all A, or all B, are transposed
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha,beta one number
 * @param A,B device memory, read only
 * @param lda,ldb,ldc elements from one column of an A, B or C to the next
 * @param stride_a,stride_b,stride_c elements from one A, B or C to the next; no two C overlap
 * @param C device memory
 * @param count multiplications, 0 or more
 * @return as ladder_sgemm(); arguments are numbered in the order of this function: 9 is lda */
int ladder_sgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const float *alpha, const float *A, int lda,
                                 long long stride_a, const float *B, int ldb,
                                 long long stride_b, const float *beta, float *C, int ldc,
                                 long long stride_c, int count);

/** The same in double precision, with the arguments of cublasDgemmStridedBatched.
 * @copydetails ladder_sgemm_strided_batched */
int ladder_dgemm_strided_batched(ladder_gemm_t handle, cublasOperation_t transa,
                                 cublasOperation_t transb, int m, int n, int k,
                                 const double *alpha, const double *A, int lda,
                                 long long stride_a, const double *B, int ldb,
                                 long long stride_b, const double *beta, double *C, int ldc,
                                 long long stride_c, int count);

/** ladder_sgemm() with sizes of 64 bits. Sizes that all fit into an int are multiplied by
 * ladder_sgemm(); larger multiplications by cublasSgemm_64, without a plan and in no mode.
 * @copydetails ladder_sgemm */
int ladder_sgemm_64(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const float *alpha, const float *A,
                    int64_t lda, const float *B, int64_t ldb, const float *beta, float *C,
                    int64_t ldc);

/** ladder_dgemm() with sizes of 64 bits, as ladder_sgemm_64().
 * @copydetails ladder_sgemm */
int ladder_dgemm_64(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const double *alpha, const double *A,
                    int64_t lda, const double *B, int64_t ldb, const double *beta, double *C,
                    int64_t ldc);

/** ladder_sgemm_strided_batched() with sizes of 64 bits, as ladder_sgemm_64().
 * @copydetails ladder_sgemm_strided_batched */
int ladder_sgemm_strided_batched_64(ladder_gemm_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const float *alpha, const float *A, int64_t lda,
                                    long long stride_a, const float *B, int64_t ldb,
                                    long long stride_b, const float *beta, float *C,
                                    int64_t ldc, long long stride_c, int64_t count);

/** ladder_dgemm_strided_batched() with sizes of 64 bits, as ladder_sgemm_64().
 * @copydetails ladder_sgemm_strided_batched */
int ladder_dgemm_strided_batched_64(ladder_gemm_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                                    const double *alpha, const double *A, int64_t lda,
                                    long long stride_a, const double *B, int64_t ldb,
                                    long long stride_b, const double *beta, double *C,
                                    int64_t ldc, long long stride_c, int64_t count);

/** C = alpha op(A) op(B) + beta C for complex numbers, with the arguments of cublasZgemm and
 * their meaning: CUBLAS_OP_C transposes and conjugates. With A = A1 + i A2 and B = B1 + i B2,
 * three real products suffice instead of four:
 *
 *     R = A1 B1,  I = A2 B2,  S = (A1 + A2)(B1 + B2),  A B = R - I + i (S - R - I)
 *
 * Each of them runs as ladder_dgemm() does, in the handle's mode and with its plan. Two passes
 * make the parts, and one puts them together. They need workspace for 3/2 as many bytes as A, B
 * and C have. If it does not fit into memory, or if an edge is below 2048, cublasZgemm
 * multiplies. ladder_gemm_last() reports "cublas" without workspace then, and otherwise the
 * plan of the last of the three products.
 *
 * Errors (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 23.2.4). If the
 * products run in cublasDgemm, with u = 2^-53, and |X| the magnitudes of X element by element,
 *
 *     |error of the real part|       <=  (k + 4) u (|A1||B1| + |A2||B2|)
 *     |error of the imaginary part|  <=  (k + 4) u ((|A1| + |A2|)(|B1| + |B2|) + |A1||B1| +
 * |A2||B2|)
 *
 * before alpha and beta, up to terms in u^2. For the imaginary part of a cublasZgemm that sums
 * four real products separately the bound is (k + 4) u (|A1||B2| + |A2||B1|); with one sum for
 * both products of a part it has about 2 k instead of k + 4. So an imaginary part that is small
 * compared with |A1||B1| + |A2||B2| is less exact than cublasZgemm's; relative to the largest
 * elements of A and B both methods are about as exact. With other plans add the errors that
 * ladder_dgemm() states for R, I and S. A sum of two parts that overflows makes an infinity or
 * a NaN, and an infinity or a NaN in one part of an element of A or B reaches both parts of C.
 * @param handle of ladder_gemm_create()
 * @param transa,transb whether A or B is transposed, or transposed and conjugated
 * @param m rows of op(A) and C
 * @param n columns of op(B) and C
 * @param k columns of op(A), rows of op(B)
 * @param alpha one number, on the host or after ladder_gemm_device_scalars() on the device
 * @param A,B device memory, read only
 * @param lda,ldb,ldc elements from one column of A, B or C to the next
 * @param beta one number, as alpha
 * @param C device memory
 * @return as ladder_sgemm() */
int ladder_zgemm(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                 int m, int n, int k, const cuDoubleComplex *alpha, const cuDoubleComplex *A,
                 int lda, const cuDoubleComplex *B, int ldb, const cuDoubleComplex *beta,
                 cuDoubleComplex *C, int ldc);

/** One triangle of C = alpha op(A) op(A)^T + beta C, with the arguments of cublasDsyrk and
 * their meaning. The other triangle of C is neither read nor written. Off the diagonal C
 * consists of a square and two triangles of half the order. Where ladder_dgemm()'s plan for the
 * square is not cuBLAS, the square is computed so and the triangles are halved again; all that
 * remains is left to cublasDsyrk. The errors are those of ladder_dgemm(). ladder_gemm_last()
 * reports on the largest square, or "cublas" if there is none.
 * @param handle of ladder_gemm_create()
 * @param uplo the triangle
 * @param trans whether A is transposed: op(A) is n x k
 * @param n rows and columns of C
 * @param k columns of op(A)
 * @param alpha,beta one number
 * @param A device memory, read only
 * @param lda elements from one column of A to the next
 * @param C device memory
 * @param ldc elements from one column of C to the next
 * @return as ladder_sgemm(); arguments are numbered in the order of this function: 8 is lda */
int ladder_dsyrk(ladder_gemm_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                 int k, const double *alpha, const double *A, int lda, const double *beta,
                 double *C, int ldc);

/** ladder_zgemm() with sizes of 64 bits, as ladder_dgemm_64().
 * @copydetails ladder_zgemm */
int ladder_zgemm_64(ladder_gemm_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha,
                    const cuDoubleComplex *A, int64_t lda, const cuDoubleComplex *B,
                    int64_t ldb, const cuDoubleComplex *beta, cuDoubleComplex *C, int64_t ldc);

/** ladder_dsyrk() with sizes of 64 bits, as ladder_dgemm_64().
 * @copydetails ladder_dsyrk */
int ladder_dsyrk_64(ladder_gemm_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    int64_t n, int64_t k, const double *alpha, const double *A, int64_t lda,
                    const double *beta, double *C, int64_t ldc);

/** A matrix that has been split for the tensor cores: see ladder_gemm_prepare(). */
typedef struct ladder_prepared *ladder_prepared_t;

/**
 * Splits the left factor of many multiplications once, such as the weights of a neural network.
 * ladder_sgemm_prepared() then saves two passes over it. For row-major matrices it is the right
 * factor: to compute Y = X W, prepare W as an A without transposition (its leading dimension is
 * the number of columns of W), and multiply with X as B.
 *
 * The handle's math mode decides how A is split: LADDER_GEMM_TENSOR or LADDER_GEMM_TENSOR_FAST.
 * The number of levels is that of the known or guessed plan for multiplications with n columns
 * (ladder_gemm_plan() finds one); 0 if that plan is cuBLAS.
 *
 * A prepared matrix takes about as many bytes as A, 7/4 of that with one level and 49/16 with
 * two, and as many as A again if A had to be copied (ladder_sgemm() says when). It does not
 * count as workspace. The call waits until the matrix is ready. Then any handle of the same
 * device may use it, in any stream, several at a time, and in captures; no call changes it. Do
 * not change A before ladder_gemm_end_prepared(): numbers too large or too small for a half are
 * read from it again.
 * @param handle of ladder_gemm_create(); its stream must not be captured
 * @param prepared gets the matrix
 * @param transa whether A is transposed
 * @param m rows of op(A), 1 or more
 * @param k columns of op(A), 1 or more
 * @param A device memory, complete in the handle's stream
 * @param lda elements from one column of A to the next
 * @param n columns of the multiplications that will follow, about; 1 or more
 * @return 0; the number of a wrong argument; LADDER_GEMM_UNSUPPORTED without a math mode, or in
 *         a capture; LADDER_GEMM_NO_MEMORY; LADDER_GEMM_CUDA or LADDER_GEMM_CUBLAS. On failure
 *         *prepared is NULL, and ladder_gemm_message() says why
 */
int ladder_gemm_prepare(ladder_gemm_t handle, ladder_prepared_t *prepared,
                        cublasOperation_t transa, int m, int k, const float *A, int lda, int n);

/**
 * C = alpha op(A) op(B) + beta C with a prepared A: the same bits as ladder_sgemm() in the mode
 * and with the levels that A was split for. The workspace is smaller, since A is not in it. If
 * it does not fit into memory, ladder_sgemm() multiplies in the handle's own math mode.
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
 * @return as ladder_sgemm(); arguments are numbered in the order of this function: 2 if
 *         `prepared` is NULL or belongs to another device
 */
int ladder_sgemm_prepared(ladder_gemm_t handle, ladder_prepared_t prepared,
                          cublasOperation_t transb, int n, const float *alpha, const float *B,
                          int ldb, const float *beta, float *C, int ldc);

/** Waits until the device no longer uses a prepared matrix, and frees it. NULL is allowed. The
 * matrix may outlive the handle that made it.
 * @param prepared of ladder_gemm_prepare() */
void ladder_gemm_end_prepared(ladder_prepared_t prepared);

/** Sets the stream of all further calls; NULL, the default, is the default stream. They wait
 * for those multiplications in the old stream that use the handle's workspace (unless one of
 * the two streams is being captured: then the caller must order them). Products without
 * workspace are ordered by their streams alone, like calls of cuBLAS.
 * @param handle of ladder_gemm_create()
 * @param stream of the handle's device, or NULL */
void ladder_gemm_set_stream(ladder_gemm_t handle, cudaStream_t stream);

/** Sets where alpha and beta of further calls are.
 * @param handle of ladder_gemm_create()
 * @param on 1: on the device; 0, the default: on the host */
void ladder_gemm_device_scalars(ladder_gemm_t handle, int on);

/** Makes the handle use the caller's workspace. Its multiplications then allocate nothing. So
 * no shape is measured whose C is read, with beta other than 0 or with scalars on the device:
 * that takes a second C. ladder_gemm_plan() and ladder_gemm_prepare() still allocate matrices.
 * @param handle of ladder_gemm_create()
 * @param workspace device memory aligned to 256 bytes; NULL: the handle allocates its workspace
 *                  again, as by default
 * @param bytes of the workspace
 * @return 0, or 2 if it is not aligned */
int ladder_gemm_set_workspace(ladder_gemm_t handle, void *workspace, size_t bytes);

/** How to multiply a shape. */
struct ladder_plan {
    char variant[16]; /**< "cublas", a variant of step 18, 19 or 21, or a mode of step 23 */
    int levels;       /**< 0 to 6; on tensor cores 0 to 2 */
    long parameter;   /**< for "beside": most thread blocks in a kernel of sums; otherwise 0 */
};

/** A shape, column-major, to plan ahead. `scaled`: alpha will not be 1, beta will not be 0, or
 * they are on the device. Pointers are assumed to be aligned. */
struct ladder_shape {
    int is_double;
    cublasOperation_t transa, transb;
    int m, n, k, lda, ldb, ldc;
    int scaled;
};

/**
 * Finds the plan of a shape before its first product, by measuring with random matrices. It
 * measures even if the handle is set not to.
 *
 * Finding a plan, here or in the first product, takes at most 20 times as long as cuBLAS's
 * product, and at most 3 s or two multiplications by cuBLAS. Added to this are the product
 * itself, allocating workspace, and loading cuBLAS's kernels in a first run. So a first product
 * of more than about 1 ms takes at most 21 times as long as cuBLAS's. Shorter ones take a fixed
 * time, the longest for the first shape of a process. `library-cases first-products` measures
 * it.
 * @param handle of ladder_gemm_create()
 * @param shape what will be multiplied
 * @param plan      gets the plan; may be NULL
 * @param workspace gets the bytes of workspace that the plan needs; may be NULL
 * @return as ladder_sgemm(); 2 if the shape is wrong; LADDER_GEMM_NO_MEMORY if the matrices do
 *         not fit into memory: no plan is found then
 */
int ladder_gemm_plan(ladder_gemm_t handle, const struct ladder_shape *shape,
                     struct ladder_plan *plan, size_t *workspace);

/** The plan that a product of the shape would follow now: a known one, or a guess. The call
 * runs nothing on the GPU.
 * @param handle of ladder_gemm_create()
 * @param shape what would be multiplied
 * @param plan      gets the plan; may be NULL
 * @param workspace gets the bytes of workspace that the plan needs; may be NULL
 * @return 0; 1 or 2 for a wrong handle or shape */
int ladder_gemm_outlook(ladder_gemm_t handle, const struct ladder_shape *shape,
                        struct ladder_plan *plan, size_t *workspace);

/** What the last product did. */
struct ladder_done {
    struct ladder_plan ran;  /**< what ran; variant "none" if nothing was multiplied */
    struct ladder_plan plan; /**< what would have run with enough workspace */
    size_t workspace_bytes;  /**< that the product used */
    int fell_back;           /**< 1: the workspace was too small for the plan, or for one of the
                                  candidates when the shape was measured */
    int measured;            /**< 1: this call measured, as the first of its shape */
};

/** What the last product of a handle did.
 * @param handle of ladder_gemm_create()
 * @return variant "none" before the first product */
struct ladder_done ladder_gemm_last(ladder_gemm_t handle);

/** How many pieces the last product of a handle was computed in. A piece is a block of C;
 * pieces run one after another in the same workspace, of ladder_gemm_last().workspace_bytes.
 * There is more than one if the workspace of a math mode for all of C did not fit into memory.
 * @param handle of ladder_gemm_create()
 * @return pieces; 0 if nothing was multiplied */
int ladder_gemm_pieces(ladder_gemm_t handle);

/** The last message of a handle. Later calls replace the text, in the same place.
 * @param handle of ladder_gemm_create(); NULL: returns why this thread's last
 *               ladder_gemm_create() failed
 * @return a line without a newline; "" if there was no message */
const char *ladder_gemm_message(ladder_gemm_t handle);

/** Limits the workspace of the handle, and that of each capture. While the first product of a
 * shape is measured with beta != 0, the library also allocates a second C, of at most as many
 * bytes. If the GPU could not allocate a size, the handle asks for it again only after this
 * call, or when the GPU has more free memory than it had then.
 * @param handle of ladder_gemm_create()
 * @param bytes at most; 0: no workspace; SIZE_MAX, the default: no limit */
void ladder_gemm_limit_workspace(ladder_gemm_t handle, size_t bytes);

/** Limits a product's levels, each of which costs accuracy. A plan that was found under one
 * limit is also used under every lower limit that allows its levels. Under any other limit the
 * shape is planned again, and the file keeps both plans.
 * @param handle of ladder_gemm_create()
 * @param levels at most, 0 or more; 6 by default */
void ladder_gemm_most_levels(ladder_gemm_t handle, int levels);

/** Chooses the sums of the methods batched, two-levels and beside, which are nearly all plans
 * of large multiplications. By default they are those of Dumas, Pernet and Sedoglavic (2024):
 * on random numbers a level multiplies the mean error by about 1.2, and the largest possible
 * error by 13. With Winograd's sums these numbers are 1.8 and 18. On an H200 the default takes
 * at most 3.3 % longer in float, but 4.6 % at n = 4096 and 5.3 % at 16384, and at most 2.4 %
 * longer in double (docs/results/h200/20-series.jsonl). It takes up to a fifth more workspace;
 * without room for it, Winograd's sums run.
 *
 * The default multiplies elements by 1/2 and 1/4. So a product of integers needs six more bits
 * per level to be exact. Half of a subnormal element is rounded, which adds an error of at most
 * k 16^L 2^-149 (2^-1074 in double) times the largest element of the other factor.
 * @param handle of ladder_gemm_create()
 * @param on 1, the default; 0: Winograd's sums */
void ladder_gemm_set_accurate(ladder_gemm_t handle, int on);

/**
 * Sets how exact multiplications in float must be, as cublasSetMathMode() does for cuBLAS.
 * Tensor cores are used only if a caller asks for them here. ladder_gemm_set_double_mode() sets
 * the mode for double.
 *
 * LADDER_GEMM_FLOAT        the default: every product and sum is computed in float
 * LADDER_GEMM_TENSOR       tensor cores; each factor is split into two halves (FP16), 23 bits
 * LADDER_GEMM_TENSOR_FAST  tensor cores; a half and two bytes (INT8), 19 bits, faster
 * LADDER_GEMM_REPRODUCIBLE tensor cores; exact products of bytes, the same bits everywhere
 *
 * Errors of TENSOR and TENSOR_FAST. Let P be op(A) op(B) before alpha and beta, L the levels of
 * the plan (0 to 2; TENSOR_FAST 0 or 1), a the largest absolute value in row i of op(A), b that
 * in column j of op(B), or in TENSOR twice that if the column's elements have both signs but
 * one prevails: if their sum is at least a quarter of the sum of their absolute values, whose
 * mean is at least an eighth of the largest. With levels, a is the largest in the 2^L rows that
 * the levels add to row i (they are m'/2^L apart), and b the largest in the 2^L columns added
 * to column j (n'/2^L apart); m' and n' are m and n rounded up to multiples of 4 * 2^L. Then,
 * for any k below 2^21,
 *
 *     |error of P(i, j)|  <=  8^L k (2^-18 + k 2^-30) a b + (4^L + L) 2^-150     TENSOR
 *                         <=  8^L k (2^-15 + k 2^-33) a b + (4^L + L) 2^-150     TENSOR_FAST
 *
 * where cublasSgemm's bound is about k 2^-24 times the sum of |op(A)(i, l) op(B)(l, j)| over l.
 * The appendix of chapter 21 proves both bounds for a tensor core that truncates every addend 2
 * bits below the last of the largest addend's 24 bits. Errors measured on an H100 and an H200
 * agree with this rule; for other GPUs it is an assumption. So an element of C whose terms are
 * all small compared with a b is less exact than cublasSgemm's. Rows may differ from each other
 * in size by any power of two, and so may columns.
 *
 * Measured on an H200 against cuBLAS 13.1 without levels, on numbers uniform in [-1, 1] and in
 * [0, 1), normal, ReLU-like and softmax-like ones, and with 86 % of op(B) and all of op(A)
 * positive (docs/results/h200/21-data.jsonl): TENSOR's mean error was at most 0.58 times
 * cublasSgemm's (128 x 4096 x 4096), its largest error at most 0.57 times; with the levels of
 * its plans the mean was at most 0.83 times as large. TENSOR_FAST's mean was at most 0.21 times
 * cublasSgemm's on numbers in [0, 1) (3072^3), 4.6 times on those in [-1, 1] (128 x 4096 x
 * 4096), 10.4 times on normal ones, 12.8 times on the mixed ones, and its largest up to 11
 * times (softmax-like). A level makes TENSOR_FAST's mean up to 2.9 times as large. Where one
 * sign prevails in a column of op(B) its mean is taken out first. TENSOR's plans have levels
 * only from k = 4096 on, two from 8192, since in shorter sums they cost more accuracy.
 *
 * Range. Each row of A and column of B is scaled by a power of two, so this bound holds for all
 * finite floats. Rows and columns with an infinity, a NaN or numbers near the largest float are
 * computed separately, in double: correctly, but many of them make the product slow.
 *
 * The result has the same bits every time with the same plan, on GPUs with the same number of
 * multiprocessors, as long as C is computed in the same pieces (ladder_gemm_pieces()). Products
 * may be captured, and calls return without waiting, as in LADDER_GEMM_FLOAT. Each mode has
 * separate plans in the file. If the workspace does not fit into memory, C is computed in
 * blocks, one after another, without levels; if it does not fit even for a small block, cuBLAS
 * multiplies in float.
 *
 * REPRODUCIBLE is step 23's method with 7 moduli. Let |a| be the norm (2-norm) of row i of
 * op(A), and |b| that of column j of op(B). With any number of levels and k up to 65536
 *
 *     |error of P(i, j)|  <=  2^-26.3 sqrt(k) |a| |b| + 2^-24 |P(i, j)| + 2^-150.
 *
 * P depends on op(A) and op(B) alone: it has the same bits in every run, on every GPU of
 * compute capability 8.0 or more, with any levels, by columns or by rows, in a batch, in
 * pieces, and as a block that is computed separately from all of k. So has C if beta is 0.
 * cuBLAS multiplies only if an edge is above 65536 or a leading dimension above 2^31 - 1, or if
 * not even a small piece fits into memory, and ladder_gemm_last() then says so. No shape is
 * measured, and no factor can be prepared. Products with a permutation or a diagonal matrix are
 * exact; so are those of integers whose sums have at most 24 bits, if the norm of every row and
 * column is at most 2^27. On an H200 it is 1.4, 2.5, 3.5 and 3.9 times as fast as cublasSgemm
 * of cuBLAS 13.1 at 2048, 4096, 8192 and 16384. Its mean error on uniform numbers is at most
 * 0.49 times as large (at 5120; docs/results/h200/20-series.jsonl), on normal ones 0.28 times
 * (at 8192; 23-floats.jsonl there).
 * @param handle of ladder_gemm_create()
 * @param mode one of these four
 * @return 0; 2 if there is no such mode; LADDER_GEMM_UNSUPPORTED on a GPU without the methods:
 *         the handle then multiplies as in LADDER_GEMM_FLOAT; ladder_gemm_message() says why
 */
int ladder_gemm_set_math_mode(ladder_gemm_t handle, int mode);

enum {
    LADDER_GEMM_FLOAT = 0,
    LADDER_GEMM_TENSOR = 1,
    LADDER_GEMM_TENSOR_FAST = 2,
    LADDER_GEMM_REPRODUCIBLE = 3
};

/**
 * Sets how exact multiplications in double must be. The modes other than LADDER_GEMM_DOUBLE use
 * tensor cores (step 23's exact multiplications of bytes modulo small numbers) for shapes where
 * the plan says that this is faster than cublasDgemm. Without a measurement the library assumes
 * so for edges of about 5000 or more, on an H200 of about 3600.
 *
 * LADDER_GEMM_DOUBLE        the default: every product and sum is computed in double
 * LADDER_GEMM_DOUBLE_SAFE   14 moduli, and each element has cublasDgemm's bound
 * LADDER_GEMM_DOUBLE_EXACT  14 moduli: errors like cublasDgemm's on numbers of similar size
 * LADDER_GEMM_DOUBLE_MORE   16 moduli: most elements are correctly rounded
 * LADDER_GEMM_DOUBLE_FEWER  13 moduli: faster, errors 8 to 16 times as large as EXACT's
 *
 * Errors. Let P be the product op(A) op(B) before alpha and beta, |a| the norm (2-norm) of row
 * i of op(A), and |b| that of column j of op(B). With any number of levels
 *
 *     |error of P(i, j)|  <=  c sqrt(k) |a| |b| + 2^-53 |P(i, j)| + 2^-1075,
 *
 * where c is 2^-53.5 in EXACT, 2^-59.4 in MORE and 2^-49.7 in FEWER: chapter 23 proves it. An
 * element whose terms are all small compared with |a| |b| is less exact than cublasDgemm's: the
 * error bound of cublasDgemm is proportional to the sum of the terms' magnitudes. So the mean
 * error of EXACT is at most 0.9 times cublasDgemm's on uniform and normally distributed
 * numbers, but up to 1.2 times on triangular matrices and 2.7 times where nine tenths of the
 * numbers are zeros. SAFE's is at most 1.0 times on all of these
 * (docs/results/h200/23-kinds.jsonl).
 *
 * Rows of op(A) and columns of op(B) with at most 16 nonzero numbers are computed separately,
 * more exactly than by cublasDgemm; only a term in the subnormal range is rounded by itself. So
 * multiplications by a permutation or a diagonal matrix are exact wherever cublasDgemm's are.
 * Products of integers whose sums have at most 53 bits are exact, too, with any number of
 * levels, if every row and column has a norm of at most 2^54 in EXACT, 2^60 in MORE and 2^50 in
 * FEWER. Beyond that they may be rounded: a row 2^52, 1, ..., 1 times a column of 17 ones in
 * FEWER, or a row 2^60, 1, ..., 1 times a column 0, 1, ..., 1 in EXACT.
 *
 * SAFE counts the elements of each row and column by size. From that follows a lower bound of
 * the sum of the terms' magnitudes of each element of P. Elements for which it is too small are
 * computed again as sums of doubles, so that
 *
 *     |error of P(i, j)|  <=  (k + 1) 2^-53 sum over l of |op(A)(i, l) op(B)(l, j)|,
 *
 * plus 2^-1075 for each product in the subnormal range. An element of which a partial sum
 * overflows keeps EXACT's bound. Products of integers are exact if the magnitudes of each
 * element's terms add up to at most 2^53. Uniform and normally distributed numbers need no sums
 * of doubles from about k = 1500 on. Where many elements need them the product is slower than
 * cublasDgemm, since they are computed after the product of bytes: for example if half of op(A)
 * and half of op(B) are zeros, or if a factor is nearly diagonal. If all elements need them, it
 * takes 2.1 and 1.9 times as long as cublasDgemm of cuBLAS 13.1 at 4096 and 8192 on an H200
 * (docs/results/h200/23-wide.jsonl). On random numbers in [-1, 1) it takes 5.4 and 2.6 % longer
 * than EXACT there (23-passes.jsonl).
 *
 * Rows and columns with an infinity or a NaN give the infinities and NaNs that sums of doubles
 * give. Workspace, plans and captures are as in the float modes.
 *
 * Reproducible. Unless the plan is cuBLAS, P depends on op(A), op(B) and the mode alone, but a
 * row-major call exchanges op(A) and op(B), which may change bits. Every
 * run on any GPU of compute capability 8.0 or more gives the same bits, with any number of
 * levels, and also for a block of C that is computed separately, from all of k. On GPUs other
 * than 9.0, on 8.0, 8.6, 8.9, 10.0 and 12.0 for example, the instruction mma.sync multiplies
 * the bytes. Its bits were compared on the simulated GPU and on an H200; its speed was never
 * measured on such a GPU. So the library takes these modes there
 * only where a measurement found them faster: ladder_gemm_measure(), 20-tuner.
 * @param handle of ladder_gemm_create()
 * @param mode one of these five
 * @return 0; 2 if there is no such mode; LADDER_GEMM_UNSUPPORTED on a GPU without the methods,
 *         which need compute capability 8.0: the handle then multiplies as in
 *         LADDER_GEMM_DOUBLE, and ladder_gemm_message() says why
 */
int ladder_gemm_set_double_mode(ladder_gemm_t handle, int mode);

enum {
    LADDER_GEMM_DOUBLE = 0,
    LADDER_GEMM_DOUBLE_EXACT = 1,
    LADDER_GEMM_DOUBLE_MORE = 2,
    LADDER_GEMM_DOUBLE_FEWER = 3,
    LADDER_GEMM_DOUBLE_SAFE = 4
};

/** Sets whether the first product of a shape is measured. Measuring takes up to about as long
 * as 20 multiplications: see ladder_gemm_plan().
 * @param handle of ladder_gemm_create()
 * @param on 0 or 1; by default 1 with a tuning file and 0 without */
void ladder_gemm_measure(ladder_gemm_t handle, int on);

/**
 * Sets what the handle prints on stderr.
 * @param handle of ladder_gemm_create()
 * @param on 0, the default: nothing; 1: a line when too little workspace changes the plan; 2:
 *           also a line for every run while a plan is found
 */
void ladder_gemm_verbose(ladder_gemm_t handle, int on);

/* ---- For tuners and tests */

/** Sets the smallest edge of a leaf. Plans with smaller leaves are not considered.
 * @param handle of ladder_gemm_create()
 * @param edge elements, 1 or more; 128 by default */
void ladder_gemm_smallest_leaf(ladder_gemm_t handle, int edge);

/** Lists the plans that a float product of the shape could follow in the current math mode.
 * @param handle of ladder_gemm_create()
 * @param m rows of the product
 * @param n columns of the product
 * @param k inner dimension
 * @param plans gets at most `most` plans, "cublas" first
 * @param most 0 or more
 * @return how many plans there are in all */
int ladder_gemm_candidates(ladder_gemm_t handle, int m, int n, int k, struct ladder_plan *plans,
                           int most);

/** Makes all calls follow one plan.
 * @param handle of ladder_gemm_create()
 * @param plan one of ladder_gemm_candidates(); NULL: each call follows its own plan again
 * @return 0, or 2 if there is no such plan */
int ladder_gemm_force(ladder_gemm_t handle, const struct ladder_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
