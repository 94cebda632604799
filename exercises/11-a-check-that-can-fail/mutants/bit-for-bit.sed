# expect: right, but [0-4] right products accepted where it takes 11
s/(double)(k + 1) \* 0x1p-24 \* size/0/
