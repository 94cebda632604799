/* SPDX-License-Identifier: MIT */
/** @file curand.h
 * Device memory filled with random numbers, one after another from a sequence of XORWOW
 * (curand_kernel.h), whatever the generator; cuRAND takes them from many subsequences in turn.
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
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
struct curandGenerator_st : curandState {
    unsigned long long seed;
    bool on_host; /* it fills the host's memory */
};
typedef curandGenerator_st *curandGenerator_t;
/* What is no generator is named, and the call that has it returns. */
#define SIMGPU_GENERATOR(g)                                                                    \
    if (simgpu_no_handle(__func__, "CURAND_STATUS_NOT_INITIALIZED", "curandCreateGenerator",   \
                         g))                                                                   \
        return CURAND_STATUS_NOT_INITIALIZED;

/** Returns CURAND_STATUS_TYPE_ERROR for quasi-random sequences. All others are XORWOW, in
 * another order than cuRAND's. */
SIMGPU_API curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                                curandRngType_t type)
{
    if (type >= CURAND_RNG_QUASI_DEFAULT) {
        fprintf(
            stderr,
            "simulated GPU: curandCreateGenerator: quasi-random numbers are not simulated\n");
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_MTGP32 ||
        type == CURAND_RNG_PSEUDO_MT19937)
        fprintf(stderr, "simulated GPU: curandCreateGenerator: MRG32k3a and the Mersenne "
                        "Twister are not simulated; the numbers are those of XORWOW\n");
    *generator = new curandGenerator_st();
    simgpu_handle(*generator, 1);
    curand_init(0, 0, 0, *generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                                    curandRngType_t type)
{
    curandStatus_t status = curandCreateGenerator(generator, type);
    if (status == CURAND_STATUS_SUCCESS)
        (*generator)->on_host = true;
    return status;
}
SIMGPU_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    SIMGPU_GENERATOR(generator)
    simgpu_handle(generator, 0);
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed)
{
    SIMGPU_GENERATOR(generator)
    generator->seed = seed;
    curand_init(seed, 0, 0, generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset)
{
    SIMGPU_GENERATOR(generator)
    curand_init(generator->seed, 0, offset, generator);
    return CURAND_STATUS_SUCCESS;
}
/** Without effect: the numbers are there when a call returns. */
SIMGPU_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t)
{
    SIMGPU_GENERATOR(generator)
    return CURAND_STATUS_SUCCESS;
}

namespace simgpu
{
template <class T, class F>
curandStatus_t generate(curandGenerator_t g, T *to, size_t n, F value)
{
    std::vector<T> numbers(n);
    for (T &number : numbers)
        number = value(static_cast<curandState *>(g));
    return cudaMemcpy(to, numbers.data(), n * sizeof(T),
                      g->on_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
               ? CURAND_STATUS_LAUNCH_FAILURE
               : CURAND_STATUS_SUCCESS;
}
} // namespace simgpu

#define SIMGPU_GENERATE(name, parameters, value)                                               \
    SIMGPU_API curandStatus_t name parameters                                                  \
    {                                                                                          \
        SIMGPU_GENERATOR(g)                                                                    \
        return simgpu::generate(g, to, n, [=](curandState *state) { return value; });          \
    }
SIMGPU_GENERATE(curandGenerate, (curandGenerator_t g, unsigned *to, size_t n), curand(state))
SIMGPU_GENERATE(curandGenerateUniform, (curandGenerator_t g, float *to, size_t n),
                curand_uniform(state))
SIMGPU_GENERATE(curandGenerateUniformDouble, (curandGenerator_t g, double *to, size_t n),
                curand_uniform_double(state))
SIMGPU_GENERATE(curandGenerateNormal,
                (curandGenerator_t g, float *to, size_t n, float mean, float deviation),
                mean + deviation * curand_normal(state))
SIMGPU_GENERATE(curandGenerateNormalDouble,
                (curandGenerator_t g, double *to, size_t n, double mean, double deviation),
                mean + deviation * curand_normal_double(state))

#endif
