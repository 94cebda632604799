# expect: elements wrong; .*The wrong elements are 0
s/ y < k \&\& j < n ? b\[(si/ y < k \&\& j < n - 1 ? b[(si/
