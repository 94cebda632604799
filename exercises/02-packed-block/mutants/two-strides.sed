# expect: elements wrong; first C\[
s/workspace\[l \* cols + j\] = /workspace[l * BLOCK + j] = /
