/* SPDX-License-Identifier: MIT */
/** @file backend_gpu.cu
 * A GPU, real or simulated: the same source for both. LADDER_SIM is defined for the simulated
 * one.
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/device/backend.h"
#include "common/device/libraries/cublas.h"
#include "common/device/gpu.h"
#include "common/device/host.h"
#include "common/device/timer.h"
#include "common/device/libraries/vendor.h"

#ifdef LADDER_SIM
#include "simgpu/simgpu.h"
#endif

#ifdef LADDER_SIM
#ifdef __wasm__ /* in a web page, which catches what leaves a call (simgpu/web) */
extern "C" bool simgpu_web_try(void (*run)(void *what), void *what);
extern "C" void simgpu_web_leave(void);

static bool comes_to_its_end(void (*run)(void *what), void *what)
{
    return simgpu_web_try(run, what);
}

static void leave() { simgpu_web_leave(); }
#else
#include <setjmp.h>

static jmp_buf left; /* where attempt() continues after a fault */

static bool comes_to_its_end(void (*run)(void *what), void *what)
{
    if (setjmp(left) != 0)
        return false;
    run(what);
    return true;
}

static void leave() { longjmp(left, 1); }
#endif

static bool attempting;

static bool attempt(void (*run)(void *what), void *what)
{
    attempting = true;
    bool done = comes_to_its_end(run, what) && cudaDeviceSynchronize() == cudaSuccess;
    attempting = false;
    if (!done)
        simgpu_revive();
    return done;
}

/* The fault's own message is enough; the program continues to its verdict. */
static void leave_attempt()
{
    if (attempting && simgpu_fault_count() > 0)
        leave();
}
#else
static void leave_attempt() {}
#endif

extern "C" void gpu_failed(const char *what, const char *file, int line, int code,
                           const char *message)
{
    leave_attempt();
    say(stderr, "%s:%d: %s: error %d: %s\n", file, line, what, code, message);
    bool memory = code == (int)cudaErrorMemoryAllocation;
    exit(memory ? EXIT_RESOURCE : EXIT_WRONG);
}

extern "C" void cublas_failed(const char *what, const char *file, int line, int code)
{
    leave_attempt();
    say(stderr, "%s:%d: %s: cuBLAS status %d (%s)\n", file, line, what, code,
        cublasGetStatusString((cublasStatus_t)code));
    exit(code == (int)CUBLAS_STATUS_ALLOC_FAILED ? EXIT_RESOURCE : EXIT_WRONG);
}

static const char *missing(void)
{
    static char why[256];
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count > 0)
        return NULL;
    cudaGetLastError();
    snprintf(why, sizeof why, "no NVIDIA GPU can be used (%s); the .sim program needs none",
             status == cudaSuccess ? "none found" : cudaGetErrorString(status));
    return why;
}

static const char *device(void)
{
#ifdef LADDER_SIM
    return "simulated GPU";
#else
    static char name[256];
    if (!*name) {
        cudaDeviceProp properties;
        CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
        snprintf(name, sizeof name, "%s", properties.name);
    }
    return name;
#endif
}

static size_t memory_free(void)
{
    size_t free_bytes = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    return free_bytes;
}

static void *allocate(size_t bytes)
{
    void *block = NULL;
    if (cudaMalloc(&block, bytes) == cudaSuccess)
        return block;
    cudaGetLastError(); /* the caller reports it */
    return NULL;
}

static void release(void *block)
{
    if (block)
        CUDA_CHECK(cudaFree(block));
}

