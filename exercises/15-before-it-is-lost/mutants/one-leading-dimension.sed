# expect: fault: out-of-bounds-global in kernel form_kernel|elements wrong; first C\[
s/real v2 = c11\[(size_t)i \* ld11 + j\]/real v2 = c11[(size_t)i * cols + j]/
