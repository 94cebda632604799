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
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103
} curandDirectionVectorSet_t;
struct curandGenerator_st : curandState {
    bool quasi;
    unsigned dimensions;
    unsigned long long seed, next; /**< next: of a quasi-random sequence */
};
typedef curandGenerator_st *curandGenerator_t;

namespace simgpu
{
enum { sobol_dimensions = 8 };

/** The direction numbers of the first dimensions (Joe and Kuo, 2008): of each dimension but the
 * first, a primitive polynomial's degree and inner coefficients, and the first odd numbers. */
template <class Number, int bits> Number (*sobol_directions())[bits]
{
    static const struct {
        unsigned degree, coefficients, first[5];
    } dimension[] = {
        {1, 0, {1}},          {2, 1, {1, 3}},        {3, 1, {1, 3, 1}},       {3, 2, {1, 1, 1}},
        {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}}};
    static Number all[sobol_dimensions][bits];
    for (int bit = 0; bit < bits; bit++)
        all[0][bit] = (Number)1 << (bits - 1 - bit);
    for (int d = 1; d < sobol_dimensions; d++) {
        const unsigned degree = dimension[d - 1].degree;
        for (unsigned i = 0; i < bits; i++) {
            if (i < degree) {
                all[d][i] = (Number)dimension[d - 1].first[i] << (bits - 1 - i);
                continue;
            }
            all[d][i] = all[d][i - degree] ^ all[d][i - degree] >> degree;
            for (unsigned k = 1; k < degree; k++)
                if (dimension[d - 1].coefficients >> (degree - 1 - k) & 1)
                    all[d][i] ^= all[d][i - k];
        }
    }
    return all;
}
} // namespace simgpu

/** Returns the first eight dimensions; cuRAND has 20,000. */
SIMGPU_API curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                                      curandDirectionVectorSet_t)
{
    *vectors = simgpu::sobol_directions<unsigned, 32>();
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                                      curandDirectionVectorSet_t)
{
    *vectors = simgpu::sobol_directions<unsigned long long, 64>();
    return CURAND_STATUS_SUCCESS;
}

/** Returns CURAND_STATUS_TYPE_ERROR for scrambled sequences. All others that are not
 * quasi-random are XORWOW, in another order than cuRAND's. */
SIMGPU_API curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                                curandRngType_t type)
{
    if (type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 ||
        type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
        return CURAND_STATUS_TYPE_ERROR;
    if (type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_MTGP32 ||
        type == CURAND_RNG_PSEUDO_MT19937)
        fprintf(stderr, "simulated GPU: curandCreateGenerator: MRG32k3a and the Mersenne "
                        "Twister are not simulated; the numbers are those of XORWOW\n");
    *generator = new curandGenerator_st();
    (*generator)->quasi = type >= CURAND_RNG_QUASI_DEFAULT;
    (*generator)->dimensions = 1;
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
    generator->seed = seed;
    curand_init(seed, 0, 0, generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset)
{
    generator->next = offset;
    curand_init(generator->seed, 0, offset, generator);
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                  unsigned dimensions)
{
    if (!generator->quasi)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions < 1 || dimensions > simgpu::sobol_dimensions)
        return CURAND_STATUS_OUT_OF_RANGE;
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t)
{
    return CURAND_STATUS_SUCCESS;
}
SIMGPU_API curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t)
{
    return CURAND_STATUS_SUCCESS;
}

namespace simgpu
{
template <class T> curandStatus_t random_to_device(T *to, const std::vector<T> &numbers)
{
    return cudaMemcpy(to, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice)
               ? CURAND_STATUS_LAUNCH_FAILURE
               : CURAND_STATUS_SUCCESS;
}
/** Uniform random numbers. A quasi-random generator gives all numbers of the first dimension,
 * then those of the second, and so on. */
template <class T, class F>
curandStatus_t uniform(curandGenerator_t g, T *to, size_t n, F value)
{
    std::vector<T> numbers;
    if (g->quasi && n % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    for (unsigned d = 0; g->quasi && d < g->dimensions; d++) {
        curandStateSobol64 state;
        curand_init(sobol_directions<unsigned long long, 64>()[d], g->next, &state);
        for (size_t i = 0; i < n / g->dimensions; i++)
            numbers.push_back((T)value(&state));
    }
    if (g->quasi)
        g->next += n / g->dimensions;
    while (numbers.size() < n)
        numbers.push_back((T)value(static_cast<curandState *>(g)));
    return random_to_device(to, numbers);
}
template <class T, class F> curandStatus_t normal(curandGenerator_t g, T *to, size_t n, F value)
{
    std::vector<T> numbers(n);
    if (g->quasi)
        return CURAND_STATUS_TYPE_ERROR;
    for (T &number : numbers)
        number = value(static_cast<curandState *>(g));
    return random_to_device(to, numbers);
}
inline unsigned curand_word(curandState *state) { return curand(state); }
inline unsigned curand_word(curandStateSobol64 *state)
{
    return (unsigned)(curand(state) >> 32);
}
} // namespace simgpu

SIMGPU_API curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t n)
{
    return simgpu::uniform(g, to, n, [](auto *state) { return simgpu::curand_word(state); });
}
SIMGPU_API curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t n)
{
    return simgpu::uniform(g, to, n, [](auto *state) { return curand_uniform(state); });
}
SIMGPU_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t n)
{
    return simgpu::uniform(g, to, n, [](auto *state) { return curand_uniform_double(state); });
}
SIMGPU_API curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t n,
                                               float mean, float deviation)
{
    return simgpu::normal(
        g, to, n, [=](curandState *state) { return mean + deviation * curand_normal(state); });
}
SIMGPU_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t n,
                                                     double mean, double deviation)
{
    return simgpu::normal(g, to, n, [=](curandState *state) {
        return mean + deviation * curand_normal_double(state);
    });
}

#endif
