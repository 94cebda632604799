# expect: A was changed
s/mul(a, b, c);/mul(a, b, c), add(a, a, a);/
