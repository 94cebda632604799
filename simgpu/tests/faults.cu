/* SPDX-License-Identifier: MIT */
/** @file faults.cu
 * Small programs with one fault each: what the plain build finds, too, and one of each kind of
 * those that only the traced one finds. The folder programs has the others. A comment "planted:
 * NAME" marks the line that the simulator must name. The last programs are right, and nothing
 * may be reported. check_faults.sh runs them all:
 *
 *     faults               lists the programs: name, kind of fault, whether plain, error
 *     faults NAME [SEED]   runs one, with threads in the order of this seed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cublas_v2.h>
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

/* ---- out of bounds ---- */

static __global__ void no_guard(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before = n < 0 ? 0 : 1;
    a[i] = before; // planted: store_past_end
}

static void store_past_end() { no_guard<<<4, 32>>>(zeros(100), 100); }

static __global__ void between_arrays(float *a)
{
    __shared__ float first[32];
    __shared__ float second[32];
    second[threadIdx.x] = 0;
    first[threadIdx.x] = 0;
    __syncthreads();
    a[threadIdx.x] =
        first[threadIdx.x + 32] + second[threadIdx.x]; // planted: shared_next_array
}

static void shared_next_array() { between_arrays<<<1, 32>>>(zeros(32)); }

static __global__ void dynamic_tile(float *a)
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = a[threadIdx.x]; // planted: dynamic_missing
    a[threadIdx.x] = tile[threadIdx.x];
}

static void dynamic_missing() { dynamic_tile<<<1, 32>>>(zeros(32)); }

/* ---- misaligned ---- */

static __global__ void row_of_65(const float *a, float *b)
{
    __shared__ float as[16][65];
    const float4 *a4 = (const float4 *)a;
    *((float4 *)&as[threadIdx.x][0]) = a4[threadIdx.x]; // planted: misaligned_store
    __syncthreads();
    b[threadIdx.x] = as[threadIdx.x][0];
}

static void misaligned_store() { row_of_65<<<1, 16>>>(zeros(64), zeros(64)); }

/* ---- races ---- */

static __global__ void reverse(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x]; // planted: race_missing_barrier
    a[threadIdx.x] = s[63 - threadIdx.x];
}

static void race_missing_barrier() { reverse<<<1, 64>>>(zeros(64)); }

static __global__ void block_forgotten(float *c)
{
    c[threadIdx.x] = (float)blockIdx.x; // planted: race_blocks_write
}

static void race_blocks_write() { block_forgotten<<<8, 32>>>(zeros(32)); }

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

static __global__ void two_barriers(float *a)
{
    if (threadIdx.x < 32) {
        a[threadIdx.x] = 1;
        __syncthreads(); // planted: divergence_two
    } else {
        a[threadIdx.x] = 2;
        __syncthreads();
    }
}

static void divergence_two() { two_barriers<<<1, 64>>>(zeros(64)); }

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

static void too_many_threads()
{
    zeros a(2048);
    no_guard<<<1, 2048>>>(a, 2048); // planted: too_many_threads
}

static void no_blocks()
{
    zeros a(32);
    int n = 20;
    no_guard<<<n / 32, 32>>>(a, n); // planted: no_blocks
}

static void grid_too_high()
{
    zeros a(32);
    no_guard<<<dim3(1, 70000), 32>>>(a, 32); // planted: grid_too_high
}

static void dynamic_too_much()
{
    zeros a(32);
    dynamic_tile<<<1, 32, 50 << 10>>>(a); // planted: dynamic_too_much
}

static __global__ void static_too_much_kernel(float *a)
{
    __shared__ float s[13 * 1024]; // planted: static_too_much
    s[threadIdx.x] = 1;
    a[threadIdx.x] = s[threadIdx.x];
}

static void static_too_much() { static_too_much_kernel<<<1, 32>>>(zeros(32)); }

/* ---- the API ---- */

static void leak()
{
    float *a;
    cudaMalloc(&a, 4096); // planted: leak
    cudaMemset(a, 0, 4096);
}

