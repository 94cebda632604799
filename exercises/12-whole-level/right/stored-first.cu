    /* Another order: M3 and M2 are stored first, in C12 and C21, and only T1 and T2 hold sums. */
    sub(A.q21, A.q11, T1), add(B.q11, B.q12, T2);
    mul(T1, T2, C.q22);
    sub(A.q12, A.q22, T1), add(B.q21, B.q22, T2);
    mul(T1, T2, C.q11);
    add(A.q11, A.q22, T1), add(B.q11, B.q22, T2);
    mulIncInc(T1, T2, C.q22, C.q11);
    sub(B.q12, B.q22, T1);
    mulStoreInc(A.q11, T1, C.q12, C.q22);
    add(A.q11, A.q12, T1);
    mulIncDec(T1, B.q22, C.q12, C.q11);
    add(A.q21, A.q22, T1);
    mulStoreDec(T1, B.q11, C.q21, C.q22);
    sub(B.q21, B.q11, T1);
    mulIncInc(A.q22, T1, C.q11, C.q21);
