# expect: elements wrong; first C\[.*quadrant C11
s/smaller(BLOCK, p->n - left)/BLOCK/
