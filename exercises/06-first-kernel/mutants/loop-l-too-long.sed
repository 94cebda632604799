# expect: fault: out-of-bounds-global in kernel yours
s/for (int l = 0; l < k; l++)/for (int l = 0; l <= k; l++)/
