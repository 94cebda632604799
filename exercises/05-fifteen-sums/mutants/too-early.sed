# expect: elements wrong; first C\[.*quadrant C12
s/plus(A.q21, A.q22, S\[1\]), minus(S\[1\], A.q11, S\[2\]);/minus(S[1], A.q11, S[2]), plus(A.q21, A.q22, S[1]);/
