/* SPDX-License-Identifier: MIT */
/** @file library.h
 * What the library's files know of each other. A file calls only files that stand above it
 * here; gemm.c, which defines what ladder_gemm.h declares, calls them all.
 */
#ifndef STEPS_20_LIBRARY_LIBRARY_H
#define STEPS_20_LIBRARY_LIBRARY_H

#include <cuda_runtime.h>

#include "ladder_gemm.h"
#include "methods.h"

enum {
    /* a block's tile of the hand-written leaf: smaller products waste it */
    SMALLEST_LEAF = 128,
    MOST_CANDIDATES = 64
};

struct method_plan {
    int method;
    int levels;
    long parameter;
};

/// [key]
/* What a plan is kept for. `how` says of A and B whether they are transposed (t) or not (n), of
   C whether it is the product alone (p) or scaled (s); a capital letter: the pointer or the
   leading dimension does not suit. The methods pay for all of this with copies, cuBLAS hardly.
   A letter behind them: d for double, t or f for the math modes TENSOR and TENSOR_FAST. */
struct key {
    int m, n, k;
    char how[5];
};
/// [key]

struct plan_entry {
    struct key key;
    struct method_plan plan;
    bool limited; /* there was no workspace for some candidate when it was found: not for the
                     file */
};

struct ladder_gemm {
    int device, multiprocessors;
    struct gpu gpu;
    cudaStream_t stream;
    cudaEvent_t begun, ended, last; /* last: of the last product, in whatever stream */
    bool used, captured, device_scalars;
    double bytes_per_ms; /* of this device's memory, for predictions */
    char gpu_name[320];  /* with the version of cuBLAS */
    struct failure failure;
    void *zero; /* eight bytes of zeros on the device: alpha where k = 0 */

    void *workspace;
    size_t held, limit; /* bytes */
    size_t refused;     /* the smallest that could not be had; 0: none yet */
    bool callers;       /* the workspace is the caller's */
    void **retired;     /* workspaces that a graph uses */
    size_t retired_count;

    struct plan_entry *entries;
    size_t count, capacity;
    char *file; /* NULL: none, or none to write to */

    int smallest_leaf, most_levels;
    int math;       /* the mode that was asked for */
    unsigned added; /* bit i: ladder_added[i] runs on this GPU */
    bool measures, is_forced;
    int verbose;
    struct method_plan forced;
    struct ladder_done done;
    char message[512];
};

/* ---- handle.c: messages, failures and the workspace ---- */

/* The handle's message, on stderr too when it is to be heard. */
void tell(struct ladder_gemm *h, bool loud);
/* The steps end the program when a call fails. A library must not: it notes the first failure,
   and calls nothing more. */
void note_failure(const struct gpu *gpu, int kind, const char *call, const char *file, int line,
                  int code);
/* A CUDA call of the library itself; nothing more is called after a failure. */
void checked(struct ladder_gemm *h, cudaError_t status, const char *call);
#define TRY(h, call)                                                                           \
    do {                                                                                       \
        if (!(h)->failure.status)                                                              \
            checked(h, call, #call);                                                           \
    } while (0)

/* What the methods work with; `of` NULL: there will be no leaf. */
struct context library_context(struct ladder_gemm *h, const struct typed_methods *of);
bool is_capturing(cudaStream_t stream);
/* Grows the workspace to at least `bytes`. false: they cannot be had. */
bool grow_workspace(struct ladder_gemm *h, size_t bytes);
/* Frees it, or keeps it where a graph uses it. */
void free_workspace(struct ladder_gemm *h);

/* ---- plans.c: methods, the plans that they can have, and those that are known ---- */

/* The letter of a key for each math mode; 0: none. */
enum { MATH_MODES = 3 };
extern const char math_letters[MATH_MODES];
struct method_plan plan_of(const char *name, int levels, long parameter);
struct method_plan plain_cublas(void);
const struct method *method_of(int method);
/* Whether this GPU can follow the plan, in this precision or, with NULL, in one. */
bool is_plan(const struct ladder_gemm *h, struct method_plan plan,
             const struct typed_methods *of);
/* The mode for products in this precision: the one that was asked for, or 0 where this GPU has
   no methods for it. */
int math_of(const struct ladder_gemm *h, const struct typed_methods *of);
struct ladder_plan told(struct method_plan plan);
/* All plans that a call could have, cuBLAS first, plans of few levels before those of many. */
int candidates(const struct ladder_gemm *h, const struct gemm_call *x,
               struct method_plan *plans);
struct plan_entry *find_entry(struct ladder_gemm *h, struct key key);
void keep_entry(struct ladder_gemm *h, struct plan_entry entry);
void read_plans(struct ladder_gemm *h);
/* Writes this plan into the file, with all that others have written there. */
void write_plan(struct ladder_gemm *h, const struct plan_entry *entry);

/* ---- layout.c: from a call and a plan to a method's arguments ---- */

/* Where everything that a plan needs lies: see layout_of(). */
struct workspace_layout {
    struct product p;                  /* a, b, c only where they are not copied */
    bool copy_left, copy_right, apart; /* which are */
    size_t left, right, product, rest; /* their places in the workspace, the method's own */
    size_t elements;                   /* all together */
};

struct workspace_layout layout_of(const struct gemm_call *x, struct method_plan plan);
size_t layout_bytes(const struct gemm_call *x, struct method_plan plan);
bool is_scaled(const struct gemm_call *x);
struct key key_of(const struct gemm_call *x);

/* Runs a call by a plan whose layout fits into the workspace. */
void run_plan(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan);

/* ---- search.c: which plan is the fastest; it knows no GPU ---- */

/* What a search asks. find_plan.c gives it the GPU and the host's clock. */
struct search {
    void *what; /* what the functions work with */
    /* Milliseconds that a plan should take where cuBLAS takes cublas_ms. */
    double (*predict)(void *what, struct method_plan plan, double cublas_ms);
    /* One product; negative: it cannot run. */
    double (*run)(void *what, struct method_plan plan);
    double (*now)(void *what); /* milliseconds on a clock that costs are read from */
};
/* The fastest of the plans, the first of which is cuBLAS. */
struct method_plan search_plans(const struct search *s, const struct method_plan *plans,
                                int count);

/* ---- find_plan.c: runs a search on the GPU ---- */

/* What a plan should take where cuBLAS takes cublas_ms and memory moves bytes_per_ms. */
double predicted_ms(const struct gemm_call *c, struct method_plan plan, double cublas_ms,
                    double bytes_per_ms);
/* Measures on a C of its own where the call still needs what C holds. false: there is no memory
   for that C. */
bool find_plan(struct ladder_gemm *h, const struct gemm_call *x, struct plan_entry *entry);

#endif
