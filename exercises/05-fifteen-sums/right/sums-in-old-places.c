    /* Sums in the places of those that nobody wants any more, and V1, V2 in C. */
    plus(A.q22, A.q21, S[1]), minus(B.q12, B.q11, S[6]), product(S[1], S[6], M[5]);
    minus(S[1], A.q11, S[1]), minus(B.q22, S[6], S[5]), product(S[1], S[5], M[1]);
    minus(A.q12, S[1], S[1]), product(S[1], B.q22, M[6]);
    minus(S[5], B.q21, S[5]), product(A.q22, S[5], M[7]);
    minus(A.q11, A.q21, S[3]), minus(B.q22, B.q12, S[7]), product(S[3], S[7], M[4]);
    product(A.q11, B.q11, M[2]), product(A.q12, B.q21, M[3]), plus(M[3], M[2], C.q11);
    plus(M[2], M[1], C.q21), plus(C.q21, M[5], C.q12), plus(M[6], C.q12, C.q12);
    plus(C.q21, M[4], C.q21), plus(C.q21, M[5], C.q22), minus(C.q21, M[7], C.q21);
