/* SPDX-License-Identifier: MIT */
/** @file compare.c
 * cublas-compare [--large] [--cheat] PROGRAM PRECISION [OPTION...]: a step's product compared
 * with cuBLAS's, element by element.
 *
 * PROGRAM multiplies matrices that both make from a seed, at a square, an oblong and an odd
 * size (--large: and at one above 1000), and writes C into a file. This program computes the
 * same product with cublasSgemm or cublasDgemm. cuBLAS's matrices are stored by columns, so it
 * takes ours, stored by rows, for their transposes, and gets B first: (A B)^T = B^T A^T.
 * OPTION... may name the variant; without, it is the first that PROGRAM lists. --cheat: cuBLAS
 * multiplies other matrices, so that there must be a difference. Exit status: 0 they agree, 1
 * they do not, 3 something is missing, 77 no device.
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/device/host.h"
#include "common/matrix/input.h"
#include "common/matrix/npy.h"
#include "tools/tour/read_json.h"

enum { SEED = 3, OTHER_SEED = 4, LONGEST = 4096 };

static const struct {
    long m, n, k;
} sizes[] = {{96, 96, 96}, {160, 48, 112}, {61, 75, 87}, {1030, 1000, 1025}};

static void need(int fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "cublas-compare: %s failed\n", what);
    exit(EXIT_RESOURCE);
}

static void *on_device(const struct matrix *x)
{
    void *device;
    size_t bytes = (size_t)x->rows * (size_t)x->cols * precision_bytes(x->precision);
    need(cudaMalloc(&device, bytes) == cudaSuccess, "cudaMalloc");
    need(cudaMemcpy(device, x->host, bytes, cudaMemcpyHostToDevice) == cudaSuccess,
         "cudaMemcpy");
    return device;
}

/* C becomes cuBLAS's A B. */
static void multiply_by_cublas(const struct matrix *a, const struct matrix *b, struct matrix *c)
{
    int m = (int)c->rows, n = (int)c->cols, k = (int)a->cols;
    void *on_a = on_device(a), *on_b = on_device(b), *on_c = on_device(c);
    size_t bytes = (size_t)m * (size_t)n * precision_bytes(c->precision);
    cublasHandle_t handle;
    cublasStatus_t status;
    need(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    if (c->precision == PRECISION_F32) {
        const float one = 1, zero = 0;
        status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, on_b, n, on_a, k,
                             &zero, on_c, n);
    } else {
        const double one = 1, zero = 0;
        status = cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, on_b, n, on_a, k,
                             &zero, on_c, n);
    }
    need(status == CUBLAS_STATUS_SUCCESS, "the product by cuBLAS");
    need(cudaMemcpy(c->host, on_c, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "cudaMemcpy");
    cublasDestroy(handle);
    cudaFree(on_a), cudaFree(on_b), cudaFree(on_c);
}

/* The program's JSON about its variant; its C is in `file`. */
static void run(const char *command, char *line, int size)
{
    FILE *said = popen(command, "r");
    need(said != NULL, command);
    int printed = fgets(line, size, said) != NULL, status = pclose(said);
    if (printed && status != 0)
        fprintf(stderr, "status %d: %s", WEXITSTATUS(status), line);
    need(printed && status == 0, command);
}

/* |A||B| at (i, j): in each of the two products an element's error is at most gamma_(k+1) times
 * this (Higham 3.13). */
static double magnitudes(const struct matrix *a, const struct matrix *b, long i, long j)
{
    double sum = 0;
    for (long l = 0; l < a->cols; l++)
        sum += fabs(matrix_get(a, i, l) * matrix_get(b, l, j));
    return sum;
}

/* How many elements differ by more than both products' errors allow. */
static long differing(const struct matrix *a, const struct matrix *b, const struct matrix *c,
                      const struct matrix *expected, const char *line)
{
    double u = precision_roundoff(c->precision), k = (double)a->cols + 1,
           gamma = k * u / (1 - k * u);
    double levels = json_get_number(line, "levels"),
           bound = json_get_number(line, "error_bound");
    double largest = 0, closest = 0;
    long wrong = 0;
    for (long i = 0; i < c->rows; i++)
        for (long j = 0; j < c->cols; j++) {
            double rounding = gamma * magnitudes(a, b, i, j);
            double allowed = rounding + (levels > 0 ? bound : rounding);
            double difference = fabs(matrix_get(c, i, j) - matrix_get(expected, i, j));
            wrong += !(difference <= allowed); /* so NaN is wrong, too */
            largest = fmax(largest, difference), closest = fmax(closest, difference / allowed);
        }
    printf("%ld x %ld x %ld, %.0f levels: %ld of %ld elements differ from cuBLAS's; the "
           "largest difference is %.2g, at "
           "most %.2g of what is allowed\n",
           c->rows, c->cols, a->cols, fmax(levels, 0), wrong, c->rows * c->cols, largest,
           closest);
    return wrong;
}

int main(int argc, char **argv)
{
    int devices = 0, large = 0, cheat = 0;
    char options[LONGEST] = "", command[2 * LONGEST], line[2 * LONGEST];
    char file[] = "/tmp/cublas-compare.XXXXXX";
    for (; argc > 1 && argv[1][0] == '-'; argc--, argv++)
        large |= strcmp(argv[1], "--large") == 0, cheat |= strcmp(argv[1], "--cheat") == 0;
    if (argc < 3) {
        fprintf(stderr,
                "usage: cublas-compare [--large] [--cheat] PROGRAM PRECISION [OPTION...]\n");
        return EXIT_USAGE;
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no device for cuBLAS\n");
        return EXIT_SKIPPED;
    }
    enum precision precision = strcmp(argv[2], "f64") == 0 ? PRECISION_F64 : PRECISION_F32;
    for (int i = 3; i < argc; i++)
        snprintf(options + strlen(options), sizeof options - strlen(options), " %s", argv[i]);
    if (!strstr(options, "--variant")) {
        snprintf(command, sizeof command, "'%s' --list", argv[1]);
        run(command, line, sizeof line);
        snprintf(options + strlen(options), sizeof options - strlen(options), " --variant %.*s",
                 (int)strcspn(line, " "), line);
    }
    int descriptor = mkstemp(file);
    need(descriptor >= 0 && close(descriptor) == 0, "mkstemp");
    long wrong = 0;
    for (int s = 0; s < (large ? 4 : 3); s++) {
        long m = sizes[s].m, n = sizes[s].n, k = sizes[s].k;
        struct matrix a = {0}, b = {0}, c = {0}, expected = {0};
        need(matrix_create(&a, precision, m, k, k) && matrix_create(&b, precision, k, n, n) &&
                 matrix_create(&c, precision, m, n, n) &&
                 matrix_create(&expected, precision, m, n, n),
             "memory for the matrices");
        input_fill(&a, INPUT_UNIFORM, OPERAND_A, cheat ? OTHER_SEED : SEED, 0);
        input_fill(&b, INPUT_UNIFORM, OPERAND_B, SEED, 0);
        snprintf(command, sizeof command,
                 "'%s' --precision %s --m %ld --n %ld --k %ld --seed %d --untimed --json%s "
                 "--output file:%s",
                 argv[1], argv[2], m, n, k, SEED, options, file);
        run(command, line, sizeof line);
        need(!npy_read(file, &c), "reading C");
        multiply_by_cublas(&a, &b, &expected);
        wrong += differing(&a, &b, &c, &expected, line);
        matrix_destroy(&a), matrix_destroy(&b), matrix_destroy(&c), matrix_destroy(&expected);
    }
    unlink(file);
    return wrong ? EXIT_WRONG : EXIT_RIGHT;
}
