# expect: elements wrong; first C\[.*quadrant C11
s/mul(C.q12, C.q21, C.q22);/mul(C.q12, C.q21, C.q11);/
s/mul(C.q12, C.q21, C.q11); ...M7.*/mul(C.q12, C.q21, C.q22);/
