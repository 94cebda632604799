/* SPDX-License-Identifier: MIT */
/** @file malloc_and_free.h
 * Replaces Thrust's header of this name, so that kernels may touch a vector's elements.
 */
#ifndef SIMGPU_INCLUDE_THRUST_SYSTEM_DETAIL_SEQUENTIAL_MALLOC_AND_FREE_H
#define SIMGPU_INCLUDE_THRUST_SYSTEM_DETAIL_SEQUENTIAL_MALLOC_AND_FREE_H

#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

#include "simgpu/vectors.h"

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace detail
{
namespace sequential
{

template <class Policy> void *malloc(execution_policy<Policy> &, std::size_t bytes)
{
    return simgpu_vector_allocate(bytes);
}

template <class Policy, class Pointer> void free(execution_policy<Policy> &, Pointer memory)
{
    simgpu_vector_free(thrust::raw_pointer_cast(memory));
}

} // namespace sequential
} // namespace detail
} // namespace system
THRUST_NAMESPACE_END

#endif
