# expect: elements wrong; first C\[|fault
s/l < k; l++/l <= k; l++/
