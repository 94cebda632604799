# expect: right, but 8 products where it takes 64
s/if (levels == 0) {/if (levels <= 1) {/
s/quarter(c, i, j), levels - 1/quarter(c, i, j), levels <= 2 ? 0 : levels - 1/
