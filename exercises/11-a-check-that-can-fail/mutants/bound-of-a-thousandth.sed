# expect: right, but [0-6] wrong products caught where it takes 7
s/(double)(k + 1) \* 0x1p-24 \* size/1e-2 * size/
