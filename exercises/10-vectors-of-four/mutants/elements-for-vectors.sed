# expect: elements wrong; first C\[.*quadrant C11
s/a4\[lda \* 2\]/a4[lda * 8]/
