# expect: right, but 2 conflict where 1 are possible
s/bs\[16\]\[17\]/bs[16][18]/
