# A21 in place of A22, in M7.
# step: 12-strassen-one-level
# file: one-level.cuh
# options: --n 256
# says: M7 has A21 where A22 belongs
s/sub(A.q12, A.q22, at.C12A);/sub(A.q12, A.q21, at.C12A);/
