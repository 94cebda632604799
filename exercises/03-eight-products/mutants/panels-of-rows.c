    // expect: right, but 32 longest side of a product where 8 are possible
    /* 64 products, but of rows and columns: nothing is cut into quadrants. */
    if (c.rows != 32 || levels != 2) {
        product_add(a, b, c);
        return;
    }
    for (int i = 0; i < 32; i++)
        for (int l = 0; l < 32; l += 16)
            product_add(part(a, i, l, 1, 16), part(b, l, 0, 16, 32), part(c, i, 0, 1, 32));
