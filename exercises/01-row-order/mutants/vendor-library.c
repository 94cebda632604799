    // expect: somebody else multiplies
    void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int,
                     float, float *, int) __attribute__((weak));
    cblas_sgemm(101, 111, 111, p->m, p->n, p->k, 1, p->a, p->lda, p->b, p->ldb, 0, p->c, p->ldc);
