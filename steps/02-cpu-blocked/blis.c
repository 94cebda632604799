/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 }; /* CBLAS's own constants */

typedef void gemm_type(int, int, int, int, int, int, real, const real *, int, const real *, int,
                       real, real *, int);
static gemm_type *gemm;
static void (*set_threads)(int64_t);

/* dlsym returns an object pointer; POSIX lets it be stored as a function pointer this way. */
static void find(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
}

const char *blis_load(void)
{
    static char name[128];
    static bool tried;
    if (tried)
        return gemm ? name : NULL;
    tried = true;
    void *library = dlopen("libblis.so.4", RTLD_NOW | RTLD_LOCAL);
    const char *(*version)(void) = NULL, *(*kernels)(int) = NULL;
    int (*processor)(void) = NULL;
    if (!library)
        return NULL;
    find(library, sizeof(real) == 4 ? "cblas_sgemm" : "cblas_dgemm", &gemm);
    find(library, "bli_thread_set_num_threads", &set_threads);
    find(library, "bli_info_get_version_str", &version);
    find(library, "bli_arch_query_id", &processor);
    find(library, "bli_arch_string", &kernels);
    if (!gemm || !set_threads || !version || !processor || !kernels) {
        gemm = NULL;
        return NULL;
    }
    set_threads(1); /* starts the library, which reads BLIS_ARCH_TYPE only then */
    snprintf(name, sizeof name, "BLIS %s (%s kernels)", version(), kernels(processor()));
    return name;
}

const char *blis_missing(void)
{
    return blis_load() ? NULL : "BLIS is not installed (Debian: libblis4-openmp)";
}

void multiply_blis(const struct context *ctx, struct product p, int levels, real *workspace)
{
    (void)levels, (void)workspace; /* other leaves need more */
    set_threads(ctx->threads);
    gemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (int)p.c.rows, (int)p.c.cols, (int)p.a.cols, 1,
         p.a.at, (int)p.a.ld, p.b.at, (int)p.b.ld, p.accumulate ? 1 : 0, p.c.at, (int)p.c.ld);
}
