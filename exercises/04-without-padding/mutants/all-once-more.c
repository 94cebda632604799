    // expect: right, but 81903 multiplications where 42735 are possible
    /* Right, and what was there already is computed again. */
    product(a, b, c);
