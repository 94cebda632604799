# expect: element\(\) calls add_terms\(\) [0-9]+ times
s/small = add_terms(lines, small, x.a_hi, x.b_lo);//
