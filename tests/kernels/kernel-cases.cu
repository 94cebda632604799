/* SPDX-License-Identifier: MIT */
/** @file kernel-cases.cu
 * Each kernel of Li et al. (2011), section 5, and each assignment of section 7, alone against
 * its definition, on small integers; on the simulated GPU its transactions and bytes against
 * Figure 11 too. kernel-cases M: matrices of M x M, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/model.h"
#include "common/command/options.h"
#include "common/matrix/random.h"
#include "steps/14-strassen-multilevel/strassen.cu"
#include "steps/15-winograd-multilevel/winograd.cu"

/* A case has two factors, whose product's element is p, and up to four blocks with elements v.
 */
struct operands {
    struct block left, right, v[4];
};

struct kernel_case {
    const char *name;
    int written_only; /* bit i: v[i] must not be read */
    void (*run)(const struct operands *at);
    void (*define)(double p, double *v); /* what it does to one element of each block */
};

/* Runs a kernel that puts the product into two blocks. */
template <auto kernel> static void into_two(const struct operands *at)
{
    kernel(NULL, at->left, at->right, at->v[0], at->v[1]);
}

/* The names of the arguments are the document's; they are in v in its order. */
static const struct kernel_case cases[] = {
    {"add", 4, [](const struct operands *at) { add(at->v[0], at->v[1], at->v[2]); },
     [](double, double *v) { v[2] = v[0] + v[1]; }},
    {"sub", 4, [](const struct operands *at) { sub(at->v[0], at->v[1], at->v[2]); },
     [](double, double *v) { v[2] = v[0] - v[1]; }},
    {"mul", 1,
     [](const struct operands *at) { mul<by_pointer>(NULL, at->left, at->right, at->v[0]); },
     [](double p, double *v) { v[0] = p; }},
    {"mulIncInc", 0, into_two<mulIncInc<by_pointer>>,
     [](double p, double *v) { v[0] += p, v[1] += p; }},
    {"mulIncDec", 0, into_two<mulIncDec<by_pointer>>,
     [](double p, double *v) { v[0] += p, v[1] -= p; }},
    {"mulStoreDec", 1, into_two<mulStoreDec<by_pointer>>,
     [](double p, double *v) { v[0] = p, v[1] -= p; }},
    {"mulStoreInc", 1, into_two<mulStoreInc<by_pointer>>,
     [](double p, double *v) { v[0] = p, v[1] += p; }},
    {"mulAdd", 2, into_two<mulAdd<by_pointer>>, [](double p, double *v) { v[1] = p + v[0]; }},
    {"mulIncIncInc", 1,
     [](const struct operands *at) {
         mulIncIncInc<by_pointer>(NULL, at->left, at->right, at->v[0], at->v[1], at->v[2],
                                  at->v[3]);
     },
     [](double p, double *v) { v[0] = p, v[2] += v[0], v[3] += v[2], v[2] += v[1]; }},
    {"mulSubInc", 2,
     [](const struct operands *at) {
         mulSubInc<by_pointer>(NULL, at->left, at->right, at->v[0], at->v[1], at->v[2]);
     },
     [](double p, double *v) { v[1] = v[0] - p, v[2] += v[0]; }},
    {"inc_inc", 0, [](const struct operands *at) { inc_inc(at->v[0], at->v[1], at->v[2]); },
     [](double, double *v) { v[0] += v[2], v[1] += v[2]; }},
    {"dec_inc", 0, [](const struct operands *at) { dec_inc(at->v[0], at->v[1], at->v[2]); },
     [](double, double *v) { v[0] -= v[2], v[1] += v[2]; }},
    {"form_c12_c11", 0,
     [](const struct operands *at) { form_c12_c11(at->v[0], at->v[1], at->v[2], at->v[3]); },
     [](double, double *v) { v[0] = v[1] + v[0] + v[3], v[1] = v[1] + v[2] + v[3]; }},
    {"form_c21_c22", 0,
     [](const struct operands *at) { form_c21_c22(at->v[0], at->v[1], at->v[2]); },
     [](double, double *v) { v[0] = v[2] - v[0], v[1] = v[2] + v[1]; }},
};
enum { CASES = sizeof cases / sizeof *cases };

/* A block on the device with small integers, and its elements on the host. */
static struct block make_block(long rows, long cols, long ld, unsigned seed, double *elements)
{
    size_t bytes = (size_t)rows * ld * sizeof(real);
    real *host = (real *)calloc(1, bytes);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) {
            uint64_t number = (uint64_t)seed << 40 | (i * cols + j);
            elements[i * cols + j] = (int)(random_bits(number * RANDOM_STEP) % 9) - 4;
            host[i * ld + j] = (real)elements[i * cols + j];
        }
    struct block x = {(real *)backend.allocate(bytes), rows, cols, ld};
    backend.upload(x.at, host, bytes);
    free(host);
    return x;
}

