# expect: fault: shared-race in kernel yours
/__syncthreads();/d
