    // expect: right, but 81903 multiplications where it takes 42735
    /* Right, and what was there already is computed again. */
    product(a, b, c);
