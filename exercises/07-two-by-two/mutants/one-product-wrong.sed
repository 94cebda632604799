# expect: elements wrong; first C\[
s/sum11 += a1 \* b1/sum11 += a1 * b0/
