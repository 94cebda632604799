# expect: got -?nan
s/&zero, p->c/\&one, p->c/
