/* SPDX-License-Identifier: MIT */
/* A cuBLAS and a cublasLt that multiply nothing: they print which function was called. They
   make no handle, so the preload library can take nothing over. STUB_MATH is the math mode. */
#include <stdio.h>
#include <stdlib.h>

/* The functions below look only at the first arguments. */
static int says(const char *name, long long m) { return printf("%s %lld\n", name, m) < 0; }

int cublasSgemm_v2(void *h, int ta, int tb, int m) { return says(__func__, m); }
int cublasDgemm_v2(void *h, int ta, int tb, int m) { return says(__func__, m); }
int cublasZgemm_v2(void *h, int ta, int tb, int m) { return says(__func__, m); }
int cublasDsyrk_v2(void *h, int uplo, int trans, int n) { return says(__func__, n); }
int cublasSgemmStridedBatched(void *h, int ta, int tb, int m) { return says(__func__, m); }
int cublasGemmEx(void *h, int ta, int tb, int m) { return says(__func__, m); }
int cublasSgemm_v2_64(void *h, int ta, int tb, long long m) { return says(__func__, m); }
int cublasDgemm_v2_64(void *h, int ta, int tb, long long m) { return says(__func__, m); }
int cublasZgemm_v2_64(void *h, int ta, int tb, long long m) { return says(__func__, m); }
int cublasDsyrk_v2_64(void *h, int up, int tr, long long n) { return says(__func__, n); }
int cublasSgemmStridedBatched_64(void *h, int a, int b, long long m)
{
    return says(__func__, m);
}
int cublasGemmEx_64(void *h, int ta, int tb, long long m) { return says(__func__, m); }
int cublasGetStream_v2(void *h, void **is) { return *is = NULL, 0; }
int cublasGetPointerMode_v2(void *h, int *is) { return *is = 0; }
int cublasGetMathMode(void *h, int *is)
{
    const char *mode = getenv("STUB_MATH");
    return *is = mode ? atoi(mode) : 0, 0;
}
int cublasCreate_v2(void **h) { return 1; }
int cublasDestroy_v2(void *h) { return puts("cublasDestroy_v2") < 0; }
/* Of cublasLt, and a function of cuBLAS that calls it. */
int cublasLtMatmul(void *h) { return puts("cublasLtMatmul") < 0; }
int cublasCgemm_v2(void *h) { return cublasLtMatmul(h); }
