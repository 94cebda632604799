// The last member of a structure is left for the next structure of the array.
struct Vector {
    float v[3];
};

__global__ void copy(Vector *to, const Vector *from)
{
    for (int j = 0; j < 4; j++)
        to[threadIdx.x].v[j] = from[threadIdx.x].v[j]; // planted: out-of-bounds-array
    // says: asks for element 3 of (v|an array), which has 3
}

int main()
{
    Vector *to, *from;
    cudaMalloc(&to, 33 * sizeof *to);
    cudaMalloc(&from, 33 * sizeof *from);
    cudaMemset(from, 0, 33 * sizeof *from);
    copy<<<1, 1>>>(to, from);
    return cudaDeviceSynchronize() == cudaSuccess;
}
