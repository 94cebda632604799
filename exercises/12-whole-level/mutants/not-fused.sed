# expect: right, but [0-9]+ volume bytes where [0-9]+ are possible
s/mulIncDec(T2, B.q22, C.q12, C.q11);/mul(T2, B.q22, T1), add(C.q12, T1, C.q12), sub(C.q11, T1, C.q11);/
s/mulIncInc(A.q22, T1, C.q21, C.q11);/mul(A.q22, T1, T2), add(C.q21, T2, C.q21), add(C.q11, T2, C.q11);/
