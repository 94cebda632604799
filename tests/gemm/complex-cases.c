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

/* A complex column is a real one with twice as many elements: so the matrices of `x`, which are
   column-major, have real parts and imaginary parts in turn. */
struct complex_call {
    struct call_data x;
    double complex alpha, beta;
};

static int complex_ld(const struct guarded_matrix *y) { return y->ld > 1 ? y->ld / 2 : 1; }

static double complex complex_at(const struct guarded_matrix *y, cublasOperation_t op, int i,
                                 int j)
{
    int line = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
    const double *z = y->host + place_in(y, false, 2 * line, column);
    return CMPLX(z[0], op == CUBLAS_OP_C ? -z[1] : z[1]);
}

/* Of small integers; of NaN where nothing may be read. */
static struct complex_call make_complex(int m, int n, int k, int ops, double complex alpha,
                                        double complex beta)
{
    struct call_data x = call_of(m, n, k, 0, 1, 0);
    element *factor = alpha != 0 ? integer : NULL;
    cublasOperation_t ta = (cublasOperation_t)(ops / 3), tb = (cublasOperation_t)(ops % 3);
    x.wide = true, x.extra = 2 * (ops % 4);
    x.a = filled(&x, CUBLAS_OP_N, 2 * (ta ? k : m), ta ? m : k, false, 1, factor);
    x.b = filled(&x, CUBLAS_OP_N, 2 * (tb ? n : k), tb ? k : n, false, 2, factor);
    x.c = filled(&x, CUBLAS_OP_N, 2 * m, n, false, 3, beta != 0 ? integer : NULL);
    x.ta = ta, x.tb = tb;
    return (struct complex_call){x, alpha, beta};
}

static int run_complex(ladder_gemm_t gemm, const struct complex_call *z, const void *scalars)
{
    const struct call_data *x = &z->x;
    const cuDoubleComplex *both = scalars;
    return ladder_zgemm_64(gemm, x->ta, x->tb, x->m, x->n, x->k, both, start_of(x, &x->a),
                           complex_ld(&x->a), start_of(x, &x->b), complex_ld(&x->b), both + 1,
                           start_of(x, &x->c), complex_ld(&x->c));
}

