    // expect: right, but 7168 multiplications where it takes 3584
    /* A quadrant with its sizes doubled is the whole matrix: one product is the answer, and six are idle. */
    struct block a = A.q11, b = B.q11, c = C.q11;
    a.rows *= 2, a.cols *= 2, b.rows *= 2, b.cols *= 2, c.rows *= 2, c.cols *= 2;
    for (int i = 0; i < 6; i++)
        product(A.q11, B.q11, C.q11);
    product(a, b, c);
