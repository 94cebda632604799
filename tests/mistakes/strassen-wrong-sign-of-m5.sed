# M5 is added to C11 in place of subtracted.
# step: 12-strassen-one-level
# file: one-level.cuh
# options: --n 256
# says: M5 goes into C11 with the wrong sign
s/f->mulIncDec(x, at.T2A/f->mulIncInc(x, at.T2A/
