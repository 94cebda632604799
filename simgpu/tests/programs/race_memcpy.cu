// Neighbours copy one element too many into each other's.
struct triple {
    short x, y, z;
};

__global__ void copy(const triple *in, triple *out)
{
    memcpy(&out[threadIdx.x], &in[threadIdx.x], 2 * sizeof(triple)); // planted: global-race
}

int main()
{
    triple *in, *out;
    cudaMalloc(&in, 33 * sizeof *in);
    cudaMalloc(&out, 33 * sizeof *out);
    cudaMemset(in, 0, 33 * sizeof *in);
    copy<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
}
