# expect: elements wrong; .*The sum ends too soon
s/for (int first = 0; first < k; first += 16)/for (int first = 0; first + 16 < k; first += 16)/
