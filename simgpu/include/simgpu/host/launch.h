/* SPDX-License-Identifier: MIT */
/** @file launch.h
 * kernel<<<grid, block, shared, stream>>>(arguments), which tools/rewrite turns into
 * simgpu::launch(kernel, "kernel", file, line).on(grid, block, shared, stream)(arguments).
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_LAUNCH_H
#define SIMGPU_INCLUDE_SIMGPU_LAUNCH_H

#include <type_traits>
#include <utility>

#include "simgpu/device/device.h"

namespace simgpu
{
inline namespace SIMGPU_BUILD
{

/** The size of what a pointer points to; 1 if that is unknown. */
template <class T, class = void> constexpr size_t size_of_target = 1;
template <class T>
constexpr size_t
    size_of_target<T, std::enable_if_t<!std::is_void<T>::value && (sizeof(T) > 0)>> = sizeof(T);
/** What messages need to know about an argument. */
template <class T> SIMGPU_UNTRACED simgpu_argument describe(const T &argument)
{
    if constexpr (std::is_pointer<T>::value &&
                  !std::is_function<std::remove_pointer_t<T>>::value)
        return {(const void *)argument, size_of_target<std::remove_pointer_t<T>>, 0, nullptr};
    else if constexpr (std::is_integral<T>::value)
        return {nullptr, 0, (long long)argument, nullptr};
    else
        return {nullptr, 0, 0, nullptr};
}

/** Calls the kernel for the current thread; F holds the arguments. */
template <class F> SIMGPU_UNTRACED void run_thread(const void *closure)
{
    (*static_cast<const F *>(closure))();
}

/** Is an object of this type passed by the address of a copy, which the caller makes and
 * destroys? The Itanium C++ ABI, 3.1.1, says so of classes with a copy constructor or
 * destructor that does something. */
template <class T>
constexpr bool passed_by_address =
    std::is_class<T>::value && !(std::is_trivially_copy_constructible<T>::value &&
                                 std::is_trivially_destructible<T>::value);

/** An argument as the launch keeps it. The host copies and destroys objects; a thread of the
 * GPU gets their bytes, and no constructor or destructor runs for it. */
template <class T, bool by_address = passed_by_address<T>> struct kept_argument {
    using passed = T;
    T value;
    SIMGPU_UNTRACED explicit kept_argument(const T &argument) : value(argument) {}
    SIMGPU_UNTRACED T pass() { return value; }
};
template <class T> struct kept_argument<T, true> {
    using passed = T *;
    alignas(T) unsigned char bytes[sizeof(T)];
    SIMGPU_UNTRACED explicit kept_argument(const T &argument)
    {
        __builtin_memcpy(bytes, static_cast<const void *>(&argument), sizeof bytes);
    }
    SIMGPU_UNTRACED T *pass() { return reinterpret_cast<T *>(bytes); }
};

template <class T> SIMGPU_UNTRACED simgpu_argument describe(const kept_argument<T> &argument)
{
    if constexpr (std::is_reference<T>::value)
        return {nullptr, 0, 0, (const void *)&argument.value};
    else if constexpr (passed_by_address<T>)
        return {nullptr, 0, 0, nullptr};
    else
        return describe(argument.value);
}

/** Calls the kernel with one thread's copies of the arguments. */
template <class... P>
SIMGPU_UNTRACED void call_kernel(void (*kernel)(P...), kept_argument<P>... mine)
{
    void *address = reinterpret_cast<void *>(kernel);
    reinterpret_cast<void (*)(typename kept_argument<P>::passed...)>(address)(mine.pass()...);
}

/** How a launch takes an argument: what a kernel gets by reference stays where it is. */
template <class P>
using argument_of = std::conditional_t<std::is_reference<P>::value, P, const P &>;

/** The literal 0 as an argument of a launch: a number, or a null pointer. */
struct zero {
    template <class T> SIMGPU_UNTRACED operator T() const
    {
        if constexpr (std::is_pointer<T>::value)
            return nullptr;
        else
            return T(0);
    }
};

