// A kernel that returns something.
__global__ int set(float *p)
{
    p[threadIdx.x] = 1;
    return 0;
}
int main()
{
    float *d = 0;
    set<<<1, 32>>>(d);
}
