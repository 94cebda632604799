# expect: elements wrong; first C\[.*quadrant C12
s/grid(blocks_for(z.cols, 16), blocks_for/grid(z.cols \/ 16, blocks_for/
