# expect: elements wrong; first C\[
s/j\] -= t/j] += t/
