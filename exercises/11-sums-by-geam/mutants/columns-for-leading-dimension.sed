# expect: elements wrong; first C\[.*quadrant C11
s/x.at, x.ld,/x.at, x.cols,/
