# expect: all zeros was accepted \(sums of one term\)
s/l < k; l++/l < k - 1; l++/
