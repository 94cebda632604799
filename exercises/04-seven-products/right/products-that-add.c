    /* product_add() puts a product that is needed once, or is needed again, where it belongs. */
    plus(A.q21, A.q22, S);
    product(S, B.q11, C.q21), copy(C.q21, M);
    minus(B.q12, B.q22, T);
    product(A.q11, T, C.q12), minus(C.q12, M, C.q22);
    minus(B.q21, B.q11, T);
    product(A.q22, T, M), plus(C.q21, M, C.q21), copy(M, C.q11);
    plus(A.q11, A.q12, S);
    product(S, B.q22, M), plus(C.q12, M, C.q12), minus(C.q11, M, C.q11);
    plus(A.q11, A.q22, S), plus(B.q11, B.q22, T);
    product(S, T, M), plus(C.q11, M, C.q11), plus(C.q22, M, C.q22);
    minus(A.q21, A.q11, S), plus(B.q11, B.q12, T), product_add(S, T, C.q22);
    minus(A.q12, A.q22, S), plus(B.q21, B.q22, T), product_add(S, T, C.q11);
