# expect: elements wrong; first C\[.*quadrant C21
s/sub(C.q11, C.q21, C.q21), add(C.q11, C.q22, C.q22);/sub(C.q22, C.q21, C.q21), add(C.q11, C.q22, C.q22);/
