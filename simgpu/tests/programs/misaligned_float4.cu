// Rows of 30 floats: every second one does not begin at a multiple of 16 bytes.
__global__ void load(const float *a, float *out)
{
    const float4 *row = (const float4 *)(a + threadIdx.x * 30);
    float4 v = *row; // planted: misaligned
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main()
{
    float *a, *out;
    cudaMalloc(&a, 30 * 32 * sizeof(float));
    cudaMalloc(&out, 32 * sizeof(float));
    cudaMemset(a, 0, 30 * 32 * sizeof(float));
    load<<<1, 32>>>(a, out);
    cudaDeviceSynchronize();
}
