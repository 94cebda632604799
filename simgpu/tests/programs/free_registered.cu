// The array is freed while it is still registered.
int main()
{
    float *a = (float *)malloc(4096);
    cudaHostRegister(a, 4096, cudaHostRegisterDefault);
    free(a); // planted: bad-call
    // says: The argument of free is the host's, registered by cudaHostRegister
    cudaHostUnregister(a);
}
