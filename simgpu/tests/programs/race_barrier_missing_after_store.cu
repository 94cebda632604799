// A reads what B stores, in shared memory, and no barrier stands between.
__global__ void shift(const float *in, float *out, int n)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x]; // planted: shared-race
    out[threadIdx.x] = tile[(threadIdx.x + 1) % n];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    shift<<<1, 64>>>(in, out, 64); // says: Put a barrier after line 5, before line 6
    cudaDeviceSynchronize();
}
