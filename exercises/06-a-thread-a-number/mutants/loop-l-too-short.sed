# expect: elements wrong; first C\[
s/l < k; l++/l < k - 1; l++/
