# expect: elements wrong; first C\[
s/a\[(size_t)i \* lda + l\]/a[(size_t)i * k + l]/
