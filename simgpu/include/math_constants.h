/* SPDX-License-Identifier: MIT */
/** @file math_constants.h
 * CUDA's names for numbers that kernels need, in single and in double precision.
 */
#ifndef SIMGPU_INCLUDE_MATH_CONSTANTS_H
#define SIMGPU_INCLUDE_MATH_CONSTANTS_H

#define CUDART_INF_F        __builtin_inff()
#define CUDART_NAN_F        __builtin_nanf("")
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_MAX_NORMAL_F 3.402823466e+38f
#define CUDART_NEG_ZERO_F   (-0.0f)
#define CUDART_ZERO_F       0.0f
#define CUDART_ONE_F        1.0f
#define CUDART_SQRT_HALF_F  0.707106781f
#define CUDART_SQRT_TWO_F   1.414213562f
#define CUDART_THIRD_F      0.333333333f
#define CUDART_PIO4_F       0.785398163f
#define CUDART_PIO2_F       1.570796327f
#define CUDART_3PIO4_F      2.356194490f
#define CUDART_2_OVER_PI_F  0.636619772f
#define CUDART_PI_F         3.141592654f
#define CUDART_2PI_F        6.283185307f
#define CUDART_L2E_F        1.442695041f
#define CUDART_LN2_F        0.693147181f
#define CUDART_LNT_F        2.302585093f

#define CUDART_INF        __builtin_inf()
#define CUDART_NAN        __builtin_nan("")
#define CUDART_MIN_DENORM 4.9406564584124654e-324
#define CUDART_MAX_NORMAL 1.7976931348623157e+308
#define CUDART_NEG_ZERO   (-0.0)
#define CUDART_ZERO       0.0
#define CUDART_ONE        1.0
#define CUDART_SQRT_HALF  0.70710678118654752
#define CUDART_SQRT_TWO   1.4142135623730950
#define CUDART_THIRD      0.33333333333333333
#define CUDART_PIO4       0.78539816339744831
#define CUDART_PIO2       1.5707963267948966
#define CUDART_3PIO4      2.3561944901923449
#define CUDART_2_OVER_PI  0.63661977236758134
#define CUDART_PI         3.1415926535897932
#define CUDART_L2E        1.4426950408889634
#define CUDART_LN2        0.69314718055994531
#define CUDART_LNT        2.3025850929940457
#endif
