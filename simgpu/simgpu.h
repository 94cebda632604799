/* SPDX-License-Identifier: MIT */
/** @file simgpu.h
 * The simulated GPU's interface for programs that run CUDA on it: it chooses the model and
 * returns counts and faults. It is plain C, without CUDA's types.
 *
 * Kernels come in two builds of one source. Launches of the plain build only run. Launches of
 * the traced build are checked and, between simgpu_count_start() and simgpu_count_stop(),
 * counted. Only the host thread that launches kernels may call these functions.
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

/** The counts of counted launches. Shared memory and textures are counted separately. */
struct simgpu_totals {
    uint64_t launches; /**< kernels launched, plain and traced, since the last reset */
    uint64_t counted;  /**< those of them that were counted */
    /** calls of cuBLAS that computed something; their traffic is not counted */
    uint64_t library_calls;
    uint64_t transactions; /**< global memory: loads, stores and atomics */
    uint64_t bytes;        /**< moved by these transactions */
    uint64_t useful_bytes; /**< distinct bytes of them that a thread asked for */
    uint64_t load_transactions, load_bytes;
    uint64_t store_transactions, store_bytes; /**< an atomic is a load and a store */
    uint64_t shared_requests; /**< shared accesses of a half-warp (c1060) or warp (modern) */
    uint64_t shared_passes;   /**< their passes through the banks */
    uint64_t shared_ideal;    /**< passes without any bank conflict */
    uint64_t shared_conflict; /**< the most passes of an access, over those without conflicts */
    uint64_t texture_fetches; /**< texels fetched, one for each thread */
    uint64_t texture_bytes;   /**< size of these texels */
    uint64_t barriers;        /**< __syncthreads(): each thread that comes to one counts once */
};

/** The kinds of faults. */
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
    SIMGPU_BAD_CALL,      /**< an API call with a wrong argument */
    SIMGPU_NOT_SIMULATED, /**< a use of the API that is not simulated */
    SIMGPU_STACK_OVERFLOW,
    SIMGPU_DIVISION_BY_ZERO,    /**< of integers */
    SIMGPU_ENDLESS,             /**< no block ended within the time limit */
    SIMGPU_ASSERT,              /**< an assert() in a kernel failed */
    SIMGPU_OUT_OF_BOUNDS_ARRAY, /**< of a local or __constant__ array */
    SIMGPU_STREAM_RACE,         /**< two operations, or one and the host, are not ordered */
    SIMGPU_MISSING_WAIT,        /**< for a bulk copy, a product or another block of a cluster */
    SIMGPU_FAULT_KINDS
};

/** One distinct fault: kind and place. Strings live until the next call of this interface. */
struct simgpu_fault {
    enum simgpu_fault_kind kind;
    const char *name;   /**< "out-of-bounds-global" ... */
    const char *file;   /**< NULL if unknown */
    int line;           /**< 0 if unknown */
    const char *kernel; /**< NULL outside kernels */
    unsigned block[3], thread[3];
    uint64_t count;   /**< how often it was seen */
    const char *text; /**< the whole message, several lines */
};

/** Chooses the counting rules from the next launch on. @param model SIMGPU_C1060 by default */
void simgpu_set_model(enum simgpu_model model);

/** @return the name of a model, "c1060" or "modern". @param model any of the enum */
const char *simgpu_model_name(enum simgpu_model model);

/** Chooses the device whose limits apply to launches and are returned by
 * cudaGetDeviceProperties.
 * @param model SIMGPU_MODERN, the default for both counting models, allows 1024 threads per
 * block and 48 KiB of shared memory (227 KiB on request), SIMGPU_C1060 512 threads and 16 KiB
 */
void simgpu_set_limits(enum simgpu_model model);

/** Shuffles the order of blocks, and of threads between barriers.
 * @param seed the same seed gives the same order; 0: ascending order */
void simgpu_set_shuffle(uint64_t seed);

/** Sets the size of device memory. Memory that is already allocated stays valid.
 * @param bytes 0: half of the host's memory */
void simgpu_set_memory_limit(size_t bytes);

/** Checks whether host code may free this memory with a function of the C or C++ library, and
 * reports a fault if not.
 * @param memory that will be freed; NULL is allowed
 * @param call the function's name, such as "free"
 * @return whether it may be freed */
int simgpu_host_frees(void *memory, const char *call);

/** Something is printed, perhaps by a kernel: its repeated launches then run. */
void simgpu_kernel_prints(void);

