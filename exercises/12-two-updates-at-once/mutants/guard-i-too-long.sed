# expect: fault: out-of-bounds-global in kernel inc_dec
s/    if (i < m \&\& j < /    if (i <= m \&\& j < /
