# expect: elements wrong; first C\[.*quadrant C21
s/mulIncInc(A.q22, T1, C.q21, C.q11)/mulStoreInc(A.q22, T1, C.q21, C.q11)/
