/* SPDX-License-Identifier: MIT */
/** @file cases.h
 * The common part of the programs here: a count of mistakes, handles, small integers, and the
 * choice of cases by name.
 */
#ifndef TESTS_GEMM_CASES_H
#define TESTS_GEMM_CASES_H

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/matrix/random.h"
#include "ladder_gemm.h"
#ifdef LADDER_SIM
#include "simgpu/simgpu.h"
#endif

enum { SKIPPED = 77 };
static int mistakes;

/** Counts conditions that do not hold, and prints the first ten. */
#define EXPECT(condition, ...)                                                                 \
    do {                                                                                       \
        if (!(condition) && mistakes++ < 10) {                                                 \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                             \
            printf(__VA_ARGS__);                                                               \
            printf("\n");                                                                      \
        }                                                                                      \
    } while (0)

/** Ends the program when a CUDA call of the test itself fails. */
static inline void must(cudaError_t status)
{
    if (status != cudaSuccess) {
        printf("CUDA: %s\n", cudaGetErrorString(status));
        fflush(stdout);
        _exit(3); /* exit() would end CUDA while other threads use it */
    }
}

/** Copies host memory to the device, and waits: a copy from pageable memory may return before
 * its bytes have arrived, and a non-blocking stream does not wait for them. */
static inline void bring(void *to, const void *from, size_t bytes)
{
    must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
    must(cudaStreamSynchronize(NULL));
}

/** A copy on the device. */
static inline void *copied_to_device(const void *host, size_t bytes)
{
    void *device = NULL;
    must(cudaMalloc(&device, bytes));
    bring(device, host, bytes);
    return device;
}

/** Sets bytes of device memory, and waits for the same reason. */
static inline void set_bytes(void *at, int byte, size_t bytes)
{
    must(cudaMemset(at, byte, bytes));
    must(cudaStreamSynchronize(NULL));
}

/** A stream that does not wait for the default one. */
static inline cudaStream_t new_stream(void)
{
    cudaStream_t stream;
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
}

static inline ladder_gemm_t handle(const char *file)
{
    ladder_gemm_t gemm = NULL;
    if (ladder_gemm_create(&gemm, file)) {
        printf("no handle: %s\n", ladder_gemm_message(NULL));
        fflush(stdout);
        _exit(3);
    }
    ladder_gemm_smallest_leaf(gemm, 8); /* so that small shapes have candidates */
    ladder_gemm_measure(gemm, 1);
    ladder_gemm_set_accurate(gemm, 0); /* halves are not exact: products of integers are */
    return gemm;
}

static inline ladder_gemm_t handle_in_mode(const char *file, int mode)
{
    ladder_gemm_t gemm = handle(file);
    EXPECT(ladder_gemm_set_math_mode(gemm, mode) == 0, "mode %d", mode);
    return gemm;
}

/** A call that must succeed. */
#define SUCCEEDS(gemm, call) EXPECT((call) == 0, "%s", ladder_gemm_message(gemm))

static inline void force(ladder_gemm_t gemm, const char *variant, int levels)
{
    struct ladder_plan plan = {"", levels, strcmp(variant, "beside") == 0 ? 132 : 0};
    snprintf(plan.variant, sizeof plan.variant, "%s", variant);
    EXPECT(ladder_gemm_force(gemm, &plan) == 0, "%s %d", variant, levels);
}

/** Whether the last product ran by this method. */
static inline bool ran_by(ladder_gemm_t gemm, const char *variant)
{
    return strcmp(ladder_gemm_last(gemm).ran.variant, variant) == 0;
}

/** Every method. In double those for floats alone, own, fp16 and int8, are cuBLAS. */
static const struct ladder_plan every[] = {
    {"cublas", 0, 0},     {"own", 0, 0},     {"plain", 2, 0},      {"one-pass", 2, 0},
    {"overlapped", 2, 0}, {"batched", 1, 0}, {"two-levels", 2, 0}, {"beside", 3, 132},
    {"fp16", 0, 0},       {"int8", 1, 0},    {"exact", 1, 0}};
enum { EVERY = sizeof every / sizeof *every };

static inline void force_method(ladder_gemm_t gemm, int i)
{
    EXPECT(ladder_gemm_force(gemm, &every[i]) == 0, "%s", every[i].variant);
}

/** Runs a function in `count` host threads at a time, each with its number as the argument. */
static inline void run_in_threads(size_t count, void *(*function)(void *number))
{
    pthread_t all[16];
    for (size_t i = 0; i < count; i++)
        pthread_create(&all[i], NULL, function, (void *)i);
    for (size_t i = 0; i < count; i++)
        pthread_join(all[i], NULL);
}

/** Ends the capture of a stream, and makes its graph ready to run. */
static inline cudaGraphExec_t end_capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    must(cudaStreamEndCapture(stream, &graph));
    must(cudaGraphInstantiate(&ready, graph, 0));
    cudaGraphDestroy(graph);
    return ready;
}

/** The same, and runs the graph this many times. Each time the result has its `before` first,
 * or NaN if that is NULL, since a capture multiplies nothing. */
static inline void replay_capture(cudaStream_t stream, int times, void *result,
                                  const void *before, size_t bytes)
{
    cudaGraphExec_t ready = end_capture(stream);
    for (int i = 0; i < times; i++) {
        if (before)
            bring(result, before, bytes);
        else
            set_bytes(result, 0xff, bytes);
        must(cudaGraphLaunch(ready, stream));
        must(cudaStreamSynchronize(stream));
    }
    cudaGraphExecDestroy(ready);
}

/** The text of a file; "" if there is none. */
static inline const char *text_of(const char *file)
{
    static char text[8192];
    FILE *in = fopen(file, "r");
    text[in ? fread(text, 1, sizeof text - 1, in) : 0] = 0;
    if (in)
        fclose(in);
    return text;
}

static inline int lines_in(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/** Removes a tuning file and its lock. */
static inline void remove_plans(const char *file)
{
    char lock[128];
    snprintf(lock, sizeof lock, "%s.lock", file);
    remove(file), remove(lock);
}

struct named_case {
    const char *name;
    void (*run)(void);
};

/** Runs the case of that name, or all when it is NULL. Returns how many ran. */
static inline int run_cases(const struct named_case *cases, int count, const char *name)
{
    int ran = 0;
    for (int i = 0; i < count; i++)
        if (!name || strcmp(name, cases[i].name) == 0) {
            cases[i].run();
            ran++;
        }
    return ran;
}

/** The program's exit status. Faults that the simulated GPU found count as mistakes, too. */
static inline int end_of_cases(int ran)
{
#ifdef LADDER_SIM
    simgpu_check_leaks();
    mistakes += simgpu_fault_count();
#endif
    printf("%d cases, %d mistakes\n", ran, mistakes);
    return mistakes > 0 || ran == 0;
}

static inline int has_gpu(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
        return 1;
    printf("skipped: no GPU\n");
    return 0;
}

/** As main() of a program about modes: skipped on a GPU that has none. */
static inline int run_mode_cases(const struct named_case *cases, int count, const char *name)
{
    if (!has_gpu())
        return SKIPPED;
    ladder_gemm_t gemm = handle(NULL);
    int missing = ladder_gemm_set_math_mode(gemm, LADDER_GEMM_TENSOR);
    if (missing)
        printf("skipped: %s\n", ladder_gemm_message(gemm));
    ladder_gemm_destroy(gemm);
    return missing ? SKIPPED : end_of_cases(run_cases(cases, count, name));
}

#endif
