# expect: elements wrong; first C\[
s/packed\[l \* ROWS + r\]/packed[r * x.cols + l]/
