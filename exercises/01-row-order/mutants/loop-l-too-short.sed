# expect: elements wrong; .*The sum ends too soon
s/for (long l = 0; l < p->k; l++)/for (long l = 0; l < p->k - 1; l++)/
