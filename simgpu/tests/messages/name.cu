// A name that nobody declared.
__global__ void set(float *p, int n)
{
    p[threadIdx.x] = nn;
}
int main() {}
