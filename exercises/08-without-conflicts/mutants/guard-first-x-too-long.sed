# expect: elements wrong; first C\[.*got -?nan
s/ i < m \&\& first + x < k ? a\[(si/ i < m \&\& first + x <= k ? a[(si/
