# expect: elements wrong; first C\[0\]\[0\]
s/product_add(/product(/
