# expect: right, but -[0-9]+ threads without work where at least 0 are wanted
s/if (t < m \* n) {/for (; t < m * n; t += gridDim.x * blockDim.x) {/
s/unsigned blocks = .*/unsigned blocks = 1;/
