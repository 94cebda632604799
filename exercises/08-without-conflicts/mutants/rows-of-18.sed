# expect: right, but 2 passes through the banks where 1 is possible
s/bs\[16\]\[17\]/bs[16][18]/
