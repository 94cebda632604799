/* SPDX-License-Identifier: MIT */
/** @file exact_rungs.cu
 * --rungs. It makes matrices on the GPU and compares sampled elements there; the program
 * without --rungs checks every element.
 */
#include "exact_rungs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "exact_batch.h"
#include "common/command/options.h"
#include "common/measure/json.h"
#include "common/measure/threshold.h"
#include "common/measure/timing_loop.h"

enum {
    RUNG_BLOCKS = 1024,
    RUNG_THREADS = 256,
    SAMPLES = 64, /* rows, and columns, of C that are compared */
    RUNGS_MOST = 16,
    ROUNDS_MOST = 9,
    ROUNDS_MS = 5000
};

/// [model]
/* A rung: a variant at one number of levels, and its number of moduli. */
struct exact_rung {
    const char *variant;
    int levels, moduli;
    long least, largest; /* the smallest and the largest n for which it is measured */
};
static const struct exact_rung rungs[] = {
    {"residues-cublas", 0, MODULI_EXACT, 0, 16384},
    {"residues", 0, MODULI_EXACT, 0, 1L << 20},
    {"residues", 1, MODULI_EXACT, 0, 1L << 20},
    {"residues", 2, MODULI_EXACT, 8192, 24576},
    {"fewer", 1, MODULI_FEWER, 4096, 1L << 20},
    {"more", 1, MODULI_MORE, 4096, 24576},
    {"shared-moduli", 0, MODULI_EXACT, 0, 1L << 20},
    {"shared-moduli", 1, MODULI_EXACT, 0, 1L << 20},
};

/* Per millisecond on this GPU: operations of cuBLAS's products of bytes, bytes of a copy, and
   bytes of a copy to another GPU. */
struct exact_rates {
    double byte_products, bytes, bytes_between;
};

/* Each level saves an eighth of the products. In addition A is read twice (the second time from
   the cache) and B three times, the factors are written, C's residues are read, and C is
   written; the products' own reads and writes overlap with their arithmetic. cuBLAS's sums are
   written and read as ints. `here` moduli are multiplied on this GPU. */
static double predicted_exact_ms(const struct exact_rung *r, int here, struct product p,
                                 const struct exact_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols, grown = pow(7.0 / 4, r->levels);
    double products = here * pow(7.0 / 8, r->levels) * 2 * m * n * k / rates->byte_products;
    double bytes = 16 * m * k + 24 * k * n + here * grown * (m * k + k * n) +
                   r->moduli * grown * m * n + 8 * m * n;
    if (strcmp(r->variant, "residues-cublas") == 0)
        bytes += r->moduli * grown * 9 * m * n;
    return products + bytes / rates->bytes;
}
/// [model]

/* On several GPUs the slowest one decides: GPU 0, or the last, which has the largest share of
   the others. It begins when A and B have come, and its last modulus's products are sent when
   all are multiplied. */
static double predicted_shared_ms(const struct exact_rung *r, int gpus, struct product p,
                                  const struct exact_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols, grown = pow(7.0 / 4, r->levels);
    int first = share_of(r->moduli, gpus, 0).count,
        last = share_of(r->moduli, gpus, gpus - 1).count;
    double copies = (8 * (m * k + k * n) + grown * m * n) / rates->bytes_between;
    return fmax(predicted_exact_ms(r, first, p, rates),
                copies + predicted_exact_ms(r, last, p, rates));
}

/* ---- Data and errors ---- */

/* Uniform in [-1, 1], or with --data 1 normal. */
static __device__ double exact_element_at(size_t i, unsigned seed, int data)
{
    uint64_t counter = (i + 1) * RANDOM_STEP + seed * 0xd1b54a32d192ed03ull;
    double u = random_uniform(random_bits(counter));
    if (data == 0)
        return u;
    return sqrt(-2 * log((u + 1) / 2 + 0x1p-54)) *
           cos(3.14159265358979323846 * random_uniform(random_bits(~counter)));
}

static __global__ void fill_exact_kernel(double *x, size_t count, unsigned seed, int data)
{
    for (size_t i = blockIdx.x * (size_t)RUNG_THREADS + threadIdx.x; i < count;
         i += (size_t)RUNG_BLOCKS * RUNG_THREADS)
        x[i] = exact_element_at(i, seed, data);
}

/* Row and column of a sampled element: different places in tiles, and samples in all blocks. */
static __host__ __device__ long sampled(long i, long size)
{
    return (i * size / SAMPLES + i * 37 % (size / SAMPLES > 0 ? size / SAMPLES : 1)) % size;
}

