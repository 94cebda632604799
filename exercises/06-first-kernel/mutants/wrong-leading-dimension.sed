# expect: elements wrong; first C\[.*quadrant C11
s/a\[(size_t)i \* lda + l\]/a[(size_t)i * k + l]/