static int wrong_complex(const struct complex_call *z)
{
    const struct call_data *x = &z->x;
    struct result c = result_of(x);
    int wrong = 0;
    for (int j = 0; j < x->n; j++)
        for (int i = 0; i < x->m; i++) {
            size_t place = place_in_c(x, 2 * i, j);
            double complex sum = 0,
                           old = z->beta != 0 ? complex_at(&x->c, CUBLAS_OP_N, i, j) : 0;
            for (int l = 0; l < x->k && z->alpha != 0; l++)
                sum += complex_at(&x->a, x->ta, i, l) * complex_at(&x->b, x->tb, l, j);
            sum = z->alpha * sum + z->beta * old;
            wrong += take_element(x, c, place) != creal(sum);
            wrong += take_element(x, c, place + 1) != cimag(sum);
        }
    return wrong + is_changed_outside(x, c);
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
        SUCCEEDS(gemm, run_complex(gemm, &x, late ? scalars : both));
        struct ladder_done done = ladder_gemm_last(gemm);
        EXPECT(wrong_complex(&x) == 0, "call %d: %d x %d x %d by %s", t, m, n, k,
               done.ran.variant);
        EXPECT((done.workspace_bytes > 0) == (multiplies && !none), "call %d: %zu bytes", t,
               done.workspace_bytes);
        EXPECT(done.fell_back || !none || !multiplies, "call %d", t);
        EXPECT(ran_by(gemm, "none") == !multiplies, "%s", done.ran.variant);
        destroy_matrices(&x.x);
    }
    SUCCEEDS(gemm, ladder_gemm_set_workspace(gemm, NULL, 0));
    ladder_gemm_limit_workspace(gemm, SIZE_MAX);
    ladder_gemm_device_scalars(gemm, 0), ladder_gemm_force(gemm, NULL);
    ladder_gemm_measure(gemm, 0);
    for (int edge = 127; edge < 129; edge++) { /* 16 leaves */
        struct complex_call x = make_complex(128, edge, 130, 0, 1, 1);
        const double complex both[] = {1, 1}, off[] = {CMPLX(0, 1), 0};
        EXPECT(run_complex(gemm, &x, both) == 0 && wrong_complex(&x) == 0, "%d", edge);
        EXPECT((ladder_gemm_last(gemm).workspace_bytes > 0) == (edge == 128), "%d", edge);
        EXPECT(ladder_zgemm_64(gemm, x.x.ta, x.x.tb, 1, 1, 1, (const cuDoubleComplex *)off,
                               NULL, 1, NULL, 1, (const cuDoubleComplex *)off, NULL, 1) == 8,
               "alpha = i reads A");
        bring(scalars, both, sizeof both);
        ladder_gemm_device_scalars(gemm, 1);
        EXPECT(run_complex(gemm, &x, scalars) == 0 && !gemm->same.of,
               "a product of the parts is remembered");
        ladder_gemm_device_scalars(gemm, 0);
        x.x.b.ld = 2 * 129;
        EXPECT(run_complex(gemm, &x, both) == 11 &&
                   strcmp(ladder_gemm_message(gemm), "ladder_zgemm: argument 11 is wrong") == 0,
               "%s", ladder_gemm_message(gemm));
        EXPECT(ladder_zgemm_64(gemm, x.x.ta, x.x.tb, -3000000000, 1, 1, NULL, NULL, 1, NULL, 1,
                               NULL, NULL, 1) == 4,
               "%s", ladder_gemm_message(gemm));
        destroy_matrices(&x.x);
    }
    cudaFree(scalars), cudaFree(memory);
    ladder_gemm_destroy(gemm);
}

/* The parts and the workspace together stay within the limit, which either of them fits. */
static void complex_limit(void)
{
    enum { LIMIT = 320000, N = 64 };
    const double complex both[] = {1, 0};
    ladder_gemm_t gemm = handle(NULL);
    ladder_gemm_limit_workspace(gemm, LIMIT);
    for (int i = 0; i < 4; i++) {
        struct complex_call z = make_complex(N, N, N, 0, 1, 0);
        struct call_data x = call_of(N, N, N, 0, 1, 0);
        x.wide = true;
        force(gemm, "one-pass", 2);
        check(gemm, x, "before a complex one");
        EXPECT(ran_by(gemm, "one-pass"), "%s", ladder_gemm_message(gemm));
        force(gemm, "plain", 1);
        EXPECT(run_complex(gemm, &z, both) == 0 && wrong_complex(&z) == 0, "%s",
               ladder_gemm_message(gemm));
        EXPECT(gemm->parts.held > 0 && gemm->workspace.held + gemm->parts.held <= LIMIT,
               "%zu + %zu bytes", gemm->workspace.held, gemm->parts.held);
        destroy_matrices(&z.x);
    }
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
    SUCCEEDS(gemm, run_complex(gemm, &x, both));
    ladder_gemm_set_stream(gemm, stream);
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SUCCEEDS(gemm, run_complex(gemm, &y, both));
    SUCCEEDS(gemm, run_complex(gemm, &x, both));
    void *before = bytes_of(&x.x, &x.x.c);
    replay_capture(stream, 2, x.x.c.device, before, x.x.c.elements * sizeof(double));
    free(before);
    EXPECT(wrong_complex(&x) == 0 && wrong_complex(&y) == 0, "in a graph");
    EXPECT(run_complex(gemm, &x, both) == 0 && wrong_complex(&x) == 0, "after it");
    destroy_matrices(&x.x), destroy_matrices(&y.x);
    ladder_gemm_destroy(gemm);
    cudaStreamDestroy(stream);
}

/* The elements of a column are real and imaginary parts in turn. */
static double nearly_real(int line, int l, double u)
{
    (void)line;
    return l % 2 ? ldexp(u, -30) : u;
}

