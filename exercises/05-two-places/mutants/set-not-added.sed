# expect: elements wrong; first C\[
s/ += sign2/ = sign2/
