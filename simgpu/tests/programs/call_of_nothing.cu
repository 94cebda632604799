// A pointer to a function that nobody set.
typedef float (*function)(float);

__global__ void apply(float *x, function f)
{
    if (f != (function)1)
        x[threadIdx.x] = f(1.0f); // planted: device-touches-host
}

int main()
{
    float *x;
    cudaMalloc(&x, 32 * sizeof *x);
    apply<<<1, 32>>>(x, nullptr);
    cudaDeviceSynchronize(); // says: calls a function at address 0, where there is none
}
