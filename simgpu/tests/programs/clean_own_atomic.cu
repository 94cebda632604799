// The usual way to make an atomic of one's own: a plain read, then atomicCAS until nobody came between.
__device__ double add(double *address, double v)
{
    unsigned long long *word = (unsigned long long *)address, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sum(double *total)
{
    add(total, 0.5);
}

int main()
{
    double *total, result;
    cudaMalloc(&total, sizeof result);
    cudaMemset(total, 0, sizeof result);
    sum<<<8, 64>>>(total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    return result != 256;
}
