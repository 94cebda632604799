/* SPDX-License-Identifier: MIT */
/** @file cublas_solve.cpp
 * cuBLAS's batches of small matrices: A = P L U with partial pivoting, inverses and solutions.
 */
#include "src/libraries/cublas.h"

#include <cmath>

namespace simgpu
{

namespace
{

/** Overwrites A, column-major n x n, with L and U. pivots[k], from 1, is the row with which row
 * k is exchanged; without pivots there is no exchange. Returns the number, from 1, of the first
 * zero on U's diagonal, or 0. */
template <class T> int factorise(int n, T *a, int lda, int *pivots)
{
    int singular = 0;
    for (int k = 0; k < n; k++) {
        T *column = a + (size_t)k * lda;
        int best = k;
        for (int i = k + 1; i < n && pivots; i++)
            if (std::fabs(column[i]) > std::fabs(column[best]))
                best = i;
        if (pivots)
            pivots[k] = best + 1;
        for (int j = 0; j < n && best != k; j++)
            std::swap(a[k + (size_t)j * lda], a[best + (size_t)j * lda]);
        if (column[k] == T(0)) {
            singular = singular ? singular : k + 1;
            continue;
        }
        for (int i = k + 1; i < n; i++)
            column[i] /= column[k];
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++)
                a[i + (size_t)j * lda] -= column[i] * a[k + (size_t)j * lda];
    }
    return singular;
}

/** Replaces x by the solution of A y = x, or of A^T y = x. */
template <class T>
void solve(bool transposed, int n, const T *lu, int lda, const int *pivots, T *x)
{
    auto exchange = [=](int k) {
        if (pivots)
            std::swap(x[k], x[pivots[k] - 1]);
    };
    /* The k-th equation of a triangle, whose other unknowns are known from `from` to `to`. */
    auto equation = [=](int k, int from, int to, bool unit) {
        for (int i = from; i < to; i++)
            x[k] -= (transposed ? lu[i + (size_t)k * lda] : lu[k + (size_t)i * lda]) * x[i];
        if (!unit)
            x[k] /= lu[k + (size_t)k * lda];
    };
    for (int k = 0; k < n && !transposed; k++)
        exchange(k);
    for (int k = 0; k < n; k++)
        equation(k, 0, k, !transposed);
    for (int k = n - 1; k >= 0; k--)
        equation(k, k + 1, n, transposed);
    for (int k = n - 1; k >= 0 && transposed; k--)
        exchange(k);
}

template <class T> Operand matrix(const char *name, const T *first, int n, int columns, int ld)
{
    return {name, first, n, columns, ld, sizeof(T), true, false};
}
Operand integers(const char *name, const int *first, int n)
{
    return {name, first, 1, first ? n : 0, 1, sizeof(int), true, false};
}
/** The call writes it, and reads it only if `read`. */
Operand result(Operand of, bool read = false)
{
    of.read = read, of.written = true;
    return of;
}

/** Calls one(i, the i-th matrix, its pivots) for a batch of n x n matrices. */
template <class T, class F>
cublasStatus_t each(const char *call, int n, T *const A[], int lda, const int *P, int count,
                    F one)
{
    if (n < 0 || lda < std::max(1, n))
        return invalid(call, format("n is %d and lda is %d; n cannot be negative, and lda must "
                                    "be at least n and 1",
                                    n, lda));
    if (!usable_pointers(call, "A", A, count))
        return failed();
    return batched(call, count, [&](int i) {
        return one(i, pointer_at(A, i), P ? P + (size_t)i * n : nullptr);
    });
}

template <class T>
cublasStatus_t getrf(const char *call, cublasHandle_t handle, int n, T *const A[], int lda,
                     int *P, int *info, int count)
{
    return each(call, n, A, lda, P, count, [=](int i, T *a, const int *pivots) {
        return compute_on(call, handle, false,
                          {result(matrix("A", a, n, n, lda), true),
                           result(integers("pivots", pivots, n)),
                           result(integers("info", info + i, 1))},
                          [=] { info[i] = factorise(n, a, lda, const_cast<int *>(pivots)); });
    });
}

template <class T>
cublasStatus_t getri(const char *call, cublasHandle_t handle, int n, const T *const A[],
                     int lda, const int *P, T *const C[], int ldc, int *info, int count)
{
    if (ldc < std::max(1, n) || !usable_pointers(call, "C", C, count))
        return ldc < std::max(1, n)
                   ? invalid(call, format("ldc is %d, and must be at least n = %d", ldc, n))
                   : failed();
    return each(call, n, A, lda, P, count, [=](int i, const T *a, const int *pivots) {
        T *c = pointer_at(C, i);
        auto compute = [=] {
            info[i] = 0;
            for (int k = n - 1; k >= 0; k--)
                if (a[k + (size_t)k * lda] == T(0))
                    info[i] = k + 1;
            for (int j = 0; j < n && !info[i]; j++) {
                T *x = c + (size_t)j * ldc;
                std::fill(x, x + n, T(0));
                x[j] = 1;
                solve(false, n, a, lda, pivots, x);
            }
        };
        return compute_on(call, handle, false,
                          {matrix("A", a, n, n, lda), integers("pivots", pivots, n),
                           result(matrix("C", c, n, n, ldc)),
                           result(integers("info", info + i, 1))},
                          compute);
    });
}

template <class T>
cublasStatus_t getrs(const char *call, cublasHandle_t handle, cublasOperation_t trans, int n,
                     int columns, const T *const A[], int lda, const int *P, T *const B[],
                     int ldb, int *info, int count)
{
    /* info is in the host's memory: the number of the argument that is wrong, negative. */
    *info = n < 0                  ? -2
            : columns < 0          ? -3
            : lda < std::max(1, n) ? -5
            : ldb < std::max(1, n) ? -8
                                   : 0;
    if (*info)
        return invalid(call, format("its argument %d is wrong", -*info));
    if (!usable_pointers(call, "B", B, count))
        return failed();
    return each(call, n, A, lda, P, count, [=](int i, const T *a, const int *pivots) {
        T *b = pointer_at(B, i);
        return compute_on(call, handle, false,
                          {matrix("A", a, n, n, lda), integers("pivots", pivots, n),
                           result(matrix("B", b, n, columns, ldb), true)},
                          [=] {
                              for (int j = 0; j < columns; j++)
                                  solve(trans != CUBLAS_OP_N, n, a, lda, pivots,
                                        b + (size_t)j * ldb);
                          });
    });
}

} // namespace

} // namespace simgpu

using namespace simgpu;

#define SIMGPU_SOLVE(letter, real)                                                             \
    cublasStatus_t cublas##letter##getrfBatched(SIMGPU_GETRF(real))                            \
    {                                                                                          \
        return getrf("cublas" #letter "getrfBatched", handle, n, A, lda, P, info, batchSize);  \
    }                                                                                          \
    cublasStatus_t cublas##letter##getriBatched(SIMGPU_GETRI(real))                            \
    {                                                                                          \
        return getri("cublas" #letter "getriBatched", handle, n, A, lda, P, C, ldc, info,      \
                     batchSize);                                                               \
    }                                                                                          \
    cublasStatus_t cublas##letter##getrsBatched(SIMGPU_GETRS(real))                            \
    {                                                                                          \
        return getrs("cublas" #letter "getrsBatched", handle, trans, n, nrhs, A, lda, P, B,    \
                     ldb, info, batchSize);                                                    \
    }
SIMGPU_SOLVE(S, float)
SIMGPU_SOLVE(D, double)
