# expect: elements wrong; first C\[
s/sum\[i\] += as\[l\]\[i\] \* bl/sum[i] += as[i][l] * bl/