/** Sets the processor time after which a launch is stopped if none of its blocks ends.
 * @param seconds 10 by default; 0: no limit */
void simgpu_set_time_limit(double seconds);

/** Sets the registers of a thread, as `nvcc -Xptxas -v` prints them. A launch whose blocks need
 * more registers than there are is then refused.
 * @param registers of every kernel; 0, the default: unknown */
void simgpu_set_registers(int registers);

/** Sets the processor time for checking in a program of `ladder sim`. After it, only the first
 * two launches of each kernel and shape are checked, for a tenth of that time each, and the
 * others only run. The end of the program reports what was not checked.
 * @param seconds 0: everything is checked */
void simgpu_set_budget(double seconds);

/** Traced launches are counted from here on. */
void simgpu_count_start(void);
/** Traced launches are checked but not counted from here on. */
void simgpu_count_stop(void);
/** Forgets all counts, lines and captured requests. */
void simgpu_count_reset(void);
/** Returns the counts since the last reset. @param totals overwritten */
void simgpu_get_totals(struct simgpu_totals *totals);
/** Prints the counts for each source line, with the line's text. @param out where */
void simgpu_report(FILE *out);

/** Prints the counts of global memory for each line of one file: "LINE OP TRANSACTIONS BYTES
 * REQUESTS". A line that calls a function of another file has that function's counts, too,
 * where the call is inlined.
 * @param out where it is printed
 * @param file the end of the file's path */
void simgpu_report_file(FILE *out, const char *file);

/** Keeps the addresses of one half-warp (c1060) or warp (modern) in each counted launch that
 * follows.
 * @param block its block's linear index, from 0
 * @param group its number in the block, from 0 */
void simgpu_capture(unsigned long block, unsigned group);

/** Ends simgpu_capture(). */
void simgpu_capture_stop(void);
/** Keeps, of each kernel, only the launch with this number, and draws the map of all its warps.
 * @param launch counted from 0; 0: keeps all launches, and draws the map of the first */
void simgpu_capture_launch(unsigned launch);

/** From now on, host code of traced sources may write to nothing but device memory, their own
 * variables and allocations, and the stack below a frame: not to the simulator's counters.
 * GCC's assembler only (tools/assemble.c).
 * @param frame on the host's stack; NULL: so far only allocations are noted */
void simgpu_guard_host(void *frame);

/** Keeps the contents of the __shared__ arrays that a kernel declares in `file`, in one block
 * at its first barrier, for the next launch that has such arrays. Forgets what was kept before.
 * Bytes that were never written are 0xff.
 * @param file end of the file's path; NULL: keep nothing
 * @param x the block's index in x @param y in y; in z it is 0 */
void simgpu_keep_shared(const char *file, unsigned x, unsigned y);

/** A __shared__ array as it was kept. The pointers are valid until simgpu_keep_shared(). */
struct simgpu_kept_shared {
    const char *name;
    const void *bytes;
    size_t size, row, element; /**< in bytes; a row is the range of the last subscript */
    int barrier;               /**< the line of the barrier */
};

/** Returns an array that was kept since simgpu_keep_shared().
 * @param index from 0, in the order in which the kernel first used the arrays
 * @param kept overwritten @return whether there is such an array */
int simgpu_get_kept_shared(int index, struct simgpu_kept_shared *kept);

/** Writes a JSON object when the program ends: "model", "sites" (file, line, kind of access and
 * the counts of each place in the code that was counted) and "faults" (name, file, line, text
 * and the other fields of simgpu_fault).
 * @param path of the file; it is copied */
void simgpu_json_at_end(const char *path);

/** Writes captured requests as JSON lines, one request each:
 * {"file","line","site","space","op","kernel","launch","occurrence","size","transactions",
 * "bytes","segments":[[offset,bytes]...],"passes","lanes":[[lane,allocation,offset]...]}.
 * `site` distinguishes several accesses on one line; offsets are bytes from the beginning of
 * the allocation (global) or of the named array (shared).
 * @param out where the lines go
 * @param file  end of the file's path, or NULL for all
 * @param line  the line, or 0 for all
 * @param limit the largest number of requests per site (if file is NULL: per launch); 0: all
 * @return how many were written */
int simgpu_capture_write(FILE *out, const char *file, int line, int limit);

