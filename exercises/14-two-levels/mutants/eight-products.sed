# expect: right, but 55 products where it takes 49
s/add(C.q12, T1, C.q12), sub(C.q11, T1, C.q11);/add(C.q12, T1, C.q12), sub(C.q11, T1, C.q11); if (levels > 1) for (int i = 0; i < 6; i++) mul(A.q11, B.q11, T1);/
