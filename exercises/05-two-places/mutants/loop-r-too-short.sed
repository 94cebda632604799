# expect: elements wrong; first C\[
s/r < rows/r + 1 < rows/
