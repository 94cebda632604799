# expect: elements wrong; first C\[
s/blocks_for(p->m \* p->n, THREADS)/p->m * p->n \/ THREADS + (p->m * p->n < THREADS)/
