/* Tiles of its own, in blocks of 16 x 16 threads, and a struct for what belongs together. */
struct place {
    real *at;
    long ld;
};
static __device__ real &element_of(struct place p, int i, int j) { return p.at[i * p.ld + j]; }
static __global__ void update(struct block w, struct block x, struct place y, struct place z)
{
    __shared__ real ws[16][16], xs[16][17];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    real t = 0;
    for (int first = 0; first < w.cols; first += 16) {
        int l = first + threadIdx.x, r = first + threadIdx.y;
        ws[threadIdx.y][threadIdx.x] = i < w.rows && l < w.cols ? w.at[i * w.ld + l] : 0;
        xs[threadIdx.y][threadIdx.x] = r < x.rows && j < x.cols ? x.at[r * x.ld + j] : 0;
        __syncthreads();
        for (int q = 0; q < 16; q++)
            t += ws[threadIdx.y][q] * xs[q][threadIdx.x];
        __syncthreads();
    }
    if (i < w.rows && j < x.cols) {
        element_of(z, i, j) = element_of(z, i, j) - t;
        element_of(y, i, j) = element_of(y, i, j) + t;
    }
}
static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    struct place to_y = {y.at, y.ld}, to_z = {z.at, z.ld};
    update<<<dim3((x.cols + 15) / 16, (w.rows + 15) / 16), dim3(16, 16)>>>(w, x, to_y, to_z);
    CHECK_LAUNCH();
}
