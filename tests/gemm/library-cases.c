/* SPDX-License-Identifier: MIT */
/** @file library-cases.c
 * The parts of ladder_gemm.h other than products alone: batches, streams, workspace, plans
 * ahead, two processes on one file, two devices, threads, graphs. Products are of small
 * integers, so that every result is exact. One case per run: library-cases NAME.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"
#include "product.h"

static struct call_data in_double(int m, int n, int k, int ops, double alpha, double beta)
{
    struct call_data x = call_of(m, n, k, ops, alpha, beta);
    x.wide = true;
    return x;
}

/* With matrices of small integers. */
static struct call_data make(int m, int n, int k, int ops, double alpha, double beta)
{
    return with_matrices(in_double(m, n, k, ops, alpha, beta), 1, integer, integer, integer);
}

/* A batch in double has the bits of its products, and wrong arguments have its numbers. */
static void batch(void)
{
    enum { COUNT = 3, M = 48, N = 32, K = 40 };
    ladder_gemm_t gemm = handle(NULL);
    for (int v = 0; v < EVERY; v++) {
        struct call_data all = make(M, COUNT * N, K, 0, 2, 1);
        force_method(gemm, v);
        SUCCEEDS(gemm, ladder_dgemm_strided_batched(gemm, all.ta, all.tb, M, N, K, &all.alpha,
                                                    start_of(&all, &all.a), M, 0,
                                                    start_of(&all, &all.b), K, N * K, &all.beta,
                                                    start_of(&all, &all.c), M, M * N, COUNT));
        EXPECT(wrong_elements(&all) == 0, "a batch by %s", every[v].variant);
        destroy_matrices(&all), all = make(M, COUNT * N, K, 0, 2, 1);
        EXPECT(ladder_dgemm_64(gemm, all.ta, all.tb, M, COUNT * N, K, &all.alpha,
                               start_of(&all, &all.a), M, start_of(&all, &all.b), K, &all.beta,
                               start_of(&all, &all.c), M) == 0 &&
                   wrong_elements(&all) == 0,
               "with sizes of 64 bits by %s: %s", every[v].variant, ladder_gemm_message(gemm));
        EXPECT(ladder_dgemm_strided_batched(gemm, all.ta, all.tb, M, N, K, &all.alpha,
                                            start_of(&all, &all.a), M, 0,
                                            start_of(&all, &all.b), K - 1, N * K, &all.beta,
                                            start_of(&all, &all.c), M, M * N, COUNT) == 12 &&
                   strcmp(ladder_gemm_message(gemm),
                          "ladder_dgemm_strided_batched: argument 12 is wrong") == 0,
               "%s", ladder_gemm_message(gemm));
        destroy_matrices(&all);
    }
    /* The leading dimension of an empty product may be large; that of another one is checked.
     */
    const int64_t large = 3000000000;
    const double one = 1;
    EXPECT(ladder_dgemm_64(gemm, CUBLAS_OP_N, CUBLAS_OP_N, M, N, large, &one, NULL, M, NULL,
                           large, &one, NULL, M) == 8 &&
               ladder_dgemm_64(gemm, CUBLAS_OP_N, CUBLAS_OP_N, -large, N, K, &one, NULL, M,
                               NULL, K, &one, NULL, M) == 4 &&
               strcmp(ladder_gemm_message(gemm), "ladder_dgemm_64: argument 4 is wrong") == 0 &&
               ladder_dgemm_strided_batched_64(gemm, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &one,
                                               NULL, M, 0, NULL, K, 0, &one, NULL, M, 0,
                                               -large) == 18,
           "arguments of 64 bits: %s", ladder_gemm_message(gemm));
    for (int n = 1; n >= 0; n--) { /* one column: its leading dimension does not matter */
        struct call_data p = make(M, 1, K, 0, 2, 1);
        force(gemm, "plain", 1);
        check(gemm, in_double(M, N, K, 0, 2, 1), "with workspace");
        /* the simulated cuBLAS has no such sizes */
        int status = ladder_dgemm_64(gemm, p.ta, p.tb, M, n, K, &p.alpha, start_of(&p, &p.a), M,
                                     start_of(&p, &p.b), K, &p.beta, start_of(&p, &p.c), large);
        EXPECT(status ? status == LADDER_GEMM_CUBLAS : !n || wrong_elements(&p) == 0,
               "status %d: %s", status, ladder_gemm_message(gemm));
        EXPECT(ran_by(gemm, n ? "cublas" : "none") && ladder_gemm_pieces(gemm) == n &&
                   !ladder_gemm_last(gemm).workspace_bytes,
               "%d columns: %s, %zu bytes", n, ladder_gemm_last(gemm).ran.variant,
               ladder_gemm_last(gemm).workspace_bytes);
        destroy_matrices(&p);
    }
    EXPECT(ladder_gemm_version() == 100 * LADDER_GEMM_VERSION_MAJOR + LADDER_GEMM_VERSION_MINOR,
           "version %d", ladder_gemm_version());
    ladder_gemm_destroy(gemm);
}

