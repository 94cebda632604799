// expect: without cudaCreateTextureObject
/* The kernel of step 06, whose fetches are not counted. */
enum { MULTIPLE_M = 1, MULTIPLE_N = 1, MULTIPLE_K = 1 };
static __global__ void yours(cudaTextureObject_t a, int lda, cudaTextureObject_t b, int ldb, real *c, int ldc, int m, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= m || j >= n)
        return;
    real sum = 0;
    for (int l = 0; l < k; l++)
        sum += tex1Dfetch<float>(a, i * lda + l) * tex1Dfetch<float>(b, l * ldb + j);
    c[(size_t)i * ldc + j] = sum;
}
static cudaTextureObject_t texture_of(struct block x)
{
    struct cudaResourceDesc resource = {};
    struct cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = x.at;
    resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    resource.res.linear.sizeInBytes = ((x.rows - 1) * x.ld + x.cols) * sizeof(real);
    description.readMode = cudaReadModeElementType;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    return texture;
}
static void multiply_yours(const struct problem *p, void *workspace)
{
    struct product x = product_of(p);
    yours<<<dim3(blocks_for(p->n, 16), blocks_for(p->m, 16)), dim3(16, 16)>>>(texture_of(block_a(p)), x.a.ld, texture_of(block_b(p)), x.b.ld, x.c.at, x.c.ld, p->m, p->n, p->k);
    CHECK_LAUNCH();
    cudaDeviceSynchronize();
}