/** A launch in preparation. D is what on() returns. */
template <class D> struct launch_shape {
    simgpu_launch_desc desc;

    D &on(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0)
    {
        desc.grid[0] = grid.x, desc.grid[1] = grid.y, desc.grid[2] = grid.z;
        desc.block[0] = block.x, desc.block[1] = block.y, desc.block[2] = block.z;
        desc.shared = shared, desc.stream = stream;
        return static_cast<D &>(*this);
    }

    /* k<<<32>>>() gets a sentence in place of "no matching function". */
    template <class A> D &on(A)
    {
        static_assert(sizeof(A) == 0,
                      "simgpu: a launch has two to four values between <<< and >>>: blocks, "
                      "threads a block, bytes of dynamic shared memory, stream");
        return static_cast<D &>(*this);
    }

    void describe_launch(const char *text, const char *file, int line)
    {
        desc.kernel_text = text;
        desc.file = file;
        desc.line = line;
#ifdef SIMGPU_TRACED
        desc.traced = 1;
#endif
    }

    /** Runs a kernel with the arguments' bytes, as a launch copies them. */
    template <class... P>
    SIMGPU_UNTRACED void run_kernel(void (*kernel)(P...), argument_of<P>... arguments)
    {
        this->run([kernel](kept_argument<P>... mine)
                      SIMGPU_UNTRACED { call_kernel(kernel, mine...); },
                  kept_argument<P>(arguments)...);
    }

    /** Runs `function` with copies of the arguments for each thread. */
    template <class F, class... A> SIMGPU_UNTRACED void run(F function, A... arguments)
    {
        auto call = [function, arguments...]() SIMGPU_UNTRACED { function(arguments...); };
        const simgpu_argument described[] = {describe(arguments)..., simgpu_argument()};
        desc.arguments = described;
        desc.argument_count = (int)sizeof...(arguments);
        desc.thunk = run_thread<decltype(call)>;
        desc.closure = &call;
        desc.closure_size = sizeof call;
        simgpu_launch(&desc);
    }
};

/** A kernel and its launch shape. The kernel's own parameter types take the arguments, so that
 * they are converted as in any call. */
template <class... P> struct prepared_launch : launch_shape<prepared_launch<P...>> {
    void (*kernel)(P...);

    SIMGPU_UNTRACED void operator()(P... arguments) { this->run_kernel(kernel, arguments...); }
};

template <class... P>
prepared_launch<P...> launch(void (*kernel)(P...), const char *text, const char *file, int line)
{
    prepared_launch<P...> prepared = {};
    prepared.kernel = kernel;
    prepared.desc.kernel = reinterpret_cast<const void *>(kernel);
    prepared.describe_launch(text, file, line);
    return prepared;
}

/** A kernel that returns something is refused, as nvcc does. */
template <class R, class... P>
prepared_launch<P...> launch(R (*)(P...), const char *, const char *, int)
{
    static_assert(std::is_void<R>::value, "simgpu: a __global__ function returns void; what it "
                                          "computes goes through a pointer to device memory");
    return {};
}

/** A launch of a kernel that only its call can name: F calls it, and G gives its address where
 * the types of the arguments are those of the parameters. */
template <class F, class G> struct prepared_call : launch_shape<prepared_call<F, G>> {
    F call_by_name;
    G address_of;

    prepared_call(F f, G g)
        : launch_shape<prepared_call<F, G>>(), call_by_name(f), address_of(g)
    {
    }
    template <class... A> SIMGPU_UNTRACED void operator()(A... arguments)
    {
        using kernel_type = void (*)(A...);
        if constexpr ((passed_by_address<A> || ...) && std::is_invocable<G, kernel_type>::value)
            this->run_kernel(address_of(kernel_type()), arguments...);
        else
            this->run(call_by_name, arguments...);
    }
};

template <class F, class G>
prepared_call<F, G> launch_call(F call_by_name, G address_of, const char *text,
                                const char *file, int line)
{
    prepared_call<F, G> prepared(call_by_name, address_of);
    prepared.describe_launch(text, file, line);
    return prepared;
}

/** A launch in a device function is refused at its line. */
template <class T> launch_shape<prepared_call<T, T>> launch_in_kernel(T, const char *, int)
{
    static_assert(sizeof(T) == 0, "simgpu: a kernel that launches a kernel (dynamic "
                                  "parallelism) is not simulated: launch it from host code");
    return {};
}

/* ---- launches by address: cudaLaunchKernel, nodes of graphs ---- */

template <class... P> struct launch_by_array {
    template <size_t... I>
    SIMGPU_UNTRACED static void with(const simgpu_launch_desc *shape, void **arguments,
                                     std::index_sequence<I...>)
    {
        auto prepared = launch((void (*)(P...)) const_cast<void *>(shape->kernel),
                               shape->kernel_text, shape->file, shape->line);
        prepared.on(dim3(shape->grid[0], shape->grid[1], shape->grid[2]),
                    dim3(shape->block[0], shape->block[1], shape->block[2]), shape->shared,
                    (cudaStream_t) const_cast<void *>(shape->stream));
        prepared.desc.cooperative = shape->cooperative;
        for (int i = 0; i < 3; i++)
            prepared.desc.cluster[i] = shape->cluster[i];
        prepared(*static_cast<std::remove_reference_t<P> *>(arguments[I])...);
    }
    SIMGPU_UNTRACED static void run(const simgpu_launch_desc *shape, void **arguments)
    {
        with(shape, arguments, std::index_sequence_for<P...>());
    }
};
/** Makes a kernel known by its address, and returns it. The rewritten source calls it where a
 * kernel becomes a void pointer. */
