/* SPDX-License-Identifier: MIT */
/** @file cublas.cpp
 * The part of cuBLAS that is simulated. OpenBLAS, loaded when the first handle is created,
 * computes the products; without it, plain loops do. Products on tensor cores (halves, TF32)
 * are loops that cut off their sums, as tensor cores do. Nothing is counted.
 */
#include "src/libraries/cublas.h"

#include "include/simgpu/device/half_bits.h"

#include <complex>
#include <dlfcn.h>

namespace simgpu
{

namespace
{

enum { cblas_column_major = 102, cblas_no_transpose = 111, cblas_transpose = 112 };

template <class T>
using Gemm = void (*)(int order, int transa, int transb, int m, int n, int k, T alpha,
                      const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc);

struct Blas {
    Gemm<float> sgemm = nullptr;
    Gemm<double> dgemm = nullptr;
    std::string name = "plain loops";

    Blas()
    {
        /* OpenBLAS takes a processor newer than itself for a very old one, because it knows
         * them by model. Choose by the processor's instruction sets. */
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
            setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
        else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            setenv("OPENBLAS_CORETYPE", "Haswell", 0);
#endif
        const char *chosen = getenv("SIMGPU_OPENBLAS"); /* another library, or "none" */
        void *library = dlopen(chosen ? chosen : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        auto s = reinterpret_cast<Gemm<float>>(dlsym(library, "cblas_sgemm"));
        auto d = reinterpret_cast<Gemm<double>>(dlsym(library, "cblas_dgemm"));
        if (!s || !d)
            return;
        sgemm = s, dgemm = d;
        auto config = reinterpret_cast<char *(*)()>(dlsym(library, "openblas_get_config"));
        std::string text = config ? config() : "OpenBLAS";
        name = text.substr(0, text.find(' ', text.find(' ') + 1));
    }
};

const Blas &blas()
{
    static const Blas *loaded = new Blas;
    return *loaded;
}

Gemm<float> library_gemm(float) { return blas().sgemm; }
Gemm<double> library_gemm(double) { return blas().dgemm; }

/** C = alpha op(A) op(B) + beta C with loops, column by column of C. */
template <class T>
void plain_gemm(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b,
                int ldb, T beta, T *c, int ldc)
{
    for (int j = 0; j < n; j++) {
        T *column = c + (size_t)j * ldc;
        for (int i = 0; i < m; i++)
            column[i] = beta == T(0) ? T(0) : beta * column[i];
        for (int l = 0; l < k; l++) {
            T factor = alpha * (tb ? b[j + (size_t)l * ldb] : b[l + (size_t)j * ldb]);
            if (ta)
                for (int i = 0; i < m; i++)
                    column[i] += a[l + (size_t)i * lda] * factor;
            else
                for (int i = 0; i < m; i++)
                    column[i] += a[i + (size_t)l * lda] * factor;
        }
    }
}

/** Checks that an operand is in one allocation and, if it is read, that it was written. Reports
 * faults. */
bool usable(const char *call, const Operand &o)
{
    const bool vector = islower((unsigned char)o.name[0]);
    const char *kind = vector ? "vector" : "matrix";
    if (o.rows <= 0 || o.columns <= 0)
        return true;
    const size_t bytes = ((size_t)o.ld * (o.columns - 1) + o.rows) * o.size;
    uint64_t offset = 0;
    bool device = device_offset(o.first, &offset); /* managed and pinned memory, too */
    const Allocation *a = device ? arena_find(offset) : nullptr;
    if (!a) {
        host_fault(device ? SIMGPU_OUT_OF_BOUNDS_GLOBAL : SIMGPU_DEVICE_TOUCHES_HOST,
                   called_here(""), nullptr,
                   "%s: %s %s is not device memory that is allocated now", call, kind, o.name);
        return false;
    }
    if (offset + bytes > a->offset + a->size) {
        std::string shape = vector ? format("of %d elements, %d apart", o.columns, o.ld)
                                   : format("column-major %d x %d with leading dimension %d",
                                            o.rows, o.columns, o.ld);
        host_fault(SIMGPU_OUT_OF_BOUNDS_GLOBAL, called_here(""), nullptr,
                   "%s: %s %s, %s, ends %llu bytes after its allocation of %llu", call, kind,
                   o.name, shape.c_str(), (Count)offset + bytes - a->offset - a->size, a->size);
        return false;
    }
    for (int j = 0; j < o.columns && o.read && !a->written_unseen; j++) {
        const uint8_t *state = arena.state + (offset + (uint64_t)o.ld * j * o.size) / 4;
        if (!memchr(state, state_unwritten, o.rows * o.size / 4))
            continue;
        std::string where =
            vector ? format("element %d of vector %s", j, o.name)
                   : format("an element of matrix %s, in its column %d,", o.name, j);
        host_fault(SIMGPU_UNINITIALISED_GLOBAL, called_here(), nullptr,
                   "%s: %s was never written", call, where.c_str());
        return true; /* continue, as a GPU does */
    }
    return true;
}

void mark_written(const Operand &o)
{
    const char *c = static_cast<const char *>(o.first);
    const bool gaps = o.ld != o.rows;
    const size_t bytes = o.rows * o.size * (gaps ? 1 : o.columns);
    for (int j = 0; j < (gaps ? o.columns : 1) && arena_contains(c); j++, c += o.ld * o.size)
        arena_mark(c, bytes, state_written);
    memory_changed();
}

} // namespace

cublasStatus_t failed()
{
    faults_print();
    set_device_error(cudaErrorIllegalAddress);
    return CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t invalid(const char *call, const std::string &why)
{
    const char *advice = why.compare(0, 2, "ld") != 0
                             ? "A status that is not CUBLAS_STATUS_SUCCESS means that nothing "
                               "was computed: check it."
                             : "cuBLAS matrices are stored column by column. A row-major C = A "
                               "B is the column-major C' = B' A': hand over B first, then A, "
                               "with n, m, k, ldb = n, lda = k, ldc = n.";
    host_fault(SIMGPU_BAD_CALL, called_here(advice), nullptr,
               "%s returns CUBLAS_STATUS_INVALID_VALUE: %s", call, why.c_str());
    faults_print();
    return CUBLAS_STATUS_INVALID_VALUE;
}

/** Checks that an array of matrix pointers is in device memory. */
static bool usable_pointers(const char *call, const char *which, const void *array, int count)
{
    size_t bytes = (size_t)std::max(count, 0) * sizeof(void *);
    if (bytes == 0)
        return true;
    uint64_t offset = arena_offset(array);
    const Allocation *a = arena.base && arena_contains(array) ? arena_find(offset) : nullptr;
    if (a && offset + bytes <= a->offset + a->size)
        return true;
    host_fault(a ? SIMGPU_OUT_OF_BOUNDS_GLOBAL : SIMGPU_DEVICE_TOUCHES_HOST, called_here(),
               nullptr,
               "%s: the array of pointers to the matrices %s must be in device memory%s", call,
               which, a ? ", and have batchCount of them" : "");
    return false;
}

static cublasStatus_t compute_in(const char *call, cudaStream_t stream, bool result,
                                 const std::vector<Operand> &operands,
                                 const std::function<void()> &compute)
{
    if (device_error() != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (into_graph(capture_of(stream), [=](cudaStream_t now) {
            return compute_in(call, now, result, operands, compute) ? cudaErrorUnknown
                                                                    : cudaSuccess;
        }))
        return CUBLAS_STATUS_SUCCESS;
    for (const Operand &o : operands)
        if (!usable(call, o))
            return failed();
    if (order_watched) {
        TouchedBytes touched;
        for (const Operand &o : operands)
            touched.add(o.written, o.first, o.ld * o.size, o.rows * o.size, (size_t)o.columns);
        order_operation(call, order_index(stream), std::move(touched), result);
    }
    ArenaAccess access;
    library_calls++;
    compute();
    for (const Operand &o : operands)
        if (o.written)
            mark_written(o);
    faults_print();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t compute_on(const char *call, cublasHandle_t handle, bool result,
                          const std::vector<Operand> &operands,
                          const std::function<void()> &compute)
{
    cublasStatus_t refused = refusal(call, handle, "");
    return refused ? refused : compute_in(call, handle->stream, result, operands, compute);
}

namespace
{

bool known(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/** Describes a wrong leading dimension of a column-major matrix; "" if it is right. */
std::string wrong_leading(const char *which, bool transposed, int rows, const char *plain_rows,
                          const char *transposed_rows, int ld)
{
    if (ld >= std::max(1, rows))
        return "";
    std::string name = format("ld%c", tolower((unsigned char)which[0]));
    return format("%s is %d, but must be at least %s = %d, the rows of %s as it is stored "
                  "(column by column%s)",
                  name.c_str(), ld, transposed ? transposed_rows : plain_rows, rows, which,
                  transposed ? ", and this call transposes it" : "");
}

std::string wrong_size(const char *name, int value)
{
    return value < 0 ? format("%s is %d; a size cannot be negative", name, value) : "";
}

std::string wrong_operation(const char *name, cublasOperation_t op)
{
    return known(op) ? ""
                     : format("%s is %d; it takes CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C",
                              name, (int)op);
}

/** The first of these texts that is not empty, or "". */
std::string first_of(std::initializer_list<std::string> texts)
{
    for (const std::string &text : texts)
        if (!text.empty())
            return text;
    return "";
}

std::string wrong_factor(const char *name, const void *factor)
{
    return factor ? "" : format("%s is a null pointer", name);
}

/** The arguments of a product, without the matrices. */
struct GemmCall {
    cublasOperation_t transa, transb;
    int m, n, k;
    const void *alpha, *beta;
    int lda, ldb, ldc;

    bool ta() const { return transa != CUBLAS_OP_N; }
    bool tb() const { return transb != CUBLAS_OP_N; }
    /** The argument that cuBLAS refuses, and why; or "". */
    std::string wrong() const
    {
        return first_of({wrong_operation("transa", transa), wrong_operation("transb", transb),
                         wrong_size("m", m), wrong_size("n", n), wrong_size("k", k),
                         wrong_factor("alpha", alpha), wrong_factor("beta", beta),
                         wrong_leading("A", ta(), ta() ? k : m, "m", "k", lda),
                         wrong_leading("B", tb(), tb() ? n : k, "k", "n", ldb),
                         wrong_leading("C", false, m, "m", "m", ldc)});
    }
};

/** Computes a product by compute(alpha, beta, whether A B counts). */
template <class S, class C, class F>
cublasStatus_t run_product(const char *call, cublasHandle_t handle, const GemmCall &p,
                           const void *a, size_t a_size, const void *b, size_t b_size, C *c,
                           F compute)
{
    const S alpha = *static_cast<const S *>(p.alpha), beta = *static_cast<const S *>(p.beta);
    const bool product = p.k > 0 && alpha != S(0), ta = p.ta(), tb = p.tb();
    if (device_error() == cudaSuccess && (p.m == 0 || p.n == 0))
        return CUBLAS_STATUS_SUCCESS;
    std::vector<Operand> operands;
    if (product)
        operands = {{"A", a, ta ? p.k : p.m, ta ? p.m : p.k, p.lda, a_size, true, false},
                    {"B", b, tb ? p.n : p.k, tb ? p.k : p.n, p.ldb, b_size, true, false}};
    operands.push_back({"C", c, p.m, p.n, p.ldc, sizeof *c, beta != S(0), true});
    return compute_on(call, handle, false, operands, [=] { compute(alpha, beta, product); });
}

template <class T>
void multiply(const GemmCall &p, T alpha, const T *a, int lda, const T *b, int ldb, T beta,
              T *c, int ldc)
{
    int k = alpha != T(0) ? p.k : 0; /* OpenBLAS may read A and B where only C counts */
    if (Gemm<T> library = library_gemm(T()))
        library(cblas_column_major, p.ta() ? cblas_transpose : cblas_no_transpose,
                p.tb() ? cblas_transpose : cblas_no_transpose, p.m, p.n, k, alpha, a, lda, b,
                ldb, beta, c, ldc);
    else
        plain_gemm(p.ta(), p.tb(), p.m, p.n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* ---- element types ---- */

size_t size_of(cudaDataType type)
{
    return type == CUDA_R_64F                          ? 8
           : type == CUDA_R_16F || type == CUDA_R_16BF ? 2
           : type == CUDA_R_8I                         ? 1
                                                       : 4;
}

const char *type_name(cudaDataType type)
{
    static const struct {
        cudaDataType type;
        const char *name;
    } names[] = {{CUDA_R_32F, "CUDA_R_32F"}, {CUDA_R_64F, "CUDA_R_64F"},
                 {CUDA_R_16F, "CUDA_R_16F"}, {CUDA_R_16BF, "CUDA_R_16BF"},
                 {CUDA_R_8I, "CUDA_R_8I"},   {CUDA_R_32I, "CUDA_R_32I"}};
    for (auto &n : names)
        if (n.type == type)
            return n.name;
    return "an unknown type";
}

/** The precision to which A and B are rounded before the multiplication. */
enum class Rounded { not_at_all, to_tf32, to_half, to_bfloat16 };

float element_at(const void *matrix, cudaDataType type, size_t at)
{
    if (type == CUDA_R_32F)
        return static_cast<const float *>(matrix)[at];
    const uint16_t bits = static_cast<const uint16_t *>(matrix)[at];
    return type == CUDA_R_16F ? float_of_half_bits(bits) : float_of_bfloat16_bits(bits);
}

uint16_t bits_of(float value, cudaDataType type)
{
    return type == CUDA_R_16F ? half_bits_of(value) : bfloat16_bits_of(value);
}

/** A column-major matrix as rounded floats, its columns without gaps. */
std::vector<float> as_floats(const void *matrix, cudaDataType type, int rows, int columns,
                             int ld, Rounded rounded)
{
    std::vector<float> out((size_t)rows * columns);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            size_t at = i + (size_t)j * ld;
            float v = element_at(matrix, type, at);
            if (rounded == Rounded::to_tf32)
                v = rounded_fraction(v, 10);
            else if (rounded == Rounded::to_bfloat16)
                v = rounded_fraction(v, 7);
            else if (rounded == Rounded::to_half)
                v = float_of_half_bits(half_bits_of(v));
            out[i + (size_t)j * rows] = v;
        }
    return out;
}

/** The rows or columns of a factor one after another, k terms in each. */
std::vector<float> vectors_of(const std::vector<float> &matrix, bool are_columns, int count,
                              int k)
{
    if (are_columns)
        return matrix;
    std::vector<float> out(matrix.size());
    for (int l = 0; l < k; l++)
        for (int i = 0; i < count; i++)
            out[(size_t)i * k + l] = matrix[i + (size_t)l * count];
    return out;
}

/** C = alpha op(A) op(B) + beta C as tensor cores compute it, `terms` products at a time.
 * `least`: the factors' smallest exponent. */
void multiply_cut_off(const GemmCall &p, int terms, int least, float alpha,
                      const std::vector<float> &a, const std::vector<float> &b, float beta,
                      float *c, int ldc)
{
    int k = alpha != 0 ? p.k : 0;
    std::vector<float> rows = vectors_of(a, p.ta(), p.m, k),
                       columns = vectors_of(b, !p.tb(), p.n, k);
    for (int j = 0; j < p.n; j++)
        for (int i = 0; i < p.m; i++) {
            const float *row = rows.data() + (size_t)i * k;
            const float *column = columns.data() + (size_t)j * k;
            float sum = 0;
            for (int l = 0; l < k; l += terms)
                sum = tensor_core_sum(sum, row + l, column + l, std::min(k - l, terms), least);
            float &to = c[i + (size_t)j * ldc];
            to = beta == 0 ? alpha * sum : (float)((double)alpha * sum + (double)beta * to);
        }
}

/** Products on tensor cores: A and B of few digits, sums in float. */
cublasStatus_t rounded_gemm(const char *call, cublasHandle_t handle, const GemmCall &p,
                            const void *a, cudaDataType a_type, const void *b,
                            cudaDataType b_type, void *c, cudaDataType c_type, Rounded rounded)
{
    auto compute = [=](float alpha, float beta, bool product, float *result, int ldc) {
        std::vector<float> fa, fb;
        if (product) {
            fa = as_floats(a, a_type, p.ta() ? p.k : p.m, p.ta() ? p.m : p.k, p.lda, rounded);
            fb = as_floats(b, b_type, p.tb() ? p.n : p.k, p.tb() ? p.k : p.n, p.ldb, rounded);
        }
        const bool halves = a_type == CUDA_R_16F || rounded == Rounded::to_half;
        multiply_cut_off(p, rounded == Rounded::to_tf32 ? 8 : 16,
                         least_exponent(halves ? simgpu_half : simgpu_float),
                         product ? alpha : 0.0f, fa, fb, beta, result, ldc);
    };
    auto into_halves = [=](float alpha, float beta, bool product) {
        std::vector<float> sums;
        if (beta != 0)
            sums = as_floats(c, c_type, p.m, p.n, p.ldc, Rounded::not_at_all);
        sums.resize((size_t)p.m * p.n);
        compute(alpha, beta, product, sums.data(), p.m);
        for (int j = 0; j < p.n; j++)
            for (int i = 0; i < p.m; i++)
                static_cast<uint16_t *>(c)[i + (size_t)j * p.ldc] =
                    bits_of(sums[i + (size_t)j * p.m], c_type);
    };
    auto into_floats = [=](float alpha, float beta, bool product) {
        compute(alpha, beta, product, static_cast<float *>(c), p.ldc);
    };
    size_t a_size = size_of(a_type), b_size = size_of(b_type);
    return c_type == CUDA_R_32F ? run_product<float>(call, handle, p, a, a_size, b, b_size,
                                                     static_cast<float *>(c), into_floats)
                                : run_product<float>(call, handle, p, a, a_size, b, b_size,
                                                     static_cast<uint16_t *>(c), into_halves);
}

template <class T>
cublasStatus_t gemm(const char *call, cublasHandle_t handle, const GemmCall &p, const T *a,
                    const T *b, T *c)
{
    if (cublasStatus_t refused = refusal(call, handle, p.wrong()))
        return refused;
    if (sizeof(T) == 4 && (handle->mode & 15) == CUBLAS_TF32_TENSOR_OP_MATH)
        return rounded_gemm(call, handle, p, a, CUDA_R_32F, b, CUDA_R_32F, c, CUDA_R_32F,
                            Rounded::to_tf32);
    return run_product<T>(
        call, handle, p, a, sizeof(T), b, sizeof(T), c,
        [=](T alpha, T beta, bool) { multiply(p, alpha, a, p.lda, b, p.ldb, beta, c, p.ldc); });
}

/** Products of signed bytes, with sums that are int and wrap around. */
cublasStatus_t byte_gemm(const char *call, cublasHandle_t handle, const GemmCall &p,
                         const int8_t *a, const int8_t *b, int32_t *c)
{
    size_t a_row = p.ta() ? p.lda : 1, a_term = p.ta() ? 1 : p.lda;
    size_t b_column = p.tb() ? 1 : p.ldb, b_term = p.tb() ? p.ldb : 1;
    return run_product<int>(call, handle, p, a, 1, b, 1, c, [=](int alpha, int beta, bool k) {
        for (int j = 0; j < p.n; j++)
            for (int i = 0; i < p.m; i++) {
                uint32_t sum = 0;
                for (int l = 0; k && l < p.k; l++)
                    sum += (uint32_t)(a[i * a_row + l * a_term] * b[j * b_column + l * b_term]);
                int32_t &to = c[i + (size_t)j * p.ldc];
                to = (int32_t)((uint32_t)alpha * sum +
                               (beta ? (uint32_t)beta * (uint32_t)to : 0));
            }
    });
}

/** Chooses the arithmetic for these types and this computeType. */
cublasStatus_t gemm_ex(const char *call, cublasHandle_t handle, const GemmCall &p,
                       const void *a, cudaDataType a_type, const void *b, cudaDataType b_type,
                       void *c, cudaDataType c_type, cublasComputeType_t compute)
{
    if (cublasStatus_t refused = refusal(call, handle, p.wrong()))
        return refused;
    bool full = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC;
    if (a_type == CUDA_R_64F && b_type == CUDA_R_64F && c_type == CUDA_R_64F &&
        (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC))
        return gemm(call, handle, p, static_cast<const double *>(a),
                    static_cast<const double *>(b), static_cast<double *>(c));
    if (a_type == CUDA_R_16F && b_type == CUDA_R_16F && c_type == CUDA_R_16F &&
        (compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC)) {
        float alpha = float_of_half_bits(*static_cast<const uint16_t *>(p.alpha)),
              beta = float_of_half_bits(*static_cast<const uint16_t *>(p.beta));
        GemmCall in_floats = p;
        in_floats.alpha = &alpha, in_floats.beta = &beta;
        return rounded_gemm(call, handle, in_floats, a, a_type, b, b_type, c, c_type,
                            Rounded::not_at_all);
    }
    if (a_type == CUDA_R_8I && b_type == CUDA_R_8I && c_type == CUDA_R_32I &&
        (compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC))
        return byte_gemm(call, handle, p, static_cast<const int8_t *>(a),
                         static_cast<const int8_t *>(b), static_cast<int32_t *>(c));
    if ((a_type == CUDA_R_16F || a_type == CUDA_R_16BF) && b_type == a_type && full &&
        (c_type == CUDA_R_32F || c_type == a_type))
        return rounded_gemm(call, handle, p, a, a_type, b, b_type, c, c_type,
                            Rounded::not_at_all);
    if (a_type == CUDA_R_32F && b_type == CUDA_R_32F && c_type == CUDA_R_32F) {
        if (full)
            return gemm(call, handle, p, static_cast<const float *>(a),
                        static_cast<const float *>(b), static_cast<float *>(c));
        Rounded rounded = compute == CUBLAS_COMPUTE_32F_FAST_TF32   ? Rounded::to_tf32
                          : compute == CUBLAS_COMPUTE_32F_FAST_16F  ? Rounded::to_half
                          : compute == CUBLAS_COMPUTE_32F_FAST_16BF ? Rounded::to_bfloat16
                                                                    : Rounded::not_at_all;
        if (rounded != Rounded::not_at_all)
            return rounded_gemm(call, handle, p, a, a_type, b, b_type, c, c_type, rounded);
    }
    host_fault(SIMGPU_NOT_SIMULATED, called_here(), nullptr,
               "%s: A of %s, B of %s, C of %s with computeType %d is not simulated, or not a "
               "combination that cuBLAS has",
               call, type_name(a_type), type_name(b_type), type_name(c_type), (int)compute);
    faults_print();
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T>
cublasStatus_t geam(const char *call, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T *alpha, const T *a, int lda,
                    const T *beta, const T *b, int ldb, T *c, int ldc)
{
    bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
    std::string wrong =
        first_of({wrong_operation("transa", transa), wrong_operation("transb", transb),
                  wrong_size("m", m), wrong_size("n", n), wrong_factor("alpha", alpha),
                  wrong_factor("beta", beta), wrong_leading("A", ta, ta ? n : m, "m", "n", lda),
                  wrong_leading("B", tb, tb ? n : m, "m", "n", ldb),
                  wrong_leading("C", false, m, "m", "m", ldc),
                  c == a && (ta || lda != ldc)
                      ? "C is A, which goes only if A is not transposed and ldc is lda"
                      : "",
                  c == b && (tb || ldb != ldc)
                      ? "C is B, which goes only if B is not transposed and ldc is ldb"
                      : ""});
    if (cublasStatus_t refused = refusal(call, handle, wrong))
        return refused;
    const T factor_a = *alpha, factor_b = *beta;
    std::vector<Operand> operands;
    if (factor_a != T(0))
        operands.push_back({"A", a, ta ? n : m, ta ? m : n, lda, sizeof(T), true, false});
    if (factor_b != T(0))
        operands.push_back({"B", b, tb ? n : m, tb ? m : n, ldb, sizeof(T), true, false});
    operands.push_back({"C", c, m, n, ldc, sizeof(T), false, true});
    return compute_on(call, handle, false, operands, [=] {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                T sum = T(0);
                if (factor_a != T(0))
                    sum += factor_a * (ta ? a[j + (size_t)i * lda] : a[i + (size_t)j * lda]);
                if (factor_b != T(0))
                    sum += factor_b * (tb ? b[j + (size_t)i * ldb] : b[i + (size_t)j * ldb]);
                c[i + (size_t)j * ldc] = sum;
            }
    });
}

/** The calls that take arrays of pointers. */
template <class P, class Q, class F>
cublasStatus_t pointer_batched(const char *call, P const *a, P const *b, Q const *c, int count,
                               F one)
{
    if (!usable_pointers(call, "A", a, count) || !usable_pointers(call, "B", b, count) ||
        !usable_pointers(call, "C", c, count))
        return failed();
    return batched(call, count, [&](int i) {
        return one(pointer_at(a, i), pointer_at(b, i), pointer_at(c, i));
    });
}

} // namespace

extern "C" {

const char *simgpu_blas_name() { return blas().name.c_str(); }

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    blas();
    *handle = new cublasContext();
    simgpu_handle(*handle, 1);
    return CUBLAS_STATUS_SUCCESS;
}

/* The calls that exist for float (S) and double (D). */
#define SIMGPU_PRODUCT                                                                         \
    {                                                                                          \
        transa, transb, m, n, k, alpha, beta, lda, ldb, ldc                                    \
    }
#define SIMGPU_CUBLAS(letter, real)                                                            \
    cublasStatus_t cublas##letter##gemm(SIMGPU_GEMM(int, real))                                \
    {                                                                                          \
        return gemm("cublas" #letter "gemm", handle, SIMGPU_PRODUCT, A, B, C);                 \
    }                                                                                          \
    cublasStatus_t cublas##letter##geam(SIMGPU_GEAM(real))                                     \
    {                                                                                          \
        return geam("cublas" #letter "geam", handle, transa, transb, m, n, alpha, A, lda,      \
                    beta, B, ldb, C, ldc);                                                     \
    }                                                                                          \
    cublasStatus_t cublas##letter##gemmStridedBatched(SIMGPU_STRIDED(int, real))               \
    {                                                                                          \
        const char *call = "cublas" #letter "gemmStridedBatched";                              \
        return batched(call, batchCount, [&](int i) {                                          \
            return gemm(call, handle, SIMGPU_PRODUCT, A + i * strideA, B + i * strideB,        \
                        C + i * strideC);                                                      \
        });                                                                                    \
    }                                                                                          \
    cublasStatus_t cublas##letter##gemmBatched(SIMGPU_BATCHED(real))                           \
    {                                                                                          \
        const char *call = "cublas" #letter "gemmBatched";                                     \
        auto one = [&](const real *a, const real *b, real *c) {                                \
            return gemm(call, handle, SIMGPU_PRODUCT, a, b, c);                                \
        };                                                                                     \
        return pointer_batched(call, A, B, C, batchCount, one);                                \
    }
SIMGPU_CUBLAS(S, float)
SIMGPU_CUBLAS(D, double)
#undef SIMGPU_CUBLAS

cublasStatus_t cublasZgemm(SIMGPU_GEMM(int, cuDoubleComplex))
{
    using Complex = std::complex<double>;
    const GemmCall p = SIMGPU_PRODUCT;
    if (cublasStatus_t refused = refusal(__func__, handle, p.wrong()))
        return refused;
    auto element = [](cublasOperation_t op, const cuDoubleComplex *x, int ld, int i, int j) {
        const cuDoubleComplex &z =
            op == CUBLAS_OP_N ? x[i + (size_t)j * ld] : x[j + (size_t)i * ld];
        return Complex(z.x, op == CUBLAS_OP_C ? -z.y : z.y);
    };
    auto compute = [=](Complex a, Complex b, bool product) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                Complex sum, old(C[i + (size_t)j * ldc].x, C[i + (size_t)j * ldc].y);
                for (int l = 0; product && l < k; l++)
                    sum += element(transa, A, lda, i, l) * element(transb, B, ldb, l, j);
                sum = (product ? a * sum : 0) + (b == 0.0 ? 0 : b * old);
                C[i + (size_t)j * ldc] = {sum.real(), sum.imag()};
            }
    };
    return run_product<Complex>("cublasZgemm", handle, p, A, sizeof *A, B, sizeof *B, C,
                                compute);
}

cublasStatus_t cublasGemmEx(SIMGPU_GEMM_EX(cublasComputeType_t))
{
    (void)algo;
    return gemm_ex("cublasGemmEx", handle, SIMGPU_PRODUCT, A, Atype, B, Btype, C, Ctype,
                   computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(SIMGPU_STRIDED_EX(cublasComputeType_t))
{
    (void)algo;
    const char *call = "cublasGemmStridedBatchedEx";
    return batched(call, batchCount, [&](int i) {
        return gemm_ex(call, handle, SIMGPU_PRODUCT,
                       static_cast<const char *>(A) + i * strideA * (long long)size_of(Atype),
                       Atype,
                       static_cast<const char *>(B) + i * strideB * (long long)size_of(Btype),
                       Btype, static_cast<char *>(C) + i * strideC * (long long)size_of(Ctype),
                       Ctype, computeType);
    });
}

} // extern "C"

} // namespace simgpu
