# expect: elements wrong; first C\[.*quadrant C11
s/for (int j = 0; j < 16; j++, y/for (int j = 0; j < 8; j++, y/