static void streams(void)
{
    ladder_gemm_t one = handle(NULL), two = handle(NULL);
    cudaStream_t stream[2] = {new_stream(), new_stream()};
    struct call_data p[6];
    for (int i = 0; i < 6; i++) {
        p[i] = make(64 + 8 * i, 96, 40, 0, 1, 0);
        ladder_gemm_t gemm = i % 2 ? two : one;
        force_method(gemm, 2 + i);
        ladder_gemm_set_stream(gemm,
                               stream[(i + i / 2) % 2]); /* each handle changes its stream */
        SUCCEEDS(gemm, multiply(gemm, &p[i]));
    }
    for (int i = 0; i < 6; i++) {
        EXPECT(wrong_elements(&p[i]) == 0, "product %d", i);
        destroy_matrices(&p[i]);
    }
    ladder_gemm_destroy(one), ladder_gemm_destroy(two);
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
}

static void workspace(void)
{
    ladder_gemm_t gemm = handle(NULL);
    char *workspace = NULL;
    size_t bytes = 0;
    struct ladder_plan plan;
    const struct ladder_shape shape = {1, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, 64, 64, 64, 0},
                              short_lda = {0, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, 4, 8, 8, 0};
    EXPECT(ladder_gemm_plan(gemm, &short_lda, NULL, NULL) == 2, "no shape to plan");
    SUCCEEDS(gemm, ladder_gemm_plan(gemm, &shape, &plan, &bytes));
    EXPECT(ladder_gemm_last(gemm).measured, "planned ahead");
    check(gemm, in_double(64, 64, 64, 0, 1, 0), "planned");
    EXPECT(!ladder_gemm_last(gemm).measured && ran_by(gemm, plan.variant), "the plan holds");
    force(gemm, "one-pass", 2);
    check(gemm, in_double(64, 64, 64, 0, 1, 0), "its own");
    size_t needed = ladder_gemm_last(gemm).workspace_bytes;
    must(cudaMalloc((void **)&workspace, needed + 256));
    EXPECT(ladder_gemm_set_workspace(gemm, workspace + 8, needed) == 2, "not aligned");
    EXPECT(ladder_gemm_set_workspace(gemm, workspace, needed) == 0, "aligned");
    check(gemm, in_double(64, 64, 64, 0, 1, 0), "the caller's");
    EXPECT(!ladder_gemm_last(gemm).fell_back, "it suffices");
    EXPECT(ladder_gemm_set_workspace(gemm, workspace, needed - 1) == 0, "aligned");
    check(gemm, in_double(64, 64, 64, 0, 1, 0), "too small");
    EXPECT(ladder_gemm_last(gemm).fell_back, "it does not suffice");
    ladder_gemm_force(gemm, NULL);
    check(gemm, in_double(80, 64, 64, 0, 1, 1), "a copy of C would need an allocation");
    EXPECT(!ladder_gemm_last(gemm).measured, "measured on a copy of C");
    check(gemm, in_double(80, 64, 64, 0, 1, 0), "measured in it");
    EXPECT(ladder_gemm_last(gemm).measured && ladder_gemm_last(gemm).fell_back, "limited");
    ladder_gemm_set_workspace(gemm, NULL, 0);
    check(gemm, in_double(80, 64, 64, 0, 1, 0), "its own again");
    EXPECT(ladder_gemm_last(gemm).measured && !ladder_gemm_last(gemm).fell_back, "its own");
    ladder_gemm_most_levels(gemm, 0);
    for (int n = 64; n <= 128; n += 64) {
        check(gemm, in_double(n, n, n, 0, 1, 0), "no levels");
        EXPECT(ladder_gemm_last(gemm).ran.levels == 0, "%d levels",
               ladder_gemm_last(gemm).ran.levels);
    }
    ladder_gemm_destroy(gemm);
    cudaFree(workspace);
}

