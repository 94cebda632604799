# expect: elements wrong; first C\[.*quadrant C11
s/j\] -= t/j] += t/
