// expect: right, but [0-9]+ transactions where [0-9]+ are possible
/* One kernel for each update: the product is computed twice. */
static __global__ void inc(const real *w, int ldw, const real *x, int ldx, real *y, int ldy,
                           real sign, int k)
{
    __shared__ real as[16 * GPU8_ROW];
    real cr[16] = {0};
    gpu8_main_loop(w, ldw, x, ldx, k, as, cr);
    y += gpu8_position(ldy);
    for (int j = 0; j < 16; j++, y += ldy)
        y[0] += sign * cr[j];
}

static void mulIncDec(struct block w, struct block x, struct block y, struct block z)
{
    dim3 grid = gpu8_grid(z.rows, z.cols);
    inc<<<grid, gpu8_block()>>>(w.at, w.ld, x.at, x.ld, y.at, y.ld, 1, w.cols);
    CHECK_LAUNCH();
    inc<<<grid, gpu8_block()>>>(w.at, w.ld, x.at, x.ld, z.at, z.ld, -1, w.cols);
    CHECK_LAUNCH();
}