static double product_element(const double *a, const double *b, long i, long j, long n, long k)
{
    double sum = 0;
    for (long l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + j];
    return sum;
}

/* Counts the elements of v[which] that differ from the definition; prints the first one. */
static int wrong_elements(const struct kernel_case *kernel, const struct block *x, int which,
                          const double *expected)
{
    size_t bytes = (size_t)x->rows * x->ld * sizeof(real);
    real *got = (real *)malloc(bytes);
    int wrong = 0;
    backend.download(got, x->at, bytes);
    for (long i = 0; i < x->rows; i++)
        for (long j = 0; j < x->cols; j++)
            if (!((double)got[i * x->ld + j] == expected[i * x->cols + j]) && wrong++ == 0)
                printf("%s: operand %d, element (%ld, %ld): %g, expected %g\n", kernel->name,
                       which + 1, i, j, (double)got[i * x->ld + j], expected[i * x->cols + j]);
    free(got);
    return wrong;
}

/* Runs one case, with leading dimensions `extra` larger than the blocks. Returns 1 when it is
 * wrong. */
static int try_case(const struct kernel_case *kernel, long m, long n, long k, long extra,
                    struct counts *counts)
{
    int wrong = 0;
    double *a = (double *)malloc(sizeof(double) * m * k),
           *b = (double *)malloc(sizeof(double) * k * n);
    double *v[4];
    struct operands at;
    at.left = make_block(m, k, k + extra, 1, a);
    at.right = make_block(k, n, n + extra, 2, b);
    for (int i = 0; i < 4; i++) {
        v[i] = (double *)malloc(sizeof(double) * m * n);
        at.v[i] = make_block(m, n, n + extra * (i + 1), 3 + i, v[i]);
        if (kernel->written_only >> i & 1)
            backend.poison(at.v[i].at, (size_t)m * at.v[i].ld * sizeof(real));
    }
    struct counting counting = {};
    if (backend.count_start)
        backend.count_start(&counting);
    kernel->run(&at);
    if (backend.count_stop)
        *counts = backend.count_stop();
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            double element[4];
            for (int q = 0; q < 4; q++)
                element[q] = v[q][i * n + j];
            kernel->define(product_element(a, b, i, j, n, k), element);
            for (int q = 0; q < 4; q++)
                v[q][i * n + j] = element[q];
        }
    for (int q = 0; q < 4; q++) {
        wrong |= wrong_elements(kernel, &at.v[q], q, v[q]) > 0;
        backend.release(at.v[q].at);
        free(v[q]);
    }
    backend.release(at.left.at);
    backend.release(at.right.at);
    free(a);
    free(b);
    const char *fault = backend.fault ? backend.fault() : NULL;
    if (fault)
        printf("%s: %s\n", kernel->name, fault);
    return wrong || fault;
}

/* Figure 11, or for the assignments of section 7 their own passes. */
static struct cost model_of(const char *name, long m)
{
    static const struct kernel_model assignments[] = {
        {"inc_inc", 5}, {"dec_inc", 5}, {"form_c12_c11", 6}, {"form_c21_c22", 5}};
    for (int i = 0; i < KERNEL_MODELS; i++)
        if (strcmp(kernel_models[i].name, name) == 0)
            return model_kernel(&kernel_models[i], m);
    for (int i = 0; i < 4; i++)
        if (strcmp(assignments[i].name, name) == 0)
            return model_kernel(&assignments[i], m);
    fprintf(stderr, "no model of %s\n", name);
    exit(EXIT_WRONG);
}

int main(int argc, char **argv)
{
    int failed = 0, most = argc > 1 ? atoi(argv[1]) : 128;
    if (backend.missing()) {
        printf("skipped: %s\n", backend.missing());
        return EXIT_SKIPPED;
    }
    for (int i = 0; i < CASES; i++) {
        struct counts counts = {-1, -1, -1, -1};
        int wrong = try_case(&cases[i], 32, 256, 128, 4, &counts);
        for (long m = 128; m <= most; m *= 2) {
            wrong |= try_case(&cases[i], m, m, m, 32, &counts);
            if (!backend.simulated)
                continue;
            struct cost model = model_of(cases[i].name, m);
            int equal =
                counts.transactions == model.transactions && counts.volume == model.volume;
            printf("%-14s m = %ld: counted %.0f transactions, %.0f bytes; model %.0f, %.0f%s\n",
                   cases[i].name, m, counts.transactions, counts.volume, model.transactions,
                   model.volume, equal ? "" : " DIFFERENT");
            wrong |= !equal;
        }
        printf("%-14s %s\n", cases[i].name, wrong ? "WRONG" : "right");
        failed += wrong;
    }
    printf("%d of %d kernels right\n", CASES - failed, CASES);
    return failed ? EXIT_WRONG : EXIT_RIGHT;
}
