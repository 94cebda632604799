# expect: elements wrong; first C\[
s/b\[(size_t)(first + l) \* ldb\]/b[(size_t)l * ldb]/
