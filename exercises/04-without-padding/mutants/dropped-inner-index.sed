# expect: elements wrong; first C\[0\]\[0\]
/product_add(/d
