/* SPDX-License-Identifier: MIT */
/** @file exact_rungs.cu
 * --rungs. It makes matrices on the GPU and compares sampled elements there; the program
 * without --rungs checks every element.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "steps/18-modern/rungs/rungs.h"
#include "exact_batch.h"

enum { ROUNDS_MOST = 9, ROUNDS_MS = 5000 };

/* A rung: a variant at one number of levels, and its number of moduli. */
struct exact_rung {
    const char *variant;
    int levels, moduli;
    long least, largest; /* the smallest and the largest n for which it is measured */
};
static const struct exact_rung rungs[] = {
    {"residues-cublas", 0, MODULI_USUAL, 0, 16384},
    {"residues", 0, MODULI_USUAL, 0, 1L << 20},
    {"residues", 1, MODULI_USUAL, 0, 1L << 20},
    {"residues", 2, MODULI_USUAL, IS_FLOAT ? 0 : 8192, 24576},
    {"residues-mma", 0, MODULI_USUAL, 0, 1L << 20},
    {"residues-mma", 1, MODULI_USUAL, 0, 1L << 20},
    {"fewer", 1, MODULI_FEWER, 4096, 1L << 20},
    {"safe", 0, MODULI_USUAL, 0, 1L << 20},
    {"safe", 1, MODULI_USUAL, 0, 1L << 20},
    {"more", 1, MODULI_MORE, 4096, 24576},
    {"shared-moduli", 0, MODULI_USUAL, 0, 1L << 20},
    {"shared-moduli", 1, MODULI_USUAL, 0, 1L << 20},
};

/* Per millisecond on this GPU: operations of cuBLAS's multiplications of bytes, bytes of a
   copy, and bytes of a copy to another GPU. */
struct exact_rates {
    double byte_products, bytes, bytes_between;
};

/* Each level saves an eighth of the products. A and B are read twice. The factors and C are
   written, and C's residues read. The products' own accesses overlap with arithmetic. cuBLAS's
   sums are ints. `here` moduli are multiplied on this GPU. */
static double predicted_exact_ms(const struct exact_rung *r, int here, struct product p,
                                 const struct exact_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols, grown = pow(7.0 / 4, r->levels);
    double products = here * pow(7.0 / 8, r->levels) * 2 * m * n * k / rates->byte_products;
    double bytes = sizeof(real) * (2 * (m * k + k * n) + m * n) +
                   grown * (here * (m * k + k * n) + r->moduli * m * n);
    if (strcmp(r->variant, "residues-cublas") == 0)
        bytes += r->moduli * grown * 9 * m * n;
    return products + bytes / rates->bytes;
}

/* On several GPUs the slowest one decides: GPU 0, or the last, whose share is the largest of
   the others. The last GPU begins after A and B have arrived, and sends its last modulus's
   products after it has multiplied. */
static double predicted_shared_ms(const struct exact_rung *r, int gpus, struct product p,
                                  const struct exact_rates *rates)
{
    double m = p.c.rows, n = p.c.cols, k = p.a.cols, grown = pow(7.0 / 4, r->levels);
    int first = share_of(r->moduli, gpus, 0).count,
        last = share_of(r->moduli, gpus, gpus - 1).count;
    double copies = (sizeof(real) * (m * k + k * n) + grown * m * n) / rates->bytes_between;
    return fmax(predicted_exact_ms(r, first, p, rates),
                copies + predicted_exact_ms(r, last, p, rates));
}

/* ---- Timing ---- */

static int moduli_of(const struct rung *r)
{
    return r->row ? ((const struct exact_rung *)r->row)->moduli : 0;
}

/* shared-moduli runs on as many GPUs as --gpus says, all others on one. */
static int gpus_of(const struct rung *r)
{
    return r->variant && strcmp(r->variant->name, "shared-moduli") == 0 ? gpus_asked(r->run.ctx)
                                                                        : 1;
}

/* Measures the errors. With MODULI_USUAL moduli also checks that all of C has the same bits as
   in the first such rung, whose C stays in d->again. */
static bool check_exact(struct rung *r, const struct rung_data *d, void *what)
{
    bool *is_first = (bool *)what;
    size_t bytes = d->m * d->n * sizeof(real);
    CUDA_CHECK(cudaMemset(d->c, 0xff, bytes));
    time_variant(&r->run);
    rung_errors(r, d);
    r->same_bits = true;
    if (moduli_of(r) != MODULI_USUAL)
        return true;
    if (*is_first)
        CUDA_CHECK(cudaMemcpy(d->again, d->c, bytes, cudaMemcpyDeviceToDevice));
    else
        r->compared = true, r->same_bits = rung_same_bits(d);
    *is_first = false;
    return r->same_bits;
}

