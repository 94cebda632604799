# expect: right, but [0-6] wrong products caught where it takes 7
s/i < m; i++/i < m - 1; i++/
