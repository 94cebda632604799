# expect: fault: |cublasSgeam: |elements wrong; first C\[
s/z.cols, z.rows, &one/z.rows, z.cols, \&one/