#ifdef LADDER_SIM
/* cublasDgemm() fails in the call that makes this 0. */
static int until_failure;
__typeof__(cublasDgemm) __real_cublasDgemm, __wrap_cublasDgemm;
cublasStatus_t __wrap_cublasDgemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb,
                                  int m, int n, int k, const double *alpha, const double *a,
                                  int lda, const double *b, int ldb, const double *beta,
                                  double *c, int ldc)
{
    if (until_failure && !--until_failure)
        return CUBLAS_STATUS_ALLOC_FAILED;
    return __real_cublasDgemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* A product that fails leaves cuBLAS in the handle's stream; an error of the caller's own makes
 * no product fail, and remains. */
static void failures(void)
{
    ladder_gemm_t gemm = handle(NULL);
    cudaStream_t stream = NULL;
    void *none;
    struct call_data p = make(64, 64, 64, 0, 1, 0);
    force(gemm, "overlapped", 2);
    until_failure = 5;
    EXPECT(multiply(gemm, &p) == LADDER_GEMM_CUBLAS, "%s", ladder_gemm_message(gemm));
    cublasGetStream(gemm->gpu.cublas, &stream);
    EXPECT(stream == gemm->gpu.home, "cuBLAS stays in a lane");
    EXPECT(cudaMalloc(&none, (size_t)1 << 60) == cudaErrorMemoryAllocation, "2^60 bytes");
    for (int v = 0; v < EVERY; v++) {
        force_method(gemm, v);
        for (int wide = 0; wide < 2; wide++) {
            struct call_data x = call_of(64, 64, 64, 0, 2, 1);
            x.wide = wide != 0;
            check(gemm, x, "after an error of the caller's");
        }
    }
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation, "the caller's error is gone");
    destroy_matrices(&p);
    ladder_gemm_destroy(gemm);
}
#endif

/* Two processes find plans for one file at a time: none of them is lost, and the file is whole.
 */
static void processes(const char *program)
{
    enum { SHAPES = 12 };
    char file[64], number[8];
    int status;
    snprintf(file, sizeof file, "library-plans-%d.txt", (int)getpid());
    for (int child = 0; child < 2; child++) {
        snprintf(number, sizeof number, "%d", child);
        if (fork() == 0) {
            execl(program, program, "plan-some", file, number, (char *)NULL);
            _exit(3);
        }
    }
    for (int child = 0; child < 2; child++) {
        wait(&status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) /* there is no GPU */
            exit(SKIPPED);
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a process ended with %d",
               status);
    }
    EXPECT(lines_in(text_of(file)) == 1 + 2 * SHAPES, "%s", text_of(file));
    ladder_gemm_t gemm = handle(file);
    EXPECT(!*ladder_gemm_message(gemm), "%s", ladder_gemm_message(gemm));
    check(gemm, in_double(16, 16, 16, 0, 1, 0), "planned by another");
    EXPECT(!ladder_gemm_last(gemm).measured, "planned by another");
    ladder_gemm_destroy(gemm);
    remove_plans(file);
}

static void plan_some(const char *file, int which)
{
    ladder_gemm_t gemm = handle(file);
    for (int i = 0; i < 12; i++)
        check(gemm, in_double(16 + 8 * i, 16 + which * 8, 16, 0, 1, 0), "plan some");
    ladder_gemm_destroy(gemm);
}

/* ---- Devices ---- */

/* The simulated GPU has one host thread at a time: there the threads take turns, between the
 * calls, too. */
static void turn(bool begins)
{
#ifdef LADDER_SIM
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    (begins ? pthread_mutex_lock : pthread_mutex_unlock)(&mutex);
#else
    (void)begins;
#endif
}

static int device_count(void)
{
    int count = 0;
    must(cudaGetDeviceCount(&count));
    if (count < 2)
        printf("skipped: there is no second GPU\n");
    return count;
}

static int device_of(const void *memory)
{
    struct cudaPointerAttributes attributes;
    must(cudaPointerGetAttributes(&attributes, memory));
    return attributes.device;
}

