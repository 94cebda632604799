/* SPDX-License-Identifier: MIT */
/** @file hopper.cuh
 * A function for each instruction of compute capability 9.0 that has none in CUDA C: barriers
 * in shared memory that count bytes, bulk copies, and the matrix instructions (wgmma) of a
 * warpgroup, which is four warps. Only code compiled for sm_90a has the matrix instructions and
 * setmaxnreg; the others are in sm_90 and above, too, the plain barriers in sm_80.
 */
#ifndef STEPS_21_TENSOR_CORES_LEAF_HOPPER_CUH
#define STEPS_21_TENSOR_CORES_LEAF_HOPPER_CUH

#include "steps/21-tensor-cores/operands/operands.h"

enum { SUMS = TILE_N / 2 /* registers of a thread for 64 x TILE_N sums of its warpgroup */ };

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* ---- Barriers: a phase completes after a given number of arrivals and of bytes ---- */

static __device__ __forceinline__ void barrier_create(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

/** Makes new barriers visible to the copy engine and to the cluster's other thread block. */
static __device__ __forceinline__ void barriers_created(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/** Arrives, and makes the phase wait for this many bytes of copies. */
static __device__ __forceinline__ void barrier_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}

/** Arrives at the same barrier of a thread block of the cluster. */
static __device__ __forceinline__ void barrier_arrive(unsigned barrier, int thread_block)
{
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n" ::"r"(barrier),
                 "r"(thread_block)
                 : "memory");
}

/** Stores a number at the same place of a thread block of the cluster, whose barrier counts the
 * four bytes. */
static __device__ __forceinline__ void store_in_thread_block(unsigned place, int number,
                                                             unsigned barrier, int thread_block)
{
    asm volatile("{\n.reg .b32 there, counts;\n"
                 "mapa.shared::cluster.u32 there, %0, %3;\n"
                 "mapa.shared::cluster.u32 counts, %2, %3;\n"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [there], %1, "
                 "[counts];\n}\n" ::"r"(place),
                 "r"(number), "r"(barrier), "r"(thread_block)
                 : "memory");
}

/** Waits until the phase of this parity is complete. */
static __device__ __forceinline__ void barrier_wait(unsigned barrier, int parity)
{
    asm volatile("{\n.reg .pred complete;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n"
                 "@complete bra done;\n"
                 "bra again;\n"
                 "done:\n}\n" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

static __device__ __forceinline__ int rank_in_cluster(void)
{
    int rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ __forceinline__ void cluster_wait(void)
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

/* ---- Copies by the copy engine; multiples of 16 bytes ---- */

static __device__ __forceinline__ void copy_bulk(unsigned to, const void *from, int bytes,
                                                 unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

/** Copies to every thread block of the cluster; each one's barrier counts the bytes. */
static __device__ __forceinline__ void copy_bulk_to_all(unsigned to, const void *from,
                                                        int bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier), "h"((unsigned short)((1 << CLUSTER) - 1))
                 : "memory");
}

/* ---- Matrix instructions ---- */

/** Sets the number of registers of each thread of the warpgroup from here on. */
template <int registers> static __device__ __forceinline__ void warpgroup_gives_back_to(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> static __device__ __forceinline__ void warpgroup_takes(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

/** Describes lines of SLICE bytes in shared memory: groups of 8 lines are 1024 bytes apart (64
 * times 16), and pieces of 16 bytes are swizzled within 128 (1 in the two highest bits). */
static __device__ __forceinline__ unsigned long long lines_at(unsigned address)
{
    return (unsigned long long)((address & 0x3ffff) >> 4) | 1ull << 16 | 64ull << 32 |
           1ull << 62;
}

static __device__ __forceinline__ void products_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void products_end(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/** Waits until at most `groups` groups of products, each from products_begin() to
 * products_end(), are still running. */
template <int groups> static __device__ __forceinline__ void products_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

/** Waits for all products. The memory clobber orders no reads of registers, so the empty
 * statements say that the `count` sums are known only from here on. */
template <int count> static __device__ __forceinline__ void products_wait_for(unsigned *sums)
{
    products_wait<0>();
#pragma unroll
    for (int i = 0; i < count; i++)
        asm volatile("" : "+r"(sums[i])::"memory");
}

/* The registers d[0] to d[95] of a matrix instruction, or to d[127]: their numbers in its text,
   and the operands, eight by a macro: an operand cannot come from a function. */
#define NUMBERS_OF_96                                                                          \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                   \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "         \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "         \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "         \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "         \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define NUMBERS_OF_128                                                                         \
    NUMBERS_OF_96                                                                              \
    ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, " \
    "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "     \
    "%125, %126, %127"
#define EIGHT(i)                                                                               \
    "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]),                \
        "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])
#define ALL_96                                                                                 \
    EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56),      \
        EIGHT(64), EIGHT(72), EIGHT(80), EIGHT(88)
#define ALL_128 ALL_96, EIGHT(96), EIGHT(104), EIGHT(112), EIGHT(120)

/** d (64 x TILE_N floats of the warpgroup) = a * b, 16 terms of halves, or d + a * b. The sums
 * are floats, in registers declared without a type. */
static __device__ __forceinline__ void multiply_halves(unsigned *d, unsigned long long a,
                                                       unsigned long long b, int add)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n192k16.f32.f16.f16 {" NUMBERS_OF_96
                 "}, %96, %97, p, 1, 1, 0, 0;\n}\n"
                 : ALL_96
                 : "l"(a), "l"(b), "r"(add));
}

/** The same with 32 terms of signed bytes, and sums that are int. */
static __device__ __forceinline__ void multiply_bytes(unsigned *d, unsigned long long a,
                                                      unsigned long long b, int add)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %98, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n192k32.s32.s8.s8 {" NUMBERS_OF_96
                 "}, %96, %97, p;\n}\n"
                 : ALL_96
                 : "l"(a), "l"(b), "r"(add));
}

/** The same for 256 columns. */
static __device__ __forceinline__ void multiply_wide_bytes(unsigned *d, unsigned long long a,
                                                           unsigned long long b, int add)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {" NUMBERS_OF_128
                 "}, %128, %129, p;\n}\n"
                 : ALL_128
                 : "l"(a), "l"(b), "r"(add));
}

#undef NUMBERS_OF_96
#undef NUMBERS_OF_128
#undef EIGHT
#undef ALL_96
#undef ALL_128

#endif
