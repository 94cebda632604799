int main()
{
    static float host[100];
    float *a;
    cudaMalloc(&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyDeviceToHost); // planted: bad-call
}
