# expect: 1 of [0-9]+ elements wrong; first C\[.*got -?nan
s/part(a, em, 0, m - em, k), b, part(c, em, 0, m - em, n)/part(a, em, 0, m - em, k), part(b, 0, 0, k, en), part(c, em, 0, m - em, en)/
