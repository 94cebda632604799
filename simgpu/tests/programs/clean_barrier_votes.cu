__global__ void votes(int *out)
{
    int t = threadIdx.x;
    int even = __syncthreads_count(t % 2 == 0), some = __syncthreads_or(t == 5),
        all = __syncthreads_and(t < 100), none = __syncthreads_or(t > 1000);
    unsigned ballot = __ballot_sync(0xffffffff, t & 1);
    int same = __popc(__match_any_sync(0xffffffff, t % 4));
    int total = __reduce_add_sync(0xffffffff, 1);
    if (t == 0) {
        out[0] = even, out[1] = some != 0, out[2] = all != 0, out[3] = none != 0;
        out[4] = ballot == 0xaaaaaaaa, out[5] = same, out[6] = total;
    }
}

int main()
{
    int *out, host[7];
    cudaMalloc(&out, sizeof host);
    votes<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return !(host[0] == 32 && host[1] && host[2] && !host[3] && host[4] && host[5] == 8 && host[6] == 32);
}
