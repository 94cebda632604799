# expect: elements wrong; first C\[
s/sum.y += al \* bl.y/sum.y += al * bl.x/
