/* SPDX-License-Identifier: MIT */
/** @file signs.cuh
 * Strassen's seven products as signs of quadrants, and the numbering of the second level's
 * blocks.
 */
#ifndef STEPS_21_TENSOR_CORES_OPERANDS_SIGNS_CUH
#define STEPS_21_TENSOR_CORES_OPERANDS_SIGNS_CUH

/* The number of blocks after halving a matrix `levels` times in both directions. */
static inline long blocks_of(int levels) { return 1L << 2 * levels; }

/* Strassen's products M1 to M7 (Li et al. 2011, Figure 1): the sign of quadrant q (11, 12, 21,
   22) in the left and in the right factor of product o. */
static __host__ __device__ __forceinline__ int sign_of(int right, int o, int q)
{
    const signed char left_signs[7][4] = {{1, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, 0, 0},
                                          {0, 0, 0, 1}, {1, 1, 0, 0}, {-1, 0, 1, 0},
                                          {0, 1, 0, -1}};
    const signed char right_signs[7][4] = {{1, 0, 0, 1},  {1, 0, 0, 0}, {0, 1, 0, -1},
                                           {-1, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0},
                                           {0, 0, 1, 1}};
    return right ? right_signs[o][q] : left_signs[o][q];
}

/* Quadrant q within quadrant p, as a block of the 4 x 4 blocks. */
static __host__ __device__ __forceinline__ int block_at(int p, int q)
{
    return (p / 2 * 2 + q / 2) * 4 + p % 2 * 2 + q % 2;
}

#endif
