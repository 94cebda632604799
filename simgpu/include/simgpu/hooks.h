/* SPDX-License-Identifier: MIT */
/** @file hooks.h
 * The interface between the headers that kernels include and the runtime. Not for users. It has
 * plain C types only, so that the plain build, the traced build and the runtime agree on
 * layouts.
 */
#ifndef SIMGPU_INCLUDE_SIMGPU_HOOKS_H
#define SIMGPU_INCLUDE_SIMGPU_HOOKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* The last parameters of a call that notes its line. */
#define SIMGPU_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
extern "C" {
#endif

/** The running thread's threadIdx, blockIdx, blockDim and gridDim. */
struct simgpu_builtins_t {
    unsigned thread_idx[3], block_idx[3], block_dim[3], grid_dim[3];
    unsigned char *shared; /**< the block's shared memory */
    uint32_t launch;       /**< the launch's number, for simgpu_shared_site::placed */
};

/** One __shared__ variable of the source. */
struct simgpu_shared_site {
    const char *name;
    size_t size, alignment;
    const char *file;
    int line;
    uint64_t placed; /**< launch number << 32 | offset in the block's shared memory */
    size_t row;      /**< bytes that the last subscript runs over */
    size_t element;  /**< bytes of an element */
};

/** One argument of a launch. */
struct simgpu_argument {
    const void *pointer;   /**< null if it is not a pointer */
    size_t element;        /**< bytes of what a pointer points to */
    long long integer;     /**< the value of an integer, else 0 */
    const void *reference; /**< where the host has what a reference refers to, else null */
};

/** A launch. `thunk(closure)` runs the kernel for the current thread. */
struct simgpu_launch_desc {
    void (*thunk)(const void *closure);
    const void *closure;
    size_t closure_size;
    const void *kernel;      /**< the kernel's address, to look up its name */
    const char *kernel_text; /**< the source text before <<< */
    const char *file;
    int line;
    unsigned grid[3], block[3];
    size_t shared;
    const void *stream;
    int traced;
    int cooperative;     /**< its blocks run at the same time and may wait for one another */
    unsigned cluster[3]; /**< blocks of a cluster in each direction; 0: the kernel says it */
    const struct simgpu_argument *arguments;
    int argument_count;
};

/** Remembers a handle of a library, or forgets it; and reports a call whose handle is none. */
void simgpu_handle(const void *handle, int made);
int simgpu_no_handle(const char *call, const char *status, const char *create,
                     const void *handle);
/** Registers the names of kernels' parameters: "kernel:a,b,n;other:x;". Returns 0. */
int simgpu_name_parameters(const char *names);
/** Runs a launch. Its strings live as long as the program. */
void simgpu_launch(const struct simgpu_launch_desc *launch);
/** Launches a kernel as `shape` says, with an array of pointers to its arguments. */
typedef void simgpu_launch_by_array(const struct simgpu_launch_desc *shape, void **arguments);
/** Makes a kernel known by its address; launch() launches it. `text`: its name, or null. */
void simgpu_known_kernel(const void *kernel, const char *text, simgpu_launch_by_array *launch);
/** A barrier of all threads of a cooperative launch. */
void simgpu_syncgrid(const char *file, int line);
/** Is the running launch cooperative? */
int simgpu_cooperative(void);
/** A barrier of the block. */
void simgpu_syncthreads(const char *file, int line);
/** A barrier of the warp. */
void simgpu_syncwarp(unsigned mask);
/** A memory fence; scope 1: within the block, 2: for the whole device, 3: for the host too. */
void simgpu_threadfence(int scope);
/** The shuffles. Lanes that meet must call the same one. */
enum simgpu_shuffle_kind {
    SIMGPU_SHUFFLE_FROM,
    SIMGPU_SHUFFLE_UP,
    SIMGPU_SHUFFLE_DOWN,
    SIMGPU_SHUFFLE_XOR
};
/** Publishes `value` in the warp and returns what lane `source` published. */
uint64_t simgpu_shuffle(enum simgpu_shuffle_kind kind, unsigned mask, uint64_t value,
                        unsigned source);
/** A cuda::barrier. */
typedef struct simgpu_arrivals {
    unsigned expected, pending;
    unsigned phase; /**< how often it has been complete */
} simgpu_arrivals;
/** Lets other threads of the block run until a barrier in shared memory completes this phase.
 * In global memory it does nothing: other blocks may arrive there. */
void simgpu_await(const simgpu_arrivals *barrier, unsigned phase);
/** Bit i of the result: lane i is in `mask` and published a value other than 0. */
unsigned simgpu_ballot(unsigned mask, int predicate);
/** malloc: the device's in a kernel, the C library's elsewhere. */
void *simgpu_heap_allocate(size_t bytes);
/** Frees memory of simgpu_heap_allocate(), or NULL. */
void simgpu_heap_free(void *memory);
/** A clock for kernels that wait: it advances with each call, not with time. */
uint64_t simgpu_clock(void);
/** Moves a state of XORWOW (curand_kernel.h), five words without the counter, forward by n *
 * 2^power numbers. */
void simgpu_xorwow_skip(unsigned state[5], unsigned long long n, int power);
/** The place of a __shared__ variable in the running block. */
void *simgpu_shared_place(struct simgpu_shared_site *site);
/** The beginning of the launch's dynamic shared memory, after the variables. */
void *simgpu_shared_dynamic(void);
/** Ends the launch of a kernel that calls __trap(). */
void simgpu_trap(const char *file, int line);

/** A lane's part of a product of small matrices, D = A B + C: element i of each matrix,
 * row by row, is number i / 32 of lane i % 32. */
typedef enum {
    simgpu_half,
    simgpu_bfloat16,
    simgpu_float,
    simgpu_double,
    simgpu_int8,
    simgpu_uint8,
    simgpu_int32
} simgpu_element;
typedef struct {
    unsigned m, n, k;
    simgpu_element type, sum_type, result_type; /**< of A and B; of C; of D */
    const void *a, *b, *c;
    void *d;
    int done; /**< 0 at first */
} simgpu_mma_t;
void simgpu_mma(simgpu_mma_t *lane);
/** Marks the elements of a fragment as not filled: simgpu_mma() and stores report them. */
void simgpu_fragment_begins(void *elements, size_t bytes);
/** Reports a fragment that is stored before it was filled. `size`: bytes of an element. */
void simgpu_fragment_stored(const void *elements, size_t bytes, unsigned size);
/** Ends the block if a matrix in memory is not aligned as load_matrix_sync wants it. `size`:
 * bytes of an element. */
void simgpu_matrix_aligned(const void *matrix, unsigned leading, unsigned size);
/** Ends the launch of a kernel whose blocks are larger than its __launch_bounds__ allows. */
void simgpu_beyond_bound(unsigned most, const char *file, int line);
/** Copies 8 bytes by one access on each side; a compiler might split the copy. */
void simgpu_copy8(void *to, const void *from);
/** The same for 16 bytes. */
void simgpu_copy16(void *to, const void *from);
/** Begins an asynchronous copy of the running thread into shared memory: bytes - zeros bytes
 * and then zeros, 16 at most. Its bytes arrive at the simgpu_async_wait() that covers its
 * group. */
void simgpu_async_copy(void *to, const void *from, size_t bytes, size_t zeros);
/** Makes a group of the running thread's copies since the last call. */
void simgpu_async_commit(void);
/** Waits until all but the latest `prior` of the running thread's groups have arrived. */
void simgpu_async_wait(unsigned prior);
/** How many groups of asynchronous copies the running thread has made. */
unsigned simgpu_async_groups(void);
/** The operation of an atomic. */
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
/** Does the operation on `size` (2, 4 or 8) bytes of global or shared memory and returns the
 * old value, in the low bytes. SIMGPU_COMPARE_AND_SWAP expects `compare`. Scope 1: atomic
 * within the block only, 2: for the whole device, 3: for the host too. */
uint64_t simgpu_atomic(void *address, unsigned size, enum simgpu_atomic_op op, uint64_t operand,
                       uint64_t compare, int scope);
/** A barrier of the block. Returns how many threads came with a predicate other than 0;
 * `threads` gets how many the block has. */
unsigned simgpu_syncthreads_count(int predicate, unsigned *threads, const char *file, int line);
/** Publishes `value` in the warp. The result has a bit for each lane that came; `all` holds
 * their values. */
unsigned simgpu_gather(unsigned mask, uint64_t value, uint64_t all[32]);
/** Waits until no lane of the warp can go on without this one. Returns a bit for each lane
 * that came to the same call. */
unsigned simgpu_active_lanes(void);
/** Registers a file-scope __shared__ variable. at() is its address in the calling host thread.
 * Returns 0. */
int simgpu_file_scope_shared(struct simgpu_shared_site *site, void *(*at)(void));
/** Registers a file-scope pointer to dynamic shared memory. at() is its address in the calling
 * host thread. Returns 0. */
int simgpu_file_scope_dynamic(void **(*at)(void));
/** A texel of linear memory, of `size` bytes. */
void simgpu_texture_fetch_1d(unsigned long long object, int x, void *texel, size_t size);
/** The texel, of `size` bytes, that contains the point (x, y). */
void simgpu_texture_fetch_2d(unsigned long long object, float x, float y, void *texel,
                             size_t size);
/** The value of a texture over an array at a point, filtered as its description says. */
void simgpu_texture_sample(unsigned long long object, const float point[3], void *texel,
                           size_t size);

#ifdef __cplusplus
}
#endif
#endif
