# expect: elements wrong; first C\[
s/y\[(size_t)i \* ldy + j\] += t;/;/
