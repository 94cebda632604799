# expect: elements wrong; first C\[.*quadrant C11
s/y\[(size_t)i \* ldy + j\] += t;/;/
