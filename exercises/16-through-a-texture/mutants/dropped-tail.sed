# expect: elements wrong; first C\[.*quadrant C11
s/l < k; l++/l < k - 1; l++/
