# expect: elements wrong; first C\[
s/s < cols/s + 1 < cols/