/// [twice]
/* The sampled elements in twice the precision: every product and every sum keeps its round-off
   error. */
static __global__ void twice_kernel(const double *a, const double *b, long m, long n, long k,
                                    double *high, double *low)
{
    long row = sampled(blockIdx.x, m), col = sampled(threadIdx.x, n);
    double sum = 0, rest = 0;
    for (long l = 0; l < k; l++) {
        double x = a[row * k + l], y = b[l * n + col], product = x * y;
        double of_product = fma(x, y, -product);
        double next = sum + product, back = next - sum;
        double of_sum = (sum - (next - back)) + (product - back);
        sum = next, rest += of_product + of_sum;
    }
    int at = blockIdx.x * SAMPLES + threadIdx.x;
    high[at] = sum + rest;
    low[at] = rest - (high[at] - sum);
}
/// [twice]

static __global__ void sample_kernel(const double *c, long m, long n, double *to)
{
    to[blockIdx.x * SAMPLES + threadIdx.x] =
        c[sampled(blockIdx.x, m) * n + sampled(threadIdx.x, n)];
}

static __global__ void other_bits_kernel(const unsigned long long *x,
                                         const unsigned long long *y, size_t count,
                                         int *differs)
{
    for (size_t i = blockIdx.x * (size_t)RUNG_THREADS + threadIdx.x; i < count;
         i += (size_t)RUNG_BLOCKS * RUNG_THREADS)
        if (x[i] != y[i])
            *differs = 1;
}

/* Matrices of one size on the GPU. */
struct exact_data {
    long m, n, k;
    double *a, *b, *c, *first, *sample; /* first: C of the first rung with MODULI_EXACT */
    double high[SAMPLES * SAMPLES], low[SAMPLES * SAMPLES];
    int *differs;
};

static void free_exact_data(struct exact_data *d)
{
    void *all[] = {d->a, d->b, d->c, d->first, d->sample, d->differs};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        backend.release(all[i]);
}

static bool make_exact_data(struct exact_data *d, int data)
{
    const size_t samples = sizeof d->high;
    d->a = (double *)backend.allocate(d->m * d->k * sizeof(double));
    d->b = (double *)backend.allocate(d->k * d->n * sizeof(double));
    d->c = (double *)backend.allocate(d->m * d->n * sizeof(double));
    d->first = (double *)backend.allocate(d->m * d->n * sizeof(double));
    d->sample = (double *)backend.allocate(2 * samples);
    d->differs = (int *)backend.allocate(sizeof(int));
    if (!d->a || !d->b || !d->c || !d->first || !d->sample || !d->differs)
        return false;
    fill_exact_kernel<<<RUNG_BLOCKS, RUNG_THREADS>>>(d->a, d->m * d->k, 1, data);
    fill_exact_kernel<<<RUNG_BLOCKS, RUNG_THREADS>>>(d->b, d->k * d->n, 2, data);
    twice_kernel<<<SAMPLES, SAMPLES>>>(d->a, d->b, d->m, d->n, d->k, d->sample,
                                       d->sample + SAMPLES * SAMPLES);
    CHECK_LAUNCH();
    backend.download(d->high, d->sample, samples);
    backend.download(d->low, d->sample + SAMPLES * SAMPLES, samples);
    return true;
}

/* ---- Timing ---- */

/* A variant with the data of one size. */
struct exact_run {
    const struct variant *variant; /* NULL: cublasDgemm */
    const struct exact_rung *rung;
    const struct context *context;
    struct product p;
    real *workspace;
    int gpus;
    double predicted, mean, most,
        nearest;              /* nearest: the share of correctly rounded elements */
    bool compared, same_bits; /* with the first rung's C */
};

static double run_exact_once(void *what)
{
    struct exact_run *r = (struct exact_run *)what;
    backend.start();
    if (r->variant)
        r->variant->multiply(r->context, r->p, r->rung->levels, r->workspace);
    else
        backend.vendor_multiply(PRECISION_F64, r->p);
    return backend.stop();
}

/* Measures the errors of sampled elements. With MODULI_EXACT moduli also checks that all of C
   has the same bits as in the first such rung. */
