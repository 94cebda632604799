# expect: NaN came in from outside A or B
s/for (long l = 0; l < p->k; l++)/for (long l = 0; l <= p->k; l++)/
