/* SPDX-License-Identifier: MIT */
/** @file random-cases.c
 * Random calls of ladder_gemm.h on one handle, whose settings change at random in between,
 * against a product in double: random-cases [SEED [CALLS]]. All that a call may not read is NaN
 * (around A and B, in the gaps of their leading dimensions, C where beta is 0), and all that it
 * may not write must keep its bits.
 */
#include <math.h>

#include "cases.h"
#include "library.h"

enum { GUARD = 8, LONGEST = 150 };

/* ---- Choices ---- */

static uint64_t seed = 1, drawn;

/* 0 to count - 1. */
static int draw(int count)
{
    return (int)(random_bits((seed << 32 | ++drawn) * RANDOM_STEP) % (unsigned)count);
}

static double uniform(void)
{
    return random_uniform(random_bits((seed << 32 | ++drawn) * RANDOM_STEP));
}

/* Edges of all kinds: small ones, multiples of powers of two, one beside them, any. */
static int draw_edge(void)
{
    int edge = 1 + draw(LONGEST), power = 8 << draw(3);
    switch (draw(6)) {
    case 0:
        return 1 + draw(4);
    case 1:
    case 2:
        return (edge + power - 1) / power * power;
    case 3:
        return (edge + power - 1) / power * power + (draw(2) ? 1 : -1);
    default:
        return edge;
    }
}

static double draw_factor(void)
{
    static const double factors[] = {0, 1, 1, -1, 2.5, -0.3125};
    return factors[draw(6)];
}

/* ---- A call ---- */

/* A matrix of `lines` by `count` elements, lines side by side; on the host in double. */
struct guarded_matrix {
    int lines, count, ld;
    size_t elements, first; /* with guards; where it begins */
    double *host;
    void *device;
};

struct call_data {
    bool wide, rows;
    int m, n, k;
    cublasOperation_t ta, tb;
    double alpha, beta;
    struct guarded_matrix a, b, c;
};

static size_t size_of(const struct call_data *x)
{
    return x->wide ? sizeof(double) : sizeof(float);
}

/* What the GPU has of it. */
static void *bytes_of(const struct call_data *x, const struct guarded_matrix *y)
{
    void *bytes = malloc(y->elements * size_of(x));
    for (size_t i = 0; i < y->elements; i++) {
        if (x->wide)
            ((double *)bytes)[i] = y->host[i];
        else
            ((float *)bytes)[i] = (float)y->host[i];
    }
    return bytes;
}

/* Numbers within a power of two that is the same for all, so that bounds are those of the
 * matrix. */
static struct guarded_matrix make(const struct call_data *x, int lines, int count,
                                  bool readable)
{
    struct guarded_matrix y = {lines, count, lines + (draw(2) ? draw(9) : 0)};
    y.ld += y.ld == 0;
    int shift = draw(2) ? 0 : draw(5);
    y.first = (size_t)(GUARD + shift);
    y.elements = y.first + (size_t)y.ld * count + GUARD;
    y.host = malloc(y.elements * sizeof *y.host);
    for (size_t i = 0; i < y.elements; i++)
        y.host[i] = NAN;
    for (int j = 0; readable && j < count; j++)
        for (int i = 0; i < lines; i++)
            y.host[y.first + i + (size_t)j * y.ld] =
                x->wide ? uniform() : (double)(float)uniform();
    void *bytes = bytes_of(x, &y);
    must(cudaMalloc(&y.device, y.elements * size_of(x)));
    must(cudaMemcpy(y.device, bytes, y.elements * size_of(x), cudaMemcpyHostToDevice));
    free(bytes);
    return y;
}

static void destroy(struct guarded_matrix *x)
{
    cudaFree(x->device);
    free(x->host);
}

static double at(const struct guarded_matrix *x, bool turned, int i, int j)
{
    return x->host[x->first + (turned ? j + (size_t)i * x->ld : i + (size_t)j * x->ld)];
}

/* `late`: alpha is on the device, where it is known too late for cuBLAS to leave A and B
 * unread. */
