    /* Winograd's fifteen sums, in the three places. */
    minus(A.q11, A.q21, S), minus(B.q22, B.q12, T), product(S, T, C.q21);
    plus(A.q21, A.q22, S), minus(B.q12, B.q11, T), product(S, T, C.q22);
    minus(S, A.q11, S), minus(B.q22, T, T), product(S, T, C.q11);
    minus(A.q12, S, S), product(S, B.q22, C.q12), plus(C.q12, C.q22, C.q12);
    product(A.q11, B.q11, M), plus(C.q11, M, C.q11);
    plus(C.q12, C.q11, C.q12), plus(C.q11, C.q21, C.q11);
    minus(T, B.q21, T), product(A.q22, T, C.q21);
    minus(C.q11, C.q21, C.q21), plus(C.q11, C.q22, C.q22);
    product(A.q12, B.q21, C.q11), plus(C.q11, M, C.q11);
