    // expect: wrong on m = 300, n = 300, k = 2
    /* The tile is first stored in a block of a product of 30 x 30 on the stack. */
    real M[30 * 30];
    for (long r = 0; r < rows; r++)
        for (long s = 0; s < cols; s++)
            M[(i + r) * 30 + j + s] = tile[r * COLS + s];
    for (long r = 0; r < rows; r++)
        for (long s = 0; s < cols; s++) {
            c1.at[(i + r) * c1.ld + j + s] += sign1 * M[(i + r) * 30 + j + s];
            if (c2.at)
                c2.at[(i + r) * c2.ld + j + s] += sign2 * M[(i + r) * 30 + j + s];
        }
