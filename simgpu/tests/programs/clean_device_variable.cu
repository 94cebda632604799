// __device__ and __constant__ variables and the copies to and from them.
__device__ int counter;
__device__ float table[64], other = 3;
__constant__ float factors[4];

__global__ void use(float *out)
{
    int i = threadIdx.x;
    table[i] = factors[i % 4] * i + other;
    atomicAdd(&counter, 1);
    out[i] = table[i];
}

int main()
{
    float f[4] = {1, 2, 3, 4}, host[64], *out;
    int zero = 0, count;
    cudaMalloc(&out, sizeof host);
    cudaMemcpyToSymbol(factors, f, sizeof f);
    cudaMemcpyToSymbol(counter, &zero, sizeof zero);
    use<<<1, 64>>>(out);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    cudaMemcpyFromSymbol(host, table, sizeof host);
    if (count != 64)
        return 1;
    for (int i = 0; i < 64; i++)
        if (host[i] != f[i % 4] * i + 3)
            return 2;
    void *address;
    cudaGetSymbolAddress(&address, table);
    cudaMemset(address, 0, sizeof host);
    cudaMemcpyFromSymbol(host, table, sizeof host);
    return host[5] != 0;
}
