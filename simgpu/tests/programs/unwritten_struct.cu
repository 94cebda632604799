// The last structures were never filled.
struct Particle {
    float x, y, z;
};

__global__ void move(Particle *p, const Particle *from)
{
    int t = threadIdx.x;
    p[t] = from[t]; // planted: uninitialised-global
}

int main()
{
    Particle *p, *from;
    cudaMalloc(&p, 32 * sizeof *p);
    cudaMalloc(&from, 32 * sizeof *from);
    cudaMemset(from, 0, 30 * sizeof *from);
    move<<<1, 32>>>(p, from);
    return cudaDeviceSynchronize() != cudaSuccess;
}
