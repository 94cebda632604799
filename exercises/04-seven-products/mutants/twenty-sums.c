    // expect: right, but 22 sums where 18 are possible
    plus(A.q11, A.q22, S), plus(B.q11, B.q22, T);
    product(S, T, M);
    minus(M, M, C.q12), minus(M, M, C.q21); /* zeros, to be able to add everywhere */
    copy(M, C.q11), copy(M, C.q22);
    plus(A.q21, A.q22, S);
    product(S, B.q11, M);
    plus(C.q21, M, C.q21), minus(C.q22, M, C.q22);
    minus(B.q12, B.q22, T);
    product(A.q11, T, M);
    plus(C.q12, M, C.q12), plus(C.q22, M, C.q22);
    minus(B.q21, B.q11, T);
    product(A.q22, T, M);
    plus(C.q11, M, C.q11), plus(C.q21, M, C.q21);
    plus(A.q11, A.q12, S);
    product(S, B.q22, M);
    minus(C.q11, M, C.q11), plus(C.q12, M, C.q12);
    minus(A.q21, A.q11, S), plus(B.q11, B.q12, T);
    product(S, T, M);
    plus(C.q22, M, C.q22);
    minus(A.q12, A.q22, S), plus(B.q21, B.q22, T);
    product(S, T, M);
    plus(C.q11, M, C.q11);
