// Structures with gaps between their members are copied, gaps and all.
struct Gaps {
    char a;
    int b;
    double c;
    char d;
};
struct Small {
    char a;
    int b;
};
struct Pair {
    int a;
    double b;
};

__global__ void fill(Gaps *g, Small *s, Pair *p)
{
    int t = threadIdx.x;
    g[t].a = g[t].b = g[t].c = g[t].d = t;
    s[t].a = s[t].b = t;
    p[t].a = p[t].b = t;
}

__global__ void turn(Gaps *g, Small *s, Pair *p)
{
    __shared__ Gaps shared_gaps[32];
    __shared__ Small small[32];
    __shared__ Pair pairs[32];
    int t = threadIdx.x;
    shared_gaps[t] = g[t];
    small[t].a = small[t].b = t;
    pairs[t].a = pairs[t].b = t;
    __syncthreads();
    g[t] = shared_gaps[31 - t];
    s[t] = small[31 - t];
    p[t] = pairs[31 - t];
}

__global__ void sum(Gaps *g, Small *s, Pair *p, double *out)
{
    int t = threadIdx.x;
    Small small = s[t];
    Pair pair = p[t];
    out[t] = g[t].b + g[t].c + small.b + pair.b;
}

int main()
{
    Gaps *g;
    Small *s;
    Pair *p;
    double *out, host[32];
    cudaMalloc(&g, 32 * sizeof *g);
    cudaMalloc(&s, 32 * sizeof *s);
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMalloc(&out, sizeof host);
    fill<<<1, 32>>>(g, s, p);
    turn<<<1, 32>>>(g, s, p);
    sum<<<1, 32>>>(g, s, p, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host[1] != 4 * 30;
}