#ifndef LADDER_SIM
static void pin(void *host, size_t bytes)
{
    if (cudaHostRegister(host, bytes, cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError(); /* copies work without it */
}

static void unpin(void *host)
{
    if (cudaHostUnregister(host) != cudaSuccess)
        cudaGetLastError();
}
#endif

static void upload(void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static void download(void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

static void copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                    size_t width, size_t rows)
{
    CUDA_CHECK(
        cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDeviceToDevice));
}

static void fill(void *block, int byte, size_t bytes)
{
    CUDA_CHECK(cudaMemset(block, byte, bytes));
}

static void poison(void *block, size_t bytes)
{
    fill(block, 0xff, bytes);
#ifdef LADDER_SIM
    simgpu_forget(block, bytes); /* reading it before writing it is then a fault */
#endif
}

static cudaEvent_t started, stopped;
static bool running;   /* between start() and stop() */
static float measured; /* milliseconds */
#ifdef LADDER_SIM
static bool is_counting;  /* between count_start() and count_stop() */
static double started_at; /* on the host's clock */
#endif

static long calls; /* of start() and stop() */

static long clock_calls(void) { return calls; }

static void start(void)
{
    calls++;
    if (!started) {
        CUDA_CHECK(cudaEventCreate(&started));
        CUDA_CHECK(cudaEventCreate(&stopped));
    }
#ifdef LADDER_SIM
    if (is_counting) {
        simgpu_count_reset();
        simgpu_count_start();
    }
#endif
    running = true;
    CUDA_CHECK(cudaEventRecord(started, 0));
#ifdef LADDER_SIM
    started_at = timer_now();
#endif
}

static double stop(void)
{
    calls++;
    if (!running)
        return measured;
    running = false;
    CUDA_CHECK(cudaEventRecord(stopped, 0));
    CUDA_CHECK(cudaEventSynchronize(stopped));
#ifdef LADDER_SIM /* host time, never printed: shows which checks take long */
    measured = (float)(timer_now() - started_at);
    if (is_counting)
        simgpu_count_stop();
#else
    CUDA_CHECK(cudaEventElapsedTime(&measured, started, stopped));
#endif
    return measured;
}

extern "C" cublasHandle_t gpu_cublas(void)
{
    static thread_local cublasHandle_t handle;
    if (!handle)
        CUBLAS_CHECK(cublasCreate(&handle));
    return handle;
}

static const char *vendor(int threads)
{
#ifdef LADDER_SIM
    return openblas_load(threads); /* the simulated cuBLAS calls it */
#else
    (void)threads;
    static char name[64];
    int version = 0;
    CUBLAS_CHECK(cublasGetVersion(gpu_cublas(), &version));
    snprintf(name, sizeof name, "cuBLAS %d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    return name;
#endif
}

/* cuBLAS is column-major: it sees our row-major X as X^T with the same leading dimension. So it
   computes C^T = B^T A^T: B first, and n before m. */
static void vendor_multiply(enum precision precision, struct product p)
{
    if (precision == PRECISION_F32) {
        const float one = 1, beta = p.accumulate != 0;
        CUBLAS_CHECK(cublasSgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)p.c.cols,
                                 (int)p.c.rows, (int)p.a.cols, &one, (const float *)p.b.at,
                                 (int)p.b.ld, (const float *)p.a.at, (int)p.a.ld, &beta,
                                 (float *)p.c.at, (int)p.c.ld));
    } else {
        const double one = 1, beta = p.accumulate != 0;
        CUBLAS_CHECK(cublasDgemm(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)p.c.cols,
                                 (int)p.c.rows, (int)p.a.cols, &one, (const double *)p.b.at,
                                 (int)p.b.ld, (const double *)p.a.at, (int)p.a.ld, &beta,
                                 (double *)p.c.at, (int)p.c.ld));
    }
}

#ifndef LADDER_SIM
static __global__ void to_double(const float *from, long ld, double *to, long rows, long cols)
{
    for (long i = blockIdx.y; i < rows; i += gridDim.y)
        for (long j = blockIdx.x * (long)blockDim.x + threadIdx.x; j < cols;
             j += gridDim.x * (long)blockDim.x)
            to[i * cols + j] = from[i * ld + j];
}

/* A copy of an operand in double. */
static struct block doubled(struct block from)
{
    double *to = (double *)allocate((size_t)(from.rows * from.cols) * sizeof *to);
    if (to)
        to_double<<<dim3(16, 256), 256>>>((const float *)from.at, from.ld, to, from.rows,
                                          from.cols);
    CHECK_LAUNCH();
    return {(real *)to, from.rows, from.cols, from.cols};
}

/* Everything is on the GPU: copies in double on the host would take seconds, mostly for
   allocating memory. */
static bool product_in_double(enum precision precision, struct product p, double *to)
{
    bool is_float = precision == PRECISION_F32;
    size_t bytes = (size_t)(p.c.rows * p.c.cols) * sizeof *to;
    if (is_float) {
        p.a = doubled(p.a);
        p.b = doubled(p.b);
    }
    p.c = {(real *)allocate(bytes), p.c.rows, p.c.cols, p.c.cols};
    bool enough = p.a.at && p.b.at && p.c.at;
    if (enough) {
        vendor_multiply(PRECISION_F64, p);
        download(to, p.c.at, bytes);
    }
    if (is_float) {
        release(p.a.at);
        release(p.b.at);
    }
    release(p.c.at);
    return enough;
}
#endif

