# expect: right, but [0-9]+ transactions where [0-9]+ are possible
s/tex2D<float>(texture, j, l)/b[(size_t)l * ldb + j]/
