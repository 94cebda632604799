// One round too many over an array in registers, or on the thread's stack.
__global__ void smooth(const float *in, float *out)
{
    float window[4];
    for (int i = 0; i <= 4; i++)
        window[i] = in[threadIdx.x + i]; // planted: out-of-bounds-array
    // says: Thread .0,0,0. asks for element 4 of (window|an array), which has 4
    out[threadIdx.x] = window[0] + window[1] + window[2] + window[3];
}

int main()
{
    float *in, *out;
    cudaMalloc(&in, 36 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    cudaMemset(in, 0, 36 * sizeof *in);
    smooth<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize() == cudaSuccess;
}