static void copy_too_long()
{
    float host[128] = {0}, *a;
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice); // planted: copy_too_long
    cudaFree(a);
}

static void copy_exchanged()
{
    float host[64] = {0};
    zeros a(64);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyHostToDevice); // planted: copy_exchanged
}

static void free_twice()
{
    float *a;
    cudaMalloc(&a, 64 * sizeof *a);
    cudaFree(a);
    cudaFree(a); // planted: free_twice
}

static void linear_filter()
{
    zeros a(64);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = a.p;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 64 * sizeof *a.p;
    cudaTextureDesc texture = {};
    texture.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t object;
    cudaCreateTextureObject(&object, &resource, &texture, NULL); // planted: linear_filter
}

static void gemm_too_large()
{
    zeros a(16 * 16);
    float one = 1, zero = 0;
    cublasHandle_t h;
    cublasCreate(&h);
    auto gemm = cublasSgemm;
    const cublasOperation_t no = CUBLAS_OP_N;
    gemm(h, no, no, 16, 17, 16, &one, a, 16, a, 16, &zero, a, 16); // planted: gemm_too_large
    cublasDestroy(h);
}

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

/* ---- correct programs ---- */

static __global__ void count_all(int *counter, float *sum)
{
    __shared__ int in_block;
    if (threadIdx.x == 0)
        in_block = 0;
    __syncthreads();
    atomicAdd(&in_block, 1);
    atomicAdd(counter, 1);
    atomicAdd(sum, 0.5f);
    __syncthreads();
    if (threadIdx.x == 0 && in_block != (int)blockDim.x)
        atomicAdd(counter, 1000000);
}

static void atomics()
{
    int *counter, host = 0;
    zeros sum(1);
    float host_sum = 0;
    cudaMalloc(&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    count_all<<<16, 64>>>(counter, sum);
    cudaMemcpy(&host, counter, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&host_sum, sum, sizeof host_sum, cudaMemcpyDeviceToHost);
    if (host != 1024 || host_sum != 512)
        exit(99);
    cudaFree(counter);
}

static __constant__ float factors[4];

static __global__ void warp_sums(const float *a, float *out, int *votes)
{
    __shared__ float partial[4];
    float v = a[threadIdx.x] * factors[threadIdx.x / 32];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = partial[threadIdx.x];
    unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
    int got =
        __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1) == (int)(threadIdx.x ^ 1) &&
        __shfl_sync(0xffffffffu, (int)threadIdx.x, 3, 8) == (int)(threadIdx.x / 8 * 8 + 3) &&
        odd == 0xaaaaaaaau && __all_sync(0xffffffffu, 1) && !__any_sync(0xffffffffu, 0);
    votes[threadIdx.x] = got;
}

static void warps()
{
    zeros a(128), out(4);
    float host[128], sums[4], f[4] = {1, 2, 3, 4};
    int *votes, host_votes[128];
    for (int i = 0; i < 128; i++)
        host[i] = (float)i;
    cudaMemcpyToSymbol(factors, f, sizeof f);
    cudaMalloc(&votes, sizeof host_votes);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    warp_sums<<<1, 128>>>(a, out, votes);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(host_votes, votes, sizeof host_votes, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 4; w++)
        if (sums[w] != f[w] * (float)(32 * 32 * w + 31 * 16))
            exit(98);
    for (int i = 0; i < 128; i++)
        if (!host_votes[i])
            exit(97);
    cudaFree(votes);
}

static __global__ void exchange_in_warp(float *a)
{
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[threadIdx.x ^ 31];
    __syncwarp();
    s[threadIdx.x] = 0;
    __syncthreads();
    unsigned char *bytes = (unsigned char *)s;
    bytes[threadIdx.x] = 1; /* neighbours write the same word, but not the same bytes */
}

static void syncwarp() { exchange_in_warp<<<1, 64>>>(zeros(64)); }

static __global__ void odd_tail(unsigned char *a)
{
    a[threadIdx.x] = (unsigned char)threadIdx.x;
}

