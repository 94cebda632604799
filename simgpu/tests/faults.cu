/* SPDX-License-Identifier: MIT */
/** @file faults.cu
 * Small programs with one fault each, which the plain build finds, too. The folder programs has
 * those that only the traced one finds. A comment "planted: NAME" marks the line that the
 * simulator must name. The last program is right, and nothing may be reported.
 * check_faults.sh runs them all:
 *
 *     faults               lists the programs: name, kind of fault, error
 *     faults NAME [SEED]   runs one, with threads in the order of this seed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#include "simgpu.h"

/** Device memory of n zeros. */
struct zeros {
    float *p;
    zeros(int n)
    {
        cudaMalloc(&p, n * sizeof *p);
        cudaMemset(p, 0, n * sizeof *p);
    }
    ~zeros() { cudaFree(p); }
    operator float *() const { return p; }
};

/* ---- barriers ---- */

static __global__ void returns_early(float *a, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i >= n)
        return;
    s[i] = a[i];
    __syncthreads(); // planted: divergence_left
    a[i] = s[0];
}

static void divergence_left() { returns_early<<<1, 64>>>(zeros(64), 50); }

/* ---- host and device ---- */

static void host_reads()
{
    zeros a(64);
    volatile float sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum + ((volatile float *)a)[i]; // planted: host_reads
}

static __global__ void through_null(float *a)
{
    a[threadIdx.x] = 1; // planted: null_pointer
}

static void null_pointer()
{
    float *a = NULL;
    through_null<<<1, 32>>>(a);
}

/* ---- launches ---- */

static __global__ void static_too_much_kernel(float *a)
{
    __shared__ float s[13 * 1024]; // planted: static_too_much
    s[threadIdx.x] = 1;
    a[threadIdx.x] = s[threadIdx.x];
}

static void static_too_much() { static_too_much_kernel<<<1, 32>>>(zeros(32)); }

/* ---- a thread's own memory, a division ---- */

static __global__ void large_array(float *a, int n)
{
    volatile float own[100000]; // some 390 KiB
    for (int i = 0; i < n; i++)
        own[i] = (float)i;
    a[threadIdx.x] = own[n / 2];
}

static void stack_overflow() { large_array<<<1, 32>>>(zeros(32), 100000); }

static __global__ void remainder_of(int *a, int n)
{
    a[threadIdx.x] = (int)threadIdx.x % n; // planted: division_by_zero
}

static void division_by_zero()
{
    int *a;
    cudaMalloc(&a, 32 * sizeof *a);
    remainder_of<<<1, 32>>>(a, 0);
    cudaFree(a);
}

/* ---- a correct program ---- */

static __global__ void long_loop(const float *a, float *out, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i % 32];
    out[threadIdx.x] = s;
}

/** More accesses between two barriers than a thread's log holds. */
static void long_phase() { long_loop<<<1, 32>>>(zeros(32), zeros(32), 600000); }

static const struct {
    const char *name;  /**< the line it must be reported for says "planted: NAME" */
    const char *fault; /**< the kind that must be reported, or "" for a correct program */
    const char *error; /**< what cudaDeviceSynchronize or cudaGetLastError says afterwards */
    void (*run)(void);
} programs[] = {{"divergence_left", "barrier-divergence", "", divergence_left},
                {"host_reads", "host-touches-device", "", host_reads},
                {"null_pointer", "device-touches-host", "illegal memory access", null_pointer},
                {"static_too_much", "launch-limits", "invalid argument", static_too_much},
                {"stack_overflow", "stack-overflow", "", stack_overflow},
                {"division_by_zero", "division-by-zero", "", division_by_zero},
                {"long_phase", "", "", long_phase}};

int main(int argc, char **argv)
{
    for (auto &p : programs)
        if (argc == 1) {
            printf("%s|%s|%s\n", p.name, p.fault, p.error);
        } else if (strcmp(argv[1], p.name) == 0) {
            simgpu_set_shuffle(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
            simgpu_count_start();
            p.run();
            cudaError_t launch = cudaGetLastError(), kernel = cudaDeviceSynchronize();
            fprintf(stderr, "error: %s\n",
                    cudaGetErrorString(launch != cudaSuccess ? launch : kernel));
        }
    return 0; /* the simulator makes it 1 */
}
