# expect: elements wrong; first C\[.*quadrant C11
s/first < p->k; first += BLOCK/first + BLOCK <= p->k; first += BLOCK/
