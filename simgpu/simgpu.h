/* SPDX-License-Identifier: MIT */
/** @file simgpu.h
 * The simulated GPU's interface for programs that run CUDA on it: it chooses the model and
 * returns what was counted and what was found wrong. Plain C; no CUDA type appears here.
 *
 * Kernels come in two builds of one source. Launches of the plain build only run. Launches of
 * the traced build are checked and, between simgpu_count_start() and simgpu_count_stop(),
 * counted. All functions are meant for the one host thread that launches kernels.
 */
#ifndef SIMGPU_SIMGPU_H
#define SIMGPU_SIMGPU_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The rules by which memory accesses become transactions. */
enum simgpu_model {
    SIMGPU_C1060, /**< compute capability 1.3: half-warps, 128-byte segments narrowed to 64 or
                     32 bytes, 16 shared-memory banks */
    SIMGPU_MODERN /**< whole warps, 32-byte sectors, 32 banks */
};

/** What counted launches did. Shared memory and textures are not part of the global figures. */
struct simgpu_totals {
    uint64_t launches; /**< kernels launched, plain and traced, since the last reset */
    uint64_t counted;  /**< those of them that were counted */
    /** calls of cuBLAS that computed something; what they move is not counted */
    uint64_t library_calls;
    uint64_t transactions; /**< global memory: loads, stores and atomics */
    uint64_t bytes;        /**< moved by these transactions */
    uint64_t useful_bytes; /**< distinct bytes of them that a thread asked for */
    uint64_t load_transactions, load_bytes;
    uint64_t store_transactions, store_bytes; /**< atomics are counted as stores */
    uint64_t shared_requests; /**< shared accesses of a half-warp (c1060) or warp (modern) */
    uint64_t shared_passes;   /**< passes through the banks these took */
    uint64_t shared_ideal;    /**< passes without any bank conflict */
    uint64_t texture_fetches; /**< texels fetched, one for each thread */
    uint64_t texture_bytes;   /**< size of these texels */
};

/** What can be wrong. */
enum simgpu_fault_kind {
    SIMGPU_OUT_OF_BOUNDS_GLOBAL,
    SIMGPU_OUT_OF_BOUNDS_SHARED,
    SIMGPU_MISALIGNED,
    SIMGPU_RACE_SHARED,
    SIMGPU_RACE_GLOBAL,
    SIMGPU_BARRIER_DIVERGENCE,
    SIMGPU_UNINITIALISED_GLOBAL,
    SIMGPU_UNINITIALISED_SHARED,
    SIMGPU_HOST_TOUCHES_DEVICE,
    SIMGPU_DEVICE_TOUCHES_HOST,
    SIMGPU_LAUNCH_LIMITS,
    SIMGPU_LEAK,
    SIMGPU_BAD_CALL,      /**< an API call that names memory it must not */
    SIMGPU_NOT_SIMULATED, /**< a use of the API that the simulator does not have */
    SIMGPU_STACK_OVERFLOW,
    SIMGPU_DIVISION_BY_ZERO,    /**< of integers */
    SIMGPU_ENDLESS,             /**< no block ended for the time limit */
    SIMGPU_ASSERT,              /**< an assert() in a kernel does not hold */
    SIMGPU_OUT_OF_BOUNDS_ARRAY, /**< of a local or a __constant__ one */
    SIMGPU_STREAM_RACE,         /**< nothing orders two operations, or one and the host */
    SIMGPU_NOT_PERMITTED,       /**< what the program has forbidden by NVTX */
    SIMGPU_FAULT_KINDS
};

/** One distinct fault: kind and place. Strings live until the next call of this interface. */
struct simgpu_fault {
    enum simgpu_fault_kind kind;
    const char *name;   /**< "out-of-bounds-global" ... */
    const char *file;   /**< NULL where it is not known */
    int line;           /**< 0 where it is not known */
    const char *kernel; /**< NULL outside kernels */
    unsigned block[3], thread[3];
    uint64_t count;   /**< how often it was seen */
    const char *text; /**< the whole message, several lines */
};

/**
 * Chooses the counting rules; SIMGPU_C1060 by default. Takes effect at the next launch.
 * @param model whose rules count
 */
void simgpu_set_model(enum simgpu_model model);

/**
 * The counting rules in force.
 * @return what simgpu_set_model() chose
 */
enum simgpu_model simgpu_get_model(void);

