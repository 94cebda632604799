# expect: fault: global-race in kernel mul_kernel
s/mul(C.q12, C.q21, C.q22);/mul(C.q12, C.q21, C.q21), add(C.q21, C.q21, C.q22);/