static struct call_data draw_call(bool late)
{
    struct call_data x = {.wide = draw(3) == 0, .rows = draw(3) == 0};
    x.m = draw(40) ? draw_edge() : 0, x.n = draw(40) ? draw_edge() : 0,
    x.k = draw(40) ? draw_edge() : 0;
    x.ta = (cublasOperation_t)draw(3), x.tb = (cublasOperation_t)draw(3);
    x.alpha = draw_factor(), x.beta = draw_factor();
    bool a_turned = (x.ta != CUBLAS_OP_N) != x.rows, b_turned = (x.tb != CUBLAS_OP_N) != x.rows;
    bool read = late || x.alpha != 0;
    x.a = make(&x, a_turned ? x.k : x.m, a_turned ? x.m : x.k, read);
    x.b = make(&x, b_turned ? x.n : x.k, b_turned ? x.k : x.n, read);
    x.c = make(&x, x.rows ? x.n : x.m, x.rows ? x.m : x.n, x.beta != 0);
    return x;
}

static int run(ladder_gemm_t gemm, const struct call_data *x, const void *scalars)
{
    size_t size = size_of(x);
    const char *a = (char *)x->a.device + x->a.first * size,
               *b = (char *)x->b.device + x->b.first * size;
    char *c = (char *)x->c.device + x->c.first * size;
    const void *alpha = scalars, *beta = (const char *)scalars + size;
    if (x->wide)
        return (x->rows ? ladder_dgemm_row_major : ladder_dgemm)(
            gemm, x->ta, x->tb, x->m, x->n, x->k, alpha, (const double *)a, x->a.ld,
            (const double *)b, x->b.ld, beta, (double *)c, x->c.ld);
    return (x->rows ? ladder_sgemm_row_major : ladder_sgemm)(
        gemm, x->ta, x->tb, x->m, x->n, x->k, alpha, (const float *)a, x->a.ld,
        (const float *)b, x->b.ld, beta, (float *)c, x->c.ld);
}

/* The error that an element may have: numbers are below 1. A level adds four times, and what
 * tensor cores lose of a term is lost 8 times a level. */
static double allowed_error(const struct call_data *x, struct ladder_plan ran, double sum,
                            double old)
{
    double unit = x->wide ? 0x1p-53 : 0x1p-24, of_a_term = 8 * unit * pow(4, ran.levels);
    if (strcmp(ran.variant, "fp16") == 0)
        of_a_term = (0x1p-22 + 0x1p-23) * pow(8, ran.levels);
    if (strcmp(ran.variant, "int8") == 0)
        of_a_term = (0x1p-16 + 0x1p-23) * pow(8, ran.levels);
    return fabs(x->alpha) * (x->k + 8) * of_a_term +
           4 * unit * (fabs(x->alpha * sum) + fabs(x->beta * old));
}

/* The error of the worst element in units of what is allowed; huge when bits changed that may
 * not. */
static double judge(const struct call_data *x, struct ladder_plan ran)
{
    const struct guarded_matrix *c = &x->c;
    size_t size = size_of(x), bytes = c->elements * size;
    char *got = malloc(bytes), *before = bytes_of(x, c);
    double worst = 0;
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(got, c->device, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            size_t place = c->first + (x->rows ? j + (size_t)i * c->ld : i + (size_t)j * c->ld);
            double sum = 0, old = x->beta == 0 ? 0 : c->host[place], value;
            for (int l = 0; l < x->k && x->alpha != 0; l++)
                sum += at(&x->a, (x->ta != CUBLAS_OP_N) != x->rows, i, l) *
                       at(&x->b, (x->tb != CUBLAS_OP_N) != x->rows, l, j);
            value = x->wide ? ((double *)got)[place] : (double)((float *)got)[place];
            double error = fabs(value - (x->alpha * sum + x->beta * old)) /
                           (allowed_error(x, ran, sum, old) + 1e-300);
            worst = error <= worst ? worst : isnan(error) ? HUGE_VAL : error;
            memcpy(got + place * size, before + place * size, size);
        }
    if (memcmp(got, before, bytes) != 0)
        worst = HUGE_VAL;
    const struct guarded_matrix *read_only[] = {&x->a, &x->b};
    for (int i = 0; i < 2; i++) {
        bytes = read_only[i]->elements * size;
        char *now = malloc(bytes), *was = bytes_of(x, read_only[i]);
        must(cudaMemcpy(now, read_only[i]->device, bytes, cudaMemcpyDeviceToHost));
        if (memcmp(now, was, bytes) != 0)
            worst = HUGE_VAL;
        free(now), free(was);
    }
    free(got), free(before);
    return worst;
}

/* ---- Settings ---- */

struct settings {
    cudaStream_t streams[2];
    void *workspace;
    size_t workspace_bytes;
    void *scalars; /* on the device */
    bool on_device;
};

