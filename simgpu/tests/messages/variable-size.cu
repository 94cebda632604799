// The size of a shared array is known only when the kernel runs.
__global__ void set(float *p, int n)
{
    __shared__ float s[n];
    s[threadIdx.x] = 1;
    p[threadIdx.x] = s[threadIdx.x];
}
int main()
{
    float *d = 0;
    set<<<1, 32>>>(d, 32);
}
