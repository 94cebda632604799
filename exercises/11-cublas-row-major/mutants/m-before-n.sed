# expect: fault: |cublasSgemm: |elements wrong; first C\[
s/n, m, k, &one/m, n, k, \&one/
