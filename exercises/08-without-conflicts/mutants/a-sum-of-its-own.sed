# expect: It is to be written without __syncthreads
s/__shared__ real as\[16\]\[16\], bs\[16\]\[17\];/__shared__ real as[16][16], own[16][16]; real none[16] = {0}; const real *bs[16]; for (int r = 0; r < 16; r++) bs[r] = none;/
s/bs\[x\]\[y\] = first + y < k && j < n ? \(.*\) : 0;/own[y][x] = first + y < k \&\& j < n ? \1 : 0; __syncthreads(); for (int l = 0; l < 16; l++) sum += as[y][l] * own[l][x];/
