# expect: elements wrong
s/x - __half2float(\*hi)/__half2float(*hi) - x/
