# expect: fault: uninitialised-global
s/z.at, z.ld);/x.at, x.ld);/
