// Device memory is not new's.
int main()
{
    float *a;
    cudaMalloc(&a, 4096);
    delete[] a; // planted: bad-call
    // says: The argument of delete.. is device memory: cudaFree frees it
    cudaFree(a);
}
