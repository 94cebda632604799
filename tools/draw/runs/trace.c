/* SPDX-License-Identifier: MIT */
/* draw-NN VARIANT M N K LEVELS LEAF TEMPORARIES STRIDE [EVENT...]: runs the step that it is
 * linked with and says, in lines of JSON, what every place of memory holds after each of its
 * calls that may have changed memory. On the processor these are all functions of the step (by
 * the compiler's -finstrument-functions); on the simulated GPU, launches and calls of cuBLAS
 * (by the linker's --wrap). Places are the quadrants of A, B and C, and as many temporaries,
 * STRIDE elements apart in the workspace. LEAF: "-" is the step's first. schedule.py draws it.
 *
 * Nothing here knows the step's source. Each quadrant of A and B holds one number, C and the
 * workspace hold NaN. EVENTs are the events at which an operation was complete. The step runs
 * once for each EVENT, with one NaN in every place just before it, and the lines say where NaNs
 * are just after it: in a sum a NaN stays where it is, from a left factor it fills a row, from
 * a right one a column.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/step.h"
#ifdef LADDER_SIM
#include <cublas_v2.h>
#include <simgpu/hooks.h>
#endif

extern const struct step STEP;
enum { ARRAYS = 4, MOST_PLACES = 24 }; /* A, B, C and the workspace */

/* Chosen so that different sums of them are different numbers (schedule.py knows them). */
static const double numbers[8] = {1009, 2741, 7919, 5003, 4327, 1637, 3571, 9661};

static struct place {
    int array;
    long origin, ld, rows, columns;
} places[MOST_PLACES];
static int place_count;
static double *host[ARRAYS], *device[ARRAYS], *before[ARRAYS];
static size_t bytes[ARRAYS];
static const struct variant *variant;
static struct context ctx = {.threads = 1};
static struct product product;
static int levels;

enum mode { ASLEEP, RECORDING, PROBING };
static enum mode mode;
static int events, begin,
    end; /* probed is what happens after event `begin`, up to event `end` */

static void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", STEP.name, what);
    exit(1);
}

static double *element(int place, long row, long column)
{
    const struct place *p = &places[place];
    return host[p->array] + p->origin + row * p->ld + column;
}

static void copy(void (*between)(void *, const void *, size_t), int to_device)
{
    for (int i = 0; i < ARRAYS; i++) {
        void *to = to_device ? device[i] : host[i], *from = to_device ? host[i] : device[i];
        if (backend.shares_host_memory)
            memcpy(to, from, bytes[i]);
        else
            between(to, from, bytes[i]);
    }
}

/* Whether a place holds one number. */
static int is_uniform(int place)
{
    double value = *element(place, 0, 0);
    for (long i = 0; i < places[place].rows; i++)
        for (long j = 0; j < places[place].columns; j++) {
            double x = *element(place, i, j);
            if (x != value && !(isnan(x) && isnan(value)))
                return 0;
        }
    return 1;
}

static void record(const char *call)
{
    int changed = 0;
    copy(backend.download, 0);
    for (int i = 0; i < ARRAYS; i++) {
        changed |= memcmp(before[i], host[i], bytes[i]) != 0;
        memcpy(before[i], host[i], bytes[i]);
    }
    printf("{\"event\":%d,\"changed\":%d,%s,\"holds\":[", events, changed, call);
    for (int p = 0; p < place_count; p++) {
        double value = *element(p, 0, 0);
        printf(p ? "," : "");
        printf(!is_uniform(p) ? "null" : isnan(value) ? "NaN" : "%.17g", value);
    }
    printf("]}\n");
}

static void poison(void)
{
    copy(backend.download, 0);
    for (int p = 0; p < place_count; p++)
        *element(p, p, p) = NAN;
    copy(backend.upload, 1);
}

/* For each place y that may have been written, and each place p that may have been read and had
 * its NaN at (p, p), the sum of: 1 if y has a NaN in row p, in a column of no place's NaN; 2 if
 * in column p, in a row of no place's NaN; 4 if at (p, p). */
static void look(void)
{
    copy(backend.download, 0);
    printf("{\"event\":%d,\"nan\":[", end);
    for (int y = 0; y < place_count; y++)
        for (int p = 0; p < place_count; p++)
            printf("%s%d",
                   p   ? ","
                   : y ? "],["
                       : "[",
                   !!isnan(*element(y, p, place_count)) +
                       2 * !!isnan(*element(y, place_count, p)) +
                       4 * !!isnan(*element(y, p, p)));
    printf("]]}\n");
}

/* A call has returned. call: its JSON fields, "kernel" among them, "" if unknown. */
static void watch(const char *call)
{
    enum mode now = mode;
    mode = ASLEEP; /* copies are calls, too */
    events += now != ASLEEP;
    if (now == RECORDING)
        record(call);
    if (now == PROBING && events == end)
        look();
    if (now == PROBING && events == begin)
        poison();
    mode = now;
}

#ifdef LADDER_SIM
/* The linker sends the step's launches and cuBLAS calls here (--wrap=NAME), and __real_NAME to
   the simulated GPU. */

#define PARAMETERS                                                                             \
    cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n
#define GEAM_PARAMETERS                                                                        \
    PARAMETERS, const double *alpha, const double *x, int ldx, const double *beta,             \
        const double *y, int ldy, double *z, int ldz
#define GEMM_PARAMETERS                                                                        \
    PARAMETERS, int k, const double *alpha, const double *x, int ldx, const double *y,         \
        int ldy, const double *beta, double *z, int ldz
