# expect: elements wrong; first C\[.*quadrant C11
s/workspace\[l \* cols + j\] = /workspace[l * BLOCK + j] = /
