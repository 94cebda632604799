# expect: elements wrong; first C\[.*quadrant C11
s/b\[(size_t)(first + l) \* ldb\]/b[(size_t)l * ldb]/
