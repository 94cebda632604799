/* SPDX-License-Identifier: MIT */
/** @file library.h
 * The types and functions that the library's files share. A file calls only files whose section
 * is above its own here. create.c, prepared.c, ahead.c, settings.c and sizes_64.c, which define
 * most functions of ladder_gemm.h, may call them all.
 */
#ifndef STEPS_20_LIBRARY_LIBRARY_H
#define STEPS_20_LIBRARY_LIBRARY_H

#include <cuda_runtime.h>

#include "ladder_gemm.h"
#include "methods.h"

enum {
    /* a block's tile of the hand-written leaf: a smaller C wastes it */
    SMALLEST_LEAF = 128,
    /* as many leaves: with a shorter edge neither ladder_zgemm() nor ladder_dsyrk() gains */
    SHORTEST_EDGE = 16,
    PLAIN_CALLS = 16,
    MOST_CANDIDATES = 64
};

struct method_plan {
    int method;
    int levels;
    long parameter;
};

/* The key of a plan. `how` has a letter for each matrix: A and B are transposed (t) or not (n),
   C is the product alone (p) or scaled (s). A capital letter means that the pointer or the
   leading dimension is not aligned. The methods copy such matrices; cuBLAS is hardly slower
   with them. A fourth letter is d for double, or that of a mode: see struct method. `count` of
   them are a batch: cuBLAS computes small ones at the same time, the methods one after
   another. */
struct key {
    int m, n, k, count; /* count 1: no batch */
    char how[5];
};

struct plan_entry {
    struct key key;
    struct method_plan plan;
    int most;     /* the limit of levels when it was found */
    bool limited; /* not written to the file, because some candidates had no workspace */
};

struct plan_list {
    struct plan_entry *entries;
    size_t count, capacity;
};

/* Memory on the device that calls work in. */
struct space {
    void *at;
    size_t held; /* bytes */
};

struct ladder_gemm {
    /* The last call if cuBLAS computed it and no setting has changed since; otherwise its `of`
       is NULL. See is_same_call(). */
    struct gemm_call same;
    cublasOperation_t same_a, same_b;
    double same_alpha, same_beta;
    int device;
    struct gpu gpu;
    cudaStream_t stream;
    cudaEvent_t begun, ended, last; /* last: ends the last product, in any stream */
    bool used, device_scalars, is_only_device;
    double bytes_per_ms; /* of this device's memory, for predictions */
    double flops_per_ms; /* of cuBLAS's sgemm, estimated; for predictions */
    char gpu_name[320];  /* with the versions of cuBLAS and of this library */
    struct failure failure;

    struct space workspace;          /* for calls that are not captured */
    struct space graphs;             /* for captured ones: a graph may run during other calls */
    struct space parts, graph_parts; /* the same: see take_parts() */
    unsigned long long capture;      /* the capture that `graphs` belongs to; 0: none */
    size_t limit;                    /* bytes */
    size_t refused;                  /* a size that could not be allocated; 0: none */
    size_t free_then;                /* the device's free bytes after that */
    bool callers;   /* the workspace is the caller's, for captured calls, too */
    bool has_parts; /* a call is using `parts` or `graph_parts` */
    struct captured_space **captured; /* the workspaces of all captures: see handle.c */
    size_t captured_count;

    struct plan_list found;   /* by this handle, and in its file */
    struct plan_list shipped; /* with the library, for this GPU; only for guesses */
    char *file;               /* the tuning file; NULL if there is none to write to */

    int smallest_leaf, most_levels;
    int math, double_math; /* the modes that were asked for */
    bool accurate;         /* see ladder_gemm_set_accurate() */
    unsigned added;        /* bit i: ladder_added[i] runs on this GPU */
    bool measures, is_forced;
    struct key plain[PLAIN_CALLS]; /* of the last calls whose plan was cuBLAS */
    unsigned plain_count;          /* that were noted: see is_plain_call() */
    int verbose;
    struct method_plan forced;
    struct ladder_done done;
    int pieces; /* of the last product */
    char message[512];
};

/* Makes calls choose their plans again. */
static inline void forget_calls(struct ladder_gemm *h)
{
    h->plain_count = 0, h->same.of = NULL;
}

/* Before a call: nothing was multiplied yet. */
static inline void forget_product(struct ladder_gemm *h)
{
    h->done = (struct ladder_done){.ran = {"none", 0, 0}, .plan = {"none", 0, 0}};
    h->pieces = 0;
}

/* ---- handle.c: messages, failures and the workspace ---- */

/* Prints the handle's message on stderr if `loud`. */
void tell(struct ladder_gemm *h, bool loud);
/* The steps end the program when a call fails. A library must not: it notes the first failure,
   and calls nothing more. */
