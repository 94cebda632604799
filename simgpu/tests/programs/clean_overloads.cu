// Two kernels of one name with as many parameters each; a structure as long as its memory is.
struct Row {
    int n;
    float data[1];
};

__global__ void set(int *a)
{
    a[0] = warpSize;
}

__global__ void set(float *a)
{
    a[0] = 1.5f;
}

__global__ void fill(Row *row)
{
    row->n = 8;
    for (int i = 0; i < 8; i++)
        row->data[i] = i;
}

int main()
{
    int *a, i;
    float *b, f;
    Row *row;
    cudaMalloc(&a, sizeof *a);
    cudaMalloc(&b, sizeof *b);
    cudaMalloc(&row, sizeof(int) + 8 * sizeof(float));
    set<<<1, 1>>>(a);
    set<<<1, 1>>>(b);
    fill<<<1, 1>>>(row);
    cudaMemcpy(&i, a, sizeof i, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, b, sizeof f, cudaMemcpyDeviceToHost);
    return i != 32 || f != 1.5f;
}
