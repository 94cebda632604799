__global__ void twice(float *a)
{
    a[threadIdx.x] *= 2;
}

int main()
{
    float *a, host[32] = {1}, ms;
    cudaStream_t s[2];
    cudaEvent_t start, stop;
    cudaMalloc(&a, 128);
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&s[i]);
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaEventRecord(start, s[0]);
    cudaMemcpyAsync(a, host, 128, cudaMemcpyHostToDevice, s[0]);
    twice<<<1, 32, 0, s[0]>>>(a);
    cudaEventRecord(stop, s[0]);
    cudaStreamWaitEvent(s[1], stop, 0);
    twice<<<1, 32, 0, s[1]>>>(a);
    cudaMemcpyAsync(host, a, 128, cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);
    cudaEventElapsedTime(&ms, start, stop);
    return host[0] != 4;
}
