# expect: right, but 16 sums where it takes 15
s/minus(S\[1\], A.q11, S\[2\]);/plus(A.q21, A.q22, S[2]), minus(S[2], A.q11, S[2]);/
