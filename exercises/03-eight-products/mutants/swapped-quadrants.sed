# expect: elements wrong; first C\[.*quadrant C11
s/quarter(b, l, j)/quarter(b, j, l)/
