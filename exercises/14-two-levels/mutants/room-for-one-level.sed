# expect: fault: out-of-bounds-global
s/level < p->levels; level++/level < 1; level++/
