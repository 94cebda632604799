# expect: right, but [0-9]+ threads without work where it takes 0
s/dim3 grid(.*/dim3 grid(p->n \/ 16 + 1, p->m \/ 16 + 1);/
