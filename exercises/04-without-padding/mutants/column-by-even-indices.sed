# expect: elements wrong; first C\[
s/part(a, 0, 0, em, k), part(b, 0, en, k, n - en)/part(a, 0, 0, em, ek), part(b, 0, en, ek, n - en)/
