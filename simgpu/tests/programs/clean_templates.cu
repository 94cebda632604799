// Kernels that are templates, overloaded, or have default arguments.
template <typename T> struct pair {
    T x, y;
};
template <typename T, int N> __global__ void scale(T *a, T factor)
{
    a[threadIdx.x] = a[threadIdx.x] * factor + N;
}
template <typename T> __global__ void copy(const T *from, T *to)
{
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void add(int *a, int b = 10)
{
    a[threadIdx.x] += b;
}
__global__ void take(pair<float> p, float *out)
{
    out[threadIdx.x] = p.x * p.y;
}
__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__global__ void recursive(int *a)
{
    a[threadIdx.x] = fibonacci(threadIdx.x % 16);
}

int main()
{
    float *a, *b, host[32];
    int *c, ints[32];
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMalloc(&c, 128);
    cudaMemset(a, 0, 128);
    cudaMemset(c, 0, 128);
    scale<float, 3><<<1, 32>>>(a, 2);
    copy<<<1, 32>>>(a, b);
    add<<<1, 32>>>(c);
    add<<<1, 32>>>(c, 1);
    cudaMemcpy(host, b, 128, cudaMemcpyDeviceToHost);
    cudaMemcpy(ints, c, 128, cudaMemcpyDeviceToHost);
    if (host[5] != 3 || ints[5] != 11)
        return 1;
    take<<<1, 32>>>(pair<float>{2, 3}, a);
    recursive<<<1, 32>>>(c);
    cudaMemcpy(host, a, 128, cudaMemcpyDeviceToHost);
    cudaMemcpy(ints, c, 128, cudaMemcpyDeviceToHost);
    return host[5] != 6 || ints[10] != 55;
}
