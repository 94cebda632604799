# expect: elements wrong; first C\[.*quadrant C11
s/for (long l = 0; l < p->k; l++) {/for (long l = 0; l < p->k - 1; l++) {/
