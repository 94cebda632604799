# expect: elements wrong
s/first < k; first/first + TERMS <= k; first/
