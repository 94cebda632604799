# expect: each load of a half-warp takes [0-9.]+ transactions: neighbouring threads read down a column
s/bs\[x\]\[y\] = first + y < k \&\& j < n ? b\[(size_t)(first + y) \* ldb + j\] : 0;/bs[y][x] = first + x < k \&\& (int)blockIdx.x * 16 + y < n ? b[(size_t)(first + x) * ldb + blockIdx.x * 16 + y] : 0;/
