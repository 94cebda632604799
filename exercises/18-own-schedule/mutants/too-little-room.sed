# expect: fault: out-of-bounds-global in kernel sum_kernel
s/(size_t)(n \/ 2) \* 2; }/(size_t)(n \/ 2); }/
