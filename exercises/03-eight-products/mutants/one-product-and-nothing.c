    // expect: right, but 1 products where it takes 64
    /* The whole product, and 63 of nothing. */
    product_add(a, b, c);
    for (int i = 1; levels == 2 && i < 64; i++)
        product_add(part(a, 0, 0, 0, 0), part(b, 0, 0, 0, 0), part(c, 0, 0, 0, 0));
