// Half of the lanes that the mask names go on to the next barrier.
__global__ void kernel(int *out)
{
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16)
        v = __shfl_down_sync(0xffffffff, v, 1); // planted: barrier-divergence
    // says: Thread .0,0,0. waits here for lanes of its warp, while thread .16,0,0. waits at the __syncthreads.. of .*:8
    __syncthreads();
    out[threadIdx.x] = v;
}

int main()
{
    int *out;
    cudaMalloc(&out, 64 * sizeof *out);
    kernel<<<1, 64>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
