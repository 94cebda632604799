# expect: right, but ([0-9]|10) right products accepted where it takes 11
s/0x1p-24 \* size/0x1p-24 * fabs(sum)/
