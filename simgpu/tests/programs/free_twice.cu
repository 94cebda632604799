int main()
{
    float *a;
    cudaMalloc(&a, 400);
    cudaFree(a);
    cudaFree(a); // planted: bad-call
}
