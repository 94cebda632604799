# expect: C was written outside its elements
s/for (long i = 0; i < p->m; i++)/for (long i = 0; i <= p->m; i++)/
