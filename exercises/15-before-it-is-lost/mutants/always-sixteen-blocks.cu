// expect: elements wrong; first C\[.*quadrant C21
/* As many blocks as quadrants of 64 x 64 need, whatever the size. */
static __global__ void form_kernel(struct block c21, struct block c22, struct block c11)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= c11.rows || j >= c11.cols)
        return;
    real v2 = c11.at[i * c11.ld + j];
    c21.at[i * c21.ld + j] = v2 - c21.at[i * c21.ld + j];
    c22.at[i * c22.ld + j] = v2 + c22.at[i * c22.ld + j];
}
static void form(struct block c21, struct block c22, struct block c11)
{
    form_kernel<<<dim3(4, 4), dim3(16, 16)>>>(c21, c22, c11);
    CHECK_LAUNCH();
}
