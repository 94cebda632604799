# expect: elements wrong
s/x.a_hi, x.b_lo/x.a_lo, x.b_lo/
