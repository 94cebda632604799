/* SPDX-License-Identifier: MIT */
/** @file preload.c
 * libladder_gemm_preload.so: speeds up programs that call cuBLAS, without changing the
 * programs.
 *
 *     LD_PRELOAD=libladder_gemm_preload.so program ...
 *
 * It replaces cublasSgemm, cublasDgemm, cublasZgemm, cublasDsyrk, cublasSgemmStridedBatched,
 * and cublasGemmEx for plain float and double, and their forms with 64-bit arguments. Calls in
 * a math mode or compute type that allows less than float, asks for emulation or is pedantic go
 * to cuBLAS unchanged. If a product fails after it has begun, C may be partly overwritten, so
 * the call returns an error and cuBLAS does not run. Products of cublasLtMatmul go to cublasLt;
 * their number is reported at exit.
 *
 * Environment variables:
 * - LADDER_GEMM_PLANS=FILE: the tuning file; the plan of each new shape is written to it
 *   (default: nothing is measured; a shape follows the plan of the nearest known one)
 * - LADDER_GEMM_WORKSPACE=M: at most M MiB of workspace on each GPU (default: a third of its
 *   memory). The cuBLAS handles in use share it equally; a handle that has not multiplied
 * during the last 1000 products gives up its share
 * - LADDER_GEMM_LEVELS=L: at most L levels; each costs accuracy (default 6)
 * - LADDER_GEMM_ACCURATE=0: Winograd's sums, some percent faster, with larger errors; see
 *   ladder_gemm_set_accurate()
 * - LADDER_GEMM_TENSOR=M: float products on tensor cores: 1 splits into two halves; 2 into a
 *   half and two bytes, which is faster. ladder_gemm_set_math_mode() states the errors. Double
 *   products: 1, 2, 3 and 4 are SAFE, FEWER, MORE and EXACT of ladder_gemm_set_double_mode().
 *   5: REPRODUCIBLE for floats, EXACT for doubles. Default: 0
 * - LADDER_GEMM_SMALLEST=N: products with an edge below N go to cuBLAS (default 1024)
 * - LADDER_GEMM_OFF=1: every product goes to cuBLAS
 * - LADDER_GEMM_QUIET=1: no line at exit
 *
 * The library contains no cuBLAS: all its calls, too, go to the cuBLAS that the program has
 * loaded.
 */
#define _GNU_SOURCE
#include <cublasLt.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sizes.h"
#include "steps/20-library/library.h"

static bool is_library(const struct dl_phdr_info *info, const char *begin)
{
    const char *name = strrchr(info->dlpi_name, '/');
    return strncmp(name ? name + 1 : info->dlpi_name, begin, strlen(begin)) == 0;
}

/* Finds the path of the cuBLAS, or cublasLt, that the program has loaded: `path` begins with
   the library's name. */
static int find_library(struct dl_phdr_info *info, size_t size, void *path)
{
    (void)size;
    if (!is_library(info, path))
        return 0;
    snprintf(path, 4096, "%s", info->dlpi_name);
    return 1;
}

/* Finds a function of the loaded cuBLAS or cublasLt, and writes its address to the pointer at
   `function` if that is NULL. */
static void look_up(const char *name, void *function)
{
    void *found;
    memcpy(&found, function, sizeof found);
    if (found)
        return;
    found = dlsym(RTLD_NEXT, name);
    char path[4096] = "libcublas.so";
    if (strncmp(name, "cublasLt", 8) == 0)
        strcpy(path, "libcublasLt.so");
    if (!found && dl_iterate_phdr(find_library, path)) {
        void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
        found = library ? dlsym(library, name) : NULL;
    }
    if (!found) {
        fprintf(stderr, "libladder_gemm_preload.so: %s is not loaded\n", name);
        abort();
    }
    memcpy(function, &found, sizeof found);
}

/* The function of this name in the loaded cuBLAS, which is looked up once. A macro, because
   each function has another type. */
