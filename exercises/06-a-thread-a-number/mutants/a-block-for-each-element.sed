# expect: right, but [0-9]+ threads without work where 127 are possible
s/unsigned blocks = .*/unsigned blocks = p->m * p->n;/
