    // expect: right, but [0-9]+ products where 4 are possible
    product_add(part(a, 0, ek, em, k - ek), part(b, ek, 0, k - ek, en), part(c, 0, 0, em, en));
    product(part(a, 0, 0, em, k), part(b, 0, en, k, n - en), part(c, 0, en, em, n - en));
    for (long j = 0; j < n; j++)
        product(part(a, em, 0, m - em, k), part(b, 0, j, k, 1), part(c, em, j, m - em, 1));
