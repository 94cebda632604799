# expect: elements wrong; first C\[|fault
s,int i = t / n\, j = t % n,int i = t / m\, j = t % m,
