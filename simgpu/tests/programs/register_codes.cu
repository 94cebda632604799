// The error codes of a GPU's runtime (an H100's, CUDA 13.0) for what is registered twice, or not at all, or freed by the wrong call.
// faults: 18
#define WANT(call, code) if ((call) != (code) || cudaGetLastError() != (code)) return fprintf(stderr, "%s\n", #call), 1
__device__ float variable[4];

int main()
{
    char *a = (char *)malloc(65536), *b = (char *)malloc(65536), *pinned;
    void *device, *managed, *symbol;
    WANT(cudaMalloc(&device, 100), cudaSuccess);
    WANT(cudaMallocHost(&pinned, 4096), cudaSuccess);
    WANT(cudaMallocManaged(&managed, 100), cudaSuccess);
    WANT(cudaGetSymbolAddress(&symbol, variable), cudaSuccess);
    WANT(cudaHostRegister(a, 65536, 0), cudaSuccess);
    WANT(cudaHostRegister(a, 65536, 0), cudaErrorHostMemoryAlreadyRegistered);
    WANT(cudaHostRegister(a + 8192, 100, 0), cudaErrorHostMemoryAlreadyRegistered);
    WANT(cudaHostRegister(pinned, 4096, 0), cudaErrorInvalidValue);
    WANT(cudaHostRegister(NULL, 100, 0), cudaErrorInvalidValue);
    WANT(cudaHostRegister(b, 0, 0), cudaErrorInvalidValue);
    WANT(cudaHostRegister(device, 100, 0), cudaErrorInvalidValue);
    WANT(cudaHostUnregister(b), cudaErrorHostMemoryNotRegistered);
    WANT(cudaHostUnregister(a + 8192), cudaErrorInvalidValue);
    WANT(cudaHostUnregister(pinned), cudaErrorInvalidValue);
    WANT(cudaHostUnregister(device), cudaErrorInvalidValue);
    WANT(cudaHostUnregister(NULL), cudaErrorInvalidValue);
    WANT(cudaHostUnregister(a), cudaSuccess);
    WANT(cudaHostUnregister(a), cudaErrorHostMemoryNotRegistered);
    WANT(cudaHostRegister(a, 65536, 0), cudaSuccess);
    WANT(cudaFreeHost(b), cudaErrorInvalidValue);
    WANT(cudaFreeHost(device), cudaErrorInvalidValue);
    WANT(cudaFree(pinned), cudaErrorInvalidValue);
    WANT(cudaFree(a), cudaErrorInvalidValue);
    WANT(cudaFree(symbol), cudaErrorInvalidValue);
    WANT(cudaFreeHost(NULL), cudaSuccess);
    WANT(cudaFree(managed), cudaSuccess);
    WANT(cudaFreeHost(pinned), cudaSuccess);
    WANT(cudaHostUnregister(a), cudaSuccess);
    WANT(cudaFree(device), cudaSuccess);
    free(a);
    free(b);
    fprintf(stderr, "as on a GPU: %d %d\n", cudaErrorHostMemoryAlreadyRegistered, cudaErrorHostMemoryNotRegistered);
    return cudaFreeHost(pinned) != cudaErrorInvalidValue; // planted: bad-call
    // says: as on a GPU: 712 713
}
