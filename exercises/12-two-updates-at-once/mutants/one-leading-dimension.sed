# expect: elements wrong; first C\[
s/z\[(size_t)i \* ldz + j\]/z[(size_t)i * ldy + j]/
