# expect: elements wrong; first C\[
s/a, lda,$/a, k,/
