# expect: elements wrong; first C\[.*quadrant C11
s/z\[0\] -= cr\[j\]/z[0] += cr[j]/
