/* SPDX-License-Identifier: MIT */
/** @file curand.h
 * Device memory filled with random numbers, by the generator of curand_kernel.h.
 */
#ifndef SIMGPU_INCLUDE_CURAND_H
#define SIMGPU_INCLUDE_CURAND_H

#define CURAND_H_ /* the guard of cuRAND's own header, for others that ask for it */
#include <vector>

#include "curand_kernel.h"

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef curandState *curandGenerator_t;

/** Returns CURAND_STATUS_TYPE_ERROR for quasi-random types. */
SIMGPU_API curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                                curandRngType_t type)
{
    if (type >= CURAND_RNG_QUASI_DEFAULT)
        return CURAND_STATUS_TYPE_ERROR;
    *generator = new curandState();
    curand_init(0, 0, 0, *generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed)
{
    curand_init(seed, 0, 0, generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset)
{
    generator->next = offset;
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t)
{
    return CURAND_STATUS_SUCCESS;
}

#define SIMGPU_GENERATE(name, type, parameters, value)                                         \
    SIMGPU_API curandStatus_t curandGenerate##name parameters                                  \
    {                                                                                          \
        std::vector<type> numbers(n);                                                          \
        for (type & number : numbers)                                                          \
            number = value;                                                                    \
        return cudaMemcpy(to, numbers.data(), n * sizeof(type), cudaMemcpyHostToDevice)        \
                   ? CURAND_STATUS_LAUNCH_FAILURE                                              \
                   : CURAND_STATUS_SUCCESS;                                                    \
    }
SIMGPU_GENERATE(, unsigned, (curandGenerator_t g, unsigned *to, size_t n), curand(g))
SIMGPU_GENERATE(Uniform, float, (curandGenerator_t g, float *to, size_t n), curand_uniform(g))
SIMGPU_GENERATE(UniformDouble, double, (curandGenerator_t g, double *to, size_t n),
                curand_uniform_double(g))
SIMGPU_GENERATE(Normal, float,
                (curandGenerator_t g, float *to, size_t n, float mean, float deviation),
                mean + deviation * curand_normal(g))
SIMGPU_GENERATE(NormalDouble, double,
                (curandGenerator_t g, double *to, size_t n, double mean, double deviation),
                mean + deviation * curand_normal_double(g))
#undef SIMGPU_GENERATE

#endif
