# expect: C was written outside its elements
s/for (long j = 0; j < p->n; j++)/for (long j = 0; j <= p->n; j++)/
