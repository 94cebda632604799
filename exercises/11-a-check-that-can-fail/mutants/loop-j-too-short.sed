# expect: right, but [0-6] wrong products caught where it takes 7
s/j < n; j++/j < n - 1; j++/
