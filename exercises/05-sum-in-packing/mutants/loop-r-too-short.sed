# expect: elements wrong; first C\[
s/r < ROWS/r + 1 < ROWS/
