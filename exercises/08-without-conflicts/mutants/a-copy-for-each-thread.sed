# expect: It is to be written without __syncthreads
s/__shared__ real as\[16\]\[16\], bs\[16\]\[17\];/__shared__ real as[16][16], staged[16][16]; real bs[16][16];/
s/bs\[x\]\[y\] = first + y < k && j < n ? \(.*\) : 0;/staged[y][x] = first + y < k \&\& j < n ? \1 : 0; __syncthreads(); for (int l = 0; l < 16; l++) bs[x][l] = staged[l][x];/
