// One value too many.
__global__ void set(float *p)
{
    p[threadIdx.x] = 1;
}
int main()
{
    float *d = 0;
    set<<<1, 32, 0, 0, 0>>>(d);
}
