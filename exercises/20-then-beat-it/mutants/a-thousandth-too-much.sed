# expect: elements wrong; first C\[.*quadrant C11
s/mul(a, b, c);/mul(a, b, c), sum_blocks(c, (real)1e-3, c, c);/
