// Functions over any group; atomics of those who come together; scans within a tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group g, int *temp, int v)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = v;
        g.sync();
        if (lane < i)
            v += temp[lane + i];
        g.sync();
    }
    return v;
}

__device__ int next(int *counter)
{
    cg::coalesced_group together = cg::coalesced_threads();
    int first = 0;
    if (together.thread_rank() == 0)
        first = atomicAdd(counter, (int)together.size());
    return together.shfl(first, 0) + together.thread_rank();
}

__global__ void groups(int *out)
{
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    int all = sum(block, temp, 1);
    auto tile = cg::tiled_partition<16>(block);
    int largest = cg::reduce(tile, (int)tile.thread_rank(), cg::greater<int>());
    int before = cg::exclusive_scan(tile, 2);
    bool good = largest == 15 && before == 2 * (int)tile.thread_rank();
    if (block.thread_rank() == 0)
        out[0] = all;
    if (good)
        next(&out[1]);
}

int main()
{
    int *out, result[2];
    cudaMalloc(&out, sizeof result);
    cudaMemset(out, 0, sizeof result);
    groups<<<1, 64, 64 * sizeof(int)>>>(out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    return result[0] != 64 || result[1] != 64;
}
