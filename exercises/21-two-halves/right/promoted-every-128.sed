s/float large = 0, small = 0;/float large = 0, small = 0, part = 0;/
s/large += add_terms(lines, 0, x.a_hi, x.b_hi);/part = add_terms(lines, part, x.a_hi, x.b_hi); if (first % 128 == 112 || first + TERMS >= k) large += part, part = 0;/
s/small = add_terms(lines, small, x.a_lo, x.b_hi);/float two = add_terms(lines, add_terms(lines, 0, x.a_hi, x.b_lo), x.a_lo, x.b_hi);/
s/small = add_terms(lines, small, x.a_hi, x.b_lo);/small += two;/
