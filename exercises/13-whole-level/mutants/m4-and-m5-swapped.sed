# expect: elements wrong; first C\[.*quadrant C12
s/mul(T1, T2, C.q21); /mul(T1, T2, C.q22);/
s/mul(T1, T2, C.q22);  *...M5.*/mul(T1, T2, C.q21);/
