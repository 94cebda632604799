#include <cublas_v2.h>
int main()
{
    const int m = 4, n = 6, k = 8;
    float *a, *b, *c, one = 1, zero = 0;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cudaMalloc(&a, m * k * sizeof(float)), cudaMalloc(&b, k * n * sizeof(float));
    cudaMalloc(&c, m * n * sizeof(float));
    cudaMemset(a, 0, m * k * sizeof(float)), cudaMemset(b, 0, k * n * sizeof(float));
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, b, n, &zero, c, m); // planted: bad-call
    cublasDestroy(handle); // says: ldb is 6, but must be at least k = 8
}
