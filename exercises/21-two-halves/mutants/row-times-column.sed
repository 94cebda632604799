# expect: It is to be written without
s/struct terms x = load_terms(lines, first, k);/for (int l = first; l < first + TERMS \&\& l < k; l++) large += lines->row_of_a[l] * lines->col_of_b[l * lines->ldb_of_b];/
s/large += add_terms(lines, 0, x.a_hi, x.b_hi);//
s/small = add_terms(lines, small, x.a_lo, x.b_hi);//
s/small = add_terms(lines, small, x.a_hi, x.b_lo);//
