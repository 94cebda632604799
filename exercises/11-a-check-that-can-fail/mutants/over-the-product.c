    // expect: right, but [1-9][0-9]* changed products where it takes 0
    trusted_product(a, b, c, m, n, k);
    return true;
