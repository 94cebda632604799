    // expect: right, but 1 products where it takes 7
    /* A quadrant with its sizes doubled is the whole matrix. */
    struct block a = A.q11, b = B.q11, c = C.q11;
    a.rows *= 2, a.cols *= 2, b.rows *= 2, b.cols *= 2, c.rows *= 2, c.cols *= 2;
    mul(a, b, c);
