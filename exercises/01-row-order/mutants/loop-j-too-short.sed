# expect: elements wrong; first C\[.*got -?nan
s/for (long j = 0; j < p->n; j++)/for (long j = 0; j < p->n - 1; j++)/
