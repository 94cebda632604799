// The same with __syncwarp between reading and writing; and with a part of the warp only.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        int v = s[t];
        for (int d = 32; d > 0; d /= 2) {
            v += t + d < 64 ? s[t + d] : 0;
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
    }
    if (t < 16) {
        s[t] = t;
        __syncwarp(0xffff);
        out[t] = s[15 - t];
        __syncwarp(0xffff);
        s[15 - t] = t;
    }
}

int main()
{
    int host[64], *in, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 64);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    reduce<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
}