/* The errors of both parts keep their bounds. Where the imaginary parts of A and B are small,
   that of the product is less exact than the bound of four products allows. */
static void complex_errors(void)
{
    enum { N = 48 };
    const double complex both[] = {1, 0};
    ladder_gemm_t gemm = handle(NULL);
    struct call_data x = call_of(N, N, N, 0, 1, 0);
    double worst = 0, of_four = 0;
    x.wide = true;
    x.a = filled(&x, CUBLAS_OP_N, 2 * N, N, true, 1, nearly_real);
    x.b = filled(&x, CUBLAS_OP_N, 2 * N, N, true, 2, nearly_real);
    x.c = filled(&x, CUBLAS_OP_N, 2 * N, N, true, 3, NULL);
    struct complex_call z = {x, 1, 0};
    force(gemm, "cublas", 0);
    SUCCEEDS(gemm, run_complex(gemm, &z, both));
    double *got = fetched(&x, &x.c);
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
            const double *at = got + place_in_c(&x, 2 * i, j), unit = (N + 4) * 0x1p-53;
            double of_re = (double)fabsl(at[0] - re), of_im = (double)fabsl(at[1] - im);
            worst = fmax(worst, of_re / (unit * (double)squares));
            worst = fmax(worst, of_im / (unit * (double)(squares + sums)));
            of_four = fmax(of_four, of_im / (unit * (double)crossed));
        }
    EXPECT(worst <= 1, "%g times the bound of three products", worst);
    EXPECT(of_four > 1, "%g times the bound of four products", of_four);
    free(got);
    destroy_matrices(&x);
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
        struct call_data x = call_of(n, n, k, 2 * ta, 1, 0);
        x.wide = true, x.extra = t % 3;
        x = with_matrices(x, 1, alpha != 0 || late ? integer : NULL, NULL,
                          beta != 0 ? integer : NULL);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (lower ? i < j : i > j)
                    x.c.host[place_in_c(&x, i, j)] = NAN;
        bring(x.c.device, x.c.host, x.c.elements * sizeof(double));
        bring(scalars, both, sizeof both);
        struct ladder_plan plan = plans[t % 2];
        EXPECT(ladder_gemm_force(gemm, t < 50 ? &plan : NULL) == 0, "%s", plan.variant);
        ladder_gemm_device_scalars(gemm, late);
        EXPECT(ladder_dsyrk_64(gemm, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                               x.ta, n, k, late ? scalars : both, start_of(&x, &x.a), x.a.ld,
                               late ? scalars + 1 : both + 1, start_of(&x, &x.c), x.c.ld) == 0,
               "%s", ladder_gemm_message(gemm));
        EXPECT(t >= 50 ||
                   ran_by(gemm, "two-levels") == (t % 2 && halves && (late || alpha != 0)),
               "call %d: %s", t, ladder_gemm_last(gemm).ran.variant);
        struct result c = result_of(&x);
        int wrong = 0;
        for (int j = 0; j < n; j++)
            for (int i = lower ? j : 0; i < (lower ? n : j + 1); i++) {
                size_t place = place_in_c(&x, i, j);
                double sum = beta != 0 ? beta * x.c.host[place] : 0;
                for (int l = 0; l < k && alpha != 0; l++)
                    sum += alpha * a_at(&x, i, l) * a_at(&x, j, l);
                wrong += take_element(&x, c, place) != sum;
            }
        wrong += is_changed_outside(&x, c);
        EXPECT(wrong == 0, "call %d: %d elements of %d x %d x %d by %s", t, wrong, n, n, k,
               ladder_gemm_last(gemm).ran.variant);
        destroy_matrices(&x);
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
    {"products", complex_products}, {"limit", complex_limit}, {"graphs", complex_graphs},
    {"errors", complex_errors},     {"triangle", triangle},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    return has_gpu() ? end_of_cases(run_cases(cases, sizeof cases / sizeof *cases, name))
                     : SKIPPED;
}
