# expect: elements wrong; first C\[.*quadrant C11
s/sum.y += al \* bl.y/sum.y += al * bl.x/
