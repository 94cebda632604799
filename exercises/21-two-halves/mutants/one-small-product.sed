# expect: elements wrong
s/small = add_terms(small, x.a_hi, x.b_lo);//
