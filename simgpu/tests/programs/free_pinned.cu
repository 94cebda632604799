// Pinned memory is not malloc's.
#include <vector>
int main()
{
    float *a;
    std::vector<int> other(100);
    char *some = new char[100], *plain = (char *)malloc(100);
    cudaMallocHost(&a, 4096);
    a[0] = 1;
    delete[] some;
    free(plain);
    free(NULL);
    free(a); // planted: bad-call
    // says: The argument of free is pinned host memory: cudaFreeHost frees it
    cudaFreeHost(a);
}
