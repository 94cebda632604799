# expect: right, but 7 products where it takes 49
s/rest = levels - 1/rest = 0/
