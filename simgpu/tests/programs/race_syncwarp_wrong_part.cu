// The barrier joins the lower half of the warp; the upper half reads too.
__global__ void half(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t; // planted: shared-race
    if (t < 16)
        __syncwarp(0xffff);
    out[t] = s[(t + 16) % 32];
}

int main()
{
    int *out;
    cudaMalloc(&out, 128);
    half<<<1, 32>>>(out);
    cudaDeviceSynchronize();
}
