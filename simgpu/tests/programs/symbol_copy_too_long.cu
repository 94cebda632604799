__constant__ float filter[9];

int main()
{
    float host[16] = {0};
    cudaMemcpyToSymbol(filter, host, sizeof host); // planted: bad-call
}
