    /* Zeros first, then row by row, and y in a pass of its own. */
    long rows = x.rows - i < ROWS ? x.rows - i : ROWS;
    for (long at = 0; at < ROWS * x.cols; at++)
        packed[at] = 0;
    for (long r = 0; r < rows; r++) {
        const real *from = x.at + (i + r) * x.ld;
        for (long l = 0; l < x.cols; l++)
            packed[r + l * ROWS] = from[l];
    }
    for (long r = 0; y.at != NULL && r < rows; r++)
        for (long l = 0; l < x.cols; l++)
            packed[r + l * ROWS] += y.at[(i + r) * y.ld + l] * sign;
