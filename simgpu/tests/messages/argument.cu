// The kernel has a second parameter.
__global__ void set(float *p, int n)
{
    p[threadIdx.x] = n;
}
int main()
{
    float *d = 0;
    set<<<1, 32>>>(d);
}
