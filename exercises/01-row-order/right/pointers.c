#include <string.h>
    /* Pointers, l outermost, and rows cleared by memset(). */
    for (long i = 0; i < p->m; i++)
        memset(c + i * p->ldc, 0, (size_t)p->n * sizeof *c);
    for (long l = 0; l < p->k; l++)
        for (long i = 0; i < p->m; i++) {
            const real factor = *(a + i * p->lda + l), *from = b + l * p->ldb;
            real *to = c + i * p->ldc, *const end = to + p->n;
            while (to != end)
                *to++ += factor * *from++;
        }