#define REAL(name)                                                                             \
    ({                                                                                         \
        static __typeof__(name) *real;                                                         \
        look_up(#name, &real);                                                                 \
        real;                                                                                  \
    })

/* The library's own calls of cuBLAS come here, too. These functions are not exported. */
cublasStatus_t cublasCreate_v2(cublasHandle_t *h) { return REAL(cublasCreate_v2)(h); }

cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version)
{
    return REAL(cublasGetVersion_v2)(h, version);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t stream)
{
    return REAL(cublasSetStream_v2)(h, stream);
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t h, cudaStream_t *stream)
{
    return REAL(cublasGetStream_v2)(h, stream);
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *workspace, size_t bytes)
{
    return REAL(cublasSetWorkspace_v2)(h, workspace, bytes);
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t mode)
{
    return REAL(cublasSetPointerMode_v2)(h, mode);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t *mode)
{
    return REAL(cublasGetPointerMode_v2)(h, mode);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t h, cublasMath_t *mode)
{
    return REAL(cublasGetMathMode)(h, mode);
}

cublasStatus_t cublasSgeam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                           int n, const float *alpha, const float *a, int lda,
                           const float *beta, const float *b, int ldb, float *c, int ldc)
{
    return REAL(cublasSgeam)(h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}

cublasStatus_t cublasDgeam(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                           int n, const double *alpha, const double *a, int lda,
                           const double *beta, const double *b, int ldb, double *c, int ldc)
{
    return REAL(cublasDgeam)(h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}

cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta,
                                         cublasOperation_t tb, int m, int n, int k,
                                         const double *alpha, const double *a, int lda,
                                         long long sa, const double *b, int ldb, long long sb,
                                         const double *beta, double *c, int ldc, long long sc,
                                         int count)
{
    return REAL(cublasDgemmStridedBatched)(h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb,
                                           beta, c, ldc, sc, count);
}

cublasStatus_t cublasDgemmStridedBatched_64(cublasHandle_t h, cublasOperation_t ta,
                                            cublasOperation_t tb, int64_t m, int64_t n,
                                            int64_t k, const double *alpha, const double *a,
                                            int64_t lda, long long sa, const double *b,
                                            int64_t ldb, long long sb, const double *beta,
                                            double *c, int64_t ldc, long long sc, int64_t count)
{
    return REAL(cublasDgemmStridedBatched_64)(h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb,
                                              beta, c, ldc, sc, count);
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    (void)status;
    return "cuBLAS failed";
}

/* ---- What is taken over ---- */

/* One handle of ours for each of the program's handles and devices. */
struct handle_pair {
    cublasHandle_t cublas;
    int device;
    bool busy;
    ladder_gemm_t gemm; /* NULL after a failure */
    long next_try;      /* the number of the call that tries again to make it */
    long last_call;
    size_t memory, limit; /* that all handles of the device may hold, and this one; bytes */
};
enum { CALLS_BETWEEN_TRIES = 64, IDLE_CALLS = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handle_pair *pairs;
static size_t pair_count;
static long calls, taken, planned, by_cublaslt;
static __thread bool inside; /* while the library itself calls cuBLAS */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : otherwise;
}

/* Prints a line, once per program. */
static void say_once(bool *said, const char *what, const char *why)
{
    if (!*said)
        fprintf(stderr, "libladder_gemm_preload.so: %s: %s\n", what, why);
    *said = true;
}

static void no_partner(const char *why)
{
    static bool said;
    say_once(&said, "cuBLAS computes all products", why);
}

/* Makes the partner of a handle, as the environment variables say. */
static void make_partner(struct handle_pair *pair)
{
    static bool said;
    if (ladder_gemm_create(&pair->gemm, getenv("LADDER_GEMM_PLANS"))) {
        no_partner(ladder_gemm_message(NULL));
        return;
    }
    ladder_gemm_t gemm = pair->gemm;
    ladder_gemm_most_levels(gemm, (int)setting("LADDER_GEMM_LEVELS", 6));
    ladder_gemm_set_accurate(gemm, setting("LADDER_GEMM_ACCURATE", 1) != 0);
    size_t unused = 0, memory = 0;
    long mebibytes = setting("LADDER_GEMM_WORKSPACE", 0);
    pair->memory = pair->limit = SIZE_MAX;
    if (mebibytes > 0)
        pair->memory = (size_t)mebibytes << 20;
    else if (cudaMemGetInfo(&unused, &memory) == cudaSuccess)
        pair->memory = memory / 3;
    enum { MOST_SETTING = 5 };
    long asked = setting("LADDER_GEMM_TENSOR", 0);
    int status = asked < 0 || asked > MOST_SETTING ? 2 : 0;
    for (int i = 0; !status && ladder_added[i]; i++)
        if (ladder_added[i]->settings >> asked & 1)
            status = (ladder_added[i]->wide
                          ? ladder_gemm_set_double_mode
                          : ladder_gemm_set_math_mode)(gemm, ladder_added[i]->math);
    if (status)
        say_once(&said, "LADDER_GEMM_TENSOR",
                 status == 2 ? "it takes a number from 0 to 5" : ladder_gemm_message(gemm));
}

static void limit(struct handle_pair *pair, size_t bytes)
{
    if (pair->limit != bytes && !pair->busy)
        ladder_gemm_limit_workspace(pair->gemm, bytes), pair->limit = bytes;
}

/* Divides a device's memory for workspace among the handles in use. Handles that are not in use
   free theirs, and so do those that hold more than their share; a busy one does so in its next
   call. */
static void share_memory(const struct handle_pair *with)
{
    size_t sharing = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < pair_count; i++) {
            struct handle_pair *pair = &pairs[i];
            bool idle = !pair->busy && calls - pair->last_call > IDLE_CALLS;
            if (!pair->gemm || pair->device != with->device)
                continue;
            if (!pass)
                sharing += !idle;
            else
                limit(pair, idle ? 0 : with->memory / sharing);
        }
}

