# expect: elements wrong; first C\[
s/a4\[lda \* 2\]/a4[lda * 8]/