#ifdef LADDER_SIM
static void count_start(const struct counting *counting)
{
    simgpu_set_model(counting->rules == GPU_MODERN ? SIMGPU_MODERN : SIMGPU_C1060);
    simgpu_set_shuffle(counting->shuffle);
    simgpu_count_reset();
    if (counting->addresses)
        simgpu_capture(0, 0);
    if (counting->picture)
        simgpu_capture_for_picture();
    if (counting->calls)
        simgpu_log_calls(stdout);
    simgpu_count_start();
    is_counting = true;
}

static struct counts count_stop(void)
{
    struct simgpu_totals totals;
    simgpu_count_stop();
    simgpu_log_calls(NULL);
    is_counting = false;
    simgpu_get_totals(&totals);
    /* cuBLAS's traffic cannot be counted, and a partial count would mislead */
    if (totals.library_calls > 0)
        return {-1, -1, -1, -1, -1};
    return {(double)totals.transactions, (double)totals.bytes, (double)totals.texture_fetches,
            (double)totals.texture_bytes, (double)(totals.shared_passes - totals.shared_ideal)};
}

/* --addresses all: the first requests of each access in a launch. */
enum { FIRST_REQUESTS = 3 };

static bool report(const struct counting *counting, FILE *out)
{
    if (counting->report)
        simgpu_report(out);
    if (counting->picture)
        return simgpu_write_picture(counting->picture) == 0;
    if (counting->addresses && strcmp(counting->addresses, "all") == 0)
        return simgpu_capture_write(stdout, NULL, 0, FIRST_REQUESTS) > 0;
    const char *colon = counting->addresses ? strrchr(counting->addresses, ':') : NULL;
    if (colon) {
        char file[256];
        snprintf(file, sizeof file, "%.*s", (int)(colon - counting->addresses),
                 counting->addresses);
        if (simgpu_capture_write(stdout, file, atoi(colon + 1), 1) > 0)
            return true;
        say(stderr,
            "--addresses %s: the first half-warp (or warp) made no access there; --report "
            "lists the lines that make some\n",
            counting->addresses);
    }
    return false;
}

static const char *fault(void)
{
    static int seen;
    struct simgpu_fault first;
    int known = seen, count = simgpu_fault_count();
    seen = count;
    return count > known && simgpu_get_fault(known, &first) ? first.text : NULL;
}

/* Memory that is never freed is reported at the end. */
static int finish(void)
{
    if (started) {
        CUDA_CHECK(cudaEventDestroy(started));
        CUDA_CHECK(cudaEventDestroy(stopped));
        CUBLAS_CHECK(cublasDestroy(gpu_cublas()));
    }
    if (!simgpu_revived()) /* a fault ends a run before it frees memory */
        simgpu_check_leaks();
    return simgpu_fault_count();
}
#endif

const struct backend backend = {
#ifdef LADDER_SIM
    .name = "sim",
    .simulated = true,
    .shares_host_memory = false,
    .processor_time = false,
    .guard_cells = 0, /* the simulator watches every byte itself */
#else
    .name = "cuda",
    .simulated = false,
    .shares_host_memory = false,
    .processor_time = false,
    .guard_cells = 64,
#endif
    .missing = missing,
    .device = device,
    .memory_free = memory_free,
    .allocate = allocate,
    .release = release,
#ifdef LADDER_SIM
    .pin = NULL,
    .unpin = NULL,
#else
    .pin = pin,
    .unpin = unpin,
#endif
    .upload = upload,
    .download = download,
    .copy_2d = copy_2d,
    .fill = fill,
    .poison = poison,
    .start = start,
    .stop = stop,
    .clock_calls = clock_calls,
    .vendor = vendor,
    .vendor_multiply = vendor_multiply,
#ifndef LADDER_SIM
    .product_in_double = product_in_double,
#else
    .product_in_double = NULL, /* the host makes it */
    .count_start = count_start,
    .count_stop = count_stop,
    .fault = fault,
    .last_launch = simgpu_last_launch,
    .attempt = attempt,
    .report = report,
    .finish = finish,
#endif
};
