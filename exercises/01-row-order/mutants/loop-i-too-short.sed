# expect: elements wrong; first C\[.*got -?nan
s/for (long i = 0; i < p->m; i++)/for (long i = 0; i < p->m - 1; i++)/
