    /* Column by column, a place as a pointer, and a second one that may be the first. */
    for (long s = 0; s < cols; s++)
        for (long r = 0; r < rows; r++) {
            real *to1 = &c1.at[(i + r) * c1.ld + j + s], *to2 = c2.at ? &c2.at[(i + r) * c2.ld + j + s] : NULL;
            real value = tile[COLS * r + s];
            *to1 = sign1 > 0 ? *to1 + value : *to1 - value;
            if (to2 != NULL)
                *to2 = sign2 > 0 ? *to2 + value : *to2 - value;
        }
