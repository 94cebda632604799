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
    template <class... Named>                                                                  \
    static inline int name(...) /* the program's own one is better */                          \
    {                                                                                          \
        static_assert(simgpu::always_false<Named...>::value,                                   \
                      "simgpu: " #name " is not simulated" advice);                            \
        return 0;                                                                              \
    }

/** A type of CUDA that is not simulated; declaring a variable of it says why. */
#define SIMGPU_UNSUPPORTED_TYPE(name, advice)                                                  \
    struct __attribute__((unavailable("simgpu: " #name " is not simulated" advice))) name {    \
    }

#include "simgpu/unsupported.txt"

#endif
