// A last step of a reduction, as written for GPUs whose warps moved in lockstep.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32]; // planted: shared-race
        out[t] = s[31 - t];
    }
}

int main()
{
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 128);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reduce<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
}
