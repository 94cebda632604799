# Every thread waits for an element of C that nobody writes.
# step: 06-gpu-naive
# file: 06-gpu-naive.cu
# options: --variant coalesced --n 16
# fault: endless-loop
/void coalesced(/,/^}/ s/real sum = 0;/real sum = 0; for (volatile int *w = (volatile int *)c; *w != 1;) ; \/\/ planted/