/** Keeps the first requests of one warp (or half-warp) for simgpu_picture(): the one with the
 * thread that the environment names, SIMGPU_BLOCK=1,0 and SIMGPU_THREAD=9,0. Without them it
 * is the first one of the first block, in the first launch of each kernel. */
void simgpu_capture_for_picture(void);

/** Draws, as an SVG, what the captured warp touches at a line: the first request with each
 * thread's number, and below it the next ones, so that time runs downwards. Then what all warps
 * of the same launch touch in the arrays of the line.
 * @param out  where the picture goes
 * @param file end of the file's path; "": any file
 * @param line the line
 * @return how many kinds of access were drawn; 0: the warp made none there, and nothing is
 * drawn */
int simgpu_picture(FILE *out, const char *file, int line);

/** Draws a picture into FILE-LINE.svg in the current folder, without the path and the ending of
 * FILE, and says so on standard error. If the warp made no access there, it lists the lines of
 * the file where it made some.
 * @param place FILE:LINE @return 0, or -1 if there is no picture */
int simgpu_write_picture(const char *place);

/** Logs the program's calls to the GPU from here on, as JSON lines in their order. A launch has
 * its counts:
 * {"call":"launch","kernel","launch","stream","grid","block","transactions","bytes"},
 * {"call":"record","event","stream"} and {"call":"wait","event","stream"} (the stream waits).
 * For the block of simgpu_capture() also what happens at its mbarriers:
 * {"barrier","what":"init|wait|go|copy|arrive|bytes","by","number","phases","arrivals","bytes"},
 * where "by" is the thread, or -1 for the copy engine and other blocks.
 * @param out where the lines go; NULL ends the log */
void simgpu_log_calls(FILE *out);

/** Makes the tracer treat device memory as never written; its bytes do not change.
 * @param device the first byte @param bytes of the memory */
void simgpu_forget(void *device, size_t bytes);

/** @return whether a kernel or a call has written to a word of device memory.
 * @param device the first byte @param bytes of the memory */
int simgpu_is_written(const void *device, size_t bytes);

/** @return the number of distinct faults so far; they are distinct if kind or place differs */
int simgpu_fault_count(void);
/** Returns a distinct fault. @param index from 0, in order of discovery @param fault
 * overwritten
 * @return 1, or 0 if there is no such fault */
int simgpu_get_fault(int index, struct simgpu_fault *fault);

/** @return the last launch in words: its kernel, its shape, its line; valid until the next call
 * of this function. NULL before the first launch */
const char *simgpu_last_launch(void);

/** Forgets all faults and clears the device's error state, so that launches work again. */
void simgpu_clear_faults(void);
/** Makes a lost device work again; its memory and the faults stay. */
void simgpu_revive(void);
/** @return how often simgpu_revive() was called */
int simgpu_revived(void);

/** Sets where faults are printed when they are found.
 * @param out standard error by default; NULL: do not print them */
void simgpu_set_fault_output(FILE *out);

/** Reports device memory that was not freed, each allocating line once; so does the end of the
 * program. @return bytes not freed */
size_t simgpu_check_leaks(void);

/** Starts a helper process for looking up source lines. A program needs it if it gives up the
 * right to open files and to start programs. */
void simgpu_ask_through_helper(void);

/** For programs of other people: after a fault the exit status is 1, whatever the program
 * returns.
 * @param leaks 1: memory that is never freed is a fault */
void simgpu_set_standalone(int leaks);

/** Prints a profile from the counts: for each kernel and line accesses, sectors per request,
 * useful bytes, bank conflicts, divergence, arithmetic intensity, occupancy.
 * @param roofline  of this GPU: "h100" (also for NULL), "a100", "rtx4090", "c1060"
 * @param registers of a thread, for the occupancy; 0: unknown
 * @param flops     floating-point operations of the program, for the arithmetic intensity; 0:
 * unknown (the simulator sees only accesses) */
void simgpu_profile(const char *roofline, int registers, double flops);

/** Writes a line for each kernel, in the order of their first launches: name, launches,
 * transactions, bytes, useful bytes, passes through the banks of shared memory, passes without
 * conflicts; with a tab between them. The counts are those of all launches together.
 * @param path of the file
 * @return 0, or -1 if the file cannot be written */
int simgpu_write_kernels(const char *path);

/** @return how calls of cuBLAS are computed: "OpenBLAS 0.3.21 ..." or "plain loops" */
const char *simgpu_blas_name(void);

#ifdef __cplusplus
}
#endif
#endif