/* All methods on one device, called with this or the other one current: the current device
 * stays current, and everything that the handle allocates is on its own device. */
static void *on_one_device(void *which)
{
    int here = (int)(size_t)which, current;
    turn(true);
    must(cudaSetDevice(here));
    ladder_gemm_t gemm = handle(NULL);
    turn(false);
    for (int i = 0; i < EVERY; i++) {
        turn(true);
        must(cudaSetDevice(here));
        struct call_data p = make(64, 40, 96, i % 4, i % 3 ? 2.5 : 1, 0);
        must(cudaSetDevice(i % 2 ? here : 1 - here));
        force_method(gemm, i);
        turn(false);
        turn(true);
        EXPECT(multiply(gemm, &p) == 0, "device %d: %s", here, ladder_gemm_message(gemm));
        must(cudaGetDevice(&current));
        EXPECT(current == (i % 2 ? here : 1 - here), "device %d is current", current);
        EXPECT(!gemm->workspace.at || device_of(gemm->workspace.at) == here,
               "the workspace of device %d", here);
        must(cudaSetDevice(here));
        EXPECT(wrong_elements(&p) == 0, "device %d: %s", here, every[i].variant);
        destroy_matrices(&p);
        turn(false);
    }
    turn(true);
    must(cudaSetDevice(1 - here));
    ladder_gemm_destroy(gemm);
    must(cudaGetDevice(&current));
    EXPECT(current == 1 - here, "after the end device %d is current", current);
    turn(false);
    return NULL;
}

/* Two handles on two devices in two host threads. */
static void devices(void)
{
    if (device_count() >= 2)
        run_in_threads(2, on_one_device);
}

/* Where no handle can be made, the reason is reported. */
static void no_handle(void)
{
    ladder_gemm_t gemm = (ladder_gemm_t)&mistakes;
    int status = ladder_gemm_create(&gemm, NULL);
    const char *why = ladder_gemm_message(NULL);
    EXPECT(status == LADDER_GEMM_CUDA && !gemm, "status %d", status);
    EXPECT(strncmp(why, "ladder_gemm_create: cudaGetDeviceProperties(", 44) == 0, "'%s'", why);
}

#ifndef LADDER_SIM /* the simulated GPU has one host thread */
/* Products by every method of the library and of its modes, other ones in each thread. */
static void *thread(void *which)
{
    static const struct {
        const char *variant;
        int levels;
        bool wide;
    } methods[] = {{"plain", 2, true},   {"one-pass", 2, true},   {"overlapped", 2, true},
                   {"batched", 1, true}, {"two-levels", 2, true}, {"beside", 3, true},
                   {"fp16", 0, false},   {"fp16", 1, false},      {"int8", 0, false},
                   {"int8", 1, false},   {"exact", 0, true},      {"more", 1, true},
                   {"fewer", 2, true},   {"safe", 1, true},       {"reproducible", 1, false}};
    enum { COUNT = sizeof methods / sizeof *methods };
    ladder_gemm_t gemm = handle(NULL);
    for (int i = 0; i < 2 * COUNT; i++) {
        int v = (i + 2 * (int)(size_t)which) % COUNT;
        force(gemm, methods[v].variant, methods[v].levels);
        struct call_data x = call_of(256, 200 + 8 * (i % 10), 300, i % 4, 1, 0);
        x.wide = methods[v].wide;
        check(gemm, x, "threads");
    }
    ladder_gemm_destroy(gemm);
    return NULL;
}

static void threads(void) { run_in_threads(6, thread); }
#endif

/* Orders of the captured products, and of the others. */
#ifdef LADDER_SIM
enum { GRAPH_EDGE = 64, BESIDE_EDGE = 64, BESIDE_TIMES = 3 };
#else
enum { GRAPH_EDGE = 256, BESIDE_EDGE = 1024, BESIDE_TIMES = 20 };
#endif

