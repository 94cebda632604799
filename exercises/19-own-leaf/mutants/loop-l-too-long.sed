# expect: fault: out-of-bounds-shared in kernel yours
s/for (int l = 0; l < 16; l++)/for (int l = 0; l <= 16; l++)/
