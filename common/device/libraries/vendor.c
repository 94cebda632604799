/* SPDX-License-Identifier: MIT */
#include "common/device/libraries/vendor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 }; /* CBLAS's own constants */

typedef void sgemm_type(int, int, int, int, int, int, float, const float *, int, const float *,
                        int, float, float *, int);
typedef void dgemm_type(int, int, int, int, int, int, double, const double *, int,
                        const double *, int, double, double *, int);

static sgemm_type *sgemm;
static dgemm_type *dgemm;

/* dlsym returns an object pointer; POSIX lets it be stored as a function pointer this way. */
static void find(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
}

/* OpenBLAS's name for the best kernels of this processor; NULL to let OpenBLAS choose. */
static const char *kernels_for_this_processor(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return "SKYLAKEX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return __builtin_cpu_is("amd") ? "ZEN" : "HASWELL";
#endif
    return NULL;
}

const char *openblas_load(int threads)
{
    static char name[128];
    static bool tried;
    if (tried)
        return sgemm ? name : NULL;
    tried = true;
    const char *kernels = kernels_for_this_processor();
    bool chosen = getenv("OPENBLAS_CORETYPE");
    if (kernels)
        setenv("OPENBLAS_CORETYPE", kernels, 0);
    setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0); /* spin for 2^20 cycles, not for 2^28 */
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libopenblas.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    char *(*corename)(void) = NULL, *(*config)(void) = NULL;
    void (*set_threads)(int) = NULL;
    find(library, "cblas_sgemm", &sgemm);
    find(library, "cblas_dgemm", &dgemm);
    find(library, "openblas_get_corename", &corename);
    find(library, "openblas_get_config", &config);
    find(library, "openblas_set_num_threads", &set_threads);
    if (!sgemm || !dgemm || !corename || !config || !set_threads) {
        sgemm = NULL;
        return NULL;
    }
    set_threads(threads);
    char product[32] = "OpenBLAS", version[32] = "";
    sscanf(config(), "%31s %31s", product, version);
    snprintf(name, sizeof name, "%s %s (%s kernels, %d thread%s%s)", product, version,
             corename(), threads, threads == 1 ? "" : "s",
             chosen ? "; OPENBLAS_CORETYPE is set" : "");
    return name;
}

const char *openblas_missing(void)
{
    return openblas_load(1) ? NULL : "OpenBLAS is not installed (Debian: libopenblas0-pthread)";
}

void openblas_multiply(enum precision precision, struct product p)
{
    if (precision == PRECISION_F32)
        sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (int)p.c.rows, (int)p.c.cols,
              (int)p.a.cols, 1.0f, p.a.at, (int)p.a.ld, p.b.at, (int)p.b.ld,
              p.accumulate ? 1.0f : 0.0f, p.c.at, (int)p.c.ld);
    else
        dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (int)p.c.rows, (int)p.c.cols,
              (int)p.a.cols, 1.0, p.a.at, (int)p.a.ld, p.b.at, (int)p.b.ld,
              p.accumulate ? 1.0 : 0.0, p.c.at, (int)p.c.ld);
}