void note_failure(const struct gpu *gpu, int kind, const char *call, const char *file, int line,
                  int code);
/* A CUDA call of the library itself; nothing more is called after a failure. TRY is a macro
   because a function would call before it knows of the failure, and has no text of the call. */
void checked(struct ladder_gemm *h, cudaError_t status, const char *call);
#define TRY(h, call)                                                                           \
    do {                                                                                       \
        if (!(h)->failure.status)                                                              \
            checked(h, call, #call);                                                           \
    } while (0)

/* What a call changes in the caller's thread, to be put back when it ends. */
struct outside {
    int device;
    enum cudaStreamCaptureMode mode;
};
/* Begins a call: makes the handle's device current, and lets this thread allocate memory while
   a stream is being captured. CUDA otherwise takes that for a mistake and ends the capture.
   Nothing that we capture depends on it. */
struct outside begin_call(struct ladder_gemm *h);
/* Puts back what the call has changed in the thread. */
void leave_call(struct ladder_gemm *h, struct outside was);
/* Does the same after a product, keeps the message of a failure, and returns the status. */
int end_call(struct ladder_gemm *h, struct outside was);
/* The same where begin_call() was left out. */
int end_product(struct ladder_gemm *h);

/* The context of the methods; `of` NULL: no leaf will run. */
struct context library_context(struct ladder_gemm *h, const struct typed_methods *of);
bool is_capturing(cudaStream_t stream);
/* The space for the next product: the capture's, while the handle's stream is captured. */
struct space *space_of(struct ladder_gemm *h);
/* Grows that space to at least `bytes`. false: there is not enough memory. */
bool grow_workspace(struct ladder_gemm *h, size_t bytes);
/* Frees the workspace of calls that are not captured. */
void free_workspace(struct ladder_gemm *h);
/* Frees the workspaces of captures whose graphs are gone, or of all. */
void free_captured(struct ladder_gemm *h, bool all);
/* Memory for the parts of complex matrices: the workspace is for their products. In a caller's
   workspace it is the front. Returns NULL if there is not enough. The handle keeps it after
   give_parts_back(), which the call that takes it makes. */
void *take_parts(struct ladder_gemm *h, size_t bytes);
void give_parts_back(struct ladder_gemm *h, size_t bytes);
void free_parts(struct ladder_gemm *h);
/* Whether to ask again for the size that was refused: more memory is free now than then, and
   enough. */
bool is_room_again(struct ladder_gemm *h);

/* ---- plans.c: methods, the plans that they can have, and those that are known ---- */

/* The modes that ladder_gemm.h has, whether or not the library has methods for them. */
enum { MATH_MODES = 4, DOUBLE_MODES = 5 };
/* The fourth letter of a key; 0: none. */
char letter_of(const struct typed_methods *of, int math);
struct method_plan plan_of(const char *name, int levels, long parameter);
struct method_plan plain_cublas(void);
const struct method *method_of(int method);
/* Whether this GPU can follow the plan, in this precision or, with NULL, in either. */
bool is_plan(const struct ladder_gemm *h, struct method_plan plan,
             const struct typed_methods *of);
/* The mode for calls in this precision: the one that was asked for, or 0 where this GPU has
   no methods for it. */
int math_of(const struct ladder_gemm *h, const struct typed_methods *of);
struct ladder_plan public_plan(struct method_plan plan);
/* Whether cuBLAS may not multiply, however small the product is. */
bool excludes_cublas(const struct gemm_call *x);
/* Lists all plans that a call could follow: cuBLAS first, few levels before many. */
int candidates(const struct ladder_gemm *h, const struct gemm_call *x,
               struct method_plan *plans);
bool is_key(const struct key *x, const struct key *y);
/* The plan for this key that is valid under the handle's limit of levels: it has no more
   levels, and was found under this limit or a higher one. */
struct plan_entry *find_entry(struct ladder_gemm *h, struct key key);
/* Forgets the plans that were found while some candidate had no workspace. */
void forget_limited(struct ladder_gemm *h);
/* Puts a plan into a list, and replaces one with the same key and limit. */
void keep_entry(struct plan_list *list, struct plan_entry entry);
/* The lines of plans.txt, then NULL: CMake writes them into a source. */
extern const char *const ladder_shipped_plans[];
void read_shipped_plans(struct ladder_gemm *h);
/* Reads the file, and keeps its name. If the name is a link, keeps the name that it points to,
   so that the link stays a link when the file is replaced. */
void read_plans(struct ladder_gemm *h, const char *name);
/* Adds this plan to the file, and keeps what other processes have written there. */
void write_plan(struct ladder_gemm *h, const struct plan_entry *entry);

/* ---- layout.c: from a call and a plan to a method's arguments ---- */

/* A left factor (column-major) that is already split. It also points to the matrix. */
struct ladder_prepared {
    int device, m, k;
    bool ta;
    const void *a;
    int lda;
    int math;
    struct method_plan plan;
    struct block right;  /* the matrix or its padded copy, row-major, as the method reads it */
    void *kept, *memory; /* `memory` holds the copy, if any, then the split form, `kept` */
};

/* Where a plan's matrices are in memory: see layout_of(). */
struct workspace_layout {
    struct product p;                  /* a, b, c only where they are not copied */
    bool copy_left, copy_right, apart; /* which of them are copied */
    size_t left, right, product, rest; /* where the copies and the method's workspace begin */
    size_t elements;                   /* of the whole workspace */
};

struct workspace_layout layout_of(const struct gemm_call *x, struct method_plan plan);
size_t layout_bytes(const struct gemm_call *x, struct method_plan plan);
bool is_scaled(const struct gemm_call *x);
struct key key_of(const struct gemm_call *x);

/* Product i of a batch. */
struct gemm_call product_in_batch(const struct gemm_call *x, int i);
/* Runs a product with a plan other than cuBLAS, whose layout fits into the workspace. */
void run_plan(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan);
/* The same for the whole batch of a call; the plan may be cuBLAS. */
void run_planned(struct ladder_gemm *h, const struct gemm_call *x, struct method_plan plan);

/* ---- search.c: finds the fastest plan; does not know the GPU ---- */

/* The functions that a search calls. Those of find_plan.c run on the GPU, and use the host's
   clock. */
struct search {
    void *what; /* what the functions work with */
    /* Predicts a plan's time, in ms, where cuBLAS takes cublas_ms. */
    double (*predict)(void *what, struct method_plan plan, double cublas_ms);
    /* Runs one product and returns its time; negative: it cannot run. */
    double (*run)(void *what, struct method_plan plan);
    double (*now)(void *what); /* milliseconds, on the clock that limits the search */
};
/* The fastest of the plans, the first of which is cuBLAS. */
struct method_plan search_plans(const struct search *s, const struct method_plan *plans,
                                int count);

/* ---- find_plan.c: runs a search on the GPU ---- */

/* Predicts a plan's time for one product where cuBLAS takes cublas_ms, and memory moves
   bytes_per_ms. */
double predicted_ms(const struct gemm_call *c, struct method_plan plan, double cublas_ms,
                    double bytes_per_ms);
/* Whether the call reads C, or may: measuring then needs memory for a second C. */
bool needs_c(const struct gemm_call *x);
/* Measures on a second C if the call still needs the contents of C. Returns false if there is
   no memory for it. */
bool find_plan(struct ladder_gemm *h, const struct gemm_call *x, struct plan_entry *entry);
/* Guesses the fastest plan without measuring: that of a known shape with almost the same edges,
   or else the one with the least predicted time. Guesses cuBLAS on a GPU without shipped plans,
   since predictions were compared with measured times only on GPUs that have them. */
struct method_plan guess_plan(struct ladder_gemm *h, const struct gemm_call *x);

/* ---- gemm.c: calls ---- */

/* The call that the arguments of cublasSgemm or cublasDgemm describe. run_call() completes it.
 */
struct gemm_call one_product(const struct typed_methods *of, int m, int n, int k,
                             const void *alpha, const void *A, int lda, const void *B, int ldb,
                             const void *beta, void *C, int ldc);
/* The number of the first wrong argument of ladder_sgemm(), or 0. */
int wrong_argument(const struct ladder_gemm *h, cublasOperation_t transa,
                   cublasOperation_t transb, const struct gemm_call *x);
/* Converts the number of a wrong argument of ladder_sgemm() to another function's, using the
   list `ours`; NULL: the same number. */
int renumbered(struct ladder_gemm *h, int status, const int *ours, const char *name);
/* The same for the functions of batches, whose list is one. */
int renumbered_batch(struct ladder_gemm *h, int status, const char *name);
/* The same for ladder_dsyrk(). */
int renumbered_syrk(struct ladder_gemm *h, int status, const char *name);
/* The plan of a call: the known one; else, if `asked`, the one found by measuring; else the one
   predicted to be the fastest. */
struct method_plan choose_plan(struct ladder_gemm *h, const struct gemm_call *x, bool asked);
/* Records the event that work in another stream will wait for, if there is workspace to share.
 */
void note_use(struct ladder_gemm *h);
/* Checks the arguments and multiplies. Returns what the functions of ladder_gemm.h return. */
int run_call(struct ladder_gemm *h, cublasOperation_t transa, cublasOperation_t transb,
             struct gemm_call *x);

#endif
