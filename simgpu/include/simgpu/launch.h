/* SPDX-License-Identifier: MIT */
/** @file launch.h
 * kernel<<<grid, block, shared, stream>>>(arguments), as tools/rewrite.c writes it:
 * simgpu::launch(kernel, "kernel", file, line).on(grid, block, shared, stream)(arguments).
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_LAUNCH_H
#define SIMGPU_INCLUDE_SIMGPU_LAUNCH_H

#include <type_traits>

#include "device.h"

namespace simgpu
{
#ifdef SIMGPU_TRACED
inline namespace traced
#else
inline namespace plain
#endif
{

template <class T, class = void> struct size_of_target {
    static constexpr size_t value = 1;
};
template <class T> struct size_of_target<T, decltype((void)sizeof(T))> {
    static constexpr size_t value = sizeof(T);
};
template <> struct size_of_target<void> {
    static constexpr size_t value = 1;
};
template <> struct size_of_target<const void> {
    static constexpr size_t value = 1;
};
/** What messages need to know of an argument. */
template <class T> SIMGPU_UNTRACED simgpu_argument describe(const T &argument)
{
    if constexpr (std::is_pointer<T>::value &&
                  !std::is_function<std::remove_pointer_t<T>>::value)
        return {(const void *)argument, size_of_target<std::remove_pointer_t<T>>::value, 0};
    else if constexpr (std::is_integral<T>::value)
        return {nullptr, 0, (long long)argument};
    else
        return {nullptr, 0, 0};
}

/** Calls the kernel for the current thread; F holds the arguments. */
template <class F> SIMGPU_UNTRACED void run_thread(const void *closure)
{
    (*static_cast<const F *>(closure))();
}

/** A kernel and its launch shape. The kernel's own parameter types take the arguments, so that
 *  they are converted as in any call. */
template <class... P> struct prepared_launch {
    void (*kernel)(P...);
    simgpu_launch_desc desc;

    prepared_launch &on(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
    {
        desc.grid[0] = grid.x, desc.grid[1] = grid.y, desc.grid[2] = grid.z;
        desc.block[0] = block.x, desc.block[1] = block.y, desc.block[2] = block.z;
        desc.shared = shared, desc.stream = stream;
        return *this;
    }

    /* k<<<32>>>(): a sentence in place of "no matching function". */
    template <class A> prepared_launch &on(A)
    {
        static_assert(sizeof(A) == 0,
                      "simgpu: a launch has two to four values between <<< and >>>: blocks, "
                      "threads a block, bytes of dynamic shared memory, stream");
        return *this;
    }

    SIMGPU_UNTRACED void operator()(P... arguments)
    {
        /* By value: kernel parameters are copies made at the launch. */
        auto call = [function = kernel, arguments...]()
                        SIMGPU_UNTRACED { function(arguments...); };
        const simgpu_argument described[] = {describe(arguments)..., simgpu_argument()};
        desc.arguments = described;
        desc.argument_count = (int)sizeof...(arguments);
        desc.thunk = run_thread<decltype(call)>;
        desc.closure = &call;
        desc.closure_size = sizeof call;
        simgpu_launch(&desc);
    }
};

template <class... P>
prepared_launch<P...> launch(void (*kernel)(P...), const char *text, const char *file, int line)
{
    prepared_launch<P...> prepared = {};
    prepared.kernel = kernel;
    prepared.desc.kernel = reinterpret_cast<const void *>(kernel);
    prepared.desc.kernel_text = text;
    prepared.desc.file = file;
    prepared.desc.line = line;
#ifdef SIMGPU_TRACED
    prepared.desc.traced = 1;
#endif
    return prepared;
}

/** A kernel that returns something: nvcc refuses it, and so do we. */
template <class R, class... P>
prepared_launch<P...> launch(R (*)(P...), const char *, const char *, int)
{
    static_assert(std::is_void<R>::value,
                  "simgpu: a __global__ function returns void; what it computes goes "
                  "through a pointer to device memory");
    return {};
}

/** A launch of a kernel that only its call can name; F calls it. */
template <class F> struct prepared_call {
    F call_kernel;
    simgpu_launch_desc desc;

    prepared_call &on(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
    {
        desc.grid[0] = grid.x, desc.grid[1] = grid.y, desc.grid[2] = grid.z;
        desc.block[0] = block.x, desc.block[1] = block.y, desc.block[2] = block.z;
        desc.shared = shared, desc.stream = stream;
        return *this;
    }

    template <class... A> SIMGPU_UNTRACED void operator()(A... arguments)
    {
        const simgpu_argument described[] = {describe(arguments)..., simgpu_argument()};
        desc.arguments = described;
        desc.argument_count = (int)sizeof...(arguments);
        auto call = [function = call_kernel, arguments...]()
                        SIMGPU_UNTRACED { function(arguments...); };
        desc.thunk = run_thread<decltype(call)>;
        desc.closure = &call;
        desc.closure_size = sizeof call;
        simgpu_launch(&desc);
    }
};

template <class F>
prepared_call<F> launch_call(F call_kernel, const char *text, const char *file, int line)
{
    prepared_call<F> prepared = {call_kernel, {}};
    prepared.desc.kernel_text = text;
    prepared.desc.file = file;
    prepared.desc.line = line;
#ifdef SIMGPU_TRACED
    prepared.desc.traced = 1;
#endif
    return prepared;
}

} // namespace
} // namespace simgpu

#endif
