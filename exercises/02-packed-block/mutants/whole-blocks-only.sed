# expect: elements wrong; first C\[
s/smaller(BLOCK, p->n - left)/BLOCK/