/**
 * The model's name: "c1060" or "modern".
 * @param model any of the enum
 * @return a text that lives as long as the program
 */
const char *simgpu_model_name(enum simgpu_model model);

/**
 * Chooses the device whose limits hold for launches and are told by cudaGetDeviceProperties.
 * SIMGPU_MODERN by default, whatever the counting model: 1024 threads a block, 48 KiB of shared
 * memory (227 KiB on request). SIMGPU_C1060: 512 threads and 16 KiB.
 * @param model whose limits hold
 */
void simgpu_set_limits(enum simgpu_model model);

/**
 * Shuffles block order, and thread order between barriers, by this seed; 0:
 * ascending order.
 * @param seed any; the same one gives the same order
 */
void simgpu_set_shuffle(uint64_t seed);

/**
 * Host threads that share the blocks of a launch; 0: one for each core (the default).
 * @param workers 0 or more
 */
void simgpu_set_workers(int workers);

/**
 * Bytes of device memory; 0: half of the host's. What cudaMalloc has given out is kept.
 * @param bytes at most, 0 for half of the host's
 */
void simgpu_set_memory_limit(size_t bytes);

/**
 * Checks host code that is about to free memory by the C or C++ library's `call`, and reports
 * what is wrong with that. Returns 0 if the memory must not be freed.
 * @param memory what will be freed; NULL is allowed
 * @param call its name, as "free"
 * @return whether it may be freed
 */
int simgpu_host_frees(void *memory, const char *call);

/** Something is printed, perhaps by a kernel: then a launch of it that is repeated runs again.
 */
void simgpu_kernel_prints(void);

/**
 * Seconds of processor time after which a launch in which no block ends is stopped; 10 by
 * default, 0: never.
 * @param seconds 0 or more
 */
void simgpu_set_time_limit(double seconds);

/**
 * The registers that a thread takes, as `nvcc -Xptxas -v` prints them. A launch whose blocks
 * need more than there are is then refused.
 * @param registers of every kernel; 0, the default: not known
 */
void simgpu_set_registers(int registers);

/**
 * Seconds of processor time that checking may take in a program of `ladder sim`. From then on
 * the first two launches of each kernel and shape are checked, for a tenth of that time each,
 * and the others only run. What was not checked is told at the end.
 * @param seconds 0: all is checked
 */
void simgpu_set_budget(double seconds);

/** Traced launches are counted from here on. */
void simgpu_count_start(void);

/** Traced launches are checked but not counted from here on. */
void simgpu_count_stop(void);

/** Forgets all counts, lines and captured requests. */
void simgpu_count_reset(void);

/**
 * What was counted since the last reset.
 * @param totals overwritten
 */
void simgpu_get_totals(struct simgpu_totals *totals);

/**
 * Prints the counts for each source line, with the line's text.
 * @param out where it is printed
 */
void simgpu_report(FILE *out);

/**
 * Keeps the addresses of one half-warp (c1060) or warp (modern): the `group`-th of the block
 * with linear index `block`, in each counted launch that follows.
 * @param block its linear index, from 0
 * @param group its number in the block, from 0
 */
void simgpu_capture(unsigned long block, unsigned group);

/**
 * Keeps the __shared__ arrays that a kernel declares in `file`, as block (x,y,0) holds them at
 * its first barrier: of the first launch from here on that has any. What was kept before is
 * forgotten. Bytes that nobody has written are 0xff.
 * @param file end of the file's path; NULL: nothing is kept from here on
 * @param x    the block's index in x
 * @param y    in y
 */
void simgpu_keep_shared(const char *file, unsigned x, unsigned y);

/** A __shared__ array as it was kept. The pointers are valid until simgpu_keep_shared(). */
struct simgpu_kept_shared {
    const char *name;
    const void *bytes;
    size_t size, row, element; /**< in bytes; a row is what the last subscript runs over */
    int barrier;               /**< the line of the barrier */
};

/**
 * What was kept since simgpu_keep_shared().
 * @param index from 0, in the order in which the kernel came to the arrays
 * @param kept overwritten
 * @return whether there is such an array
 */
int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept);

/**
 * Writes a JSON object when the program ends: "model", "sites" (file, line, kind of access and
 * the counts of each place in the code that was counted) and "faults" (name, file, line, text
 * and the other fields of simgpu_fault).
 * @param path of the file; it is copied
 */
void simgpu_json_at_end(const char *path);

