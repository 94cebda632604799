# expect: fault: out-of-bounds-global in kernel yours|elements wrong; first C\[
s/a4\[lda \* 2\]/a4[lda * 8]/
