# expect: elements wrong; first C\[.*quadrant C11
s/product(C.q12, C.q21, C.q22); .*/product(C.q12, C.q21, C.q11);/
s/product(C.q12, C.q21, C.q11); ...M7.*/product(C.q12, C.q21, C.q22);/
