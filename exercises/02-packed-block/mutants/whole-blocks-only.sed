# expect: C was written outside its elements|elements wrong
s/smaller(BLOCK, p->n - left)/BLOCK/
