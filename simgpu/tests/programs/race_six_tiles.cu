// Six tiles, and the barrier at the end of the loop is missing: each needs the same advice.
// faults: 6
// says: after line 24, before line 17 is reached again
// says: after line 24, before line 18 is reached again
// says: after line 24, before line 19 is reached again
// says: after line 24, before line 20 is reached again
// says: after line 24, before line 21 is reached again
// says: after line 24, before line 22 is reached again
__global__ void sums(const float *a, float *out, int n)
{
    __shared__ float s[64], t[64], u[64], v[64], w[64], x[64];
    int me = threadIdx.x;
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        int i = first + me;

        s[me] = a[i];
        t[me] = a[i + n];
        u[me] = a[i + 2 * n];
        v[me] = a[i + 3 * n];
        w[me] = a[i + 4 * n];
        x[me] = a[i + 5 * n]; // planted: shared-race
        __syncthreads();
        sum += s[63 - me] + t[63 - me] + u[63 - me] + v[63 - me] + w[63 - me] + x[63 - me];
    }
    out[me] = sum;
}

int main()
{
    const int n = 256;
    static float host[6 * n];
    float *a, *out;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(a, out, n);
    cudaMemcpy(host, out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
}
