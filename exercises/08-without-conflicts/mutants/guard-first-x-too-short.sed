# expect: elements wrong; .*The sum ends too soon
s/ i < m \&\& first + x < k ? a\[(si/ i < m \&\& first + x < k - 1 ? a[(si/
