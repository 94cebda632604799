# expect: elements wrong; first C\[
s/(texture, j, l)/(texture, j + 1.0f, l)/
