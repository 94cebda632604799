# expect: the last element never written was accepted
s/i < m; i++/i < m - 1; i++/
