/* SPDX-License-Identifier: MIT */
/** @file hooks.h
 * The seam between the headers that kernels are compiled with and the runtime behind them.
 * Nothing here is for users. Plain C types only, so that the plain and the traced build of one
 * source, and the runtime, agree on every layout.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_HOOKS_H
#define SIMGPU_INCLUDE_SIMGPU_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What threadIdx and its like read: the running thread's own values. */
struct simgpu_builtins_t {
    unsigned thread_idx[3], block_idx[3], block_dim[3], grid_dim[3];
    unsigned char *shared; /**< the block's shared memory */
    uint32_t launch;       /**< number of the launch, for simgpu_shared_site::placed */
};

/** One __shared__ variable of the source. */
struct simgpu_shared_site {
    const char *name;
    size_t size, alignment;
    const char *file;
    int line;
    uint64_t placed; /**< launch number << 32 | offset in the block's shared memory */
};

/** One argument of a launch. */
struct simgpu_argument {
    const void *pointer; /**< null if it is no pointer */
    size_t element;      /**< bytes of what a pointer points to */
    long long integer;   /**< the value of an integer, else 0 */
};

/** A launch, ready to go. `thunk(closure)` runs the kernel for the current thread. */
struct simgpu_launch_desc {
    void (*thunk)(const void *closure);
    const void *closure;
    size_t closure_size;
    const void *kernel;      /**< the kernel's address, to look up its name */
    const char *kernel_text; /**< what stands before <<< */
    const char *file;
    int line;
    unsigned grid[3], block[3];
    size_t shared;
    const void *stream;
    int traced;
    const struct simgpu_argument *arguments;
    int argument_count;
};

/** "kernel:a,b,n;other:x;": what kernels of a source call their parameters. */
int simgpu_name_parameters(const char *names);
void simgpu_launch(const struct simgpu_launch_desc *launch);
void simgpu_syncthreads(const char *file, int line);
void simgpu_syncwarp(unsigned mask);
/** A memory fence; scope 1: within the block, 2: for the whole device, 3: for the host too. */
void simgpu_threadfence(int scope);
/** Publishes `value` in the warp and returns what lane `source` published. */
uint64_t simgpu_shuffle(unsigned mask, uint64_t value, unsigned source);
/** Bit i: lane i, if in `mask`, published a value other than 0. */
unsigned simgpu_ballot(unsigned mask, int predicate);
/** malloc and free: in a kernel the device's, elsewhere the C library's. */
void *simgpu_heap_allocate(size_t bytes);
void simgpu_heap_free(void *memory);
void *simgpu_shared_place(struct simgpu_shared_site *site);
void *simgpu_shared_dynamic(void);
/** One access of 8 or 16 bytes on each side, whatever the compiler would make of a copy. */
void simgpu_copy8(void *to, const void *from);
void simgpu_copy16(void *to, const void *from);
/** What an atomic does with the old value and its operand. */
enum simgpu_atomic_op {
    SIMGPU_ADD,
    SIMGPU_ADD_FLOAT,
    SIMGPU_ADD_DOUBLE,
    SIMGPU_ADD_HALF,
    SIMGPU_EXCHANGE,
    SIMGPU_MIN_SIGNED,
    SIMGPU_MAX_SIGNED,
    SIMGPU_MIN_UNSIGNED,
    SIMGPU_MAX_UNSIGNED,
    SIMGPU_INCREMENT, /**< old >= operand ? 0 : old + 1 */
    SIMGPU_DECREMENT, /**< old == 0 || old > operand ? operand : old - 1 */
    SIMGPU_AND,
    SIMGPU_OR,
    SIMGPU_XOR,
    SIMGPU_COMPARE_AND_SWAP
};
/**
 * Does the operation on `size` (2, 4 or 8) bytes and returns the old ones.
 * @param compare what SIMGPU_COMPARE_AND_SWAP compares with
 * @param scope   1: atomic within the block only, 2: for the whole device, 3: for the host too
 */
uint64_t simgpu_atomic(void *address, unsigned size, enum simgpu_atomic_op op, uint64_t operand,
                       uint64_t compare, int scope);
/** A barrier of the block that counts: how many threads came with a predicate other than 0. */
unsigned simgpu_syncthreads_count(int predicate, unsigned *threads, const char *file, int line);
/** Publishes `value` in the warp; `all` then holds what each lane of the result's bits
 * published. */
unsigned simgpu_gather(unsigned mask, uint64_t value, uint64_t all[32]);
/** A file-scope __shared__ variable, one for each host thread. `at` tells where it is. */
int simgpu_file_scope_shared(struct simgpu_shared_site *site, void *(*at)(void));
/** A file-scope pointer to dynamic shared memory. */
int simgpu_file_scope_dynamic(void **(*at)(void));
void simgpu_texture_fetch_1d(unsigned long long object, int x, void *texel, size_t size);
void simgpu_texture_fetch_2d(unsigned long long object, float x, float y, void *texel,
                             size_t size);

#ifdef __cplusplus
}
#endif
#endif
