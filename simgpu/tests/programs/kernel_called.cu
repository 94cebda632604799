// says: launched with <<<blocks, threads>>>, not called
__global__ void set(float *a)
{
    a[0] = 1; // planted: host-touches-device
}

int main()
{
    float *a;
    cudaMalloc(&a, 400);
    set(a);
}
