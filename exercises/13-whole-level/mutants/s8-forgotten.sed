# expect: elements wrong; first C\[.*quadrant C21
/S8 \*\//d