/* Finds or makes the pair of a handle and a device. NULL if there is no memory. */
static struct handle_pair *pair_of(cublasHandle_t cublas, int device)
{
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].cublas == cublas && pairs[i].device == device)
            return &pairs[i];
    struct handle_pair *more = realloc(pairs, (pair_count + 1) * sizeof *pairs);
    if (!more)
        return NULL;
    pairs = more;
    pairs[pair_count] = (struct handle_pair){.cublas = cublas, .device = device};
    return &pairs[pair_count++];
}

/* Reserves the partner of the program's handle until is_done(); NULL if there is none. No
   partner is made while the stream is captured, since that would end the capture. */
static ladder_gemm_t borrow(cublasHandle_t cublas, cudaStream_t stream)
{
    int device = 0;
    cudaError_t status = cudaGetDevice(&device);
    pthread_mutex_lock(&lock);
    if (status != cudaSuccess) {
        no_partner(cudaGetErrorString(status));
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    struct handle_pair *found = pair_of(cublas, device);
    if (found && !found->gemm && calls >= found->next_try && !is_capturing(stream)) {
        found->next_try = calls + CALLS_BETWEEN_TRIES;
        make_partner(found);
    }
    ladder_gemm_t gemm = found && !found->busy ? found->gemm : NULL;
    if (gemm) {
        found->last_call = calls;
        share_memory(found);
        found->busy = true;
    }
    pthread_mutex_unlock(&lock);
    return gemm;
}

/* Destroys the partners of a handle that the program destroys. */
static void end_partners(cublasHandle_t cublas)
{
    size_t kept = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].cublas == cublas)
            ladder_gemm_destroy(pairs[i].gemm);
        else
            pairs[kept++] = pairs[i];
    pair_count = kept;
    pthread_mutex_unlock(&lock);
}

/* Gives a partner back after its product. Returns true if the program's call returns, with the
   status `end`. If an argument is wrong it returns false: nothing was computed, and cuBLAS
   reports the argument. After any other failure C may be partly overwritten, so cuBLAS must not
   apply beta again. */
