# expect: fault: (shared-race|uninitialised-shared) in kernel yours
/__syncthreads();/d
