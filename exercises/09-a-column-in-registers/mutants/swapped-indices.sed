# expect: elements wrong; first C\[.*quadrant C11
s/sum\[i\] += as\[l\]\[i\] \* bl/sum[i] += as[i][l] * bl/
