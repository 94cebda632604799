# expect: elements wrong; first C\[
s/if (c2.at)/if (0)/
