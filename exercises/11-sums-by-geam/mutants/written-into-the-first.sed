# expect: A was changed|elements wrong; first C\[
s/z.at, z.ld);/x.at, x.ld);/
