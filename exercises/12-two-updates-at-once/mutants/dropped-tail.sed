# expect: elements wrong; first C\[.*quadrant C21
s/blocks_for(z.rows, 16)/z.rows \/ 16/
