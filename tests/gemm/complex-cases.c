/* SPDX-License-Identifier: MIT */
/** @file complex-cases.c
 * ladder_zgemm() and ladder_dsyrk(): products of small integers, which are exact, in every kind
 * of memory, and the errors that the header states. One case per run: complex-cases NAME.
 */
#include <complex.h>

#include "library.h"
#include "product.h"

#ifndef CMPLX /* the C library defines it for GCC alone, and Clang has the builtin, too */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

/* A matrix of complex numbers with NaN below its columns. */
struct complex_matrix {
    int lines, count, ld;
    double complex *host;
    cuDoubleComplex *device;
};

/* Of small integers, or with NaN for seed 0, where nothing may be read. */
static struct complex_matrix complex_integers(int lines, int count, int extra, unsigned seed)
{
    struct complex_matrix y = {lines, count, lines + extra, NULL, NULL};
    y.ld += y.ld == 0;
    size_t elements = (size_t)y.ld * (size_t)count;
    y.host = malloc(elements * sizeof *y.host);
    for (size_t i = 0; i < elements; i++)
        y.host[i] = seed && i % (size_t)y.ld < (size_t)lines
                        ? CMPLX(small_integer(seed, 2 * i), small_integer(seed, 2 * i + 1))
                        : CMPLX(NAN, NAN);
    y.device = copied_to_device(y.host, elements * sizeof *y.host);
    return y;
}

static double complex complex_at(const struct complex_matrix *x, cublasOperation_t op, int i,
                                 int j)
{
    double complex z =
        x->host[op == CUBLAS_OP_N ? i + (size_t)j * x->ld : j + (size_t)i * x->ld];
    return op == CUBLAS_OP_C ? conj(z) : z;
}

struct complex_call {
    cublasOperation_t ta, tb;
    int m, n, k;
    double complex alpha, beta;
    struct complex_matrix a, b, c;
};

static struct complex_call make_complex(int m, int n, int k, int ops, double complex alpha,
                                        double complex beta)
{
    struct complex_call x = {.m = m, .n = n, .k = k, .alpha = alpha, .beta = beta};
    bool read = alpha != 0;
    x.ta = (cublasOperation_t)(ops / 3), x.tb = (cublasOperation_t)(ops % 3);
    x.a = complex_integers(x.ta ? k : m, x.ta ? m : k, ops % 2, read ? 1 : 0);
    x.b = complex_integers(x.tb ? n : k, x.tb ? k : n, ops % 4, read ? 2 : 0);
    x.c = complex_integers(m, n, 3, beta != 0 ? 3 : 0);
    return x;
}

static void end_complex(struct complex_call *x)
{
    cudaFree(x->a.device), cudaFree(x->b.device), cudaFree(x->c.device);
    free(x->a.host), free(x->b.host), free(x->c.host);
}

static int run_complex(ladder_gemm_t gemm, const struct complex_call *x, const void *scalars)
{
    const cuDoubleComplex *both = scalars;
    return ladder_zgemm_64(gemm, x->ta, x->tb, x->m, x->n, x->k, both, x->a.device, x->a.ld,
                           x->b.device, x->b.ld, both + 1, x->c.device, x->c.ld);
}

static int wrong_complex(const struct complex_call *x)
{
    size_t bytes = (size_t)x->c.ld * (size_t)x->n * sizeof *x->c.host;
    double complex *got = malloc(bytes);
    int wrong = 0;
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(got, x->c.device, bytes, cudaMemcpyDeviceToHost));
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->c.ld; i++) {
            size_t place = i + (size_t)j * x->c.ld;
            double complex sum = 0;
            for (int l = 0; i < x->m && l < x->k && x->alpha != 0; l++)
                sum += complex_at(&x->a, x->ta, i, l) * complex_at(&x->b, x->tb, l, j);
            sum *= x->alpha;
            if (x->beta != 0)
                sum += x->beta * x->c.host[place];
            wrong += i < x->m ? got[place] != sum : !isnan(creal(got[place]));
        }
    free(got);
    return wrong;
}

