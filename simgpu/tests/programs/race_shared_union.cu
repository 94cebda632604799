// Both members of a union are the same bytes: what one reads, another one writes as something else.
__global__ void kernel(float *out)
{
    __shared__ union {
        float f[64];
        int i[64];
    } u;
    u.f[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float sum = u.f[63 - threadIdx.x]; // says: The other access is at .*:10
    u.i[threadIdx.x] = 2; // planted: shared-race
    __syncthreads();
    out[threadIdx.x] = sum + u.i[63 - threadIdx.x];
}

int main()
{
    float *out;
    cudaMalloc(&out, 64 * sizeof *out);
    kernel<<<1, 64>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
