// What programs do with arrays although the index leaves a row: the memory is all there.
struct Tile {
    float row[4][8];
    int count;
};
__constant__ float weights[2][4];
__device__ float table[4][8];

__global__ void kernel(float *out)
{
    __shared__ float tile[4][8];
    __shared__ Tile boxed;
    float own[8];
    int t = threadIdx.x;
    tile[0][t] = t;
    boxed.row[0][t] = t;
    table[0][t] = t;
    if (t == 0) boxed.count = 32;
    for (float *p = own; p != &own[8]; p++)
        *p = 1;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += own[i] + tile[0][(t + i) % 32] + boxed.row[0][(t + i) % 32];
    out[t] = sum + boxed.count + table[0][t] + (&weights[0][0])[t % 8];
}

int main()
{
    float w[8] = {0}, *out, host[32];
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMalloc(&out, sizeof host);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host[0] != 8 + 28 + 28 + 32;
}
