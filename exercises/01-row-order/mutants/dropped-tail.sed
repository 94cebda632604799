# expect: elements wrong; first C\[
s/for (long l = 0; l < p->k; l++) {/for (long l = 0; l < p->k - 1; l++) {/
