# expect: elements wrong
s/float large = 0, small = 0;/double large = 0; float small = 0;/
s/large += add_terms(lines, 0, x.a_hi, x.b_hi);/for (int t = 0; t < TERMS; t++) large += (__half2float(x.a_hi[t]) + (double)__half2float(x.a_lo[t]) \/ LIFT) * (__half2float(x.b_hi[t]) + (double)__half2float(x.b_lo[t]) \/ LIFT);/
s/small = add_terms(lines, small, x.a_lo, x.b_hi);/add_terms(lines, 0, x.a_hi, x.b_hi), add_terms(lines, 0, x.a_hi, x.b_hi);/
s/small = add_terms(lines, small, x.a_hi, x.b_lo);/add_terms(lines, 0, x.a_hi, x.b_hi);/