static void graphs(void)
{
    ladder_gemm_t gemm = handle(NULL);
    cudaStream_t stream = new_stream();
    ladder_gemm_set_stream(gemm, stream);
    for (int v = 0; v < EVERY; v++) {
        struct call_data p = make(GRAPH_EDGE, GRAPH_EDGE, GRAPH_EDGE, 0, 2, 0);
        force_method(gemm, v);
        EXPECT(multiply(gemm, &p) == 0, "first"); /* gets the workspace */
        must(cudaStreamSynchronize(stream));
        must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        EXPECT(multiply(gemm, &p) == 0, "%s: %s", every[v].variant, ladder_gemm_message(gemm));
        replay_capture(stream, 3, start_of(&p, &p.c), NULL,
                       GRAPH_EDGE * GRAPH_EDGE * sizeof(double));
        EXPECT(wrong_elements(&p) == 0, "graph of %s", every[v].variant);
        EXPECT(!ladder_gemm_last(gemm).fell_back, "%s fell back", every[v].variant);
        destroy_matrices(&p);
    }
    ladder_gemm_destroy(gemm);
    cudaStreamDestroy(stream);
}

/* A workspace ends with its graph: many captures one after another hold no more than the last
 * few, since CUDA may say late that a graph is gone. Graphs that exist keep theirs. */
static void captures(void)
{
    enum { TIMES = 40, KEPT = 5, TRIES = 10000 };
    ladder_gemm_t gemm = handle(NULL);
    cudaStream_t stream = new_stream();
    cudaGraphExec_t ready[TIMES];
    ladder_gemm_set_stream(gemm, stream);
    force(gemm, "one-pass", 2);
    struct call_data p = make(GRAPH_EDGE, GRAPH_EDGE, GRAPH_EDGE, 0, 2, 0);
    for (int i = 0; i < TIMES; i++) {
        must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        EXPECT(multiply(gemm, &p) == 0 && !ladder_gemm_last(gemm).fell_back, "%s",
               ladder_gemm_message(gemm));
        ready[i] = end_capture(stream);
        must(cudaGraphLaunch(ready[i], stream));
        if (i >= KEPT)
            cudaGraphExecDestroy(ready[i]);
    }
    must(cudaStreamSynchronize(stream));
    for (int i = 0; i < TRIES && gemm->captured_count > KEPT; i++) {
        usleep(1000); /* CUDA ends a graph in a thread that other programs may keep waiting */
        ladder_gemm_set_stream(gemm, stream);
    }
    EXPECT(gemm->captured_count == KEPT, "%zu workspaces", gemm->captured_count);
    for (int i = 0; i < KEPT; i++) {
        must(cudaMemsetAsync(start_of(&p, &p.c), 0xff, GRAPH_EDGE * GRAPH_EDGE * sizeof(double),
                             stream));
        must(cudaGraphLaunch(ready[i], stream));
        EXPECT(wrong_elements(&p) == 0, "graph %d", i);
        cudaGraphExecDestroy(ready[i]);
    }
    destroy_matrices(&p);
    ladder_gemm_destroy(gemm);
    cudaStreamDestroy(stream);
}

/* A graph runs in one stream while the same handle multiplies in another: each has its own
 * workspace. */
