# expect: elements wrong; first C\[.*quadrant C11
s/y\[0\] += cr\[j\]/y[0] = cr[j]/
