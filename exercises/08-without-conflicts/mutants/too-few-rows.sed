# expect: fault: out-of-bounds-shared in kernel yours
s/bs\[16\]\[17\]/bs[15][17]/
