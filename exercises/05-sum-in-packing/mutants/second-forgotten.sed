# expect: elements wrong; first C\[
s/if (y.at)/if (0)/
