/* SPDX-License-Identifier: MIT */
/** @file cublas_vectors.cpp
 * cuBLAS on vectors (level 1), by plain loops. Sums are double.
 */
#include "src/libraries/cublas.h"

#include <cmath>

namespace simgpu
{

namespace
{

/** A vector of a call: n elements, `step` apart. A negative step begins at the last one. */
template <class T> struct Vector {
    const char *name;
    T *first;
    int n, step;
    bool read = true;

    Operand operand(bool written = false) const
    {
        return {name, first, 1, n, std::abs(step), sizeof(T), read, written};
    }
    T &operator[](int i) const
    {
        return first[step < 0 ? (i - n + 1) * (ptrdiff_t)step : i * (ptrdiff_t)step];
    }
};

/** y = f(x, y), element by element, where both may be one vector. */
template <class T, class F>
cublasStatus_t change(const char *call, cublasHandle_t handle, Vector<const T> x, Vector<T> y,
                      F f)
{
    return compute_on(call, handle, false, {y.operand(true), x.operand()}, [=] {
        for (int i = 0; i < x.n; i++)
            y[i] = f(x[i], y[i]);
    });
}

/** The sum of term(i). */
template <class T, class F, class... R>
cublasStatus_t sum(const char *call, cublasHandle_t handle, T *result, F term,
                   Vector<const T> x, R... more)
{
    return compute_on(call, handle, true, {x.operand(), more.operand()...}, [=] {
        double total = 0;
        for (int i = 0; i < x.n; i++)
            total += term(i);
        *result = (T)total;
    });
}

/** The number, from 1, of the first element than which none is better; 0 if there is none. */
template <class T, class F>
cublasStatus_t best(const char *call, cublasHandle_t handle, int *result, F better,
                    Vector<const T> x)
{
    return compute_on(call, handle, true, {x.operand()}, [=] {
        int at = 0;
        for (int i = 1; i < x.n; i++)
            if (better(std::fabs(x[i]), std::fabs(x[at])))
                at = i;
        *result = x.n > 0 ? at + 1 : 0;
    });
}

} // namespace

} // namespace simgpu

using namespace simgpu;

#define SIMGPU_CUBLAS(letter, small, real)                                                     \
    cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const real *alpha,       \
                                        const real *x, int incx, real *y, int incy)            \
    {                                                                                          \
        return change<real>("cublas" #letter "axpy", handle, {"x", x, n, incx},                \
                            {"y", y, n, incy},                                                 \
                            [a = *alpha](real u, real v) { return v + a * u; });               \
    }                                                                                          \
    cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const real *alpha,       \
                                        real *x, int incx)                                     \
    {                                                                                          \
        return change<real>("cublas" #letter "scal", handle, {"x", x, n, incx},                \
                            {"x", x, n, incx}, [a = *alpha](real u, real) { return a * u; });  \
    }                                                                                          \
    cublasStatus_t cublas##letter##copy(SIMGPU_X(real), real *y, int incy)                     \
    {                                                                                          \
        return change<real>("cublas" #letter "copy", handle, {"x", x, n, incx},                \
                            {"y", y, n, incy, false}, [](real u, real) { return u; });         \
    }                                                                                          \
    cublasStatus_t cublas##letter##dot(SIMGPU_X(real), const real *y, int incy, real *result)  \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx}, v{"y", y, n, incy};                             \
        return sum(                                                                            \
            "cublas" #letter "dot", handle, result,                                            \
            [=](int i) { return (double)u[i] * v[i]; }, u, v);                                 \
    }                                                                                          \
    cublasStatus_t cublas##letter##nrm2(SIMGPU_X(real), real *result)                          \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx};                                                 \
        cublasStatus_t status = sum(                                                           \
            "cublas" #letter "nrm2", handle, result,                                           \
            [=](int i) { return (double)u[i] * u[i]; }, u);                                    \
        if (status == CUBLAS_STATUS_SUCCESS)                                                   \
            *result = std::sqrt(*result);                                                      \
        return status;                                                                         \
    }                                                                                          \
    cublasStatus_t cublas##letter##asum(SIMGPU_X(real), real *result)                          \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx};                                                 \
        return sum(                                                                            \
            "cublas" #letter "asum", handle, result,                                           \
            [=](int i) { return (double)std::fabs(u[i]); }, u);                                \
    }                                                                                          \
    cublasStatus_t cublasI##small##amax(SIMGPU_X(real), int *result)                           \
    {                                                                                          \
        return best<real>("cublasI" #small "amax", handle, result,                             \
                          [](real a, real b) { return a > b; }, {"x", x, n, incx});            \
    }
SIMGPU_CUBLAS(S, s, float)
SIMGPU_CUBLAS(D, d, double)
#undef SIMGPU_CUBLAS
