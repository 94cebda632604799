# expect: right, but 16 conflict where 1 are possible
s/as\[16\]\[16\], bs\[16\]\[17\]/as[16][17], bs[16][16]/
