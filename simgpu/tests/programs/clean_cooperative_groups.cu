#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int reduce(cg::thread_block_tile<16> tile, int v)
{
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    return v;
}

__global__ void sums(const int *a, int *out)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = a[block.thread_rank()];
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int v = reduce(tile, s[63 - block.thread_rank()]);
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = v;
    tile.sync();
    cg::sync(block);
    if (tile.any(v < 0))
        out[0] = -1;
}

int main()
{
    int host[64], out[4], *a, *o;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&o, sizeof out);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(a, o);
    cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
    return out[0] != 48 * 16 + 120 || out[3] != 120;
}
