    /* Only where there is a border, and its corner with the column. */
    if (k > ek)
        product_add(part(a, 0, ek, em, 1), part(b, ek, 0, 1, en), part(c, 0, 0, em, en));
    if (n > en)
        product(a, part(b, 0, en, k, 1), part(c, 0, en, m, 1));
    if (m > em)
        product(part(a, em, 0, 1, k), part(b, 0, 0, k, en), part(c, em, 0, 1, en));
