# expect: right, but [0-9]+ transactions where [0-9]+ are possible
s/real2 bl = ((const real2 \*)(b + (size_t)l \* ldb))\[j\];/const volatile real *at = b + (size_t)l * ldb + 2 * j; real2 bl = {at[0], at[1]};/
