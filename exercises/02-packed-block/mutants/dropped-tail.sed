# expect: elements wrong; first C\[
s/first < p->k; first += BLOCK/first + BLOCK <= p->k; first += BLOCK/
