# expect: elements wrong; first C\[.*quadrant C11
s/int l = 0; l < 2; l++/int l = 0; l < 1; l++/
