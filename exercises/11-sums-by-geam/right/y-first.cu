    /* y first. */
    status = cublasSgeam(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, (int)x.cols, (int)x.rows, &sign, y.at, y.ld, &one, x.at,
                         x.ld, z.at, z.ld);