/* Complex products by every kind of plan, with each operation, and by cublasZgemm; with alpha
   and beta on the host and on the device, in memory of the handle, of the caller and without
   any. */
static void complex_products(void)
{
    static const double complex factors[] = {1, 0, CMPLX(0, 1), CMPLX(2, -0.5)};
    static const struct ladder_plan plans[] = {
        {"cublas", 0, 0}, {"two-levels", 2, 0}, {"exact", 1, 0}, {"plain", 1, 0}};
    enum { BYTES = 3 << 20 };
    ladder_gemm_t gemm = handle(NULL);
    void *scalars = NULL, *memory = NULL;
    must(cudaMalloc(&scalars, 2 * sizeof(double complex)));
    must(cudaMalloc(&memory, BYTES));
    for (int t = 0; t < 72; t++) {
        int m = 1 + 37 * t % 90, n = 1 + 53 * t % 80, k = t % 24 == 23 ? 0 : 1 + 29 * t % 70;
        struct complex_call x =
            make_complex(m, n, k, t % 9, factors[t / 9 % 4], factors[t / 2 % 4]);
        double complex both[] = {x.alpha, x.beta};
        bool late = t % 3 == 1 && x.alpha != 0, none = t % 8 == 7,
             multiplies = k && x.alpha != 0;
        bring(scalars, both, sizeof both);
        EXPECT(ladder_gemm_force(gemm, &plans[t / 3 % 4]) == 0, "%d", t);
        ladder_gemm_device_scalars(gemm, late);
        EXPECT(ladder_gemm_set_workspace(gemm, t % 5 == 4 ? memory : NULL, BYTES) == 0, "%d",
               t);
        ladder_gemm_limit_workspace(gemm, none ? 0 : SIZE_MAX);
        EXPECT(run_complex(gemm, &x, late ? scalars : both) == 0, "%s",
               ladder_gemm_message(gemm));
        struct ladder_done done = ladder_gemm_last(gemm);
        EXPECT(wrong_complex(&x) == 0, "call %d: %d x %d x %d by %s", t, m, n, k,
               done.ran.variant);
        EXPECT((done.workspace_bytes > 0) == (multiplies && !none), "call %d: %zu bytes", t,
               done.workspace_bytes);
        EXPECT(done.fell_back || !none || !multiplies, "call %d", t);
        EXPECT((strcmp(done.ran.variant, "none") == 0) == !multiplies, "%s", done.ran.variant);
        end_complex(&x);
    }
    EXPECT(ladder_gemm_set_workspace(gemm, NULL, 0) == 0, "%s", ladder_gemm_message(gemm));
    ladder_gemm_limit_workspace(gemm, SIZE_MAX);
    ladder_gemm_device_scalars(gemm, 0), ladder_gemm_force(gemm, NULL);
    for (int edge = 127; edge < 129; edge++) { /* 16 leaves */
        struct complex_call x = make_complex(128, edge, 130, 0, 1, 1);
        const double complex both[] = {1, 1}, off[] = {CMPLX(0, 1), 0};
        EXPECT(run_complex(gemm, &x, both) == 0 && wrong_complex(&x) == 0, "%d", edge);
        EXPECT((ladder_gemm_last(gemm).workspace_bytes > 0) == (edge == 128), "%d", edge);
        cuDoubleComplex *a = x.a.device;
        x.a.device = NULL;
        EXPECT(run_complex(gemm, &x, off) == 8, "alpha = i reads A");
        x.a.device = a, x.b.ld = 129;
        EXPECT(run_complex(gemm, &x, both) == 11 &&
                   strcmp(ladder_gemm_message(gemm), "ladder_zgemm: argument 11 is wrong") == 0,
               "%s", ladder_gemm_message(gemm));
        x.m = -1;
        EXPECT(ladder_zgemm_64(gemm, x.ta, x.tb, -3000000000, 1, 1, NULL, NULL, 1, NULL, 1,
                               NULL, NULL, 1) == 4,
               "%s", ladder_gemm_message(gemm));
        end_complex(&x);
    }
    cudaFree(scalars), cudaFree(memory);
    ladder_gemm_destroy(gemm);
}

