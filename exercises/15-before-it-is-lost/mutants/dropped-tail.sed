# expect: elements wrong; first C\[.*quadrant C21
s/blocks_for(c11.rows, 16)/c11.rows > 16 ? c11.rows \/ 16 : 1/
