# expect: fault: barrier-divergence in kernel inc_dec
s/real t = product_element/if (i >= m || j >= n) return; real t = product_element/
