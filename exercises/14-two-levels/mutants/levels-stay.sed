# expect: The launch was refused
s/rest = levels - 1/rest = levels/
