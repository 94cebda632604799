# expect: elements wrong; first C\[.*quadrant C11
s/&sign, y.at/\&one, y.at/
