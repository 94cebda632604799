# expect: elements wrong; first C\[.*quadrant C11
s/z\[(size_t)i \* ldz + j\]/z[(size_t)i * ldy + j]/
