# expect: element\(\) calls add_terms\(\) [0-9]+ times
s/for (int first = 0; first < k; first += TERMS)/for (int first = 0; first + TERMS < k; first += TERMS)/
