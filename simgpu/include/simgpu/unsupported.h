/* SPDX-License-Identifier: MIT */
/** @file unsupported.h
 * Names of CUDA that are not simulated. Using one stops the compiler with a sentence in place
 * of "not declared in this scope".
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_UNSUPPORTED_H
#define SIMGPU_INCLUDE_SIMGPU_UNSUPPORTED_H

namespace simgpu
{
template <class...> struct always_false {
    static constexpr bool value = false;
};
} // namespace simgpu

#define SIMGPU_UNSUPPORTED(name, advice)                                                       \
    template <class... Named, class... A> static inline int name(A...)                         \
    {                                                                                          \
        static_assert(simgpu::always_false<A...>::value,                                       \
                      "simgpu: " #name " is not simulated" advice);                            \
        return 0;                                                                              \
    }

SIMGPU_UNSUPPORTED(cudaBindTexture, ": texture references left CUDA, use texture objects")
SIMGPU_UNSUPPORTED(cudaBindTexture2D, ": texture references left CUDA, use texture objects")
SIMGPU_UNSUPPORTED(__shfl, ": it left CUDA, use __shfl_sync(mask, value, lane)")
SIMGPU_UNSUPPORTED(__shfl_up, ": it left CUDA, use __shfl_up_sync(mask, value, delta)")
SIMGPU_UNSUPPORTED(__shfl_down, ": it left CUDA, use __shfl_down_sync(mask, value, delta)")
SIMGPU_UNSUPPORTED(__shfl_xor, ": it left CUDA, use __shfl_xor_sync(mask, value, bits)")
SIMGPU_UNSUPPORTED(__ballot, ": it left CUDA, use __ballot_sync(mask, predicate)")
SIMGPU_UNSUPPORTED(__any, ": it left CUDA, use __any_sync(mask, predicate)")
SIMGPU_UNSUPPORTED(__all, ": it left CUDA, use __all_sync(mask, predicate)")
SIMGPU_UNSUPPORTED(cudaOccupancyMaxActiveClusters, "")
SIMGPU_UNSUPPORTED(cudaOccupancyMaxPotentialClusterSize, "")
SIMGPU_UNSUPPORTED(tex2DLod, ": mipmaps are not")
SIMGPU_UNSUPPORTED(tex1DLayered, "")
SIMGPU_UNSUPPORTED(tex2DLayered, "")
SIMGPU_UNSUPPORTED(texCubemap, "")
SIMGPU_UNSUPPORTED(surf1Dread, "")
SIMGPU_UNSUPPORTED(surf1Dwrite, "")
SIMGPU_UNSUPPORTED(surf2Dread, "")
SIMGPU_UNSUPPORTED(surf2Dwrite, "")
SIMGPU_UNSUPPORTED(surf3Dread, "")
SIMGPU_UNSUPPORTED(surf3Dwrite, "")
SIMGPU_UNSUPPORTED(cudaCreateSurfaceObject, "")

/** A type of CUDA that is not simulated; declaring a variable of it says why. */
#define SIMGPU_UNSUPPORTED_TYPE(name, advice)                                                  \
    struct __attribute__((unavailable("simgpu: " #name " is not simulated" advice))) name {    \
    }
SIMGPU_UNSUPPORTED_TYPE(cudaSurfaceObject_t, "");
SIMGPU_UNSUPPORTED_TYPE(cudaKernelNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaMemsetParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaHostNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaMemAllocNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaGraphNodeParams, ": capture a stream");

#endif
