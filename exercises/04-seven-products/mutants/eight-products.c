    // expect: right, but 8 products where it takes 7
    product(A.q11, B.q11, C.q11), product_add(A.q12, B.q21, C.q11);
    product(A.q11, B.q12, C.q12), product_add(A.q12, B.q22, C.q12);
    product(A.q21, B.q11, C.q21), product_add(A.q22, B.q21, C.q21);
    product(A.q21, B.q12, C.q22), product_add(A.q22, B.q22, C.q22);