static void change_settings(ladder_gemm_t gemm, struct settings *s)
{
    static const struct ladder_plan plans[] = {
        {"cublas", 0, 0},   {"own", 0, 0},        {"plain", 1, 0},      {"plain", 3, 0},
        {"one-pass", 2, 0}, {"overlapped", 2, 0}, {"overlapped", 3, 0}, {"batched", 1, 0},
        {"batched", 3, 0},  {"two-levels", 2, 0}, {"two-levels", 4, 0}, {"beside", 3, 5},
        {"beside", 4, 132}, {"fp16", 0, 0},       {"fp16", 2, 0},       {"int8", 0, 0},
        {"int8", 1, 0}};
    enum { PLANS = sizeof plans / sizeof *plans };
    int plan = draw(PLANS + 6);
    EXPECT(ladder_gemm_force(gemm, plan < PLANS ? &plans[plan] : NULL) == 0, "plan %d", plan);
    EXPECT(ladder_gemm_set_math_mode(gemm, draw(3)) == 0, "a mode");
    ladder_gemm_most_levels(gemm, draw(4) ? 6 : draw(3));
    ladder_gemm_measure(gemm, draw(4) != 0);
    if (draw(4) == 0)
        ladder_gemm_limit_workspace(gemm, draw(2) ? SIZE_MAX : (size_t)draw(1 << 19));
    if (draw(4) == 0)
        EXPECT(ladder_gemm_set_workspace(gemm, draw(2) ? s->workspace : NULL,
                                         s->workspace_bytes) == 0,
               "workspace");
    int stream = draw(6);
    if (stream < 3)
        ladder_gemm_set_stream(gemm, stream < 2 ? s->streams[stream] : NULL);
    s->on_device = draw(4) == 0;
    ladder_gemm_device_scalars(gemm, s->on_device);
}

/* One call, after settings have changed. Returns its worst error, in units of what is allowed.
 */
static double call_once(ladder_gemm_t gemm, struct settings *s, int number)
{
    change_settings(gemm, s);
    struct call_data x = draw_call(s->on_device);
    double scalars[2] = {x.alpha, x.beta};
    float narrow[2] = {(float)x.alpha, (float)x.beta};
    const void *both = x.wide ? (void *)scalars : (void *)narrow;
    if (s->on_device) {
        must(cudaMemcpy(s->scalars, both, 2 * size_of(&x), cudaMemcpyHostToDevice));
        both = s->scalars;
    }
    must(cudaDeviceSynchronize()); /* the copies, whatever the stream */
    int status = run(gemm, &x, both);
    struct ladder_done done = ladder_gemm_last(gemm);
    double worst = status ? HUGE_VAL : judge(&x, done.ran);
    EXPECT(worst <= 1,
           "call %d: status %d, %g times what is allowed: %d x %d x %d in %s, %s-major, ops %d "
           "%d, alpha %g, beta %g, leading dimensions %d %d %d, offsets %zu %zu %zu, scalars "
           "%d, plan %s with %d levels, %s with %d ran: %s",
           number, status, worst, x.m, x.n, x.k, x.wide ? "double" : "float",
           x.rows ? "row" : "column", x.ta, x.tb, x.alpha, x.beta, x.a.ld, x.b.ld, x.c.ld,
           x.a.first - GUARD, x.b.first - GUARD, x.c.first - GUARD, s->on_device,
           done.plan.variant, done.plan.levels, done.ran.variant, done.ran.levels,
           ladder_gemm_message(gemm));
    destroy(&x.a), destroy(&x.b), destroy(&x.c);
    return worst;
}

int main(int argc, char **argv)
{
    int calls = argc > 2 ? atoi(argv[2]) : 300;
    double worst = 0;
    struct settings s = {.workspace_bytes = 300000};
    if (!has_gpu())
        return SKIPPED;
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    ladder_gemm_t gemm = handle(NULL);
    for (int i = 0; i < 2; i++)
        must(cudaStreamCreateWithFlags(&s.streams[i], cudaStreamNonBlocking));
    must(cudaMalloc(&s.workspace, s.workspace_bytes));
    must(cudaMalloc(&s.scalars, 2 * sizeof(double)));
    for (int i = 0; i < calls; i++)
        worst = fmax(worst, call_once(gemm, &s, i));
    ladder_gemm_destroy(gemm);
    cudaFree(s.workspace), cudaFree(s.scalars);
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(s.streams[i]);
    printf("worst error: %.3g of what is allowed\n", worst);
    return end_of_cases(calls);
}
