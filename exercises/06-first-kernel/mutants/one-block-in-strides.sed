# expect: right, but -[0-9]+ threads without work where it takes 0
s/if (i >= m || j >= n)/for (; i < m; i += 16) for (int o = j; o < n; o += 16) { real t = 0; for (int l = 0; l < k; l++) t += a[(size_t)i * lda + l] * b[(size_t)l * ldb + o]; c[(size_t)i * ldc + o] = t; } if (i >= 0)/
s/dim3 grid(.*/dim3 grid(1, 1);/
