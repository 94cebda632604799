# expect: fault: (out-of-bounds-global|global-race) in kernel yours|elements wrong; first C\[
s/if (i >= m || j >= n)/if (i >= m)/
