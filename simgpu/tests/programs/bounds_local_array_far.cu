// A negative index into an array of two dimensions, and a row that is too short, which the first hides.
struct Point {
    float at[3];
};

__global__ void pick(float *out, int row)
{
    float table[4][4];
    Point points[2];
    for (int i = 0; i < 16; i++)
        table[i / 4][i % 4] = i;
    for (int i = 0; i < 6; i++)
        points[i / 3].at[i % 3] = i;
    out[threadIdx.x] = points[0].at[row + 2000] + table[row - 200000][1]; // planted: out-of-bounds-array
    // says: asks for element (2002 of (at|an array), which has 3|-199998 of (table|an array), which has 4)
}

int main()
{
    float *out;
    cudaMalloc(&out, 32 * sizeof *out);
    pick<<<1, 32>>>(out, 2);
    return cudaDeviceSynchronize() == cudaSuccess;
}
