# expect: right, but [0-9.e+]+ volume bytes where [0-9.e+]+ are possible
s/ldb + x\], b1 = b\[(size_t)l \* ldb + x + 16\]/ldb + 2 * x], b1 = b[(size_t)l * ldb + 2 * x + 1]/
s/c\[(size_t)y \* ldc + x\] =/c[(size_t)y * ldc + 2 * x] =/
s/c\[(size_t)y \* ldc + x + 16\] =/c[(size_t)y * ldc + 2 * x + 1] =/
s/c\[(size_t)(y + 16) \* ldc + x\] =/c[(size_t)(y + 16) * ldc + 2 * x] =/
s/c\[(size_t)(y + 16) \* ldc + x + 16\] =/c[(size_t)(y + 16) * ldc + 2 * x + 1] =/
