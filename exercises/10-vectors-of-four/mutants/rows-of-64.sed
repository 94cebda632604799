# expect: right, but 16 conflict where 1 are possible
s/ROW = 65/ROW = 64/
