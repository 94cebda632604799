# expect: elements wrong; .*The wrong elements are 0
s/    if (i < m \&\& j < /    if (i < m - 1 \&\& j < /
