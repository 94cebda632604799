# expect: elements wrong; first C\[
s/if (i + r < x.rows)/if (i + r + 1 < x.rows)/
