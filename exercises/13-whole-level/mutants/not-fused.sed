# expect: right, but [0-9]+ transactions where [0-9]+ are possible
s/mulAdd(A.q12, B.q21, T1, C.q11); /mul(A.q12, B.q21, C.q11), add(C.q11, T1, C.q11);/
