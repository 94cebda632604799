// Shared variables of types that are defined where they are declared, and of types with commas; all work as
// under nvcc.
template <class A, class B> struct Pair {
    A first;
    B second;
};
struct Particle {
    float3 at;
    int cell[2];
};
__shared__ union {
    float f;
    unsigned bits;
} of_the_file;
#define ROWS 2

__global__ void kernel(float *out)
{
    __shared__ union {
        float f[32]; // one after the other
        int i[32];
    } u;
    __shared__ struct {
        float a[32];
        int n;
    } s, other[2];
    __shared__ struct Named { double d[4]; char c; } named;
    __shared__ struct Particle particles[32];
    __shared__ Particle one;
    __shared__ volatile union { int turn; } v;
    __shared__ Pair<int, float> pairs[32], *chosen;
    __shared__ float tile[(ROWS + 1) * 16][2], row[ROWS * (16)];
    int t = threadIdx.x;
    u.f[t] = t;
    s.a[t] = other[1].a[t] = t;
    particles[t].at = make_float3(t, t, t);
    particles[t].cell[0] = particles[t].cell[1] = t;
    pairs[t].second = t;
    tile[t][1] = row[t] = t;
    if (t == 0) {
        s.n = 3;
        v.turn = 4;
        named.d[3] = 5;
        one = particles[0];
        chosen = pairs;
        of_the_file.f = 1;
    }
    __syncthreads();
    Named copy = named;
    float sum = u.f[31 - t] + s.a[31 - t] + other[1].a[31 - t] + particles[31 - t].at.y + particles[31 - t].cell[1] +
                chosen[31 - t].second + tile[31 - t][1] + row[31 - t];
    __syncthreads();
    u.i[t] = t;
    __syncthreads();
    out[t] = sum + u.i[31 - t] + s.n + v.turn + copy.d[3] + one.at.x + (of_the_file.bits == 0x3f800000);
}

int main()
{
    float *out, host[32];
    cudaMalloc(&out, sizeof host);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; t++)
        if (host[t] != 9 * (31 - t) + 13) return 1;
    return 0;
}
