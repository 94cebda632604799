# expect: the trusted product was refused \(very large numbers\)
s/(double)(k + 1) \* 0x1p-24 \* size/fmin(1e-3, (double)(k + 1) * 0x1p-24 * size)/
