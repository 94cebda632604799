/* SPDX-License-Identifier: MIT */
/** @file cublas_vectors.cpp
 * cuBLAS on vectors (level 1), by plain loops. Sums are double.
 */
#include "cublas.h"

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

    int distance() const { return step < 0 ? -step : step; }
    T &operator[](int i) const
    {
        return first[(ptrdiff_t)(step < 0 ? n - 1 - i : i) * distance()];
    }
    bool usable(const char *call) const
    {
        return simgpu::usable(call, name, first, 1, n, distance(), sizeof(T), read);
    }
    void touch(TouchedBytes &touched, bool write) const
    {
        touched.add(write, first, distance() * sizeof(T), sizeof(T), (size_t)n);
    }
    void mark() const
    {
        if (distance() == 1)
            mark_matrix(first, n, 1, n);
        else
            mark_matrix(first, 1, n, distance());
    }
};

/** Runs compute() on vectors that are read, and on one that is written, too; or captures it. */
template <class F, class W, class... R>
cublasStatus_t on_vectors(const char *call, cublasHandle_t handle, bool result, F compute,
                          const W &written, const R &...read)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (device_error() != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    cublasContext then = *handle;
    if (into_graph(capture_of(handle->stream), 0 /* cudaGraphNodeTypeKernel */,
                   [=](cudaStream_t stream) {
                       cublasContext now = then;
                       now.stream = stream;
                       return on_vectors(call, &now, result, compute, written, read...)
                                  ? cudaErrorUnknown
                                  : cudaSuccess;
                   }))
        return CUBLAS_STATUS_SUCCESS;
    if (written.n > 0 && !(written.usable(call) && (read.usable(call) && ...)))
        return failed();
    if (order_watched) {
        TouchedBytes touched;
        written.touch(touched, !result);
        (read.touch(touched, false), ...);
        order_operation(call, order_index(handle->stream), std::move(touched), result);
    }
    ArenaAccess access;
    library_calls++;
    compute();
    if (!result)
        written.mark();
    faults_print();
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t axpy(const char *call, cublasHandle_t handle, T alpha, Vector<const T> x,
                    Vector<T> y)
{
    return on_vectors(
        call, handle, false,
        [=] {
            for (int i = 0; i < x.n; i++)
                y[i] += alpha * x[i];
        },
        y, x);
}

/** y = alpha x, where both may be one vector. */
template <class T>
cublasStatus_t scale(const char *call, cublasHandle_t handle, T alpha, Vector<const T> x,
                     Vector<T> y)
{
    return on_vectors(
        call, handle, false,
        [=] {
            for (int i = 0; i < x.n; i++)
                y[i] = alpha * x[i];
        },
        y, x);
}

template <class T>
cublasStatus_t swap(const char *call, cublasHandle_t handle, Vector<T> x, Vector<T> y)
{
    cublasStatus_t status = on_vectors(
        call, handle, false,
        [=] {
            for (int i = 0; i < x.n; i++)
                std::swap(x[i], y[i]);
        },
        y, x);
    x.mark();
    return status;
}

/** The sum of term(i). */
template <class T, class F, class... R>
cublasStatus_t sum(const char *call, cublasHandle_t handle, T *result, F term,
                   Vector<const T> x, R... more)
{
    return on_vectors(
        call, handle, true,
        [=] {
            double total = 0;
            for (int i = 0; i < x.n; i++)
                total += term(i);
            *result = (T)total;
        },
        x, more...);
}

/** The number, from 1, of the first element than which none is better; 0 if there is none. */
template <class T, class F>
cublasStatus_t best(const char *call, cublasHandle_t handle, int *result, F better,
                    Vector<const T> x)
{
    return on_vectors(
        call, handle, true,
        [=] {
            int at = 0;
            for (int i = 1; i < x.n; i++)
                if (better(std::fabs(x[i]), std::fabs(x[at])))
                    at = i;
            *result = x.n > 0 ? at + 1 : 0;
        },
        x);
}

} // namespace

} // namespace simgpu

using namespace simgpu;

#define SIMGPU_CUBLAS(letter, small, real)                                                     \
    cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const real *alpha,       \
                                        const real *x, int incx, real *y, int incy)            \
    {                                                                                          \
        return axpy<real>("cublas" #letter "axpy", handle, *alpha, {"x", x, n, incx},          \
                          {"y", y, n, incy});                                                  \
    }                                                                                          \
    cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const real *alpha,       \
                                        real *x, int incx)                                     \
    {                                                                                          \
        return scale<real>("cublas" #letter "scal", handle, *alpha, {"x", x, n, incx},         \
                           {"x", x, n, incx});                                                 \
    }                                                                                          \
    cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const real *x, int incx, \
                                        real *y, int incy)                                     \
    {                                                                                          \
        return scale<real>("cublas" #letter "copy", handle, 1, {"x", x, n, incx},              \
                           {"y", y, n, incy, false});                                          \
    }                                                                                          \
    cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, real *x, int incx,       \
                                        real *y, int incy)                                     \
    {                                                                                          \
        return swap<real>("cublas" #letter "swap", handle, {"x", x, n, incx},                  \
                          {"y", y, n, incy});                                                  \
    }                                                                                          \
    cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const real *x, int incx,  \
                                       const real *y, int incy, real *result)                  \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx}, v{"y", y, n, incy};                             \
        return sum(                                                                            \
            "cublas" #letter "dot", handle, result,                                            \
            [=](int i) { return (double)u[i] * v[i]; }, u, v);                                 \
    }                                                                                          \
    cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const real *x, int incx, \
                                        real *result)                                          \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx};                                                 \
        cublasStatus_t status = sum(                                                           \
            "cublas" #letter "nrm2", handle, result,                                           \
            [=](int i) { return (double)u[i] * u[i]; }, u);                                    \
        if (status == CUBLAS_STATUS_SUCCESS)                                                   \
            *result = std::sqrt(*result);                                                      \
        return status;                                                                         \
    }                                                                                          \
    cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const real *x, int incx, \
                                        real *result)                                          \
    {                                                                                          \
        Vector<const real> u{"x", x, n, incx};                                                 \
        return sum(                                                                            \
            "cublas" #letter "asum", handle, result,                                           \
            [=](int i) { return (double)std::fabs(u[i]); }, u);                                \
    }                                                                                          \
    cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const real *x, int incx, \
                                        int *result)                                           \
    {                                                                                          \
        return best<real>("cublasI" #small "amax", handle, result,                             \
                          [](real a, real b) { return a > b; }, {"x", x, n, incx});            \
    }                                                                                          \
    cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const real *x, int incx, \
                                        int *result)                                           \
    {                                                                                          \
        return best<real>("cublasI" #small "amin", handle, result,                             \
                          [](real a, real b) { return a < b; }, {"x", x, n, incx});            \
    }
SIMGPU_CUBLAS(S, s, float)
SIMGPU_CUBLAS(D, d, double)
#undef SIMGPU_CUBLAS
