# expect: elements wrong; first C\[.*quadrant C11
s/(texture, j, l)/(texture, j, i)/