static void check_exact(struct exact_run *r, const struct exact_data *d, bool *is_first)
{
    static double got[SAMPLES * SAMPLES];
    size_t count = d->m * d->n, bytes = count * sizeof(double);
    int differs = 0;
    CUDA_CHECK(cudaMemset(d->c, 0xff, bytes));
    run_exact_once(r);
    sample_kernel<<<SAMPLES, SAMPLES>>>(d->c, d->m, d->n, d->sample);
    CHECK_LAUNCH();
    backend.download(got, d->sample, sizeof got);
    r->mean = r->most = r->nearest = 0;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        double error = fabs((got[i] - d->high[i]) - d->low[i]);
        r->mean += error / (SAMPLES * SAMPLES);
        r->most = error > r->most || isnan(error) ? error : r->most;
        r->nearest += (got[i] == d->high[i]) / (double)(SAMPLES * SAMPLES);
    }
    r->same_bits = true;
    if (!r->variant || r->rung->moduli != MODULI_EXACT)
        return;
    if (*is_first) {
        CUDA_CHECK(cudaMemcpy(d->first, d->c, bytes, cudaMemcpyDeviceToDevice));
        *is_first = false;
        return;
    }
    CUDA_CHECK(cudaMemset(d->differs, 0, sizeof(int)));
    other_bits_kernel<<<RUNG_BLOCKS, RUNG_THREADS>>>(
        (unsigned long long *)d->c, (unsigned long long *)d->first, count, d->differs);
    CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&differs, d->differs, sizeof differs, cudaMemcpyDeviceToHost));
    r->compared = true, r->same_bits = !differs;
}

static void report_exact(const struct options *o, const struct exact_run *r,
                         const struct contestant *own, const struct contestant *vendor,
                         int data)
{
    const char *name = r->variant ? r->variant->name : "cublasDgemm";
    int levels = r->rung ? r->rung->levels : 0, moduli = r->rung ? r->rung->moduli : 0;
    double ratio = vendor->timing.median / own->timing.median;
    double flops = 2e-6 * r->p.c.rows * r->p.c.cols * r->p.a.cols;
    if (o->json) {
        struct json j = json_begin(stdout);
        json_text(&j, "step", "23-exact"), json_text(&j, "variant", name);
        json_text(&j, "backend", backend.name), json_text(&j, "device", backend.device());
        json_text(&j, "precision", "f64"), json_whole(&j, "data", data);
        json_whole(&j, "m", r->p.c.rows), json_whole(&j, "n", r->p.c.cols);
        json_whole(&j, "k", r->p.a.cols), json_whole(&j, "levels", levels);
        json_whole(&j, "moduli", moduli), json_whole(&j, "gpus", r->gpus);
        json_whole(&j, "reps", own->timing.reps);
        json_number(&j, "ms_median", own->timing.median);
        json_number(&j, "ms_min", own->timing.min), json_number(&j, "ms_max", own->timing.max);
        json_number(&j, "gflops", flops / own->timing.median);
        json_text(&j, "reference", backend.vendor(1));
        json_number(&j, "reference_ms_median", vendor->timing.median);
        json_number(&j, "ratio", ratio), json_number(&j, "max_error", r->most);
        json_number(&j, "mean_error", r->mean), json_number(&j, "nearest", r->nearest);
        if (r->compared)
            json_bool(&j, "same_bits", r->same_bits);
        else
            json_text(&j, "same_bits", NULL);
        json_number(&j, "predicted_ms", r->predicted);
        json_end(&j);
    } else
        printf("%6ld %-16s %2d %6d %10.3f %10.3f %8.2f %10.2e %10.2e %8.3f%s\n", r->p.c.cols,
               name, levels, moduli, r->predicted, own->timing.median, ratio, r->mean, r->most,
               r->nearest, r->same_bits ? "" : "  OTHER bits");
    fflush(stdout);
}

