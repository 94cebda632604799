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
#define SIMGPU_NO_MATH(name)                                                                   \
    SIMGPU_UNSUPPORTED(name, "")                                                               \
    SIMGPU_UNSUPPORTED(name##f, "")
SIMGPU_NO_MATH(erfinv)
SIMGPU_NO_MATH(erfcinv)
SIMGPU_NO_MATH(erfcx)
SIMGPU_NO_MATH(normcdfinv)
SIMGPU_NO_MATH(cyl_bessel_i0)
SIMGPU_NO_MATH(cyl_bessel_i1)
SIMGPU_NO_MATH(norm4d)
SIMGPU_NO_MATH(rnorm4d)
SIMGPU_UNSUPPORTED(__fns, "")
/* Arithmetic rounds to nearest. */
#define SIMGPU_NO_ROUNDING(name)                                                               \
    SIMGPU_UNSUPPORTED(name##_rz, ": use " #name "_rn")                                        \
    SIMGPU_UNSUPPORTED(name##_ru, ": use " #name "_rn")                                        \
    SIMGPU_UNSUPPORTED(name##_rd, ": use " #name "_rn")
#define SIMGPU_NO_ROUNDING_OF(letter)                                                          \
    SIMGPU_NO_ROUNDING(__##letter##add)                                                        \
    SIMGPU_NO_ROUNDING(__##letter##sub)                                                        \
    SIMGPU_NO_ROUNDING(__##letter##mul)                                                        \
    SIMGPU_NO_ROUNDING(__##letter##div)                                                        \
    SIMGPU_NO_ROUNDING(__##letter##rcp)                                                        \
    SIMGPU_NO_ROUNDING(__##letter##sqrt)
SIMGPU_NO_ROUNDING_OF(f)
SIMGPU_NO_ROUNDING_OF(d)
SIMGPU_NO_ROUNDING(__fmaf)
SIMGPU_NO_ROUNDING(__fma)
SIMGPU_NO_ROUNDING(__int2float)
SIMGPU_NO_ROUNDING(__uint2float)
SIMGPU_NO_ROUNDING(__double2float)
/* Functions of the bytes (4) and of the halves (2) of words, without and with a sign. */
#define SIMGPU_NO_PARTS(name)                                                                  \
    SIMGPU_UNSUPPORTED(name##2, "")                                                            \
    SIMGPU_UNSUPPORTED(name##4, "")
#define SIMGPU_NO_PARTS_OF(name)                                                               \
    SIMGPU_NO_PARTS(name##u)                                                                   \
    SIMGPU_NO_PARTS(name##s)
SIMGPU_NO_PARTS(__vadd)
SIMGPU_NO_PARTS(__vsub)
SIMGPU_NO_PARTS(__vneg)
SIMGPU_NO_PARTS(__vcmpeq)
SIMGPU_NO_PARTS(__vcmpne)
SIMGPU_NO_PARTS_OF(__vmin)
SIMGPU_NO_PARTS_OF(__vmax)
SIMGPU_NO_PARTS_OF(__vabsdiff)
SIMGPU_NO_PARTS_OF(__vavg)
SIMGPU_NO_PARTS_OF(__vsad)
SIMGPU_NO_PARTS_OF(__vcmpgt)
SIMGPU_NO_PARTS_OF(__vcmpge)
SIMGPU_NO_PARTS_OF(__vcmplt)
SIMGPU_NO_PARTS_OF(__vcmple)

/** A type of CUDA that is not simulated; declaring a variable of it says why. */
#define SIMGPU_UNSUPPORTED_TYPE(name, advice)                                                  \
    struct __attribute__((unavailable("simgpu: " #name " is not simulated" advice))) name {    \
    }
SIMGPU_UNSUPPORTED_TYPE(cudaSurfaceObject_t, "");
SIMGPU_UNSUPPORTED_TYPE(cudaUserObject_t, "");
SIMGPU_UNSUPPORTED_TYPE(cudaIpcMemHandle_t, ": other processes are not");
SIMGPU_UNSUPPORTED_TYPE(cudaIpcEventHandle_t, ": other processes are not");
SIMGPU_UNSUPPORTED_TYPE(cudaKernelNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaMemsetParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaHostNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaMemAllocNodeParams, ": capture a stream");
SIMGPU_UNSUPPORTED_TYPE(cudaGraphNodeParams, ": capture a stream");

#endif
