    /* One index over the panel; a factor for what is there. */
    for (long at = ROWS * x.cols - 1; at >= 0; at--) {
        const long row = i + at % ROWS, l = at / ROWS;
        packed[at] = row >= x.rows ? 0 : y.at == NULL ? x.at[row * x.ld + l] : x.at[row * x.ld + l] + sign * y.at[row * y.ld + l];
    }