/* A captured complex product, during which the handle multiplies others in its own memory. */
static void complex_graphs(void)
{
    ladder_gemm_t gemm = handle(NULL);
    struct complex_call x = make_complex(80, 72, 64, 5, 1, 0),
                        y = make_complex(40, 9, 8, 0, 1, 0);
    const double complex both[] = {1, 0};
    cudaStream_t stream = new_stream();
    force(gemm, "plain", 1); /* needs less than the parts */
    EXPECT(run_complex(gemm, &x, both) == 0, "%s", ladder_gemm_message(gemm));
    ladder_gemm_set_stream(gemm, stream);
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT(run_complex(gemm, &y, both) == 0, "%s", ladder_gemm_message(gemm));
    EXPECT(run_complex(gemm, &x, both) == 0, "%s", ladder_gemm_message(gemm));
    replay_capture(stream, 2, x.c.device, NULL,
                   (size_t)x.c.ld * (size_t)x.n * sizeof *x.c.host);
    EXPECT(wrong_complex(&x) == 0 && wrong_complex(&y) == 0, "in a graph");
    EXPECT(run_complex(gemm, &x, both) == 0 && wrong_complex(&x) == 0, "after it");
    end_complex(&x), end_complex(&y);
    ladder_gemm_destroy(gemm);
    cudaStreamDestroy(stream);
}

/* The errors of both parts keep their bounds. Where the imaginary parts of A and B are small,
   that of the product is less exact than the bound of four products allows. */
static void complex_errors(void)
{
    enum { N = 48 };
    const double complex both[] = {1, 0};
    ladder_gemm_t gemm = handle(NULL);
    struct complex_call x = make_complex(N, N, N, 0, 1, 0);
    struct complex_matrix *factor[] = {&x.a, &x.b};
    double worst = 0, of_four = 0;
    for (int f = 0; f < 2; f++) {
        struct complex_matrix *y = factor[f];
        for (size_t i = 0; i < (size_t)y->ld * N; i++) {
            uint64_t number = ((uint64_t)(f + 1) << 40 | i) * RANDOM_STEP;
            y->host[i] = CMPLX(random_uniform(random_bits(number)),
                               0x1p-30 * random_uniform(random_bits(number + 1)));
        }
        bring(y->device, y->host, (size_t)y->ld * N * sizeof *y->host);
    }
    force(gemm, "cublas", 0);
    EXPECT(run_complex(gemm, &x, both) == 0, "%s", ladder_gemm_message(gemm));
    double complex got[(N + 3) * N];
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(got, x.c.device, sizeof got, cudaMemcpyDeviceToHost));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            long double re = 0, im = 0, squares = 0, crossed = 0, sums = 0;
            for (int l = 0; l < N; l++) {
                double complex a = complex_at(&x.a, x.ta, i, l),
                               b = complex_at(&x.b, x.tb, l, j);
                long double a1 = creal(a), a2 = cimag(a), b1 = creal(b), b2 = cimag(b);
                re += a1 * b1 - a2 * b2, im += a1 * b2 + a2 * b1;
                squares += fabsl(a1 * b1) + fabsl(a2 * b2);
                crossed += fabsl(a1 * b2) + fabsl(a2 * b1);
                sums += (fabsl(a1) + fabsl(a2)) * (fabsl(b1) + fabsl(b2));
            }
            double complex z = got[i + j * x.c.ld];
            double unit = (N + 4) * 0x1p-53;
            worst = fmax(worst, (double)fabsl(creal(z) - re) / (unit * (double)squares));
            worst =
                fmax(worst, (double)fabsl(cimag(z) - im) / (unit * (double)(squares + sums)));
            of_four = fmax(of_four, (double)fabsl(cimag(z) - im) / (unit * (double)crossed));
        }
    EXPECT(worst <= 1, "%g times the bound of three products", worst);
    EXPECT(of_four > 1, "%g times the bound of four products", of_four);
    end_complex(&x);
    ladder_gemm_destroy(gemm);
}