static void beside_graphs(void)
{
    enum { EDGE = BESIDE_EDGE, TIMES = BESIDE_TIMES };
    ladder_gemm_t gemm = handle(NULL);
    cudaStream_t stream[2] = {new_stream(), new_stream()};
    struct call_data captured = make(EDGE, EDGE, EDGE, 0, 1, 0),
                     eager = make(EDGE, EDGE, EDGE, 0, 2, 0);
    force(gemm, "one-pass", 3);
    ladder_gemm_set_stream(gemm, stream[1]);
    SUCCEEDS(gemm, multiply(gemm, &eager));
    ladder_gemm_set_stream(gemm, stream[0]);
    must(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
    SUCCEEDS(gemm, multiply(gemm, &captured));
    EXPECT(!ladder_gemm_last(gemm).fell_back, "%s", ladder_gemm_message(gemm));
    cudaGraphExec_t ready = end_capture(stream[0]);
    ladder_gemm_set_stream(gemm, stream[1]);
    for (int time = 0; time < TIMES; time++) {
        must(cudaGraphLaunch(ready, stream[0]));
        SUCCEEDS(gemm, multiply(gemm, &eager));
    }
    EXPECT(wrong_elements(&captured) == 0, "the graph's product");
    EXPECT(wrong_elements(&eager) == 0, "the product outside it");
    cudaGraphExecDestroy(ready);
    destroy_matrices(&captured), destroy_matrices(&eager);
    ladder_gemm_destroy(gemm);
    for (int i = 0; i < 2; i++)
        cudaStreamDestroy(stream[i]);
}

/* While one thread captures, in the mode that forbids everybody to get memory, another makes a
 * handle and multiplies: the capture goes on. That handle is ended after the capture, as
 * ladder_gemm_destroy() asks. */
struct beside_capture {
    cudaStream_t stream; /* that is captured */
    double *x;
    ladder_gemm_t gemm; /* the other thread's */
};

static bool goes_on(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive;
}

static void *first_product(void *beside)
{
    struct beside_capture *b = beside;
    const double one = 1, zero = 0;
    double *x = b->x;
    cudaStream_t own;
    EXPECT(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess, "a stream");
    EXPECT(goes_on(b->stream), "after a stream was made");
    ladder_gemm_t gemm = b->gemm = handle(NULL);
    EXPECT(goes_on(b->stream), "after a handle was made");
    force(gemm, "one-pass", 2);
    ladder_gemm_set_stream(gemm, own);
    EXPECT(goes_on(b->stream), "after a stream was set");
    int n = BESIDE_EDGE / 2;
    int status = ladder_dgemm(gemm, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, x, n, &zero,
                              x + n * n, n);
    EXPECT(status == 0, "during a capture: %s", ladder_gemm_message(gemm));
    EXPECT(!ladder_gemm_last(gemm).fell_back, "during a capture: %s",
           ladder_gemm_message(gemm));
    EXPECT(goes_on(b->stream), "after a product");
    ladder_prepared_t left = NULL;
    status = ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
    if (!status)
        status = ladder_gemm_prepare(gemm, &left, CUBLAS_OP_N, n, n, (float *)x, n, n);
    EXPECT(status == 0 || status == LADDER_GEMM_UNSUPPORTED, "%s", ladder_gemm_message(gemm));
    EXPECT(goes_on(b->stream), "after a factor was prepared");
    ladder_gemm_end_prepared(left);
    EXPECT(goes_on(b->stream), "after it was ended");
    return NULL;
}

static void beside_captures(void)
{
    ladder_gemm_t gemm = handle(NULL);
    cudaStream_t stream = new_stream();
    double *x = NULL;
    pthread_t other;
    must(cudaMalloc((void **)&x, BESIDE_EDGE * BESIDE_EDGE * sizeof *x));
    set_bytes(x, 0, BESIDE_EDGE * BESIDE_EDGE * sizeof *x);
    struct call_data p = make(GRAPH_EDGE, GRAPH_EDGE, GRAPH_EDGE, 0, 2, 0);
    force(gemm, "one-pass", 2);
    ladder_gemm_set_stream(gemm, stream);
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SUCCEEDS(gemm, multiply(gemm, &p));
    EXPECT(goes_on(stream), "after the captured product");
    struct beside_capture beside = {stream, x, NULL};
    pthread_create(&other, NULL, first_product, &beside);
    pthread_join(other, NULL);
    replay_capture(stream, 2, start_of(&p, &p.c), NULL,
                   GRAPH_EDGE * GRAPH_EDGE * sizeof(double));
    ladder_gemm_destroy(beside.gemm);
    EXPECT(wrong_elements(&p) == 0, "the capture");
    destroy_matrices(&p);
    cudaFree(x);
    ladder_gemm_destroy(gemm);
    cudaStreamDestroy(stream);
}

static const struct named_case cases[] = {
    {"batch", batch},
    {"streams", streams},
    {"workspace", workspace},
#ifdef LADDER_SIM
    {"failures", failures},
#endif
    {"devices", devices},
    {"graphs", graphs},
    {"captures", captures},
    {"beside-graphs", beside_graphs},
    {"beside-captures", beside_captures},
#ifndef LADDER_SIM
    {"threads", threads},
#endif
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    int ran = 1;
    if (name && strcmp(name, "processes") == 0) /* before this process has a device */
        processes(argv[0]);
    else if (name && strcmp(name, "no-handle") == 0)
        no_handle();
    else if (!has_gpu() || (name && strcmp(name, "devices") == 0 && device_count() < 2))
        return SKIPPED;
    else if (argc > 3 && strcmp(name, "plan-some") == 0)
        plan_some(argv[2], atoi(argv[3]));
    else
        ran = run_cases(cases, sizeof cases / sizeof *cases, name);
    return end_of_cases(ran);
}
