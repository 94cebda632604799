# expect: right, but [01] right products accepted where it takes 2
s/l < k; l++/l <= k; l++/
