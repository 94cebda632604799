# A21 + A11 in place of A21 - A11, in M6.
# step: 12-strassen-one-level
# file: one-level.cuh
# options: --n 256
# says: C22.*M6
# says: In M6 the sign of A11 is wrong
s/sub(A.q21, A.q11, at.C12A);/add(A.q21, A.q11, at.C12A);/
