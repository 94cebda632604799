# expect: elements wrong; .*The wrong elements are 0
s/for (int first = 0; first < k; first += TERMS)/for (int first = 0; first + TERMS < k; first += TERMS)/
