// Half a warp runs ahead through shuffles of its own; the other half still gets what the vote found.
__global__ void halves(unsigned *out)
{
    unsigned lane = threadIdx.x % 32;
    int same;
    unsigned found = __match_all_sync(~0u, 7, &same);
    if (lane < 16)
        for (int i = 0; i < 3; i++)
            lane = __shfl_xor_sync(0xffff, lane, 1);
    unsigned sum = __shfl_down_sync(~0u, threadIdx.x % 32, 16);
    out[threadIdx.x] = found == ~0u && same && sum == (threadIdx.x % 32 < 16 ? threadIdx.x % 32 + 16 : threadIdx.x % 32);
}

int main()
{
    unsigned *out, result[64], wrong = 0;
    cudaMalloc(&out, sizeof result);
    halves<<<1, 64>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (unsigned good : result)
        wrong += !good;
    return wrong != 0;
}
