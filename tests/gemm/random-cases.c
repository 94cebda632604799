/* SPDX-License-Identifier: MIT */
/** @file random-cases.c
 * Random calls of ladder_gemm.h on one handle, whose settings change at random in between,
 * against a product in long double: random-cases [SEED | today [CALLS]]. `today` takes the date
 * as the seed, or LADDER_SEED where that is set; the program prints it. Rows of A and columns
 * of B may differ by powers of two, and products may be below the normal numbers. Some calls
 * are captured, and their graph runs twice.
 */
#include <math.h>
#include <time.h>

#include "library.h"
#include "product.h"

enum { LONGEST = 150 };

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

/* An edge of any kind: small, a multiple of a power of two, one more or less than that, or any
 * other. */
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

/* The sizes of a matrix's numbers: line i is times 2^shift, and times another power of two up
 * to 2^spread more or less. A line is a row of op(A) or a column of op(B). */
struct magnitude {
    int shift, spread;
    bool by_columns; /* as it is stored */
};

static struct guarded_matrix make(const struct call_data *x, int lines, int count,
                                  bool readable, struct magnitude where)
{
    int extra = draw(2) ? draw(9) : 0, shift = draw(2) ? 0 : draw(5);
    struct guarded_matrix y = matrix_of(lines, count, extra, shift);
    uint64_t of_lines = drawn * RANDOM_STEP;
    for (int j = 0; readable && j < count; j++)
        for (int i = 0; i < lines; i++) {
            uint64_t line = (uint64_t)(where.by_columns ? j : i);
            int more = (int)(random_bits(of_lines + line) % (2 * (unsigned)where.spread + 1));
            double value = ldexp(uniform(), where.shift + more - where.spread);
            y.host[y.first + i + (size_t)j * y.ld] = x->wide ? value : (double)(float)value;
        }
    copy_to_device(x, &y);
    return y;
}

/* Half of the matrices have lines of one size; half of A's are small. */
static struct magnitude draw_magnitude(bool wide)
{
    static const int spreads[] = {0, 0, 3, 20};
    struct magnitude x = {0, spreads[draw(4)] * (wide ? 10 : 1), false};
    int small = draw(4);
    if (small < 2) /* the numbers may be subnormal */
        x.shift = small ? (wide ? -540 : -75) : (wide ? -1050 : -140);
    return x;
}

/* `late`: alpha is on the device, so cuBLAS learns too late that it need not read A and B. */
static struct call_data draw_call(bool late)
{
    struct call_data x = {.wide = draw(3) == 0, .rows = draw(3) == 0};
    x.m = draw(40) ? draw_edge() : 0, x.n = draw(40) ? draw_edge() : 0,
    x.k = draw(40) ? draw_edge() : 0;
    x.ta = (cublasOperation_t)draw(3), x.tb = (cublasOperation_t)draw(3);
    x.alpha = draw_factor(), x.beta = draw_factor();
    bool a_turned = is_turned(&x, x.ta), b_turned = is_turned(&x, x.tb);
    bool read = late || x.alpha != 0;
    struct magnitude a = draw_magnitude(x.wide), b = draw_magnitude(x.wide), c = {0};
    if (a.shift <
        0) { /* products and C below the normal numbers, or near the smallest of them */
        b.shift = (x.wide ? -1075 : -150) + draw(24) - a.shift;
        c.shift = a.shift + b.shift;
    }
    a.by_columns = a_turned, b.by_columns = !b_turned;
    x.a = make(&x, a_turned ? x.k : x.m, a_turned ? x.m : x.k, read, a);
    x.b = make(&x, b_turned ? x.n : x.k, b_turned ? x.k : x.n, read, b);
    x.c = make(&x, x.rows ? x.n : x.m, x.rows ? x.m : x.n, x.beta != 0, c);
    return x;
}

/* ---- Settings ---- */

struct settings {
    cudaStream_t streams[2];
    void *workspace;
    size_t workspace_bytes;
    void *scalars; /* on the device */
    bool on_device;
    cudaStream_t stream; /* that is set */
    int mode;
};

static void change_settings(ladder_gemm_t gemm, struct settings *s)
{
    static const struct ladder_plan plans[] = {
        {"cublas", 0, 0},   {"own", 0, 0},         {"plain", 1, 0},      {"plain", 3, 0},
        {"one-pass", 2, 0}, {"overlapped", 2, 0},  {"overlapped", 3, 0}, {"batched", 1, 0},
        {"batched", 3, 0},  {"two-levels", 2, 0},  {"two-levels", 4, 0}, {"beside", 3, 5},
        {"beside", 4, 132}, {"fp16", 0, 0},        {"fp16", 2, 0},       {"int8", 0, 0},
        {"int8", 1, 0},     {"exact", 0, 0},       {"exact", 2, 0},      {"more", 1, 0},
        {"fewer", 1, 0},    {"reproducible", 1, 0}};
    enum { PLANS = sizeof plans / sizeof *plans };
    int plan = draw(PLANS + 6);
    EXPECT(ladder_gemm_force(gemm, plan < PLANS ? &plans[plan] : NULL) == 0, "plan %d", plan);
    s->mode = draw(4);
    EXPECT(ladder_gemm_set_math_mode(gemm, s->mode) == 0, "a mode");
    EXPECT(ladder_gemm_set_double_mode(gemm, draw(5)) == 0, "a mode of double");
    ladder_gemm_most_levels(gemm, draw(4) ? 6 : draw(3));
    ladder_gemm_measure(gemm, draw(4) != 0);
    ladder_gemm_set_accurate(gemm, draw(2));
    if (draw(4) == 0)
        ladder_gemm_limit_workspace(gemm, draw(2) ? SIZE_MAX : (size_t)draw(1 << 19));
    if (draw(4) == 0)
        EXPECT(ladder_gemm_set_workspace(gemm, draw(2) ? s->workspace : NULL,
                                         s->workspace_bytes) == 0,
               "workspace");
    int stream = draw(6);
    if (stream < 3) {
        s->stream = stream < 2 ? s->streams[stream] : NULL;
        ladder_gemm_set_stream(gemm, s->stream);
    }
    s->on_device = draw(4) == 0;
    ladder_gemm_device_scalars(gemm, s->on_device);
}

