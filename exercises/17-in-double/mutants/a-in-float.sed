# expect: elements wrong; first C\[.*allowed error ([0-9.]+e-1[0-9]|0)
s/real al = /float al = /
