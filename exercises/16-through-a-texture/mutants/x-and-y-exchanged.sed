# expect: elements wrong; first C\[
s/(texture, j, l)/(texture, l, j)/
