int main()
{
    static double host[100];
    float *a;
    cudaMalloc(&a, 100 * sizeof(float));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice); // planted: bad-call
}
