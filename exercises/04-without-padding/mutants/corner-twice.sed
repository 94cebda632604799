# expect: elements wrong; first C\[
s/product(part(a, em, 0, m - em, k), b,/product_add(part(a, em, 0, m - em, k), b,/
