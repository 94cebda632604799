// malloc, free, new and delete in kernels: memory of the device that lives until it is freed.
#include <cassert>

struct Node {
    int value;
    Node *next;
    __device__ Node(int value, Node *next) : value(value), next(next) {}
};

__device__ Node *lists[64];

__global__ void build(int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node *list = nullptr;
    for (int j = 0; j < length; j++)
        list = new Node(i + j, list);
    lists[i] = list;
}

__global__ void add_up(int *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    for (Node *n = lists[i]; n; n = n->next)
        count++;
    int *values = static_cast<int *>(malloc(count * sizeof *values));
    assert(values);
    int at = 0;
    for (Node *n = lists[i]; n;) {
        Node *next = n->next;
        values[at++] = n->value;
        delete n;
        n = next;
    }
    int *copy = new int[count];
    for (int j = 0; j < count; j++)
        copy[j] = values[j];
    std::free(values);
    sums[i] = 0;
    for (int j = 0; j < count; j++)
        sums[i] += copy[j];
    delete[] copy;
}

int main()
{
    int *sums, host[64], *check = new int[64];
    cudaMalloc(&sums, sizeof host);
    build<<<2, 32>>>(5);
    add_up<<<2, 32>>>(sums);
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        check[i] = 5 * i + 10;
        if (host[i] != check[i])
            return 2;
    }
    delete[] check;
    cudaFree(sums);
    return cudaDeviceSynchronize() != cudaSuccess;
}
