# expect: elements wrong; first C\[.*quadrant C21
s/product(part(a, em, 0, m - em, k), b,/product_add(part(a, em, 0, m - em, k), b,/
