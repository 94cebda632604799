# expect: the last element never written was accepted
s/j < n; j++/j < n - 1; j++/
