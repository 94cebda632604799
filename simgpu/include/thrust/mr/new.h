/* SPDX-License-Identifier: MIT */
/** @file new.h
 * Replaces Thrust's header of this name, so that kernels may touch a vector's elements.
 */
#ifndef SIMGPU_INCLUDE_THRUST_MR_NEW_H
#define SIMGPU_INCLUDE_THRUST_MR_NEW_H

#include <iostream> /* as the Thrust of CUDA does */
#include <thrust/detail/config.h>
#include <thrust/extrema.h>
#include <thrust/mr/memory_resource.h>

#include "simgpu/vectors.h"

THRUST_NAMESPACE_BEGIN
namespace mr
{

class new_delete_resource final : public memory_resource<>
{
  public:
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        return simgpu_vector_allocate(bytes);
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override
    {
        simgpu_vector_free(memory);
    }
};

} // namespace mr
THRUST_NAMESPACE_END

#endif
