# expect: fault: (uninitialised|out-of-bounds)-global in kernel inc_inc_kernel
s/i >= rows || j >= cols/0/
