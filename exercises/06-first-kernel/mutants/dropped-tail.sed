# expect: elements wrong; first C\[0\]\[[0-9]+\].*got -?nan
s/dim3 grid(blocks_for(p->n, 16)/dim3 grid(p->n > 16 ? p->n \/ 16 : 1/
