# expect: elements wrong; first C\[
s/l < x.cols/l + 1 < x.cols/
