# expect: elements wrong; first C\[
s/if (t < m \* n)/if (t < m * n - 1)/
