    /* Without recursion: all blocks of the last level, and product_add() for empty ones, too. */
    if (levels == 0)
        product_add(a, b, c);
    else
        for (int number = 0; number < 8; number++)
            multiply_add(quarter(a, number & 1, number >> 1 & 1), quarter(b, number >> 1 & 1, number >> 2),
                         quarter(c, number & 1, number >> 2), levels - 1);
