// expect:
/* What the rewriting tool must leave alone, or get right. The path of a comment: <<< is not one. */
#include <cuda_runtime.h>
#include "accepted.cuh"
#include "accepted.cuh" // a second time: nothing
#if 0
#error k<<<1, 1>>>(this is not reached)
#endif
#define LAUNCH(k, n, ...) k<<<(n), 32>>>(__VA_ARGS__)
namespace inner
{
template <class T, int N> static __global__ void fill(T *p, T v)
{
    __shared__ volatile T tile[N][4];
    tile[0][0] = v;
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        p[i] = tile[0][0];
}
} // namespace inner
struct row {
    void (*kernel)(float *, float);
};
static __forceinline__ __host__ __device__ float twice(float x) { return 2 * x; }
static __global__ void __launch_bounds__(256, 2) pairs(const float2 *__restrict__ in, float2 *out, float f)
{
    __shared__ float a[4], *b[2], c;
    extern __shared__ float4 dynamic[];
    a[threadIdx.x % 4] = f, c = twice(f), b[0] = a;
    dynamic[threadIdx.x] = make_float4(f, c, 0, *b[0]);
    float2 pair = __ldg(&in[threadIdx.x]), other{}, third = {1, 2};
    float4 zero = {0}, sum = {f, f, f, f};
    other.x = pair.x + third.y + zero.w + sum.z;
    out[threadIdx.x] = threadIdx.x < 16 ? other : pair;
    union {
        float4 vector;
        float single[4];
    } both;
    both.vector = sum;
    a[0] = both.single[3];
    int large = 1'000'000;
    out[0].x = fmaf(f, max(large, 3), min(2.f, f)) + rsqrtf(f);
#pragma unroll
    for (int i = 0; i < 4; i++)
        a[i] = 0;
#pragma unroll 2
    for (int i = 0; i < 4; i++)
        a[i] += 1;
}
void f(float *p, float2 *q, row *table, cudaStream_t s)
{
    const char *text = "k<<<1, 1>>>(p) \" <<<";
    const char *raw = R"(k<<<1, 1>>>)";
    char quote = '"';
    inner::fill<float, (8 > 4 ? 8 : 4)><<<1, 32>>>(p, 1);
    LAUNCH(from_header, 1 << 3, p);
    (table + 1)->kernel<<<dim3(2, 2), 32, 4 << 3, s>>>(p, 3);
    table[0].kernel<<<1, 32>>>(p, text[0] + raw[0] + quote);
    if (p) ::pairs<<<1, 32, 32 * sizeof(float4)>>>(q, q, 1); else launch_from_header(p);
    from_header<<<dim3(1, // a comment, and a line
                       2),
                  32>>>(
        p); static_assert(__LINE__ == 62, "lines are kept");
    float *nothing = 0;
    from_header<<<1, 32>>>(NULL == nothing ? p : 0);
}
