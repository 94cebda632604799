/* SPDX-License-Identifier: MIT */
/** @file dps_sums.cuh
 * The sums of a level with the table of Dumas, Pernet and Sedoglavic, written by
 * make_sums.py.
 */
#ifndef STEPS_24_ACCURATE_GPU_DPS_SUMS_CUH
#define STEPS_24_ACCURATE_GPU_DPS_SUMS_CUH

// clang-format off
/// [sums]
/** The seven left factors from A's quadrants 11, 12, 21, 22. */
template <class vector>
static __device__ __forceinline__ void dps_left(const vector *x, vector *y)
{
    const vector t0 = minus(x[1], x[2]);
    const vector t1 = minus(x[0], times(0.25, x[3]));
    y[0] = times(-1, t0);
    y[1] = plus(times(0.5, t0), t1);
    y[2] = minus(x[2], times(0.5, x[3]));
    y[3] = minus(x[1], times(0.5, x[3]));
    y[4] = plus(x[2], times(0.5, x[3]));
    y[5] = minus(t1, times(0.5, t0));
    y[6] = plus(x[1], times(0.5, x[3]));
}

/** The seven right factors from B's. */
template <class vector>
static __device__ __forceinline__ void dps_right(const vector *x, vector *y)
{
    const vector t0 = minus(x[0], x[3]);
    const vector t1 = minus(x[1], times(4, x[2]));
    y[0] = t0;
    y[1] = plus(x[0], times(0.5, x[1]));
    y[2] = minus(times(0.5, x[1]), x[3]);
    y[3] = plus(times(0.5, t0), times(0.25, t1));
    y[4] = plus(times(0.5, x[1]), x[3]);
    y[5] = minus(x[0], times(0.5, x[1]));
    y[6] = minus(times(0.5, t0), times(0.25, t1));
}

/** C's quadrants from the seven products. */
template <class vector>
static __device__ __forceinline__ void dps_results(const vector *x, vector *y)
{
    const vector t0 = plus(x[1], times(0.5, x[4]));
    const vector t1 = minus(x[2], times(2, x[3]));
    y[0] = plus(plus(plus(times(0.5, x[5]), times(0.5, x[6])), times(0.5, t0)), times(0.25, t1));
    y[1] = plus(minus(minus(x[0], times(0.5, x[2])), x[5]), t0);
    y[2] = minus(plus(plus(x[0], times(0.5, x[4])), x[6]), times(0.5, t1));
    y[3] = plus(x[2], x[4]);
}

/// [sums]
// clang-format on

#endif