static bool is_done(ladder_gemm_t gemm, int status, cublasStatus_t *end)
{
    static bool failed;
    struct ladder_done done = ladder_gemm_last(gemm);
    *end = status == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
    pthread_mutex_lock(&lock);
    if (status < 0)
        say_once(&failed, "a product failed", ladder_gemm_message(gemm));
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].gemm == gemm)
            pairs[i].busy = false;
    taken += status == 0 && (strcmp(done.ran.variant, "cublas") != 0 || done.workspace_bytes);
    planned += status == 0 && done.measured;
    pthread_mutex_unlock(&lock);
    inside = false;
    return status <= 0;
}

/* Whether this product is in full float or double, and large enough to gain from the library.
 */
static bool is_wanted(cublasHandle_t cublas, int m, int n, int k)
{
    cublasMath_t mode = CUBLAS_DEFAULT_MATH;
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
    return smaller(smaller(m, n), k) >= setting("LADDER_GEMM_SMALLEST", 1024) &&
           !setting("LADDER_GEMM_OFF", 0) &&
           cublasGetMathMode(cublas, &mode) == CUBLAS_STATUS_SUCCESS &&
           (mode == CUBLAS_DEFAULT_MATH ||
            mode == CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
}

/* The partner, set to the handle's stream and pointer mode; NULL if cuBLAS takes the call. The
   library's own calls go to cuBLAS until is_done(). */
static ladder_gemm_t partner(cublasHandle_t cublas, int m, int n, int k)
{
    cudaStream_t stream = NULL;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
    if (inside || !is_wanted(cublas, m, n, k) ||
        cublasGetStream_v2(cublas, &stream) != CUBLAS_STATUS_SUCCESS ||
        cublasGetPointerMode_v2(cublas, &pointers) != CUBLAS_STATUS_SUCCESS)
        return NULL;
    inside = true;
    ladder_gemm_t gemm = borrow(cublas, stream);
    inside = gemm != NULL;
    if (gemm) {
        ladder_gemm_set_stream(gemm, stream);
        ladder_gemm_device_scalars(gemm, pointers == CUBLAS_POINTER_MODE_DEVICE);
    }
    return gemm;
}

/* Returns whether the library has done this product; then the call ends with the status `end`.
 */
static bool take_over_float(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                            int n, int k, const float *alpha, const float *a, int lda,
                            const float *b, int ldb, const float *beta, float *c, int ldc,
                            cublasStatus_t *end)
{
    ladder_gemm_t gemm = partner(h, m, n, k);
    return gemm &&
           is_done(gemm,
                   ladder_sgemm(gemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),
                   end);
}

/* The same in double. */
static bool take_over_double(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                             int m, int n, int k, const double *alpha, const double *a, int lda,
                             const double *b, int ldb, const double *beta, double *c, int ldc,
                             cublasStatus_t *end)
{
    ladder_gemm_t gemm = partner(h, m, n, k);
    return gemm &&
           is_done(gemm,
                   ladder_dgemm(gemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),
                   end);
}

cublasStatus_t cublasSgemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                              int m, int n, int k, const float *alpha, const float *a, int lda,
                              const float *b, int ldb, const float *beta, float *c, int ldc)
{
    cublasStatus_t end;
    if (take_over_float(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &end))
        return end;
    return REAL(cublasSgemm_v2)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                              int m, int n, int k, const double *alpha, const double *a,
                              int lda, const double *b, int ldb, const double *beta, double *c,
                              int ldc)
{
    cublasStatus_t end;
    if (take_over_double(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &end))
        return end;
    return REAL(cublasDgemm_v2)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasZgemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                              int m, int n, int k, const cuDoubleComplex *alpha,
                              const cuDoubleComplex *a, int lda, const cuDoubleComplex *b,
                              int ldb, const cuDoubleComplex *beta, cuDoubleComplex *c, int ldc)
{
    ladder_gemm_t gemm = partner(h, m, n, k);
    cublasStatus_t end;
    if (gemm &&
        is_done(gemm, ladder_zgemm(gemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc),
                &end))
        return end;
    return REAL(cublasZgemm_v2)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasDsyrk_v2(cublasHandle_t h, cublasFillMode_t uplo, cublasOperation_t trans,
                              int n, int k, const double *alpha, const double *a, int lda,
                              const double *beta, double *c, int ldc)
{
    ladder_gemm_t gemm = partner(h, n, n, k);
    cublasStatus_t end;
    if (gemm &&
        is_done(gemm, ladder_dsyrk(gemm, uplo, trans, n, k, alpha, a, lda, beta, c, ldc), &end))
        return end;
    return REAL(cublasDsyrk_v2)(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta,
                                         cublasOperation_t tb, int m, int n, int k,
                                         const float *alpha, const float *a, int lda,
                                         long long stride_a, const float *b, int ldb,
                                         long long stride_b, const float *beta, float *c,
                                         int ldc, long long stride_c, int count)
{
    ladder_gemm_t gemm = count > 0 ? partner(h, m, n, k) : NULL;
    cublasStatus_t end;
    if (gemm &&
        is_done(gemm,
                ladder_sgemm_strided_batched(gemm, ta, tb, m, n, k, alpha, a, lda, stride_a, b,
                                             ldb, stride_b, beta, c, ldc, stride_c, count),
                &end))
        return end;
    return REAL(cublasSgemmStridedBatched)(h, ta, tb, m, n, k, alpha, a, lda, stride_a, b, ldb,
                                           stride_b, beta, c, ldc, stride_c, count);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t h)
{
    if (!inside) {
        inside = true; /* the partners have handles of cuBLAS, too */
        end_partners(h);
        inside = false;
    }
    return REAL(cublasDestroy_v2)(h);
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
                            int n, int k, const void *alpha, const void *a,
                            cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c,
                            cudaDataType_t c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    cublasStatus_t end;
    bool all_float = a_type == CUDA_R_32F && b_type == CUDA_R_32F && c_type == CUDA_R_32F;
    if (all_float && compute == CUBLAS_COMPUTE_32F &&
        take_over_float(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &end))
        return end;
    bool all_double = a_type == CUDA_R_64F && b_type == CUDA_R_64F && c_type == CUDA_R_64F;
    if (all_double && compute == CUBLAS_COMPUTE_64F &&
        take_over_double(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, &end))
        return end;
    return REAL(cublasGemmEx)(h, ta, tb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta,
                              c, c_type, ldc, compute, algorithm);
}

/* The forms with 64-bit arguments: taken over if all of them fit into an int. */
static bool fits(int64_t x) { return x >= INT_MIN && x <= INT_MAX; }

static bool all_fit(int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc)
{
    return fits(m) && fits(n) && fits(k) && fits(lda) && fits(ldb) && fits(ldc);
}

cublasStatus_t cublasSgemm_v2_64(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                 int64_t m, int64_t n, int64_t k, const float *alpha,
                                 const float *a, int64_t lda, const float *b, int64_t ldb,
                                 const float *beta, float *c, int64_t ldc)
{
    if (all_fit(m, n, k, lda, ldb, ldc))
        return cublasSgemm_v2(h, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda, b,
                              (int)ldb, beta, c, (int)ldc);
    return REAL(cublasSgemm_v2_64)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasDgemm_v2_64(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                 int64_t m, int64_t n, int64_t k, const double *alpha,
                                 const double *a, int64_t lda, const double *b, int64_t ldb,
                                 const double *beta, double *c, int64_t ldc)
{
    if (all_fit(m, n, k, lda, ldb, ldc))
        return cublasDgemm_v2(h, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda, b,
                              (int)ldb, beta, c, (int)ldc);
    return REAL(cublasDgemm_v2_64)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasZgemm_v2_64(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                 int64_t m, int64_t n, int64_t k, const cuDoubleComplex *alpha,
                                 const cuDoubleComplex *a, int64_t lda,
                                 const cuDoubleComplex *b, int64_t ldb,
                                 const cuDoubleComplex *beta, cuDoubleComplex *c, int64_t ldc)
{
    if (all_fit(m, n, k, lda, ldb, ldc))
        return cublasZgemm_v2(h, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda, b,
                              (int)ldb, beta, c, (int)ldc);
    return REAL(cublasZgemm_v2_64)(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

cublasStatus_t cublasDsyrk_v2_64(cublasHandle_t h, cublasFillMode_t uplo,
                                 cublasOperation_t trans, int64_t n, int64_t k,
                                 const double *alpha, const double *a, int64_t lda,
                                 const double *beta, double *c, int64_t ldc)
{
    if (all_fit(n, n, k, lda, lda, ldc))
        return cublasDsyrk_v2(h, uplo, trans, (int)n, (int)k, alpha, a, (int)lda, beta, c,
                              (int)ldc);
    return REAL(cublasDsyrk_v2_64)(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
}

cublasStatus_t cublasSgemmStridedBatched_64(cublasHandle_t h, cublasOperation_t ta,
                                            cublasOperation_t tb, int64_t m, int64_t n,
                                            int64_t k, const float *alpha, const float *a,
                                            int64_t lda, long long stride_a, const float *b,
                                            int64_t ldb, long long stride_b, const float *beta,
                                            float *c, int64_t ldc, long long stride_c,
                                            int64_t count)
{
    if (all_fit(m, n, k, lda, ldb, ldc) && fits(count))
        return cublasSgemmStridedBatched(h, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda,
                                         stride_a, b, (int)ldb, stride_b, beta, c, (int)ldc,
                                         stride_c, (int)count);
    return REAL(cublasSgemmStridedBatched_64)(h, ta, tb, m, n, k, alpha, a, lda, stride_a, b,
                                              ldb, stride_b, beta, c, ldc, stride_c, count);
}

cublasStatus_t cublasGemmEx_64(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                               int64_t m, int64_t n, int64_t k, const void *alpha,
                               const void *a, cudaDataType_t a_type, int64_t lda, const void *b,
                               cudaDataType_t b_type, int64_t ldb, const void *beta, void *c,
                               cudaDataType_t c_type, int64_t ldc, cublasComputeType_t compute,
                               cublasGemmAlgo_t algorithm)
{
    if (all_fit(m, n, k, lda, ldb, ldc))
        return cublasGemmEx(h, ta, tb, (int)m, (int)n, (int)k, alpha, a, a_type, (int)lda, b,
                            b_type, (int)ldb, beta, c, c_type, (int)ldc, compute, algorithm);
    return REAL(cublasGemmEx_64)(h, ta, tb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb,
                                 beta, c, c_type, ldc, compute, algorithm);
}

/* Whether an address is in cuBLAS. */
static int contains(struct dl_phdr_info *info, size_t size, void *address)
{
    (void)size;
    for (int i = 0; is_library(info, "libcublas.so") && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            (uintptr_t)address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr <
                info->dlpi_phdr[i].p_memsz)
            return 1;
    return 0;
}

/* Counts the program's calls of cublasLtMatmul, without those that cuBLAS itself makes. The
   library has no counterpart for their layouts, types and epilogues. */
cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t product,
                              const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout,
                              const void *b, cublasLtMatrixLayout_t b_layout, const void *beta,
                              const void *c, cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t bytes, cudaStream_t stream)
{
    bool is_cublas = dl_iterate_phdr(contains, __builtin_return_address(0));
    pthread_mutex_lock(&lock);
    by_cublaslt += !is_cublas;
    pthread_mutex_unlock(&lock);
    return REAL(cublasLtMatmul)(h, product, alpha, a, a_layout, b, b_layout, beta, c, c_layout,
                                d, d_layout, algorithm, workspace, bytes, stream);
}

static void __attribute__((destructor)) say_what_was_done(void)
{
    if (setting("LADDER_GEMM_QUIET", 0))
        return;
    fprintf(stderr, "libladder_gemm_preload.so: %ld of %ld products taken over, %ld planned",
            taken, calls, planned);
    if (by_cublaslt)
        fprintf(stderr, "; %ld by cublasLt, none of them taken over", by_cublaslt);
    fprintf(stderr, "\n");
}
