/* SPDX-License-Identifier: MIT */
/** @file terms.cuh
 * Splits terms of a line, and stores them in the layout that the tensor cores read.
 */
#ifndef STEPS_21_TENSOR_CORES_OPERANDS_TERMS_CUH
#define STEPS_21_TENSOR_CORES_OPERANDS_TERMS_CUH

#include <cuda_fp16.h>

#include "operands.h"
#include "powers.cuh"

enum { WIDTH = 4 /* terms of k that a thread splits */ };

static __device__ __forceinline__ unsigned pair_of(__half low, __half high)
{
    return __half_as_ushort(low) | (unsigned)__half_as_ushort(high) << 16;
}

/* Inlined 49 times for a GPU, where the elements then stay in registers. The simulated GPU
   calls it instead: 49 copies would take the host's compiler half a minute. */
#ifdef __SIMGPU__
#define INLINED_ON_A_GPU static __attribute__((noinline))
#else
#define INLINED_ON_A_GPU static __device__ __forceinline__
#endif

/// [split]
/* Stores four terms of one line, from k on, at their places in the tile's slices. */
INLINED_ON_A_GPU void store_terms(unsigned char *slices, int tile, int line, int k,
                                  int k_padded, const float x[WIDTH], int exponent, int right,
                                  enum format format)
{
    size_t slice = (size_t)tile * SLICE;
    unsigned char *to = slices + (size_t)line * SLICE;
    __half hi[WIDTH];
    float scaled[WIDTH], lo[WIDTH];
    int lift = lift_of(format);
#pragma unroll
    for (int i = 0; i < WIDTH; i++) {
        scaled[i] = times_power(x[i], lift - exponent);
        hi[i] = __float2half_rn(scaled[i]);
        lo[i] = scaled[i] - __half2float(hi[i]); /* exact */
    }
    uint2 halves = make_uint2(pair_of(hi[0], hi[1]), pair_of(hi[2], hi[3]));
    if (format == FORMAT_TWO_HALVES) {
        int piece = k % 32 / 8;
        to += k / 32 * slice + k % 8 * 2;
        *(uint2 *)(to + (piece ^ line % 8) * 16) = halves;
        *(uint2 *)(to + ((piece + 4) ^ line % 8) * 16) =
            make_uint2(pair_of(__float2half_rn(lo[0]), __float2half_rn(lo[1])),
                       pair_of(__float2half_rn(lo[2]), __float2half_rn(lo[3])));
    } else {
        *(uint2 *)(to + k / 64 * slice + (k % 64 / 8 ^ line % 8) * 16 + k % 8 * 2) = halves;
        unsigned lo_bytes = 0, hi_bytes = 0;
#pragma unroll
        for (int i = 0; i < WIDTH; i++) { /* |lo| <= 2^-12 */
            lo_bytes |= ((int)rintf(lo[i] * (4096 * 127.0f)) & 255u) << 8 * i;
            hi_bytes |= ((int)rintf(scaled[i] * 127.0f) & 255u) << 8 * i;
        }
        size_t second = k_padded / STEP_K * slice;
        to += k_padded / 64 * slice + k / STEP_K * slice + (k % STEP_K / 16 ^ line % 8) * 16 +
              k % 16;
        *(unsigned *)(to + (right ? second : 0)) = lo_bytes;
        *(unsigned *)(to + (right ? 0 : second)) = hi_bytes;
    }
}
/// [split]

#endif
