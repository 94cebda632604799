# expect: elements wrong; first C\[.*got -?nan
s/mul(a, b, c);/mul(part(a, 0, 0, a.rows \/ 2 * 2, a.cols), b, part(c, 0, 0, c.rows \/ 2 * 2, c.cols));/
