# expect: right, but [0-4] right products accepted where it takes 11
s/l < k; l++/l <= k; l++/
