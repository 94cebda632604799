// expect: fault: global-race in kernel inc_dec
/* Two blocks of threads for each tile, one a half of k: both update the same elements of Y. */
static __global__ void inc_dec(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                               real *z, int ldz, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    int first = blockIdx.z * (k / 2 / 64 * 64);
    int count = blockIdx.z ? k - first : k / 2 / 64 * 64;
    gpu8_main_loop(w + first, ldw, x + (size_t)first * ldx, ldx, count, as, cr);
    y += gpu8_position(ldy);
    z += gpu8_position(ldz);
    for (int j = 0; j < 16; j++, y += ldy, z += ldz) {
        y[0] += cr[j];
        z[0] -= cr[j];
    }
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 grid = gpu8_grid(z.rows, z.cols);
    grid.z = 2;
    inc_dec<<<grid, gpu8_block()>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, z.at, z.ld, w.cols);
    CHECK_LAUNCH();
}
