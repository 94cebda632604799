# expect: elements wrong; first C\[.*quadrant C11
s/mulIncDec(T2, B.q22, C.q12, C.q11)/mulIncInc(T2, B.q22, C.q12, C.q11)/
