# expect: multiplications where it takes
s/product(C.q12, C.q21, C.q22); .*/product(A.q11, B.q11, C.q11);/
s/product(C.q12, C.q21, C.q11); .*/product(A.q11, B.q11, C.q11);/
s/product(A.q11, T1, C.q12); .*/product(A.q11, B.q11, C.q11);/
s/plus(C.q12, T1, C.q12), minus(C.q11, T1, C.q11);/A.q11.rows *= 2, A.q11.cols *= 2, B.q11.rows *= 2, B.q11.cols *= 2, C.q11.rows *= 2, C.q11.cols *= 2, counted_last(A.q11, B.q11, C.q11);/
s/product(T2, B.q22, T1); .*//
s/counted_last/product/
