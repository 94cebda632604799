# expect: elements wrong; first C\[.*quadrant C11
s/to\[1\] = upper.y, to\[2\] = upper.z/to[2] = upper.y, to[1] = upper.z/
