    // expect: elements wrong; first C\[
#include <string.h>
    /* Seven products that nobody needs, and the triple loop past them. */
    const real *a, *b;
    real *c;
    for (int idle = 0; idle < 7; idle++)
        product(A.q11, B.q11, M);
    memcpy(&a, &A.q11, sizeof a), memcpy(&b, &B.q11, sizeof b), memcpy(&c, &C.q11, sizeof c);
    for (long i = 0; i < 2 * C.q11.rows; i++)
        for (long j = 0; j < 2 * C.q11.cols; j++) {
            real sum = 0;
            for (long l = 0; l < 2 * A.q11.cols; l++)
                sum += a[i * A.q11.ld + l] * b[l * B.q11.ld + j];
            c[i * C.q11.ld + j] = sum;
        }
