# expect: elements wrong; first C\[.*quadrant C21
s/real v2 = c11\[(size_t)i \* ld11 + j\]/real v2 = c11[(size_t)i * cols + j]/
