# expect: right, but [01] right products accepted where it takes 2
s/(double)(k + 1) \* 0x1p-24 \* size/0/
