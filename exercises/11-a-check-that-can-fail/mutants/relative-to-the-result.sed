# expect: the trusted product was refused \(ordinary numbers\)
s/0x1p-24 \* size/0x1p-24 * fabs(sum)/
