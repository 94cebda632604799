# expect: elements wrong; first C\[
s/blocks_for(z.rows, 16)/z.rows \/ 16/