static void odd_size()
{
    unsigned char *a, host[31];
    cudaMalloc(&a, 31);
    odd_tail<<<1, 31>>>(a);
    cudaMemcpy(host, a, 31, cudaMemcpyDeviceToHost);
    if (host[30] != 30)
        exit(96);
    cudaFree(a);
}

static __global__ void long_loop(const float *a, float *out, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i % 32];
    out[threadIdx.x] = s;
}

/** More accesses between two barriers than a thread's log holds. */
static void long_phase() { long_loop<<<1, 32>>>(zeros(32), zeros(32), 600000); }

static __global__ void copy(const float *a, float *b) { b[threadIdx.x] = a[threadIdx.x]; }

static void written_by_gemm()
{
    zeros a(256), d(32);
    float *c, one = 1, zero = 0;
    cudaMalloc(&c, 256 * sizeof *c);
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 16, 16, 16, &one, a, 16, a, 16, &zero, c, 16);
    copy<<<1, 32>>>(c, d);
    cublasDestroy(handle);
    cudaFree(c);
}

#define ILLEGAL       "illegal memory access"
#define CONFIGURATION "invalid configuration argument"
static const struct {
    const char *name;  /**< the line it must be reported for says "planted: NAME" */
    const char *fault; /**< the kind that must be reported, or "" for a correct program */
    int in_plain;      /**< the plain build finds it too */
    const char *error; /**< what cudaDeviceSynchronize or cudaGetLastError says afterwards */
    void (*run)(void);
} programs[] = {
    {"store_past_end", "out-of-bounds-global", 0, ILLEGAL, store_past_end},
    {"shared_next_array", "out-of-bounds-shared", 0, ILLEGAL, shared_next_array},
    {"dynamic_missing", "out-of-bounds-shared", 0, ILLEGAL, dynamic_missing},
    {"misaligned_store", "misaligned", 0, "misaligned address", misaligned_store},
    {"race_missing_barrier", "shared-race", 0, "", race_missing_barrier},
    {"race_blocks_write", "global-race", 0, "", race_blocks_write},
    {"divergence_left", "barrier-divergence", 1, "", divergence_left},
    {"divergence_two", "barrier-divergence", 1, "unspecified launch failure", divergence_two},
    {"host_reads", "host-touches-device", 1, "", host_reads},
    {"null_pointer", "device-touches-host", 1, ILLEGAL, null_pointer},
    {"too_many_threads", "launch-limits", 1, CONFIGURATION, too_many_threads},
    {"no_blocks", "launch-limits", 1, CONFIGURATION, no_blocks},
    {"grid_too_high", "launch-limits", 1, CONFIGURATION, grid_too_high},
    {"dynamic_too_much", "launch-limits", 1, "invalid argument", dynamic_too_much},
    {"static_too_much", "launch-limits", 1, "invalid argument", static_too_much},
    {"leak", "leak", 1, "", leak},
    {"copy_too_long", "bad-call", 1, "invalid argument", copy_too_long},
    {"copy_exchanged", "bad-call", 1, "invalid argument", copy_exchanged},
    {"free_twice", "bad-call", 1, "invalid argument", free_twice},
    {"linear_filter", "not-simulated", 1, "operation not supported", linear_filter},
    {"gemm_too_large", "out-of-bounds-global", 1, ILLEGAL, gemm_too_large},
    {"stack_overflow", "stack-overflow", 1, "", stack_overflow},
    {"division_by_zero", "division-by-zero", 1, "", division_by_zero},
    {"atomics", "", 1, "", atomics},
    {"warps", "", 1, "", warps},
    {"syncwarp", "", 1, "", syncwarp},
    {"odd_size", "", 1, "", odd_size},
    {"long_phase", "", 1, "", long_phase},
    {"written_by_gemm", "", 1, "", written_by_gemm}};

int main(int argc, char **argv)
{
    for (auto &p : programs)
        if (argc == 1) {
            printf("%s|%s|%d|%s\n", p.name, p.fault, p.in_plain, p.error);
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