cublasStatus_t __real_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS);
cublasStatus_t __real_cublasDgemm(GEMM_PARAMETERS);
cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS);
void __real_simgpu_launch(const struct simgpu_launch_desc *launch);
void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch);

void __wrap_simgpu_launch(const struct simgpu_launch_desc *launch)
{
    char call[200];
    __real_simgpu_launch(launch);
    snprintf(call, sizeof call, "\"kernel\":\"%s\",\"grid\":[%u,%u]", launch->kernel_text,
             (unsigned)launch->grid[0], (unsigned)launch->grid[1]);
    watch(call);
}

static void called(const char *name, int transposes, int m, int n, int k, const double *x,
                   int ldx, const double *y)
{
    char call[200];
    snprintf(call, sizeof call,
             "\"kernel\":\"%s\",\"transposes\":%d,\"m\":%d,\"n\":%d,\"k\":%d,\"x\":%zu,"
             "\"ldx\":%d,\"y\":%zu",
             name, transposes, m, n, k, (size_t)x, ldx, (size_t)y);
    watch(call);
}

cublasStatus_t __wrap_cublasDgeam(GEAM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgeam(handle, ta, tb, m, n, alpha, x, ldx, beta, y, ldy, z, ldz);
    called(*beta == 0  ? "copy"
           : *beta < 0 ? "sub"
                       : "add",
           ta != CUBLAS_OP_N, m, n, 0, x, ldx, y);
    return status;
}

cublasStatus_t __wrap_cublasDgemm(GEMM_PARAMETERS)
{
    cublasStatus_t status =
        __real_cublasDgemm(handle, ta, tb, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
    called("gemm", ta != CUBLAS_OP_N || tb != CUBLAS_OP_N, m, n, k, x, ldx, y);
    return status;
}
#else
/* Compiled with -finstrument-functions, GCC and Clang call these around every function. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) { (void)function, (void)caller; }

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    watch("\"kernel\":\"\"");
}
#endif

static void run_once(enum mode what)
{
    for (int p = 0; p < place_count; p++)
        for (long i = 0; i < places[p].rows; i++)
            for (long j = 0; j < places[p].columns; j++)
                *element(p, i, j) = p < 8 ? numbers[p] : what == RECORDING ? NAN : 0;
    copy(backend.upload, 1);
    for (int i = 0; i < ARRAYS; i++)
        memcpy(before[i], host[i], bytes[i]);
    events = 0;
    if (what == PROBING && begin == 0)
        poison();
    mode = what;
    variant_multiply(variant, &ctx, product, levels, device[3]);
    mode = ASLEEP;
}

static void open_arrays(long m, long n, long k, int temporaries, long stride)
{
    const long rows[3] = {m, k, m}, columns[3] = {k, n, n};
    for (int i = 0; i < ARRAYS; i++) {
        bytes[i] =
            sizeof(double) * (i < 3                ? (size_t)(rows[i] * columns[i])
                              : variant->workspace ? variant->workspace(&ctx, product, levels)
                                                   : 0);
        host[i] = calloc(1, bytes[i] + 1), before[i] = calloc(1, bytes[i] + 1);
        device[i] = backend.allocate(bytes[i] + 1);
        if (!host[i] || !before[i] || !device[i])
            fail("not enough memory");
        for (int q = 0; q < 4 && i < 3; q++)
            places[place_count++] =
                (struct place){i, q / 2 * (rows[i] / 2) * columns[i] + q % 2 * (columns[i] / 2),
                               columns[i], rows[i] / 2, columns[i] / 2};
    }
    if (temporaries > MOST_PLACES - 12 ||
        (size_t)(temporaries * stride) * sizeof(double) > bytes[3])
        fail("more temporaries than the workspace has");
    for (int t = 0; t < temporaries; t++)
        places[place_count++] = (struct place){3, t * stride, n / 2, m / 2, n / 2};
    product.a.at = device[0], product.b.at = device[1], product.c.at = device[2];
}

int main(int argc, char **argv)
{
    if (argc < 9) {
        fprintf(stderr, "usage: %s VARIANT M N K LEVELS LEAF TEMPORARIES STRIDE [EVENT...]\n",
                argv[0]);
        return 2;
    }
    long m = atol(argv[2]), n = atol(argv[3]), k = atol(argv[4]);
    variant = find_variant(STEP.variants, argv[1]);
    product = product_of_size(m, n, k);
    levels = atoi(argv[5]), ctx.fused = levels > 1;
    ctx.leaf = strcmp(argv[6], "-") ? find_leaf(STEP.leaves, argv[6]) : STEP.leaves;
    if (!variant || !ctx.leaf)
        fail("there is no such variant or leaf");
    open_arrays(m, n, k, atoi(argv[7]), atol(argv[8]));
    if (argc == 9) {
        printf("{\"arrays\":[%zu,%zu,%zu,%zu]}\n", (size_t)device[0], (size_t)device[1],
               (size_t)device[2], (size_t)device[3]);
        run_once(RECORDING);
    }
    for (int i = 9; i < argc; i++) {
        begin = i > 9 ? atoi(argv[i - 1]) : 0, end = atoi(argv[i]);
        run_once(PROBING);
    }
    for (int i = 0; i < ARRAYS; i++) {
        free(host[i]), free(before[i]);
        backend.release(device[i]);
    }
    return 0;
}
