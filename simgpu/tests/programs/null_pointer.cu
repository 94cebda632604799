__global__ void touch(float *a)
{
    a[threadIdx.x] = 1; // planted: device-touches-host
}

int main()
{
    touch<<<1, 32>>>(NULL);
    cudaDeviceSynchronize();
}
