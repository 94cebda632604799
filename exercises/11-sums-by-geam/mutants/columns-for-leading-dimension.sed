# expect: fault: |cublasSgeam: |elements wrong; first C\[
s/x.at, x.ld,/x.at, x.cols,/
