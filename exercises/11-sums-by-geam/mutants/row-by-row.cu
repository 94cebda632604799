    // expect: It is to be written without for
    /* A call for each row. */
    status = CUBLAS_STATUS_SUCCESS;
    for (long i = 0; i < z.rows; i++)
        status = cublasSgeam(gpu_cublas(), CUBLAS_OP_N, CUBLAS_OP_N, z.cols, 1, &one, x.at + i * x.ld, x.ld, &sign, y.at + i * y.ld, y.ld, z.at + i * z.ld, z.ld);
