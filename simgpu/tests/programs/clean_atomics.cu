__global__ void all(int *i, unsigned *u, unsigned long long *l, float *f, double *d)
{
    int t = threadIdx.x + blockIdx.x * blockDim.x;
    atomicAdd(&i[0], 1), atomicSub(&i[1], 1), atomicMax(&i[2], t), atomicMin(&i[3], -t);
    atomicAnd(&i[4], ~(1 << t % 32)), atomicOr(&i[5], 1 << t % 32), atomicXor(&i[6], 1);
    atomicInc(&u[0], 9), atomicDec(&u[1], 9), atomicMax(&u[2], (unsigned)t);
    atomicAdd(l, 1ull << 33), atomicAdd_system(f, 0.5f), atomicAdd(d, 0.25);
    int old = 0, seen;
    do
        seen = old, old = atomicCAS(&i[7], seen, seen + 2);
    while (old != seen);
}

int main()
{
    int *i, hi[8];
    unsigned *u, hu[3];
    unsigned long long *l, hl;
    float *f, hf;
    double *d, hd;
    cudaMalloc(&i, sizeof hi), cudaMalloc(&u, sizeof hu), cudaMalloc(&l, 8);
    cudaMalloc(&f, 4), cudaMalloc(&d, 8);
    cudaMemset(i, 0, sizeof hi), cudaMemset(u, 0, sizeof hu), cudaMemset(l, 0, 8);
    cudaMemset(f, 0, 4), cudaMemset(d, 0, 8);
    all<<<2, 32>>>(i, u, l, f, d);
    cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
    cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hl, l, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hf, f, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hd, d, 8, cudaMemcpyDeviceToHost);
    return !(hi[0] == 64 && hi[1] == -64 && hi[2] == 63 && hi[3] == -63 && hi[4] == 0 && hi[5] == -1 &&
             hi[6] == 0 && hi[7] == 128 && hu[0] == 4 && hu[1] == 6 && hu[2] == 63 &&
             hl == 64ull << 33 && hf == 32 && hd == 16);
}
