# expect: right, but 16 passes through the banks where 1 is possible
s/ROW = 65/ROW = 64/