/* One triangle of A A^T or A^T A; the other one is NaN and stays so. */
static void triangle(void)
{
    static const int edges[] = {0, 1, 63, 150, 200};
    static const double factors[] = {1, 0, -2.5};
    static const struct ladder_plan plans[] = {{"cublas", 0, 0}, {"two-levels", 2, 0}};
    ladder_gemm_t gemm = handle(NULL);
    double *scalars = NULL;
    must(cudaMalloc((void **)&scalars, 2 * sizeof *scalars));
    for (int t = 0; t < 60; t++) {
        int n = edges[t % 5], k = t % 11 == 10 ? 0 : 1 + 31 * t % 90;
        bool lower = t / 5 % 2, ta = t / 10 % 2, late = t % 4 == 3, halves = n >= 150 && k >= 8;
        double alpha = factors[t / 3 % 3], beta = factors[t / 7 % 3], both[] = {alpha, beta};
        struct call_data x = {.wide = true, .m = n, .n = n, .k = k};
        x.ta = ta ? CUBLAS_OP_T : CUBLAS_OP_N;
        x.a = integers(&x, x.ta, n, k, t % 3, 0, alpha != 0 || late ? 1 : 0);
        x.c = integers(&x, CUBLAS_OP_N, n, n, t % 2, 0, beta != 0 ? 3 : 0);
        size_t bytes = x.c.elements * sizeof(double);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (lower ? i < j : i > j)
                    x.c.host[x.c.first + i + (size_t)j * x.c.ld] = NAN;
        bring(x.c.device, x.c.host, bytes);
        bring(scalars, both, sizeof both);
        struct ladder_plan plan = plans[t % 2];
        EXPECT(ladder_gemm_force(gemm, t < 50 ? &plan : NULL) == 0, "%s", plan.variant);
        ladder_gemm_device_scalars(gemm, late);
        EXPECT(ladder_dsyrk_64(gemm, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                               x.ta, n, k, late ? scalars : both, start_of(&x, &x.a), x.a.ld,
                               late ? scalars + 1 : both + 1, start_of(&x, &x.c), x.c.ld) == 0,
               "%s", ladder_gemm_message(gemm));
        const char *ran = ladder_gemm_last(gemm).ran.variant;
        EXPECT(t >= 50 || (strcmp(ran, "two-levels") == 0) ==
                              (t % 2 && halves && (late || alpha != 0)),
               "call %d: %s", t, ran);
        double *got = fetched(&x, &x.c);
        int wrong = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                size_t place = x.c.first + i + (size_t)j * x.c.ld;
                double sum = 0;
                for (int l = 0; l < k && alpha != 0; l++)
                    sum += alpha * at(&x.a, ta, i, l) * at(&x.a, ta, j, l);
                sum += beta != 0 ? beta * x.c.host[place] : 0;
                wrong += (lower ? i < j : i > j) ? !isnan(got[place]) : got[place] != sum;
            }
        EXPECT(wrong == 0, "call %d: %d elements of %d x %d x %d by %s", t, wrong, n, n, k,
               ran);
        free(got), cudaFree(x.a.device), cudaFree(x.c.device), free(x.a.host), free(x.c.host);
    }
    const double one = 1;
    ladder_gemm_device_scalars(gemm, 0);
    EXPECT(ladder_dsyrk(gemm, (cublasFillMode_t)2, CUBLAS_OP_N, 1, 1, &one, NULL, 1, &one, NULL,
                        1) == 2 &&
               ladder_dsyrk_64(gemm, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 2, 3000000000, &one,
                               scalars, 7, &one, scalars, 2) == 8 &&
               strcmp(ladder_gemm_message(gemm), "ladder_dsyrk_64: argument 8 is wrong") == 0,
           "%s", ladder_gemm_message(gemm));
    cudaFree(scalars);
    ladder_gemm_destroy(gemm);
}

static const struct named_case cases[] = {
    {"products", complex_products},
    {"graphs", complex_graphs},
    {"errors", complex_errors},
    {"triangle", triangle},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    return has_gpu() ? end_of_cases(run_cases(cases, sizeof cases / sizeof *cases, name))
                     : SKIPPED;
}
