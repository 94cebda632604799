# expect: elements wrong; first C\[
s/grid(blocks_for(z.cols, 16), blocks_for/grid(z.cols \/ 16, blocks_for/
