# expect: fault: out-of-bounds-global
s/z.cols, z.rows, &one/z.rows, z.cols, \&one/