/** Ends simgpu_capture(). */
void simgpu_capture_stop(void);

/**
 * Writes captured requests as JSON lines, one request each:
 * {"file","line","site","space","op","kernel","launch","occurrence","size","transactions",
 *  "bytes","segments":[[offset,bytes]...],"passes","lanes":[[lane,allocation,offset]...]}.
 * `site` tells apart several accesses on one line; offsets are bytes from the beginning of the
 * allocation (global) or of the named array (shared).
 * @param out where the lines go
 * @param file  end of the file's path, or NULL for all
 * @param line  the line, or 0 for all
 * @param limit the most requests for each site (if file is NULL: for each launch), or 0
 * for all
 * @return how many were written
 */
int simgpu_capture_write(FILE *out, const char *file, int line, int limit);

/**
 * Logs what the program asks the GPU to do from here on, as JSON lines in the order of the
 * calls; NULL ends it. A launch has what was counted in it:
 * {"call":"launch","kernel","launch","stream","grid","block","transactions","bytes"},
 * {"call":"record","event","stream"} and {"call":"wait","event","stream"} (the stream waits).
 * @param out where the lines go, or NULL
 */
void simgpu_log_calls(FILE *out);

/**
 * Makes the tracer treat device memory as never written; its bytes stay as they are.
 * @param device where it begins, in device memory
 * @param bytes how much
 */
void simgpu_forget(void *device, size_t bytes);

/**
 * Number of distinct faults so far.
 * @return distinct by kind and place
 */
int simgpu_fault_count(void);

/**
 * How often faults were seen, all together.
 * @return every time that one was seen
 */
uint64_t simgpu_fault_total(void);

/**
 * The index-th distinct fault, in order of discovery; returns 0 when there is none such.
 * @param index from 0
 * @param fault overwritten
 * @return 1, or 0
 */
int simgpu_get_fault(int index, struct simgpu_fault *fault);

/**
 * The last launch in words: its kernel, its shape, its line; null before the first.
 * @return a text that lives until the next call of this function
 */
const char *simgpu_last_launch(void);

/**
 * The first fault's message, or NULL.
 * @return a text of several lines that lives until the next call of this interface
 */
const char *simgpu_first_fault(void);

/** Forgets all faults and the error state they left behind, so that launches work again. */
void simgpu_clear_faults(void);

/** Makes a lost device work again; its memory and the faults stay. */
void simgpu_revive(void);

/**
 * How often simgpu_revive() was needed.
 * @return calls of simgpu_revive()
 */
int simgpu_revived(void);

/**
 * Where faults are printed as they are found: standard error by default; NULL: nowhere.
 * @param out a file, or NULL
 */
void simgpu_set_fault_output(FILE *out);

/**
 * Reports device memory that was not freed, each allocating line once. Runs by itself at the
 * end of the program.
 * @return bytes not freed
 */
size_t simgpu_check_leaks(void);

/**
 * Starts a helper process that looks up source lines from here on: for a program that gives up
 * the right to open files and to start programs.
 */
void simgpu_ask_through_helper(void);

/**
 * For programs of other people: a fault makes the exit status 1 whatever the program returns,
 * and memory that is never freed is a fault only if `leaks`.
 * @param leaks 0 or 1
 */
void simgpu_set_standalone(int leaks);

/**
 * Writes what a profiler shows, from what was counted: for each kernel and line accesses,
 * sectors a request, useful bytes, bank conflicts, divergence, arithmetic intensity, occupancy.
 * @param file      "text" for standard output, or a name ending in .json or .html
 * @param roofline  whose roofline: "h100" (also for NULL), "a100", "rtx4090", "c1060"
 * @param registers a thread's registers, for the occupancy; 0: not known
 * @param flops     floating-point operations of the program, for the arithmetic intensity; 0:
 * not known (the simulator sees accesses only)
 * @return 0, or -1 if the file cannot be written
 */
int simgpu_profile(const char *file, const char *roofline, int registers, double flops);

/**
 * Name of what computes cublas calls: "OpenBLAS 0.3.21 ..." or "plain loops".
 * @return a text that lives as long as the program
 */
const char *simgpu_blas_name(void);

/**
 * How the threads of a block are switched: "x86-64" or "ucontext".
 * @return a text that lives as long as the program
 */
const char *simgpu_switch_name(void);

#ifdef __cplusplus
}
#endif
#endif
