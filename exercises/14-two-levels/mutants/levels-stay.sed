# expect: The launch asks for 0 blocks
s/rest = levels - 1/rest = levels/