/* Times cuBLAS's products of bytes, on the bytes of A and B as they are, and copies of C. */
static struct exact_rates measure_exact_rates(const struct exact_data *d, int gpus)
{
    enum { RUNS = 5 };
    double product[RUNS], copy[RUNS];
    int n = (int)smaller(smaller(smaller(d->m, d->n), d->k), 8192) / 16 * 16;
    const int one = 1, zero = 0;
    size_t bytes = d->m * d->n * sizeof(double);
    CUDA_CHECK(cudaMemset(d->first, 0, bytes));
    for (int i = -1; i < RUNS; i++) {
        int run = i < 0 ? 0 : i;
        backend.start();
        CUDA_CHECK(cudaMemcpyAsync(d->c, d->first, bytes, cudaMemcpyDeviceToDevice, 0));
        copy[run] = backend.stop();
        backend.start();
        CUBLAS_CHECK(cublasGemmEx(gpu_cublas(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, d->b,
                                  CUDA_R_8I, n, d->a, CUDA_R_8I, n, &zero, d->c, CUDA_R_32I, n,
                                  CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
        product[run] = backend.stop();
    }
    return (struct exact_rates){
        2.0 * n * n * n / timing_of(product, RUNS).median,
        2.0 * bytes / timing_of(copy, RUNS).median,
        gpus > 1 ? rate_between_gpus((struct block){d->first, d->m, d->n, d->n}) : 0};
}

/* Measures all rungs at one size. Returns an exit status. */
static int measure_exact_size(const struct options *o, struct exact_data *d, int data)
{
    static struct exact_run runs[RUNGS_MOST];
    static struct contestant contestants[RUNGS_MOST];
    struct context x = context_of(o);
    struct product p = product_of_size(d->m, d->n, d->k);
    size_t most = 1;
    double round_ms = 0;
    int count = 1, status = EXIT_RIGHT;
    bool is_first = true;
    int gpus = gpus_asked(&x);
    p.a.at = d->a, p.b.at = d->b, p.c.at = d->c;
    struct exact_rates rates = measure_exact_rates(d, gpus);
    memset(contestants, 0, sizeof contestants);
    runs[0] = (struct exact_run){NULL, NULL, &x, p, NULL, 1, NAN};
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        const struct variant *v = find_variant(o->step->variants, rungs[i].variant);
        bool shared = strcmp(v->name, "shared-moduli") == 0;
        if ((shared && gpus == 1) || larger(d->m, d->n) > rungs[i].largest ||
            larger(d->m, d->n) < rungs[i].least ||
            (o->variant && !is_listed(o->variant, v->name)))
            continue;
        runs[count] = (struct exact_run){
            v,
            &rungs[i],
            &x,
            p,
            NULL,
            shared ? gpus : 1,
            shared ? predicted_shared_ms(&rungs[i], gpus, p, &rates)
                   : predicted_exact_ms(&rungs[i], rungs[i].moduli, p, &rates)};
        size_t elements = v->workspace(&x, p, rungs[i].levels);
        most = elements > most ? elements : most;
        count++;
    }
    real *workspace = (real *)backend.allocate(most * sizeof(real));
    if (!workspace) {
        fprintf(stderr, "--rungs: no memory for %.1f GB of workspace at n = %ld\n",
                most * sizeof(real) * 1e-9, d->n);
        return EXIT_RESOURCE;
    }
    for (int i = 0; i < count; i++) {
        runs[i].workspace = workspace;
        check_exact(&runs[i], d, &is_first);
        contestants[i].run = run_exact_once, contestants[i].what = &runs[i];
        round_ms += run_exact_once(&runs[i]);
        if (!runs[i].same_bits)
            status = EXIT_WRONG;
    }
    time_in_turn(contestants, count, rounds_within(ROUNDS_MS, round_ms, 3, ROUNDS_MOST));
    for (int i = 0; i < count; i++)
        report_exact(o, &runs[i], &contestants[i], &contestants[0], data);
    backend.release(workspace);
    return status;
}

int measure_exact_rungs(const struct options *o)
{
    static const long sizes[] = {2048, 4096, 8192, 16384};
    static struct exact_data d; /* too large for the stack */
    int status = EXIT_RIGHT, data = (int)o->settings[SET_DATA_KIND];
    if (no_times("rungs", NULL))
        return EXIT_RESOURCE;
    if (!o->json)
        printf("on %s; errors of %d elements against sums in twice the precision\n\n"
               "%6s %-16s %2s %6s %10s %10s %8s %10s %10s %8s\n",
               backend.device(), SAMPLES * SAMPLES, "n", "variant", "L", "moduli", "predicted",
               "ms", "x dgemm", "mean error", "max error", "nearest");
    int one_size = o->n != o->step->default_n,
        count = one_size ? 1 : (int)(sizeof sizes / sizeof *sizes);
    for (int i = 0; i < count; i++) {
        memset(&d, 0, sizeof d);
        d.m = o->m, d.n = o->n, d.k = o->k;
        if (!one_size)
            d.m = d.n = d.k = sizes[i];
        if (make_exact_data(&d, data)) {
            int one = measure_exact_size(o, &d, data);
            status = one != EXIT_RIGHT ? one : status;
        } else {
            fprintf(stderr, "--rungs: no memory for n = %ld\n", d.n);
            status = EXIT_RESOURCE;
        }
        free_exact_data(&d);
    }
    return status;
}
