# expect: elements wrong; .*The wrong elements are 0
s/for (long left = 0; left < p->n; left += BLOCK)/for (long left = 0; left + BLOCK < p->n; left += BLOCK)/
