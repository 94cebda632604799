# expect: crashed|Stopped after
s/if (c.rows == 0 || c.cols == 0 || a.cols == 0)/if (0)/
s/levels - 1/levels/
