# expect: elements wrong; first C\[.*got -?nan
s/mul(a, b, c);/mul(a, b, part(c, 0, 0, c.rows < c.cols ? c.rows : c.cols, c.rows < c.cols ? c.rows : c.cols));/
