# expect: fault: uninitialised-global in kernel inc_dec
s/(i < m \&\& j < n) {/(i < m \&\& j <= n) {/
