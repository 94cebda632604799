// The & is missing.
int main()
{
    float *d;
    cudaMalloc(d, 32 * sizeof(float));
}
