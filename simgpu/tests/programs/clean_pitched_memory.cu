// Rectangles and boxes of pitched memory.
#include <string.h>

__global__ void twice(float *matrix, size_t pitch, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        ((float *)((char *)matrix + row * pitch))[col] *= 2;
}

__global__ void fill(cudaPitchedPtr box, int width, int height, int depth)
{
    for (int z = 0; z < depth; z++)
        for (int y = threadIdx.y; y < height; y += blockDim.y)
            for (int x = threadIdx.x; x < width; x += blockDim.x)
                ((float *)((char *)box.ptr + (z * height + y) * box.pitch))[x] = 100 * z + 10 * y + x;
}

int main()
{
    float host[21][37], back[21][37], values[3][6][8], *matrix;
    for (int i = 0; i < 21 * 37; i++)
        host[i / 37][i % 37] = i;
    size_t pitch, row = 37 * sizeof(float);
    cudaMallocPitch(&matrix, &pitch, row, 21);
    cudaMemcpy2D(matrix, pitch, host, row, row, 21, cudaMemcpyHostToDevice);
    twice<<<dim3(3, 2), dim3(16, 16)>>>(matrix, pitch, 21, 37);
    cudaMemcpy2D(back, row, matrix, pitch, row, 21, cudaMemcpyDeviceToHost);

    cudaExtent extent = make_cudaExtent(8 * sizeof(float), 6, 3);
    cudaPitchedPtr box;
    cudaMalloc3D(&box, extent);
    cudaMemset3D(box, 0, extent);
    fill<<<1, dim3(8, 2)>>>(box, 8, 6, 3);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(values, sizeof values[0][0], 8, 6);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    return back[20][36] != 2 * host[20][36] || values[2][5][7] != 257;
}
