# expect: elements wrong; .*The wrong elements are 0
s/for (long first = 0; first < p->k; first += BLOCK)/for (long first = 0; first + BLOCK < p->k; first += BLOCK)/
