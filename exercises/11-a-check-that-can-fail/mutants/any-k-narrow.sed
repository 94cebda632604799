# expect: errors of half the bound was refused \(positive numbers\)
s/(double)(k + 1) \* 0x1p-24 \* size/6 * 0x1p-24 * size/