static void report_exact(const struct options *o, const struct rung *r, struct timing own,
                         struct timing vendor)
{
    struct product p = r->run.product;
    const char *name = r->variant ? r->variant->name : IS_FLOAT ? "cublasSgemm" : "cublasDgemm";
    double ratio = vendor.median / own.median;
    if (o->json) {
        struct json j = rung_line(o, name, "", p, r->run.levels);
        json_whole(&j, "data", o->settings[SET_DATA_KIND]);
        json_whole(&j, "moduli", moduli_of(r)), json_whole(&j, "gpus", gpus_of(r));
        rung_times(&j, p, own, vendor, 1);
        json_number(&j, "max_error", r->most), json_number(&j, "mean_error", r->mean);
        json_number(&j, "nearest", r->nearest);
        if (r->compared)
            json_bool(&j, "same_bits", r->same_bits);
        else
            json_text(&j, "same_bits", NULL);
        json_number(&j, "predicted_ms", r->predicted);
        json_end(&j);
    } else
        printf("%6ld %-16s %2d %6d %10.3f %10.3f %8.2f %10.2e %10.2e %8.3f%s\n", p.c.cols, name,
               r->run.levels, moduli_of(r), r->predicted, own.median, ratio, r->mean, r->most,
               r->nearest, r->same_bits ? "" : "  OTHER bits");
    fflush(stdout);
}

/* Times cuBLAS's multiplications of bytes, on the bytes of A and B as they are, and copies of
 * C. */
static struct exact_rates measure_exact_rates(const struct rung_data *d, int gpus)
{
    enum { RUNS = 5 };
    double product[RUNS], copy[RUNS];
    int n = (int)smaller(smaller(smaller(d->m, d->n), d->k), 8192) / 16 * 16;
    const int one = 1, zero = 0;
    size_t bytes = d->m * d->n * sizeof(real);
    CUDA_CHECK(cudaMemset(d->again, 0, bytes));
    for (int i = -1; i < RUNS; i++) {
        int run = i < 0 ? 0 : i;
        backend.start();
        CUDA_CHECK(cudaMemcpyAsync(d->c, d->again, bytes, cudaMemcpyDeviceToDevice, 0));
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
        gpus > 1 ? rate_between_gpus((struct block){d->again, d->m, d->n, d->n}) : 0};
}

/* Measures all rungs at one size. Returns an exit status. */
static int measure_exact_size(const struct options *o, const struct rung_data *d, void *nothing)
{
    (void)nothing;
    bool is_first = true;
    const struct rung_table table = {ROUNDS_MS, ROUNDS_MOST, check_exact, &is_first,
                                     report_exact};
    struct rung all[MOST_RUNGS];
    struct context ctx = context_of(o);
    struct product p = rung_product(d, d->c);
    int count = 1, gpus = gpus_asked(&ctx);
    struct exact_rates rates = measure_exact_rates(d, gpus);
    all[0] = rung_of(NULL, NULL, &ctx, p, 0);
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        const struct variant *v = find_variant(o->step->variants, rungs[i].variant);
        bool shared = strcmp(rungs[i].variant, "shared-moduli") == 0;
        if (!v || (shared && gpus == 1) || larger(d->m, d->n) > rungs[i].largest ||
            larger(d->m, d->n) < rungs[i].least ||
            (o->variant && !is_listed(o->variant, v->name)))
            continue;
        all[count] = rung_of(v, &rungs[i], &ctx, p, rungs[i].levels);
        all[count++].predicted =
            shared ? predicted_shared_ms(&rungs[i], gpus, p, &rates)
                   : predicted_exact_ms(&rungs[i], rungs[i].moduli, p, &rates);
    }
    return measure_rungs_of(o, d, all, count, &table);
}

int measure_exact_rungs(const struct options *o)
{
    static const long sizes[] = {2048, 4096, 8192, 16384};
    static const enum rung_numbers data[] = {RUNG_UNIFORM, RUNG_NORMAL, RUNG_WIDE};
    if (no_times("rungs", NULL))
        return EXIT_RESOURCE;
    if (!o->json)
        printf("on %s; errors of %d elements against sums in twice the precision\n\n"
               "%6s %-16s %2s %6s %10s %10s %8s %10s %10s %8s\n",
               backend.device(), RUNG_SAMPLES, "n", "variant", "L", "moduli", "predicted", "ms",
               "x cublas", "mean error", "max error", "nearest");
    return rung_sizes(o, sizes, sizeof sizes / sizeof *sizes, data[o->settings[SET_DATA_KIND]],
                      measure_exact_size, NULL);
}
