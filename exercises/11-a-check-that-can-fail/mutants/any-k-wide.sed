# expect: one error of four times the bound was accepted \(sums of one term\)
s/(double)(k + 1) \* 0x1p-24 \* size/65 * 0x1p-24 * size/
