# expect: elements wrong; first C\[.*quadrant C21
/V2 \*\//d
