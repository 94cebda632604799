// The number of threads is missing.
__global__ void set(float *p)
{
    p[threadIdx.x] = 1;
}
int main()
{
    float *d = 0;
    set<<<32>>>(d);
}
