# B22 - B12 in place of B12 - B22, in M3.
# step: 12-strassen-one-level
# file: one-level.cuh
# options: --n 256
# says: M3 has the wrong sign
s/sub(B.q12, B.q22, at.T1B);/sub(B.q22, B.q12, at.T1B);/