/* As run(), with A split before. */
static int run_prepared(ladder_gemm_t gemm, const struct call_data *x, const void *scalars)
{
    const float *alpha = scalars;
    ladder_prepared_t left = NULL;
    int status = ladder_gemm_prepare(gemm, &left, x->ta, x->m, x->k, start_of(x, &x->a),
                                     x->a.ld, x->n ? x->n : 1);
    if (!status)
        status = ladder_sgemm_prepared(gemm, left, x->tb, x->n, alpha, start_of(x, &x->b),
                                       x->b.ld, alpha + 1, start_of(x, &x->c), x->c.ld);
    ladder_gemm_end_prepared(left);
    return status;
}

/* As run(), captured; the graph runs twice on the same C. */
static int run_in_graph(ladder_gemm_t gemm, const struct call_data *x, const void *scalars,
                        cudaStream_t stream)
{
    void *before = bytes_of(x, &x->c);
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    int status = run(gemm, x, scalars);
    replay_capture(stream, 2, x->c.device, before, x->c.elements * size_of(x));
    free(before);
    return status;
}

/* One call, after settings have changed. Returns its worst error, in units of the limit.
 */
static double call_once(ladder_gemm_t gemm, struct settings *s, int number)
{
    change_settings(gemm, s);
    struct call_data x = draw_call(s->on_device);
    double scalars[2] = {x.alpha, x.beta};
    float narrow[2] = {(float)x.alpha, (float)x.beta};
    const void *both = x.wide ? (void *)scalars : (void *)narrow;
    if (s->on_device) {
        bring(s->scalars, both, 2 * size_of(&x));
        both = s->scalars;
    }
    int how = draw(4), status;
    if (how == 0 && !x.wide && !x.rows && s->mode % 3 > 0 && x.m > 0 && x.k > 0)
        status = run_prepared(gemm, &x, both);
    else if (how == 1 && s->stream)
        how = 2, status = run_in_graph(gemm, &x, both, s->stream);
    else
        how = 3, status = run(gemm, &x, both);
    static const char *const ways[] = {"prepared", "", "in a graph", "at once"};
    struct ladder_done done = ladder_gemm_last(gemm);
    double worst = status ? HUGE_VAL : judge(&x, done.ran);
    EXPECT(
        worst <= 1,
        "call %d, %s: status %d, %g times what is allowed: %d x %d x %d in %s, %s-major, ops "
        "%d %d, alpha %g, beta %g, leading dimensions %d %d %d, offsets %zu %zu %zu, scalars "
        "%d, plan %s with %d levels, %s with %d ran: %s",
        number, ways[how], status, worst, x.m, x.n, x.k, x.wide ? "double" : "float",
        x.rows ? "row" : "column", x.ta, x.tb, x.alpha, x.beta, x.a.ld, x.b.ld, x.c.ld,
        x.a.first - GUARD, x.b.first - GUARD, x.c.first - GUARD, s->on_device,
        done.plan.variant, done.plan.levels, done.ran.variant, done.ran.levels,
        ladder_gemm_message(gemm));
    destroy_matrices(&x);
    return worst;
}

/* The date as a number, such as 20260131; or LADDER_SEED. */
static uint64_t seed_of_today(void)
{
    const char *given = getenv("LADDER_SEED");
    time_t now = time(NULL);
    struct tm date = *gmtime(&now);
    return given
               ? strtoull(given, NULL, 10)
               : (uint64_t)((date.tm_year + 1900) * 100 + date.tm_mon + 1) * 100 + date.tm_mday;
}

int main(int argc, char **argv)
{
    int calls = argc > 2 ? atoi(argv[2]) : 300;
    double worst = 0;
    struct settings s = {.workspace_bytes = 300000};
    if (!has_gpu())
        return SKIPPED;
    if (argc > 1)
        seed = strcmp(argv[1], "today") == 0 ? seed_of_today() : strtoull(argv[1], NULL, 10);
    ladder_gemm_t gemm = handle(NULL);
    s.streams[0] = new_stream(), s.streams[1] = new_stream();
    must(cudaMalloc(&s.workspace, s.workspace_bytes));
    must(cudaMalloc(&s.scalars, 2 * sizeof(double)));
    for (int i = 0; i < calls; i++)
        worst = fmax(worst, call_once(gemm, &s, i));
    ladder_gemm_destroy(gemm);
    cudaFree(s.workspace), cudaFree(s.scalars);
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(s.streams[i]);
    printf("seed %llu: worst error: %.3g of what is allowed\n", (unsigned long long)seed,
           worst);
    return end_of_cases(calls);
}
