# expect: fault: global-race in kernel inc_inc_kernel
s/i >= rows || j >= cols/i > rows \&\& j > cols/
s/x\[(size_t)i \* ldx + j\] += t/x[(size_t)(i % rows) * ldx + j % cols] += t/
s/y\[(size_t)i \* ldy + j\] += t/y[(size_t)(i % rows) * ldy + j % cols] += t/
s/z\[(size_t)i \* ldz + j\]/z[(size_t)(i % rows) * ldz + j % cols]/