template <class... P>
SIMGPU_UNTRACED void (*known_kernel(void (*kernel)(P...), const char *text))(P...)
{
    simgpu_known_kernel(reinterpret_cast<const void *>(kernel), text,
                        launch_by_array<P...>::run);
    return kernel;
}
/** Returns unchanged what is not a kernel but has the name of one. */
template <class T> SIMGPU_UNTRACED T known_kernel(T other, const char *) { return other; }

/** Says before main() that the program can launch cooperatively, if it can. */
template <class F> struct cooperative_launch {
    static const int known;
};
template <class F> const int cooperative_launch<F>::known = simgpu_cooperative_program();
template <class F>
cudaError_t launch_known(F *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                         void **arguments, int cooperative, const char *file, int line)
{
    const unsigned g[] = {grid.x, grid.y, grid.z}, b[] = {block.x, block.y, block.z};
    known_kernel(kernel, nullptr);
    return simgpu_launch_known((const void *)kernel, g, b, shared, stream, arguments,
                               cooperative, nullptr, file, line);
}
} // namespace SIMGPU_BUILD
} // namespace simgpu

template <class F>
static inline cudaError_t cudaLaunchKernel(F *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0,
                                           SIMGPU_HERE)
{
    return simgpu::launch_known(kernel, grid, block, shared, stream, arguments, 0, file, line);
}
/** The same for a kernel whose blocks wait for one another at grid_group::sync(): all of them
 * run at the same time. */
template <class F>
static inline cudaError_t cudaLaunchCooperativeKernel(F *kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0, SIMGPU_HERE)
{
    return simgpu::launch_known(kernel, grid, block, shared, stream, arguments,
                                simgpu::cooperative_launch<F>::known, file, line);
}

/* ---- launches with attributes ---- */

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, priority, programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 simgpu_own_gridDim, simgpu_own_blockDim; /* so the rewriter calls members */
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

namespace simgpu
{
/** A launch and the line that asks for it. */
struct configured {
    const cudaLaunchConfig_t &c;
    const char *file;
    int line;
    configured(const cudaLaunchConfig_t *config, SIMGPU_HERE)
        : c(*config), file(file), line(line)
    {
    }
    /** Attributes that are neither a cluster's size nor cooperative change no result. */
    cudaError_t launch(const void *kernel, void **arguments) const
    {
        const unsigned grid[] = {c.simgpu_own_gridDim.x, c.simgpu_own_gridDim.y,
                                 c.simgpu_own_gridDim.z},
                       block[] = {c.simgpu_own_blockDim.x, c.simgpu_own_blockDim.y,
                                  c.simgpu_own_blockDim.z};
        int cooperative = 0;
        unsigned cluster[3] = {0, 0, 0};
        for (unsigned i = 0; i < c.numAttrs; i++) {
            const cudaLaunchAttributeValue &v = c.attrs[i].val;
            if (c.attrs[i].id == cudaLaunchAttributeClusterDimension)
                cluster[0] = v.clusterDim.x, cluster[1] = v.clusterDim.y,
                cluster[2] = v.clusterDim.z;
            if (c.attrs[i].id == cudaLaunchAttributeCooperative)
                cooperative = v.cooperative;
        }
        return simgpu_launch_known(kernel, grid, block, c.dynamicSmemBytes, c.stream, arguments,
                                   cooperative, cluster, file, line);
    }
};
} // namespace simgpu

static inline cudaError_t cudaLaunchKernelExC(simgpu::configured config, const void *kernel,
                                              void **arguments)
{
    return config.launch(kernel, arguments);
}
template <class... P, class... A>
static inline cudaError_t cudaLaunchKernelEx(simgpu::configured config, void (*kernel)(P...),
                                             A &&...arguments)
{
    simgpu::known_kernel(kernel, nullptr);
    auto launch = [&](std::remove_reference_t<P>... values) {
        void *addresses[] = {(void *)&values..., nullptr};
        return config.launch(reinterpret_cast<const void *>(kernel), addresses);
    };
    return launch(static_cast<A &&>(arguments)...);
}

#endif
