# expect: elements wrong; .*The wrong elements are 0
s/(i < m \&\& j < n) {/(i < m \&\& j < n - 1) {/
