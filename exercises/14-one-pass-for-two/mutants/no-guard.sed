# expect: fault: uninitialised-global in kernel inc_inc_kernel
s/i >= rows || j >= cols/0/
