# expect: elements wrong; first C\[.*quadrant C11
s/x.ld, &sign/x.cols, \&sign/
