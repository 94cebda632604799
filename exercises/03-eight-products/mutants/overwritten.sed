# expect: elements wrong; first C\[.*quadrant C11
s/product_add(a, b, c)/product(a, b, c)/
