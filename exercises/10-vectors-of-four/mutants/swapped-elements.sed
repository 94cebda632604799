# expect: elements wrong; first C\[
s/to\[1\] = upper.y, to\[2\] = upper.z/to[2] = upper.y, to[1] = upper.z/
