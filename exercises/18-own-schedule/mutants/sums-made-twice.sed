# expect: right, but [0-9]+ transactions where [0-9]+ are possible
s/sub(A.q12, T1, T1), mul(T1, B.q22, C.q12)/add(A.q21, A.q22, T1), sub(A.q12, T1, T1), add(T1, A.q11, T1), mul(T1, B.q22, C.q12)/
s/sub(T2, B.q21, T2), mul(A.q22, T2, C.q21)/sub(B.q22, B.q12, T2), add(T2, B.q11, T2), sub(T2, B.q21, T2), mul(A.q22, T2, C.q21)/
