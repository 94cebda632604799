# expect: one element off by a 2048th was accepted
s/(double)(k + 1) \* 0x1p-24 \* size/1e-2 * size/
