#include <cassert>
#define check(code) assert((code) == cudaSuccess)
#define check_launch(...) check((__VA_ARGS__, cudaPeekAtLastError()))

static constexpr int threads = 128;
__shared__ int smem[threads];

__global__
void sum_kernel(int *in, int *out)
{
    int t = threadIdx.x;
    smem[t] = in[t] + t; // planted: shared-race
    if (t == 0) {
        *out = 0;
        for (int i = 0; i < threads; ++i)
            *out += smem[i];
    }
}

int main()
{
    int *in = nullptr, *out = nullptr;
    check(cudaMalloc((void **)&in, sizeof(int) * threads));
    check(cudaMalloc((void **)&out, sizeof(int)));
    check(cudaMemset(in, 0, sizeof(int) * threads));
    check_launch(sum_kernel<<<1, threads>>>(in, out)); // says: Put a barrier after line 12, before line 16
    check(cudaDeviceSynchronize());
}
