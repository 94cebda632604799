# expect: right, but 16 passes through the banks where 1 is possible
s/as\[16\]\[17\]/as[16][16]/
