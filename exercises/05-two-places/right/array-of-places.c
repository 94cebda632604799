    /* The places in an array, and the tile walked backwards. */
    struct block to[2] = {c1, c2};
    real signs[] = {sign1, sign2};
    int places = c2.at == NULL ? 1 : 2;
    for (long at = rows * COLS; at-- > 0;) {
        const long r = at / COLS, s = at % COLS;
        if (s >= cols)
            continue;
        const real value = tile[at];
        for (int place = 0; place < places; place++)
            *(to[place].at + (i + r) * to[place].ld + (j + s)) += signs[place] * value;
    }
